//! Where a foot is planned to be: plants, steps and how it rolls off.

use super::body::ADULT;
use super::curve::Curve;
use super::two_bone::about;
use nalgebra::{UnitQuaternion, Vector3};
use rebone_skeleton::Axis;

/// How far the heel sticks out behind the ankle, in cm.
pub(super) const HEEL: f64 = 5.0;

/// The plan of one foot over a clip. A foot frame has its origin on the sole below the ankle.
#[derive(Clone, Debug)]
pub(super) struct FootPlan {
    /// Where the foot frame is in the world, in cm; Y is the height over the floor.
    pub(super) place: Curve<3>,
    /// How far the foot points to the left, in degrees.
    pub(super) yaw: Curve<1>,
    /// How far the heel is turned up about the toe joint, in degrees.
    pub(super) heel_up: Curve<1>,
    /// How far the toes are turned up about the heel, in degrees.
    pub(super) toes_up: Curve<1>,
    /// 0 while bent toes lie flat on the floor, 1 when they are straight again.
    pub(super) straight: Curve<1>,
    /// Seconds during which the foot stands flat and still.
    pub(super) planted: Vec<(f64, f64)>,
    /// Seconds during which the foot touches nothing.
    pub(super) lifted: Vec<(f64, f64)>,
}

/// A foot at one instant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Foot {
    /// The ankle in the world, in cm.
    pub(super) ankle: Vector3<f64>,
    /// The turn of the foot in the world.
    pub(super) turn: UnitQuaternion<f64>,
    /// How far the toes are bent up against the foot, in degrees.
    pub(super) bend: f64,
    /// Which way the knee is pushed.
    pub(super) knee: Vector3<f64>,
}

impl FootPlan {
    /// A foot that stands flat at `(x, z)` for the whole clip.
    pub(super) fn standing(x: f64, z: f64, yaw: f64, seconds: f64) -> Self {
        Self {
            place: Curve::new([x, 0.0, z]),
            yaw: Curve::new([yaw]),
            heel_up: Curve::new([0.0]),
            toes_up: Curve::new([0.0]),
            straight: Curve::new([0.0]),
            planted: vec![(0.0, seconds)],
            lifted: Vec::new(),
        }
    }

    /// The foot at a time in seconds.
    pub(super) fn at(&self, t: f64) -> Foot {
        let yaw = about(Axis::Y.unit(), self.yaw.value(t));
        let heel_up = self.heel_up.value(t);
        let roll = about(Axis::X.unit(), heel_up);
        let strike = about(Axis::X.unit(), -self.toes_up.value(t));
        let [_, _, ankle, ball, _] = ADULT.leg(0.0);
        let heel = Vector3::new(0.0, 0.0, -HEEL);
        let struck = heel + strike * (ankle - heel);
        Foot {
            ankle: self.place.at(t) + yaw * (ball + roll * (struck - ball)),
            turn: yaw * roll * strike,
            bend: heel_up * (1.0 - self.straight.value(t)),
            knee: yaw * Vector3::new(0.0, 0.35, 1.0),
        }
    }
}
