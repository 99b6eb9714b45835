//! Evaluation of a problem at one point.

use crate::algebra::linear::dot;
use crate::{Configuration, Problem};

/// Variables inside their box, with configuration, residual and cost.
#[derive(Clone, Debug, Default)]
pub(crate) struct Evaluation {
    pub(crate) x: Vec<f64>,
    pub(crate) configuration: Configuration,
    pub(crate) residual: Vec<f64>,
    /// `½|r|²`.
    pub(crate) cost: f64,
}

impl Evaluation {
    /// Sets the sizes to those of `problem`.
    pub(crate) fn resize(&mut self, problem: &Problem) {
        self.x.resize(problem.columns(), 0.0);
        self.residual.resize(problem.rows(), 0.0);
        self.configuration.resize(&problem.chain);
    }

    /// Computes configuration, residual and cost from `x`.
    pub(crate) fn update(&mut self, problem: &Problem) {
        self.configuration.compute(&problem.chain, &self.x);
        problem.write_residual(&self.configuration, &mut self.residual);
        self.cost = 0.5 * dot(&self.residual, &self.residual);
    }
}
