//! The solver of the stages, of the chosen kind.

use rebone_ik::{ActiveBound, Options, Problem, Solution, Solver, SolverKind, solve_with};

const OF_CHAIN: &str = "lists and goals of a stage's problem are those of its chain";

/// A solver with its memory.
///
/// [`SolverKind::Lm`] and [`SolverKind::JacobianTranspose`] do not allocate after warm-up; those of argmin do.
#[derive(Clone, Debug, Default)]
pub(crate) struct StageSolver {
    kind: SolverKind,
    /// Holds the last solution, of other solvers too.
    solver: Solver,
}

impl StageSolver {
    /// Builds a solver without memory.
    pub(crate) fn new(kind: SolverKind) -> Self {
        Self::with_options(kind, kind.options())
    }

    /// Builds a solver with other stop criteria than those that suit its kind.
    pub(crate) fn with_options(kind: SolverKind, options: Options) -> Self {
        let solver = if kind == SolverKind::JacobianTranspose {
            Solver::jacobian_transpose(options)
        } else if kind == SolverKind::Lm {
            Solver::new(options)
        } else {
            // Only evaluates.
            Solver::new(Options { max_iterations: 0, ..Options::default() })
        };
        Self { kind, solver }
    }

    /// Solves a problem; the solution is [`StageSolver::x`].
    pub(crate) fn solve(&mut self, problem: &Problem) -> Solution {
        if matches!(self.kind, SolverKind::Lm | SolverKind::JacobianTranspose) {
            return self.solver.solve(problem).expect(OF_CHAIN);
        }
        let (x, solution) = solve_with(self.kind, problem, self.kind.options()).expect(OF_CHAIN);
        self.solver.solve(&Problem { start: x, ..problem.clone() }).expect(OF_CHAIN);
        solution
    }

    /// Variables of the last solution.
    pub(crate) fn x(&self) -> &[f64] {
        self.solver.x()
    }

    /// Weighted residual at the last solution.
    pub(crate) fn residual(&self) -> &[f64] {
        self.solver.residual()
    }

    /// Overshoot and cost of the bound of variable `k` at the last solution, which must be that of
    /// `problem`.
    pub(crate) fn active_bound(&mut self, problem: &Problem, k: usize) -> ActiveBound {
        self.solver.active_bound(problem, k).expect(OF_CHAIN)
    }
}
