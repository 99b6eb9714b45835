//! Contacts of the samples, which are known exactly: found on the source, kept on the rigs.

mod lean;
mod measure;
mod variants;

use crate::motions::{RetargetedMotion, retarget_motions};
use measure::{Kept, Matches};
use nalgebra::UnitQuaternion;
use rebone::body::Anatomy;
use rebone::body::Side;
use rebone::skeleton::{Clip, Motion, forward_kinematics};
use rebone::{
    BodyPart, ClipInput, Contact, ContactKind, ContactMode, Hints, Options, align, analyse,
    retarget_clip,
};
use rebone_samples::{GroundTruthContact, Sample, SamplePart, clips, rigs};
use variants::Variant;

/// The true contacts of a sample at another frame rate.
fn truth(sample: &Sample, frame_time: f64) -> Vec<Contact> {
    let rate = sample.motion.clip.frame_time / frame_time;
    let frame = |frame: usize| (frame as f64 * rate).round() as usize;
    let resampled = |contact: &GroundTruthContact| Contact {
        on: None,
        part: body_part(contact.part),
        kind: ContactKind::Plant,
        frames: frame(contact.frames.start)..frame(contact.frames.end),
        confidence: 1.0,
    };
    sample.contacts.iter().map(resampled).collect()
}

fn body_part(part: SamplePart) -> BodyPart {
    match part {
        SamplePart::LeftFoot => BodyPart::Foot(Side::Left),
        SamplePart::RightFoot => BodyPart::Foot(Side::Right),
        SamplePart::LeftHand => BodyPart::Hand(Side::Left),
        SamplePart::RightHand => BodyPart::Hand(Side::Right),
        SamplePart::Seat => BodyPart::Seat,
    }
}

fn found(result: &RetargetedMotion) -> Vec<Contact> {
    let report = result.report.contacts.as_ref().unwrap();
    report.contacts.iter().map(|own| own.contact.clone()).collect()
}

const OTHERS: [BodyPart; 9] = {
    let [_, _, others @ ..] = BodyPart::ALL;
    others
};

#[test]
fn contacts_are_found_at_any_rate_on_any_floor() {
    let rig = rigs().swap_remove(0);
    for variant in Variant::ALL {
        let (mut feet, mut others) = (Matches::default(), Matches::default());
        for sample in clips() {
            let motion = variant.apply(&sample.motion);
            let result = retarget_motions(&motion, &rig.motion, &Options::default()).unwrap();
            let time = motion.clip.frame_time;
            let (truth, found) = (truth(&sample, time), found(&result));
            for (all, parts) in [(&mut feet, &BodyPart::ALL[..2]), (&mut others, &OTHERS[..])] {
                all.add([&truth, &found], time, parts);
            }
        }
        let least = if variant == Variant::Noisy { [0.85, 0.85] } else { [0.95, 0.9] };
        let f1 = [feet.f1(), others.f1()];
        assert!(f1[0] >= least[0] && f1[1] >= least[1], "{variant:?}: {f1:?}");
    }
}

#[test]
fn steps_are_levels_of_the_floor() {
    let climb = rebone_samples::climb().motion;
    for sample in clips() {
        let result = retarget_motions(&sample.motion, &climb, &Options::default()).unwrap();
        let levels = &result.report.contacts.as_ref().unwrap().levels;
        let steps: &[f64] = if sample.name == "climb" { &[18.0, 18.0] } else { &[] };
        let found: Vec<f64> = levels.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert_eq!(found.len(), steps.len(), "{}: {levels:?}", sample.name);
        let off = found.iter().zip(steps).map(|(a, b)| (a - b).abs());
        assert!(off.fold(0.0, f64::max) < 0.1, "{levels:?}");
    }
}

#[test]
fn feet_that_stand_stand_on_all_rigs() {
    for variant in Variant::ALL {
        for sample in clips() {
            let motion = variant.apply(&sample.motion);
            for rig in rigs() {
                let result = retarget_motions(&motion, &rig.motion, &Options::default()).unwrap();
                let kept = Kept::new(&result, &sample, &motion, variant);
                // Noise turns feet about the point that they rest on: of that counts what the source's does not do.
                let slide = if variant == Variant::Noisy { beyond(&result) } else { kept.slide };
                let fails = slide > 0.002 || kept.depth > 0.001 || kept.jerk > 1.2;
                assert!(!fails, "{variant:?} {} {}: {slide} {kept:?}", sample.name, rig.name);
            }
        }
    }
}

/// Metres that the whole body of a source drifts in a second, its feet with it.
const DRIFT_METRES_PER_SECOND: f64 = 0.02;

#[test]
fn feet_that_are_locked_are_not_graded_as_sliding() {
    let (mut worst, rig) = ([0.0_f64; 2], rigs().swap_remove(0));
    for sample in clips() {
        let mut source = sample.motion.clone();
        let unit = 0.01;
        let step = DRIFT_METRES_PER_SECOND / unit * source.clip.frame_time;
        source.clip.edit(|frame, pose| pose.translations[0].x += step * frame as f64).unwrap();
        for (contacts, worst) in [ContactMode::Feet, ContactMode::Lock].into_iter().zip(&mut worst)
        {
            let options = Options { contacts, ..Options::default() };
            *worst = worst.max(beyond(&retarget_motions(&source, &rig.motion, &options).unwrap()));
        }
    }
    assert!(
        worst.iter().all(|own| *own < 0.006),
        "as the source's {}, locked {}",
        worst[0],
        worst[1]
    );
}

