//! Angles about given axes from rotations, continuous from one frame to the next.

use crate::Axis;
use nalgebra::{Matrix3, UnitQuaternion};

/// Below this length of the two numbers that an angle is taken from, the angle is undetermined:
/// gimbal lock. They are entries of a rotation matrix, good to about 1e-16.
const GIMBAL: f64 = 1e-13;

/// The angles, in degrees, whose rotations about `axes` multiply to `rotation`
/// (`R = R₀(a₀) R₁(a₁) …`, the order of BVH channels), nearest to those in `angles`, which they
/// replace.
///
/// `axes` are up to three different ones. With three there are two solutions and full turns of
/// each angle; the one with the least sum of squared differences is taken, and at gimbal lock the
/// first angle stays. With fewer than three, `rotation` must be a product of rotations about them;
/// else the result is one near it.
pub(super) fn nearest_angles(rotation: &UnitQuaternion<f64>, axes: &[Axis], angles: &mut [f64]) {
    match *axes {
        [] => {}
        [i] => {
            let angle = 2.0 * libm::atan2(rotation.imag()[i.index()], rotation.w);
            angles[0] = unwrapped(angle, angles[0]);
        }
        [i, j] => {
            let m = rotation.to_rotation_matrix();
            let (i, j, k, sign) = indices(i, j);
            // R₁ leaves column j as it is, R₀ row i.
            let first = libm::atan2(sign * m[(k, j)], m[(j, j)]);
            let second = libm::atan2(sign * m[(i, k)], m[(i, i)]);
            angles[0] = unwrapped(first, angles[0]);
            angles[1] = unwrapped(second, angles[1]);
        }
        [i, j, _, ..] => {
            let nearest = nearest_of_two(rotation, i, j, [angles[0], angles[1], angles[2]]);
            angles[..3].copy_from_slice(&nearest);
        }
    }
}

/// The solution for three different axes nearest to `previous`; the third axis follows from two.
///
/// With `s` = 1 for a cyclic order of axes and −1 else, `R = Rᵢ(a) Rⱼ(b) Rₖ(c)` has
/// `R_jk = −s sin a cos b` and `R_kk = cos a cos b`, so `a` is one of two angles half a turn apart.
/// Then `Rᵢ(−a) R = Rⱼ(b) Rₖ(c)` gives `b` and `c` from entries without a factor, which keeps the
/// product right near gimbal lock too, where `a` is not.
fn nearest_of_two(
    rotation: &UnitQuaternion<f64>,
    i: Axis,
    j: Axis,
    previous: [f64; 3],
) -> [f64; 3] {
    let matrix = rotation.to_rotation_matrix();
    let axis = i.unit();
    let (i, j, k, sign) = indices(i, j);
    let (sin, cos) = (-sign * matrix[(j, k)], matrix[(k, k)]);
    let with_first = |first: f64| {
        let back = UnitQuaternion::from_axis_angle(&axis, -first).to_rotation_matrix();
        let rest: Matrix3<f64> = (back * matrix).into_inner();
        let second = libm::atan2(sign * rest[(i, k)], rest[(k, k)]);
        let third = libm::atan2(sign * rest[(j, i)], rest[(j, j)]);
        [first, second, third]
    };
    let nearest = |angles: [f64; 3]| {
        let mut degrees = previous;
        for (degrees, angle) in degrees.iter_mut().zip(angles) {
            *degrees = unwrapped(angle, *degrees);
        }
        degrees
    };
    if libm::hypot(sin, cos) < GIMBAL {
        return nearest(with_first(previous[0].to_radians()));
    }
    let first = libm::atan2(sin, cos);
    let one = nearest(with_first(first));
    let other = nearest(with_first(first + std::f64::consts::PI));
    let distance = |angles: &[f64; 3]| -> f64 {
        angles.iter().zip(previous).map(|(angle, previous)| (angle - previous).powi(2)).sum()
    };
    if distance(&other) < distance(&one) { other } else { one }
}

/// Indices of the two axes and of the third, and the sign of their order.
fn indices(i: Axis, j: Axis) -> (usize, usize, usize, f64) {
    let (i, j) = (i.index(), j.index());
    let sign = if (i + 1) % 3 == j { 1.0 } else { -1.0 };
    (i, j, 3 - i - j, sign)
}

