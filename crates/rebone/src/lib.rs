//! Moves a motion clip from one skeleton to another, by staged inverse kinematics.

pub mod samples;

pub mod card;

pub mod understand;

pub mod align;

pub mod observe;

pub mod posing;

mod limits;

pub mod stages;

mod retarget;

mod options;

pub use options::{LimbModes, LimitMode, Options};
pub use rebone_skeleton as skeleton;
pub use retarget::{Retargeter, retarget_clip};
