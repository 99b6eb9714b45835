//! Motions of one body: frame rate, jumps, feet that are turned over.

#[cfg(feature = "files")]
mod foot_roll;
mod resample;
mod segments;

#[cfg(feature = "files")]
pub(crate) use foot_roll::with_feet_turned_back;
pub use resample::resampled;
pub use segments::segments;
