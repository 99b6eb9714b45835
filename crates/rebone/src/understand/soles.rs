//! Soles of poses that hold the feet level.
//!
//! Where somebody stands, the ball of the foot is lower than the ankle: by 7 degrees in the flattest of
//! the poses that were met, by 56 in high heels. Some rest poses stand otherwise like people but have
//! ankle and ball level: either the rig is drawn so, or its zero pose lifts the toes. The motion tells.

use super::calibration::{Calibration, LEAST_FRAMES, spread};
use super::frames::ball_or_tip;
use super::motion::standing_feet;
use super::{Body, Known, Leg};
use rebone_skeleton::{Clip, Pose, Skeleton, WorldPose, forward_kinematics, rotation::direction};

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

/// Takes the soles from the motion where the calibration pose holds the feet level.
pub(super) fn read_level_feet(
    skeleton: &Skeleton,
    body: &Body,
    clip: &Clip,
    known: &Known,
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
    if known.level_feet || clip.frames.len() < LEAST_FRAMES {
        return;
    }
    let frames: Vec<WorldPose> = spread(skeleton, clip);
    for leg in level {
        for (joint, frame) in standing_feet(skeleton, leg, &frames, calibration.up) {
            calibration.frames[joint.index()] = frame;
        }
    }
    calibration.soles = Soles::Motion;
}
