//! Many clips onto some rigs, at once and in the end.
//!
//! ```text
//! inputs → jobs → survey → cards → what is not done yet → work → manifest
//! ```
//!
//! A result is a function of its clip, its rig, their two cards and the options. The manifest keeps the
//! hashes of these five, and so knows what need not be done again.

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
