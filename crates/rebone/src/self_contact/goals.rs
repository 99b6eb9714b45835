//! What touch, clearance and pose ask of both arms in a frame.

use super::arm::{ARM_VARIABLES, ArmJacobian, ArmPart, BEND, TurnedArm, WRIST};
use super::row::{Quadratic, Row, Variables, of_arm};
use crate::body::Side;
use crate::surface::{BodySegment, BodyTransforms, SurfacePair};
use nalgebra::{Matrix3, Vector3};

/// Levers of the rotations of upper arm, forearm and hand off the pose, metres: how much a rotation costs beside a distance.
const STAY_METRES: [f64; 3] = [0.045, 0.045, 0.03];
/// Smallest and largest bend of an elbow, radians, unless the pose bends it less or more.
const BEND_RADIANS: [f64; 2] = [0.05, 2.6];
/// Lever of a bend beyond its range, metres.
const BEND_METRES: f64 = 0.5;

/// A frame of both bodies, as it is before the arms are turned: inner world, metres of a 1.7 m body.
pub(super) struct FrameGoals<'a> {
    pub(super) pair: &'a SurfacePair,
    pub(super) source: &'a BodyTransforms,
    pub(super) target: &'a BodyTransforms,
    /// Heights of the floor of source and target, where it is level.
    pub(super) floors: Option<[f64; 2]>,
}

/// The target with its arms turned.
pub(super) struct TurnedBody {
    pub(super) arms: [TurnedArm; 2],
    pub(super) at: BodyTransforms,
}

impl FrameGoals<'_> {
    /// Returns the goals of the frame, linearised at values of the variables.
    pub(super) fn quadratic(&self, x: &Variables) -> Quadratic {
        let mut all = Quadratic::zero();
        let turned = self.turned(x);
        for side in Side::BOTH {
            self.push_stay(&mut all, side, x);
            self.push_bend(&mut all, side, x);
            for rows in [self.touch_rows(side, &turned), self.clearance_rows(side, &turned)] {
                all.is_active |= !rows.is_empty();
                rows.iter().for_each(|row| all.push(row, x));
            }
        }
        all
    }

    /// Returns whether a touch or a clearance asks for anything as the arms are.
    pub(super) fn is_active(&self) -> bool {
        let turned = self.turned(&Variables::zeros());
        let asks = |side| {
            !self.touch_rows(side, &turned).is_empty()
                || !self.clearance_rows(side, &turned).is_empty()
        };
        Side::BOTH.into_iter().any(asks)
    }

    /// Turns the arms of the target.
    fn turned(&self, x: &Variables) -> TurnedBody {
        let arms =
            Side::BOTH.map(|side| TurnedArm::new(self.target.arms[side.index()], &of_arm(x, side)));
        let mut at = self.target.clone();
        for side in Side::BOTH {
            for segment in BodySegment::of_arm(side) {
                let own = &mut at.fields[segment.index()];
                let part = ArmPart::of(segment);
                *own = own.zip(part).map(|(base, part)| arms[side.index()].transform(part, &base));
            }
        }
        TurnedBody { arms, at }
    }

    /// Adds the pull of the parts of an arm to their rotations in the pose.
    fn push_stay(&self, all: &mut Quadratic, side: Side, x: &Variables) {
        let hinge = &self.target.arms[side.index()].hinge;
        let mut jacobian = ArmJacobian::zeros();
        // Rotation vectors of shoulder, elbow and wrist add up to first order.
        for (k, lever) in STAY_METRES.into_iter().enumerate() {
            match k {
                0 => jacobian.fixed_columns_mut::<3>(0).fill_with_identity(),
                1 => jacobian.set_column(BEND, hinge),
                _ => jacobian.fixed_columns_mut::<3>(WRIST).fill_with_identity(),
            }
            let mut jacobians = [None; 2];
            jacobians[side.index()] = Some(jacobian);
            let off = -(jacobian * of_arm(x, side));
            all.push(&Row { jacobians, off, weight: Matrix3::identity() * (lever * lever) }, x);
        }
    }

    /// Adds the pull of an elbow back into its range.
    fn push_bend(&self, all: &mut Quadratic, side: Side, x: &Variables) {
        let arm = &self.target.arms[side.index()];
        let [shoulder, elbow, wrist] = arm.joints;
        let (upper, lower) = (elbow - shoulder, wrist - elbow);
        let bend = libm::atan2(arm.hinge.dot(&upper.cross(&lower)), upper.dot(&lower));
        let [least, most] = [bend.min(BEND_RADIANS[0]), bend.max(BEND_RADIANS[1])];
        let index = side.index() * ARM_VARIABLES + BEND;
        let inside = (bend + x[index]).clamp(least, most);
        if inside != bend + x[index] {
            all.pull(index, inside - bend, BEND_METRES * BEND_METRES);
        }
    }
}

/// Returns the row of a point that a part of an arm carries, relative to what moves with a segment.
pub(super) fn row_of(
    arms: &[TurnedArm; 2],
    (side, part): (Side, BodySegment),
    against: Option<BodySegment>,
    place: &Vector3<f64>,
    (off, weight): (Vector3<f64>, Matrix3<f64>),
) -> Row {
    let mut jacobians = [None; 2];
    let of = |side: Side, segment: BodySegment| {
        Some(arms[side.index()].jacobian(ArmPart::of(segment)?, place))
    };
    jacobians[side.index()] = of(side, part);
    let other = side.other();
    if let Some(segment) = against.filter(|own| own.is_of_arm(other)) {
        jacobians[other.index()] = of(other, segment).map(|own| -own);
    }
    Row { jacobians, off, weight }
}