/// `angle` (radians) in degrees, by full turns as near to `previous` (degrees) as can be.
fn unwrapped(angle: f64, previous: f64) -> f64 {
    let degrees = angle.to_degrees();
    degrees - 360.0 * ((degrees - previous) / 360.0).round()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rotation::from_euler;
    use proptest::prelude::*;

    const ORDERS: [[Axis; 3]; 6] = {
        use Axis::{X, Y, Z};
        [[X, Y, Z], [X, Z, Y], [Y, X, Z], [Y, Z, X], [Z, X, Y], [Z, Y, X]]
    };

    fn rotation(axes: &[Axis], degrees: &[f64]) -> UnitQuaternion<f64> {
        let radians: Vec<f64> = degrees.iter().map(|angle| angle.to_radians()).collect();
        from_euler(axes, &radians)
    }

    /// The distance of two rotations in quaternion space: half the angle for small ones.
    fn apart(a: &UnitQuaternion<f64>, b: &UnitQuaternion<f64>) -> f64 {
        (a.coords - b.coords).norm().min((a.coords + b.coords).norm())
    }

    proptest! {
        #[test]
        fn angles_give_the_rotation_back(
            order in 0..6_usize,
            count in 0..4_usize,
            angles in prop::array::uniform3(-400.0..400.0_f64),
            start in prop::array::uniform3(-400.0..400.0_f64),
        ) {
            let axes = &ORDERS[order][..count];
            let wanted = rotation(axes, &angles[..count]);
            let mut found = start;
            nearest_angles(&wanted, axes, &mut found[..count]);
            prop_assert!(apart(&wanted, &rotation(axes, &found[..count])) < 5e-13);
            for (found, start) in found.iter().zip(start) {
                prop_assert!((found - start).abs() < 360.0);
            }
        }

        #[test]
        fn angles_near_the_start_are_found_again(
            order in 0..6_usize,
            angles in prop::array::uniform3(-1000.0..1000.0_f64),
            step in prop::array::uniform3(-10.0..10.0_f64),
        ) {
            let axes = ORDERS[order];
            // Half a turn of all angles apart is the other solution: far enough from gimbal lock
            // ten degrees never lead to it.
            prop_assume!(angles[1].to_radians().cos().abs() > 0.5);
            let mut found = [0, 1, 2].map(|index| angles[index] + step[index]);
            nearest_angles(&rotation(&axes, &angles), &axes, &mut found);
            for (found, angle) in found.iter().zip(angles) {
                prop_assert!((found - angle).abs() < 1e-10, "{found} is not {angle}");
            }
        }

        #[test]
        fn near_gimbal_lock_the_rotation_is_exact(
            order in 0..6_usize,
            first in -180.0..180.0_f64,
            third in -180.0..180.0_f64,
            exponent in -18.0..0.0_f64,
            pole in prop::sample::select(vec![-90.0, 90.0, 270.0]),
            start in prop::array::uniform3(-400.0..400.0_f64),
        ) {
            let axes = ORDERS[order];
            let wanted = rotation(&axes, &[first, pole + 10_f64.powf(exponent), third]);
            let mut found = start;
            nearest_angles(&wanted, &axes, &mut found);
            prop_assert!(apart(&wanted, &rotation(&axes, &found)) < 5e-13);
        }
    }

    #[test]
    fn at_gimbal_lock_the_first_angle_stays() {
        for axes in ORDERS {
            let mut found = [25.0, 80.0, 10.0];
            nearest_angles(&rotation(&axes, &[70.0, 90.0, 0.0]), &axes, &mut found);
            assert!((found[0] - 25.0).abs() < 1e-9 && (found[1] - 90.0).abs() < 1e-6, "{found:?}");
        }
    }

    #[test]
    fn the_first_frame_is_nearest_to_zero() {
        for axes in ORDERS {
            let mut found = [0.0; 3];
            nearest_angles(&rotation(&axes, &[200.0, 170.0, -190.0]), &axes, &mut found);
            for (found, expected) in found.iter().zip([20.0, 10.0, -10.0]) {
                assert!((found - expected).abs() < 1e-10, "{axes:?}: {found} {expected}");
            }
        }
    }

    #[test]
    fn many_turns_are_followed() {
        let axes = ORDERS[4];
        let mut found = [0.0; 3];
        for step in 0..200 {
            let wanted = [f64::from(step) * 17.0, 30.0, f64::from(step) * -23.0];
            nearest_angles(&rotation(&axes, &wanted), &axes, &mut found);
            for (found, wanted) in found.iter().zip(wanted) {
                assert!((found - wanted).abs() < 1e-9, "{found} {wanted}");
            }
        }
    }

    #[test]
    fn one_and_two_axes() {
        let mut found = [350.0];
        nearest_angles(&rotation(&[Axis::Y], &[10.0]), &[Axis::Y], &mut found);
        assert!((found[0] - 370.0).abs() < 1e-10);
        let axes = [Axis::Z, Axis::Y];
        let mut found = [170.0, 0.0];
        nearest_angles(&rotation(&axes, &[-175.0, 100.0]), &axes, &mut found);
        assert!((found[0] - 185.0).abs() < 1e-10 && (found[1] - 100.0).abs() < 1e-10);
    }
}
