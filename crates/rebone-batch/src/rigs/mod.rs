//! Rigs of clips and targets: classes of files with one skeleton, and their cards.

pub(crate) mod cache;
pub(crate) mod cards;
pub(crate) mod classes;
pub(crate) mod index;
pub(crate) mod survey;
