//! Are frames read off a motion as sure as they say?
//!
//! Read off clips whose rest pose is a plain standing one: there both can be compared.

use super::*;
use crate::analyse::{Hints, analyse};
use crate::body::{Anatomy, CalibrationSource};
use rebone_skeleton::{Motion, bvh, forward_kinematics};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Errors of one body part about one axis, in standard deviations, by convention.
type Errors = BTreeMap<(&'static str, usize), BTreeMap<PathBuf, Vec<f64>>>;

fn parts(anatomy: &Anatomy) -> Vec<(&'static str, JointId)> {
    let body = &anatomy.body;
    let mut parts = vec![("pelvis", body.pelvis()), ("chest", body.chest())];
    parts.extend(body.head().map(|head| ("head", head)));
    let necks = body.neck.iter().filter(|&&joint| body.head() != Some(joint));
    parts.extend(necks.map(|&neck| ("neck", neck)));
    for arm in &body.arms {
        parts.extend(arm.collar.map(|collar| ("collar", collar)));
        parts.extend([("upper arm", arm.upper), ("forearm", arm.lower)]);
        parts.extend(arm.hand.map(|hand| ("hand", hand)));
    }
    for leg in &body.legs {
        parts.extend([("thigh", leg.upper), ("shin", leg.lower), ("foot", leg.foot)]);
    }
    parts
}

fn collect(errors: &mut Errors, kind: &Path, motion: &Motion) {
    let Ok(anatomy) = analyse(motion, &Hints::default()) else { return };
    let stands = anatomy.calibration == CalibrationSource::RestPose && anatomy.confidence > 0.7;
    if !stands || motion.clip.len() < 60 {
        return;
    }
    let up = Unit::new_normalize(anatomy.upright_from_file.inverse() * Vector3::y());
    for frames in windows(motion) {
        let found =
            frames_from_motion(&motion.skeleton, &anatomy.body, &frames, up, RestEvidence::Unread);
        for (part, joint) in parts(&anatomy) {
            let Some((frame, sigma)) = found[joint.index()] else { continue };
            let off = anatomy.joint_from_anatomical[joint.index()].inverse() * frame;
            let off = off.scaled_axis();
            // Bones are OFFSETs: nothing is guessed about the axes across them.
            for axis in (0..3).filter(|&axis| sigma[axis] > 0.0) {
                let of =
                    errors.entry((part, axis)).or_default().entry(kind.to_owned()).or_default();
                of.push(off[axis] / sigma[axis]);
            }
        }
    }
}

/// Up to five windows of seven seconds, spread over a clip, at about 30 frames a second; without its
/// first frame, which may be a reference pose.
fn windows(motion: &Motion) -> Vec<Vec<WorldPose>> {
    let step = ((1.0 / 30.0 / motion.clip.frame_time).round() as usize).max(1);
    let poses: Vec<_> = motion.clip.poses().skip(1).step_by(step).collect();
    let all: Vec<_> = poses.chunks(200).filter(|window| window.len() >= 60).collect();
    let apart = all.len().div_ceil(5).max(1);
    let pose = |pose: &rebone_skeleton::Pose| forward_kinematics(&motion.skeleton, pose).unwrap();
    all.iter().step_by(apart).map(|window| window.iter().map(pose).collect()).collect()
}

/// The mean over the conventions of the mean square.
fn mean_square(by_kind: &BTreeMap<PathBuf, Vec<f64>>) -> f64 {
    let of_kind = |errors: &Vec<f64>| {
        errors.iter().map(|error| error * error).sum::<f64>() / errors.len() as f64
    };
    by_kind.values().map(of_kind).sum::<f64>() / by_kind.len() as f64
}

#[test]
fn errors_are_as_large_as_they_say() {
    let Some(folder) = std::env::var_os("REBONE_CORPUS").map(PathBuf::from) else {
        eprintln!("skipped: REBONE_CORPUS is not set");
        return;
    };
    let list =
        |folder: &Path| std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut errors = Errors::new();
    for kind in list(&folder.join("motions")).filter(|path| path.is_dir()) {
        for path in list(&kind) {
            if let Ok(document) = bvh::parse(&std::fs::read(path).unwrap()) {
                collect(&mut errors, &kind, &document.motion);
            }
        }
    }
    let (mut sum, mut count) = (0.0, 0.0);
    for ((part, axis), by_kind) in &errors {
        let square = mean_square(by_kind);
        assert!(square < 2.0, "{part} {axis}: {square} over {} conventions", by_kind.len());
        sum += square;
        count += 1.0;
    }
    let all = sum / count;
    assert!((0.5..2.0).contains(&all), "{all}");
}

#[cfg(test)]
#[allow(clippy::print_stderr, reason = "a test says that it was skipped")]
mod misleading_clips;

mod turned_feet;
