//! The solver that people call.

use crate::linear::blocks;
use crate::lm::LevenbergMarquardt;
use crate::null_space::NullSpace;
use crate::{Configuration, Options, Pressure, Problem, Solution, Termination};

/// Bounded Levenberg-Marquardt, and its memory.
///
/// Holds no truth between calls: the same problem gives the same bits from a fresh solver and
/// from a used one. Once it has met the largest problem, solving allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct Solver {
    /// When to stop.
    pub options: Options,
    lm: LevenbergMarquardt,
    null_space: NullSpace,
    start: Vec<f64>,
    start_cost: f64,
    iterations: usize,
    end: Option<Termination>,
}

impl Solver {
    /// A solver without memory yet.
    pub fn new(options: Options) -> Self {
        Self { options, ..Self::default() }
    }

    /// Minimises `½|r(x)|²` in the box; the answer is [`Solver::x`].
    ///
    /// A start whose projected gradient is within the tolerance is the answer, bit for bit.
    ///
    /// # Panics
    /// When the lists of `problem` have not its chain's number of variables.
    pub fn solve(&mut self, problem: &Problem) -> Solution {
        self.begin(problem);
        while self.end.is_none() {
            self.step(problem);
        }
        self.solution()
    }

    /// Puts the solver at the start of `problem`.
    pub(crate) fn begin(&mut self, problem: &Problem) {
        self.lm.begin(problem);
        self.null_space.reserve(problem.rows(), problem.columns());
        self.start.clear();
        self.start.extend_from_slice(&self.lm.now.x);
        (self.start_cost, self.iterations) = (self.lm.now.cost, 0);
        self.end = if !self.lm.is_finite() {
            Some(Termination::NotFinite)
        } else if self.lm.projected <= self.options.gradient_tolerance {
            Some(Termination::Converged)
        } else {
            None
        };
    }

    /// One step, and the pull after the last.
    pub(crate) fn step(&mut self, problem: &Problem) {
        let tolerance = self.options.gradient_tolerance;
        self.end = if self.iterations >= self.options.max_iterations {
            Some(Termination::IterationLimit)
        } else {
            self.iterations += 1;
            self.lm.step(problem, tolerance)
        };
        let minimum = matches!(self.end, Some(Termination::Converged | Termination::Stalled));
        if minimum && self.options.null_space {
            self.iterations += self.null_space.pull(&mut self.lm, problem, &self.start, tolerance);
        }
    }

    /// Why the solver stopped, or `None` when it has not.
    pub(crate) fn end(&self) -> Option<Termination> {
        self.end
    }

    /// How it went so far.
    pub(crate) fn solution(&self) -> Solution {
        Solution {
            cost: self.lm.now.cost,
            start_cost: self.start_cost,
            gradient: self.lm.projected,
            iterations: self.iterations,
            termination: self.end.unwrap_or(Termination::IterationLimit),
        }
    }

    /// The variables of the last answer, inside their box to the bit.
    pub fn x(&self) -> &[f64] {
        &self.lm.now.x
    }

    /// The configuration at the last answer.
    pub fn configuration(&self) -> &Configuration {
        &self.lm.now.configuration
    }

    /// What the bounds keep variable `k` from at the last answer, which is that to `problem`.
    ///
    /// With the gradient `g = Jᵀr` (where a bound holds, its multiplier) and `J`'s column `Jₖ`, the sum
    /// `½|r + Jₖ t|²` is least at `t = −gₖ/|Jₖ|²`, and there `|r|²` is less by `(gₖ/|Jₖ|)²`.
    ///
    /// # Panics
    /// When there is no variable `k`.
    pub fn pressure(&mut self, problem: &Problem, k: usize) -> Pressure {
        let (x, slope) = (self.lm.now.x[k], self.lm.gradient[k]);
        let pressed =
            (x <= problem.lower[k] && slope > 0.0) || (x >= problem.upper[k] && slope < 0.0);
        if !pressed {
            return Pressure::default();
        }
        let rows = self.lm.jacobian(problem).chunks_exact(blocks(problem.columns()));
        let square: f64 = rows.map(|row| row[k / 4][k % 4].powi(2)).sum();
        Pressure { beyond: -slope / square, cost: slope.abs() / square.sqrt() }
    }

    /// The weighted residual at the last answer.
    pub fn residual(&self) -> &[f64] {
        &self.lm.now.residual
    }
}
