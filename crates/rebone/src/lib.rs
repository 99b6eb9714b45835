//! Moves a motion clip from one skeleton to another, by staged inverse kinematics.
//!
//! # Steps
//! 1. [`understand`](fn@analyse): a skeleton and what is known of its motion become an
//!    [`Anatomy`]: which joint plays which role, which way the segments are oriented, how large the
//!    body is, what is up.
//! 2. [`align`](fn@align): two anatomies become a [`Plan`]: which segment follows which, scales, stages.
//! 3. For each frame, [`Retargeter::frame`] *observes* the source, *poses* the target in closed form and
//!    lets the *stages* solve what is left: body, arms, legs, palms, each a small bounded problem.
//! 4. Over the whole clip, contacts of the source are found and kept: [`contacts`]. Where wanted, the result is put
//!    on the floor: [`Options::ground`], and its root motion given to another joint: [`RootMotion`].
//! 5. A [`Report`] says how far from its goals each stage was before and after, and which joint limits
//!    kept it from them. [`quality::evaluate`] judges any result by what a viewer sees.
//!
//! ```
//! let walk = rebone_samples::walk().motion;
//! let rig = rebone_samples::rigs().remove(0).motion;
//! let result = rebone::retarget(&walk, &rig, &rebone::Options::default())?;
//! assert_eq!(result.clip.len(), walk.clip.len());
//! # Ok::<(), rebone::RetargetError>(())
//! ```

pub mod align;
pub mod analyse;
pub mod body;
pub mod calibrate;
pub mod card;
#[cfg(feature = "files")]
mod character;
pub mod clip;
pub mod contacts;
mod error;
pub mod export;
pub mod frame;
pub mod limits;
mod math;
mod options;
pub mod quality;
pub mod report;
pub mod roles;

pub use align::{Plan, align};
pub use analyse::{AnalysedPair, Hints, LearnError, Learner, analyse, analyse_pair};
pub use body::Anatomy;
#[cfg(feature = "files")]
pub use character::{Character, Selection};
pub use clip::BodyMask;
pub use clip::resampled;
#[cfg(feature = "files")]
pub use clip::{ClipError, FrameMapping};
pub use clip::{ClipInput, retarget_clip, retarget_frames};
pub use contacts::{BodyPart, Contact, ContactKind};
pub use error::{AnalysisError, RetargetError};
pub use export::vrm_motion;
pub use frame::Retargeter;
pub use limits::JointBox;
pub use options::{
    BodyRegion, ContactDetector, ContactMode, FrameRange, KeyTolerance, LeadingPose, LimbBlend,
    LimitMode, Method, OptionError, Options, RootMotion, TravelScale,
};
pub use rebone_ik::SolverKind;
pub use rebone_skeleton as skeleton;
pub use report::{ContactReport, GoalReport, KeptContact, LimitReport, Report, StageReport};

use rebone_skeleton::{Clip, Motion};

/// What came of a retarget.
#[derive(Clone, Debug)]
pub struct Retargeted {
    /// The source's motion on the target's skeleton.
    pub clip: Clip,
    /// How it went.
    pub report: Report,
    /// What was understood of both and how they correspond.
    pub plan: Plan,
}

/// Moves the motion of `source` onto the skeleton of `target`, whose own motion only helps to
/// understand it.
///
/// # Errors
/// When one of the two is not understood as a humanoid.
pub fn retarget(
    source: &Motion,
    target: &Motion,
    options: &Options,
) -> Result<Retargeted, RetargetError> {
    let unknown = Hints::default();
    let analysed = analyse_pair([source, target], [&unknown, &unknown], &[])?;
    let plan = align(&analysed.anatomies[0], &analysed.anatomies[1], options);
    let (clip, report) = retarget_clip(&plan, &source.clip)?;
    Ok(Retargeted { clip, report, plan })
}
