//! Anatomical frames read off a standing pose.
//!

use super::feet::foot::{pitch_of_soles, standing_foot};
use super::spine_bend::{bend_of_spine, bent};
use crate::body::{Arm, Body, Leg, Side};
use crate::body::{
    arm_in_t_pose, end_of, finger_in_t_pose, hanging_leg, inherit, sideways, tip, turned_to,
};
use nalgebra::{Unit, UnitQuaternion, Vector3};
use rebone_skeleton::rotation::direction;
use rebone_skeleton::{JointId, Skeleton, WorldPose};

/// The anatomical frame in the world of each joint of `skeleton` in a standing pose.
///
/// `pose` is in the inner world (+Y up, the body facing +Z). A joint that plays no part has the frame
/// of the joint above it.
pub(crate) fn from_standing_pose(
    skeleton: &Skeleton,
    body: &Body,
    pose: &WorldPose,
) -> Vec<UnitQuaternion<f64>> {
    let mut found = vec![None; skeleton.len()];
    let bend = bend_of_spine(body, pose);
    for (place, joint) in body.trunk.iter().enumerate() {
        found[joint.index()] = Some(bent(place as f64 * bend));
    }
    // A neck goes back by half of what the spine leans: the head looks ahead.
    let chest = (body.trunk.len() - 1) as f64 * bend;
    for joint in &body.neck {
        let by = if body.head() == Some(*joint) { 0.0 } else { chest / 2.0 };
        found[joint.index()] = Some(bent(by));
    }
    let thighs = body.legs.each_ref().map(|leg| pose.positions[leg.upper.index()]);
    found[body.pelvis().index()] = sideways(&(thighs[0] - thighs[1]), &Vector3::y());
    let pitch = pitch_of_soles(skeleton, &body.legs, pose);
    for side in Side::BOTH {
        let (arm, leg) = (&body.arms[side.index()], &body.legs[side.index()]);
        let of_arm = standing_arm(skeleton, arm, side, bent(chest), pose);
        for (joint, frame) in of_arm.into_iter().chain(standing_leg(skeleton, leg, pose, pitch)) {
            found[joint.index()] = Some(frame);
        }
    }
    inherit(skeleton, &found, UnitQuaternion::identity())
}

/// A joint and the anatomical frame of its segment.
type Framed = (JointId, UnitQuaternion<f64>);

/// `frame` turned by the shortest way so that its +Y points from one place to another.
fn pointing(
    frame: UnitQuaternion<f64>,
    from: Vector3<f64>,
    to: Vector3<f64>,
) -> UnitQuaternion<f64> {
    direction(&(to - from)).map_or(frame, |along| turned_to(frame, &along))
}

/// Collar bone, both bones, twist joints, hand and fingers of an arm in a standing pose. The collar bone
/// is turned as the chest.
fn standing_arm(
    skeleton: &Skeleton,
    arm: &Arm,
    side: Side,
    chest: UnitQuaternion<f64>,
    pose: &WorldPose,
) -> Vec<Framed> {
    let place = |id: JointId| pose.positions[id.index()];
    let upper = pointing(arm_in_t_pose(side), place(arm.upper), place(arm.lower));
    let lower = pointing(upper, place(arm.lower), arm.wrist.at(pose, 1.0));
    let along = arm.hand.and_then(|id| hand_direction(skeleton, id, &arm.fingers, pose));
    let hand = along.map_or(lower, |along| hand_after(lower, &along));
    let turned = turn_of_palm(arm, hand, pose);
    let about = |turn: f64| UnitQuaternion::from_axis_angle(&Vector3::y_axis(), turn);
    let (lower, hand) = (lower * about(turned / 2.0), hand * about(turned));
    let mut framed: Vec<Framed> = arm.collar.into_iter().map(|joint| (joint, chest)).collect();
    framed.extend([arm.upper].iter().chain(&arm.upper_twist).map(|&joint| (joint, upper)));
    framed.extend([arm.lower].iter().chain(&arm.lower_twist).map(|&joint| (joint, lower)));
    framed.extend(arm.hand.map(|joint| (joint, hand)));
    let straight = hand * (arm_in_t_pose(side).inverse() * finger_in_t_pose(side));
    for finger in &arm.fingers {
        let mut above = straight;
        for (at, &joint) in finger.iter().enumerate() {
            let next = finger.get(at + 1).map(|&next| place(next));
            let end = next.or_else(|| tip(skeleton, joint, pose, 1.0));
            above = end.map_or(above, |end| pointing(above, place(joint), end));
            framed.push((joint, above));
        }
    }
    framed
}

