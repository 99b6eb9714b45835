//! In each frame each joint is inside its box, and no bone is longer or shorter than it was.

use crate::promises::support::*;
use rebone::body::Anatomy;
use rebone::skeleton::Pose;
use rebone::{LimitMode, Options};

/// Radians: boxes hold to the bit in the solver's coordinates, which are read back from rotations.
const EXACT: f64 = 1e-9;

/// How far any joint is outside its box, radians.
fn outside(retargeter: &rebone::Retargeter) -> (f64, String) {
    let mut worst = (f64::NEG_INFINITY, String::new());
    for joint in retargeter.range_uses() {
        for (k, &value) in joint.values.iter().enumerate() {
            assert!(value.is_finite());
            let off = (joint.lower[k] - value).max(value - joint.upper[k]);
            if off > worst.0 {
                let name = &retargeter.plan().target.skeleton[joint.joint].name;
                worst = (off, format!("{name} coordinate {k}: {joint:?}"));
            }
        }
    }
    worst
}

/// The largest change of a bone, in statures: of all below the top of the trunk.
fn stretch(anatomy: &Anatomy, pose: &Pose) -> f64 {
    let (skeleton, top) = (&anatomy.skeleton, anatomy.body.trunk[anatomy.body.trunk_top()]);
    let bones = skeleton.ids().filter(|&id| !skeleton.is_ancestor(id, top));
    let change = bones.map(|id| {
        let bone = skeleton[id].rest_translation.norm();
        (pose.translations[id.index()].norm() - bone).abs() / anatomy.stature
    });
    change.fold(0.0, f64::max)
}

fn assert_inside(source: &Named, target: &Named, limits: LimitMode, frames: usize) {
    let (from, to) = (anatomy(&source.motion), anatomy(&target.motion));
    let mut retargeter = retargeter(&from, &to, &Options { limits, ..Options::default() });
    for pose in thinned(&source.motion.clip, frames) {
        let result = pose_of(&mut retargeter, &pose);
        let (off, place) = outside(&retargeter);
        assert!(off < EXACT, "{} on {}, {limits:?}: {off:e} {place}", source.name, target.name);
        assert!(stretch(&to, &result) < EXACT, "{} on {}", source.name, target.name);
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

/// Each clip onto two rigs with limits of all kinds: twist bones, and joints with one channel.
#[test]
fn corpus_stays_inside_its_boxes() {
    let rigs = rigs();
    let odd = || rigs.iter().filter(|rig| ["one-channel", "twist-zup-cm"].contains(&&*rig.name));
    for path in corpus() {
        let clip = read(&path);
        for rig in odd() {
            for limits in [LimitMode::Source, LimitMode::Human] {
                assert_inside(&clip, rig, limits, 20);
            }
        }
    }
}
