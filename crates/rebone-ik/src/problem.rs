//! The problem: a chain, its goals, the box of its variables and the start.

use crate::loads::Loads;
use crate::{Chain, Configuration, Goal, IkError};

/// `min ½ |r(x)|²` over `lower ≤ x ≤ upper`, from `start`.
///
/// Built once; for each frame fill in the wanted values and weights of the goals, the box, the
/// start, and where needed the constants of the chain. All lists of numbers have the chain's
/// number of variables and keep it.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// What moves.
    pub chain: Chain,
    /// What is wanted; their rows stand in this order in the residual.
    pub goals: Vec<Goal>,
    /// Least value of each variable, `-inf` for none.
    pub lower: Vec<f64>,
    /// Greatest value of each variable, `inf` for none; equal to the least to hold it still.
    pub upper: Vec<f64>,
    /// Where to begin, and what settles whatever the goals leave free.
    pub start: Vec<f64>,
}

impl Problem {
    /// The problem without limits that starts at zero.
    ///
    /// # Errors
    /// When a goal reads a link that the chain does not have.
    pub fn new(chain: Chain, goals: Vec<Goal>) -> Result<Self, IkError> {
        let links = chain.links().len();
        for (goal, wish) in goals.iter().enumerate() {
            if let Some(link) = wish.links().into_iter().find(|link| link.0 >= links) {
                return Err(IkError::NoSuchLink { goal, link, links });
            }
        }
        let n = chain.len();
        let (lower, upper) = (vec![f64::NEG_INFINITY; n], vec![f64::INFINITY; n]);
        Ok(Self { chain, goals, lower, upper, start: vec![0.0; n] })
    }

    /// How many variables there are: n.
    pub fn columns(&self) -> usize {
        self.chain.len()
    }

    /// How many rows the residual has: m.
    pub fn rows(&self) -> usize {
        self.goals.iter().map(Goal::rows).sum()
    }

    /// `value` moved into the box of variable `k`; what is not a number stays so.
    pub fn clamp(&self, k: usize, value: f64) -> f64 {
        if value.is_nan() { value } else { value.max(self.lower[k]).min(self.upper[k]) }
    }

    /// Writes the residual `r`, (m,).
    ///
    /// # Panics
    /// When `out` has not m numbers.
    pub fn residual(&self, at: &Configuration, mut out: &mut [f64]) {
        for goal in &self.goals {
            let (rows, rest) = out.split_at_mut(goal.rows());
            goal.residual(at, rows);
            out = rest;
        }
        assert!(out.is_empty(), "more room than rows");
    }

    /// Writes the Jacobian `∂r/∂x`, (m, n), row-major.
    ///
    /// # Panics
    /// When `out` has not m times n numbers.
    pub fn jacobian(&self, at: &Configuration, out: &mut [f64]) {
        self.strided_jacobian(at, self.columns(), out);
    }

    /// Writes the Jacobian with `stride` numbers a row, those behind the last column 0.
    pub(crate) fn strided_jacobian(&self, at: &Configuration, stride: usize, mut out: &mut [f64]) {
        out.fill(0.0);
        for goal in &self.goals {
            let (rows, rest) = out.split_at_mut(goal.rows() * stride);
            goal.jacobian(&self.chain, at, rows);
            out = rest;
        }
        assert!(out.is_empty(), "more room than rows");
    }

    /// Writes the gradient `Jᵀr` of `½|r|²`, (n,), from the residual at the same place.
    pub(crate) fn gradient(
        &self,
        at: &Configuration,
        mut residual: &[f64],
        loads: &mut Loads,
        out: &mut [f64],
    ) {
        loads.clear(self.chain.links().len());
        for goal in &self.goals {
            let (rows, rest) = residual.split_at(goal.rows());
            goal.load(&self.chain, at, rows, loads);
            residual = rest;
        }
        loads.gradient(&self.chain, at, out);
    }
}
