//! Tracks of animations: which joints move, at which times, with which precision.

pub(crate) mod moving;
pub(crate) mod precision;
pub(crate) mod reduce;
pub(crate) mod times;
pub(crate) mod track;
