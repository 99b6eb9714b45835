//! Values that no file holds: clips of another skeleton, frame times and transforms that are no numbers. They are errors
//! that name what was expected.

use nalgebra::{Quaternion, UnitQuaternion};
use rebone::skeleton::{Clip, Motion};
use rebone::{
    Hints, Learner, Options, Plan, RetargetError, align, analyse, analyse_pair, retarget_clip,
    retarget_motions,
};
use rebone_samples as samples;

fn walk() -> Motion {
    let mut motion = samples::walk().motion;
    motion.clip.keep(0..40);
    motion
}

fn rig() -> Motion {
    samples::rigs().remove(0).motion
}

/// Motions that cannot be computed with, and a part of the message.
fn hostile() -> Vec<(Motion, &'static str)> {
    let other = |change: &dyn Fn(&mut Motion)| {
        let mut motion = walk();
        change(&mut motion);
        motion
    };
    let edited = |rotation: bool| {
        other(&|motion| {
            motion.clip.edit(|frame, pose| match (frame, rotation) {
                (7, true) => {
                    let nan = Quaternion::new(f64::NAN, 0.0, 0.0, 0.0);
                    pose.rotations[3] = UnitQuaternion::new_unchecked(nan);
                }
                (7, false) => pose.translations[0].y = f64::INFINITY,
                _ => {}
            });
        })
    };
    let timed = |time: f64| other(&|motion| motion.clip.frame_time = time);
    vec![
        (Motion { clip: rig().clip, ..walk() }, "of another skeleton: found"),
        (timed(0.0), "a frame time of 0 s, expected a positive number"),
        (timed(-0.1), "a frame time of -0.1 s"),
        (timed(f64::NAN), "a frame time of NaN s"),
        (timed(f64::INFINITY), "a frame time of inf s"),
        (edited(true), "frame 7, joint "),
        (edited(false), "found a transform that is not finite"),
    ]
}

fn plan() -> Plan {
    let hints = Hints::default();
    let [source, target] = [walk(), rig()].map(|motion| analyse(&motion, &hints).expect("a body"));
    align(&source, &target, &Options::default())
}

fn fails<T>(result: Result<T, RetargetError>, said: &str) {
    let Err(error) = result else { panic!("no error: {said}") };
    let message = rebone::error_line(&error);
    assert!(message.contains(said), "{message}");
}

#[test]
fn a_clip_that_is_no_motion_of_its_skeleton_is_an_error() {
    let (hints, options, plan, rig) = (Hints::default(), Options::default(), plan(), rig());
    let well = walk();
    for (motion, said) in hostile() {
        fails(analyse(&motion, &hints), said);
        fails(analyse_pair([&motion, &rig], [&hints, &hints], &[]), said);
        fails(analyse_pair([&well, &motion], [&hints, &hints], &[]), said);
        fails(retarget_motions(&motion, &rig, &options), said);
        fails(retarget_motions(&well, &motion, &options), said);
        fails(retarget_clip(&plan, &motion.clip), said);
        fails(Learner::new(&motion, &hints).map(drop), said);
        let mut learner = Learner::new(&well, &hints).unwrap();
        fails(learner.add(&motion), said);
    }
}

/// Frame times that are positive, and no motion.
#[test]
fn the_least_and_the_greatest_frame_times_are_computed_with() {
    for time in [f64::MIN_POSITIVE, 1e-300, 1e-12, 1e12, 1e300] {
        let mut motion = walk();
        motion.clip.frame_time = time;
        let result = retarget_motions(&motion, &rig(), &Options::default()).unwrap();
        assert_eq!(result.clip.len(), 40);
        result.clip.check_for(&result.plan.target.skeleton).unwrap();
        let empty = Clip::new(&motion.skeleton, time);
        assert!(retarget_clip(&result.plan, &empty).unwrap().0.is_empty());
    }
}