/// How far a foot slides at most at the point that the source's rests on, beyond the source's, metres.
fn beyond(result: &RetargetedMotion) -> f64 {
    let figures = &result.report.verdict.as_ref().unwrap().metrics;
    0.01 * figures.iter().find(|own| own.name == "foot_slide").unwrap().value
}

#[test]
fn who_leans_on_a_hand_leans_farther_on_shorter_arms() {
    let mut gained = 0;
    for rig in rigs() {
        let source = lean::motion();
        let off = [ContactMode::Feet, ContactMode::All].map(|contacts| {
            let options = Options { contacts, ..Options::default() };
            let result = retarget_motions(&source, &rig.motion, &options).unwrap();
            lean::height(&result)
        });
        assert!(off[1].abs() < 0.01, "{}: {off:?}", rig.name);
        gained += usize::from(off[0].abs() > 0.02);
    }
    assert!(gained > 2, "few rigs have other arms: little was tested");
}

/// How much the height of a body over its source's path changes its speed at most, m/s² of a 1.7 m body.
fn bobs(result: &RetargetedMotion, source: &Motion) -> f64 {
    let plan = &result.plan;
    let height = |anatomy: &Anatomy, clip: &Clip, inner: UnitQuaternion<f64>, frame: usize| {
        let world = forward_kinematics(&anatomy.skeleton, &clip.pose(frame).unwrap()).unwrap();
        let hips = anatomy.hips().map(|hip| world.positions[hip.index()]);
        (inner * (hips[0] + hips[1])).y / 2.0 * anatomy.metres_per_unit()
    };
    let over = |frame: usize| {
        height(&plan.target, &result.clip, plan.inner_from_target, frame)
            - height(&plan.source, &source.clip, plan.inner_from_source, frame) * plan.path_scale
    };
    let all: Vec<f64> = (0..source.clip.len()).map(over).collect();
    let most = all.windows(3).map(|three| (three[0] - 2.0 * three[1] + three[2]).abs());
    most.fold(0.0, f64::max) / source.clip.frame_time.powi(2)
}

#[test]
fn a_body_on_other_feet_does_not_bob() {
    let climb = rebone_samples::climb().motion;
    let mut bobbed = 0;
    for rig in rigs() {
        let [off, feet] = [ContactMode::Off, ContactMode::Feet].map(|contacts| {
            let options = Options { contacts, ..Options::default() };
            bobs(&retarget_motions(&climb, &rig.motion, &options).unwrap(), &climb)
        });
        assert!(feet < 1.5, "{}: {off} {feet}", rig.name);
        bobbed += usize::from(off > 3.0);
    }
    assert!(bobbed > 2, "frames alone bob on few rigs: little was tested");
}

#[test]
fn the_tail_of_a_clip_is_the_tail_of_its_result() {
    const CUT: usize = 100;
    let sample = rebone_samples::walk();
    let (clip, rig) = (&sample.motion.clip, &rigs()[0].motion);
    let options = Options { floor: Some(0.0), ..Options::default() };
    let analysed = |motion| analyse(motion, &Hints::default()).unwrap();
    let plan = align(&analysed(&sample.motion), &analysed(rig), &options);
    let tail =
        Clip::from_poses(&sample.motion.skeleton, clip.frame_time, clip.poses().skip(CUT)).unwrap();
    let [whole, tail] = [clip, &tail]
        .map(|clip| retarget_clip(&plan, &ClipInput::new(&plan.source, clip)).unwrap().0);
    let off = |frame: usize| {
        let [a, b] = [whole.pose(CUT + frame).unwrap(), tail.pose(frame).unwrap()]
            .map(|pose| forward_kinematics(&plan.target.skeleton, &pose).unwrap().positions);
        let off = a.iter().zip(&b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        off / plan.target.stature
    };
    let after = |seconds: f64| {
        let frames = (seconds / clip.frame_time) as usize..tail.len();
        frames.map(off).fold(0.0, f64::max)
    };
    assert!(after(0.0) > 1e-4, "a contact is cut, and that should be seen");
    assert!(after(1.0) < 1e-4 && after(2.0) < 1e-6, "{} {}", after(1.0), after(2.0));
}

#[test]
fn a_skeleton_onto_itself_stands_still() {
    for keep in [ContactMode::Soft, ContactMode::Feet, ContactMode::All] {
        for sample in clips() {
            let options = Options { contacts: keep, ..Options::default() };
            let result = retarget_motions(&sample.motion, &sample.motion, &options).unwrap();
            let off = measure::distance(&result.clip, &sample.motion);
            assert!(off < 1e-6, "{keep:?} {}: {off}", sample.name);
        }
    }
}
