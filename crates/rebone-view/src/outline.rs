//! Outlines of feet, hands and face, which show the roll of these segments.

use crate::sheet::BodySide;
use nalgebra::Vector3;
use rebone::body::{Anatomy, Arm, Landmark, Side};
use rebone::skeleton::{Axis, JointId};

/// Half the breadth of a foot at its ball, metres of a 1.7 m body.
const FOOT_HALF_BREADTH_METRES: f64 = 0.048;
/// Length from ankle to ball of a foot whose ball is unknown, metres of a 1.7 m body.
const DEFAULT_BALL_METRES: f64 = 0.14;
/// Part of the length from ankle to tip where a foot without toe joints is broadest.
const BALL_FRACTION: f64 = 0.6;
/// Half the breadth of a palm, metres of a 1.7 m body.
const PALM_HALF_BREADTH_METRES: f64 = 0.04;
/// Length from wrist to knuckles of a hand without fingers, metres of a 1.7 m body.
const DEFAULT_PALM_METRES: f64 = 0.09;
/// Distance of the tip of the thumb from the middle of the hand, metres of a 1.7 m body.
const THUMB_REACH_METRES: f64 = 0.09;
/// Left and right eye, and the tip of the nose, from the base of the skull: left, up, forward, metres of a 1.7 m body.
const FACE_METRES: [[f64; 3]; 3] = [[0.05, 0.12, 0.075], [-0.05, 0.12, 0.075], [0.0, 0.085, 0.16]];

/// A closed polygon that moves with a body.
pub(crate) struct Outline {
    /// Corners in their order along the polygon.
    pub(crate) corners: Vec<Landmark>,
    /// Side of the body.
    pub(crate) side: BodySide,
}

/// Returns the outlines of both soles, of both hands and of the face, where the body has them.
pub(crate) fn outlines(anatomy: &Anatomy) -> Vec<Outline> {
    let soles = Side::BOTH.map(|side| sole(anatomy, side));
    let arms = Side::BOTH.into_iter().zip(&anatomy.body.arms);
    let hands = arms.filter_map(|(side, arm)| hand(anatomy, arm, side));
    soles.into_iter().chain(hands).chain(face(anatomy)).collect()
}

/// Returns a kite of heel, inner side, tip and outer side at the level of the sole.
fn sole(anatomy: &Anatomy, side: Side) -> Outline {
    let leg = &anatomy.body.legs[side.index()];
    let ankle = anatomy.t_pose.positions[leg.foot.index()];
    let [heel, front, toes] = anatomy.sole(side);
    let front = front.unwrap_or(ankle + Vector3::z() * DEFAULT_BALL_METRES);
    let heel = heel.filter(|heel| heel.z < ankle.z);
    let heel = heel.unwrap_or(Vector3::new(ankle.x, front.y, ankle.z - 0.25 * (front.z - ankle.z)));
    let toes = toes.zip(leg.toes);
    let ball = match toes {
        Some(_) => front,
        None => heel.lerp(&front, BALL_FRACTION),
    };
    let (tip, carrier) = toes.unwrap_or((front, leg.foot));
    let aside = Vector3::x() * FOOT_HALF_BREADTH_METRES;
    let corners = vec![
        landmark(anatomy, leg.foot, heel),
        landmark(anatomy, leg.foot, ball + aside),
        landmark(anatomy, carrier, tip),
        landmark(anatomy, leg.foot, ball - aside),
    ];
    Outline { corners, side: side.into() }
}

/// Returns a quad of wrist, thumb, index knuckle and little finger's knuckle.
fn hand(anatomy: &Anatomy, arm: &Arm, side: Side) -> Option<Outline> {
    let hand = arm.hand?;
    let wrist = anatomy.t_pose.positions[hand.index()];
    let frame =
        anatomy.t_pose.rotations[hand.index()] * anatomy.joint_from_anatomical[hand.index()];
    let [along, thumbwards] = [Axis::Y, Axis::Z].map(|axis| frame * *axis.unit());
    let knuckle = arm.fingers[2]
        .first()
        .map(|&joint| (anatomy.t_pose.positions[joint.index()] - wrist).norm());
    let length = knuckle.unwrap_or(DEFAULT_PALM_METRES);
    let at = |forward: f64, aside: f64| {
        landmark(anatomy, hand, wrist + along * forward + thumbwards * aside)
    };
    let corners = vec![
        at(0.0, 0.0),
        at(0.7 * length, THUMB_REACH_METRES),
        at(length, PALM_HALF_BREADTH_METRES),
        at(length, -PALM_HALF_BREADTH_METRES),
    ];
    Some(Outline { corners, side: side.into() })
}

