//! Edits that take joints away or change the lengths of bones.

use crate::edit::{side_and_part, sides};
use crate::test_rig::Puppet;

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
pub(crate) fn scale(puppet: &mut Puppet, part: usize, factor: f64) {
    let mut offsets = puppet.offsets();
    for (node, offset) in puppet.nodes.iter().zip(&mut offsets) {
        if PARTS[part].iter().any(|word| side_and_part(&node.key).1.starts_with(word)) {
            *offset *= factor;
        }
    }
    puppet.lay(0..puppet.frames.len(), &offsets);
}

/// Takes joints away; what hung on them hangs on what they hung on, where it was in the rest pose.
pub(crate) fn take(puppet: &mut Puppet, keys: &[String]) {
    let joints: Vec<usize> = keys.iter().filter_map(|key| puppet.find(key)).collect();
    for &joint in &joints {
        let above = puppet.nodes[joint].parent;
        puppet.children(joint).into_iter().for_each(|child| puppet.nodes[child].parent = above);
    }
    puppet.sort(false, |k, _| !joints.contains(&k));
    let offsets = puppet.offsets();
    puppet.lay(0..puppet.frames.len(), &offsets);
}

/// Leaves so many fingers of each hand, from the thumb; a hand without fingers ends at a knuckle.
pub(crate) fn leave_fingers(puppet: &mut Puppet, count: usize) {
    let names = ["Thumb", "Index", "Middle", "Ring", "Pinky"].map(|name| format!("Hand{name}1"));
    if count == 0 {
        end(puppet, "HandMiddle1");
    }
    let gone = names.into_iter().skip(count).filter(|name| count > 0 || name != "HandMiddle1");
    let gone: Vec<String> = gone.flat_map(|name| sides(&name)).collect();
    puppet.sort(false, |_, node| !gone.contains(&node.key));
}

/// Makes end sites of both sides' joints.
pub(crate) fn end(puppet: &mut Puppet, part: &str) {
    for key in sides(part) {
        if let Some(joint) = puppet.find(&key) {
            puppet.nodes[joint].site = true;
            puppet.sort(false, |_, node| node.parent != Some(joint));
        }
    }
}

/// Takes the end sites away, but for that of a forearm without a hand: nothing else tells its length.
pub(crate) fn take_ends(puppet: &mut Puppet) {
    puppet.sort(false, |_, node| !node.site || sides("Hand").contains(&node.key));
}
