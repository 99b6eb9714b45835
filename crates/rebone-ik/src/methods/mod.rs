//! The same problems by other methods: argmin's, and ours inside argmin's `Executor`.

mod adapter;

mod dense;

mod unbounded;

use crate::evaluation::Evaluation;
use crate::{Options, Problem, Solution, Solver, Termination};
use argmin::core::{
    Executor, IterState, OptimizationResult, State, TerminationReason, TerminationStatus,
};
use argmin::solver::{
    gaussnewton::GaussNewton, linesearch::MoreThuenteLineSearch, neldermead::NelderMead,
    quasinewton::LBFGS, trustregion::Steihaug, trustregion::TrustRegion,
};
use std::{fmt, str::FromStr};

pub use adapter::InBox;
use adapter::UntilFlat;
use unbounded::Unbounded;

/// A method by name.
///
/// All but [`Method::Lm`] know no limits: they work in other variables `y` without limits, with
/// `x = middle + half · sin y` where a variable has both limits, `x = limit ± (√(1 + y²) − 1)`
/// where it has one, `x = y` where it has none (James & Roos, *MINUIT*, 1975). The answer is in
/// its box always. What it costs: at a limit the derivative vanishes, so a variable leaves it
/// slowly; a start at a limit is moved in by a thousandth of the half width.
///
/// Only [`Method::Lm`] pulls what the goals leave free towards the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// Bounded Levenberg-Marquardt: [`Solver`].
    #[default]
    Lm,
    /// The simplex of Nelder & Mead (1965), without derivatives; edges of 0.1 in each variable.
    NelderMead,
    /// L-BFGS (10 pairs) with the line search of Moré & Thuente.
    Lbfgs,
    /// Gauss-Newton. `JᵀJ` is singular for a redundant chain, so rows `0.01 I` with a residual of
    /// 0 stand below J: a constant damping that moves no stationary point.
    GaussNewton,
    /// Trust region with Steihaug's conjugate gradients, on `JᵀJ` and the curvature of the
    /// change of variables.
    TrustRegion,
}

impl Method {
    /// All methods, the default first.
    pub const ALL: [Self; 5] =
        [Self::Lm, Self::NelderMead, Self::Lbfgs, Self::GaussNewton, Self::TrustRegion];

    /// Its name: `lm`, `nelder-mead`, `lbfgs`, `gauss-newton` or `trust-region`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lm => "lm",
            Self::NelderMead => "nelder-mead",
            Self::Lbfgs => "lbfgs",
            Self::GaussNewton => "gauss-newton",
            Self::TrustRegion => "trust-region",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no method's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no solver is called {0}: there are lm, nelder-mead, lbfgs, gauss-newton, trust-region")]
pub struct UnknownMethod(pub String);

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(name: &str) -> Result<Self, UnknownMethod> {
        let method = Self::ALL.into_iter().find(|method| method.name() == name);
        method.ok_or_else(|| UnknownMethod(name.to_owned()))
    }
}

/// Minimises `½|r(x)|²` in the box by `method`; returns the variables and how it went.
///
/// `options.max_iterations` counts the method's own iterations, which differ in price. This is
/// for comparison: it allocates; [`Solver::solve`] is the same as [`Method::Lm`] and does not.
///
/// # Panics
/// When the lists of `problem` have not its chain's number of variables.
pub fn solve_with(method: Method, problem: &Problem, options: Options) -> (Vec<f64>, Solution) {
    let mut solver = Solver::new(options);
    if method == Method::Lm {
        let solution = solver.solve(problem);
        return (solver.x().to_vec(), solution);
    }
    solver.begin(problem);
    let mut solution = solver.solution();
    if solver.end().is_some() {
        return (solver.x().to_vec(), solution);
    }
    let objective = Unbounded::new(problem);
    let y = objective.of_box(solver.x());
    let found = run(method, objective.clone(), y, &options);
    let (y, iterations, termination) =
        found.unwrap_or_else(|_| (objective.best(), 0, Termination::Stalled));
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

type Found = (Option<Vec<f64>>, usize, Termination);

fn run(
    method: Method,
    objective: Unbounded,
    y: Vec<f64>,
    options: &Options,
) -> Result<Found, argmin::core::Error> {
    let most = options.max_iterations as u64;
    let tolerance = options.gradient_tolerance;
    match method {
        Method::NelderMead => {
            let corner = |k: usize| {
                let mut corner = y.clone();
                corner[k] += 0.1;
                corner
            };
            let simplex = std::iter::once(y.clone()).chain((0..y.len()).map(corner)).collect();
            let solver = NelderMead::new(simplex).with_sd_tolerance(1e-16)?;
            found(Executor::new(objective, solver).configure(|s| s.max_iters(most)).run()?)
        }
        Method::Lbfgs => {
            let solver = LBFGS::new(MoreThuenteLineSearch::new(), 10)
                .with_tolerance_grad(tolerance)?
                .with_tolerance_cost(0.0)?;
            let executor = Executor::new(objective, solver);
            found(executor.configure(|s| s.param(y).max_iters(most)).run()?)
        }
        Method::GaussNewton => {
            let solver = GaussNewton::new().with_tolerance(1e-15)?;
            let executor = Executor::new(objective, solver);
            found(executor.configure(|s| s.param(y).max_iters(most)).run()?)
        }
        Method::TrustRegion | Method::Lm => {
            let inner = TrustRegion::new(Steihaug::new().with_max_iters(2 * y.len() as u64));
            let executor = Executor::new(objective, UntilFlat { inner, tolerance });
            found(executor.configure(|s| s.param(y).max_iters(most)).run()?)
        }
    }
}

type Outcome<O, S, G, J, H, R> = OptimizationResult<O, S, IterState<Vec<f64>, G, J, H, R, f64>>;

fn found<O, S, G, J, H, R>(
    result: Outcome<O, S, G, J, H, R>,
) -> Result<Found, argmin::core::Error> {
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

/// The evaluation of `problem` at `x`, allocated for the purpose.
fn evaluate(problem: &Problem, x: Vec<f64>) -> Evaluation {
    let mut at = Evaluation::default();
    at.resize(problem);
    at.x = x;
    at.update(problem);
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for method in Method::ALL {
            assert_eq!(method.to_string().parse(), Ok(method));
        }
        assert_eq!("bfgs".parse::<Method>(), Err(UnknownMethod("bfgs".to_owned())));
    }
}
