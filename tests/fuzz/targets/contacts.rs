//! Text as contacts of a clip: read, written over, and kept on a rig.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rebone::contacts::{parse, write};
use rebone::skeleton::Clip;
use rebone::{ClipInput, ContactMode, Hints, Options, Plan, align, analyse, retarget_clip};
use rebone_fuzz::check_error;
use rebone_samples as samples;
use std::sync::LazyLock;

/// A step of a walk, onto a rig with one joint in its spine.
static STEP: LazyLock<(Clip, Plan)> = LazyLock::new(|| {
    let walk = samples::walk().motion;
    let mut rigs = samples::rigs().into_iter();
    let rig = rigs.find(|rig| rig.name == "one-spine").expect("it is a sample").motion;
    let [source, target] =
        [&walk, &rig].map(|motion| analyse(motion, &Hints::default()).expect("both are humanoids"));
    let options = Options { contacts: ContactMode::All, ..Options::default() };
    let plan = align(&source, &target, &options);
    let mut clip = walk.clip;
    clip.keep(100..140).unwrap();
    (clip, plan)
});

fuzz_target!(|text: &str| {
    let contacts = match parse(text) {
        Ok(contacts) => contacts,
        Err(error) => return check_error(&error, error.line, text),
    };
    assert_eq!(parse(&write(&contacts)).expect("what is written reads back"), contacts);
    let (clip, plan) = &*STEP;
    let take = ClipInput {
        clip,
        reference: false,
        contacts: Some(&contacts),
        has_rig_floor: false,
        wants_root_path: false,
        is_cycle: false,
        expects_motion: false,
        watch: None,
    };
    let (result, report) = retarget_clip(plan, &take).expect("the clip was read");
    for (frame, pose) in result.poses().enumerate() {
        let places = pose.translations.iter().all(|place| place.iter().all(|x| x.is_finite()));
        let turns = pose.rotations.iter().all(|turn| (turn.norm() - 1.0).abs() < 1e-9);
        assert!(places && turns, "frame {frame}");
    }
    assert_eq!(result.len(), clip.len());
    let verdict = report.verdict.expect("it is a motion");
    assert!((0.0..=1.0).contains(&verdict.score), "{}", verdict.score);
});
