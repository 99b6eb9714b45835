//! An arm that is turned at shoulder, elbow and wrist.

use crate::frame::ArmTurn;
use crate::math::left_jacobian;
use crate::surface::ArmPose;
use nalgebra::{Matrix3, Rotation3, SMatrix, SVector, UnitQuaternion, Vector3};
use rebone_body::body::BodySegment;
use rebone_body::body::surface::FieldTransform;

/// Variables of an arm: rotation vectors of shoulder and wrist, and the bend of the elbow between them.
pub(super) const ARM_VARIABLES: usize = 7;
/// Place of the elbow's bend among the variables.
pub(super) const BEND: usize = 3;
/// Place of the first component of the wrist's rotation vector among the variables.
pub(super) const WRIST: usize = 4;

/// Values of the variables of an arm: rotation vectors in the world, radians.
pub(super) type ArmVector = SVector<f64, ARM_VARIABLES>;
/// Twists of a part about an origin, linear velocities first, by each variable of an arm.
pub(super) type ArmTwists = SMatrix<f64, 6, ARM_VARIABLES>;

/// Parts of an arm, from the shoulder outwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArmPart {
    Upper,
    Forearm,
    Hand,
}

impl ArmPart {
    /// The part of an arm that a segment is; `None` of other segments.
    pub(super) fn of(segment: BodySegment) -> Option<Self> {
        match segment {
            BodySegment::UpperArm(_) => Some(Self::Upper),
            BodySegment::Forearm(_) => Some(Self::Forearm),
            BodySegment::Hand(_) => Some(Self::Hand),
            _ => None,
        }
    }
}

/// An arm after it was turned.
#[derive(Clone, Copy, Debug)]
pub(super) struct TurnedArm {
    /// The arm before it is turned.
    base: ArmPose,
    /// Shoulder, elbow and wrist.
    joints: [Vector3<f64>; 3],
    /// Rotations in the world of upper arm, forearm and hand since the base.
    turns: [Rotation3<f64>; 3],
    /// Left Jacobians of the rotation vectors of shoulder and wrist, the latter in the world.
    slopes: [Matrix3<f64>; 2],
    /// The axis of the elbow.
    hinge: Vector3<f64>,
}

impl TurnedArm {
    pub(super) fn new(base: ArmPose, x: &ArmVector) -> Self {
        let turn = turn_of(&base, x);
        // Quaternions have closed forms that are the same bits everywhere.
        let of = |vector| UnitQuaternion::from_scaled_axis(vector).to_rotation_matrix();
        let upper = of(turn.shoulder);
        let forearm = upper * of(turn.elbow);
        let hand = forearm * of(turn.wrist);
        let [shoulder, elbow, wrist] = base.joints;
        let moved_elbow = shoulder + upper * (elbow - shoulder);
        let moved_wrist = moved_elbow + forearm * (wrist - elbow);
        Self {
            base,
            joints: [shoulder, moved_elbow, moved_wrist],
            turns: [upper, forearm, hand],
            slopes: [left_jacobian(&turn.shoulder), forearm * left_jacobian(&turn.wrist)],
            hinge: upper * base.hinge,
        }
    }

    /// Shoulder, elbow and wrist.
    pub(super) fn joints(&self) -> [Vector3<f64>; 3] {
        self.joints
    }

    /// Returns where a field of the arm is, given where it was.
    pub(super) fn transform(&self, part: ArmPart, base: &FieldTransform) -> FieldTransform {
        let k = part as usize;
        FieldTransform {
            rotation: self.turns[k] * base.rotation,
            origin: self.joints[k] + self.turns[k] * (base.origin - self.base.joints[k]),
        }
    }

    /// Returns the twists of a part about an origin.
    pub(super) fn twists(&self, part: ArmPart, origin: &Vector3<f64>) -> ArmTwists {
        let mut all = ArmTwists::zeros();
        let mut set = |index: usize, axis: Vector3<f64>, centre: Vector3<f64>| {
            all.fixed_view_mut::<3, 1>(0, index).copy_from(&axis.cross(&(origin - centre)));
            all.fixed_view_mut::<3, 1>(3, index).copy_from(&axis);
        };
        let [shoulder, elbow, wrist] = self.joints;
        (0..3).for_each(|k| set(k, self.slopes[0].column(k).into_owned(), shoulder));
        if part != ArmPart::Upper {
            set(BEND, self.hinge, elbow);
        }
        if part == ArmPart::Hand {
            (0..3).for_each(|k| set(WRIST + k, self.slopes[1].column(k).into_owned(), wrist));
        }
        all
    }
}

/// Returns the rotations that variables stand for.
pub(super) fn turn_of(base: &ArmPose, x: &ArmVector) -> ArmTurn {
    ArmTurn {
        shoulder: x.fixed_rows::<3>(0).into_owned(),
        elbow: base.hinge * x[BEND],
        wrist: x.fixed_rows::<3>(WRIST).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn twists_are_the_slopes_of_points(
            x in prop::array::uniform7(-0.8..0.8_f64),
            p in prop::array::uniform3(-0.3..0.3_f64),
            origin in prop::array::uniform3(-0.3..0.3_f64),
        ) {
            let joints = [Vector3::zeros(), Vector3::new(0.3, 0.0, 0.05), Vector3::new(0.5, 0.1, 0.2)];
            let hinge = (joints[1] - joints[0]).cross(&(joints[2] - joints[1]));
            let base = ArmPose { joints, hinge: hinge / hinge.norm() };
            let at = FieldTransform { rotation: Rotation3::identity(), origin: Vector3::from(p) };
            let (x, origin) = (ArmVector::from(x), Vector3::from(origin));
            for part in [ArmPart::Upper, ArmPart::Forearm, ArmPart::Hand] {
                let of = |x: ArmVector| TurnedArm::new(base, &x).transform(part, &at).origin;
                let twists = TurnedArm::new(base, &x).twists(part, &origin);
                for k in 0..ARM_VARIABLES {
                    let step = ArmVector::ith(k, 1e-6);
                    let slope = (of(x + step) - of(x - step)) / 2e-6;
                    let [v, w] = [0, 3].map(|row| twists.fixed_view::<3, 1>(row, k).into_owned());
                    let found = v + w.cross(&(of(x) - origin));
                    prop_assert!((slope - found).norm() < 1e-6, "{part:?} {k}: {slope} {found}");
                }
            }
        }
    }
}
