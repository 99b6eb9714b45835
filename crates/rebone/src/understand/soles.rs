//! Soles: of a motion, and of poses that hold the feet level.
//!
//! Where somebody stands, the ball of the foot is lower than the ankle: by 7 degrees in the flattest of
//! the poses that were met, by 56 in high heels. Some rest poses stand otherwise like people but have
//! ankle and ball level: either the rig is drawn so, or its zero pose lifts the toes. The motion tells.

use super::calibration::{Calibration, LEAST_FRAMES, spread};
use super::frames::{ball_or_tip, end_count, frame, sideways, toes_ahead};
use super::motion::carried;
use super::{Body, Leg};
use nalgebra::{Unit, UnitQuaternion, Vector3};
use rebone_skeleton::{
    Clip, JointId, Pose, Skeleton, WorldPose, forward_kinematics, rotation::direction,
};

/// Where the soles were read off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Soles {
    /// The calibration pose: it stands on them.
    Pose,
    /// The calibration pose, though it holds the feet level: there is no motion to tell.
    LevelPose,
    /// The motion.
    Motion,
}

/// A foot is level whose ball is not lower than its ankle by this share of the way: 5 degrees.
const LEVEL: f64 = 0.087;

/// How far a foot that is read off standing frames may be off about its axes.
pub(super) const FOOT: [f64; 3] = [8_f64.to_radians(), 16_f64.to_radians(), 10_f64.to_radians()];
/// How far the pitch of a foot may be off that a pose holds level.
const LEVEL_FOOT: f64 = 17_f64.to_radians();

/// Ankle, ball and tip of the toes are in line below this (sine).
const BENT: f64 = 0.12;

/// A foot that moves by a length from one frame to the next counts as lifted by so many lengths.
const SPEED_COUNTS: f64 = 3.0;

/// Takes the soles from the motion where the calibration pose holds the feet level.
pub(super) fn read_level_feet(
    skeleton: &Skeleton,
    body: &Body,
    clip: &Clip,
    calibration: &mut Calibration,
) {
    let pose = Pose { rotations: calibration.locals.clone(), ..skeleton.rest_pose() };
    let pose = forward_kinematics(skeleton, &pose);
    let is_level = |leg: &&Leg| -> bool {
        let ball = ball_or_tip(skeleton, leg, &pose);
        let ahead = ball.map(|ball| ball - pose.positions[leg.foot.index()]);
        let ahead = ahead.and_then(|ahead| direction(&ahead));
        ahead.is_some_and(|ahead| ahead.dot(&calibration.up) > -LEVEL)
    };
    let level: Vec<&Leg> = body.legs.iter().filter(is_level).collect();
    if level.is_empty() {
        return;
    }
    calibration.soles = Soles::LevelPose;
    let feet = || level.iter().flat_map(|leg| [Some(leg.foot), leg.toes]).flatten();
    feet().for_each(|joint| calibration.sigmas[joint.index()].x = LEVEL_FOOT);
    if clip.frames.len() < LEAST_FRAMES {
        return;
    }
    let frames: Vec<WorldPose> = spread(skeleton, clip);
    for leg in level {
        for (joint, frame) in standing_feet(skeleton, leg, &frames, calibration.up) {
            calibration.frames[joint.index()] = frame;
            calibration.sigmas[joint.index()] = FOOT.into();
        }
    }
    calibration.soles = Soles::Motion;
}

/// The frames of foot and toes in their own axes: up is the world's up while the foot stands.
pub(super) fn standing_feet(
    skeleton: &Skeleton,
    leg: &Leg,
    frames: &[WorldPose],
    up: Unit<Vector3<f64>>,
) -> Vec<(JointId, UnitQuaternion<f64>)> {
    let standing = standing_frames(leg.foot, frames, up);
    let sole = |joint: JointId, ahead: Option<Vector3<f64>>| {
        let sum: Vector3<f64> =
            standing.iter().map(|pose| pose.rotations[joint.index()].inverse() * *up).sum();
        let frame = match toe_axis(skeleton, leg, frames, joint) {
            Some(left) => sideways(&left, &sum),
            None => {
                let up = direction(&sum)?;
                frame(&up, &up.cross(&ahead?))
            }
        };
        Some((joint, frame?))
    };
    let site = |joint| skeleton.end_sites_of(joint).next().map(|site| site.offset);
    let ball = leg.toes.map(|toes| skeleton.joint(toes).rest_translation);
    let foot = sole(leg.foot, ball.or_else(|| site(leg.foot)));
    let toes = leg.toes.and_then(|toes| {
        sole(toes, site(toes))
            .or_else(|| Some((toes, carried(frames, leg.foot, Some(foot?.1), toes)?)))
    });
    foot.into_iter().chain(toes).collect()
}

/// The axis that the toes bend about, to the left, in the axes of `joint`: ankle, ball and tip of the
/// toes lie in one plane, upright in each of 30 rest poses to 4 degrees, however the toes are bent.
/// `None` where there is no one tip or the three are in line.
fn toe_axis(
    skeleton: &Skeleton,
    leg: &Leg,
    frames: &[WorldPose],
    joint: JointId,
) -> Option<Vector3<f64>> {
    let toes = leg.toes.filter(|&toes| end_count(skeleton, toes) == 1)?;
    let normal = |pose: &WorldPose| {
        let ball = pose.positions[toes.index()];
        let ahead = direction(&(ball - pose.positions[leg.foot.index()]))?;
        let tip = direction(&toes_ahead(skeleton, toes, pose)?)?;
        Some(pose.rotations[joint.index()].inverse() * tip.cross(&ahead))
    };
    let mean = frames.iter().filter_map(normal).sum::<Vector3<f64>>() / frames.len() as f64;
    (mean.norm() > BENT).then_some(mean)
}

/// The fifth of the frames in which a foot is lowest and slowest.
fn standing_frames(foot: JointId, frames: &[WorldPose], up: Unit<Vector3<f64>>) -> Vec<&WorldPose> {
    let place = |k: usize| frames[k].positions[foot.index()];
    let speed = |k: usize| (place(k) - place(k.saturating_sub(1))).norm();
    let rank = |k: usize| place(k).dot(&up) + SPEED_COUNTS * speed(k);
    let mut order: Vec<usize> = (0..frames.len()).collect();
    order.sort_by(|&a, &b| rank(a).total_cmp(&rank(b)));
    order.truncate((frames.len() / 5).max(1));
    order.into_iter().map(|k| &frames[k]).collect()
}
