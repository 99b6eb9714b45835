//! The problem in variables without limits, for argmin.

use super::{dense_matrix::DenseMatrix, evaluate};
use crate::Problem;
use crate::linear::mat_vec;
use argmin::core::{CostFunction, Error, Gradient, Hessian, Jacobian, Operator};
use argmin_math::{ArgminDot, ArgminTranspose};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Distance of a start from its limits, as a fraction of the half width: at a limit the derivative is 0.
const START_MARGIN_RATIO: f64 = 1e-3;
/// Square root of Gauss-Newton's damping.
const SQRT_DAMPING: f64 = 1e-2;

/// A problem over variables `y` without limits: see [`SolverKind`](crate::SolverKind).
#[derive(Clone)]
pub(super) struct UnboundedProblem<'a> {
    problem: &'a Problem,
    /// Shared by all clones.
    log: Rc<EvaluationLog>,
}

/// Number of evaluations of the cost so far, and the best.
#[derive(Default)]
struct EvaluationLog {
    evaluations: Cell<usize>,
    best: RefCell<Option<(f64, Vec<f64>)>>,
}

/// Error after [`UnboundedProblem::MAX_EVALUATIONS`].
#[derive(Debug, thiserror::Error)]
#[error("the solver takes too many evaluations")]
pub(super) struct EvaluationLimit;

/// `x(y)` and its first two derivatives, for one variable.
struct BoundTransform {
    x: f64,
    slope: f64,
    curvature: f64,
}

impl<'a> UnboundedProblem<'a> {
    /// Evaluations of the cost after which a solver stops: a line search may run for ever where the
    /// cost is at its rounding limit.
    const MAX_EVALUATIONS: usize = 100_000;

    pub(super) fn new(problem: &'a Problem) -> Self {
        Self { problem, log: Rc::default() }
    }

    /// Returns the `y` of the lowest cost evaluated so far.
    pub(super) fn best(&self) -> Option<Vec<f64>> {
        self.log.best.borrow().as_ref().map(|(_, y)| y.clone())
    }

    fn bound_transform(&self, k: usize, y: f64) -> BoundTransform {
        let (low, high) = (self.problem.lower[k], self.problem.upper[k]);
        let root = (1.0 + y * y).sqrt();
        match (low.is_finite(), high.is_finite()) {
            (true, true) => {
                let (sin, cos) = libm::sincos(y);
                let half = 0.5 * (high - low);
                let x = (low + half + half * sin).max(low).min(high);
                BoundTransform { x, slope: half * cos, curvature: -half * sin }
            }
            (true, false) => BoundTransform {
                x: low + (root - 1.0),
                slope: y / root,
                curvature: 1.0 / (root * root * root),
            },
            (false, true) => BoundTransform {
                x: high - (root - 1.0),
                slope: -y / root,
                curvature: -1.0 / (root * root * root),
            },
            (false, false) => BoundTransform { x: y, slope: 1.0, curvature: 0.0 },
        }
    }

    /// Returns `x(y)`.
    pub(super) fn to_box(&self, y: &[f64]) -> Vec<f64> {
        y.iter().enumerate().map(|(k, y)| self.bound_transform(k, *y).x).collect()
    }

    /// Returns `y` for `x`, moved inside the box by [`START_MARGIN_RATIO`].
    pub(super) fn unbounded(&self, x: &[f64]) -> Vec<f64> {
        let from = |(k, x): (usize, &f64)| {
            let (low, high) = (self.problem.lower[k], self.problem.upper[k]);
            let inverse = |distance: f64| {
                let root = 1.0 + distance.max(START_MARGIN_RATIO);
                (root * root - 1.0).sqrt()
            };
            match (low.is_finite(), high.is_finite()) {
                (true, true) if low == high => 0.0,
                (true, true) => {
                    let part = (2.0 * x - low - high) / (high - low);
                    libm::asin(part.clamp(START_MARGIN_RATIO - 1.0, 1.0 - START_MARGIN_RATIO))
                }
                (true, false) => inverse(x - low),
                (false, true) => inverse(high - x),
                (false, false) => *x,
            }
        };
        x.iter().enumerate().map(from).collect()
    }

