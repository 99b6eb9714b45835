//! Roles that the user gives: hints for the search, and the last word after it.

use super::by_name::{NameMeaning, Part};
use crate::body::{Assigned, Role, Roles, Side, StatedRole};
use crate::error::AnalysisError;
use rebone_skeleton::selector::select;
use rebone_skeleton::{JointId, Skeleton};

/// Stronger than any word.
const STATED_WEIGHT: f64 = 2.0;

/// Makes the joints read as what they were given as.
pub(crate) fn hint(readings: &mut [NameMeaning], given: &[StatedRole]) {
    for (role, joints) in given {
        let Some((part, side)) = part(*role) else { continue };
        for joint in joints {
            let parts = vec![(part, STATED_WEIGHT)];
            readings[joint.index()] = NameMeaning { side, parts, ..NameMeaning::default() };
        }
    }
}

/// The part that names speak of.
fn part(role: Role) -> Option<(Part, Option<Side>)> {
    Some(match role {
        Role::Head => (Part::Head, None),
        Role::Jaw => (Part::Jaw, None),
        Role::Eye(side) => (Part::Eye, Some(side)),
        Role::Shoulder(side) => (Part::Shoulder, Some(side)),
        Role::UpperArm(side) => (Part::UpperArm, Some(side)),
        Role::LowerArm(side) => (Part::LowerArm, Some(side)),
        Role::Hand(side) => (Part::Hand, Some(side)),
        Role::UpperLeg(side) => (Part::UpperLeg, Some(side)),
        Role::LowerLeg(side) => (Part::LowerLeg, Some(side)),
        Role::Foot(side) => (Part::Foot, Some(side)),
        Role::Toes(side) => (Part::Toes, Some(side)),
        _ => return None,
    })
}

/// Whether every joint of the limbs was given, hands aside: then it is not checked for an animal.
pub(crate) fn says_all(given: &[StatedRole]) -> bool {
    let says =
        |role: &Role| given.iter().any(|(known, joints)| known == role && !joints.is_empty());
    let limbs = Side::BOTH.map(limbs);
    limbs.iter().flatten().flatten().all(|role| says(role) || matches!(role, Role::Hand(_)))
}

/// Replaces what was found for the roles that were given.
pub(crate) fn overrule(roles: &mut Roles, given: &[StatedRole]) {
    for (role, _) in given {
        for assigned in &mut roles.by_joint {
            if assigned.as_ref().is_some_and(|known| known.role == *role) {
                *assigned = None;
            }
        }
    }
    for (role, joints) in given {
        for joint in joints {
            roles.by_joint[joint.index()] = Some(Assigned {
                role: *role,
                confidence: 1.0,
                reason: "card".into(),
                runner_up: None,
            });
        }
    }
}

/// Checks that both arms and legs are there, each joint below the one before, and none on another; hands
/// may be missing.
pub(crate) fn check(skeleton: &Skeleton, roles: &Roles) -> Result<(), AnalysisError> {
    let mut missing = Vec::new();
    for limb in Side::BOTH.iter().flat_map(|&side| limbs(side)) {
        for (at, &role) in limb.iter().enumerate() {
            let Some(joint) = roles.joint(role) else {
                if !matches!(role, Role::Hand(_)) {
                    missing.push(format!("no {}", role.name()));
                }
                continue;
            };
            let above = at.checked_sub(1).and_then(|at| roles.joint(limb[at]));
            if above.is_some_and(|above| above == joint || !skeleton.is_ancestor(above, joint)) {
                missing.push(format!("no {} below {}", role.name(), limb[at - 1].name()));
            }
        }
    }
    missing.extend(nested(skeleton, roles));
    if missing.is_empty() { Ok(()) } else { Err(AnalysisError::NoLimbs { missing }) }
}

/// Limbs below another limb, and a head on the path to one: each has to be below the trunk.
fn nested(skeleton: &Skeleton, roles: &Roles) -> Vec<String> {
    let uppers = Side::BOTH.into_iter().flat_map(|side| limbs(side).map(|limb| limb[0]));
    let played = |role: Role| Some((role, roles.joint(role)?));
    let uppers: Vec<_> = uppers.filter_map(played).collect();
    let carried = |id: JointId| uppers.iter().find(|(_, upper)| skeleton.is_ancestor(id, *upper));
    let hang = |&(role, joint): &(Role, JointId)| {
        let on =
            |(_, upper): &&(Role, JointId)| *upper != joint && skeleton.is_ancestor(*upper, joint);
        let (other, _) = uppers.iter().find(on)?;
        Some(format!("no {} but one that hangs on the {}", role.name(), other.name()))
    };
    let mut nested: Vec<String> = uppers.iter().filter_map(hang).collect();
    if let (Some(chest), Some(head)) =
        (apex(skeleton, roles, Role::UpperArm), roles.joint(Role::Head))
    {
        let mut neck =
            skeleton.path_to_root(head).take_while(|&id| !skeleton.is_ancestor(id, chest));
        let limb = neck.find_map(carried).map(|(role, _)| role.name());
        nested.extend(limb.map(|limb| format!("no head but one on the way to the {limb}")));
    }
    nested
}

/// Checks that what was given for hips, spine, neck and hip bones is what lies between the others.
pub(crate) fn check_between(
    skeleton: &Skeleton,
    roles: &Roles,
    given: &[StatedRole],
) -> Result<(), AnalysisError> {
    for (role, joints) in given {
        let Some(between) = between(skeleton, roles, *role) else { continue };
        let mut said = joints.clone();
        let mut expected = between;
        said.sort();
        expected.sort();
        if said != expected {
            let names = expected.iter().map(|&id| select(skeleton, id)).collect::<Vec<_>>();
            let expected = if names.is_empty() { "nothing".into() } else { names.join(", ") };
            return Err(AnalysisError::Follows { role: role.name(), expected });
        }
    }
    Ok(())
}

/// The lowest joint above both arms or both legs.
fn apex(skeleton: &Skeleton, roles: &Roles, limb: fn(Side) -> Role) -> Option<JointId> {
    let [left, right] = Side::BOTH.map(|side| roles.joint(limb(side)));
    Some(skeleton.lowest_common_ancestor(left?, right?))
}

/// The joints of a role that lies between others; `None` for other roles.
fn between(skeleton: &Skeleton, roles: &Roles, role: Role) -> Option<Vec<JointId>> {
    let [hips, chest] = [Role::UpperLeg, Role::UpperArm].map(|limb| apex(skeleton, roles, limb));
    let (hips, chest) = (hips?, chest?);
    match role {
        Role::Hips => Some(vec![hips]),
        Role::Spine => {
            let mut way = skeleton.path_between(hips, chest);
            way.retain(|&id| id != hips);
            Some(way)
        }
        Role::Neck => {
            let head = roles.joint(Role::Head)?;
            Some(skeleton.strictly_between(chest, head))
        }
        Role::HipBone(side) => {
            let thigh = roles.joint(Role::UpperLeg(side))?;
            Some(skeleton.strictly_between(hips, thigh))
        }
        _ => None,
    }
}

/// The joints of arm and leg of one side.
fn limbs(side: Side) -> [[Role; 3]; 2] {
    [
        [Role::UpperArm(side), Role::LowerArm(side), Role::Hand(side)],
        [Role::UpperLeg(side), Role::LowerLeg(side), Role::Foot(side)],
    ]
}
