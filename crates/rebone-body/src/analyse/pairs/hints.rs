//! Roles from pairs: as hints for the search, and joint by joint after it.

use crate::body::{Assigned, Role, Roles, StatedRole, follows};
use rebone_skeleton::{JointId, Skeleton};

/// A role taken from the other joint of a pair.
#[derive(Clone, Debug)]
pub(crate) struct RoleHint {
    /// The joint that gets the role.
    pub(crate) joint: JointId,
    /// The role.
    pub(crate) role: Role,
    /// Confidence of the role at the other joint.
    pub(crate) confidence: f64,
    /// The other joint.
    pub(crate) source_joint: String,
}

impl RoleHint {
    /// As a card would say it; `None` for lists, of which a pair says one joint.
    pub(crate) fn stated_role(&self) -> Option<StatedRole> {
        let alone = !self.role.is_list() && !follows(self.role);
        alone.then(|| (self.role, vec![self.joint]))
    }

    fn assigned(&self) -> Assigned {
        let reason = format!("paired with {}", self.source_joint);
        Assigned { role: self.role, confidence: self.confidence, reason, runner_up: None }
    }

    /// Assigns the hinted roles to their joints; what lies below a hinted joint of a finger belongs to that finger.
    /// Roles that follow from others are only surer where they agree with a hint.
    pub(crate) fn apply(hints: &[RoleHint], skeleton: &Skeleton, roles: &mut Roles) {
        Self::clear_fingers(hints, skeleton, roles);
        for joint in skeleton.ids() {
            let own = |hint: &&RoleHint| hint.joint == joint;
            let known = &mut roles.by_joint[joint.index()];
            match hints.iter().find(own) {
                Some(hint) if follows(hint.role) => {
                    let same = known.as_mut().filter(|known| known.role == hint.role);
                    same.into_iter().for_each(|known| known.confidence = hint.confidence);
                }
                Some(hint) => *known = Some(hint.assigned()),
                None => {
                    let mut path = skeleton.path_to_root(joint).skip(1);
                    let above = path.find_map(|id| hints.iter().find(|hint| hint.joint == id));
                    if let Some(above) =
                        above.filter(|above| matches!(above.role, Role::Finger(..)))
                    {
                        *known = Some(above.assigned());
                    }
                }
            }
        }
    }

    /// Removes the hinted fingers from joints that are not in line with the hinted joints.
    fn clear_fingers(hints: &[RoleHint], skeleton: &Skeleton, roles: &mut Roles) {
        for joint in skeleton.ids() {
            let Some(role @ Role::Finger(..)) = roles.of(joint) else { continue };
            let mut same = hints.iter().filter(|hint| hint.role == role).peekable();
            let is_hinted = same.peek().is_some();
            if is_hinted && !same.any(|hint| skeleton.is_ancestor(joint, hint.joint)) {
                roles.by_joint[joint.index()] = None;
            }
        }
    }
}
