//! What a user may choose.

use rebone_ik::SolverKind;

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

/// Retargeting method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Inverse kinematics: goals and limits, solved stage by stage.
    #[default]
    Ik,
    /// Rotation copy: each joint turns in the world as its source joint has turned since the calibration poses, or
    /// since the T pose where those differ. No goals, no limits; the path is scaled by leg length.
    Copy,
    /// Rotation copy since the bind poses of the files, or since the calibration pose where a card says that it
    /// corrects the bind pose.
    Bind,
}

/// Treatment of a first frame that is a calibration pose (often a T pose) and not part of the motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LeadingPose {
    /// Retargets it like any other frame.
    #[default]
    Keep,
    /// Leaves it out: the result begins with the second frame.
    Drop,
}

/// Joint that holds the root motion: the body's path over the floor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RootMotion {
    /// The joint whose translation moves the body, in world space.
    #[default]
    World,
    /// No joint: the body stays where the rig stands, but sways and turns.
    InPlace,
    /// The rig's root bone above the body, which also takes the heading. World positions do not change.
    RootBone,
}

/// Scale of the horizontal travel of the body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum TravelScale {
    /// The source's travel times the ratio of leg lengths.
    #[default]
    LegLength,
    /// The source's travel in metres. Holds metres per unit of the source's and the target's file.
    Metric([f64; 2]),
}

/// Contacts of the source that the result keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContactMode {
    /// None: each frame stays as it was solved.
    Off,
    /// Contacts of the feet, as far as they can be kept smoothly.
    Soft,
    /// Contacts of the feet.
    #[default]
    Feet,
    /// Contacts of all body parts.
    All,
    /// Contacts of all body parts, without the small movement that parts in contact have in the source.
    Lock,
}

/// Detector of contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContactDetector {
    /// Displacement over a time window, for all parts of the body.
    #[default]
    Displacement,
    /// Height and velocity thresholds per frame, for feet alone: toes within 3 cm of the floor that move by 1 cm a
    /// frame at most, as does the heel, at 180 cm and 30 frames a second; a majority over five frames decides.
    Threshold,
}

/// All options of a retarget.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Options {
    /// Retargeting method. Default: inverse kinematics; the others serve for comparison.
    pub method: Method,
    /// How limbs follow the source. Default: directions.
    pub limbs: LimbModes,
    /// Joint limits that hold. Default: `source`.
    pub limits: LimitMode,
    /// Optimiser of the stages. Default: bounded Levenberg-Marquardt; the others serve for comparison.
    pub solver: SolverKind,
    /// Joint that holds the root motion. Default: the joint whose translation moves the body.
    pub root: RootMotion,
    /// Scale of the horizontal travel. Default: by leg length.
    pub travel: TravelScale,
    /// Moves the result so that its floor is at height zero. Default: no.
    pub ground: bool,
    /// Treatment of a leading calibration pose. Default: kept.
    pub leading_pose: LeadingPose,
    /// Contacts of the source that a whole clip keeps. Default: those of the feet; none where rotations are copied.
    pub contacts: ContactMode,
    /// Detector of contacts. Default: by displacement; the other serves for comparison.
    pub contact_detector: ContactDetector,
    /// Height of the source's floor in its file's units, along its up axis. Default: estimated.
    pub floor: Option<f64>,
}
