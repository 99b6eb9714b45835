//! What a user may choose.

use crate::contacts::{ContactRule, Keep};
use rebone_ik::Method;

/// How limbs follow the source: 0 by the directions of their bones, 1 by the place of their end
/// against shoulder or hip, scaled by the limb's length; anything between is a blend.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LimbModes {
    /// Arms, 0 to 1.
    pub arms: f64,
    /// Legs, 0 to 1.
    pub legs: f64,
}

/// Which joint limits hold. What a rig's card states is never widened, in any mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LimitMode {
    /// The default boxes, extended in each frame to hold the source's own rotations.
    #[default]
    Source,
    /// The default boxes.
    Human,
    /// What the rig's card states; the default boxes where it says nothing.
    Strict,
}

/// How the motion is carried over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Transfer {
    /// Goals and limits, solved stage by stage: what this library is for.
    #[default]
    Ik,
    /// Rotation copy: each joint turns in the world as its source joint has turned since both stood alike: in
    /// their calibration poses, or in the T pose where those differ. No goals, no limits; the path is scaled by the legs.
    Copy,
    /// The same since the bind poses of the files, as they are; or since the calibration pose, where a card says
    /// that it corrects the bind pose.
    Bind,
}

/// What becomes of a first frame that is a reference pose and no motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReferenceFrame {
    /// It is retargeted as any other.
    #[default]
    Keep,
    /// The result begins with the second frame.
    Drop,
}

/// Where the body's way over the floor is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RootMotion {
    /// In the joint that carries the body, as it is in the world.
    #[default]
    World,
    /// Nowhere: the body stays over the place where the rig stands, sways and turns.
    InPlace,
    /// In the rig's ground joint above the body, with where it faces: the world stays as it is.
    GroundJoint,
}

/// How far the body moves over the floor.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Stride {
    /// As far as the source in lengths of its legs.
    #[default]
    Scaled,
    /// As far as the source in metres; given are the metres of one unit of both files, source and target.
    World([f64; 2]),
}

/// Everything that a user may choose about a retarget.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Options {
    /// How the motion is carried over. Default: by inverse kinematics; the others are there to compare.
    pub transfer: Transfer,
    /// How limbs follow the source. Default: directions.
    pub limbs: LimbModes,
    /// Which joint limits hold. Default: `source`.
    pub limits: LimitMode,
    /// The method that solves the stages. Default: bounded Levenberg-Marquardt; the others are there
    /// to compare.
    pub method: Method,
    /// Where the body's way over the floor is kept. Default: in the joint that carries it.
    pub root: RootMotion,
    /// How far the body moves over the floor. Default: as far as its legs are long.
    pub stride: Stride,
    /// Whether the result is moved so that its floor is at height zero. Default: no.
    pub ground: bool,
    /// What becomes of a first frame that is a reference pose. Default: kept.
    pub reference_frame: ReferenceFrame,
    /// Which contacts of the source a whole clip keeps. Default: those of the feet; none where rotations are
    /// copied.
    pub contacts: Keep,
    /// By which rule contacts are found. Default: by displacement; the other is there to compare.
    pub contact_rule: ContactRule,
    /// Height of the source's floor in its file's units, along its up axis. Default: estimated.
    pub floor: Option<f64>,
}
