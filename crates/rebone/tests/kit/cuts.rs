//! Edits that take joints away or change the lengths of bones.

use crate::edit::{Part, side_and_part, sides};
use crate::puppet::Puppet;

/// Makes the bones of a part longer or shorter and keeps their directions.
pub(crate) fn scale(puppet: &mut Puppet, part: Part, factor: f64) {
    let mut offsets = puppet.offsets();
    for (node, offset) in puppet.nodes.iter().zip(&mut offsets) {
        if part_of(&node.key) == Some(part) {
            *offset *= factor;
        }
    }
    puppet.lay_all(&offsets);
}

/// The part that the bone above a joint belongs to.
fn part_of(key: &str) -> Option<Part> {
    match side_and_part(key).1 {
        "Leg" | "Foot" => Some(Part::Legs),
        "ForeArm" | "Hand" => Some(Part::Arms),
        "Neck1" | "Head" | "HeadEnd" => Some(Part::Head),
        "ToeBase" | "ToeBaseEnd" => Some(Part::Feet),
        "UpLeg" => Some(Part::Hips),
        "Arm" => Some(Part::Shoulders),
        word if word.starts_with("Hand") => Some(Part::Hands),
        word if word.starts_with("Spine") || word == "Neck" => Some(Part::Trunk),
        _ => None,
    }
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
    puppet.lay_all(&offsets);
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
