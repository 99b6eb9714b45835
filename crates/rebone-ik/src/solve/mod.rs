//! Solvers of a problem: bounded Levenberg-Marquardt, and others to compare.

#[cfg(feature = "argmin")]
mod argmin;
mod evaluation;
mod jacobian_transpose;
mod lm;
mod null_space;
mod solution;
mod solve_with;
mod solver;
mod solver_kind;

#[cfg(feature = "argmin")]
pub use argmin::BoundedProblem;
pub use solution::{ActiveBound, Options, Solution, Termination};
pub use solve_with::solve_with;
pub use solver::Solver;
pub use solver_kind::{SolverKind, UnknownSolver};
