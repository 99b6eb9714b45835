//! One file for each subcommand.

pub(crate) mod batch;
pub(crate) mod card;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod demo;
pub(crate) mod doctor;
pub(crate) mod export;
pub(crate) mod inspect;
pub(crate) mod merge;
pub(crate) mod preview;
pub(crate) mod report;
pub(crate) mod retarget;
#[cfg(feature = "studio")]
pub(crate) mod studio;
