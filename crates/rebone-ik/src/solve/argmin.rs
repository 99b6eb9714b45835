//! [`Solver`] as a solver of argmin, and the simplex of Nelder and Mead on a [`Problem`].

use super::evaluation::Evaluation;
use crate::{Options, Problem, Solution, Solver, Termination};
use argmin::core::{
    CostFunction, Error, Executor, IterState, KV, Problem as Counted, Solver as ArgminSolver,
    State, TerminationReason, TerminationStatus,
};
use argmin::solver::neldermead::NelderMead;

/// Edges of the first simplex, in each variable.
const EDGE: f64 = 0.1;
/// Standard deviation of the costs of a simplex below which it has converged.
const SETTLED_DEVIATION: f64 = 1e-16;
/// Distance of a start from its limits, as a fraction of the half width: at a limit the derivative is 0.
const START_MARGIN_RATIO: f64 = 1e-3;

/// A [`Problem`] for [`Solver`] inside argmin's `Executor`: the parameters are its variables.
///
/// The executor counts no evaluations: the solver evaluates in its own memory.
///
/// ```
/// use argmin::core::{Executor, State};
/// # use nalgebra::Vector3;
/// # use rebone_ik::{Chain, Goal, Link, LinkId, LinkMotion, Options, Point, Problem, Solver};
/// use rebone_ik::BoundedProblem;
/// # let chain = Chain::new(vec![Link::new(None, Vector3::zeros(), LinkMotion::SwingTwist)])?;
/// # let point = Point { link: LinkId(0), offset: Vector3::y() };
/// # let goals = vec![Goal::position(1.0, point, Vector3::new(0.6, 0.0, 0.8))];
/// # let problem = Problem::new(chain, goals)?;
/// let solver = Solver::new(Options::default());
/// let result = Executor::new(BoundedProblem(&problem), solver).run()?;
/// assert!(result.state.get_best_cost() < 1e-20);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct BoundedProblem<'a>(pub &'a Problem);

impl CostFunction for BoundedProblem<'_> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, x: &Vec<f64>) -> Result<f64, Error> {
        self.0.check()?;
        self.0.chain.check_len("the parameters", x.len())?;
        Ok(cost(self.0, x.clone()))
    }
}

type Variables = IterState<Vec<f64>, (), (), (), (), f64>;

impl Solver {
    fn report(&self, state: Variables) -> Variables {
        state.param(self.x().to_vec()).cost(self.solution().cost)
    }
}

/// Starts at [`Problem::start`]; a parameter set in the state is ignored.
impl ArgminSolver<BoundedProblem<'_>, Variables> for Solver {
    fn name(&self) -> &str {
        "bounded Levenberg-Marquardt"
    }

    fn init(
        &mut self,
        problem: &mut Counted<BoundedProblem<'_>>,
        state: Variables,
    ) -> Result<(Variables, Option<KV>), Error> {
        problem.problem("begin", |BoundedProblem(problem)| {
            problem.check()?;
            self.begin(problem);
            Ok(())
        })?;
        Ok((self.report(state), None))
    }

    fn next_iter(
        &mut self,
        problem: &mut Counted<BoundedProblem<'_>>,
        state: Variables,
    ) -> Result<(Variables, Option<KV>), Error> {
        problem.problem("step", |BoundedProblem(problem)| {
            self.step(problem);
            Ok(())
        })?;
        Ok((self.report(state), None))
    }

    fn terminate(&mut self, _: &Variables) -> TerminationStatus {
        let exit = |text: &str| TerminationReason::SolverExit(text.to_owned());
        match self.termination() {
            None => TerminationStatus::NotTerminated,
            Some(end) => TerminationStatus::Terminated(match end {
                Termination::Converged => TerminationReason::SolverConverged,
                Termination::IterationLimit => TerminationReason::MaxItersReached,
                Termination::Stalled => exit("no step lowers the cost"),
                Termination::NotFinite => exit("a number is not finite"),
            }),
        }
    }
}

/// Minimises `½|r(x)|²` in the box by the simplex of Nelder and Mead; never returns a higher cost than the start's. See
/// [`SolverKind::NelderMead`](crate::SolverKind::NelderMead).
pub(crate) fn solve(problem: &Problem, options: Options) -> (Vec<f64>, Solution) {
    let mut solver = Solver::new(options);
    solver.begin(problem);
    let mut solution = solver.solution();
    if solver.termination().is_some() || problem.columns() == 0 {
        return (solver.x().to_vec(), solution);
    }
    let objective = UnboundedProblem(problem);
    let y = objective.unbounded(solver.x());
    let (y, iterations, termination) =
        simplex(objective, y, &options).unwrap_or((None, 0, Termination::Stalled));
    let better =
        y.map(|y| objective.to_box(&y)).filter(|x| cost(problem, x.clone()) <= solution.cost);
    let x = better.unwrap_or_else(|| solver.x().to_vec());
    let mut answer = problem.clone();
    answer.start.clone_from(&x);
    solver.begin(&answer);
    (solution.cost, solution.gradient) = (solver.solution().cost, solver.solution().gradient);
    (solution.iterations, solution.termination) = (iterations, termination);
    (x, solution)
}

/// Returns the best variables `y`, the number of iterations and the reason of the end.
fn simplex(
    objective: UnboundedProblem,
    y: Vec<f64>,
    options: &Options,
) -> Result<(Option<Vec<f64>>, usize, Termination), Error> {
    let corner = |k: usize| {
        let mut corner = y.clone();
        corner[k] += EDGE;
        corner
    };
    let corners = std::iter::once(y.clone()).chain((0..y.len()).map(corner)).collect();
    let solver = NelderMead::new(corners).with_sd_tolerance(SETTLED_DEVIATION)?;
    let executor = Executor::new(objective, solver);
    let max_iterations = options.max_iterations as u64;
    let mut state = executor.configure(|state| state.max_iters(max_iterations)).run()?.state;
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

/// A problem over variables `y` without limits: see [`SolverKind`](crate::SolverKind).
#[derive(Clone, Copy)]
struct UnboundedProblem<'a>(&'a Problem);

impl UnboundedProblem<'_> {
    /// Returns `x(y)`.
    fn to_box(self, y: &[f64]) -> Vec<f64> {
        let within = |(k, &y): (usize, &f64)| {
            let (low, high) = (self.0.lower[k], self.0.upper[k]);
            let rise = (1.0 + y * y).sqrt() - 1.0;
            match (low.is_finite(), high.is_finite()) {
                (true, true) => {
                    let half = 0.5 * (high - low);
                    (low + half + half * libm::sin(y)).max(low).min(high)
                }
                (true, false) => low + rise,
                (false, true) => high - rise,
                (false, false) => y,
            }
        };
        y.iter().enumerate().map(within).collect()
    }

    /// Returns `y` for `x`, moved inside the box by [`START_MARGIN_RATIO`].
    fn unbounded(self, x: &[f64]) -> Vec<f64> {
        let from = |(k, x): (usize, &f64)| {
            let (low, high) = (self.0.lower[k], self.0.upper[k]);
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
}

impl CostFunction for UnboundedProblem<'_> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, y: &Vec<f64>) -> Result<f64, Error> {
        Ok(cost(self.0, self.to_box(y)))
    }
}

/// Returns the cost of a problem at `x`, in newly allocated memory.
fn cost(problem: &Problem, x: Vec<f64>) -> f64 {
    let mut at = Evaluation::default();
    at.resize(problem);
    at.x = x;
    at.update(problem);
    at.cost
}
