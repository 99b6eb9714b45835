//! Random rigs with a known answer: what can be met is met.

use crate::case::{Case, config, of_one_body, of_two_bodies};
use crate::known::known_defects;
use proptest::prelude::*;

/// Largest error of a place, in statures.
const PLACE: f64 = 1e-6;
/// Largest error of the direction of a limb's bone, in radians.
const DIRECTION: f64 = 1e-4;

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn rigs_of_one_body_meet_in_all_places(case in of_one_body()) {
        prop_assume!(case.left_out().is_none());
        let worst = case.retargeted(|found| found.places());
        let worst = worst.map_err(TestCaseError::fail)?;
        prop_assert!(worst.off < PLACE, "{worst:?}");
    }
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn limbs_of_two_bodies_point_the_same_way(case in of_two_bodies()) {
        prop_assume!(case.left_out().is_none());
        let worst = case.retargeted(|found| found.directions());
        let worst = worst.map_err(TestCaseError::fail)?;
        prop_assert!(worst.off < DIRECTION, "{worst:?}");
    }
}

#[test]
fn known_defects_are_still_there() {
    for defect in known_defects() {
        let (body, source) = (Vec::new(), Vec::new());
        let case = Case { clip: 0, body, source, target: defect.least };
        assert!(case.left_out().is_some(), "{case:?}");
        let worst = case.retargeted(|found| found.places());
        let met = worst.is_ok_and(|worst| worst.off < PLACE);
        assert!(!met, "mended, no longer to be left out: {}", defect.why);
    }
}
