//! Motions that cannot be computed with, a plan, and a check of messages.

use nalgebra::{Quaternion, UnitQuaternion};
use rebone::skeleton::Motion;
use rebone::{Hints, Options, Plan, align, analyse};
use rebone_samples as samples;

pub(crate) fn walk() -> Motion {
    let mut motion = samples::walk().motion;
    motion.clip.keep(0..40).expect("values of the test fit");
    motion
}

pub(crate) fn rig() -> Motion {
    samples::rigs().remove(0).motion
}

/// Motions that cannot be computed with, and a part of the message.
pub(crate) fn hostile() -> Vec<(Motion, &'static str)> {
    let other = |change: &dyn Fn(&mut Motion)| {
        let mut motion = walk();
        change(&mut motion);
        motion
    };
    let edited = |rotation: bool| {
        other(&|motion| {
            motion
                .clip
                .edit(|frame, pose| match (frame, rotation) {
                    (7, true) => {
                        let nan = Quaternion::new(f64::NAN, 0.0, 0.0, 0.0);
                        pose.rotations[3] = UnitQuaternion::new_unchecked(nan);
                    }
                    (7, false) => pose.translations[0].y = f64::INFINITY,
                    _ => {}
                })
                .expect("values of the test fit");
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

pub(crate) fn plan() -> Plan {
    let hints = Hints::default();
    let [source, target] = [walk(), rig()].map(|motion| analyse(&motion, &hints).expect("a body"));
    align(&source, &target, &Options::default())
}

pub(crate) fn fails<T>(result: Result<T, impl std::error::Error + 'static>, said: &str) {
    let Err(error) = result else { panic!("no error: {said}") };
    let message = rebone::error_line(&error);
    assert!(message.contains(said), "{message}");
}
