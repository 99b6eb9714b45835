//! Smoothing, splines and banded systems.

mod banded;
mod bspline;
mod low_pass;
mod spline_least_squares;

pub(crate) use bspline::{KNOT_SPACING_SECONDS, Knots};
pub(crate) use low_pass::{ease, low_passed};
pub(crate) use spline_least_squares::{SplineLeastSquares, SplineSolution};
