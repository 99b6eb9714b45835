//! Options with a few named values.

use serde::{Deserialize, Serialize};

/// Retargeting method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Inverse kinematics: goals and joint limits, solved stage by stage.
    #[default]
    Ik,
    /// Rotation copy: each joint turns in the world as its source joint has turned since the calibration poses, or
    /// since the T pose where those differ. No goals, no limits; the path is scaled by leg length.
    Copy,
    /// Rotation copy since the bind poses of the files, or since the calibration pose where a card says that it
    /// corrects the bind pose.
    Bind,
    /// Rotation copy, then hands and feet by their egocentric coordinates: where they are relative to all parts of the
    /// source's surface, as Molla, Debarba and Boulic (2018) and Tonoli et al. (2023) map them. Each frame by itself, no
    /// contacts with the floor.
    Egocentric,
    /// Rotation copy, then energies over the whole clip: self-contacts, penetration, feet in contact, likeness to the copy and
    /// velocities of hands and feet, as Villegas et al. (2021) weigh them. No limits.
    Energies,
}

/// Treatment of a first frame that is a calibration pose (often a T pose) and not part of the motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum LeadingPose {
    /// Retargets it like any other frame.
    #[default]
    Keep,
    /// Leaves it out: the result begins with the second frame.
    Drop,
}

/// Joint that holds the root motion: the body's path over the floor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum RootMotion {
    /// The joint whose translation moves the body, in world space.
    #[default]
    World,
    /// No joint: the body stays where the rig stands, but sways and turns.
    InPlace,
    /// The rig's root bone above the body, which also takes the heading, as games want it; see --root-start.
    RootBone,
}

/// Begin of the path of a root bone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum RootStart {
    /// The root bone begins at its rest position, mostly the origin, and faces as the rig does at rest.
    #[default]
    Origin,
    /// The path begins where the source's does.
    Source,
}

/// Height of the result's floor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum GroundMode {
    /// Moves a character (glTF, VRM, FBX) to its own floor where the source's floor is more than 8 cm, on a body of 1.8 m,
    /// from height zero; warns for a BVH and keeps its heights.
    #[default]
    Auto,
    /// Keeps the source's heights.
    Keep,
    /// Moves the result's floor to height zero.
    On,
}

/// Scale of the horizontal travel of the body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum TravelScale {
    /// The source's travel times the ratio of leg lengths.
    #[default]
    LegLength,
    /// The source's travel in metres, by the units of both files.
    Metric,
}

/// Contacts of the source that the result keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum ContactMode {
    /// None: each frame stays as it was solved.
    Off,
    /// Contacts of the feet, as far as they can be kept smoothly.
    Soft,
    /// Contacts of the feet.
    #[default]
    Feet,
    /// Contacts of feet, hands, knees, elbows, seat, back and head.
    All,
    /// Contacts of all body parts, without the small movement that parts in contact have in the source.
    Lock,
}

/// Region of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum BodyRegion {
    /// Trunk, arms and head.
    Upper,
    /// Hips and legs.
    Lower,
    /// Hips, and all joints that move the body.
    Hips,
    /// Spine.
    Trunk,
    /// Neck and head.
    Head,
    /// Collar bones to finger tips.
    Arms,
    /// Hands and fingers.
    Hands,
    /// Thighs to toes.
    Legs,
}
