//! The optimisation problem: chain, goals, box of the variables and start.

use crate::algebra::hessian::{HessianTerms, add_exponential};
use crate::algebra::linear::{Block, mirror_upper};
use crate::algebra::loads::Loads;
use crate::{Chain, Configuration, Goal, IkError, LinkId};

/// `min ½ |r(x)|²` over `lower ≤ x ≤ upper`, from `start`.
///
/// Build it once; in each frame set targets and weights of the goals, the box, the start, and
/// where they change the constants of the chain. `lower`, `upper` and `start` have one number for
/// each variable.
///
/// ```
/// use nalgebra::Vector3;
/// use rebone_ik::{Chain, Goal, Link, LinkId, LinkMotion, Point, Problem};
///
/// let hinge = LinkMotion::Axes(vec![Vector3::z_axis()]);
/// let chain = Chain::new(vec![Link::new(None, Vector3::zeros(), hinge)])?;
/// let tip = Point { link: LinkId(0), offset: Vector3::x() };
/// let mut problem = Problem::new(chain, vec![Goal::position(1.0, tip, Vector3::y())])?;
/// (problem.lower[0], problem.upper[0]) = (-0.5, 1.0);
/// // The next frame.
/// problem.goals[0].set_target_position(Vector3::x());
/// assert_eq!((problem.rows(), problem.columns()), (3, 1));
/// # Ok::<(), rebone_ik::IkError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Kinematic chain.
    pub chain: Chain,
    /// Goals, in the order of their rows in the residual.
    pub goals: Vec<Goal>,
    /// Lower limit of each variable, radians or units of length; `-inf` for none, the default.
    pub lower: Vec<f64>,
    /// Upper limit of each variable; `inf` for none, the default; equal to the lower limit to lock it.
    pub upper: Vec<f64>,
    /// Initial values, and the reference of posture regularisation. Default 0.
    pub start: Vec<f64>,
}

impl Problem {
    /// Builds a problem without limits that starts at 0.
    ///
    /// # Errors
    /// A goal on a link that the chain does not have.
    pub fn new(chain: Chain, goals: Vec<Goal>) -> Result<Self, IkError> {
        let n = chain.len();
        let (lower, upper) = (vec![f64::NEG_INFINITY; n], vec![f64::INFINITY; n]);
        let problem = Self { chain, goals, lower, upper, start: vec![0.0; n] };
        problem.check()?;
        Ok(problem)
    }

    /// Checks the lengths of the lists and the links of the goals.
    pub(crate) fn check(&self) -> Result<(), IkError> {
        self.chain.check_len("lower", self.lower.len())?;
        self.chain.check_len("upper", self.upper.len())?;
        self.chain.check_len("start", self.start.len())?;
        let links = self.chain.links().len();
        for (goal, each) in self.goals.iter().enumerate() {
            if let Some(link) = each.links().into_iter().find(|link| link.0 >= links) {
                return Err(IkError::NoSuchLink { goal, link, links });
            }
        }
        Ok(())
    }

    /// Number of variables, n.
    pub fn columns(&self) -> usize {
        self.chain.len()
    }

    /// Number of rows of the residual, m.
    pub fn rows(&self) -> usize {
        self.goals.iter().map(Goal::rows).sum()
    }

    /// Clamps `value` to the limits of variable `k`; NaN stays NaN.
    pub(crate) fn clamp(&self, k: usize, value: f64) -> f64 {
        if value.is_nan() { value } else { value.max(self.lower[k]).min(self.upper[k]) }
    }

    /// Computes the residual `r`, (m,).
    ///
    /// # Errors
    /// When `at` is of another chain, or a goal on a link that the chain does not have.
    pub fn residual(&self, at: &Configuration) -> Result<Vec<f64>, IkError> {
        self.check()?;
        at.check_for(&self.chain)?;
        let mut out = vec![0.0; self.rows()];
        self.write_residual(at, &mut out);
        Ok(out)
    }

    /// Computes the Jacobian `∂r/∂x`, (m, n), row-major.
    ///
    /// # Errors
    /// As for [`Problem::residual`].
    pub fn jacobian(&self, at: &Configuration) -> Result<Vec<f64>, IkError> {
        self.check()?;
        at.check_for(&self.chain)?;
        let mut out = vec![0.0; self.rows() * self.columns()];
        self.strided_jacobian(at, self.columns(), &mut out);
        Ok(out)
    }

