//! Derivatives of rotation vectors.

use nalgebra::{Matrix3, Vector3};

/// The left Jacobian of a rotation vector `r` of angle `a`: `I + (1 − cos a)/a² [r] + (a − sin a)/a³ [r]²`.
pub(crate) fn left_jacobian(vector: &Vector3<f64>) -> Matrix3<f64> {
    let angle = vector.norm();
    let cross = vector.cross_matrix();
    let (first, second) = if angle < 1e-4 {
        (0.5, 1.0 / 6.0)
    } else {
        let square = angle * angle;
        ((1.0 - libm::cos(angle)) / square, (angle - libm::sin(angle)) / (square * angle))
    };
    Matrix3::identity() + cross * first + cross * cross * second
}
