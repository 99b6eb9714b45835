//! Random rigs with a known answer: what can be met is met.

use crate::case::{Case, cases, config};
use crate::edit::Edit::{AddMetacarpals, Fingers, Merge, Split, TakeEnds, TakeToes};
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
        let (off, at) = case.retargeted().map_err(TestCaseError::fail)?.directions();
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
