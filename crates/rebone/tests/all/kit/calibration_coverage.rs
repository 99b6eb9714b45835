//! Are calibrations as sure as they say? Real clips whose rest pose is a plain standing one tell: with
//! other axes of the joints, and other proportions, only their motion says how the axes lie.

use crate::kit::edit::{Edit, edited};
use crate::kit::test_rig::{TestRig, Turned};
use nalgebra::UnitQuaternion;
use rebone::body::{Anatomy, CalibrationSource, Role, Side};
use rebone::skeleton::{Clip, JointId, Motion, bvh};
use rebone::{Hints, analyse};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The most frames of a window: seven seconds at thirty frames a second.
const MAX_WINDOW_FRAMES: usize = 200;
/// The least frames.
const MIN_WINDOW_FRAMES: usize = 60;

/// Errors of one part of the body about one axis, in standard deviations, by convention.
type Errors = BTreeMap<(&'static str, usize), BTreeMap<PathBuf, Vec<f64>>>;

/// What the kit calls a joint of trunk, head, arm or leg.
fn part(role: Role) -> Option<(&'static str, Option<Side>)> {
    Some(match role {
        Role::Hips => ("Hips", None),
        Role::Spine => ("Spine", None),
        Role::Neck => ("Neck", None),
        Role::Head => ("Head", None),
        Role::Shoulder(side) => ("Shoulder", Some(side)),
        Role::UpperArm(side) => ("Arm", Some(side)),
        Role::LowerArm(side) => ("ForeArm", Some(side)),
        Role::Hand(side) => ("Hand", Some(side)),
        Role::UpperLeg(side) => ("UpLeg", Some(side)),
        Role::LowerLeg(side) => ("Leg", Some(side)),
        Role::Foot(side) => ("Foot", Some(side)),
        _ => return None,
    })
}

/// A real motion as a test rig whose bones are rigid, at about thirty frames a second and without its
/// first frame, which may be a reference pose.
fn test_rig(motion: &Motion, anatomy: &Anatomy) -> TestRig {
    let step = ((1.0 / 30.0 / motion.clip.frame_time).round() as usize).max(1);
    let Motion { skeleton, clip } = motion.clone();
    let poses = clip.poses().skip(1).step_by(step);
    let motion =
        Motion { clip: Clip::from_poses(&skeleton, clip.frame_time, poses).unwrap(), skeleton };
    let mut test_rig = TestRig::of(&motion);
    for (joint, node) in test_rig.joints().into_iter().enumerate() {
        let part = anatomy.roles.of(JointId(joint)).and_then(part);
        let key = part.map(|(part, side)| match side {
            Some(side) => format!("{side:?}{part}"),
            None => part.to_string(),
        });
        test_rig.nodes[node].key = key.unwrap_or_default();
        test_rig.nodes[node].moves = joint == 0;
    }
    let offsets = test_rig.offsets();
    test_rig.lay(0..test_rig.frames.len(), &offsets);
    test_rig
}

/// Up to five windows of a test rig, spread over it.
fn windows(test_rig: &TestRig) -> Vec<Range<usize>> {
    let count = test_rig.frames.len();
    let all = (1..count)
        .step_by(MAX_WINDOW_FRAMES)
        .map(|start| start..(start + MAX_WINDOW_FRAMES).min(count));
    let all: Vec<_> = all.filter(|window| window.len() >= MIN_WINDOW_FRAMES).collect();
    let apart = all.len().div_ceil(5).max(1);
    all.into_iter().step_by(apart).collect()
}

/// The frames of each joint with a part, in the axes of the joints of an edited test rig.
fn truth(
    anatomy: &Anatomy,
    test_rig: &TestRig,
) -> Vec<(JointId, &'static str, UnitQuaternion<f64>)> {
    let axes = test_rig.axes();
    let joints = test_rig.joints();
    let frame = |id: JointId| {
        let (part, _) = part(anatomy.roles.of(id)?)?;
        let axes = axes[joints[id.index()]];
        Some((id, part, axes.inverse() * anatomy.joint_from_anatomical[id.index()]))
    };
    anatomy.framed().filter_map(frame).collect()
}

/// Adds the errors in the windows of a motion, where its rest pose tells the truth and no frame of the
/// edited file stands in it.
fn collect(errors: &mut Errors, kind: &Path, motion: &Motion, edits: &[Edit]) {
    let Ok(anatomy) = analyse(motion, &Hints::default()) else { return };
    if anatomy.calibration != CalibrationSource::RestPose || anatomy.confidence <= 0.7 {
        return;
    }
    let test_rig = edited(&test_rig(motion, &anatomy), edits);
    for window in windows(&test_rig) {
        let found = analyse(&test_rig.file(window).unwrap(), &Hints::default()).unwrap();
        if found.calibration != CalibrationSource::Motion {
            continue;
        }
        for (id, part, truth) in truth(&anatomy, &test_rig) {
            let off = (truth.inverse() * found.joint_from_anatomical[id.index()]).scaled_axis();
            let sigma = found.sigmas[id.index()];
            // Bones are OFFSETs: nothing is guessed about the axes across them.
            for axis in (0..3).filter(|&axis| sigma[axis] > 0.0) {
                let of = errors.entry((part, axis)).or_default();
                of.entry(kind.to_owned()).or_default().push(off[axis] / sigma[axis]);
            }
        }
    }
}

/// The mean over the conventions of the mean square.
fn mean_square(by_kind: &BTreeMap<PathBuf, Vec<f64>>) -> f64 {
    let of_kind = |errors: &Vec<f64>| {
        errors.iter().map(|error| error * error).sum::<f64>() / errors.len() as f64
    };
    by_kind.values().map(of_kind).sum::<f64>() / by_kind.len() as f64
}

/// The motions of the corpus, with the folder of their convention.
fn corpus() -> Vec<(PathBuf, Motion)> {
    let Some(folder) = std::env::var_os("REBONE_CORPUS").map(PathBuf::from) else {
        eprintln!("skipped: REBONE_CORPUS is not set");
        return Vec::new();
    };
    let list =
        |folder: &Path| std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let kinds = list(&folder.join("motions")).filter(|path| path.is_dir());
    let files = kinds.flat_map(|kind| list(&kind).map(move |file| (kind.clone(), file)));
    let read = |file: &Path| Some(bvh::parse(&std::fs::read(file).ok()?).ok()?.motion);
    files.filter_map(|(kind, file)| Some((kind, read(&file)?))).collect()
}

/// Legs keep their lengths: on others the feet would not stand on the ground. The zero pose that lays
/// all bones along one axis is evidence besides the motion, and for necks and heads that are not straight
/// wrong.
#[test]
fn errors_of_edited_clips_are_as_large_as_they_say() {
    let motions = corpus();
    let arms_and_trunk = [Edit::Proportions(1, 0.7), Edit::Proportions(2, 1.3)];
    let edits = [
        vec![Edit::Turn(Turned::AtRandom(5))],
        [&[Edit::Turn(Turned::AtRandom(9))], &arms_and_trunk[..]].concat(),
        vec![Edit::Turn(Turned::AlongBones)],
    ];
    for edits in edits.iter().filter(|_| !motions.is_empty()) {
        let mut errors = Errors::new();
        for (kind, motion) in &motions {
            collect(&mut errors, kind, motion, edits);
        }
        let squares: BTreeMap<_, _> =
            errors.iter().map(|(part, by_kind)| (part, mean_square(by_kind))).collect();
        let all = squares.values().sum::<f64>() / squares.len() as f64;
        assert!((0.5..2.0).contains(&all), "{edits:?}: {all}, {squares:?}");
    }
}
