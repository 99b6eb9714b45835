//! Options and results of a solver.

/// Stop criteria and regularisation of a solver.
///
/// ```
/// use rebone_ik::{Options, Solver};
///
/// let options = Options { max_iterations: 100, ..Options::default() };
/// assert!(Solver::new(options).options.posture_regularisation);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Greatest number of steps tried, accepted or not. Default 50.
    pub max_iterations: usize,
    /// Greatest component of the projected gradient of `½|r|²` at convergence. Default 1e-13 (lengths in metres of a 1.7 m body, angles in radians).
    pub gradient_tolerance: f64,
    /// Pulls the posture towards the start in the null space of the goals. Default true.
    pub posture_regularisation: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { max_iterations: 50, gradient_tolerance: 1e-13, posture_regularisation: true }
    }
}

/// Reason for the end of a solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Termination {
    /// The optimality conditions hold to the tolerance.
    Converged,
    /// No step lowers the cost further, as a rule due to rounding; see [`Solution::gradient`].
    Stalled,
    /// The number of iterations has reached its limit.
    IterationLimit,
    /// Start, goals or chain contain a number that is not finite; the variables are the start.
    NotFinite,
}

/// Result of a solve. Not converging is no error: the solver holds the best variables found.
///
/// ```
/// use nalgebra::Vector3;
/// use rebone_ik::{Chain, Goal, Link, LinkId, LinkMotion, Options, Point, Problem, Solver};
/// use rebone_ik::Termination;
///
/// let chain = Chain::new(vec![Link::new(None, Vector3::zeros(), LinkMotion::SwingTwist)])?;
/// let tip = Point { link: LinkId(0), offset: Vector3::y() };
/// // Out of reach by 1: the best is ½ · 1².
/// let goal = Goal::position(1.0, tip, Vector3::new(0.0, 1.6, 1.2));
/// let solution = Solver::new(Options::default()).solve(&Problem::new(chain, vec![goal])?)?;
/// assert!((solution.cost - 0.5).abs() < 1e-12);
/// assert_ne!(solution.termination, Termination::IterationLimit);
/// # Ok::<(), rebone_ik::IkError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solution {
    /// `½|r|²` at the solution.
    pub cost: f64,
    /// `½|r|²` at the start, clamped to its box.
    pub start_cost: f64,
    /// Greatest component of the projected gradient at the solution.
    pub gradient: f64,
    /// Number of steps tried; 0 when the start is optimal, which is then returned bit for bit.
    pub iterations: usize,
    /// Reason for the end.
    pub termination: Termination,
}

/// Active bound of a variable: overshoot without the bound, and its cost. First order, with all other
/// variables locked. All 0 where the bound is inactive.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ActiveBound {
    /// Distance beyond the bound at the minimum without it, negative below the lower limit: radians, or
    /// units of length for a translation.
    pub overshoot: f64,
    /// Residual caused by the bound: `|r|²` would fall by the square of it.
    pub cost: f64,
}
