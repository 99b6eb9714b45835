//! Moves a motion clip from one skeleton to another, by staged inverse kinematics.

pub mod card;

pub mod understand;

pub use rebone_skeleton as skeleton;
