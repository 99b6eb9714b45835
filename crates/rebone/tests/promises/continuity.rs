//! A result jumps nowhere where its source does not.

use crate::support::*;
use rebone::skeleton::{JointId, Pose, Skeleton, WorldPose, forward_kinematics};
use rebone::{LimbModes, LimitMode, Options};

/// The largest turn of any joint in the world from each frame to the next, radians, and its joint.
fn turns(skeleton: &Skeleton, poses: &[Pose]) -> Vec<(f64, String)> {
    let worlds: Vec<_> = poses.iter().map(|pose| forward_kinematics(skeleton, pose)).collect();
    let of_pair = |pair: &[WorldPose]| {
        let turn =
            |id: JointId| angle(&pair[0].rotations[id.index()], &pair[1].rotations[id.index()]);
        let most = skeleton.ids().max_by(|&a, &b| turn(a).total_cmp(&turn(b))).unwrap();
        (turn(most), skeleton.joint(most).name.to_string())
    };
    worlds.windows(2).map(of_pair).collect()
}

/// No joint turns more from one frame to the next than 1.5 times as much as the fastest joint of the
/// source does in these frames and the four beside them, and three degrees: the target's joints take
/// over turns that the source shares between several, but a pop turns a joint by far more.
#[test]
fn results_jump_no_more_than_their_sources() {
    for clip in samples() {
        let from = anatomy(&clip.motion);
        let own = turns(&clip.motion.skeleton, &clip.motion.clip.frames);
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
                    for (k, (turn, joint)) in turns(&to.skeleton, &poses).into_iter().enumerate() {
                        let near = &own[k.saturating_sub(2)..(k + 3).min(own.len())];
                        let most = near.iter().map(|(turn, _)| *turn).fold(0.0, f64::max);
                        let what = format!("{} on {}, {mode}, {limits:?}", clip.name, rig.name);
                        let bound = 1.5 * most + 3_f64.to_radians();
                        assert!(turn < bound, "{what}: {joint} in frame {k} by {turn}, {most}");
                    }
                }
            }
        }
    }
}