/// Returns a triangle of eyes and tip of the nose.
fn face(anatomy: &Anatomy) -> Option<Outline> {
    let head = anatomy.body.head()?;
    let frame =
        anatomy.t_pose.rotations[head.index()] * anatomy.joint_from_anatomical[head.index()];
    let base = anatomy.t_pose.positions[head.index()];
    let corners =
        FACE_METRES.map(|corner| landmark(anatomy, head, base + frame * Vector3::from(corner)));
    Some(Outline { corners: corners.to_vec(), side: BodySide::Middle })
}

/// Returns a point carried by a joint, given its position in the T pose in metres of a 1.7 m body.
fn landmark(anatomy: &Anatomy, joint: JointId, position: Vector3<f64>) -> Landmark {
    let offset = position - anatomy.t_pose.positions[joint.index()];
    let joint_from_world = anatomy.t_pose.rotations[joint.index()].inverse();
    Landmark { joint, offset: joint_from_world * offset / anatomy.metres_per_unit() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::UnitQuaternion;
    use rebone::{Hints, analyse};

    /// Extent of an outline along X, Y and Z in metres, with the T pose turned.
    fn extent(anatomy: &Anatomy, outline: &Outline, turn: UnitQuaternion<f64>) -> [f64; 3] {
        let mut world = anatomy.t_pose.clone();
        world.positions.iter_mut().for_each(|position| *position = turn * *position);
        world.rotations.iter_mut().for_each(|rotation| *rotation = turn * *rotation);
        let unit = anatomy.metres_per_unit();
        let corners: Vec<Vector3<f64>> =
            outline.corners.iter().filter_map(|corner| corner.place(&world, unit)).collect();
        [0, 1, 2].map(|axis| {
            let values = || corners.iter().map(|corner| corner[axis]);
            values().fold(f64::MIN, f64::max) - values().fold(f64::MAX, f64::min)
        })
    }

    #[test]
    fn feet_hands_and_heads_look_different_when_they_are_rolled() {
        for rig in rebone_samples::rigs() {
            let anatomy = analyse(&rig.motion, &Hints::default()).unwrap();
            let outlines = outlines(&anatomy);
            assert_eq!(outlines.iter().filter(|outline| outline.side == BodySide::Left).count(), 2);
            assert_eq!(
                outlines.iter().filter(|outline| outline.side == BodySide::Right).count(),
                2
            );
            let still = UnitQuaternion::identity();
            let quarter =
                |axis| UnitQuaternion::from_axis_angle(&axis, std::f64::consts::FRAC_PI_2);
            for sole in &outlines[..2] {
                let [wide, high, _] = extent(&anatomy, sole, still);
                assert!((wide - 2.0 * FOOT_HALF_BREADTH_METRES).abs() < 0.02 && high < 0.01);
                let [wide, high, _] = extent(&anatomy, sole, quarter(Vector3::z_axis()));
                assert!(wide < 0.02 && high > FOOT_HALF_BREADTH_METRES, "{wide} {high}");
            }
            for hand in &outlines[2..4] {
                let [_, high, deep] = extent(&anatomy, hand, still);
                assert!(high < 0.03 && deep > THUMB_REACH_METRES, "{high} {deep}");
                let [_, high, deep] = extent(&anatomy, hand, quarter(Vector3::x_axis()));
                assert!(deep < 0.03 && high > THUMB_REACH_METRES, "{high} {deep}");
            }
            let face = &outlines[4];
            let [wide, high, _] = extent(&anatomy, face, still);
            let tilted = extent(&anatomy, face, quarter(Vector3::z_axis()));
            assert!(wide > 2.0 * high && tilted[1] > 2.0 * tilted[0]);
        }
    }
}
