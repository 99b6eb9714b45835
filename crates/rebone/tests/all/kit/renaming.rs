//! Given cards, another file of the same body changes nothing.

use crate::kit::carded::{Pair, Rig, heading, pairs, results, standing_pairs};
use crate::kit::edit::Edit;
use crate::kit::generated_case::{Case, config};
use crate::kit::names::Style;
use crate::kit::seen::Apart;
use crate::kit::test_rig::Turned;
use nalgebra::{UnitQuaternion, Vector3};
use proptest::prelude::*;
use proptest::sample::select;
use rebone::skeleton::Pose;
use std::ops::Range;

/// In statures and radians.
const EXACT: f64 = 1e-9;
/// What the solver's pull leaves of a spine that the goals leave free, where its input is not the same
/// to the bit.
const SETTLED: f64 = 1e-8;

/// Other Euler orders and axes, and whether the last child comes first.
fn other_file() -> impl Strategy<Value = (u8, Turned, bool)> {
    let turned = prop_oneof![
        Just(Turned::No),
        Just(Turned::AlongBones),
        any::<u8>().prop_map(Turned::AtRandom)
    ];
    (0..6u8, turned, any::<bool>())
}

/// Another way to write a file, whose card is made from it.
fn formats() -> impl Strategy<Value = Vec<Edit>> {
    let styles = vec![Style::Mixamo, Style::Unreal, Style::Cmu, Style::Biped];
    let formats = prop_oneof![
        select(styles).prop_map(Edit::Names),
        Just(Edit::Reversed),
        (0..6u8).prop_map(Edit::Orders),
        (0..24u8).prop_map(Edit::World),
        (0.01..100.0).prop_map(Edit::Unit),
    ];
    prop::collection::vec(formats, 1..4)
}

/// A joint that never moves: in the spine, in or beside a limb, between pelvis and thigh, in the palm.
fn still() -> impl Strategy<Value = Edit> {
    prop_oneof![
        3 => split(0..4),
        3 => (0..4usize, 0.05..0.9, any::<bool>()).prop_map(|(bone, at, in_line)| match in_line {
            true => Edit::TwistInLine { bone, at, own: 1.0 },
            false => Edit::TwistBeside { bone, at, share: 0.0 },
        }),
        1 => select(vec![Edit::AddHipBones, Edit::AddMetacarpals, Edit::AddCollars]),
    ]
}

fn split(below: Range<usize>) -> impl Strategy<Value = Edit> {
    (below, 0.05..0.9).prop_map(|(below, at)| Edit::Split { below, at, twists: false })
}

/// Returns whether the target has a twist joint in the bone to which the source gets one. The two may pair, and a
/// card does not say that the source's never moves.
fn may_pair(still: &Edit, target: &[Edit]) -> bool {
    let twisted = |edit: &Edit| match *edit {
        Edit::TwistInLine { bone, .. } | Edit::TwistBeside { bone, .. } => Some(bone),
        _ => None,
    };
    target.iter().any(|edit| twisted(edit).is_some() && twisted(edit) == twisted(still))
}

/// How far the results for a source and for another file of it are apart, but for a quarter turn where the
/// rest pose does not say where the body faces in the file.
fn apart(source: &Rig, other: &Rig, target: &Rig) -> Apart {
    let turn = heading(other, target) * heading(source, target).inverse();
    let expected = target.seen_of_body(&results(source, target, &source.few()));
    let expected = expected.moved(&turn, &Vector3::zeros());
    expected.apart(&target.seen_of_body(&results(other, target, &other.few())))
}

