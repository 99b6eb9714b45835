//! Rotation group SO(3): exponential, logarithm and their derivatives.
//!
//! Sine, cosine and arctangent come from `libm`, so that results are equal on all machines.
//! Formulas: Solà, Deray & Atchuthan, *A micro Lie theory*, arXiv:1812.01537, appendix B.

use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};

/// Squared angle, radians², below which coefficients come from their series, exact to rounding there.
const MAX_SERIES_ANGLE_SQUARED: f64 = 1e-2;

/// Computes the rotation by `angle` radians about the unit vector `axis`.
pub(crate) fn about(axis: &Vector3<f64>, angle: f64) -> UnitQuaternion<f64> {
    let (sin, cos) = libm::sincos(0.5 * angle);
    UnitQuaternion::new_unchecked(Quaternion::from_parts(cos, axis * sin))
}

/// Computes the rotation by `|v|` radians about `v`.
pub(crate) fn exp(v: &Vector3<f64>) -> UnitQuaternion<f64> {
    let angle = v.norm();
    if angle < 1e-8 {
        return UnitQuaternion::new_normalize(Quaternion::from_parts(1.0, 0.5 * v));
    }
    let (sin, cos) = libm::sincos(0.5 * angle);
    UnitQuaternion::new_unchecked(Quaternion::from_parts(cos, v * (sin / angle)))
}

/// Computes the rotation vector of `q`, of length at most π; changes sign at a half turn.
pub(crate) fn log(q: &UnitQuaternion<f64>) -> Vector3<f64> {
    let sign = if q.w < 0.0 { -1.0 } else { 1.0 };
    let (w, v) = (sign * q.w, sign * q.imag());
    let sin = v.norm();
    if sin < 1e-8 {
        return v * (2.0 / w);
    }
    v * (2.0 * libm::atan2(sin, w) / sin)
}

/// Computes the coefficients `a`, `b` of the left Jacobian `I + a [v]ₓ + b [v]ₓ²`, with
/// `a = (1 − cos θ)/θ²` and `b = (θ − sin θ)/θ³`, `θ = |v|`.
pub(crate) fn left_jacobian_coefficients(v: &Vector3<f64>) -> (f64, f64) {
    let t2 = v.norm_squared();
    if t2 < MAX_SERIES_ANGLE_SQUARED {
        let a = 0.5 - t2 * (1.0 / 24.0 - t2 * (1.0 / 720.0 - t2 / 40320.0));
        let b = 1.0 / 6.0 - t2 * (1.0 / 120.0 - t2 * (1.0 / 5040.0 - t2 / 362880.0));
        return (a, b);
    }
    let angle = t2.sqrt();
    let (sin, cos) = libm::sincos(angle);
    ((1.0 - cos) / t2, (angle - sin) / (t2 * angle))
}

/// Applies the left Jacobian to `rate` = v̇, given its coefficients at `v`: the angular velocity of
/// `exp(v)` in the space that it rotates into.
pub(crate) fn left_jacobian_times(
    v: &Vector3<f64>,
    (a, b): (f64, f64),
    rate: &Vector3<f64>,
) -> Vector3<f64> {
    let once = v.cross(rate);
    rate + once * a + v.cross(&once) * b
}

/// Derivative of the left Jacobian by `v`.
pub(crate) struct LeftJacobianDerivative {
    v: Vector3<f64>,
    b: f64,
    /// `a′/θ` and `b′/θ`, so that `∂a/∂vⱼ = a′/θ vⱼ`.
    a_rate: f64,
    b_rate: f64,
}

impl LeftJacobianDerivative {
    /// Computes the coefficients at `v`.
    pub(crate) fn at(v: &Vector3<f64>) -> Self {
        let (a, b) = left_jacobian_coefficients(v);
        let t2 = v.norm_squared();
        let (a_rate, b_rate) = if t2 < MAX_SERIES_ANGLE_SQUARED {
            (
                -1.0 / 12.0 + t2 * (1.0 / 180.0 - t2 / 6720.0),
                -1.0 / 60.0 + t2 * (1.0 / 1260.0 - t2 / 60480.0),
            )
        } else {
            let angle = t2.sqrt();
            ((libm::sin(angle) / angle - 2.0 * a) / t2, (a - 3.0 * b) / t2)
        };
        Self { v: *v, b, a_rate, b_rate }
    }

