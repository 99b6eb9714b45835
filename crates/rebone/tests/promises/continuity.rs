//! A result jumps nowhere where its source does not.

use crate::support::*;
use rebone::skeleton::{Pose, Skeleton, forward_kinematics};
use rebone::{LimbModes, LimitMode, Options};

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

/// No joint turns more from one frame to the next than a fifth more than the fastest joint of the
/// source does anywhere: the target's joints take over turns that the source shares between several,
/// but a pop turns a joint by far more than a capture of 60 frames a second ever does.
#[test]
fn results_jump_no_more_than_their_sources() {
    for clip in samples() {
        let from = anatomy(&clip.motion);
        let (own, ..) = largest_turn(&clip.motion.skeleton, &clip.motion.clip.frames);
        for rig in rigs() {
            let to = anatomy(&rig.motion);
            for mode in [0.0, 1.0] {
                for limits in [LimitMode::Source, LimitMode::Human] {
                    let limbs = LimbModes { arms: mode, legs: mode };
                    let mut retargeter =
                        retargeter(&from, &to, &Options { limbs, limits, ..Options::default() });
                    let frames = clip.motion.clip.frames.iter();
                    let poses: Vec<Pose> =
                        frames.map(|pose| pose_of(&mut retargeter, pose)).collect();
                    let (turn, joint, frame) = largest_turn(&to.skeleton, &poses);
                    let what = format!("{} on {}, {mode}, {limits:?}", clip.name, rig.name);
                    assert!(turn < 1.2 * own, "{what}: {joint} in frame {frame} by {turn}, {own}");
                }
            }
        }
    }
}
