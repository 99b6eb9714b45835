//! Edits of the rest pose and of the world: the joints stay as they are.

use crate::kit::edit::side_and_part;
use crate::kit::joints::TRUNK;
use crate::kit::test_rig::TestRig;
use nalgebra::{Unit, UnitQuaternion, Vector3};
use rebone::skeleton::Axis;
use rebone::skeleton::rotation::shortest_arc;

/// Another rest pose, from a T pose: arms below the horizontal, elbows and knees bent, legs apart. All
/// bones are swung, none is turned about itself; hands go with the forearms, feet stay flat.
pub(crate) fn stand(test_rig: &mut TestRig, [arms, elbows, knees, apart]: [f64; 4]) {
    let offsets = test_rig.offsets();
    let down = |side: f64, lean: f64| {
        Unit::new_normalize(Vector3::new(side * apart.tan(), -1.0, lean.tan()))
    };
    for (k, node) in test_rig.nodes.iter().enumerate() {
        let above = node
            .parent
            .map_or(UnitQuaternion::identity(), |above| test_rig.frames[0].rotations[above]);
        let (side, part) = side_and_part(&node.key);
        let out = Unit::new_unchecked(Vector3::x() * side);
        let swung = |along: Vector3<f64>| above * shortest_arc(&out, &Unit::new_normalize(along));
        test_rig.frames[0].rotations[k] = match part {
            "Arm" => swung(Vector3::new(side * arms.cos(), -arms.sin(), 0.0)),
            "ForeArm" => swung(Vector3::new(side * elbows.cos(), 0.0, elbows.sin())),
            "UpLeg" => shortest_arc(&-Vector3::y_axis(), &down(side, knees)),
            "Leg" => shortest_arc(&down(side, knees), &down(side, -knees)) * above,
            "Foot" => UnitQuaternion::identity(),
            _ => above,
        };
    }
    make_rest(test_rig, &offsets);
}

/// Another rest pose, from a T pose: each joint of the spine bent forward against the one below, the neck
/// by half of what the chest is, the head upright and the arms as they were.
pub(crate) fn hunch(test_rig: &mut TestRig, bend: f64) {
    let offsets = test_rig.offsets();
    let forward = |by: f64| UnitQuaternion::from_axis_angle(&Vector3::x_axis(), by);
    let spine = TRUNK.iter().filter(|key| key.starts_with("Spine"));
    let spine: Vec<usize> = spine.filter_map(|key| test_rig.find(key)).collect();
    let chest = spine.len() as f64 * bend;
    for (k, node) in test_rig.nodes.iter().enumerate() {
        let above = node.parent.map(|above| test_rig.frames[0].rotations[above]);
        let own = match side_and_part(&node.key).1 {
            "Neck" => forward(chest / 2.0),
            "Head" | "Arm" => UnitQuaternion::identity(),
            _ if spine.contains(&k) => forward(bend) * above.unwrap_or_default(),
            _ => above.unwrap_or_default(),
        };
        test_rig.frames[0].rotations[k] = own;
    }
    make_rest(test_rig, &offsets);
}

/// Another rest pose, from one with the palms down: half of a turn by forearms, half by hands.
pub(crate) fn turn_palms(test_rig: &mut TestRig, turn: f64) {
    let offsets = test_rig.offsets();
    for (k, node) in test_rig.nodes.iter().enumerate() {
        let above = node.parent.map(|above| test_rig.frames[0].rotations[above]);
        let (side, part) = side_and_part(&node.key);
        let next = test_rig.children(k).first().map(|&below| offsets[below]);
        let turned = next.filter(|_| matches!(part, "ForeArm" | "Hand")).map(|along| {
            let along = if part == "Hand" { middle_of_palm(test_rig, k, &offsets) } else { along };
            UnitQuaternion::from_axis_angle(&Unit::new_normalize(along), -side * turn / 2.0)
        });
        test_rig.frames[0].rotations[k] = above.unwrap_or_default() * turned.unwrap_or_default();
    }
    make_rest(test_rig, &offsets);
}

/// Where the outer fingers begin, from the wrist.
fn middle_of_palm(test_rig: &TestRig, hand: usize, offsets: &[Vector3<f64>]) -> Vector3<f64> {
    let below = test_rig.children(hand).into_iter();
    below.filter(|&k| !test_rig.nodes[k].key.contains("Thumb")).map(|k| offsets[k]).sum()
}

/// Makes the turns of frame 0 the rest pose, in which no joint is turned.
fn make_rest(test_rig: &mut TestRig, offsets: &[Vector3<f64>]) {
    test_rig.lay(0..1, offsets);
    let (rest, frames) = test_rig.frames.split_first_mut().expect("there is a rest pose");
    for frame in frames {
        for (turn, swung) in frame.rotations.iter_mut().zip(&rest.rotations) {
            *turn *= swung.inverse();
        }
    }
    rest.rotations.fill(UnitQuaternion::identity());
}

/// Another unit.
pub(crate) fn scale(test_rig: &mut TestRig, factor: f64) {
    let frames = test_rig.frames.iter_mut();
    frames.flat_map(|frame| &mut frame.positions).for_each(|place| *place *= factor);
}

/// Turns the whole world: the first axis that may be up (of 6), then where the body faces (of 4).
pub(crate) fn put(test_rig: &mut TestRig, number: u8) {
    let (axis, quarters) = (usize::from(number / 4 % 6), number % 4);
    let axis_up = Axis::ALL[(axis + 1) % 3].unit();
    let up = if axis < 3 { axis_up } else { -axis_up };
    let turn = shortest_arc(&Vector3::y_axis(), &up) * about_up(quarters);
    for frame in &mut test_rig.frames {
        frame.positions.iter_mut().for_each(|place| *place = turn * *place);
        frame.rotations.iter_mut().for_each(|own| *own = turn * *own * turn.inverse());
    }
    test_rig.world = turn;
}

/// Quarter turns about +Y.
pub(crate) fn about_up(quarters: u8) -> UnitQuaternion<f64> {
    let angle = f64::from(quarters) * std::f64::consts::FRAC_PI_2;
    UnitQuaternion::from_axis_angle(&Vector3::y_axis(), angle)
}
