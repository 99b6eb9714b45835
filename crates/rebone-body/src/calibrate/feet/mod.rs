//! Feet: soles, ankles, toes, and the frames in which they stand.

pub(crate) mod ankle;
pub(crate) mod foot;
pub(crate) mod sole_height;
pub(crate) mod soles;
pub(crate) mod standing_indices;
pub(crate) mod still_toes;
