//! Reparented joints of control rigs: in the file a foot has a control as parent, in the body the shin.

use crate::{Joint, JointId, Pose, Skeleton, SkeletonError, WorldPose};

/// Distance over the skeleton's extent; nearer joints coincide.
const MAX_END_DISTANCE_EXTENTS: f64 = 0.02;

/// Finds joints whose parent in the body is another than in the file: pairs of joint and new parent.
///
/// Such a joint coincides with the end of another limb, a leaf that no mesh is skinned to after at least two bones, while
/// its own parent carries them both and lies elsewhere.
pub(super) fn reparented(
    skeleton: &Skeleton,
    skinned: impl Fn(JointId) -> bool,
) -> Vec<[JointId; 2]> {
    let world = skeleton.rest_world();
    let ([low, high], places) = (world.bounds(), world.positions);
    let near = MAX_END_DISTANCE_EXTENTS * (high - low).amax();
    let is_near = |a: JointId, b: JointId| (places[a.index()] - places[b.index()]).norm() < near;
    let is_end = |id: &JointId| skeleton.children(*id).next().is_none() && !skinned(*id);
    let ends: Vec<JointId> = skeleton.ids().filter(is_end).collect();
    let mut pairs = Vec::new();
    for joint in skeleton.ids().filter(|&id| skinned(id)) {
        let Some(parent) = skeleton[joint].parent else { continue };
        let is_limb = |end: &&JointId| {
            let bones = skeleton.path_to_root(**end).position(|id| id == parent);
            bones.is_some_and(|bones| bones > 2)
                && skeleton[**end].parent.is_some_and(&skinned)
                && !skeleton.is_ancestor(joint, **end)
        };
        let end = ends.iter().filter(|&&end| is_near(joint, end)).find(is_limb);
        if let (Some(&end), false) = (end, is_near(joint, parent)) {
            pairs.extend(skeleton[end].parent.map(|last| [joint, last]));
        }
    }
    pairs
}

/// All joints depth first, as after reparenting.
pub(super) fn order_after(skeleton: &Skeleton, reparented: &[[JointId; 2]]) -> Vec<JointId> {
    let mut order = Vec::with_capacity(skeleton.len());
    let mut next = vec![JointId(0)];
    let is_reparented = |joint: &JointId| reparented.iter().any(|pair| pair[0] == *joint);
    while let Some(joint) = next.pop() {
        order.push(joint);
        let new = reparented.iter().filter(|pair| pair[1] == joint).map(|pair| pair[0]);
        let own = skeleton.children(joint).filter(|child| !is_reparented(child));
        let children: Vec<JointId> = own.chain(new).collect();
        next.extend(children.into_iter().rev());
    }
    order
}

/// Orders joints so that each comes after its parent in the file and after its new parent, else in their order; `None` where a
/// new parent is a descendant, or a joint is not there.
pub(super) fn order_with(skeleton: &Skeleton, pairs: &[[JointId; 2]]) -> Option<Vec<JointId>> {
    if pairs.iter().flatten().any(|id| id.index() >= skeleton.len()) {
        return None;
    }
    let above = |id: JointId| {
        let given = pairs.iter().filter(move |pair| pair[0] == id).map(|pair| pair[1]);
        skeleton[id].parent.into_iter().chain(given)
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

/// A skeleton with this rest pose and these parents.
pub(super) fn with_rest_pose(
    skeleton: &Skeleton,
    pose: &Pose,
    parent: impl Fn(JointId) -> Option<JointId>,
) -> Result<Skeleton, SkeletonError> {
    let joints = skeleton.ids().zip(skeleton.joints()).map(|(id, joint)| Joint {
        parent: parent(id),
        rest_translation: pose.translations[id.index()],
        rest_rotation: pose.rotations[id.index()],
        ..joint.clone()
    });
    Skeleton::new(joints.collect(), Vec::new())
}

/// Converts a pose between two skeletons whose parents differ for some joints.
pub(super) fn convert(differing: &[JointId], from: &Skeleton, to: &Skeleton, pose: &mut Pose) {
    if differing.is_empty() {
        return;
    }
    let WorldPose { positions, rotations } = WorldPose::of(from, pose);
    for &joint in differing {
        let Some(parent) = to[joint].parent else { continue };
        let (index, parent) = (joint.index(), parent.index());
        let back = rotations[parent].inverse();
        pose.translations[index] = back * (positions[index] - positions[parent]);
        pose.rotations[index] = back * rotations[index];
    }
}
