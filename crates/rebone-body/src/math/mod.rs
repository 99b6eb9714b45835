//! Percentiles and banded least squares.

mod banded;
mod banded_equations;
mod dominant;
mod percentile;

pub use banded::BandedNormalEquations;
pub use banded_equations::BandedEquations;
pub use dominant::dominant_level;
pub use percentile::percentile;
