//! Turns by a ring around a joint: the frames of `calibration`, and what the turn that follows from them does.

use crate::kit::{ok, opened};
use proptest::prelude::*;
use rebone::skeleton::nalgebra::{Quaternion, UnitQuaternion, Vector3};
use rebone_studio::Studio;
use serde_json::{Value, json};

const SIDES: [&str; 2] = ["source", "target"];
const ROLES: [&str; 5] = ["hips", "leftUpperArm", "rightHand", "leftFoot", "head"];

/// Parts of a degree that turns are written with by the ring.
const PARTS: f64 = 10.0;

/// The most that rounding of three numbers to 0.1 degrees, and 32-bit floats, turn a joint by.
const ROUNDING: f64 = 0.09_f64.to_radians();

/// Rotations of an answer to `calibration`.
struct Calibration {
    joints: [usize; 2],
    frames: [usize; 2],
    numbers: Vec<f64>,
}

impl Calibration {
    fn of(studio: &mut Studio, cards: &Value) -> Self {
        let request = json!({ "do": "calibration", "document": { "cards": cards } });
        let (fields, bytes) = ok(studio.ask(&request.to_string(), &[]));
        let counts = |key: &str| [0, 1].map(|side| fields[key][side].as_u64().unwrap() as usize);
        let number = |four: &[u8]| f64::from(f32::from_le_bytes(four.try_into().unwrap()));
        let numbers = bytes.chunks_exact(4).map(number).collect();
        let own = Self { joints: counts("joints"), frames: counts("frames"), numbers };
        let count: usize =
            own.joints.map(|own| 7 * own).into_iter().chain(own.frames.map(|own| 8 * own)).sum();
        assert_eq!(own.numbers.len(), count);
        own
    }

    fn rotation_at(&self, at: usize) -> UnitQuaternion<f64> {
        let [x, y, z, w] = self.numbers[at..at + 4].try_into().unwrap();
        UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z))
    }

    /// Rotation of a joint in the stage's world.
    fn joint(&self, side: usize, joint: usize) -> UnitQuaternion<f64> {
        self.rotation_at(7 * (side * self.joints[0] + joint) + 3)
    }

    /// The frame of a joint's segment without the joint's own turn and with it.
    fn frames(&self, side: usize, joint: usize) -> [UnitQuaternion<f64>; 2] {
        let first = 7 * (self.joints[0] + self.joints[1]) + 8 * (side * self.frames[0] + joint);
        [first, first + 4].map(|at| self.rotation_at(at))
    }
}

/// The joints of a side by their roles.
fn joint(studio: &mut Studio, side: &str, role: &str) -> usize {
    let (fields, _) = ok(studio.ask(r#"{ "do": "understand", "document": {} }"#, &[]));
    let joints = fields["sides"][side]["joints"].as_array().unwrap();
    joints.iter().position(|joint| joint["role"]["name"] == role).unwrap()
}

/// States a turn in the card of a side.
fn turn(studio: &mut Studio, cards: &mut Value, side: &str, joint: usize, turn: [f64; 3]) {
    let edits = json!([{ "set": "pose", "joint": joint, "turn": turn }]);
    let request =
        json!({ "do": "edit", "side": side, "document": { "cards": cards }, "edits": edits });
    cards[side] = ok(studio.ask(&request.to_string(), &[])).0["card"].clone();
}

/// The turn that a ring writes that was dragged by a rotation in the world.
fn dragged(frames: [UnitQuaternion<f64>; 2], by: &UnitQuaternion<f64>) -> [f64; 3] {
    let turn = (frames[0].inverse() * by * frames[1]).scaled_axis();
    turn.map(|angle| (PARTS * angle.to_degrees()).round() / PARTS).into()
}

fn rotation_vector() -> impl Strategy<Value = [f64; 3]> {
    [-1.0..1.0, -1.0..1.0, -1.0..1.0].prop_map(|axis: [f64; 3]| axis.map(|own| 90.0 * own))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_joint_turns_in_the_world_as_its_ring_does(
        rig in prop::sample::select(vec!["seven-spine", "twist-zup-cm", "toy-a-pose"]),
        side in 0..2_usize,
        role in prop::sample::select(ROLES.to_vec()),
        stated in rotation_vector(),
        above in rotation_vector(),
        by in rotation_vector(),
    ) {
        let mut studio = opened(rig);
        let [own, hips] = [role, "hips"].map(|role| joint(&mut studio, SIDES[side], role));
        // The axes of the file are stated: a body that is turned over has others.
        let (fields, _) = ok(studio.ask(r#"{ "do": "understand", "document": {} }"#, &[]));
        let mut cards = json!({});
        for side in SIDES {
            let axes = ["up", "facing"].map(|key| (key, fields["sides"][side][key].as_str().unwrap_or("+Z")));
            cards[side] = json!(axes.map(|(key, axis)| format!("{key} = \"{axis}\"\n")).concat());
        }
        turn(&mut studio, &mut cards, SIDES[side], hips, above);
        turn(&mut studio, &mut cards, SIDES[side], own, stated);
        let before = Calibration::of(&mut studio, &cards);
        let by = UnitQuaternion::from_scaled_axis(Vector3::from(by).map(f64::to_radians));
        let written = dragged(before.frames(side, own), &by);
        turn(&mut studio, &mut cards, SIDES[side], own, written);
        let after = Calibration::of(&mut studio, &cards);
        let off = after.joint(side, own).angle_to(&(by * before.joint(side, own)));
        prop_assert!(off < ROUNDING, "{} degrees", off.to_degrees());
        // The frame that turns start at stays; without a drag the turn is the one that was stated.
        prop_assert!(before.frames(side, own)[0].angle_to(&after.frames(side, own)[0]) < 1e-5);
        let again = dragged(after.frames(side, own), &UnitQuaternion::identity());
        for (again, written) in again.into_iter().zip(written) {
            prop_assert!((again - written).abs() < 0.15, "{again} for {written}");
        }
    }
}

#[test]
fn a_drag_about_an_axis_is_a_turn_by_its_number() {
    let mut studio = opened("toy-a-pose");
    for role in ROLES {
        let own = joint(&mut studio, "target", role);
        let frames = Calibration::of(&mut studio, &json!({})).frames(1, own);
        assert!(frames[0].angle_to(&frames[1]) < 1e-6);
        for axis in 0..3 {
            let mut about = Vector3::zeros();
            about[axis] = 25_f64.to_radians();
            let by = frames[1] * UnitQuaternion::from_scaled_axis(about) * frames[1].inverse();
            let mut wanted = [0.0; 3];
            wanted[axis] = 25.0;
            assert_eq!(dragged(frames, &by).map(|own| own + 0.0), wanted, "{role}");
        }
    }
}

#[test]
fn a_generated_pose_is_turned_on_from_where_it_is() {
    let mut studio = opened("toy-a-pose");
    let request = json!({ "do": "card", "side": "target", "document": {}, "t_pose": true });
    let mut cards = json!({ "target": ok(studio.ask(&request.to_string(), &[])).0["card"] });
    let arm = joint(&mut studio, "target", "leftUpperArm");
    let before = Calibration::of(&mut studio, &cards);
    let frames = before.frames(1, arm);
    assert!(frames[0].angle_to(&frames[1]) > 0.1, "an A pose is not turned up");
    turn(&mut studio, &mut cards, "target", arm, dragged(frames, &UnitQuaternion::identity()));
    let after = Calibration::of(&mut studio, &cards);
    assert!(after.joint(1, arm).angle_to(&before.joint(1, arm)) < ROUNDING);
}
