//! Solving by any solver.

use crate::{IkError, Options, Problem, Solution, Solver, SolverKind};

/// Minimises `½|r(x)|²` in the box by a solver of choice; returns the variables and the result.
///
/// `options.max_iterations` counts the solver's own iterations, which differ in cost. Allocates;
/// [`Solver::solve`] is [`SolverKind::Lm`] without allocation.
///
/// # Errors
/// As for [`Solver::solve`].
///
/// ```
/// use nalgebra::Vector3;
/// use rebone_ik::{Chain, Goal, Link, LinkId, LinkMotion, Point, Problem, SolverKind, solve_with};
///
/// let chain = Chain::new(vec![Link::new(None, Vector3::zeros(), LinkMotion::SwingTwist)])?;
/// let tip = Point { link: LinkId(0), offset: Vector3::y() };
/// let goal = Goal::position(1.0, tip, Vector3::new(0.6, 0.8, 0.0));
/// let problem = Problem::new(chain, vec![goal])?;
/// for kind in SolverKind::ALL {
///     let (_, solution) = solve_with(kind, &problem, kind.options())?;
///     assert!(solution.cost < 1e-9, "{kind}");
/// }
/// # Ok::<(), rebone_ik::IkError>(())
/// ```
pub fn solve_with(
    kind: SolverKind,
    problem: &Problem,
    options: Options,
) -> Result<(Vec<f64>, Solution), IkError> {
    problem.check()?;
    Ok(match kind {
        SolverKind::Lm => {
            let mut solver = Solver::new(options);
            let solution = solver.solve(problem)?;
            (solver.x().to_vec(), solution)
        }
        SolverKind::JacobianTranspose => {
            let mut solver = Solver::jacobian_transpose(options);
            let solution = solver.solve(problem)?;
            (solver.x().to_vec(), solution)
        }
        #[cfg(feature = "argmin")]
        SolverKind::NelderMead => super::argmin::solve(problem, options),
    })
}