    /// Computes `½ (∂J/∂v·e f + ∂J/∂v·f e)`.
    pub(crate) fn symmetric(&self, e: &Vector3<f64>, f: &Vector3<f64>) -> Vector3<f64> {
        let (v, ve, vf) = (self.v, self.v.cross(e), self.v.cross(f));
        let (along_e, along_f) = (v.dot(e), v.dot(f));
        let linear = vf * along_e + ve * along_f;
        let square = v.cross(&linear);
        (linear * self.a_rate + square * self.b_rate + (e.cross(&vf) + f.cross(&ve)) * self.b) * 0.5
    }
}

/// Computes the inverse of the right Jacobian at `v`: `d log(E exp(η)) = J η` with `v = log E`.
///
/// `I + ½ [v]ₓ + (1 − ½θ cot ½θ)/θ² [v]ₓ²`: regular up to and beyond `θ = π`.
pub(crate) fn right_jacobian_inverse(v: &Vector3<f64>) -> Matrix3<f64> {
    let c = right_jacobian_inverse_coefficient(v);
    let cross = v.cross_matrix();
    Matrix3::identity() + cross * 0.5 + cross * cross * c
}

/// Computes `(1 − ½θ cot ½θ)/θ²` of [`right_jacobian_inverse`].
pub(crate) fn right_jacobian_inverse_coefficient(v: &Vector3<f64>) -> f64 {
    let t2 = v.norm_squared();
    if t2 < MAX_SERIES_ANGLE_SQUARED {
        return 1.0 / 12.0 + t2 * (1.0 / 720.0 + t2 * (1.0 / 30240.0 + t2 / 1_209_600.0));
    }
    let half = 0.5 * t2.sqrt();
    let (sin, cos) = libm::sincos(half);
    (1.0 - half * cos / sin) / t2
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    fn vectors() -> Vec<Vector3<f64>> {
        let direction = Vector3::new(0.48, -0.6, 0.64);
        [0.0, 1e-12, 1e-7, 1e-3, 0.0999, 0.1001, 1.0, 2.5, 0.999 * PI]
            .iter()
            .map(|angle| direction * *angle)
            .collect()
    }

    #[test]
    fn log_undoes_exp() {
        for v in vectors() {
            assert!((log(&exp(&v)) - v).norm() <= 4e-15 * (1.0 + v.norm()), "{v}");
            let minus = UnitQuaternion::new_unchecked(-exp(&v).into_inner());
            assert!((log(&minus) - v).norm() <= 4e-15 * (1.0 + v.norm()), "{v}");
        }
    }

    #[test]
    fn jacobians_match_central_differences() {
        let h = 1e-5;
        for v in vectors() {
            let coefficients = left_jacobian_coefficients(&v);
            let inverse = right_jacobian_inverse(&v);
            for k in 0..3 {
                let step = Vector3::ith(k, h);
                let turned = exp(&(v + step)) * exp(&(v - step)).inverse();
                let numeric = log(&turned) / (2.0 * h);
                let analytic = left_jacobian_times(&v, coefficients, &Vector3::ith(k, 1.0));
                assert!((numeric - analytic).norm() < 1e-9, "left {v} {k}");
                let numeric =
                    (log(&(exp(&v) * exp(&step))) - log(&(exp(&v) * exp(&-step)))) / (2.0 * h);
                assert!((numeric - inverse.column(k)).norm() < 1e-9, "inverse {v} {k}");
            }
            let change = LeftJacobianDerivative::at(&v);
            for (e, f) in
                [(0, 0), (0, 2), (1, 2)].map(|(e, f)| (Vector3::ith(e, 1.0), Vector3::ith(f, 1.0)))
            {
                let at = |v: Vector3<f64>, rate: &Vector3<f64>| {
                    left_jacobian_times(&v, left_jacobian_coefficients(&v), rate)
                };
                let half = |e: Vector3<f64>, f: &Vector3<f64>| {
                    (at(v + e * h, f) - at(v - e * h, f)) / (4.0 * h)
                };
                let numeric = half(e, &f) + half(f, &e);
                assert!((numeric - change.symmetric(&e, &f)).norm() < 1e-9, "change {v}");
            }
        }
    }
}
