//! Roles that pairs tell: as hints for the search, and joint by joint after it.

use crate::body::follows;
use crate::body::{Assigned, Role, Roles, StatedRole};
use rebone_skeleton::{JointId, Skeleton};

/// A role that the other joint of a pair tells.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    /// Who is told.
    pub(crate) joint: JointId,
    /// The role.
    pub(crate) role: Role,
    /// How sure the other joint is of it.
    pub(crate) sure: f64,
    /// The other joint.
    pub(crate) by: String,
}

impl Told {
    /// As a card would say it; `None` for lists, of which a pair says one joint.
    pub(crate) fn given(&self) -> Option<StatedRole> {
        let alone = !self.role.is_list() && !follows(self.role);
        alone.then(|| (self.role, vec![self.joint]))
    }

    fn assigned(&self) -> Assigned {
        let reason = format!("paired with {}", self.by);
        Assigned { role: self.role, confidence: self.sure, reason, runner_up: None }
    }

    /// Gives the told roles to their joints, what lies below a told joint of a finger to that finger.
    /// Roles that follow from others are only surer where they are what was told.
    pub(crate) fn settle(told: &[Told], skeleton: &Skeleton, roles: &mut Roles) {
        Self::clear_fingers(told, skeleton, roles);
        for joint in skeleton.ids() {
            let own = |told: &&Told| told.joint == joint;
            let known = &mut roles.by_joint[joint.index()];
            match told.iter().find(own) {
                Some(told) if follows(told.role) => {
                    let same = known.as_mut().filter(|known| known.role == told.role);
                    same.into_iter().for_each(|known| known.confidence = told.sure);
                }
                Some(told) => *known = Some(told.assigned()),
                None => {
                    let mut path = skeleton.path_to_root(joint).skip(1);
                    let above = path.find_map(|id| told.iter().find(|told| told.joint == id));
                    if let Some(above) =
                        above.filter(|above| matches!(above.role, Role::Finger(..)))
                    {
                        *known = Some(above.assigned());
                    }
                }
            }
        }
    }

    /// Takes the told fingers from joints that are not in line with those that were told.
    fn clear_fingers(told: &[Told], skeleton: &Skeleton, roles: &mut Roles) {
        for joint in skeleton.ids() {
            let Some(role @ Role::Finger(..)) = roles.of(joint) else { continue };
            let mut same = told.iter().filter(|told| told.role == role).peekable();
            let is_told = same.peek().is_some();
            if is_told && !same.any(|told| skeleton.is_ancestor(joint, told.joint)) {
                roles.by_joint[joint.index()] = None;
            }
        }
    }
}
