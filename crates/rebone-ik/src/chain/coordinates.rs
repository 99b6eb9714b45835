//! Joint coordinates of a rotation: the inverse of [`LinkMotion::rotation`].

use super::so3;
use crate::LinkMotion;
use nalgebra::{Unit, UnitQuaternion, Vector3};
use std::f64::consts::TAU;

/// Greatest absolute cosine between two axes at right angles.
const MAX_RIGHT_ANGLE_COS: f64 = 1e-9;

impl LinkMotion {
    /// Computes the variables at which `Q(x)` is nearest to `rotation`: equal to it for three
    /// variables. The first [`LinkMotion::len`] of the three numbers are valid.
    ///
    /// Of equivalent values returns those nearest to `near`, as a rule the middle of the range. In gimbal lock the last angle is that of `near`; at a swing of
    /// a half turn the twist is 0.
    ///
    /// `None` for two or three axes that are not at right angles.
    pub fn coordinates(&self, rotation: &UnitQuaternion<f64>, near: &[f64; 3]) -> Option<[f64; 3]> {
        let mut x = match self {
            LinkMotion::Fixed => return Some([0.0; 3]),
            LinkMotion::Rotation => return Some(so3::log(rotation).into()),
            LinkMotion::SwingTwist => return Some(swing_twist(rotation, near[2])),
            LinkMotion::Axes(axes) => match axes.as_slice() {
                [a] => [2.0 * libm::atan2(rotation.imag().dot(a), rotation.w), 0.0, 0.0],
                [a, b] if is_right_angle(a, b) => two_axes(rotation, a, b),
                [a, b, c]
                    if is_right_angle(a, b) && is_right_angle(b, c) && is_right_angle(c, a) =>
                {
                    return Some(three_axes(rotation, [a, b, c], near));
                }
                _ => return None,
            },
        };
        let near = near.iter().take(self.len());
        near.zip(&mut x).for_each(|(near, x)| *x = unwrap_near(*x, *near));
        Some(x)
    }
}

fn is_right_angle(a: &Unit<Vector3<f64>>, b: &Unit<Vector3<f64>>) -> bool {
    a.dot(b).abs() < MAX_RIGHT_ANGLE_COS
}

/// Unwraps `angle`: adds full turns to bring it within a half turn of `near`.
fn unwrap_near(angle: f64, near: f64) -> f64 {
    angle - TAU * ((angle - near) / TAU).round()
}

/// Computes swing vector and twist: the twist about Y is `2 atan2(y, w)`.
fn swing_twist(rotation: &UnitQuaternion<f64>, near: f64) -> [f64; 3] {
    let twist = if libm::hypot(rotation.w, rotation.j) > 1e-12 {
        2.0 * libm::atan2(rotation.j, rotation.w)
    } else {
        0.0
    };
    let swing = so3::log(&(rotation * so3::about(&Vector3::y(), -twist)));
    [swing.x, swing.z, unwrap_near(twist, near)]
}

/// Computes the angles about two axes whose rotation has the greatest scalar product with `q`, a sum
/// of two cosines in the half angles' sum and difference.
fn two_axes(q: &UnitQuaternion<f64>, a: &Vector3<f64>, b: &Vector3<f64>) -> [f64; 3] {
    let (w, x, y, z) = (q.w, q.imag().dot(a), q.imag().dot(b), q.imag().dot(&a.cross(b)));
    let sum = libm::atan2(x + y, w - z);
    let difference = libm::atan2(x - y, w + z);
    [sum + difference, sum - difference, 0.0]
}

