//! Twist goal: the rotation of a frame about its own Y axis.

use crate::algebra::hessian::HessianTerms;
use crate::algebra::loads::Loads;
use crate::{Chain, Configuration, LinkId};
use nalgebra::{UnitQuaternion, Vector3};

/// Least squared cosine of half the swing angle at which the twist is defined.
const MIN_TWIST_COS_SQUARED: f64 = 1e-12;

/// Twist of a link's frame about its own Y axis, target 0; its swing is free.
///
/// With `E = R*⁻¹ R = (w; x, y, z)`, `R = world_from_link · frame`:
/// ```text
/// r       = w lever θ,  θ = 2 atan2(y, w)     (1,)   the twist of E about Y
/// ∂r/∂xₖ  = w lever (R a) · ωₖ,  a = (wz + xy, w² + y², yz − wx)/(w² + y²)
/// ```
/// From `Ė = ½ E (0; R⁻¹ω)`. Undefined where E swings Y by a half turn: residual and Jacobian are 0
/// there. Jumps by a full turn where E twists by a half turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Axial {
    /// Link that carries the frame.
    pub link: LinkId,
    /// Constant rotation `link_from_frame`.
    pub frame: UnitQuaternion<f64>,
    /// Factor from radians to a length, in units of length per radian.
    pub lever: f64,
    /// Target rotation `R*` of the frame, in the world.
    pub target: UnitQuaternion<f64>,
}

impl Axial {
    pub(super) fn residual(&self, weight: f64, at: &Configuration, out: &mut [f64]) {
        let error = self.target.inverse() * (at.own_rotation(self.link) * self.frame);
        let (w, y) = (error.w, error.j);
        let defined = w * w + y * y > MIN_TWIST_COS_SQUARED;
        out[0] = if defined { weight * self.lever * angle(w, y) } else { 0.0 };
    }

    /// Derivative of r by the angular velocity, in the world; `None` where the twist is undefined.
    fn slope(&self, weight: f64, at: &Configuration) -> Option<Vector3<f64>> {
        let rotation = at.own_rotation(self.link) * self.frame;
        let error = self.target.inverse() * rotation;
        let (w, x, y, z) = (error.w, error.i, error.j, error.k);
        let square = w * w + y * y;
        let gradient = Vector3::new((w * z + x * y) / square, 1.0, (y * z - w * x) / square);
        (square > MIN_TWIST_COS_SQUARED).then(|| rotation * gradient * (weight * self.lever))
    }

    pub(super) fn jacobian(&self, weight: f64, chain: &Chain, at: &Configuration, out: &mut [f64]) {
        let Some(slope) = self.slope(weight, at) else { return };
        for &k in chain.variables_moving(self.link) {
            out[k] = slope.dot(&at.angular_velocity(k));
        }
    }

    pub(super) fn load(
        &self,
        weight: f64,
        at: &Configuration,
        residual: &[f64],
        loads: &mut Loads,
    ) {
        if let Some(slope) = self.slope(weight, at) {
            loads.add_torque(self.link, &(slope * residual[0]));
        }
    }

    /// `θ̇ = b · ζ` with `ζ = R*⁻¹ω` and `b = (X, 1, Z)`, `X = (xy − wz)/N`, `Z = (yz + wx)/N`,
    /// `N = w² + y²`; for i before j `∂²θ = ζᵢ · ∂b/∂xⱼ`, from `Ė = ½ (0; ζ) E`.
    pub(super) fn hessian(
        &self,
        weight: f64,
        chain: &Chain,
        at: &Configuration,
        terms: &mut HessianTerms,
        out: &mut [f64],
    ) {
        let rotation = at.own_rotation(self.link) * self.frame;
        let error = self.target.inverse() * rotation;
        let (w, x, y, z) = (error.w, error.i, error.j, error.k);
        let square = w * w + y * y;
        if square <= MIN_TWIST_COS_SQUARED {
            return;
        }
        let (along_x, along_z) = ((x * y - w * z) / square, (y * z + w * x) / square);
        let scale = (weight * self.lever) * (weight * self.lever) * angle(w, y);
        let wanted_from_world = self.target.inverse();
        terms.add(out, |left, right| {
            for &k in chain.variables_moving(self.link) {
                let turn = wanted_from_world * at.angular_velocity(k);
                let v = (turn * w + turn.cross(&Vector3::new(x, y, z))) * 0.5;
                let dw = -0.5 * turn.dot(&Vector3::new(x, y, z));
                let ds = 2.0 * (w * dw + y * v.y);
                let dx = (v.x * y + x * v.y - dw * z - w * v.z - along_x * ds) / square;
                let dz = (v.y * z + y * v.z + dw * x + w * v.x - along_z * ds) / square;
                left[k] = turn * scale;
                right[k] = Vector3::new(dx, 0.0, dz);
            }
        });
    }
}

/// Twist angle `2 atan2(y, w)` of a unit quaternion of either sign, in −π to π.
fn angle(w: f64, y: f64) -> f64 {
    let sign = if w < 0.0 { -1.0 } else { 1.0 };
    2.0 * libm::atan2(sign * y, sign * w)
}
