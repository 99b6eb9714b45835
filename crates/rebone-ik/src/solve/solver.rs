//! The solver: bounded Levenberg-Marquardt with posture regularisation.

use super::lm::LevenbergMarquardt;
use super::null_space::PostureRegularisation;
use crate::algebra::linear::blocks;
use crate::{ActiveBound, Configuration, IkError, Options, Problem, Solution, Termination};

/// Share of `|J|²` up to which a column's square is of rounding errors.
const MIN_COLUMN_SQUARE_SHARE: f64 = 1e-16;

/// Bounded Levenberg-Marquardt solver with its memory.
///
/// Results do not depend on earlier calls: a problem gives equal bits from a new solver and from a
/// used one. After the largest problem, solving allocates nothing.
///
/// ```
/// use nalgebra::Vector3;
/// use rebone_ik::{Chain, Goal, Link, LinkId, LinkMotion, Options, Point, Problem, Solver};
///
/// let hinge = LinkMotion::Axes(vec![Vector3::z_axis()]);
/// let chain = Chain::new(vec![Link::new(None, Vector3::zeros(), hinge)])?;
/// let tip = Point { link: LinkId(0), offset: Vector3::x() };
/// let mut problem = Problem::new(chain, vec![Goal::position(1.0, tip, Vector3::y())])?;
/// problem.upper[0] = 1.0;
/// let mut solver = Solver::new(Options::default());
/// solver.solve(&problem)?;
/// assert_eq!(solver.x(), [1.0]); // The limit, bit for bit.
/// assert!(solver.active_bound(&problem, 0).unwrap().overshoot > 0.0);
/// # Ok::<(), rebone_ik::IkError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Solver {
    /// Stop criteria and regularisation.
    pub options: Options,
    lm: LevenbergMarquardt,
    posture: PostureRegularisation,
    /// True where steps follow the Jacobian's transpose: without posture regularisation.
    is_transpose: bool,
    start: Vec<f64>,
    start_cost: f64,
    iterations: usize,
    termination: Option<Termination>,
}

impl Solver {
    /// Builds a solver without memory.
    pub fn new(options: Options) -> Self {
        Self { options, ..Self::default() }
    }

    /// Builds a solver whose steps follow the Jacobian's transpose, without posture regularisation:
    /// [`SolverKind::JacobianTranspose`](crate::SolverKind::JacobianTranspose), without allocation.
    pub fn jacobian_transpose(options: Options) -> Self {
        Self { options, is_transpose: true, ..Self::default() }
    }

    /// Minimises `½|r(x)|²` in the box; the solution is [`Solver::x`].
    ///
    /// A start whose projected gradient is within the tolerance is returned bit for bit.
    ///
    /// # Errors
    /// When the lists of `problem` do not have one number for each variable of its chain, or a goal is on a link that the
    /// chain does not have.
    pub fn solve(&mut self, problem: &Problem) -> Result<Solution, IkError> {
        problem.check()?;
        self.begin(problem);
        while self.termination.is_none() {
            self.step(problem);
        }
        Ok(self.solution())
    }

    /// Moves to the start of `problem`.
    pub(crate) fn begin(&mut self, problem: &Problem) {
        self.lm.begin(problem);
        self.posture.reserve(problem.rows(), problem.columns());
        self.start.clear();
        self.start.extend_from_slice(&self.lm.current.x);
        (self.start_cost, self.iterations) = (self.lm.current.cost, 0);
        self.termination = if !self.lm.is_finite() {
            Some(Termination::NotFinite)
        } else if self.lm.projected <= self.options.gradient_tolerance || problem.columns() == 0 {
            Some(Termination::Converged)
        } else {
            None
        };
    }

    /// Tries one step; applies posture regularisation after the last.
    pub(crate) fn step(&mut self, problem: &Problem) {
        let tolerance = self.options.gradient_tolerance;
        self.termination = if self.iterations >= self.options.max_iterations {
            Some(Termination::IterationLimit)
        } else {
            self.iterations += 1;
            match self.is_transpose {
                true => self.lm.transposed_step(problem, tolerance),
                false => self.lm.step(problem, tolerance),
            }
        };
        let minimum =
            matches!(self.termination, Some(Termination::Converged | Termination::Stalled));
        if minimum && self.options.posture_regularisation && !self.is_transpose {
            self.iterations += self.posture.apply(&mut self.lm, problem, &self.start, tolerance);
        }
    }

    /// Reason for the end; `None` while iterating.
    #[cfg(feature = "argmin")]
    pub(crate) fn termination(&self) -> Option<Termination> {
        self.termination
    }

    /// Result so far.
    pub(crate) fn solution(&self) -> Solution {
        Solution {
            cost: self.lm.current.cost,
            start_cost: self.start_cost,
            gradient: self.lm.projected,
            iterations: self.iterations,
            termination: self.termination.unwrap_or(Termination::IterationLimit),
        }
    }

    /// Variables of the last solution, inside their box bit for bit.
    pub fn x(&self) -> &[f64] {
        &self.lm.current.x
    }

    /// Configuration at the last solution.
    pub fn configuration(&self) -> &Configuration {
        &self.lm.current.configuration
    }

    /// Computes overshoot and cost of the bound of variable `k` at the last solution, which must be that of
    /// `problem`. `None` where there is no such variable, or the sizes of the problem are others.
    ///
    /// With the gradient `g = Jᵀr` (where a bound holds, its multiplier) and `J`'s column `Jₖ`, the sum
    /// `½|r + Jₖ t|²` is least at `t = −gₖ/|Jₖ|²`, and there `|r|²` is less by `(gₖ/|Jₖ|)²`. A variable that moves no
    /// goal, `|Jₖ|² ≤ 1e-16 |J|²`, has the gradient of rounding errors: its bound costs nothing.
    pub fn active_bound(&mut self, problem: &Problem, k: usize) -> Option<ActiveBound> {
        let (x, gradient) = (*self.lm.current.x.get(k)?, *self.lm.gradient.get(k)?);
        let (lower, upper) = (*problem.lower.get(k)?, *problem.upper.get(k)?);
        let is_active = (x <= lower && gradient > 0.0) || (x >= upper && gradient < 0.0);
        if !is_active {
            return Some(ActiveBound::default());
        }
        problem.check().ok()?;
        self.lm.current.configuration.check_for(&problem.chain).ok()?;
        if self.lm.current.residual.len() != problem.rows() {
            return None;
        }
        let jacobian = self.lm.jacobian(problem);
        let rows = jacobian.chunks_exact(blocks(problem.columns()));
        let column_square: f64 = rows.map(|row| row[k / 4][k % 4].powi(2)).sum();
        let square: f64 = jacobian.iter().flat_map(|block| block.iter()).map(|j| j * j).sum();
        if column_square <= MIN_COLUMN_SQUARE_SHARE * square {
            return Some(ActiveBound::default());
        }
        Some(ActiveBound {
            overshoot: -gradient / column_square,
            cost: gradient.abs() / column_square.sqrt(),
        })
    }

    /// Weighted residual at the last solution, (m,).
    pub fn residual(&self) -> &[f64] {
        &self.lm.current.residual
    }
}
