//! A result jumps nowhere where its source does not.

use crate::support::*;
use rebone::Options;
use rebone::skeleton::{Pose, Skeleton, forward_kinematics};

/// The largest turn of any joint in the world from one frame to the next, radians; and where.
fn largest_turn(skeleton: &Skeleton, poses: &[Pose]) -> (f64, String, usize) {
    let worlds: Vec<_> = poses.iter().map(|pose| forward_kinematics(skeleton, pose)).collect();
    let mut worst = (0.0, String::new(), 0);
    for (frame, pair) in worlds.windows(2).enumerate() {
        for id in skeleton.ids() {
            let turn = angle(&pair[0].rotations[id.index()], &pair[1].rotations[id.index()]);
            if turn > worst.0 {
                worst = (turn, skeleton.joint(id).name.to_string(), frame);
            }
        }
    }
    worst
}

#[test]
fn results_jump_no_more_than_their_sources() {
    for clip in samples() {
        let from = anatomy(&clip.motion);
        let own = largest_turn(&clip.motion.skeleton, &clip.motion.clip.frames);
        for rig in rigs() {
            let to = anatomy(&rig.motion);
            for mode in [0.0, 1.0] {
                for limits in [rebone::LimitMode::Source, rebone::LimitMode::Human] {
                    let options =
                        Options { limbs: rebone::LimbModes { arms: mode, legs: mode }, limits };
                    let mut retargeter = retargeter(&from, &to, &options);
                    let frames = &clip.motion.clip.frames;
                    let poses: Vec<Pose> =
                        frames.iter().map(|pose| pose_of(&mut retargeter, pose)).collect();
                    let turn = largest_turn(&to.skeleton, &poses);
                    if turn.0 > 1.2 * own.0 {
                        println!(
                            "{} on {} mode {mode} {limits:?}: {turn:?}, source {own:?} factor {:.2}",
                            clip.name,
                            rig.name,
                            turn.0 / own.0
                        );
                    }
                }
            }
        }
    }
}
