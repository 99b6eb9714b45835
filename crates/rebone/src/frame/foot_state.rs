//! A foot of the target in one frame.

use super::pitch::pitch_of;
use super::target_pose::TargetPose;
use crate::align::{FootPoints, Plan};
use crate::math::ease;
use nalgebra::{UnitQuaternion, Vector3};
use rebone_body::body::Side;

/// Tilt of toes over the ground up to which they are flat, and from which on they are steep: 20 and 40 degrees, cosines.
const FLAT_COSINE: f64 = 0.94;
const STEEP_COSINE: f64 = 0.77;

/// Rotations of a foot and its toes in the inner world, and the bend that keeps the toes off the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FootState {
    /// Rotation of the foot.
    pub(crate) foot: UnitQuaternion<f64>,
    /// Rotation of the toes.
    toes: UnitQuaternion<f64>,
    /// Vector from the ankle to the joint of the toes.
    toes_from_ankle: Vector3<f64>,
    /// Bend of the toes upwards that keeps them out of the ground, radians.
    pub(crate) toe_bend: f64,
    /// Pitch of the toes over the horizontal with that bend, upwards, radians.
    pub(crate) toe_pitch: f64,
    /// Share with which the toes are flat, 0 to 1.
    pub(crate) toe_flatness: f64,
}

impl FootState {
    /// Reads the foot of a side.
    pub(super) fn new(plan: &Plan, target: &TargetPose, side: Side, toe_bend: f64) -> Self {
        let leg = &plan.target.body.legs[side.index()];
        let on_toes = leg.toes.unwrap_or(leg.foot);
        let [foot, toes] = [leg.foot, on_toes].map(|joint| joint.index());
        let upright = (target.frame(plan, on_toes) * Vector3::y()).y;
        let world = &target.world;
        Self {
            foot: world.rotations[foot],
            toes: world.rotations[toes],
            toes_from_ankle: world.positions[toes] - world.positions[foot],
            toe_bend,
            toe_pitch: pitch_of(plan, target, on_toes),
            toe_flatness: ease((upright - STEEP_COSINE) / (FLAT_COSINE - STEEP_COSINE)),
        }
    }

    /// Returns a foot whose toes are level with a bend.
    #[cfg(test)]
    pub(crate) fn level(toe_bend: f64) -> Self {
        Self {
            foot: UnitQuaternion::identity(),
            toes: UnitQuaternion::identity(),
            toes_from_ankle: Vector3::new(0.0, -0.08, 0.12),
            toe_bend,
            toe_pitch: 0.0,
            toe_flatness: 1.0,
        }
    }

    /// Returns the lowest point of the mesh, from the ankle, with foot and toes turned; `None` without a mesh.
    pub(crate) fn lowest(&self, points: &FootPoints, turn: &FootTurn) -> Option<Vector3<f64>> {
        let foot = points.foot.iter().map(|point| turn.foot * (self.foot * point.offset));
        let on_toes = |offset: Vector3<f64>| self.toes_from_ankle + self.toes * offset;
        let toes = points.toes.iter().map(|point| self.turned(&on_toes(point.offset), turn, true));
        foot.chain(toes).min_by(|a, b| a.y.total_cmp(&b.y))
    }

    /// Returns where a point, from the ankle, is with foot and toes turned; `toes` is true where the toes carry it.
    pub(crate) fn turned(&self, point: &Vector3<f64>, turn: &FootTurn, toes: bool) -> Vector3<f64> {
        let bend = if toes { turn.toes } else { UnitQuaternion::identity() };
        turn.foot * (self.toes_from_ankle + bend * (point - self.toes_from_ankle))
    }

    /// Returns rotations that turn the foot about its ankle by a vector and bend its toes upwards.
    pub(crate) fn turn(&self, plan: &Plan, side: Side, foot: Vector3<f64>, bend: f64) -> FootTurn {
        let leg = &plan.target.body.legs[side.index()];
        let left = plan.target.anatomical(leg.toes.unwrap_or(leg.foot), &self.toes) * Vector3::x();
        FootTurn {
            foot: UnitQuaternion::from_scaled_axis(foot),
            toes: UnitQuaternion::from_scaled_axis(left * -bend),
        }
    }
}

/// Rotations of a foot about its ankle, and before it of its toes about their joint, in the inner world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FootTurn {
    foot: UnitQuaternion<f64>,
    toes: UnitQuaternion<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bent_toes_are_lifted_and_the_foot_stays() {
        let state = FootState::level(0.0);
        let tip = Vector3::new(0.0, -0.1, 0.2);
        let turn = FootTurn {
            foot: UnitQuaternion::identity(),
            toes: UnitQuaternion::from_scaled_axis(Vector3::x() * -0.5),
        };
        assert_eq!(state.turned(&tip, &turn, false), tip);
        let bent = state.turned(&tip, &turn, true);
        assert!(bent.y > tip.y + 0.03, "{bent}");
        let length = |place: Vector3<f64>| (place - state.toes_from_ankle).norm();
        assert!((length(bent) - length(tip)).abs() < 1e-12);
    }
}
