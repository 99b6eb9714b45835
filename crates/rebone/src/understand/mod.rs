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
