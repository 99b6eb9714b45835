//! The plan of a retarget: everything that depends on the two skeletons and the options alone.

use super::chains::ChainLink;
use super::groups::Group;
use super::helpers::{Helper, carry_helpers};
use super::rule::Rule;
use super::supports::Supports;
use crate::body::Anatomy;
use crate::options::{ContactMode, Options, RootMotion};
use nalgebra::{UnitQuaternion, Vector3};
use rebone_skeleton::rotation::direction;
use rebone_skeleton::{Axis, JointId, Pose, WorldPose};

/// How the motion of one skeleton becomes that of another. Built once, used for every clip and frame.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The skeleton that the motion was made for.
    pub source: Anatomy,
    /// The skeleton that it is given to.
    pub target: Anatomy,
    /// What the user chose.
    pub options: Options,
    /// Turns the source file's axes into the inner world.
    pub inner_from_source: UnitQuaternion<f64>,
    /// Turns the target file's axes into the inner world.
    pub inner_from_target: UnitQuaternion<f64>,
    /// Paths and heights of the target over those of the source, both in metres of a 1.7 m body.
    pub path_scale: f64,
    /// The same of paths along the floor.
    pub travel_scale: f64,
    /// What both bodies bear on.
    pub supports: Supports,
    /// Trunk, neck and fingers.
    pub chains: Vec<ChainLink>,
    /// Where each target joint's orientation comes from.
    pub rules: Vec<Rule>,
    /// Which stage each target joint belongs to.
    pub groups: Vec<Group>,
    /// Which target joints have rotations that a stage solves.
    pub solved: Vec<bool>,
    /// The target joint whose translation carries the body.
    pub translation_joint: JointId,
    /// Helper joints of the target in their order, which go along with joints of the body.
    pub helpers: Vec<Helper>,
    /// True for the carrier and all target joints below it.
    pub carried: Vec<bool>,
    /// Girdles of both bodies.
    pub girdle: Girdle,
    /// The target's bones: place of each joint in its parent's frame, metres of a 1.7 m body.
    pub bones: Vec<Vector3<f64>>,
}

/// Where the shoulders are in the frames of the chests, in metres of a 1.7 m body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Girdle {
    /// Source shoulders (left, right) from the chest joint, in the chest's frame, in the T pose.
    pub source: [Vector3<f64>; 2],
    /// The same of the target.
    pub target: [Vector3<f64>; 2],
    /// Half the width between the target's shoulders over half that of the source's.
    pub width: f64,
}

impl Plan {
    /// A place of the source as one on the target's way.
    pub(crate) fn scaled_to_target(&self, place: &Vector3<f64>) -> Vector3<f64> {
        place.component_mul(&Vector3::new(self.travel_scale, self.path_scale, self.travel_scale))
    }

    /// Whether the target's body can be pitched and rolled as a whole where all its contacts are kept.
    pub(crate) fn can_tilt(&self) -> bool {
        let keeps = matches!(self.options.contacts, ContactMode::All | ContactMode::Lock);
        keeps && self.target.skeleton.joint(self.translation_joint).rotation_axes.len() == 3
    }

    /// Whether the position channels of the target's carrier can move it straight up.
    pub(crate) fn can_lift(&self) -> bool {
        let axes = &self.target.skeleton.joint(self.translation_joint).translation_axes;
        let up = self.inner_from_target.inverse() * Vector3::y();
        let missing = Axis::ALL.into_iter().filter(|axis| !axes.contains(axis));
        let is_root = self.target.skeleton.joint(self.translation_joint).parent.is_none();
        let along = |axis: Axis| direction(&up).map_or(0.0, |up| up.dot(&axis.unit()));
        axes.len() == 3 || (is_root && missing.map(along).all(|part| part.abs() < 1e-9))
    }

    /// The topmost joint above the one that carries the body that can be moved and turned: the root bone of rigs
    /// for engines. `None` where there is none, or the carrier cannot turn.
    pub fn root_bone(&self) -> Option<JointId> {
        let free = |id: JointId| {
            let joint = self.target.skeleton.joint(id);
            joint.translation_axes.len() == 3 && joint.rotation_axes.len() == 3
        };
        let above = self.target.skeleton.path_to_root(self.translation_joint).skip(1);
        above.filter(|&id| free(id)).last().filter(|_| free(self.translation_joint))
    }

    /// The joints that carry the root motion instead of the carrier alone: from that up to the root bone.
    pub(crate) fn root_motion_joints(&self) -> Vec<JointId> {
        let wants = self.options.root == RootMotion::RootBone;
        let Some(ground) = self.root_bone().filter(|_| wants) else { return Vec::new() };
        let path = self.target.skeleton.path_to_root(self.translation_joint);
        path.filter(|&id| self.target.skeleton.is_ancestor(ground, id)).collect()
    }

    /// The target joints that follow something of the source.
    pub fn mapped(&self) -> impl Iterator<Item = JointId> + '_ {
        let root_motion_joints = self.root_motion_joints();
        let is_mapped = move |id: &JointId| {
            *id == self.translation_joint
                || self.rules[id.index()] != Rule::KeepRest
                || self.is_helper(*id)
                || root_motion_joints.contains(id)
        };
        self.target.skeleton.ids().filter(is_mapped)
    }

    /// The target joints whose translations may be those of no rest pose: the carrier, what follows the source
    /// above it, helpers, and in rotation copy what the source may stretch.
    pub fn moving(&self) -> impl Iterator<Item = JointId> + '_ {
        let is_above = |id: JointId| matches!(self.rules[id.index()], Rule::AncestorOfHips(_));
        let root_motion_joints = self.root_motion_joints();
        let moves = move |id: &JointId| {
            let follows = *id == self.translation_joint
                || is_above(*id)
                || self.is_helper(*id)
                || root_motion_joints.contains(id);
            follows || self.stretched(*id).is_some()
        };
        self.target.skeleton.ids().filter(moves)
    }

    fn is_helper(&self, joint: JointId) -> bool {
        self.helper(joint).is_some()
    }

    /// What a joint goes along with, where it is a helper.
    pub(crate) fn helper(&self, joint: JointId) -> Option<&Helper> {
        let place = self.helpers.binary_search_by_key(&joint, |helper| helper.joint);
        place.ok().map(|place| &self.helpers[place])
    }

    /// Poses the helpers of a target pose relative to the joints that they follow. `world` is scratch memory.
    pub fn carry_helpers(&self, pose: &mut Pose, world: &mut WorldPose) {
        carry_helpers(&self.helpers, &self.target.skeleton, pose, world);
    }
}
