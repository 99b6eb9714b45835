//! Assignment of roles to joints.
//!
//! Names and the tree together find the limbs: a name says what a joint may be, the tree which of
//! the possibilities fit below one another. Where they state a part of a limb, its other joints follow
//! from these; where names say nothing, shape decides. Everything
//! between the limbs (hips, spine, collars, hip bones, neck) follows from the tree alone, for the
//! same name means different joints in different conventions.

mod assignment;
mod bones;
mod by_name;
mod completed;
mod fingers;
mod given;
mod head;
mod helpers;
mod limbs;
mod partial;
mod quadruped;
mod shape;

pub use bones::bones;
pub use bones::role_of_bone;
pub use helpers::known_helpers;
pub(crate) use partial::{detached_ends, roles_by_name};
pub(crate) use shape::Proportions;

use crate::body::{Role, Roles};
use crate::error::{AnalysisError, ValueError};
use assignment::RoleAssignment;
use by_name::NameMeaning;
use rebone_skeleton::{ClipError, JointId, Pose, Skeleton, WorldPose};

/// Finds the role of each joint.
///
/// `poses` are some poses of the skeleton spread over its motion (forty or so), or none; they tell
/// animals from people, and where names say nothing they tell the joints that bend, and left from
/// right. World axes and units are free.
///
/// # Errors
/// When an arm or a leg is not found, with a list of what was looked for, or when it is an animal; when a pose is of another
/// skeleton or not finite.
pub fn assign_roles(skeleton: &Skeleton, poses: &[WorldPose]) -> Result<Roles, AnalysisError> {
    assign_other_roles(skeleton, poses, &[])
}

/// Finds the role of each joint, some of which are given: those are kept, with confidence 1, and the others follow.
///
/// # Errors
/// As [`assign_roles`], and when the given joints of a limb do not hang below one another or are not there.
pub fn assign_other_roles(
    skeleton: &Skeleton,
    poses: &[WorldPose],
    given: &[(Role, Vec<JointId>)],
) -> Result<Roles, AnalysisError> {
    ValueError::check_joints(skeleton, given.iter().flat_map(|(_, joints)| joints).copied())?;
    for pose in poses {
        check_world_pose(skeleton, pose)?;
    }
    let mut readings: Vec<NameMeaning> =
        skeleton.joints().iter().map(|joint| by_name::read(&joint.name)).collect();
    let nameless = matches!(limbs::by_name(skeleton, &readings), Err(fault) if fault.found == 0);
    given::hint(&mut readings, given);
    let (limbs, named) = match (limbs::by_name(skeleton, &readings), nameless) {
        (Ok(limbs), nameless) => {
            let [left, right] = limbs.arms.each_ref().map(|arm| arm.joints.len());
            let completed = || completed::completed(skeleton, &readings, None);
            let mended = if left == right { None } else { completed() };
            let limbs = mended.unwrap_or(limbs);
            (completed::raised(skeleton, &readings, limbs), !nameless)
        }
        (Err(fault), nameless) => {
            let shape = shape::by_shape(skeleton, &readings, poses);
            let completed = completed::completed(skeleton, &readings, shape.as_ref());
            match completed.or(shape.filter(|_| nameless)) {
                Some(limbs) => (limbs, !nameless),
                None => return Err(AnalysisError::NoLimbs { missing: fault.missing }),
            }
        }
    };
    if !given::says_all(given)
        && let Some(evidence) = quadruped::evidence(skeleton, &readings, poses, &limbs)
    {
        return Err(AnalysisError::Animal { evidence });
    }
    let mut roles = RoleAssignment::new(skeleton, &readings, poses, &limbs).finish(named);
    given::overrule(&mut roles, given);
    given::check(skeleton, &roles)?;
    given::check_between(skeleton, &roles, given)?;
    Ok(roles)
}

/// Checks that a pose is of the skeleton, and finite.
fn check_world_pose(skeleton: &Skeleton, pose: &WorldPose) -> Result<(), ClipError> {
    let WorldPose { positions, rotations } = pose.clone();
    Pose { translations: positions, rotations }.check_for(skeleton)
}

#[cfg(test)]
mod tests;