    /// Writes the residual `r`, (m,).
    pub(crate) fn write_residual(&self, at: &Configuration, mut out: &mut [f64]) {
        for goal in &self.goals {
            let (rows, rest) = out.split_at_mut(goal.rows());
            goal.residual(at, rows);
            out = rest;
        }
    }

    /// Writes the Jacobian with `stride` numbers in a row, zeros after the last column.
    pub(crate) fn strided_jacobian(&self, at: &Configuration, stride: usize, mut out: &mut [f64]) {
        out.fill(0.0);
        for goal in &self.goals {
            let (rows, rest) = out.split_at_mut(goal.rows() * stride);
            goal.jacobian(&self.chain, at, rows);
            out = rest;
        }
    }

    /// Writes the gradient `Jᵀr` of `½|r|²`, (n,), from the residual `r` at `at`.
    pub(crate) fn gradient(
        &self,
        at: &Configuration,
        mut residual: &[f64],
        loads: &mut Loads,
        out: &mut [f64],
    ) {
        loads.clear(self.chain.links().len());
        for goal in &self.goals {
            let (rows, rest) = residual.split_at(goal.rows());
            goal.load(&self.chain, at, rows, loads);
            residual = rest;
        }
        loads.gradient(&self.chain, at, out);
    }

    /// Overwrites `out`, (n, n), with the second-order terms `Σ rᵢ ∇²rᵢ` of the Hessian; `gradient`
    /// is `Jᵀr`.
    pub(crate) fn second_order_hessian(
        &self,
        at: &Configuration,
        x: &[f64],
        gradient: &[f64],
        terms: &mut HessianTerms,
        out: &mut [Block],
    ) {
        out.fill([0.0; 4]);
        terms.resize(self.chain.len());
        let flat = out.as_flattened_mut();
        for goal in &self.goals {
            goal.hessian(&self.chain, at, terms, flat);
        }
        for link in 0..self.chain.links().len() {
            add_exponential(&self.chain, at, LinkId(link), x, gradient, flat);
        }
        mirror_upper(out, self.chain.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::linear::{blocks, gram};
    use crate::algebra::loads::Loads;
    use crate::support::{KINDS, Random, gradient};

    /// The exact Hessian, rows of whole blocks.
    fn hessian(problem: &Problem, x: &[f64]) -> Vec<f64> {
        let (m, n) = (problem.rows(), problem.columns());
        let width = blocks(n);
        let at = Configuration::new(&problem.chain, x).unwrap();
        let (mut r, mut j) = (vec![0.0; m], vec![[0.0; 4]; m * width]);
        problem.write_residual(&at, &mut r);
        problem.strided_jacobian(&at, 4 * width, j.as_flattened_mut());
        let (mut first, mut second) = (vec![[0.0; 4]; n * width], vec![[0.0; 4]; n * width]);
        gram(&j, n, &mut first);
        let mut slope = vec![0.0; n];
        problem.gradient(&at, &r, &mut Loads::default(), &mut slope);
        problem.second_order_hessian(&at, x, &slope, &mut HessianTerms::default(), &mut second);
        let both = first.as_flattened().iter().zip(second.as_flattened());
        both.map(|(first, second)| first + second).collect()
    }

    #[test]
    fn the_hessian_matches_differences_of_the_gradient() {
        const DIFFERENCE_STEP: f64 = 1e-5;
        for seed in 0..60 {
            let mut random = Random::new(seed);
            let chain = random.chain();
            let n = chain.len();
            let x = random.variables(&chain, if seed % 10 == 0 { 0.01 } else { 1.0 });
            let at = Configuration::new(&chain, &x).unwrap();
            for kind in 0..KINDS {
                let goal = random.goal(kind, &chain, &at, 0.5);
                let problem = Problem::new(chain.clone(), vec![goal]).unwrap();
                let analytic = hessian(&problem, &x);
                for k in 0..n {
                    let moved = |step: f64| {
                        let mut moved = x.clone();
                        moved[k] += step;
                        gradient(&problem, &moved)
                    };
                    let (above, below) = (moved(DIFFERENCE_STEP), moved(-DIFFERENCE_STEP));
                    for l in 0..n {
                        let numeric = (above[l] - below[l]) / (2.0 * DIFFERENCE_STEP);
                        let off = (numeric - analytic[k * 4 * blocks(n) + l]).abs();
                        assert!(off < 1e-8, "seed {seed}, kind {kind}, {k} {l}: {off:.1e}");
                    }
                }
            }
        }
    }
}
