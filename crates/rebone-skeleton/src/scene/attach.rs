//! Joints that hang elsewhere in a file than in the body: a foot on a control of its own, not on the shin.

use crate::{JointId, Skeleton, forward_kinematics};

/// Parts of the skeleton's extent: what is nearer lies in one place.
const SAME_PLACE: f64 = 0.02;

/// Joints, and the ones that they hang on in the body.
///
/// Such a joint lies where another limb ends: at a leaf that no mesh is skinned to, at the end of at least two
/// bones, while it hangs itself on a joint that carries them both and that lies elsewhere.
pub(super) fn attached(
    skeleton: &Skeleton,
    skinned: impl Fn(JointId) -> bool,
) -> Vec<[JointId; 2]> {
    let places = forward_kinematics(skeleton, &skeleton.rest_pose()).positions;
    let Some(first) = places.first() else { return Vec::new() };
    let (low, high) = places.iter().fold((*first, *first), |(l, h), p| (l.inf(p), h.sup(p)));
    let near = SAME_PLACE * (high - low).amax();
    let is_near = |a: JointId, b: JointId| (places[a.index()] - places[b.index()]).norm() < near;
    let is_end = |id: &JointId| skeleton.children(*id).next().is_none() && !skinned(*id);
    let ends: Vec<JointId> = skeleton.ids().filter(is_end).collect();
    let mut pairs = Vec::new();
    for joint in skeleton.ids().filter(|&id| skinned(id)) {
        let Some(parent) = skeleton.joint(joint).parent else { continue };
        let is_limb = |end: &&JointId| {
            let bones = skeleton.path_to_root(**end).position(|id| id == parent);
            bones.is_some_and(|bones| bones > 2)
                && skeleton.joint(**end).parent.is_some_and(&skinned)
                && !skeleton.is_ancestor(joint, **end)
        };
        let end = ends.iter().filter(|&&end| is_near(joint, end)).find(is_limb);
        if let (Some(&end), false) = (end, is_near(joint, parent)) {
            pairs.extend(skeleton.joint(end).parent.map(|last| [joint, last]));
        }
    }
    pairs
}

/// All joints, each behind what it hangs on once the pairs are attached.
pub(super) fn order_below(skeleton: &Skeleton, attached: &[[JointId; 2]]) -> Vec<JointId> {
    let mut order = Vec::with_capacity(skeleton.len());
    let mut next = vec![JointId(0)];
    let is_attached = |joint: &JointId| attached.iter().any(|pair| pair[0] == *joint);
    while let Some(joint) = next.pop() {
        order.push(joint);
        let new = attached.iter().filter(|pair| pair[1] == joint).map(|pair| pair[0]);
        let own = skeleton.children(joint).filter(|child| !is_attached(child));
        let children: Vec<JointId> = own.chain(new).collect();
        next.extend(children.into_iter().rev());
    }
    order
}

/// All joints, each behind what carries it and behind what it hangs on once the pairs are attached, else in their order;
/// `None` where a joint would hang on one that it carries.
pub(super) fn order_with(skeleton: &Skeleton, pairs: &[[JointId; 2]]) -> Option<Vec<JointId>> {
    let above = |id: JointId| {
        let given = pairs.iter().filter(move |pair| pair[0] == id).map(|pair| pair[1]);
        skeleton.joint(id).parent.into_iter().chain(given)
    };
    let mut order = Vec::with_capacity(skeleton.len());
    let (mut is_placed, mut is_open) = (vec![false; skeleton.len()], vec![false; skeleton.len()]);
    for id in skeleton.ids() {
        let mut open = vec![id];
        while let Some(&joint) = open.last() {
            let waits = above(joint).find(|id| !is_placed[id.index()]);
            match waits {
                _ if is_placed[joint.index()] => drop(open.pop()),
                Some(other) if is_open[other.index()] => return None,
                Some(other) => {
                    is_open[joint.index()] = true;
                    open.push(other);
                }
                None => {
                    is_placed[joint.index()] = true;
                    order.push(joint);
                    open.pop();
                }
            }
        }
    }
    Some(order)
}
