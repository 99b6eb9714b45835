//! Understands one skeleton: which joint plays which role, and in which pose its frames are read.

mod role;

pub use role::{Assigned, Finger, Role, Roles, Side};
