//! Rotations: Euler orders, swing and twist, the shortest arc.

use crate::Axis;
use nalgebra::{Unit, UnitQuaternion, Vector3};

/// The unit vector along `v`, or `None` when `v` is too short to have a direction.
pub fn direction(v: &Vector3<f64>) -> Option<Unit<Vector3<f64>>> {
    Unit::try_new(*v, 1e-12)
}

/// The smallest rotation that takes direction `from` to direction `to`.
///
/// Where the two are opposite, a half turn about an axis that depends on `from` alone.
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
    UnitQuaternion::from_quaternion(nalgebra::Quaternion::from_parts(w, v))
}

/// The coordinate axis that is most nearly at right angles to `v`.
pub fn least_aligned_axis(v: &Vector3<f64>) -> Vector3<f64> {
    *Axis::ALL[v.abs().imin()].unit()
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
pub fn swing_twist(
    rotation: &UnitQuaternion<f64>,
    axis: &Unit<Vector3<f64>>,
) -> (UnitQuaternion<f64>, UnitQuaternion<f64>) {
    let along = rotation.imag().dot(axis);
    let twist = nalgebra::Quaternion::from_parts(rotation.w, axis.into_inner() * along);
    let twist = Unit::try_new(twist, 1e-12).unwrap_or_else(UnitQuaternion::identity);
    (rotation * twist.inverse(), twist)
}
