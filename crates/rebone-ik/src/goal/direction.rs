//! A line from place to place along a wanted direction, whatever its length.

use super::place::{Place, add_force, add_place, add_velocities, push, three_rows};
use crate::curvature::Products;
use crate::loads::Loads;
use crate::{Chain, Configuration};
use nalgebra::{Matrix3, Unit, Vector3};

/// Places nearer than this have no direction: the residual is then constant.
const SHORTEST: f64 = 1e-9;

/// A line from place to place that should have a direction, whatever its length.
///
/// ```text
/// r       = w lever (u − d)                        (3,)   u = (b − a)/|b − a|
/// ∂r/∂xₖ  = w lever (I − u uᵀ)/|b − a| ∂(b − a)/∂xₖ
/// ```
/// `u − d` and not the angle: it is smooth everywhere, and `|u − d| = 2 sin(angle/2)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Direction {
    /// `a`.
    pub from: Place,
    /// `b`.
    pub to: Place,
    /// Length that turns the angle into a length.
    pub lever: f64,
    /// `d`, in the world.
    pub wanted: Unit<Vector3<f64>>,
}

impl Direction {
    /// `u` and `|b − a|`; zeros when there is no direction.
    fn actual(&self, at: &Configuration) -> (Vector3<f64>, f64) {
        let line = at.place(&self.to) - at.place(&self.from);
        let length = line.norm();
        if length < SHORTEST { (Vector3::zeros(), 0.0) } else { (line / length, length) }
    }

    pub(super) fn residual(&self, weight: f64, at: &Configuration, out: &mut [f64]) {
        let residual = (self.actual(at).0 - self.wanted.into_inner()) * (weight * self.lever);
        out.copy_from_slice(residual.as_slice());
    }

    pub(super) fn jacobian(&self, w: f64, chain: &Chain, at: &Configuration, out: &mut [f64]) {
        let (u, length) = self.actual(at);
        if length == 0.0 {
            return;
        }
        let [x, y, z] = three_rows(out);
        let factor = w * self.lever / length;
        add_place(chain, at, &self.to, factor, [x, y, z]);
        add_place(chain, at, &self.from, -factor, [x, y, z]);
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
        push(chain, at, &self.to, &force, loads);
        push(chain, at, &self.from, &-force, loads);
    }

    /// With `y = b − a`, `L = |y|` and `P = I − u uᵀ`, the cost is `−d · u` but for a constant:
    /// the force on b is `−P d/L`, on a its opposite, and
    /// `∂²/∂y² = (P d uᵀ + u (P d)ᵀ + (d · u) P)/L²`, less Gauss-Newton's `P/L²`.
    pub(super) fn curvature(
        &self,
        weight: f64,
        chain: &Chain,
        at: &Configuration,
        products: &mut Products,
        out: &mut [f64],
    ) {
        let (u, length) = self.actual(at);
        if length == 0.0 {
            return;
        }
        let scale = (weight * self.lever) * (weight * self.lever);
        let cos = self.wanted.dot(&u);
        let across = self.wanted.into_inner() - u * cos;
        let force = across * (-scale / length);
        add_force(chain, at, &self.to, &force, products, out);
        add_force(chain, at, &self.from, &-force, products, out);
        let across_u = across * u.transpose();
        let own = (Matrix3::identity() - u * u.transpose()) * (cos - 1.0);
        let second = (across_u + across_u.transpose() + own) * (scale / (length * length));
        products.add(out, |left, right| {
            add_velocities(chain, at, &self.to, 1.0, left);
            add_velocities(chain, at, &self.from, -1.0, left);
            left.iter().zip(right).for_each(|(left, right)| *right = second * left);
        });
    }
}
