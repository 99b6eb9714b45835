//! Smoothing, splines and banded systems.

mod banded;
mod bspline;
mod low_pass;
mod spline_least_squares;

pub(crate) use bspline::{Knots, SPACING};
pub(crate) use low_pass::{ease, smoothed};
pub(crate) use spline_least_squares::{Answer, Rows};
