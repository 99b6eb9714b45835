//! [`Solver`] as a solver of argmin, and a stop criterion for argmin's trust region.

use super::{evaluate, unbounded_problem::UnboundedProblem};
use crate::{Problem, Solver, Termination};
use argmin::core::{
    CostFunction, Error, IterState, KV, Problem as Counted, Solver as ArgminSolver,
    TerminationReason, TerminationStatus,
};
use argmin::solver::trustregion::{Steihaug, TrustRegion};
use argmin_math::ArgminL2Norm;

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
        Ok(evaluate(self.0, x.clone()).cost)
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

type TrustRegionState = IterState<Vec<f64>, Vec<f64>, (), Vec<Vec<f64>>, (), f64>;

/// argmin's trust region, which has no stop criterion, stopped at a small gradient.
pub(super) struct GradientStop {
    pub(super) inner: TrustRegion<Steihaug<Vec<f64>, f64>, f64>,
    pub(super) tolerance: f64,
}

impl ArgminSolver<UnboundedProblem<'_>, TrustRegionState> for GradientStop {
    fn name(&self) -> &str {
        "trust region"
    }

    fn init(
        &mut self,
        problem: &mut Counted<UnboundedProblem<'_>>,
        state: TrustRegionState,
    ) -> Result<(TrustRegionState, Option<KV>), Error> {
        self.inner.init(problem, state)
    }

    fn next_iter(
        &mut self,
        problem: &mut Counted<UnboundedProblem<'_>>,
        state: TrustRegionState,
    ) -> Result<(TrustRegionState, Option<KV>), Error> {
        self.inner.next_iter(problem, state)
    }

    fn terminate(&mut self, state: &TrustRegionState) -> TerminationStatus {
        match state.get_gradient() {
            Some(gradient) if gradient.l2_norm() <= self.tolerance => {
                TerminationStatus::Terminated(TerminationReason::SolverConverged)
            }
            _ => TerminationStatus::NotTerminated,
        }
    }
}
