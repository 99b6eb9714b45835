//! Edits that take joints away or change the lengths of bones.

use crate::kit::edit::{side_and_part, sides};
use crate::kit::test_rig::TestRig;

/// The parts of a body: the first letters of the joints whose bones, from the joint above, belong to it.
pub(crate) const PARTS: [&[&str]; 7] = [
    &["Leg", "Foot"],
    &["ForeArm", "Hand"],
    &["Spine", "Neck"],
    &["Neck1", "Head"],
    &["ToeBase"],
    &["UpLeg"],
    &["Arm"],
];

/// Makes the bones of a part longer or shorter and keeps their directions.
pub(crate) fn scale(test_rig: &mut TestRig, part: usize, factor: f64) {
    let mut offsets = test_rig.offsets();
    for (node, offset) in test_rig.nodes.iter().zip(&mut offsets) {
        if PARTS[part].iter().any(|word| side_and_part(&node.key).1.starts_with(word)) {
            *offset *= factor;
        }
    }
    test_rig.lay(0..test_rig.frames.len(), &offsets);
}

/// Takes joints away; what hung on them hangs on what they hung on, where it was in the rest pose.
pub(crate) fn take(test_rig: &mut TestRig, keys: &[String]) {
    let joints: Vec<usize> = keys.iter().filter_map(|key| test_rig.find(key)).collect();
    for &joint in &joints {
        let above = test_rig.nodes[joint].parent;
        test_rig.children(joint).into_iter().for_each(|child| test_rig.nodes[child].parent = above);
    }
    test_rig.sort(false, |k, _| !joints.contains(&k));
    let offsets = test_rig.offsets();
    test_rig.lay(0..test_rig.frames.len(), &offsets);
}

/// Leaves so many fingers of each hand, from the thumb; a hand without fingers ends at a knuckle.
pub(crate) fn leave_fingers(test_rig: &mut TestRig, count: usize) {
    let names = ["Thumb", "Index", "Middle", "Ring", "Pinky"].map(|name| format!("Hand{name}1"));
    if count == 0 {
        end(test_rig, "HandMiddle1");
    }
    let gone = names.into_iter().skip(count).filter(|name| count > 0 || name != "HandMiddle1");
    let gone: Vec<String> = gone.flat_map(|name| sides(&name)).collect();
    test_rig.sort(false, |_, node| !gone.contains(&node.key));
}

/// Makes end sites of both sides' joints.
pub(crate) fn end(test_rig: &mut TestRig, part: &str) {
    for key in sides(part) {
        if let Some(joint) = test_rig.find(&key) {
            test_rig.nodes[joint].site = true;
            test_rig.sort(false, |_, node| node.parent != Some(joint));
        }
    }
}

/// Takes the end sites away, but for that of a forearm without a hand: nothing else tells its length.
pub(crate) fn take_ends(test_rig: &mut TestRig) {
    test_rig.sort(false, |_, node| !node.site || sides("Hand").contains(&node.key));
}
