//! Helper joints: they follow a joint of the body that is not their parent.

use super::rules::rule::Rule;
use nalgebra::{Isometry3, Translation3, UnitQuaternion};
use rebone_body::body::{Anatomy, Arm};
use rebone_body::poses;
use rebone_body::roles::known_helpers;
use rebone_skeleton::{JointId, Pose, Skeleton, WorldPose};

/// A joint that follows another as if it were its child.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Helper {
    /// The joint.
    pub(crate) joint: JointId,
    /// The joint that it follows.
    pub(crate) after: JointId,
    /// Its transform relative to the followed joint at rest; lengths of the file.
    pub(crate) offset: Isometry3<f64>,
}

/// A joint next to a hand starts within this share of the forearm from the wrist, and reaches beyond it by the second
/// share.
const MAX_WRIST_DISTANCE: f64 = 0.6;
const MIN_REACH: f64 = 0.1;

/// Returns the helpers of a skeleton's card, those that names and places tell, and joints next to its hands that have no
/// rule.
pub(crate) fn helpers(target: &Anatomy, rules: &[Rule]) -> Vec<Helper> {
    let rest = target.skeleton.rest_world();
    let helper = |[joint, after]: [JointId; 2]| {
        let offset = frame(&rest, after).inv_mul(&frame(&rest, joint));
        Helper { joint, after, offset }
    };
    // Joints that the card names, or that carry followed joints, stay as they are.
    let named = |joint: JointId| {
        let below = |other: JointId| target.skeleton.is_ancestor(joint, other);
        target.helpers.iter().any(|own| own[0] == joint || below(own[1]))
    };
    let beside = target.body.arms.iter().flat_map(|arm| beside_hand(target, arm));
    let is_free = |own: &[JointId; 2]| rules[own[0].index()] == Rule::KeepRest && !named(own[0]);
    let found = beside.chain(known_helpers(target)).filter(is_free);
    let all = target.helpers.iter().copied().chain(found).map(helper);
    let mut all: Vec<Helper> = all.collect();
    all.sort_by_key(|helper| helper.joint);
    all.dedup_by_key(|helper| helper.joint);
    all
}

/// Returns palms and fingers parented to the forearm, next to the hand joint. A hand with fingers has none: such
/// joints are sleeves or shields.
fn beside_hand<'a>(target: &'a Anatomy, arm: &Arm) -> impl Iterator<Item = [JointId; 2]> + 'a {
    let skeleton = &target.skeleton;
    let hand = arm.hand.filter(|_| arm.fingers.iter().filter(|own| !own.is_empty()).count() < 2);
    let hand = hand.and_then(|hand| Some((hand, skeleton[hand].parent?)));
    let elbow = target.place(arm.lower);
    hand.into_iter().flat_map(move |(hand, forearm)| {
        let wrist = target.place(hand);
        let bone = wrist - elbow;
        let is_beside = move |joint: &JointId| {
            let joints = || skeleton.ids().filter(|&id| skeleton.is_ancestor(*joint, id));
            let reach = |id: JointId| (target.place(id) - wrist).dot(&bone) / bone.norm_squared();
            (target.place(*joint) - wrist).norm() < MAX_WRIST_DISTANCE * bone.norm()
                && joints().all(|id| target.roles.of(id).is_none())
                && joints().any(|id| reach(id) > MIN_REACH)
        };
        skeleton.children(forearm).filter(is_beside).map(move |joint| [joint, hand])
    })
}

fn frame(world: &WorldPose, joint: JointId) -> Isometry3<f64> {
    let place = Translation3::from(world.positions[joint.index()]);
    Isometry3::from_parts(place, world.rotations[joint.index()])
}

/// Poses helpers of a pose relative to the joints that they follow. `world` is scratch memory.
pub(crate) fn carry_helpers(
    helpers: &[Helper],
    skeleton: &Skeleton,
    pose: &mut Pose,
    world: &mut WorldPose,
) {
    if helpers.is_empty() {
        return;
    }
    poses::update(world, skeleton, pose);
    // Helpers may be parented to each other: parents come first, as joints do.
    let mut helpers = helpers.iter().peekable();
    for id in skeleton.ids() {
        let (at, joint) = (id.index(), &skeleton[id]);
        let parent = joint.parent.map_or_else(Isometry3::identity, |own| frame(world, own));
        if let Some(helper) = helpers.next_if(|helper| helper.joint == id) {
            let local = parent.inv_mul(&(frame(world, helper.after) * helper.offset));
            pose.rotations[at] = UnitQuaternion::new_normalize(local.rotation.into_inner());
            for axis in &joint.translation_axes {
                pose.translations[at][axis.index()] = local.translation.vector[axis.index()];
            }
        }
        world.rotations[at] = parent.rotation * pose.rotations[at];
        world.positions[at] =
            parent * nalgebra::Point3::from(pose.translations[at]) - nalgebra::Point3::origin();
    }
}
