//! Solvers of argmin on a [`Problem`], and [`Solver`] inside argmin's `Executor`.

mod dense_matrix;

mod executor;

mod unbounded_problem;

use crate::evaluation::Evaluation;
use crate::{Options, Problem, Solution, Solver, SolverKind, Termination};
use argmin::core::{
    Executor, IterState, OptimizationResult, State, TerminationReason, TerminationStatus,
};
use argmin::solver::{
    gaussnewton::GaussNewton, linesearch::MoreThuenteLineSearch, neldermead::NelderMead,
    quasinewton::LBFGS, trustregion::Steihaug, trustregion::TrustRegion,
};

pub use executor::BoundedProblem;
use executor::GradientStop;
use unbounded_problem::UnboundedProblem;

/// Minimises `½|r(x)|²` in the box by one of argmin's solvers; never returns a higher cost than the
/// start's. See [`solve_with`](crate::solve_with).
pub(crate) fn solve(kind: SolverKind, problem: &Problem, options: Options) -> (Vec<f64>, Solution) {
    let mut solver = Solver::new(options);
    solver.begin(problem);
    let mut solution = solver.solution();
    if solver.termination().is_some() || problem.columns() == 0 {
        return (solver.x().to_vec(), solution);
    }
    let objective = UnboundedProblem::new(problem);
    let y = objective.unbounded(solver.x());
    let result = run(kind, objective.clone(), y, &options);
    let (y, iterations, termination) =
        result.unwrap_or_else(|_| (objective.best(), 0, Termination::Stalled));
    let cost = |y: &[f64]| evaluate(problem, objective.to_box(y)).cost;
    let better = y.filter(|y| cost(y) <= solution.cost);
    let x = better.map_or_else(|| solver.x().to_vec(), |y| objective.to_box(&y));
    let mut answer = problem.clone();
    answer.start.clone_from(&x);
    solver.begin(&answer);
    (solution.cost, solution.gradient) = (solver.solution().cost, solver.solution().gradient);
    (solution.iterations, solution.termination) = (iterations, termination);
    (x, solution)
}

/// Best variables `y`, number of iterations, reason of the end.
type RunResult = (Option<Vec<f64>>, usize, Termination);

fn run(
    kind: SolverKind,
    objective: UnboundedProblem,
    y: Vec<f64>,
    options: &Options,
) -> Result<RunResult, argmin::core::Error> {
    let max_iterations = options.max_iterations as u64;
    let tolerance = options.gradient_tolerance;
    match kind {
        SolverKind::NelderMead => {
            let corner = |k: usize| {
                let mut corner = y.clone();
                corner[k] += 0.1;
                corner
            };
            let simplex = std::iter::once(y.clone()).chain((0..y.len()).map(corner)).collect();
            let solver = NelderMead::new(simplex).with_sd_tolerance(1e-16)?;
            run_result(
                Executor::new(objective, solver)
                    .configure(|s| s.max_iters(max_iterations))
                    .run()?,
            )
        }
        SolverKind::Lbfgs => {
            let solver = LBFGS::new(MoreThuenteLineSearch::new(), 10)
                .with_tolerance_grad(tolerance)?
                .with_tolerance_cost(0.0)?;
            let executor = Executor::new(objective, solver);
            run_result(executor.configure(|s| s.param(y).max_iters(max_iterations)).run()?)
        }
        SolverKind::GaussNewton => {
            let solver = GaussNewton::new().with_tolerance(1e-15)?;
            let executor = Executor::new(objective, solver);
            run_result(executor.configure(|s| s.param(y).max_iters(max_iterations)).run()?)
        }
        SolverKind::TrustRegion | SolverKind::Lm | SolverKind::JacobianTranspose => {
            let inner = TrustRegion::new(Steihaug::new().with_max_iters(2 * y.len() as u64));
            let executor = Executor::new(objective, GradientStop { inner, tolerance });
            run_result(executor.configure(|s| s.param(y).max_iters(max_iterations)).run()?)
        }
    }
}

type Outcome<O, S, G, J, H, R> = OptimizationResult<O, S, IterState<Vec<f64>, G, J, H, R, f64>>;

fn run_result<O, S, G, J, H, R>(
    result: Outcome<O, S, G, J, H, R>,
) -> Result<RunResult, argmin::core::Error> {
    let mut state = result.state;
    let termination = match state.get_termination_status() {
        TerminationStatus::Terminated(TerminationReason::SolverConverged) => Termination::Converged,
        TerminationStatus::Terminated(TerminationReason::MaxItersReached) => {
            Termination::IterationLimit
        }
        _ => Termination::Stalled,
    };
    let iterations = state.get_iter() as usize;
    Ok((state.take_best_param(), iterations, termination))
}

/// Evaluates `problem` at `x` in newly allocated memory.
fn evaluate(problem: &Problem, x: Vec<f64>) -> Evaluation {
    let mut at = Evaluation::default();
    at.resize(problem);
    at.x = x;
    at.update(problem);
    at
}
