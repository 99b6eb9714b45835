//! Random rigs with a known answer: what can be met is met.

use crate::kit::edit::Edit::{self, AddMetacarpals, Fingers, Merge, Split, TakeEnds, TakeToes};
use crate::kit::generated_case::{Case, cases, config};
use proptest::prelude::*;

/// Largest error of a place, in statures.
const PLACE: f64 = 1e-6;
/// Largest error of the direction of a limb's bone, in radians.
const DIRECTION: f64 = 1e-4;

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn rigs_of_one_body_meet_in_all_places(case in cases(2, 0)) {
        prop_assume!(case.left_out().is_none());
        let (off, at) = case.retargeted().map_err(TestCaseError::fail)?.places();
        prop_assert!(off < PLACE, "{at} is off by {off:e}");
    }
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn limbs_of_two_bodies_point_the_same_way(case in cases(0, 4)) {
        prop_assume!(case.left_out().is_none());
        let (off, at) = case.retargeted().map_err(TestCaseError::fail)?.directions_without_feet();
        prop_assert!(off < DIRECTION, "{at} is off by {off:e}");
    }
}

/// Found by random cases once; seldom enough to be named.
#[test]
fn rigs_that_were_wrong_once_meet_in_all_places() {
    let on_chest = |at| Split { below: 4, at, twists: false };
    let targets = [
        (vec![], vec![on_chest(0.5)]),
        (vec![Merge(4), Merge(5)], vec![Split { below: 6, at: 0.3, twists: false }]),
        (vec![], vec![TakeToes, TakeEnds]),
        (vec![], vec![Fingers(1)]),
        (vec![], vec![AddMetacarpals, TakeEnds]),
    ];
    for (body, edits) in targets {
        for (source, target) in [(vec![], edits.clone()), (edits.clone(), vec![on_chest(0.2)])] {
            let case = Case { clip: 0, body: body.clone(), source, target };
            let (off, at) = case.retargeted().unwrap().places();
            assert!(off < PLACE, "{case:?}\n{at} is off by {off:e}");
        }
    }
}

/// How far the spine of a hunched rest pose is bent is a guess: as if without it the trunk were upright.
const GUESSED: f64 = 0.03;

#[test]
fn rest_poses_that_are_bent_are_read() {
    let hunched = |bend| vec![Edit::Hunch(bend), Edit::World(7), Edit::Unit(100.0)];
    let palms = |turn| vec![Edit::Palms(turn), Edit::Orders(2)];
    let one_spine_joint = vec![Merge(0), Merge(1), Merge(2)];
    let cases = [
        (vec![], hunched(6.0), GUESSED),
        (vec![], hunched(9.0), GUESSED),
        (one_spine_joint, hunched(15.0), GUESSED),
        (vec![], palms(90.0), PLACE),
        (vec![], palms(60.0), PLACE),
    ];
    for (body, edits, most) in cases {
        for (source, target) in [(vec![], edits.clone()), (edits.clone(), vec![])] {
            let case = Case { clip: 1, body: body.clone(), source, target };
            let made = case.retargeted().unwrap();
            let (off, at) = made.places();
            assert!(off < most, "{case:?}\n{at} is off by {off:e}");
            let (off, at) = made.directions();
            assert!(off < DIRECTION, "{case:?}\n{at} points elsewhere by {off:e}");
        }
    }
}
