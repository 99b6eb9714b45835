//! Solvers by name.

use crate::Options;
use std::{fmt, str::FromStr};

/// A solver by name.
///
/// All but [`SolverKind::Lm`] are for comparison. That of argmin exists with the feature `argmin`.
/// It is unbounded: it works on variables `y` without limits, with `x = middle + half · sin y`
/// where a variable has both limits, `x = limit ± (√(1 + y²) − 1)` where it has one, `x = y` where
/// it has none (James & Roos, *MINUIT*, 1975), so the solution is always inside its box. A start at a
/// limit is moved inside by a thousandth of the half width.
///
/// Only [`SolverKind::Lm`] has posture regularisation.
///
/// ```
/// use rebone_ik::SolverKind;
///
/// assert_eq!("lm".parse(), Ok(SolverKind::Lm));
/// let error = "newton".parse::<SolverKind>().unwrap_err();
/// assert!(error.to_string().starts_with("no solver newton in this build: use lm, jacobian-transpose"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SolverKind {
    /// Bounded Levenberg-Marquardt: [`Solver`](crate::Solver).
    #[default]
    Lm,
    /// Steps along the Jacobian's transpose, `Δx = α Jᵀe` with `α = ⟨e, JJᵀe⟩ / ⟨JJᵀe, JJᵀe⟩`, clamped to the box
    /// (Wolovich & Elliott 1984; α after Buss 2009).
    JacobianTranspose,
    /// Simplex of Nelder & Mead (1965), without derivatives; initial edges of 0.1 in each variable.
    #[cfg(feature = "argmin")]
    NelderMead,
}

impl SolverKind {
    /// All solvers of this build, the default first.
    #[cfg(feature = "argmin")]
    pub const ALL: [Self; 3] = [Self::Lm, Self::JacobianTranspose, Self::NelderMead];
    /// All solvers of this build.
    #[cfg(not(feature = "argmin"))]
    pub const ALL: [Self; 2] = [Self::Lm, Self::JacobianTranspose];

    /// Name: `lm`, `jacobian-transpose` or `nelder-mead`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lm => "lm",
            Self::JacobianTranspose => "jacobian-transpose",
            #[cfg(feature = "argmin")]
            Self::NelderMead => "nelder-mead",
        }
    }

    /// Iteration limit and tolerance that suit the solver. The simplex takes many cheap iterations.
    /// The tolerance of the others is 1e-9: the transpose of the Jacobian converges linearly.
    pub fn options(self) -> Options {
        let max_iterations = match self {
            Self::Lm => return Options::default(),
            #[cfg(feature = "argmin")]
            Self::NelderMead => 3000,
            _ => 500,
        };
        Options { max_iterations, gradient_tolerance: 1e-9, ..Options::default() }
    }
}

impl fmt::Display for SolverKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no solver of this build has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no solver {0} in this build: use {names}", names = SolverKind::ALL.map(SolverKind::name).join(", "))]
pub struct UnknownSolver(pub String);

impl FromStr for SolverKind {
    type Err = UnknownSolver;

    fn from_str(name: &str) -> Result<Self, UnknownSolver> {
        let kind = Self::ALL.into_iter().find(|kind| kind.name() == name);
        kind.ok_or_else(|| UnknownSolver(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for kind in SolverKind::ALL {
            assert_eq!(kind.to_string().parse(), Ok(kind));
        }
        assert_eq!("bfgs".parse::<SolverKind>(), Err(UnknownSolver("bfgs".to_owned())));
    }
}
