//! A skeleton retargeted to itself stands still, to numerical precision, all joints.

use crate::support::*;
use rebone::Options;

/// In statures and radians.
const EXACT: f64 = 1e-9;

/// The worst of each joint over (some of) the clip.
fn worst(clip: &Named, frames: usize) -> Vec<Off> {
    let anatomy = anatomy(&clip.motion);
    let mut retargeter = retargeter(&anatomy, &anatomy, &Options::default());
    let skeleton = &clip.motion.skeleton;
    let mut worst = vec![Off::default(); skeleton.len()];
    for source in thinned(&clip.motion.clip, frames) {
        let result = pose_of(&mut retargeter, source);
        raise(&mut worst, &offs(skeleton, anatomy.stature, source, &result));
    }
    worst
}

#[test]
fn samples_stand_still() {
    for clip in samples() {
        for (joint, off) in clip.motion.skeleton.joints().iter().zip(worst(&clip, 60)) {
            assert!(off.worst() < EXACT, "{} {}: {off:?}", clip.name, joint.name);
        }
    }
}

#[test]
fn corpus_stands_still() {
    for path in corpus() {
        let clip = read(&path);
        let worst = worst(&clip, 60);
        let all = worst.iter().fold(Off::default(), |a, b| a.max(*b));
        let joints = clip.motion.skeleton.joints().iter();
        let bad: Vec<String> = joints
            .zip(&worst)
            .filter(|(_, off)| off.worst() > EXACT)
            .map(|(joint, off)| format!("{} {:.1e}/{:.1e}/{:.1e}", joint.name, off.place, off.world, off.local))
            .collect();
        println!("{:50} {:.1e} {:.1e} {:.1e} bad {} {:?}", clip.name, all.place, all.world, all.local, bad.len(), &bad[..bad.len().min(6)]);
    }
}
