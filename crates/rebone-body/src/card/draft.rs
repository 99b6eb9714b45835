//! Draft cards: for skeletons on which not all roles are found.

use super::write::one_line;
use super::{Card, RoleEntry};
use crate::body::{Role, Roles, Side};
use crate::roles::detached_ends;
use rebone_skeleton::selector::select;
use rebone_skeleton::{JointId, Skeleton};
use toml_edit::Value;

/// Confidence from which a role is stated; others are comments.
const MIN_CONFIDENCE: f64 = 0.5;

/// Comment where hands or feet have other parents.
const DETACHED: &str = "# Hands and feet that hang elsewhere are attached to forearms and shins once they are named here.\n";

impl Card {
    /// Returns the text of a card with the roles that were found on a skeleton, and a comment to fill in for each required
    /// role that was not; `reason` says why the skeleton is refused.
    ///
    /// ```
    /// use rebone_body::card::Card;
    /// let skeleton = rebone_samples::walk().motion.skeleton;
    /// let roles = rebone_body::analyse::partial_roles(&skeleton, &rebone_body::Hints::default())?;
    /// let text = Card::draft(&skeleton, &roles, "no left shin");
    /// assert!(text.starts_with("# Draft: no left shin"));
    /// assert!(!Card::parse(&text)?.roles.is_empty());
    /// # Ok::<(), rebone_body::AnalysisError>(())
    /// ```
    pub fn draft(skeleton: &Skeleton, roles: &Roles, reason: &str) -> String {
        let mut card = Self::default();
        let mut guesses = String::new();
        for id in skeleton.ids() {
            let Some(Some(own)) = roles.by_joint.get(id.index()) else { continue };
            let (name, joint) = (own.role.name(), select(skeleton, id));
            if own.confidence < MIN_CONFIDENCE {
                guesses += &format!("# {name} = {}\n", Value::from(joint));
                continue;
            }
            card.roles.push(RoleEntry { role: own.role, joints: vec![joint], line: 0 });
            let remark = format!("{:.2} {}", own.confidence, own.reason);
            card.generated.insert(format!("roles.{name}"), remark);
        }
        let missing = required_roles().into_iter().filter(|role| roles.joint(*role).is_none());
        let blanks: String = missing.map(|role| format!("# {} = \"\"\n", role.name())).collect();
        let note = if detached_ends(skeleton, roles).is_empty() { "" } else { DETACHED };
        format!(
            "# Draft: {}\n# Name the joint of each missing role, check the guesses, and remove the \"#\" of these lines.\n\n\
             [roles]\n{note}{blanks}{guesses}\n{}",
            one_line(reason),
            card.to_toml()
        )
    }
}

impl Card {
    /// Returns the section of a card that attaches hands and feet which do not hang on their forearms and shins; empty
    /// where all do.
    pub fn attaching_roles(skeleton: &Skeleton, roles: &Roles) -> String {
        let line = |(role, joint): (Role, JointId)| {
            format!("{} = {}\n", role.name(), Value::from(select(skeleton, joint)))
        };
        let ends = detached_ends(skeleton, roles).into_iter().flatten();
        let lines: String = ends.map(line).collect();
        if lines.is_empty() { lines } else { format!("[roles]\n{lines}") }
    }
}

/// Roles without which a skeleton is refused.
fn required_roles() -> Vec<Role> {
    use Role::{Foot, Hand, LowerArm, LowerLeg, UpperArm, UpperLeg};
    let of_side = |side: Side| {
        [UpperArm, LowerArm, Hand, UpperLeg, LowerLeg, Foot]
            .map(|role: fn(Side) -> Role| role(side))
    };
    Side::BOTH.into_iter().flat_map(of_side).collect()
}
