//! The solver that people call.

use crate::lm::LevenbergMarquardt;
use crate::null_space::NullSpace;
use crate::{Configuration, Options, Problem, Solution, Termination};

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
        let lm = &mut self.lm;
        lm.begin(problem);
        self.start.clear();
        self.start.extend_from_slice(&lm.now.x);
        let start_cost = lm.now.cost;
        let Options { max_iterations, gradient_tolerance: tolerance, null_space } = self.options;
        let (mut iterations, mut termination) = (0, Termination::IterationLimit);
        if !lm.is_finite() {
            termination = Termination::NotFinite;
        }
        while termination == Termination::IterationLimit && iterations < max_iterations {
            match lm.step(problem, tolerance) {
                Some(end) => termination = end,
                None => iterations += 1,
            }
        }
        if lm.projected <= tolerance && termination == Termination::IterationLimit {
            termination = Termination::Converged;
        }
        let ended = matches!(termination, Termination::Converged | Termination::Stalled);
        if null_space && ended && iterations > 0 {
            iterations += self.null_space.pull(lm, problem, &self.start, tolerance);
        }
        let (cost, gradient) = (lm.now.cost, lm.projected);
        Solution { cost, start_cost, gradient, iterations, termination }
    }

    /// The variables of the last answer, inside their box to the bit.
    pub fn x(&self) -> &[f64] {
        &self.lm.now.x
    }

    /// The configuration at the last answer.
    pub fn configuration(&self) -> &Configuration {
        &self.lm.now.configuration
    }

    /// The weighted residual at the last answer.
    pub fn residual(&self) -> &[f64] {
        &self.lm.now.residual
    }
}
