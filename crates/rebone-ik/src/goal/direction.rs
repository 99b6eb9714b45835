//! Direction goal: the unit vector from one point to another.

use super::point_terms::{
    add_point_hessian, add_point_jacobian, add_point_load, add_point_velocities, three_rows,
};
use crate::algebra::hessian::HessianTerms;
use crate::algebra::loads::Loads;
use crate::{Chain, Configuration, PointRef};
use nalgebra::{Matrix3, Unit, Vector3};

/// Least distance of two points with a direction, in units of length; the residual is constant below.
const MIN_LENGTH: f64 = 1e-9;

/// Direction from point a to point b, of any length.
///
/// ```text
/// r       = w lever (u − d)                        (3,)   u = (b − a)/|b − a|
/// ∂r/∂xₖ  = w lever (I − u uᵀ)/|b − a| ∂(b − a)/∂xₖ
/// ```
/// `u − d` is smooth everywhere, which the angle is not; `|u − d| = 2 sin(angle/2)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Direction {
    /// Start point `a`.
    pub from: PointRef,
    /// End point `b`.
    pub to: PointRef,
    /// Factor from radians to a length, in units of length per radian.
    pub lever: f64,
    /// Target direction `d`, in the world.
    pub target: Unit<Vector3<f64>>,
}

impl Direction {
    /// Returns `u` and `|b − a|`; zeros below [`MIN_LENGTH`].
    fn actual(&self, at: &Configuration) -> (Vector3<f64>, f64) {
        let line = at.position_of(&self.to) - at.position_of(&self.from);
        let length = line.norm();
        if length < MIN_LENGTH { (Vector3::zeros(), 0.0) } else { (line / length, length) }
    }

    pub(super) fn residual(&self, weight: f64, at: &Configuration, out: &mut [f64]) {
        let residual = (self.actual(at).0 - self.target.into_inner()) * (weight * self.lever);
        out.copy_from_slice(residual.as_slice());
    }

    pub(super) fn jacobian(&self, w: f64, chain: &Chain, at: &Configuration, out: &mut [f64]) {
        let (u, length) = self.actual(at);
        if length == 0.0 {
            return;
        }
        let [x, y, z] = three_rows(out);
        let factor = w * self.lever / length;
        add_point_jacobian(chain, at, &self.to, factor, [x, y, z]);
        add_point_jacobian(chain, at, &self.from, -factor, [x, y, z]);
        for ((x, y), z) in x.iter_mut().zip(y).zip(z) {
            let along = u.x * *x + u.y * *y + u.z * *z;
            *x -= u.x * along;
            *y -= u.y * along;
            *z -= u.z * along;
        }
    }

    /// The force `w lever (I − u uᵀ) r/|b − a|` on b, and its opposite on a.
    pub(super) fn load(
        &self,
        weight: f64,
        chain: &Chain,
        at: &Configuration,
        residual: &[f64],
        loads: &mut Loads,
    ) {
        let (u, length) = self.actual(at);
        if length == 0.0 {
            return;
        }
        let residual = Vector3::from_column_slice(residual);
        let force = (residual - u * u.dot(&residual)) * (weight * self.lever / length);
        add_point_load(chain, at, &self.to, &force, loads);
        add_point_load(chain, at, &self.from, &-force, loads);
    }

    /// With `y = b − a`, `L = |y|` and `P = I − u uᵀ`, the cost is `−d · u` but for a constant:
    /// the force on b is `−P d/L`, on a its opposite, and
    /// `∂²/∂y² = (P d uᵀ + u (P d)ᵀ + (d · u) P)/L²`, less Gauss-Newton's `P/L²`.
    pub(super) fn hessian(
        &self,
        weight: f64,
        chain: &Chain,
        at: &Configuration,
        terms: &mut HessianTerms,
        out: &mut [f64],
    ) {
        let (u, length) = self.actual(at);
        if length == 0.0 {
            return;
        }
        let scale = (weight * self.lever) * (weight * self.lever);
        let cos = self.target.dot(&u);
        let across = self.target.into_inner() - u * cos;
        let force = across * (-scale / length);
        add_point_hessian(chain, at, &self.to, &force, terms, out);
        add_point_hessian(chain, at, &self.from, &-force, terms, out);
        let across_u = across * u.transpose();
        let radial = (Matrix3::identity() - u * u.transpose()) * (cos - 1.0);
        let second = (across_u + across_u.transpose() + radial) * (scale / (length * length));
        terms.add(out, |left, right| {
            add_point_velocities(chain, at, &self.to, 1.0, left);
            add_point_velocities(chain, at, &self.from, -1.0, left);
            left.iter().zip(right).for_each(|(left, right)| *right = second * left);
        });
    }
}
