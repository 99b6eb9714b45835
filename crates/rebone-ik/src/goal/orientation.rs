//! Orientation goal: the rotation of a frame.

use super::point_terms::three_rows;
use crate::algebra::hessian::HessianTerms;
use crate::algebra::loads::Loads;
use crate::chain::so3;
use crate::{Chain, Configuration, LinkId};
use nalgebra::{UnitQuaternion, Vector3};

/// Rotation of a link's frame in the world.
///
/// ```text
/// r       = w lever φ,  φ = log(R*⁻¹ R)      (3,)   R = world_from_link · frame
/// ∂r/∂xₖ  = w lever J_r⁻¹(φ) R⁻¹ ωₖ
/// ```
/// The residual changes sign where the error is a half turn; its Jacobian stays regular.
#[derive(Clone, Debug, PartialEq)]
pub struct Orientation {
    /// Link that carries the frame.
    pub link: LinkId,
    /// Constant rotation `link_from_frame`.
    pub frame: UnitQuaternion<f64>,
    /// Factor from radians to a length, in units of length per radian.
    pub lever: f64,
    /// Target rotation `R*` of the frame, in the world.
    pub target: UnitQuaternion<f64>,
}

impl Orientation {
    fn error(&self, at: &Configuration) -> Vector3<f64> {
        so3::log(&(self.target.inverse() * (at.own_rotation(self.link) * self.frame)))
    }

    pub(super) fn residual(&self, weight: f64, at: &Configuration, out: &mut [f64]) {
        out.copy_from_slice((self.error(at) * (weight * self.lever)).as_slice());
    }

    pub(super) fn jacobian(&self, w: f64, chain: &Chain, at: &Configuration, out: &mut [f64]) {
        let frame_from_world = (at.own_rotation(self.link) * self.frame).inverse();
        let factor = so3::right_jacobian_inverse(&self.error(at))
            * frame_from_world.to_rotation_matrix().into_inner()
            * (w * self.lever);
        let [x, y, z] = three_rows(out);
        for &k in chain.variables_moving(self.link) {
            let column = factor * at.angular_velocity(k);
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
        loads.add_torque(self.link, &(at.own_rotation(self.link) * (self.frame * residual)));
    }

    /// With φ in world axes and c the coefficient of `J_r⁻¹`, for i before j:
    /// `k ωᵢ·[φ]ₓ²ωⱼ + ½ φ·(ωᵢ × ωⱼ)`, `k = ¼ − c + c²θ²`.
    pub(super) fn hessian(
        &self,
        weight: f64,
        chain: &Chain,
        at: &Configuration,
        terms: &mut HessianTerms,
        out: &mut [f64],
    ) {
        let error = self.error(at);
        let c = so3::right_jacobian_inverse_coefficient(&error);
        let k = 0.25 - c + c * c * error.norm_squared();
        let scale = (weight * self.lever) * (weight * self.lever);
        let error = at.own_rotation(self.link) * self.frame * error;
        terms.add(out, |left, right| {
            for &variable in chain.variables_moving(self.link) {
                let turn = at.angular_velocity(variable);
                let across = error.cross(&turn);
                left[variable] = across * scale;
                right[variable] = turn * 0.5 - across * k;
            }
        });
    }
}
