//! Two bones between a fixed start and a wanted end, by the law of cosines.

use nalgebra::{Matrix3, Rotation3, Unit, UnitQuaternion, Vector3};
use rebone_skeleton::rotation::direction;

/// World directions of two bones in one plane.
#[derive(Clone, Copy, Debug)]
pub(super) struct TwoBones {
    /// Unit vector along the upper bone.
    pub(super) upper: Vector3<f64>,
    /// Unit vector along the lower bone.
    pub(super) lower: Vector3<f64>,
    /// Unit vector: the axis about which the lower bone is turned against the upper one.
    pub(super) axis: Vector3<f64>,
}

/// Lays two bones of the given lengths along `reach`, the middle joint towards `pole`.
///
/// Where `reach` is longer than both bones together or shorter than their difference, the nearest
/// length that can be had is taken. Breaks where `pole` is along `reach`: the axis is then arbitrary.
pub(super) fn two_bones(reach: &Vector3<f64>, pole: &Vector3<f64>, lengths: [f64; 2]) -> TwoBones {
    let [a, b] = lengths;
    let along = direction(reach).unwrap_or(-Vector3::y_axis());
    let out = direction(&(pole - along.scale(along.dot(pole)))).unwrap_or(Vector3::z_axis());
    let d = reach.norm().clamp((a - b).abs() + 1e-9, a + b);
    let cos = |near: f64, far: f64| ((near * near + d * d - far * far) / (2.0 * near * d)).min(1.0);
    let lay = |cos: f64, sign: f64| {
        along.scale(cos) + out.scale(sign * (1.0 - cos * cos).max(0.0).sqrt())
    };
    TwoBones { upper: lay(cos(a, b), 1.0), lower: lay(cos(b, a), -1.0), axis: out.cross(&along) }
}

/// The rotation that takes `bone` to `to_bone` and `axis` to `to_axis`; each pair is orthonormal.
pub(super) fn carry(
    (bone, axis): (Vector3<f64>, Vector3<f64>),
    (to_bone, to_axis): (Vector3<f64>, Vector3<f64>),
) -> UnitQuaternion<f64> {
    let frame = |b: Vector3<f64>, a: Vector3<f64>| Matrix3::from_columns(&[b, a, b.cross(&a)]);
    let matrix = frame(to_bone, to_axis) * frame(bone, axis).transpose();
    UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(matrix))
}

/// The rotation by `degrees` about `axis`.
pub(super) fn about(axis: Unit<Vector3<f64>>, degrees: f64) -> UnitQuaternion<f64> {
    UnitQuaternion::from_axis_angle(&axis, degrees.to_radians())
}

/// Yaw to the left, then pitch forward, then roll to the right side (left side up), in degrees.
pub(super) fn turn(yaw: f64, pitch: f64, roll: f64) -> UnitQuaternion<f64> {
    about(Vector3::y_axis(), yaw) * about(Vector3::x_axis(), pitch) * about(Vector3::z_axis(), roll)
}

/// The same rotation seen in a mirror between left and right.
pub(super) fn mirror(rotation: UnitQuaternion<f64>) -> UnitQuaternion<f64> {
    let q = rotation.into_inner();
    UnitQuaternion::new_unchecked(nalgebra::Quaternion::new(q.w, q.i, -q.j, -q.k))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_reached_and_the_middle_is_on_the_side_of_the_pole() {
        let (reach, pole) = (Vector3::new(3.0, -50.0, 8.0), Vector3::z());
        let bones = two_bones(&reach, &pole, [30.0, 26.0]);
        assert!((bones.upper * 30.0 + bones.lower * 26.0 - reach).norm() < 1e-9);
        assert!((bones.upper * 30.0 - reach * 0.5).z > 0.0);
        let angle = bones.upper.angle(&bones.lower);
        let turned = about(Unit::new_unchecked(bones.axis), angle.to_degrees()) * bones.upper;
        assert!((turned - bones.lower).norm() < 1e-9);
    }

    #[test]
    fn what_is_out_of_reach_is_pointed_at() {
        let bones = two_bones(&Vector3::new(0.0, 0.0, 99.0), &Vector3::y(), [30.0, 26.0]);
        assert!((bones.upper - Vector3::z()).norm() < 1e-9);
        assert!((bones.lower - Vector3::z()).norm() < 1e-9);
    }
}
