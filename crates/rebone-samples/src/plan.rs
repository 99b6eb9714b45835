//! What most clips share: curves for each part of the body, and the small motions of the living.

use super::curve::{Curve, wave};
use super::foot::FootPlan;
use super::posture::{ArmPosture, Posture, Reach, SIGNS};
use super::two_bone::{carry, turn};
use nalgebra::{UnitQuaternion, Vector3};
use rebone_skeleton::rotation::direction;

/// A hanging arm, see [`ArmPosture::angles`].
pub(super) const HANGING: [f64; 6] = [3.0, 9.0, 14.0, 17.0, 14.0, 6.0];

/// A hand at rest, see [`ArmPosture::hand`].
pub(super) const LOOSE: [f64; 6] = [0.35, 0.20, 0.26, 0.32, 0.38, 3.0];

/// A flat hand.
pub(super) const FLAT: [f64; 6] = [0.0, 0.02, 0.0, 0.02, 0.04, 8.0];

/// The curves of a whole body.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// Where the hips joint is, in cm.
    pub(super) hips: Curve<3>,
    /// Yaw, pitch and roll of the pelvis in the world, in degrees, as in [`turn`].
    pub(super) pelvis: Curve<3>,
    /// The same of the chest.
    pub(super) chest: Curve<3>,
    /// The same of the head.
    pub(super) head: Curve<3>,
    /// Left, right.
    pub(super) feet: [FootPlan; 2],
    /// Left, right.
    pub(super) arms: [ArmPlan; 2],
}

/// The curves of an arm.
#[derive(Clone, Debug)]
pub(super) struct ArmPlan {
    /// As in [`ArmPosture::angles`].
    pub(super) angles: Curve<6>,
    /// As in [`ArmPosture::hand`].
    pub(super) hand: Curve<6>,
    /// A place that the hand is to reach.
    pub(super) reach: Option<ReachPlan>,
}

/// The curves of a reaching hand.
#[derive(Clone, Debug)]
pub(super) struct ReachPlan {
    /// 0 while the arm hangs free, 1 while the wrist is at its place.
    pub(super) weight: Curve<1>,
    /// The wrist in the world, in cm.
    pub(super) wrist: Curve<3>,
    /// Which way the fingers point in the world.
    pub(super) fingers: Curve<3>,
    /// Which way the thumb's side of the hand points in the world.
    pub(super) thumb: Curve<3>,
    /// Which way the elbow is pushed in the world.
    pub(super) elbow: [f64; 3],
}

impl ArmPlan {
    /// An arm that hangs.
    pub(super) fn hanging() -> Self {
        Self { angles: Curve::new(HANGING), hand: Curve::new(LOOSE), reach: None }
    }

    fn at(&self, t: f64, sign: f64) -> ArmPosture {
        let mut angles: [f64; 6] = self.angles.at(t).into();
        angles[0] += 1.2 * wave(t + 0.4 * sign, 3.1);
        angles[3] += 1.5 * wave(t + 0.7 * sign, 2.7);
        let mut hand: [f64; 6] = self.hand.at(t).into();
        for (finger, curl) in hand.iter_mut().take(5).enumerate() {
            *curl += 0.015 * wave(t + 0.3 * finger as f64 + sign, 2.3);
        }
        let collar = [0.7 * wave(t, 3.6), 0.0];
        ArmPosture { angles, collar, hand, reach: self.reach.as_ref().map(|r| r.at(t, sign)) }
    }
}

impl ReachPlan {
    fn at(&self, t: f64, sign: f64) -> Reach {
        Reach {
            weight: self.weight.value(t),
            wrist: self.wrist.at(t),
            elbow: self.elbow.into(),
            hand: hand_turn(self.fingers.at(t), self.thumb.at(t), sign),
        }
    }
}

/// The turn of a hand whose fingers point along one vector and its thumb side about along another.
fn hand_turn(fingers: Vector3<f64>, thumb: Vector3<f64>, sign: f64) -> UnitQuaternion<f64> {
    let along = direction(&fingers).unwrap_or(Vector3::z_axis());
    let side = direction(&(thumb - along.scale(along.dot(&thumb)))).unwrap_or(Vector3::y_axis());
    let rest = (Vector3::x() * sign, Vector3::z());
    carry(rest, (along.into_inner(), side.into_inner()))
}

impl Plan {
    /// A body that stands at ease on its feet for a number of seconds.
    pub(super) fn standing(seconds: f64) -> Self {
        Self {
            hips: Curve::new([0.0, 95.4, 3.0]),
            pelvis: Curve::new([0.0, 3.0, 0.0]),
            chest: Curve::new([0.0, -1.0, 0.0]),
            head: Curve::new([0.0, 2.0, 0.0]),
            feet: SIGNS.map(|sign| FootPlan::standing(10.5 * sign, 0.0, 9.0 * sign, seconds)),
            arms: [ArmPlan::hanging(), ArmPlan::hanging()],
        }
    }

    /// The posture at a time in seconds, with breath and sway added.
    pub(super) fn at(&self, t: f64) -> Posture {
        let angles = |curve: &Curve<3>, life: [f64; 3]| {
            let v = curve.at(t) + Vector3::from(life);
            turn(v.x, v.y, v.z)
        };
        let sway = Vector3::new(0.7 * wave(t, 4.3), 0.0, 0.35 * wave(t + 1.0, 3.7));
        Posture {
            hips: self.hips.at(t) + sway,
            pelvis: angles(&self.pelvis, [0.6 * wave(t, 5.1), 0.0, 0.5 * wave(t, 4.3)]),
            chest: angles(&self.chest, [0.8 * wave(t + 0.5, 4.7), -0.9 * wave(t, 3.6), 0.0]),
            head: angles(&self.head, [1.2 * wave(t, 3.3), 0.6 * wave(t, 2.9), 0.4 * wave(t, 4.1)]),
            feet: [self.feet[0].at(t), self.feet[1].at(t)],
            arms: [self.arms[0].at(t, 1.0), self.arms[1].at(t, -1.0)],
        }
    }
}
