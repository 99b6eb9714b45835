//! The problem in variables without limits.

use super::{dense::Dense, evaluate};
use crate::Problem;
use crate::linear::times;
use argmin::core::{CostFunction, Error, Gradient, Hessian, Jacobian, Operator};
use argmin_math::{ArgminDot, ArgminTranspose};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// How far inside its box a start is taken, per half width: at a limit nothing moves.
const INSIDE: f64 = 1e-3;
/// The square root of Gauss-Newton's damping.
const DAMPING: f64 = 1e-2;

/// A problem as argmin sees it, over `y` without limits: see [`Method`](super::Method).
#[derive(Clone)]
pub(super) struct Unbounded<'a> {
    problem: &'a Problem,
    /// Shared by all copies.
    spent: Rc<Spent>,
}

/// What an attempt has cost so far, and come to.
#[derive(Default)]
struct Spent {
    evaluations: Cell<usize>,
    best: RefCell<Option<(f64, Vec<f64>)>>,
}

/// There is no more of [`Unbounded::EVALUATIONS`].
#[derive(Debug, thiserror::Error)]
#[error("the method takes too many evaluations")]
pub(super) struct TooMany;

/// `x(y)` and its first two derivatives.
struct Bent {
    x: f64,
    slope: f64,
    curvature: f64,
}

impl<'a> Unbounded<'a> {
    /// So many evaluations of the cost end an attempt: a line search may go on for ever where the cost
    /// has no more digits to fall by.
    const EVALUATIONS: usize = 100_000;

    pub(super) fn new(problem: &'a Problem) -> Self {
        Self { problem, spent: Rc::default() }
    }

    /// The best `y` whose cost was asked for.
    pub(super) fn best(&self) -> Option<Vec<f64>> {
        self.spent.best.borrow().as_ref().map(|(_, y)| y.clone())
    }

    fn bend(&self, k: usize, y: f64) -> Bent {
        let (low, high) = (self.problem.lower[k], self.problem.upper[k]);
        let root = (1.0 + y * y).sqrt();
        match (low.is_finite(), high.is_finite()) {
            (true, true) => {
                let (sin, cos) = libm::sincos(y);
                let half = 0.5 * (high - low);
                let x = (low + half + half * sin).max(low).min(high);
                Bent { x, slope: half * cos, curvature: -half * sin }
            }
            (true, false) => Bent {
                x: low + (root - 1.0),
                slope: y / root,
                curvature: 1.0 / (root * root * root),
            },
            (false, true) => Bent {
                x: high - (root - 1.0),
                slope: -y / root,
                curvature: -1.0 / (root * root * root),
            },
            (false, false) => Bent { x: y, slope: 1.0, curvature: 0.0 },
        }
    }

    /// `x` of `y`.
    pub(super) fn to_box(&self, y: &[f64]) -> Vec<f64> {
        y.iter().enumerate().map(|(k, y)| self.bend(k, *y).x).collect()
    }

    /// A `y` for `x`, a little inside the box.
    pub(super) fn of_box(&self, x: &[f64]) -> Vec<f64> {
        let from = |(k, x): (usize, &f64)| {
            let (low, high) = (self.problem.lower[k], self.problem.upper[k]);
            let beyond = |distance: f64| {
                let root = 1.0 + distance.max(INSIDE);
                (root * root - 1.0).sqrt()
            };
            match (low.is_finite(), high.is_finite()) {
                (true, true) if low == high => 0.0,
                (true, true) => {
                    let part = (2.0 * x - low - high) / (high - low);
                    libm::asin(part.clamp(INSIDE - 1.0, 1.0 - INSIDE))
                }
                (true, false) => beyond(x - low),
                (false, true) => beyond(high - x),
                (false, false) => *x,
            }
        };
        x.iter().enumerate().map(from).collect()
    }

    /// The residual and the Jacobian over y, without damping.
    fn linearise(&self, y: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let at = evaluate(self.problem, self.to_box(y));
        let mut jacobian = vec![0.0; at.residual.len() * y.len()];
        self.problem.jacobian(&at.configuration, &mut jacobian);
        for row in jacobian.chunks_exact_mut(y.len()) {
            for (k, (value, y)) in row.iter_mut().zip(y).enumerate() {
                *value *= self.bend(k, *y).slope;
            }
        }
        (at.residual, jacobian)
    }

    /// `JᵀJ` and `Jᵀr` over y.
    fn normal(&self, y: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let (residual, data) = self.linearise(y);
        let jacobian = Dense { columns: y.len(), data };
        let transposed = jacobian.clone().t();
        let mut gradient = vec![0.0; y.len()];
        times(&transposed.data, &residual, &mut gradient);
        (transposed.dot(&jacobian).data, gradient)
    }
}

impl CostFunction for Unbounded<'_> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, y: &Vec<f64>) -> Result<f64, Error> {
        let spent = self.spent.evaluations.get();
        if spent >= Self::EVALUATIONS {
            return Err(TooMany.into());
        }
        self.spent.evaluations.set(spent + 1);
        let cost = evaluate(self.problem, self.to_box(y)).cost;
        let mut best = self.spent.best.borrow_mut();
        if best.as_ref().is_none_or(|(known, _)| cost < *known) {
            *best = Some((cost, y.clone()));
        }
        Ok(cost)
    }
}

impl Gradient for Unbounded<'_> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, y: &Vec<f64>) -> Result<Vec<f64>, Error> {
        Ok(self.normal(y).1)
    }
}

impl Hessian for Unbounded<'_> {
    type Param = Vec<f64>;
    type Hessian = Vec<Vec<f64>>;

    /// `JᵀJ`, and on the diagonal the gradient over x times the curvature of `x(y)`.
    fn hessian(&self, y: &Vec<f64>) -> Result<Vec<Vec<f64>>, Error> {
        let (gram, gradient) = self.normal(y);
        let mut rows: Vec<Vec<f64>> = gram.chunks(y.len().max(1)).map(<[f64]>::to_vec).collect();
        for (k, row) in rows.iter_mut().enumerate() {
            let bent = self.bend(k, y[k]);
            if bent.slope.abs() > 1e-12 {
                row[k] += gradient[k] / bent.slope * bent.curvature;
            }
        }
        Ok(rows)
    }
}

impl Operator for Unbounded<'_> {
    type Param = Vec<f64>;
    type Output = Vec<f64>;

    /// The residual, and a 0 for each row of the damping.
    fn apply(&self, y: &Vec<f64>) -> Result<Vec<f64>, Error> {
        let mut residual = evaluate(self.problem, self.to_box(y)).residual;
        residual.resize(residual.len() + y.len(), 0.0);
        Ok(residual)
    }
}

impl Jacobian for Unbounded<'_> {
    type Param = Vec<f64>;
    type Jacobian = Dense;

    /// The Jacobian over the rows of the damping.
    fn jacobian(&self, y: &Vec<f64>) -> Result<Dense, Error> {
        let columns = y.len();
        let (_, mut data) = self.linearise(y);
        data.extend(
            (0..columns * columns)
                .map(|place| if place / columns == place % columns { DAMPING } else { 0.0 }),
        );
        Ok(Dense { columns, data })
    }
}
