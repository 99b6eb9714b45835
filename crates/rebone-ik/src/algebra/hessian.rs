//! Second-order terms of the Hessian, which Gauss-Newton neglects: `S = Σ rᵢ ∇²rᵢ`.
//!
//! Variable i rotates the axes of all later variables j below it: `∂ωⱼ/∂xᵢ = ωᵢ × ωⱼ`, and likewise
//! the velocity of a point. So the term of each goal is a sum of products over pairs of variables,
//! cheap compared with `JᵀJ`. Exponential coordinates of one joint do not follow that rule among
//! themselves; the difference is added for each joint from the gradient.

use crate::algebra::linear::blocks;
use crate::chain::so3;
use crate::{Chain, Configuration, LinkId, LinkMotion};
use nalgebra::{Matrix3, Vector3};

/// Memory for the products `leftᵢ · rightⱼ`, which are added to `Sᵢⱼ` for each pair `i ≤ j`.
#[derive(Clone, Debug, Default)]
pub(crate) struct HessianTerms {
    left: Vec<Vector3<f64>>,
    right: Vec<Vector3<f64>>,
}

impl HessianTerms {
    /// Sets the number of variables to n.
    pub(crate) fn resize(&mut self, n: usize) {
        self.left.resize(n, Vector3::zeros());
        self.right.resize(n, Vector3::zeros());
    }

    /// Adds the products of the vectors that `fill` writes.
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

    /// Adds the terms of a force on a point of `link`: `force · ∂²p/∂xᵢ∂xⱼ = (force × ωᵢ) · ∂p/∂xⱼ`.
    pub(crate) fn add_force(
        &mut self,
        chain: &Chain,
        at: &Configuration,
        link: LinkId,
        position: &Vector3<f64>,
        force: &Vector3<f64>,
        out: &mut [f64],
    ) {
        let arm = at.lever_arm(position);
        self.add(out, |left, right| {
            for &k in chain.variables_moving(link) {
                left[k] = force.cross(&at.angular_velocity(k));
                right[k] = at.point_velocity(k, &arm);
            }
        });
    }
}

/// Adds, for the exponential coordinates of `link`, the torque on it times the difference between
/// their `∂ωⱼ/∂xᵢ` and that of successive hinges. The torque T follows from `gᵢ = T · ωᵢ`; where
/// the coordinates are singular nothing is added, and convergence is slower there.
pub(crate) fn add_exponential(
    chain: &Chain,
    at: &Configuration,
    link: LinkId,
    x: &[f64],
    gradient: &[f64],
    out: &mut [f64],
) {
    let (motion, range) = (&chain.links()[link.0].motion, chain.own_range(link));
    let units: &[Vector3<f64>] = match motion {
        LinkMotion::SwingTwist => &[Vector3::new(1.0, 0.0, 0.0), Vector3::new(0.0, 0.0, 1.0)],
        LinkMotion::Rotation => {
            &[Vector3::new(1.0, 0.0, 0.0), Vector3::new(0.0, 1.0, 0.0), Vector3::new(0.0, 0.0, 1.0)]
        }
        LinkMotion::Fixed | LinkMotion::Axes(_) => return,
    };
    let first = range.end - 3;
    let axes = [
        at.angular_velocity(first),
        at.angular_velocity(first + 1),
        at.angular_velocity(first + 2),
    ];
    let slopes = Vector3::from_column_slice(&gradient[first..first + 3]);
    let Some(torque) = Matrix3::from_columns(&axes).transpose().try_inverse().map(|m| m * slopes)
    else {
        return;
    };
    let before = at.joint_frame(chain, link);
    let v = units.iter().zip(&x[first..]).map(|(unit, x)| unit * *x).sum();
    let second = so3::LeftJacobianDerivative::at(&v);
    for (i, one) in units.iter().enumerate() {
        for (j, other) in units.iter().enumerate().skip(i) {
            let hinges = if i == j { Vector3::zeros() } else { axes[i].cross(&axes[j]) * 0.5 };
            let change = before * second.symmetric(one, other) - hinges;
            out[(first + i) * 4 * blocks(chain.len()) + first + j] += torque.dot(&change);
        }
    }
}
