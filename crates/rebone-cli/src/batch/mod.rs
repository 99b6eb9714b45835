//! Many clips onto one or more rigs.
//!
//! ```text
//! inputs → jobs → survey → cards → jobs that are not up to date → work → manifest
//! ```
//!
//! A result is a function of its clip, its rig, their two cards and the options. The manifest keeps the
//! hashes of these five, and so knows which results are up to date.

pub(crate) mod batch_plan;

pub(crate) mod cards;

pub(crate) mod fault;

pub(crate) mod gather;

mod hash;

pub(crate) mod inputs;

mod kinds;

pub(crate) mod manifest;

pub(crate) mod names;

pub(crate) mod options;

pub(crate) mod output_lock;

pub(crate) mod plan;

pub(crate) mod progress;

pub(crate) mod summary;

pub(crate) mod work;
