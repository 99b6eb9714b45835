//! Understands one skeleton: which joint plays which role, and in which pose its frames are read.

mod role;
mod roles;

pub use role::{Assigned, Finger, Role, Roles, Side};
pub use roles::{RolesError, assign_roles};
