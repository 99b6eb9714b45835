//! Understands one skeleton: which joint plays which role, and in which pose its frames are read.

mod anatomy;
mod body;
pub(crate) mod frames;
mod motion;
mod role;
mod role_name;
mod roles;
mod stance;

pub(crate) use anatomy::finger_tip;
pub use anatomy::{Anatomy, BODY_HEIGHT, CalibrationSource};
pub use body::{Arm, Body, Leg};
pub use role::{Assigned, Finger, Role, Roles, Side};
pub use roles::{Given, RolesError, assign_other_roles, assign_roles};
pub use stance::{Stance, best_stance};

use crate::UnderstandError;
use nalgebra::{Unit, Vector3};
use rebone_skeleton::{Motion, forward_kinematics};

/// The most poses that are looked at to tell what a skeleton is.
const POSES: usize = 64;

/// What the user knows of a skeleton.
#[derive(Clone, Debug, Default)]
pub struct Hints {
    /// The direction in the file that is up.
    pub up: Option<Unit<Vector3<f64>>>,
}

/// Works out which joint plays which role, how the segments are oriented, how large the body is and
/// what is up, from a skeleton and a clip of it.
///
/// # Errors
/// When it is no humanoid: what was looked for and not found.
pub fn understand(motion: &Motion, hints: &Hints) -> Result<Anatomy, UnderstandError> {
    let step = motion.clip.frames.len().div_ceil(POSES).max(1);
    let poses = motion.clip.frames.iter().step_by(step);
    let poses: Vec<_> = poses.map(|pose| forward_kinematics(&motion.skeleton, pose)).collect();
    let roles = assign_roles(&motion.skeleton, &poses)?;
    Anatomy::new(&motion.skeleton, roles, &motion.clip, hints.up).map_err(UnderstandError::Missing)
}
