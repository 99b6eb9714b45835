//! Low-pass filter, percentiles, B-splines, banded least squares, L-BFGS, and work on all threads.

mod banded;
mod banded_equations;
mod bspline;
mod dominant;
mod for_all;
mod lbfgs;
mod low_pass;
mod percentile;
pub(crate) mod poses;
mod rotation_vector;
mod soft_minimum;
mod spline_least_squares;

pub(crate) use banded_equations::BandedEquations;
pub(crate) use bspline::{KNOT_SPACING_SECONDS, Knots};
pub(crate) use dominant::dominant_level;
pub(crate) use for_all::for_all;
pub(crate) use lbfgs::minimise;
pub(crate) use low_pass::{ease, low_passed};
pub(crate) use percentile::percentile;
pub(crate) use rotation_vector::left_jacobian;
pub(crate) use soft_minimum::soft_minimum;
pub(crate) use spline_least_squares::{SplineLeastSquares, SplineSolution};