    /// Computes the residual and the Jacobian over y, without damping.
    fn linearise(&self, y: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let at = evaluate(self.problem, self.to_box(y));
        let mut jacobian = vec![0.0; at.residual.len() * y.len()];
        self.problem.strided_jacobian(&at.configuration, y.len(), &mut jacobian);
        for row in jacobian.chunks_exact_mut(y.len()) {
            for (k, (value, y)) in row.iter_mut().zip(y).enumerate() {
                *value *= self.bound_transform(k, *y).slope;
            }
        }
        (at.residual, jacobian)
    }

    /// Computes `JᵀJ` and `Jᵀr` over y.
    fn normal(&self, y: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let (residual, data) = self.linearise(y);
        let jacobian = DenseMatrix { columns: y.len(), data };
        let transposed = jacobian.clone().t();
        let mut gradient = vec![0.0; y.len()];
        mat_vec(&transposed.data, &residual, &mut gradient);
        (transposed.dot(&jacobian).data, gradient)
    }
}

impl CostFunction for UnboundedProblem<'_> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, y: &Vec<f64>) -> Result<f64, Error> {
        let evaluations = self.log.evaluations.get();
        if evaluations >= Self::MAX_EVALUATIONS {
            return Err(EvaluationLimit.into());
        }
        self.log.evaluations.set(evaluations + 1);
        let cost = evaluate(self.problem, self.to_box(y)).cost;
        let mut best = self.log.best.borrow_mut();
        if best.as_ref().is_none_or(|(known, _)| cost < *known) {
            *best = Some((cost, y.clone()));
        }
        Ok(cost)
    }
}

impl Gradient for UnboundedProblem<'_> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, y: &Vec<f64>) -> Result<Vec<f64>, Error> {
        Ok(self.normal(y).1)
    }
}

impl Hessian for UnboundedProblem<'_> {
    type Param = Vec<f64>;
    type Hessian = Vec<Vec<f64>>;

    /// `JᵀJ`, and on the diagonal the gradient over x times the curvature of `x(y)`.
    fn hessian(&self, y: &Vec<f64>) -> Result<Vec<Vec<f64>>, Error> {
        let (gram, gradient) = self.normal(y);
        let mut rows: Vec<Vec<f64>> = gram.chunks(y.len().max(1)).map(<[f64]>::to_vec).collect();
        for (k, row) in rows.iter_mut().enumerate() {
            let transform = self.bound_transform(k, y[k]);
            if transform.slope.abs() > 1e-12 {
                row[k] += gradient[k] / transform.slope * transform.curvature;
            }
        }
        Ok(rows)
    }
}

impl Operator for UnboundedProblem<'_> {
    type Param = Vec<f64>;
    type Output = Vec<f64>;

    /// Computes the residual, with a 0 for each row of the damping.
    fn apply(&self, y: &Vec<f64>) -> Result<Vec<f64>, Error> {
        let mut residual = evaluate(self.problem, self.to_box(y)).residual;
        residual.resize(residual.len() + y.len(), 0.0);
        Ok(residual)
    }
}

impl Jacobian for UnboundedProblem<'_> {
    type Param = Vec<f64>;
    type Jacobian = DenseMatrix;

    /// Computes the Jacobian, with the rows of the damping below it.
    fn jacobian(&self, y: &Vec<f64>) -> Result<DenseMatrix, Error> {
        let columns = y.len();
        let (_, mut data) = self.linearise(y);
        data.extend(
            (0..columns * columns)
                .map(|place| if place / columns == place % columns { SQRT_DAMPING } else { 0.0 }),
        );
        Ok(DenseMatrix { columns, data })
    }
}