/// Computes Euler angles: of the solutions `(x, y, z)` and `(x + π, π − y, z + π)` the nearer to `near`.
fn three_axes(
    q: &UnitQuaternion<f64>,
    [a, b, c]: [&Unit<Vector3<f64>>; 3],
    near: &[f64; 3],
) -> [f64; 3] {
    let sign = a.dot(&b.cross(c)).signum();
    let (of_a, of_b, of_c) = (q * a.into_inner(), q * b.into_inner(), q * c.into_inner());
    let (sin, cos) = (sign * a.dot(&of_c), libm::hypot(b.dot(&of_c), c.dot(&of_c)));
    let middle = libm::atan2(sin, cos);
    if cos < 1e-9 {
        let rest = q * so3::about(c, -near[2]) * so3::about(b, -middle);
        let first = 2.0 * libm::atan2(rest.imag().dot(a), rest.w);
        return [unwrap_near(first, near[0]), unwrap_near(middle, near[1]), near[2]];
    }
    let first = libm::atan2(-sign * b.dot(&of_c), c.dot(&of_c));
    let last = libm::atan2(-sign * a.dot(&of_b), a.dot(&of_a));
    let half = 0.5 * TAU;
    let solutions = [[first, middle, last], [first + half, half - middle, last + half]]
        .map(|x| [0, 1, 2].map(|k| unwrap_near(x[k], near[k])));
    let far = |x: &[f64; 3]| (0..3).map(|k| (x[k] - near[k]).powi(2)).sum::<f64>();
    if far(&solutions[1]) < far(&solutions[0]) { solutions[1] } else { solutions[0] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn motions() -> Vec<LinkMotion> {
        let tilt = UnitQuaternion::from_scaled_axis(Vector3::new(0.3, -0.4, 0.7));
        let [a, b, c] = [Vector3::x_axis(), Vector3::y_axis(), Vector3::z_axis()].map(|a| tilt * a);
        vec![
            LinkMotion::Fixed,
            LinkMotion::Rotation,
            LinkMotion::SwingTwist,
            LinkMotion::Axes(vec![a]),
            LinkMotion::Axes(vec![a, c]),
            LinkMotion::Axes(vec![a, b, c]),
            LinkMotion::Axes(vec![c, b, a]),
        ]
    }

    proptest! {
        #[test]
        fn coordinates_undo_rotation(x in prop::array::uniform3(-1.5..1.5)) {
            for motion in motions() {
                let back = motion.coordinates(&motion.rotation(&x), &[0.0; 3]).unwrap();
                for k in 0..motion.len() {
                    prop_assert!((back[k] - x[k]).abs() < 1e-7, "{motion:?}: {back:?}");
                }
            }
        }

        #[test]
        fn coordinates_follow_the_near_values(x in prop::array::uniform3(-12.0..12.0)) {
            for motion in motions().into_iter().filter(|m| matches!(m, LinkMotion::Axes(_))) {
                let back = motion.coordinates(&motion.rotation(&x), &x).unwrap();
                for k in 0..motion.len() {
                    prop_assert!((back[k] - x[k]).abs() < 1e-6, "{motion:?}: {back:?}");
                }
            }
        }
    }

    #[test]
    fn a_rotation_out_of_reach_gets_the_nearest() {
        let wanted = UnitQuaternion::from_scaled_axis(Vector3::new(0.5, 0.3, -0.4));
        for motion in [motions()[3].clone(), motions()[4].clone()] {
            let x = motion.coordinates(&wanted, &[0.0; 3]).unwrap();
            let off = |x: &[f64; 3]| motion.rotation(x).angle_to(&wanted);
            for k in 0..motion.len() {
                for step in [-1e-3, 1e-3] {
                    let mut moved = x;
                    moved[k] += step;
                    assert!(off(&moved) > off(&x), "{motion:?} {k}");
                }
            }
        }
    }

    #[test]
    fn gimbal_lock_and_slanting_axes() {
        let euler = &motions()[5];
        let locked = euler.rotation(&[0.4, TAU / 4.0, 0.9]);
        let x = euler.coordinates(&locked, &[0.0, 0.0, 0.2]).unwrap();
        assert_eq!(x[2], 0.2);
        assert!(euler.rotation(&x).angle_to(&locked) < 1e-8);
        let slanting = Unit::new_unchecked(Vector3::new(0.6, 0.8, 0.0));
        let motion = LinkMotion::Axes(vec![Vector3::x_axis(), slanting]);
        assert_eq!(motion.coordinates(&locked, &[0.0; 3]), None);
    }
}
