//! Errors, numbers and origins of values as Python takes and gets them.

pub(crate) mod errors;
pub(crate) mod numbers;
pub(crate) mod origin;
