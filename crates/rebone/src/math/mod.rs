//! Low-pass filter, percentiles, B-splines, and banded least squares.

mod banded;
mod banded_equations;
mod bspline;
mod dominant;
mod low_pass;
mod percentile;
pub(crate) mod poses;
mod soft_minimum;
mod spline_least_squares;

pub(crate) use banded_equations::BandedEquations;
pub(crate) use bspline::{KNOT_SPACING_SECONDS, Knots};
pub(crate) use dominant::dominant_level;
pub(crate) use low_pass::{ease, low_passed};
pub(crate) use percentile::percentile;
pub(crate) use soft_minimum::soft_minimum;
pub(crate) use spline_least_squares::{SplineLeastSquares, SplineSolution};
