//! Understands one skeleton: which joint plays which role, and in which pose its frames are read.

mod role;
mod role_name;
mod roles;

pub use role::{Assigned, Finger, Role, Roles, Side};
pub use roles::{Given, RolesError, assign_other_roles, assign_roles};
