//! Values of plans and comparisons that no retarget gives.

use crate::hostile_values::motions::{hostile, plan, rig, walk};
use rebone::card::Card;
use rebone::quality::evaluate;
use rebone::{ClipInput, Hints, analyse, arm_depths, retarget_clip};

#[test]
fn placements_worst_frames_and_counts_take_any_number() {
    let plan = plan();
    let mut no_path = plan.clone();
    no_path.path_scale = 0.0;
    assert_eq!(no_path.world_from_files(f64::NAN, f64::INFINITY).len(), 2);
    let result = retarget_clip(&plan, &ClipInput::new(&plan.source, &walk().clip)).unwrap().0;
    let mut own = evaluate(&plan, &walk().clip, &result).unwrap();
    own.curves.truncate(1);
    own.curves[0].values.truncate(1);
    for frame_time in [0.0, -1.0, f64::NAN] {
        assert!(own.worst_frames(frame_time).len() < 11);
    }
    own.verdict.count_from(usize::MAX);
    own.verdict.count_from(1);
}

#[test]
fn depths_are_of_poses_of_the_skeleton_with_any_numbers() {
    let card = Card::parse("[surface]\nchest = 3\nthigh = 3\n").unwrap();
    let own = analyse(&walk(), &Hints { card: Some(card), ..Hints::default() }).unwrap();
    let rest = walk().skeleton.rest_pose();
    assert!(arm_depths(&own, &rest).unwrap().is_some());
    assert!(arm_depths(&own, &rig().skeleton.rest_pose()).is_err());
    for number in [f64::NAN, f64::INFINITY, 1e300, f64::MIN_POSITIVE] {
        let mut pose = rest.clone();
        pose.translations.iter_mut().for_each(|own| own.x = number);
        let samples = arm_depths(&own, &pose).unwrap().unwrap();
        assert!(samples.iter().all(|(.., distance)| *distance < 0.03), "{number}: {samples:?}");
    }
}

#[test]
fn a_character_takes_no_motion_of_another_skeleton() {
    let bytes = std::fs::read(format!("{}/../../data/clips/walk.bvh", env!("CARGO_MANIFEST_DIR")));
    let character = rebone::parse("walk.bvh", bytes.unwrap()).unwrap();
    assert!(character.with_motion(rig().clip).is_err());
    for (motion, said) in hostile() {
        let error = character.with_motion(motion.clip).unwrap_err();
        assert!(rebone::error_line(&error).contains(said), "{error}");
    }
}
