//! A frame at a wanted rotation.

use super::place::three_rows;
use crate::curvature::Products;
use crate::loads::Loads;
use crate::{Chain, Configuration, LinkId, so3};
use nalgebra::{UnitQuaternion, Vector3};

/// A frame of a link that should have a rotation.
///
/// ```text
/// r       = w lever φ,  φ = log(R*⁻¹ R)      (3,)   R = world_from_link · frame
/// ∂r/∂xₖ  = w lever J_r⁻¹(φ) R⁻¹ ωₖ
/// ```
/// Jumps where the error is a half turn (and changes sign there); its Jacobian stays regular.
#[derive(Clone, Debug, PartialEq)]
pub struct Orientation {
    /// The link that carries the frame.
    pub link: LinkId,
    /// `link_from_frame`.
    pub frame: UnitQuaternion<f64>,
    /// Length that turns the angle into a length.
    pub lever: f64,
    /// `R*`.
    pub wanted: UnitQuaternion<f64>,
}

impl Orientation {
    fn error(&self, at: &Configuration) -> Vector3<f64> {
        so3::log(&(self.wanted.inverse() * (at.rotation(self.link) * self.frame)))
    }

    pub(super) fn residual(&self, weight: f64, at: &Configuration, out: &mut [f64]) {
        out.copy_from_slice((self.error(at) * (weight * self.lever)).as_slice());
    }

    pub(super) fn jacobian(&self, w: f64, chain: &Chain, at: &Configuration, out: &mut [f64]) {
        let frame_from_world = (at.rotation(self.link) * self.frame).inverse();
        let factor = so3::right_jacobian_inverse(&self.error(at))
            * frame_from_world.to_rotation_matrix().into_inner()
            * (w * self.lever);
        let [x, y, z] = three_rows(out);
        for &k in chain.movers(self.link) {
            let column = factor * at.turn(k);
            (x[k], y[k], z[k]) = (column.x, column.y, column.z);
        }
    }

    /// The torque `w lever R r`: `J_r⁻ᵀ(φ) φ = φ`.
    pub(super) fn load(
        &self,
        weight: f64,
        at: &Configuration,
        residual: &[f64],
        loads: &mut Loads,
    ) {
        let residual = Vector3::from_column_slice(residual) * (weight * self.lever);
        loads.twist(self.link, &(at.rotation(self.link) * (self.frame * residual)));
    }

    /// With φ in the world and c the coefficient of `J_r⁻¹`, for i before j:
    /// `k ωᵢ·[φ]ₓ²ωⱼ + ½ φ·(ωᵢ × ωⱼ)`, `k = ¼ − c + c²θ²`.
    pub(super) fn curvature(
        &self,
        weight: f64,
        chain: &Chain,
        at: &Configuration,
        products: &mut Products,
        out: &mut [f64],
    ) {
        let error = self.error(at);
        let c = so3::right_jacobian_inverse_coefficient(&error);
        let k = 0.25 - c + c * c * error.norm_squared();
        let scale = (weight * self.lever) * (weight * self.lever);
        let error = at.rotation(self.link) * self.frame * error;
        products.add(out, |left, right| {
            for &variable in chain.movers(self.link) {
                let turn = at.turn(variable);
                let across = error.cross(&turn);
                left[variable] = across * scale;
                right[variable] = turn * 0.5 - across * k;
            }
        });
    }
}