proptest! {
    #![proptest_config(config(150))]

    /// Names that say nothing, another order of siblings, other Euler orders, other axes of the joints;
    /// the card says the same.
    #[test]
    fn a_rewritten_source_changes_nothing(pair in pairs(), (orders, turned, back) in other_file()) {
        let [source, target] = pair.rigs().map_err(TestCaseError::fail)?;
        let other = source.rewritten(orders, turned, back).map_err(TestCaseError::fail)?;
        let apart = apart(&source, &other, &target);
        prop_assert!(apart.worst() < SETTLED, "{apart:?}");
    }

    #[test]
    fn a_rewritten_target_changes_nothing(pair in pairs(), (orders, turned, back) in other_file()) {
        let [source, target] = pair.rigs().map_err(TestCaseError::fail)?;
        let other = target.rewritten(orders, turned, back).map_err(TestCaseError::fail)?;
        let expected = target.seen(&results(&source, &target, &source.few()));
        let apart = expected.apart(&other.seen(&results(&source, &other, &source.few())));
        prop_assert!(apart.worst() < SETTLED, "{apart:?}");
    }

    #[test]
    fn a_rig_on_itself_stands_still(pair in pairs(), (orders, turned, back) in other_file()) {
        let [source, _] = pair.rigs().map_err(TestCaseError::fail)?;
        let other = source.rewritten(orders, turned, back).map_err(TestCaseError::fail)?;
        let expected = source.seen(&source.few());
        for target in [&source, &other] {
            let apart = expected.apart(&target.seen(&results(&source, target, &source.few())));
            prop_assert!(apart.worst() < EXACT, "{apart:?}");
        }
    }

    /// The card is made from each file anew.
    #[test]
    fn other_names_orders_and_worlds_change_nothing(pair in pairs(), formats in formats()) {
        let [source, target] = pair.rigs().map_err(TestCaseError::fail)?;
        prop_assume!(!pair.left_out());
        let other = pair.rig(0, &pair.case.common(), &formats).map_err(TestCaseError::fail)?;
        let apart = apart(&source, &other, &target);
        prop_assert!(apart.worst() < SETTLED, "{apart:?}");
    }

    /// The card is made from each file anew.
    #[test]
    fn joints_that_never_move_change_nothing(pair in pairs(), still in still()) {
        let [source, target] = pair.rigs().map_err(TestCaseError::fail)?;
        prop_assume!(!pair.left_out() && !may_pair(&still, &pair.case.target));
        let other = pair.rig(0, &pair.case.common(), &[still]).map_err(TestCaseError::fail)?;
        let apart = apart(&source, &other, &target);
        prop_assert!(apart.worst() < SETTLED, "{apart:?}");
    }

    /// In the neck only where both necks begin at the same place: elsewhere the first joint of the one pairs
    /// with the first of the other, and a card does not say that it never moves.
    #[test]
    fn joints_in_a_neck_that_never_move_change_nothing(pair in standing_pairs(), still in split(4..7)) {
        prop_assume!(!pair.left_out());
        let [source, target] = pair.rigs().map_err(TestCaseError::fail)?;
        let other = pair.rig(0, &pair.case.common(), &[still]).map_err(TestCaseError::fail)?;
        let apart = apart(&source, &other, &target);
        prop_assert!(apart.worst() < SETTLED, "{apart:?}");
    }

    #[test]
    fn the_sign_of_quaternions_changes_nothing(pair in pairs(), signs in any::<u64>()) {
        let [source, target] = pair.rigs().map_err(TestCaseError::fail)?;
        let poses = source.few();
        let negated = |pose: &Pose| {
            let mut pose = pose.clone();
            for (k, turn) in pose.rotations.iter_mut().enumerate() {
                if signs >> (k % 64) & 1 == 1 {
                    *turn = UnitQuaternion::new_unchecked(-turn.into_inner());
                }
            }
            pose
        };
        let other: Vec<Pose> = poses.iter().map(negated).collect();
        let expected = target.seen(&results(&source, &target, &poses));
        let apart = expected.apart(&target.seen(&results(&source, &target, &other)));
        prop_assert!(apart.worst() < SETTLED, "{apart:?}");
    }
}

/// Fingers that the source lacks followed joints of another finger that were near, by the order of siblings.
#[test]
fn fingers_that_the_source_lacks_stay_whatever_the_order_of_siblings() {
    let case = Case { clip: 0, body: vec![], source: vec![Edit::Fingers(2)], target: vec![] };
    let learned = [Some(Turned::AlongBones); 2];
    let [source, target] = Pair { case, learned, window: 1..10 }.rigs().unwrap();
    let other = target.rewritten(0, Turned::No, true).unwrap();
    let expected = target.seen(&results(&source, &target, &source.few()));
    let apart = expected.apart(&other.seen(&results(&source, &other, &source.few())));
    assert!(apart.worst() < SETTLED, "{apart:?}");
}

/// The collar bones of a target that was calibrated on its motion kept their mean pose where the source has
/// none.
#[test]
fn collars_that_never_move_are_as_none() {
    let case = Case { clip: 0, body: vec![], source: vec![Edit::TakeCollars], target: vec![] };
    let pair = Pair { case, learned: [None, Some(Turned::AlongBones)], window: 1..10 };
    let [source, target] = pair.rigs().unwrap();
    let other = pair.rig(0, &pair.case.common(), &[Edit::AddCollars]).unwrap();
    let apart = apart(&source, &other, &target);
    assert!(apart.worst() < SETTLED, "{apart:?}");
}
