//! Retargets motion clips from one character to another, by staged inverse kinematics.
//!
//! [`open`] or [`parse`] reads a file, [`retarget`](fn@retarget) does the job, [`Retargeted::save`] writes the result.
//! [`Pair`] and [`RetargetJob`] are its steps.
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
//! ```no_run
//! use rebone::Options;
//!
//! let source = rebone::open("walk.bvh")?;
//! let target = rebone::open("hero.vrm")?;
//! rebone::retarget(&source, &target, &Options::default())?.save("hero-walk.vrm")?;
//! # Ok::<(), rebone::Error>(())
//! ```

pub mod align;
pub mod clip;
pub mod contacts;
mod egocentric;
mod energies;
mod error;
pub mod export;
mod frame;
mod live;
mod math;
mod options;
pub mod quality;
pub mod report;
#[cfg(feature = "files")]
mod retarget;
mod self_contact;
mod surface;
mod watch;

pub use align::{Plan, align};
pub use clip::{ClipInput, compare_self_contacts, retarget_clip};
pub use contacts::{BodyPart, Contact, ContactKind};
#[cfg(feature = "files")]
pub use error::Error;
pub use error::RetargetError;
pub use frame::Retargeter;
pub use live::LiveContacts;
pub use options::{
    BodyRegion, ContactMode, FrameRange, GroundMode, KeyTolerance, LeadingPose, LimbBlend,
    LoopRange, Method, Options, RootMotion, RootStart, TravelScale,
};
pub use rebone_body::{
    AnalysedPair, AnalysisError, Anatomy, Hints, JointRangeUse, Learner, LimitMode, LineError,
    ValueError, analyse, analyse_pair, body, card, correct, error_causes, error_line, resampled,
    rest_difference, roles,
};
#[cfg(feature = "files")]
pub use rebone_body::{
    Character, CharacterChoice, CharacterError, CharacterHints, MIN_CALIBRATION_CONFIDENCE,
    MIN_ROLE_CONFIDENCE, Selection, accepts_calibration, check_confidence,
};
#[cfg(feature = "disk")]
pub use rebone_body::{read_text, read_text_up_to, text_from};
#[doc(no_inline)]
pub use rebone_ik::SolverKind;
pub use rebone_skeleton as skeleton;
pub use report::{
    ContactReport, CycleReport, GoalReport, KeptContact, LimitReport, MAX_SEAM, Report, RootPath,
    StageReport,
};
#[cfg(feature = "files")]
pub use retarget::{
    ComparedPair, NO_LEADING_POSE, Pair, RetargetJob, Retargeted, document_with_root, parse,
    retarget, write_motion,
};
#[cfg(feature = "disk")]
pub use retarget::{check_kinds, check_outputs, clip_of_result, open, same_file};
pub use self_contact::arm_depths;
