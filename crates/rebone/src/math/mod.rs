//! Low-pass filter, B-splines, L-BFGS, and work on all threads.

mod bspline;
mod for_all;
mod lbfgs;
mod low_pass;
mod rotation_vector;
mod soft_minimum;
mod spline_least_squares;

pub(crate) use bspline::{KNOT_SPACING_SECONDS, Knots};
pub(crate) use for_all::for_all;
pub(crate) use lbfgs::minimise;
pub(crate) use low_pass::{ease, low_passed};
pub(crate) use rotation_vector::left_jacobian;
pub(crate) use soft_minimum::soft_minimum;
pub(crate) use spline_least_squares::{SplineLeastSquares, SplineSolution};
