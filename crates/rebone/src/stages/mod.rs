//! The stages.
mod linkage;
pub use linkage::{Linkage, Moves};
