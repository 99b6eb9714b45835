//! What results should be like: the same for one and for many.

use super::values::{self, Blend};
use clap::{Args, ValueEnum};
use rebone::SolverKind;
use rebone::skeleton::gltf::Tolerance;

/// How a result is written.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Files")]
pub(crate) struct Written {
    /// Digits behind the point, in BVH. Default: as many as read back the same.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=17))]
    pub(crate) decimals: Option<u8>,
    /// How far joints may be from the result, in glTF: degrees and millimetres, both in the world; fewer keys are
    /// written the more. 0,0 keeps all.
    #[arg(long, value_name = "DEG,MM", default_value = "0.01,0.1", value_parser = values::tolerance)]
    pub(crate) tolerance: Tolerance,
    /// Leave meshes, materials and other animations of a glTF or VRM away: joints and motion alone.
    #[arg(long)]
    pub(crate) animation_only: bool,
}

/// What a result should be like.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Wishes")]
pub(crate) struct Wishes {
    /// What arms and legs keep: the `direction` of their bones, the `position` of hands and feet,
    /// or a blend from 0 (direction) to 1 (position).
    #[arg(long, value_name = "MODE", default_value = "direction", value_parser = values::blend)]
    pub(crate) limbs: Blend,
    /// The same for arms alone.
    #[arg(long, value_name = "MODE", value_parser = values::blend)]
    pub(crate) arms: Option<Blend>,
    /// The same for legs alone.
    #[arg(long, value_name = "MODE", value_parser = values::blend)]
    pub(crate) legs: Option<Blend>,
    /// How far joints may turn: as far as in the `source`, as a `human`, or as the card says.
    #[arg(long, value_enum, value_name = "MODE", default_value_t = Limits::Source)]
    pub(crate) limits: Limits,
    /// How the motion is carried over: by inverse kinematics, or by rotation copy to compare.
    #[arg(long, value_enum, value_name = "METHOD", default_value_t = Method::Ik)]
    pub(crate) method: Method,
    /// The optimiser.
    #[arg(long, value_name = "NAME", default_value_t, value_parser = values::method())]
    pub(crate) solver: SolverKind,
    /// Which contacts of the source are kept. Not used where rotations are copied.
    #[arg(long, value_enum, value_name = "MODE", default_value_t = Contacts::Feet)]
    pub(crate) contacts: Contacts,
    /// By which rule contacts are found: how far a part of the body gets over a time, or height and speed of feet alone in
    /// single frames, to compare.
    #[arg(long, value_enum, value_name = "RULE", default_value_t = ContactDetector::Displacement)]
    pub(crate) contact_detector: ContactDetector,
    /// Height of the source's floor, in its file's unit. Default: estimated.
    #[arg(long, value_name = "HEIGHT", allow_negative_numbers = true, value_parser = values::height)]
    pub(crate) floor: Option<f64>,
    /// Where the body's way over the floor is kept: in the `world` as the joint that carries the body has it, nowhere
    /// (`in-place`), or in the rig's `root-bone` above the body, with where it faces.
    #[arg(long, value_enum, value_name = "MODE", default_value_t = RootMotion::World)]
    pub(crate) root: RootMotion,
    /// How far the body goes: as far as its legs are long against the source's (`leg-length`), or as far as the source in
    /// metres (`metric`).
    #[arg(long, value_enum, value_name = "MODE", default_value_t = TravelScale::LegLength)]
    pub(crate) travel: TravelScale,
    /// Frames a second of the result. Default: those of the source.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::rate)]
    pub(crate) fps: Option<f64>,
    /// Move the result so that its floor is at height zero.
    #[arg(long)]
    pub(crate) ground: bool,
    /// Let joints that do not follow the source move as in an animation that the rig's file holds: its name, or
    /// its number, counted from 0. It begins anew where it ends.
    #[arg(long, value_name = "CLIP")]
    pub(crate) base: Option<String>,
    /// Take over some parts of the body alone: the rest moves as --base says, or stands still.
    #[arg(long, value_enum, value_name = "PART", value_delimiter = ',')]
    pub(crate) only: Vec<Part>,
    /// A first frame that is no motion but a reference pose: keep it or drop it.
    #[arg(long, value_enum, value_name = "MODE", default_value_t = LeadingPose::Keep)]
    pub(crate) leading_pose: LeadingPose,
}

/// How the motion is carried over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Method {
    /// Goals and limits, solved stage by stage.
    Ik,
    /// Each joint turns as its source joint has turned since both stood alike.
    Copy,
    /// The same since the bind poses of the files, as they are; a card may correct them.
    Bind,
}

/// A part of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    /// Trunk, arms and head.
    Upper,
    /// Hips and legs.
    Lower,
    /// The hips, and all that carries the body.
    Hips,
    /// The spine.
    Trunk,
    /// Neck and head.
    Head,
    /// From the collar bones to the finger tips.
    Arms,
    /// Hands and fingers.
    Hands,
    /// From the thighs to the toes.
    Legs,
}

/// How rotations are copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Copying {
    /// Each joint turns as its source joint has turned since both stood alike.
    Copy,
    /// The same since the bind poses of the files, as they are; a card may correct them.
    Bind,
}

/// Which contacts are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Contacts {
    /// None: each frame is what it is alone.
    Off,
    /// Those of the feet, as far as they can be had smoothly.
    Soft,
    /// Those of the feet.
    Feet,
    /// Those of feet, hands, knees, elbows, seat, back and head.
    All,
    /// The same, without the small movement that they have in the source.
    Lock,
}

/// By which rule contacts are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ContactDetector {
    /// How far a part of the body gets over a time.
    Displacement,
    /// Toes within 3 cm that move by 1 cm a frame at most, as does the heel, at 180 cm and 30 frames a second.
    Threshold,
}

/// Where the body's way over the floor is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RootMotion {
    /// In the joint that carries the body.
    World,
    /// Nowhere: the body stays over the place where the rig stands, sways and turns.
    InPlace,
    /// In the rig's joint above the body, as engines want it; the world stays as it is.
    RootBone,
}

/// How far the body goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TravelScale {
    /// As far as its legs are long against the source's.
    LegLength,
    /// As far as the source, in metres.
    Metric,
}

/// How far joints may turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Limits {
    /// The usual human ranges, widened to what the source does.
    Source,
    /// The usual human ranges.
    Human,
    /// What the rig's card states; the usual human ranges where it says nothing.
    Strict,
}

/// What becomes of a first frame that is a reference pose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LeadingPose {
    /// The result has it as well.
    Keep,
    /// The result begins with the second frame.
    Drop,
}
