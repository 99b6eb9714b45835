//! Which joint plays which role.
//!
//! Names and the tree together find the limbs: a name says what a joint may be, the tree which of
//! the possibilities fit below one another. Where names say nothing, shape decides. Everything
//! between the limbs (hips, spine, collars, hip bones, neck) follows from the tree alone, for the
//! same name means different joints in different conventions.

mod animal;
mod body;
mod chain;
mod digits;
mod limbs;
mod names;
mod shape;
mod tree;
mod unnamed;

use super::{Roles, Side};
use body::Draft;
use limbs::{Limbs, Missing};
use rebone_skeleton::{Skeleton, WorldPose};
use thiserror::Error;

/// Why a skeleton has no human roles.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum RolesError {
    /// Limbs are missing.
    #[error("no humanoid: {}", missing.join("; "))]
    Missing {
        /// What was looked for and not found, one text each.
        missing: Vec<String>,
    },
    /// It has the limbs, but it is an animal.
    #[error("no humanoid but an animal: {}", evidence.join("; "))]
    Animal {
        /// What speaks for it, one text each.
        evidence: Vec<String>,
    },
}

/// Finds the role of each joint.
///
/// `poses` are some poses of the skeleton spread over its motion, or none; they tell animals from
/// people and where names say nothing they tell the joints that bend. World axes and units are free.
///
/// # Errors
/// When an arm or a leg is not found, with a list of what was looked for, or when it is an animal.
pub fn assign_roles(skeleton: &Skeleton, poses: &[WorldPose]) -> Result<Roles, RolesError> {
    let readings: Vec<_> = skeleton.joints().iter().map(|joint| names::read(&joint.name)).collect();
    let (limbs, named) = match limbs::by_name(skeleton, &readings) {
        Ok(limbs) => (limbs, true),
        Err(missing) => (by_shape_alone(skeleton, poses, missing)?, false),
    };
    if let Some(evidence) = animal::evidence(skeleton, &readings, poses, &limbs) {
        return Err(RolesError::Animal { evidence });
    }
    let mut draft = Draft::new(skeleton, &readings, poses, &limbs);
    draft.limbs();
    draft.trunk();
    draft.twists();
    for side in Side::BOTH {
        draft.fingers(side);
        draft.unnamed_fingers(side);
        draft.toes(side);
        if !named {
            draft.unnamed_toes(side);
        }
    }
    draft.face();
    Ok(draft.roles)
}

/// Limbs by shape, for skeletons whose names tell not even one limb.
fn by_shape_alone(
    skeleton: &Skeleton,
    poses: &[WorldPose],
    missing: Missing,
) -> Result<Limbs, RolesError> {
    let nameless = missing.found == 0;
    let limbs = if nameless { shape::by_shape(skeleton, poses) } else { None };
    limbs.ok_or(RolesError::Missing { missing: missing.what })
}
