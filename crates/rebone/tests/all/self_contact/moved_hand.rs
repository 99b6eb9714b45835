//! Verdicts of a hand that is moved into the body and off it.

use crate::self_contact::bodies::{body, largest_difference};
use crate::self_contact::{still, with_contacts};
use nalgebra::{Unit, UnitQuaternion, Vector3};
use rebone::body::{Anatomy, Side};
use rebone::quality::{Grade, Verdict, evaluate};
use rebone::skeleton::{Clip, JointId, WorldPose};
use rebone::{
    BodyPart, ClipInput, Contact, ContactKind, Hints, Options, Plan, align, analyse, retarget_clip,
};
use rebone_samples as samples;

/// Distances by which the hand is moved, metres of a 1.7 m body.
const STEPS_METRES: [f64; 5] = [0.0, 0.01, 0.02, 0.05, 0.1];

fn unit(vector: Vector3<f64>) -> Vector3<f64> {
    vector / vector.norm()
}

/// A clip whose left hand is moved away from the axis of the thigh on its side, metres of a 1.7 m body.
fn moved(anatomy: &Anatomy, clip: &Clip, by: f64) -> Clip {
    let (arm, leg) = (&anatomy.body.arms[0], &anatomy.body.legs[0]);
    let hand = arm.hand.expect("a sample has hands");
    let parent = anatomy.skeleton[arm.upper].parent.expect("an arm hangs on a body");
    let mut world = WorldPose::zeros(&anatomy.skeleton);
    let poses = clip.poses().map(|mut pose| {
        world.update(&anatomy.skeleton, &pose).expect("a pose of the rig");
        let place = |joint: JointId| world.positions[joint.index()];
        let thigh = unit(place(leg.lower) - place(leg.upper));
        let from_hip = place(hand) - place(leg.upper);
        let out = unit(from_hip - thigh * from_hip.dot(&thigh));
        let reach: Vector3<f64> = place(hand) - place(arm.upper);
        let axis = Unit::new_normalize(reach.cross(&out));
        let angle = by / anatomy.metres_per_unit() / reach.norm();
        let turn = UnitQuaternion::from_axis_angle(&axis, angle);
        let own = turn * world.rotations[arm.upper.index()];
        pose.rotations[arm.upper.index()] = world.rotations[parent.index()].inverse() * own;
        pose
    });
    Clip::from_poses(&anatomy.skeleton, clip.frame_time, poses.collect::<Vec<_>>())
        .expect("poses of the rig")
}

/// The verdicts of a result whose hand is moved by more and more, outwards or inwards.
fn ladder(plan: &Plan, source: &Clip, result: &Clip, outwards: f64) -> [Verdict; 5] {
    let verdict = |by: &f64| {
        let moved = moved(&plan.target, result, outwards * by);
        evaluate(plan, source, &moved).expect("clips of the plan").verdict
    };
    STEPS_METRES.each_ref().map(verdict)
}

fn metric(verdict: &Verdict, name: &str) -> f64 {
    let found = verdict.metrics.iter().find(|own| own.name == name);
    found.map_or(f64::NAN, |own| own.value)
}

#[test]
fn a_hand_that_is_moved_is_measured_and_costs_the_more_the_further() {
    let [source, target] = ["", "other:"].map(|prefix| body(prefix, 2.2));
    let plan = align(&source, &target, &Options::default());
    let clip = still(&source, 0);
    let (result, _) = with_contacts([&source, &target], &clip, None);
    for (outwards, name) in [(1.0, "hand_touch"), (-1.0, "arm_depth")] {
        let verdicts = ladder(&plan, &clip, &result, outwards);
        let values: Vec<f64> = verdicts.iter().map(|own| metric(own, name)).collect();
        let scores: Vec<f64> = verdicts.iter().map(|own| own.score).collect();
        assert!(values.is_sorted_by(|a, b| a < b), "{name}: {values:?}");
        assert!(scores.is_sorted_by(|a, b| a > b), "{name}: {scores:?}");
        assert_eq!((values[0], verdicts[0].verdict), (0.0, Grade::Pass), "{name}");
        assert!(values[4] > 3.0 && verdicts[4].verdict != Grade::Pass, "{name}: {values:?}");
        let wanted = match name {
            "hand_touch" => {
                "the left hand is 8.8 cm off the body where the source's touches its pelvis"
            }
            _ => {
                "the left forearm is 3.6 cm deeper in the pelvis than the source's arm in its body"
            }
        };
        let texts: Vec<_> = verdicts[4].reasons.iter().map(|own| &own.text).collect();
        assert!(texts.iter().any(|own| *own == wanted), "{texts:?}");
    }
}

#[test]
fn the_arm_of_a_hand_that_is_kept_on_the_body_of_a_source_without_a_mesh_points_elsewhere() {
    let source = analyse(&samples::walk().motion, &Hints::default()).expect("the walk is a body");
    let broad = body("other:", 2.2);
    let clip = moved(&source, &still(&source, 0), -0.06);
    let on_thigh = Contact {
        part: BodyPart::Hand(Side::Left),
        on: Some(BodyPart::Thigh(Side::Left)),
        kind: ContactKind::Plant,
        frames: 0..clip.len(),
        confidence: 1.0,
    };
    let (result, _) = with_contacts([&source, &broad], &clip, Some(&[on_thigh]));
    let plan = align(&source, &broad, &Options::default());
    let free = Options { no_self_contact: true, ..Options::default() };
    let (free, _) = retarget_clip(&align(&source, &broad, &free), &ClipInput::new(&source, &clip))
        .expect("a clip");
    let turned = largest_difference(&result, &free).to_degrees();
    assert!(turned > 6.0, "{turned}: the hand is not kept on the thigh");
    let off = ladder(&plan, &clip, &result, 1.0).map(|own| metric(&own, "arm_direction"));
    assert!(off[0] < 1e-6 && off[4] > 10.0, "{off:?}");
}
