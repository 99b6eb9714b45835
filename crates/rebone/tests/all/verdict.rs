//! Verdicts: a good result passes, and the more it is damaged, the lower it ranks.

use crate::motions::{RetargetedMotion, retarget_motions};
use nalgebra::{UnitQuaternion, Vector3};
use rebone::quality::{Grade, Verdict, evaluate};
use rebone::skeleton::bvh::{Hierarchy, WriteOptions, write_clip};
use rebone::skeleton::{Clip, Document, Format, JointId, Motion, Pose};
use rebone::{
    ClipInput, Hints, KeyTolerance, Options, Pair, Plan, Report, align, analyse, parse,
    retarget_clip,
};
use rebone_samples::{clips, rigs};

/// Results of each sample on two rigs.
fn results() -> Vec<(String, Clip, RetargetedMotion)> {
    let rigs = rigs();
    let all = clips().into_iter().enumerate().flat_map(|(k, clip)| {
        let pair = [&rigs[(2 * k) % rigs.len()], &rigs[(2 * k + 1) % rigs.len()]];
        pair.map(|rig| {
            let result = retarget_motions(&clip.motion, &rig.motion, &Options::default()).unwrap();
            (format!("{} {}", clip.name, rig.name), clip.motion.clip.clone(), result)
        })
    });
    all.collect()
}

/// A damage: what it does to each pose, with a strength.
type Damage = fn(&Plan, &Clip, usize, &mut Pose, f64);

/// Centimetres at 1.8 m in the file's units.
fn centimetres(plan: &Plan, count: f64) -> f64 {
    count / 180.0 * plan.target.stature
}

fn float(plan: &Plan, _: &Clip, _: usize, pose: &mut Pose, strength: f64) {
    let up = plan.target.inner_from_file().inverse() * Vector3::y();
    pose.translations[plan.translation_joint.index()] += up * centimetres(plan, strength);
}

/// Turns a joint about an axis of the body, before what it is.
fn roll(plan: &Plan, pose: &mut Pose, joint: JointId, degrees: f64) {
    let frame = plan.target.joint_from_anatomical[joint.index()];
    let turn = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), degrees.to_radians());
    pose.rotations[joint.index()] *= frame * turn * frame.inverse();
}

fn roll_arm(plan: &Plan, _: &Clip, _: usize, pose: &mut Pose, strength: f64) {
    roll(plan, pose, plan.target.body.arms[0].upper, strength);
}

fn roll_head(plan: &Plan, _: &Clip, _: usize, pose: &mut Pose, strength: f64) {
    if let Some(head) = plan.target.body.head() {
        roll(plan, pose, head, strength);
    }
}

fn roll_leg(plan: &Plan, _: &Clip, _: usize, pose: &mut Pose, strength: f64) {
    roll(plan, pose, plan.target.body.legs[1].upper, strength);
}

/// Legs stay as in the first frame.
fn freeze_feet(plan: &Plan, clip: &Clip, _: usize, pose: &mut Pose, _: f64) {
    let first = clip.pose(0).unwrap();
    for leg in &plan.target.body.legs {
        for joint in [leg.upper, leg.lower, leg.foot] {
            pose.rotations[joint.index()] = first.rotations[joint.index()];
        }
    }
}

fn swap_legs(plan: &Plan, clip: &Clip, frame: usize, pose: &mut Pose, _: f64) {
    let own = clip.pose(frame).unwrap();
    let [left, right] = &plan.target.body.legs;
    for (a, b) in [(left.upper, right.upper), (left.lower, right.lower), (left.foot, right.foot)] {
        pose.rotations[a.index()] = own.rotations[b.index()];
        pose.rotations[b.index()] = own.rotations[a.index()];
    }
}

fn pop(plan: &Plan, clip: &Clip, frame: usize, pose: &mut Pose, strength: f64) {
    if frame == clip.len() / 2 {
        roll(plan, pose, plan.target.body.arms[0].lower, strength);
    }
}

