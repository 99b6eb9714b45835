//! Roles that names state, for a skeleton on which not all limbs are found.

use super::by_name::{self, NameMeaning, Part};
use super::{given, limbs};
use crate::body::{Assigned, Role, Roles, Side, StatedRole};
use rebone_skeleton::{JointId, Skeleton};

/// Confidence in a role for which only the name of its joint speaks.
const NAME_ONLY: f64 = 0.5;

/// Finds the roles that are certain of a skeleton that [`assign_roles`](super::assign_roles) refuses: given ones, whole
/// limbs, and joints by name.
pub(crate) fn roles_by_name(skeleton: &Skeleton, given: &[StatedRole]) -> Roles {
    let mut readings: Vec<NameMeaning> =
        skeleton.joints().iter().map(|joint| by_name::read(&joint.name)).collect();
    given::hint(&mut readings, given);
    let mut roles = Roles { by_joint: vec![None; skeleton.len()] };
    for (role, joint, confidence, reason) in limbs::whole_limbs(skeleton, &readings) {
        assign(&mut roles, role, joint, confidence, reason);
    }
    for (part, side, role) in ROLES_OF_PARTS {
        let named = limbs::candidates(&readings, part, side);
        let is_free = |candidate: &&(JointId, f64)| roles.by_joint[candidate.0.index()].is_none();
        // Of equally strong names the uppermost.
        let strongest =
            named.iter().filter(is_free).fold(None, |best: Option<&(JointId, f64)>, own| {
                if best.is_some_and(|best| best.1 >= own.1) { best } else { Some(own) }
            });
        if let (Some(&(joint, strength)), None) = (strongest, roles.joint(role)) {
            let reason = format!("named {}", skeleton[joint].name);
            assign(&mut roles, role, joint, NAME_ONLY * strength.min(1.0), reason);
        }
    }
    given::overrule(&mut roles, given);
    roles
}

/// Returns hands and feet whose parents are not their forearms and shins, as in control rigs: each with the joint that it
/// should be a child of.
pub(crate) fn detached_ends(skeleton: &Skeleton, roles: &Roles) -> Vec<[(Role, JointId); 2]> {
    let pairs = Side::BOTH.into_iter().flat_map(|side| {
        [(Role::Hand(side), Role::LowerArm(side)), (Role::Foot(side), Role::LowerLeg(side))]
    });
    let played = |role: Role| Some((role, roles.joint(role)?));
    let both = pairs.filter_map(|(end, lower)| Some([played(end)?, played(lower)?]));
    both.filter(|[(_, end), (_, lower)]| !skeleton.is_ancestor(*lower, *end)).collect()
}

fn assign(roles: &mut Roles, role: Role, joint: JointId, confidence: f64, reason: String) {
    roles.by_joint[joint.index()] = Some(Assigned { role, confidence, reason, runner_up: None });
}

/// Roles that a name alone may state. Those of the trunk follow from the limbs.
const ROLES_OF_PARTS: [(Part, Option<Side>, Role); 16] = {
    use Side::{Left, Right};
    [
        (Part::Head, None, Role::Head),
        (Part::UpperArm, Some(Left), Role::UpperArm(Left)),
        (Part::LowerArm, Some(Left), Role::LowerArm(Left)),
        (Part::Hand, Some(Left), Role::Hand(Left)),
        (Part::UpperArm, Some(Right), Role::UpperArm(Right)),
        (Part::LowerArm, Some(Right), Role::LowerArm(Right)),
        (Part::Hand, Some(Right), Role::Hand(Right)),
        (Part::UpperLeg, Some(Left), Role::UpperLeg(Left)),
        (Part::LowerLeg, Some(Left), Role::LowerLeg(Left)),
        (Part::Foot, Some(Left), Role::Foot(Left)),
        (Part::UpperLeg, Some(Right), Role::UpperLeg(Right)),
        (Part::LowerLeg, Some(Right), Role::LowerLeg(Right)),
        (Part::Foot, Some(Right), Role::Foot(Right)),
        (Part::Toes, Some(Left), Role::Toes(Left)),
        (Part::Toes, Some(Right), Role::Toes(Right)),
        (Part::Jaw, None, Role::Jaw),
    ]
};

#[cfg(test)]
mod tests {
    use super::*;
    use rebone_skeleton::Joint;

    fn skeleton(joints: &[(&str, Option<usize>)]) -> Skeleton {
        let joint = |(name, parent): &(&str, Option<usize>)| Joint {
            name: (*name).into(),
            parent: parent.map(JointId),
            ..rebone_samples::walk().motion.skeleton[JointId(1)].clone()
        };
        Skeleton::new(joints.iter().map(joint).collect(), Vec::new()).expect("a tree")
    }

    #[test]
    fn whole_limbs_are_found_where_others_are_missing() {
        let skeleton = skeleton(&[
            ("root", None),
            ("LeftUpLeg", Some(0)),
            ("LeftLeg", Some(1)),
            ("LeftFoot", Some(2)),
            ("RightUpLeg", Some(0)),
            ("knob", Some(4)),
        ]);
        let roles = roles_by_name(&skeleton, &[]);
        assert_eq!(roles.joint(Role::LowerLeg(Side::Left)), Some(JointId(2)));
        assert_eq!(roles.joint(Role::UpperLeg(Side::Right)), Some(JointId(4)));
        assert_eq!(roles.joint(Role::LowerLeg(Side::Right)), None);
        let given = [(Role::LowerLeg(Side::Right), vec![JointId(5)])];
        let roles = roles_by_name(&skeleton, &given);
        assert_eq!(roles.joint(Role::LowerLeg(Side::Right)), Some(JointId(5)));
    }
}
