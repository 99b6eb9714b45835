//! In each frame each joint is inside its box, and no bone is longer or shorter than it was.

use crate::support::*;
use rebone::skeleton::{Pose, Skeleton};
use rebone::{LimitMode, Options};

/// Radians: boxes hold to the bit in the solver's coordinates, which are read back from rotations.
const EXACT: f64 = 1e-9;

/// How far any joint is outside its box, radians.
fn outside(retargeter: &rebone::Retargeter) -> (f64, String) {
    let mut worst = (0.0, String::new());
    for joint in retargeter.boxes() {
        for (k, &value) in joint.values.iter().enumerate() {
            let off = (joint.lower[k] - value).max(value - joint.upper[k]);
            if off > worst.0 {
                let name = &retargeter.plan().target.skeleton.joint(joint.joint).name;
                worst = (off, format!("{name} coordinate {k}: {joint:?}"));
            }
        }
    }
    worst
}

/// The largest change of a bone, in statures, the joints that carry the body aside.
fn stretch(skeleton: &Skeleton, stature: f64, pose: &Pose) -> f64 {
    let bones = skeleton.joints().iter().zip(&pose.translations);
    bones
        .filter(|(joint, _)| joint.translation_axes.is_empty())
        .map(|(joint, place)| (place.norm() - joint.rest_translation.norm()).abs() / stature)
        .fold(0.0, f64::max)
}

fn assert_inside(source: &Named, target: &Named, limits: LimitMode, frames: usize) {
    let (from, to) = (anatomy(&source.motion), anatomy(&target.motion));
    let mut retargeter = retargeter(&from, &to, &Options { limits, ..Options::default() });
    for pose in thinned(&source.motion.clip, frames) {
        let result = pose_of(&mut retargeter, pose);
        let (off, place) = outside(&retargeter);
        assert!(off < EXACT, "{} on {}, {limits:?}: {off:e} {place}", source.name, target.name);
        assert!(stretch(&to.skeleton, to.stature, &result) < 1e-9);
    }
}

#[test]
fn samples_stay_inside_their_boxes() {
    for clip in samples() {
        for rig in rigs() {
            for limits in [LimitMode::Source, LimitMode::Human] {
                assert_inside(&clip, &rig, limits, 40);
            }
        }
    }
}
