//! Helper joints that their names and places tell.

use super::by_name;
use crate::body::{Anatomy, Arm, Leg, Role};
use rebone_skeleton::JointId;

/// Distance of a helper from its hand or foot in the rest pose, at most, over the stature: a centimetre or two.
const MAX_DISTANCE_SHARE: f64 = 0.01;

/// Finds the joints that stand where a hand or a foot is in the rest pose, hang elsewhere, and are called goals of inverse
/// kinematics ("ik_foot_l") or, at a hand, places for props ("weapon"): each with the hand or foot. Joints of the body, those
/// that carry some, and those that lack a channel are none.
#[doc(hidden)]
pub fn known_helpers(anatomy: &Anatomy) -> Vec<[JointId; 2]> {
    let skeleton = &anatomy.skeleton;
    let rest = skeleton.rest_world();
    let hands = anatomy.body.arms.iter().filter_map(|arm: &Arm| arm.hand);
    let feet = anatomy.body.legs.iter().map(|leg: &Leg| leg.foot);
    let ends: Vec<JointId> = hands.chain(feet).collect();
    let is_hand = |id: JointId| matches!(anatomy.roles.of(id), Some(Role::Hand(_)));
    let mut carries = vec![false; skeleton.len()];
    for (index, joint) in skeleton.joints().iter().enumerate().rev() {
        carries[index] |= anatomy.roles.by_joint[index].is_some();
        if let Some(parent) = joint.parent {
            carries[parent.index()] |= carries[index];
        }
    }
    let helper = |joint: JointId| {
        let reading = by_name::read(&skeleton[joint].name);
        let distance =
            |end: JointId| (rest.positions[end.index()] - rest.positions[joint.index()]).norm();
        let can_follow = |end: &JointId| {
            (reading.is_goal || reading.is_slot && is_hand(*end))
                && !skeleton.is_ancestor(*end, joint)
                && distance(*end) < MAX_DISTANCE_SHARE * anatomy.stature
        };
        let ends = ends.iter().copied().filter(can_follow);
        Some([joint, ends.min_by(|&a, &b| distance(a).total_cmp(&distance(b)))?])
    };
    let can_move = |id: &JointId| {
        let joint = &skeleton[*id];
        joint.translation_axes.len() == 3 && joint.rotation_axes.len() == 3
    };
    let free = skeleton.ids().filter(|id| !carries[id.index()]).filter(can_move);
    free.filter_map(helper).collect()
}
