//! Edits that add joints, or make another joint the root. No place of the body moves.

use crate::kit::edit::sides;
use crate::kit::test_rig::TestRig;
use nalgebra::{UnitQuaternion, Vector3};
use rebone::skeleton::WorldPose;
use rebone::skeleton::rotation::{direction, swing_twist};

/// The joints of spine and neck, from the lowest to the head.
pub(crate) const TRUNK: [&str; 7] =
    ["Spine", "Spine1", "Spine2", "Spine3", "Neck", "Neck1", "Head"];

/// The bones of limbs, by their ends; those of hands and feet are not split.
pub(crate) const BONES: [[&str; 2]; 6] = [
    ["Arm", "ForeArm"],
    ["ForeArm", "Hand"],
    ["UpLeg", "Leg"],
    ["Leg", "Foot"],
    ["Foot", "ToeBase"],
    ["Hand", "HandMiddle1"],
];

/// What a segment turns against another about a bone that neither has turned in the rest pose.
fn axial(frame: &WorldPose, from: usize, to: usize, bone: &Vector3<f64>) -> UnitQuaternion<f64> {
    let turn = frame.rotations[from].inverse() * frame.rotations[to];
    direction(bone).map_or(UnitQuaternion::identity(), |bone| swing_twist(&turn, &bone).1)
}

/// Adds a joint to the bone below a joint of spine or neck, rigid or with its share of the axial turn.
pub(crate) fn split(test_rig: &mut TestRig, below: usize, at: f64, twists: bool) {
    let Some(below) = test_rig.find(TRUNK[below]) else { return };
    let above = test_rig.nodes[below].parent.expect("it hangs on the hips");
    let name = match test_rig.nodes[above].name.as_str() {
        "Hips" => "Spine0".to_string(),
        name => format!("{name}_b"),
    };
    let bone = test_rig.offsets()[below];
    let share = if twists { at } else { 0.0 };
    test_rig.insert(("", name), Some(above), &[below], |frame| {
        let turn = frame.rotations[above];
        let place = frame.positions[above] + turn * bone * at;
        (place, turn * axial(frame, above, below, &bone).powf(share))
    });
}

/// Adds a joint above that of each side which never moves against what it hangs on.
pub(crate) fn add_still(test_rig: &mut TestRig, part: &str, below: &str, at: f64) {
    for (key, below) in sides(part).iter().zip(sides(below)) {
        let (None, Some(below)) = (test_rig.find(key), test_rig.find(&below)) else { continue };
        let above = test_rig.nodes[below].parent.expect("limbs hang on the trunk");
        let way = test_rig.offsets()[below] * at;
        test_rig.insert((key, key.clone()), Some(above), &[below], |frame| {
            let turn = frame.rotations[above];
            (frame.positions[above] + turn * way, turn)
        });
    }
}

/// Adds a joint to a limb's bone on both sides. In line it turns as the bone's own joint did, which
/// keeps a share of the axial turn; beside it turns by the share less.
pub(crate) fn twist(test_rig: &mut TestRig, bone: usize, at: f64, share: f64, in_line: bool) {
    let [start, end] = BONES[bone];
    for (key, end) in sides(start).into_iter().zip(sides(end)) {
        let (Some(start), Some(end)) = (test_rig.find(&key), test_rig.find(&end)) else { continue };
        let above = test_rig.nodes[start].parent.expect("limbs hang on the trunk");
        let next = test_rig.line(start, end)[0];
        let bone = test_rig.offsets()[next];
        let turn = |frame: &WorldPose, share: f64| {
            frame.rotations[start] * axial(frame, above, start, &bone).powf(-share)
        };
        let own: Vec<_> = test_rig.frames.iter().map(|frame| turn(frame, 1.0 - share)).collect();
        let name = format!("{key}Twist");
        let count = test_rig.nodes.iter().filter(|node| node.name.starts_with(&name)).count();
        let (below, share): (&[usize], f64) = if in_line { (&[next], 0.0) } else { (&[], share) };
        test_rig.insert(("", format!("{name}{}", count + 1)), Some(start), below, |frame| {
            let place = frame.positions[start] + frame.rotations[start] * bone * at;
            (place, turn(frame, share))
        });
        if in_line {
            let frames = test_rig.frames.iter_mut();
            frames.zip(own).for_each(|(frame, own)| frame.rotations[start] = own);
        }
    }
}

/// Makes the segment above so many joints of the trunk the root. A segment below it hangs on the next:
/// its joint is where the two meet, which was the joint of the next.
pub(crate) fn backwards(test_rig: &mut TestRig, number: usize) {
    let [hips, head] = ["Hips", "Head"].map(|key| test_rig.find(key).expect("hips and head"));
    let trunk = [vec![hips], test_rig.line(hips, head)].concat();
    let girdle = test_rig.find("LeftShoulder").or(test_rig.find("LeftArm")).expect("an arm");
    let chest = trunk.iter().position(|&k| test_rig.nodes[girdle].parent == Some(k)).unwrap_or(0);
    if chest == 0 {
        return;
    }
    let top = 1 + number % chest;
    let (root, next) = (trunk[top], trunk[top + 1]);
    for frame in &mut test_rig.frames {
        let middle = (frame.positions[root] + frame.positions[next]) / 2.0;
        trunk[..=top]
            .windows(2)
            .for_each(|pair| frame.positions[pair[0]] = frame.positions[pair[1]]);
        frame.positions[root] = middle;
    }
    for pair in trunk[..=top].windows(2) {
        test_rig.nodes[pair[0]].key = test_rig.nodes[pair[1]].key.clone();
        test_rig.nodes[pair[0]].parent = Some(pair[1]);
        test_rig.nodes[pair[0]].moves = false;
    }
    test_rig.nodes[root].key.clear();
    test_rig.nodes[root].parent = None;
    test_rig.nodes[root].moves = true;
    test_rig.sort(false, |_, _| true);
}

/// Adds a root: at the pelvis, with its heading or all of its turn, or on the ground, below the pelvis or
/// at the origin, with its heading or none.
pub(crate) fn add_root(test_rig: &mut TestRig, ground: bool, moves: bool, turns: bool) {
    test_rig.nodes[0].moves = ground;
    test_rig.insert(("", "Root".to_string()), None, &[0], |frame| {
        let (place, turn) = (frame.positions[0], frame.rotations[0]);
        let heading = swing_twist(&turn, &Vector3::y_axis()).1;
        match (ground, turns) {
            (false, true) => (place, turn),
            (false, false) => (place, heading),
            (true, _) => {
                let turn = if turns { heading } else { UnitQuaternion::identity() };
                (place.component_mul(&Vector3::new(1.0, 0.0, 1.0)) * f64::from(moves), turn)
            }
        }
    });
}