/// Hip bones, both bones, twist joints, foot and toes of a leg in a standing pose.
fn standing_leg(skeleton: &Skeleton, leg: &Leg, pose: &WorldPose, sole_pitch: f64) -> Vec<Framed> {
    let place = |id: JointId| pose.positions[id.index()];
    let upper = pointing(hanging_leg(), place(leg.upper), place(leg.lower));
    let lower = pointing(upper, place(leg.lower), place(leg.foot));
    let foot = standing_foot(skeleton, leg, pose, sole_pitch);
    let mut framed: Vec<Framed> =
        leg.hip_bones.iter().map(|&joint| (joint, UnitQuaternion::identity())).collect();
    framed.extend([leg.upper].iter().chain(&leg.upper_twist).map(|&joint| (joint, upper)));
    framed.extend([leg.lower].iter().chain(&leg.lower_twist).map(|&joint| (joint, lower)));
    framed.extend([leg.foot].into_iter().chain(leg.toes).map(|joint| (joint, foot)));
    framed
}

/// Returns the twist of a palm against the forearm, radians; 0 within 30 degrees, which
/// is how rigs and hands differ. The line of the knuckles shows it, where there are two.
///
/// Half of it is the forearm's: it is the forearm that turns a palm, all along its length.
fn turn_of_palm(arm: &Arm, hand: UnitQuaternion<f64>, pose: &WorldPose) -> f64 {
    let mut knuckles = arm.fingers[1..].iter().filter_map(|finger| finger.first());
    let (Some(first), Some(last)) = (knuckles.next(), knuckles.next_back()) else { return 0.0 };
    let across = pose.positions[first.index()] - pose.positions[last.index()];
    let Some(across) = direction(&(hand.inverse() * across)) else { return 0.0 };
    // In the frame of a hand with the palm down the first finger's knuckle is ahead: along +Z.
    let turn = libm::atan2(across.x, across.z);
    let lies_across = across.y.abs() < 0.7;
    if lies_across && turn.abs() > 30_f64.to_radians() { turn } else { 0.0 }
}

/// A hand that goes on where the forearm points, to within 25 degrees, is straight: what is left is
/// where that rig has its knuckles. Otherwise it is bent.
fn hand_after(forearm: UnitQuaternion<f64>, pointing: &Unit<Vector3<f64>>) -> UnitQuaternion<f64> {
    let straight = Unit::new_unchecked(forearm * Vector3::y());
    if straight.angle(pointing) < 25_f64.to_radians() {
        forearm
    } else {
        turned_to(forearm, pointing)
    }
}

/// Returns the direction of the hand: to the middle of the outer fingers' knuckles, else to its end, which no
/// thumb is.
pub(crate) fn hand_direction(
    skeleton: &Skeleton,
    hand: JointId,
    fingers: &[Vec<JointId>; 5],
    pose: &WorldPose,
) -> Option<Unit<Vector3<f64>>> {
    let wrist = pose.positions[hand.index()];
    let knuckles: Vec<_> = fingers[1..]
        .iter()
        .filter_map(|finger| finger.first())
        .map(|id| pose.positions[id.index()])
        .collect();
    let end = if knuckles.is_empty() {
        let is_thumb = |id| fingers[0].first().is_some_and(|&base| skeleton.is_ancestor(id, base));
        end_of(skeleton, hand, pose, 1.0, |id| !is_thumb(id))?
    } else {
        knuckles.iter().sum::<Vector3<f64>>() / knuckles.len() as f64
    };
    direction(&(end - wrist))
}
