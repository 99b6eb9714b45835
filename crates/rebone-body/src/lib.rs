//! Knows a body: which joint of a skeleton plays which role, which way the segments are oriented, how large the body is,
//! what is up, how far joints turn, and where the skin is. [`analyse`](fn@analyse) gives an [`Anatomy`]; a
//! [`Character`] is a file with one of its clips and its [`card`].
//!
//! Nothing here knows of a motion that is moved from one body to another: that is `rebone`, which re-exports all that users
//! need. Modules that the documentation hides are for `rebone` alone.

pub mod analyse;
pub mod body;
#[doc(hidden)]
pub mod calibrate;
pub mod card;
#[cfg(feature = "files")]
mod character;
pub mod correct;
mod error;
#[doc(hidden)]
pub mod limits;
#[doc(hidden)]
pub mod math;
#[doc(hidden)]
pub mod motion;
#[doc(hidden)]
pub mod poses;
pub mod roles;
mod skin;
#[cfg(feature = "disk")]
mod text;

pub use analyse::{AnalysedPair, Hints, Learner, analyse, analyse_pair};
pub use body::Anatomy;
pub use calibrate::rest_difference;
#[cfg(feature = "files")]
pub use character::{
    Character, CharacterChoice, CharacterHints, MIN_CALIBRATION_CONFIDENCE, MIN_ROLE_CONFIDENCE,
    Selection, accepts_calibration, analyse_characters, check_confidence,
};
#[cfg(feature = "files")]
pub use error::CharacterError;
pub use error::{AnalysisError, LineError, ValueError, error_causes, error_line};
pub use limits::{JointRangeUse, LimitMode};
pub use motion::resampled;
pub use rebone_skeleton as skeleton;
#[doc(hidden)]
pub use skin::breadth;
#[cfg(feature = "disk")]
pub use text::{read_text, read_text_up_to, text_from};
