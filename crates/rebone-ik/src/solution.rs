//! What a solve is asked, and what it says.

/// When a solve stops, and what it does after it has converged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Most steps tried, accepted or not. Default 50.
    pub max_iterations: usize,
    /// The greatest component of the projected gradient of `½|r|²` at which the solve has
    /// converged. Default 1e-13 (lengths in metres of a 1.7 m body, angles in radians).
    pub gradient_tolerance: f64,
    /// Whether what the goals leave free is pulled towards the start. Default true.
    pub null_space: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { max_iterations: 50, gradient_tolerance: 1e-13, null_space: true }
    }
}

/// Why a solve stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Termination {
    /// The optimality conditions hold to the tolerance.
    Converged,
    /// No step lowers the cost any more: rounding, as a rule; `Solution::gradient` tells.
    Stalled,
    /// The last iteration is spent.
    IterationLimit,
    /// The start, the goals or the chain hold a number that is not finite: nothing was done.
    NotFinite,
}

/// How a solve went. Not converging is no error: the best variables found are there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solution {
    /// `½|r|²` at the answer.
    pub cost: f64,
    /// `½|r|²` at the start, moved into its box.
    pub start_cost: f64,
    /// The greatest component of the projected gradient at the answer.
    pub gradient: f64,
    /// Steps tried; 0 when the start is the answer, which is then returned unchanged.
    pub iterations: usize,
    /// Why it stopped.
    pub termination: Termination,
}

/// What a bound keeps a variable from, where the goals would take it further: to first order, all other
/// variables held.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pressure {
    /// How far beyond its bound the variable would go, below the least value if negative: radians, or
    /// units of length of a shift. 0 where no bound presses.
    pub beyond: f64,
    /// How much of the residual that would take away: `|r|²` would fall by its square.
    pub cost: f64,
}
