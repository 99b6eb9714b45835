//! The method that the user chose, on the stages' problems.

use rebone_ik::{Method, Options, Pressure, Problem, Solution, Solver, solve_with};

/// A method and the memory of its last answer.
///
/// [`Method::Lm`] allocates nothing in the steady state; the others, which are there to compare, do.
#[derive(Clone, Debug, Default)]
pub struct Optimiser {
    method: Method,
    /// It has met the last problem: of another method it holds the answer.
    solver: Solver,
}

impl Optimiser {
    /// A method without memory yet.
    pub fn new(method: Method) -> Self {
        let mut own = Self { method, ..Self::default() };
        if method != Method::Lm {
            // It takes no step, and only evaluates.
            own.solver.options.max_iterations = 0;
        }
        own
    }

    /// Solves a problem; the answer is [`Optimiser::x`].
    pub fn solve(&mut self, problem: &Problem) -> Solution {
        if self.method == Method::Lm {
            return self.solver.solve(problem);
        }
        let options = Options {
            max_iterations: most_iterations(self.method),
            gradient_tolerance: TOLERANCE,
            ..Options::default()
        };
        let (x, solution) = solve_with(self.method, problem, options);
        self.solver.solve(&Problem { start: x, ..problem.clone() });
        solution
    }

    /// The variables of the last answer.
    pub fn x(&self) -> &[f64] {
        self.solver.x()
    }

    /// The weighted residual at the last answer.
    pub fn residual(&self) -> &[f64] {
        self.solver.residual()
    }

    /// What the bounds keep variable `k` from at the last answer, which is that to `problem`.
    pub fn pressure(&mut self, problem: &Problem, k: usize) -> Pressure {
        self.solver.pressure(problem, k)
    }
}

/// Where the other methods stop: a line search cannot tell smaller gradients from rounding, and takes
/// forever.
const TOLERANCE: f64 = 1e-9;

/// Iterations differ in price and in use: a step of a simplex is a few evaluations without derivatives.
fn most_iterations(method: Method) -> usize {
    match method {
        Method::Lm => Options::default().max_iterations,
        Method::NelderMead => 3000,
        Method::Lbfgs | Method::GaussNewton | Method::TrustRegion => 500,
    }
}
