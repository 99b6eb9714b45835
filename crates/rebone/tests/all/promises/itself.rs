//! A skeleton retargeted to itself stands still, to numerical precision, all joints.

use crate::promises::support::*;
use nalgebra::{UnitQuaternion, Vector3};
use rebone::skeleton::{Clip, Motion};
use rebone::{ClipInput, Options, retarget_clip};

/// In statures and radians.
const EXACT: f64 = 1e-9;

/// The worst of each joint over (some of) the clip.
fn worst(clip: &Named, frames: usize) -> Vec<Off> {
    let anatomy = anatomy(&clip.motion);
    let mut retargeter = retargeter(&anatomy, &anatomy, &Options::default());
    let skeleton = &clip.motion.skeleton;
    let mut worst = vec![Off::default(); skeleton.len()];
    for source in thinned(&clip.motion.clip, frames) {
        let result = pose_of(&mut retargeter, &source);
        raise(&mut worst, &offs(skeleton, anatomy.stature, &source, &result));
    }
    let sources =
        Clip::from_poses(skeleton, 1.0 / 30.0, thinned(&clip.motion.clip, frames)).unwrap();
    let limits =
        retarget_clip(retargeter.plan(), &ClipInput::new(&retargeter.plan().source, &sources))
            .unwrap()
            .1
            .limits;
    assert!(limits.is_empty(), "{}: {limits:?}", clip.name);
    worst
}

/// Bones that the file moves cannot be followed by bones that keep their length: there places are as
/// far off as the file moves them, and rotations by as much over the length of short bones; a spine
/// that is nearly straight bends most for the least change of its chord.
#[test]
fn corpus_stands_still() {
    for path in corpus() {
        let clip = read(&path);
        let displaced = displaced(&clip.motion, &anatomy(&clip.motion));
        for (joint, off) in clip.motion.skeleton.joints().iter().zip(worst(&clip, 60)) {
            let holds = off.place < EXACT + 30.0 * displaced
                && off.world.max(off.local) < EXACT + 1000.0 * displaced;
            assert!(displaced < 1e-5, "{}: {displaced:e}", clip.name);
            assert!(holds, "{} {}: {off:?}, displaced {displaced:e}", clip.name, joint.name);
        }
    }
}

/// A clip on a rig, all its ball joints turned a little besides: twist joints, toes and fingers move.
fn moved(clip: &Named, rig: &Named) -> Named {
    let result =
        crate::motions::retarget_motions(&clip.motion, &rig.motion, &Options::default()).unwrap();
    let (skeleton, mut clip_of_rig) = (rig.motion.skeleton.clone(), result.clip);
    clip_of_rig
        .edit(|frame, pose| {
            for (index, rotation) in pose.rotations.iter_mut().enumerate() {
                if skeleton.joints()[index].rotation_axes.len() == 3 {
                    let phase = 0.1 * frame as f64 + 2.4 * index as f64;
                    let turn = Vector3::new(phase.sin(), (1.7 * phase).cos(), (0.6 * phase).sin());
                    *rotation *= UnitQuaternion::from_scaled_axis(turn * 0.05);
                }
            }
        })
        .unwrap();
    let name = format!("{} on {}", clip.name, rig.name);
    Named { name, motion: Motion { skeleton, clip: clip_of_rig } }
}

#[test]
fn rigs_stand_still() {
    for rig in rigs() {
        for clip in samples() {
            let source = moved(&clip, &rig);
            for (joint, off) in source.motion.skeleton.joints().iter().zip(worst(&source, 20)) {
                assert!(off.worst() < EXACT, "{} {}: {off:?}", source.name, joint.name);
            }
        }
    }
}
