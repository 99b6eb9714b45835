//! Clips in which single signs of how limbs bend mislead.

use super::*;
use crate::analyse::{Hints, analyse};
use crate::body::{Anatomy, CalibrationSource};
use crate::calibrate::calibration::{MAX_MOTION_FRAMES, spread};
use rebone_skeleton::bvh;
use std::path::PathBuf;

/// What misleads, and the clip.
const TRAPS: [(&str, &str); 11] = [
    ("hardly moves; the knees never bend", "second-life/hug.bvh"),
    ("one arm moves; the knees bend by 12 and by 30 degrees", "mixamo/Ortiz-Thankful.bvh"),
    ("both sides move alike", "cmu-3dsmax/jumping_jacks.bvh"),
    ("elbows are overstretched in most frames", "fair1/zombie.bvh"),
    ("one elbow is overstretched", "fair1/dab.bvh"),
    ("knees are overstretched", "second-life/walk_Female.bvh"),
    ("the limbs bend in a narrow range", "bandai-namco/dataset-1_punch_normal_001.bvh"),
    ("limbs bend about no one axis", "smpl/momask.bvh"),
    ("elbows bend about no one axis", "xsens/Sit54.bvh"),
    ("the first frame is no part of the motion", "cmu-cgspeed/05_20.bvh"),
    ("the first frame is no part of the motion", "cmu-cgspeed/12_01.bvh"),
];

/// Errors of the turn about a limb's bone stay below this, degrees, where a rest pose shows it: no axis is
/// taken for its opposite or for the one across.
const MAX_TWIST_ERROR_DEG: f64 = 35.0;
/// Limbs that are bent by more are not overstretched, radians.
const SURELY_BENT: f64 = 0.5;

fn clip(path: &str) -> Option<(Anatomy, Vec<WorldPose>)> {
    let folder = std::env::var_os("REBONE_CORPUS").map(PathBuf::from)?;
    let bytes = std::fs::read(folder.join("motions").join(path)).unwrap();
    let motion = bvh::parse(&bytes).unwrap().motion;
    let anatomy = analyse(&motion, &Hints::default()).unwrap();
    let frames = spread(&motion.skeleton, &motion.clip, MAX_MOTION_FRAMES);
    Some((anatomy, frames))
}

fn limbs(anatomy: &Anatomy) -> [[Landmark; 3]; 4] {
    let [left, right] = anatomy.body.arms.each_ref().map(|arm| {
        let bones: [Landmark; 2] = [arm.upper.into(), arm.lower.into()];
        [bones[0], bones[1], arm.wrist]
    });
    let [left_leg, right_leg] =
        anatomy.body.legs.each_ref().map(|leg| [leg.upper, leg.lower, leg.foot].map(Into::into));
    [left, right, left_leg, right_leg]
}

#[test]
fn limbs_bend_the_way_they_do_where_single_signs_mislead() {
    for (what, path) in TRAPS {
        let Some((anatomy, frames)) = clip(path) else {
            eprintln!("skipped: REBONE_CORPUS is not set");
            return;
        };
        let up = Unit::new_normalize(anatomy.upright_from_file.inverse() * Vector3::y());
        let found =
            frames_from_motion(&anatomy.skeleton, &anatomy.body, &frames, up, RestEvidence::Unread);
        for [upper, lower, end] in limbs(&anatomy) {
            let joint = upper.joint;
            let name = &anatomy.skeleton[joint].name;
            let frame = found[joint.index()].unwrap().0;
            let bends = |pose: &WorldPose| {
                let place = |landmark: Landmark| landmark.at(pose, 1.0);
                let (u, f) = (place(lower) - place(upper), place(end) - place(lower));
                let axis = pose.rotations[joint.index()] * frame * Vector3::x();
                (u.angle(&f) > SURELY_BENT).then_some(u.cross(&f).dot(&axis) > 0.0)
            };
            let bent: Vec<bool> = frames.iter().filter_map(bends).collect();
            let right_way = bent.iter().filter(|&&right_way| right_way).count();
            assert!(20 * right_way >= 19 * bent.len(), "{path}, {what}: {name} bends backwards");
            if anatomy.calibration == CalibrationSource::RestPose {
                let off = anatomy.joint_from_anatomical[joint.index()].inverse() * frame;
                let off = off.scaled_axis().y.to_degrees();
                assert!(
                    off.abs() < MAX_TWIST_ERROR_DEG,
                    "{path}, {what}: {name} is turned by {off:.0} degrees"
                );
            }
        }
    }
}
