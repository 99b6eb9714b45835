//! Sources of the anatomical frames and soles of a skeleton.

/// Source of a skeleton's anatomical frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CalibrationSource {
    /// The rest pose passes as a T, A or I pose.
    RestPose,
    /// The pose in which the mesh was skinned is, and the rest pose is another one.
    BindPose,
    /// This frame of the file passes as a T, A or I pose.
    Frame(usize),
    /// The user gave the pose.
    Given,
    /// Another file of the same rig, whose calibration is more certain.
    SameRig,
    /// No standing pose is known: bend axes and mean directions of the motion.
    Motion,
    /// Fused from this number of files of the same rig.
    Learned(usize),
}

impl CalibrationSource {
    /// Whether it is one pose that was found in the file.
    pub(crate) fn is_found_pose(self) -> bool {
        matches!(self, Self::RestPose | Self::BindPose | Self::Frame(_))
    }
}

/// Source of the soles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub enum SoleSource {
    /// The calibration pose: it stands on them.
    Pose,
    /// The calibration pose, though it holds the feet level: there is no motion to read it from.
    LevelPose,
    /// The motion.
    Motion,
}

impl SoleSource {
    /// Standard deviation of the pitch of soles, radians: in 40 rest poses that stand on them it is 1.6 degrees.
    #[doc(hidden)]
    pub fn pitch_sigma(self) -> f64 {
        match self {
            Self::Pose => 2_f64.to_radians(),
            Self::LevelPose => LEVEL_PITCH_SIGMA,
            Self::Motion => STANDING_PITCH_SIGMA,
        }
    }
}

/// Standard deviation of the pitch of a foot from frames in which it stands.
pub(crate) const STANDING_PITCH_SIGMA: f64 = 8_f64.to_radians();
/// Standard deviation of the pitch of a foot that a pose holds level.
pub(crate) const LEVEL_PITCH_SIGMA: f64 = 17_f64.to_radians();
