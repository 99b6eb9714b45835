//! Rotations: Euler orders, swing and twist, the shortest arc.

use crate::Axis;
use nalgebra::{Matrix4, Quaternion, SymmetricEigen, Unit, UnitQuaternion, Vector3};

/// The unit vector along `v`, or `None` when `v` is too short to have a direction.
pub fn direction(v: &Vector3<f64>) -> Option<Unit<Vector3<f64>>> {
    Unit::try_new(*v, 1e-12)
}

/// The smallest rotation that takes direction `from` to direction `to`.
///
/// Of opposite directions it is a half turn about an axis that depends on `from` alone.
pub fn shortest_arc(from: &Unit<Vector3<f64>>, to: &Unit<Vector3<f64>>) -> UnitQuaternion<f64> {
    let w = 1.0 + from.dot(to);
    if w < 1e-12 {
        let axis = from.cross(&least_aligned_axis(from));
        return UnitQuaternion::from_axis_angle(
            &Unit::new_unchecked(axis / axis.norm()),
            std::f64::consts::PI,
        );
    }
    let v = from.cross(to);
    UnitQuaternion::from_quaternion(Quaternion::from_parts(w, v))
}

/// The coordinate axis that is most nearly at right angles to `v`.
pub fn least_aligned_axis(v: &Vector3<f64>) -> Vector3<f64> {
    *Axis::ALL[v.abs().imin()].unit()
}

/// The mean of rotations: the top eigenvector of `Σ q qᵀ` (Markley, Cheng, Crassidis & Oshman,
/// *Averaging Quaternions*, 2007); the identity where there are none, or one is not finite.
pub fn mean(rotations: impl Iterator<Item = UnitQuaternion<f64>>) -> UnitQuaternion<f64> {
    // Products entry by entry: the library's outer product is a call for each column.
    let outer = |q: UnitQuaternion<f64>| Matrix4::from_fn(|row, column| q[row] * q[column]);
    let sum: Matrix4<f64> = rotations.map(outer).sum();
    let trace = sum.trace();
    if !trace.is_finite() || trace <= 0.0 {
        return UnitQuaternion::identity();
    }
    let eigen = SymmetricEigen::new(sum);
    let top = eigen.eigenvectors.column(eigen.eigenvalues.imax()).into_owned();
    UnitQuaternion::from_quaternion(Quaternion::from_vector(top))
}

/// The rotation `R₀(a₀) R₁(a₁) …` about the given axes, in the order of BVH channels; radians.
pub fn from_euler(axes: &[Axis], angles: &[f64]) -> UnitQuaternion<f64> {
    axes.iter().zip(angles).fold(UnitQuaternion::identity(), |rotation, (axis, &angle)| {
        rotation * UnitQuaternion::from_axis_angle(&axis.unit(), angle)
    })
}

/// Splits `rotation = swing * twist`, where `twist` turns about `axis` (before the swing).
///
/// Breaks where the swing is a half turn: the twist is then the identity.
///
/// ```
/// use nalgebra::Vector3;
/// use rebone_skeleton::{Axis, rotation::{from_euler, swing_twist}};
/// let (swing, twist) = swing_twist(&from_euler(&[Axis::X, Axis::Y], &[0.5, 0.3]), &Vector3::y_axis());
/// assert!((swing.angle() - 0.5).abs() < 1e-9 && (twist.angle() - 0.3).abs() < 1e-9);
/// ```
pub fn swing_twist(
    rotation: &UnitQuaternion<f64>,
    axis: &Unit<Vector3<f64>>,
) -> (UnitQuaternion<f64>, UnitQuaternion<f64>) {
    let along = rotation.imag().dot(axis);
    let twist = Quaternion::from_parts(rotation.w, axis.into_inner() * along);
    let twist = Unit::try_new(twist, 1e-12).unwrap_or_else(UnitQuaternion::identity);
    (rotation * twist.inverse(), twist)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rotations() -> impl Strategy<Value = UnitQuaternion<f64>> {
        prop::array::uniform3(-3.0..3.0).prop_map(|v| UnitQuaternion::from_scaled_axis(v.into()))
    }

    fn directions() -> impl Strategy<Value = Unit<Vector3<f64>>> {
        prop::array::uniform3(-1.0..1.0).prop_filter_map("too short", |v| direction(&v.into()))
    }

    proptest! {
        #[test]
        fn the_shortest_arc_arrives(from in directions(), to in directions()) {
            let arc = shortest_arc(&from, &to);
            prop_assert!((arc * from.into_inner() - to.into_inner()).norm() < 1e-7);
            prop_assert!((arc.angle() - from.angle(&to)).abs() < 1e-7, "no longer than needed");
            let back = shortest_arc(&from, &-from) * from.into_inner();
            prop_assert!((back + from.into_inner()).norm() < 1e-12, "opposite");
        }

        #[test]
        fn swing_and_twist_make_the_rotation(whole in rotations(), axis in directions()) {
            let (swing, twist) = swing_twist(&whole, &axis);
            prop_assert!((swing * twist).angle_to(&whole) < 1e-7);
            prop_assert!(twist.imag().cross(&axis).norm() < 1e-12, "the twist turns about the axis");
            prop_assert!(swing.imag().dot(&axis).abs() < 1e-7, "the swing does not");
        }

        #[test]
        fn the_mean_is_in_the_middle_whatever_the_signs(at in rotations(), off in rotations()) {
            let off = UnitQuaternion::identity().slerp(&off, 0.3);
            let minus = UnitQuaternion::new_unchecked(-(at * off.inverse()).into_inner());
            prop_assert!(mean([at * off, minus].into_iter()).angle_to(&at) < 1e-7);
        }
    }
}
