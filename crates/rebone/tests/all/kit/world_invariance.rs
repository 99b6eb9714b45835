//! Given cards, what moves the source moves the result.

use crate::kit::carded::{heading, pairs, results, retargeter};
use crate::kit::generated_case::config;
use crate::kit::seen::{mirror, mirrored, other_side};
use nalgebra::{UnitQuaternion, Vector3};
use proptest::prelude::*;
use rebone::skeleton::Pose;

/// What the solver's pull leaves of joints that the goals leave free, where its input is not the same to
/// the bit; in statures and radians.
const SETTLED: f64 = 1e-8;
/// The same of turns where the source is some statures away, and rounding as much coarser.
const FAR: f64 = 1e-7;

/// A motion whose joints are turned and moved in the world of a file.
fn moved(poses: &[Pose], turn: &UnitQuaternion<f64>, by: &Vector3<f64>) -> Vec<Pose> {
    let mut poses = poses.to_vec();
    for pose in &mut poses {
        pose.translations[0] = turn * pose.translations[0] + by;
        pose.rotations[0] = turn * pose.rotations[0];
    }
    poses
}

proptest! {
    #![proptest_config(config(150))]

    /// Up is what the card says.
    #[test]
    fn a_turned_and_moved_source_turns_and_moves_the_result(
        pair in pairs(),
        angle in -3.2..3.2,
        by in [-3.0..3.0, -1.0..1.0, -3.0..3.0],
    ) {
        let [source, target] = pair.rigs().map_err(TestCaseError::fail)?;
        let plan = retargeter(&source.anatomy, &target.anatomy).plan().clone();
        let turn = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), angle);
        let by = Vector3::from(by);
        let inner = plan.inner_from_source;
        let poses = source.few();
        let other = moved(
            &poses,
            &(inner.inverse() * turn * inner),
            &(inner.inverse() * by * source.anatomy.stature),
        );
        let inner = plan.inner_from_target * target.test_rig.world;
        let turn = inner.inverse() * turn * inner;
        let unit = target.anatomy.stature / target.test_rig.stature();
        let by = inner.inverse() * by * plan.path_scale * unit;
        let expected = target.seen_of_body(&results(&source, &target, &poses)).moved(&turn, &by);
        let apart = expected.apart(&target.seen_of_body(&results(&source, &target, &other)));
        prop_assert!(apart.place.0 < SETTLED && apart.turn.0 < FAR, "{apart:?}");
    }

    /// Offsets and motion alike.
    #[test]
    fn a_scaled_source_changes_nothing(pair in pairs(), by in -3.0..3.0) {
        let [source, target] = pair.rigs().map_err(TestCaseError::fail)?;
        let expected = target.seen(&results(&source, &target, &source.few()));
        let scaled = source.scaled(10_f64.powf(by)).map_err(TestCaseError::fail)?;
        let apart = expected.apart(&target.seen(&results(&scaled, &target, &scaled.few())));
        prop_assert!(apart.worst() < SETTLED, "{apart:?}");
    }

    /// The source's motion in a mirror, played by the joints of the other side. The mirror is the source's:
    /// a target that faces a quarter turn away sees it turned.
    #[test]
    fn a_mirrored_source_mirrors_the_result(pair in pairs()) {
        prop_assume!(!pair.left_out());
        let [source, target] = pair.rigs().map_err(TestCaseError::fail)?;
        let mut common = pair.case.common();
        common.frames.iter_mut().for_each(mirror);
        for node in &mut common.nodes {
            (node.key, node.name) = (other_side(&node.key), other_side(&node.name));
        }
        let other = pair.rig(0, &common, &[]).map_err(TestCaseError::fail)?;
        let to = pair.rig(1, &common, &[]).map_err(TestCaseError::fail)?;
        let expected = target.seen_of_body(&results(&source, &target, &source.few())).in_mirror();
        let turn = heading(&source, &target);
        let expected = expected.moved(&(turn * mirrored(&turn.inverse())), &Vector3::zeros());
        let apart = expected.apart(&to.seen_of_body(&results(&other, &to, &other.few())));
        prop_assert!(apart.worst() < SETTLED, "{apart:?}");
    }
}
