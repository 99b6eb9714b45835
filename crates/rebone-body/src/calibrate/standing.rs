//! Compares poses with a standing T, A or I pose. Finds the calibration pose among the rest pose and given frames.

use crate::body::{Body, Side};
use nalgebra::{Unit, Vector3};
use rebone_skeleton::rotation::direction;
use rebone_skeleton::{Axis, WorldPose};

/// A pose compared with a standing one, one axis of the file taken for up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct StandingFit {
    /// Up, in the file's axes.
    pub(crate) up: Unit<Vector3<f64>>,
    /// Direction that the body faces: horizontal, in the file's axes.
    pub(crate) forward: Unit<Vector3<f64>>,
    /// Deviation from a plain T, A or I pose: mean squared deviation in units of what such
    /// poses usually show. Below 4 it is one.
    pub(crate) cost: f64,
    /// Deviation for any direction of the arms, as long as they are not raised: what can be calibrated on.
    pub(crate) straight_cost: f64,
    /// Elevation of the upper arms over the horizontal, radians: 0 in a T pose, −π/2 downwards.
    pub(crate) arm_elevation: f64,
}

/// Largest [`StandingFit::cost`] of a pose that passes as standing.
pub(crate) const MAX_STANDING_COST: f64 = 4.0;

/// The best reading of a pose over the six axes that may be up; `None` when the body has no extent.
pub(crate) fn best_standing_fit(body: &Body, pose: &WorldPose) -> Option<StandingFit> {
    let axes = Axis::ALL.map(Axis::unit);
    let candidates = axes.iter().flat_map(|&axis| [axis, -axis]);
    let stances = candidates.filter_map(|up| stance(body, pose, up));
    stances.min_by(|a, b| a.cost.total_cmp(&b.cost))
}

/// Reads a pose as standing upright along `up`.
pub(crate) fn stance(body: &Body, pose: &WorldPose, up: Unit<Vector3<f64>>) -> Option<StandingFit> {
    let place = |id: rebone_skeleton::JointId| pose.positions[id.index()];
    let hips = body.legs.each_ref().map(|leg| place(leg.upper));
    let shoulders = body.arms.each_ref().map(|arm| place(arm.upper));
    let across = direction(&(hips[0] - hips[1]))?.into_inner()
        + direction(&(shoulders[0] - shoulders[1]))?.into_inner();
    let left = direction(&(across - *up * across.dot(&up)))?;
    let forward = Unit::new_unchecked(left.cross(&up));
    let (mut sum, mut ahead) = (Cost::default(), Cost::default());
    let trunk = direction(&(shoulders[0] + shoulders[1] - hips[0] - hips[1]))?;
    sum.angle(trunk.angle(&up), 12.0);
    let mut arms = [Vector3::zeros(); 2];
    for side in Side::BOTH {
        let leg = &body.legs[side.index()];
        let thigh = direction(&(place(leg.lower) - place(leg.upper)))?;
        let shin = direction(&(place(leg.foot) - place(leg.lower)))?;
        sum.angle(thigh.angle(&-up), 12.0);
        sum.angle(shin.angle(&-up), 12.0);
        sum.angle(thigh.angle(&shin), 10.0);
        let arm = &body.arms[side.index()];
        let upper = direction(&(place(arm.lower) - place(arm.upper)))?;
        let lower = direction(&(arm.wrist.at(pose, 1.0) - place(arm.lower)))?;
        sum.angle(upper.angle(&lower), 20.0);
        ahead.angle(libm::asin(upper.dot(&forward).clamp(-1.0, 1.0)), 12.0);
        sum.angle(inward(&upper, &(*left * side.sign())), 10.0);
        let body_axes = [upper.dot(&left) * side.sign(), upper.dot(&up), upper.dot(&forward)];
        arms[side.index()] = Vector3::from(body_axes);
    }
    ahead.angle(arms[0].angle(&arms[1]), 8.0);
    let elevation = libm::asin(((arms[0].y + arms[1].y) / 2.0).clamp(-1.0, 1.0));
    sum.angle(elevation.max(0.0), 30.0);
    let straight_cost = sum.mean();
    let cost = sum.and(&ahead).mean();
    Some(StandingFit { up, forward, cost, straight_cost, arm_elevation: elevation })
}

/// Returns the angle by which the arm crosses to the other side of the body, radians.
fn inward(arm: &Unit<Vector3<f64>>, out: &Vector3<f64>) -> f64 {
    libm::asin((-arm.dot(out)).clamp(0.0, 1.0))
}

/// Mean of squared angles in units of their usual size.
#[derive(Default)]
struct Cost {
    sum: f64,
    count: f64,
    worst: f64,
}

impl Cost {
    fn angle(&mut self, radians: f64, usual_degrees: f64) {
        let square = (radians.to_degrees() / usual_degrees).powi(2);
        self.sum += square;
        self.count += 1.0;
        self.worst = self.worst.max(square);
    }

    /// Both together.
    fn and(&self, other: &Cost) -> Cost {
        Cost {
            sum: self.sum + other.sum,
            count: self.count + other.count,
            worst: self.worst.max(other.worst),
        }
    }

    /// The mean, or a quarter of the worst deviation where that is more: one leg up is not standing.
    fn mean(&self) -> f64 {
        (self.sum / self.count).max(self.worst / 4.0)
    }
}