fn late(_: &Plan, clip: &Clip, frame: usize, pose: &mut Pose, strength: f64) {
    *pose = clip.pose(frame.saturating_sub(strength as usize)).unwrap();
}

fn damaged(source: &Clip, result: &RetargetedMotion, damage: Damage, strength: f64) -> Verdict {
    let clip = &result.clip;
    let mut bad = clip.clone();
    bad.edit(|frame, pose| damage(&result.plan, clip, frame, pose, strength)).unwrap();
    evaluate(&result.plan, source, &bad).unwrap().verdict
}

#[test]
fn scores_fall_with_the_damage() {
    let ladders: [(&str, Damage, &[f64]); 8] = [
        ("foot_float", float, &[1.0, 2.0, 5.0, 10.0]),
        ("arm rolled", roll_arm, &[2.0, 5.0, 10.0, 30.0]),
        ("head rolled", roll_head, &[2.0, 5.0, 10.0, 30.0]),
        ("leg rolled", roll_leg, &[2.0, 5.0, 10.0, 30.0]),
        ("frozen feet", freeze_feet, &[1.0]),
        ("swapped legs", swap_legs, &[1.0]),
        ("one frame popped", pop, &[60.0, 120.0]),
        ("delay", late, &[1.0, 2.0]),
    ];
    let mut wrong = Vec::new();
    for (name, source, result) in results() {
        let whole = evaluate(&result.plan, &source, &result.clip).unwrap().verdict;
        for (what, damage, strengths) in ladders {
            let mut before = whole.score;
            for &strength in strengths {
                let score = damaged(&source, &result, damage, strength).score;
                if score >= before {
                    wrong.push(format!("{name}: {what} {strength}: {score:.4} after {before:.4}"));
                }
                before = score;
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn good_results_pass_and_bad_ones_fail() {
    for (name, source, result) in results() {
        let whole = evaluate(&result.plan, &source, &result.clip).unwrap().verdict;
        let reasons: Vec<&str> = whole.reasons.iter().map(|own| own.text.as_str()).collect();
        assert!(
            whole.verdict < Grade::Fail && whole.score > 0.3,
            "{name} {}: {reasons:?}",
            whole.score
        );
        let bad = damaged(&source, &result, float, 10.0);
        assert_eq!(bad.verdict, Grade::Fail, "{name}");
    }
}

#[test]
fn a_result_in_which_nothing_moves_fails() {
    fn freeze(_: &Plan, clip: &Clip, _: usize, pose: &mut Pose, _: f64) {
        *pose = clip.pose(0).unwrap();
    }
    fn slide(plan: &Plan, clip: &Clip, frame: usize, pose: &mut Pose, metres: f64) {
        freeze(plan, clip, frame, pose, metres);
        float(plan, clip, frame, pose, metres * frame as f64);
    }
    let says = |verdict: &Verdict| {
        let found = verdict.reasons.iter().find(|own| own.text.starts_with("nothing moves"));
        found.map(|own| own.verdict)
    };
    for (name, source, result) in results().into_iter().step_by(3) {
        let whole = evaluate(&result.plan, &source, &result.clip).unwrap().verdict;
        assert_eq!(says(&whole), None, "{name}");
        assert_eq!(says(&damaged(&source, &result, freeze, 0.0)), Some(Grade::Fail), "{name}");
        assert_eq!(says(&damaged(&source, &result, slide, 1.0)), None, "{name}");
    }
}

/// A retarget that is written: its report, the bytes, and the verdict on what is read of them.
fn written(format: Format, options: &Options) -> (Report, Verdict) {
    let bytes = |motion: &Motion| {
        let hierarchy = Hierarchy::from_skeleton(&motion.skeleton);
        write_clip(Vec::new(), &hierarchy, &motion.clip, WriteOptions::default()).unwrap()
    };
    let [source, target] = [&clips()[0], &rigs()[0]]
        .map(|sample| parse(format!("{}.bvh", sample.name), bytes(&sample.motion)).unwrap());
    let job = Pair::new([source.clone(), target.clone()], None).unwrap().job(options).unwrap();
    let mut file = Vec::new();
    let report = job.write(format, &mut file, None, drop).unwrap();
    let read = Document::parse("result", file, None).unwrap().clip(None).unwrap().motion;
    // A glTF has end sites as joints, and metres.
    let skeleton = &job.plan().target.skeleton;
    let unit = if format == Format::Bvh { 1.0 } else { job.plan().target.file_unit_metres() };
    let joints = skeleton.joints().iter();
    let places: Vec<usize> =
        joints.map(|joint| read.skeleton.find(joint.name.as_ref()).unwrap().index()).collect();
    let poses = read.clip.poses().map(|pose| Pose {
        translations: places.iter().map(|place| pose.translations[*place] / unit).collect(),
        rotations: places.iter().map(|place| pose.rotations[*place]).collect(),
    });
    let read = Clip::from_poses(skeleton, read.clip.frame_time, poses).unwrap();
    (report, evaluate(job.plan(), source.clip(), &read).unwrap().verdict)
}

#[test]
fn a_verdict_is_on_what_the_file_holds() {
    let score = |report: &Report| report.verdict.as_ref().unwrap().score;
    let (exact, checked) = written(Format::Bvh, &Options::default());
    assert!((score(&exact) - checked.score).abs() < 1e-6);
    for (format, options) in [
        (Format::Bvh, Options { decimals: Some(0), ..Options::default() }),
        (
            Format::Glb,
            Options {
                tolerance: KeyTolerance { degrees: 5.0, millimetres: 50.0 },
                ..Options::default()
            },
        ),
    ] {
        let (rounded, checked) = written(format, &options);
        let (own, other) = (score(&rounded), checked.score);
        assert!((own - other).abs() < 1e-3, "{format:?} {own} {other}");
        assert!((own - score(&exact)).abs() > 0.01, "{format:?} {own} {}", score(&exact));
    }
}

#[test]
fn a_result_on_a_body_that_lost_skin_has_to_be_looked_at() {
    let (walk, rig) = (&clips()[0].motion, &rigs()[0].motion);
    let from = analyse(walk, &Hints::default()).unwrap();
    let verdict = |lost: &[&str]| {
        let skin_lost = lost.iter().map(|own| (*own).to_owned()).collect();
        let onto = analyse(rig, &Hints { skin_lost, ..Hints::default() }).unwrap();
        let plan = align(&from, &onto, &Options::default());
        retarget_clip(&plan, &ClipInput::new(&plan.source, &walk.clip)).unwrap().1.verdict.unwrap()
    };
    let is_told = |own: &Verdict| own.reasons.iter().any(|own| own.text.contains("far off: look"));
    assert!(!is_told(&verdict(&[])));
    let lost = verdict(&["the skin of one joint in body is left out: far off"]);
    assert!(lost.verdict >= Grade::Look);
    assert!(is_told(&lost));
}

#[test]
fn arrays_are_of_the_clip_that_was_solved_before() {
    let bytes = |motion: &Motion| {
        let hierarchy = Hierarchy::from_skeleton(&motion.skeleton);
        write_clip(Vec::new(), &hierarchy, &motion.clip, WriteOptions::default()).unwrap()
    };
    let [source, target] = [&clips()[0], &rigs()[0]]
        .map(|sample| parse(format!("{}.bvh", sample.name), bytes(&sample.motion)).unwrap());
    let job = Pair::new([source.clone(), target.clone()], None)
        .unwrap()
        .job(&Options::default())
        .unwrap();
    let (mut clip, report) = job.run(None).unwrap();
    let arrays = |clip: &Clip| {
        let mut file = Vec::new();
        job.write_clip(Format::Npz, clip, &report, &mut file).unwrap();
        file
    };
    let mut solved_again = Vec::new();
    job.write(Format::Npz, &mut solved_again, None, drop).unwrap();
    assert!(arrays(&clip) == solved_again);
    clip.keep(0..5).unwrap();
    assert!(arrays(&clip).len() < solved_again.len());
}
