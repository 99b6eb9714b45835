//! What Gauss-Newton leaves out of the Hessian: `S = Σ rᵢ ∇²rᵢ`.
//!
//! Turning variable i turns all that hangs on a later j: `∂ωⱼ/∂xᵢ = ωᵢ × ωⱼ`, and the velocity
//! of a carried point likewise. So each goal's part is a sum of products over pairs of variables,
//! cheap beside `JᵀJ`. Exponential coordinates of one joint do not follow that rule among
//! themselves; what they lack is added joint by joint from the gradient.

use crate::linear::{Block, blocks, mirror_upper};
use crate::{Chain, Configuration, LinkId, LinkMotion, Problem, so3};
use nalgebra::{Matrix3, Vector3};

/// Memory for the products: `S` gets `leftᵢ · rightⱼ` for each pair `i ≤ j`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Products {
    left: Vec<Vector3<f64>>,
    right: Vec<Vector3<f64>>,
}

impl Products {
    /// Makes room for n variables.
    pub(crate) fn resize(&mut self, n: usize) {
        self.left.resize(n, Vector3::zeros());
        self.right.resize(n, Vector3::zeros());
    }

    /// Overwrites `out` (n, n) with S; `gradient` is `Jᵀr`.
    pub(crate) fn curvature(
        &mut self,
        problem: &Problem,
        at: &Configuration,
        x: &[f64],
        gradient: &[f64],
        out: &mut [Block],
    ) {
        let chain = &problem.chain;
        out.fill([0.0; 4]);
        self.resize(chain.len());
        let flat = out.as_flattened_mut();
        for goal in &problem.goals {
            goal.curvature(chain, at, self, flat);
        }
        for link in 0..chain.links().len() {
            add_exponential(chain, at, LinkId(link), x, gradient, flat);
        }
        mirror_upper(out, chain.len());
    }

    /// Adds the products of the pairs of variables that `fill` gives values to.
    pub(crate) fn add(
        &mut self,
        out: &mut [f64],
        fill: impl FnOnce(&mut [Vector3<f64>], &mut [Vector3<f64>]),
    ) {
        let (n, width) = (self.left.len(), 4 * blocks(self.left.len()));
        self.left.fill(Vector3::zeros());
        self.right.fill(Vector3::zeros());
        fill(&mut self.left, &mut self.right);
        for (i, left) in self.left.iter().enumerate().filter(|(_, left)| **left != Vector3::zeros())
        {
            for (entry, right) in out[i * width + i..i * width + n].iter_mut().zip(&self.right[i..])
            {
                *entry += left.dot(right);
            }
        }
    }

    /// Adds what a force on a carried point brings: `force · ∂²p/∂xᵢ∂xⱼ = (force × ωᵢ) · ∂p/∂xⱼ`.
    pub(crate) fn add_force(
        &mut self,
        chain: &Chain,
        at: &Configuration,
        link: LinkId,
        position: &Vector3<f64>,
        force: &Vector3<f64>,
        out: &mut [f64],
    ) {
        let arm = at.arm(position);
        self.add(out, |left, right| {
            for &k in chain.movers(link) {
                left[k] = force.cross(&at.turn(k));
                right[k] = at.velocity(k, &arm);
            }
        });
    }
}

/// Adds, for the exponential coordinates of `link`, the torque on it times the difference between
/// their true `∂ωⱼ/∂xᵢ` and the rule for successive hinges. The torque follows from `gᵢ = T · ωᵢ`;
/// where the coordinates are singular nothing is added, and convergence is slower there.
fn add_exponential(
    chain: &Chain,
    at: &Configuration,
    link: LinkId,
    x: &[f64],
    gradient: &[f64],
    out: &mut [f64],
) {
    let (motion, range) = (&chain.links()[link.0].motion, chain.range(link));
    let units: &[Vector3<f64>] = match motion {
        LinkMotion::SwingTwist => &[Vector3::new(1.0, 0.0, 0.0), Vector3::new(0.0, 0.0, 1.0)],
        LinkMotion::Rotation => {
            &[Vector3::new(1.0, 0.0, 0.0), Vector3::new(0.0, 1.0, 0.0), Vector3::new(0.0, 0.0, 1.0)]
        }
        LinkMotion::Fixed | LinkMotion::Axes(_) => return,
    };
    let first = range.end - 3;
    let axes = [at.turn(first), at.turn(first + 1), at.turn(first + 2)];
    let slopes = Vector3::from_column_slice(&gradient[first..first + 3]);
    let Some(torque) = Matrix3::from_columns(&axes).transpose().try_inverse().map(|m| m * slopes)
    else {
        return;
    };
    let before = at.before(chain, link);
    let v = units.iter().zip(&x[first..]).map(|(unit, x)| unit * *x).sum();
    let second = so3::LeftJacobianChange::at(&v);
    for (i, one) in units.iter().enumerate() {
        for (j, other) in units.iter().enumerate().skip(i) {
            let hinges = if i == j { Vector3::zeros() } else { axes[i].cross(&axes[j]) * 0.5 };
            let change = before * second.symmetric(one, other) - hinges;
            out[(first + i) * 4 * blocks(chain.len()) + first + j] += torque.dot(&change);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::gram;
    use crate::loads::Loads;
    use crate::support::{Random, gradient};

    /// The exact Hessian, rows of whole blocks.
    fn hessian(problem: &Problem, x: &[f64]) -> Vec<f64> {
        let (m, n) = (problem.rows(), problem.columns());
        let width = blocks(n);
        let at = Configuration::new(&problem.chain, x);
        let (mut r, mut j) = (vec![0.0; m], vec![[0.0; 4]; m * width]);
        problem.residual(&at, &mut r);
        problem.strided_jacobian(&at, 4 * width, j.as_flattened_mut());
        let (mut first, mut second) = (vec![[0.0; 4]; n * width], vec![[0.0; 4]; n * width]);
        gram(&j, n, &mut first);
        let mut slope = vec![0.0; n];
        problem.gradient(&at, &r, &mut Loads::default(), &mut slope);
        Products::default().curvature(problem, &at, x, &slope, &mut second);
        let both = first.as_flattened().iter().zip(second.as_flattened());
        both.map(|(first, second)| first + second).collect()
    }

    #[test]
    fn the_hessian_matches_differences_of_the_gradient() {
        const STEP: f64 = 1e-5;
        for seed in 0..60 {
            let mut random = Random::new(seed);
            let chain = random.chain();
            let n = chain.len();
            let x = random.variables(&chain, if seed % 10 == 0 { 0.01 } else { 1.0 });
            let at = Configuration::new(&chain, &x);
            for kind in 0..4 {
                let goal = random.goal(kind, &chain, &at, 0.5);
                let problem = Problem::new(chain.clone(), vec![goal]).unwrap();
                let analytic = hessian(&problem, &x);
                for k in 0..n {
                    let moved = |step: f64| {
                        let mut moved = x.clone();
                        moved[k] += step;
                        gradient(&problem, &moved)
                    };
                    let (above, below) = (moved(STEP), moved(-STEP));
                    for l in 0..n {
                        let numeric = (above[l] - below[l]) / (2.0 * STEP);
                        let off = (numeric - analytic[k * 4 * blocks(n) + l]).abs();
                        assert!(off < 1e-8, "seed {seed}, kind {kind}, {k} {l}: {off:.1e}");
                    }
                }
            }
        }
    }
}
