//! The nodes of a scene that are joints, and the conversion of poses between scene and skeleton.

use super::characters::{ListedCharacter, joint_name};
use super::paths::Paths;
use super::reparent::{convert, order_after, order_with, reparented, with_rest_pose};
use super::space::NodeSpace;
use super::{ArmatureError, Local, Node, NodeKind};
use crate::{Axis, Clip, Joint, JointId, Pose, Skeleton};
use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// Scales of nodes in the world.
const SCALES: RangeInclusive<f64> = 1e-9..=1e9;

/// A skeleton and the nodes of a scene that are its joints.
///
/// The skeleton has the parents of the body, also where the file has a control as parent of a foot.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Armature {
    skeleton: Skeleton,
    /// The joints with the parents that the file has.
    file_hierarchy: Skeleton,
    /// The joints whose parents differ between the two.
    reparented: Vec<JointId>,
    nodes: Vec<usize>,
    /// The joint of each node.
    joints: Vec<Option<JointId>>,
    /// The nodes above the root, the nearest first.
    above: Vec<usize>,
    /// The space that each joint's transform is in: that of its parent.
    spaces: Vec<NodeSpace>,
    /// The rotation of each joint against its node's matrix, taken apart: not zero where axes are mirrored.
    mirror_turns: Vec<Option<UnitQuaternion<f64>>>,
    /// The space that the transform of each node above the root is in, in the order of `above`.
    spaces_above: Vec<NodeSpace>,
    /// The first node that carries joints and has not one scale along all axes.
    uneven: Option<usize>,
    /// The transform of the nodes above the root at rest, without their scales: those are in `spaces`.
    pub(super) root_transform: Isometry3<f64>,
}

impl Armature {
    /// Takes the joints among the nodes: `wanted`, the nodes between them, and descendants that show nothing. Nodes stand
    /// in any order.
    ///
    /// # Errors
    /// When `wanted` is empty, the nodes are no tree, or a scale leaves no size.
    pub(crate) fn new(tree: &[Node], wanted: &BTreeSet<usize>) -> Result<Self, ArmatureError> {
        let paths = Paths::new(tree)?;
        let root = paths.common(wanted).ok_or(ArmatureError::NoJoints)?;
        let taken = paths.taken(root, wanted);
        let order: Vec<usize> = paths.order.iter().copied().filter(|&node| taken[node]).collect();
        let above: Vec<usize> = paths.up(root).skip(1).collect();
        let carries =
            |node: usize| !taken[node] || paths.children[node].iter().any(|&child| taken[child]);
        let mut spaces = vec![NodeSpace::uniform(1.0); tree.len()];
        let mut uneven = None;
        for &node in above.iter().rev().chain(&order) {
            let Node { local, parent, .. } = &tree[node];
            let of_parent = parent.map_or(NodeSpace::uniform(1.0), |parent| spaces[parent].clone());
            let has_size = |own: &NodeSpace| own.lengths().iter().all(|own| SCALES.contains(own));
            let own = of_parent.below(local).filter(has_size);
            let own = own.or_else(|| (!carries(node)).then(|| of_parent.clone()));
            let own = own.ok_or_else(|| ArmatureError::of_scale(node, &tree[node]))?;
            uneven = uneven.or((carries(node) && own.stretches()).then_some(node));
            spaces[node] = own;
        }
        let plain = Self::from_nodes(tree, order, above, &spaces)?;
        let plain = Self { uneven, ..plain };
        let skinned = |joint: JointId| wanted.contains(&plain.node(joint));
        let reparented = reparented(&plain.skeleton, skinned);
        let order = order_after(&plain.skeleton, &reparented);
        if reparented.is_empty() || order.len() < plain.nodes.len() {
            return Ok(plain);
        }
        let order = order.into_iter().map(|joint| plain.node(joint)).collect();
        let pairs = reparented.iter().map(|pair| pair.map(|joint| plain.node(joint)));
        let pairs: Vec<[usize; 2]> = pairs.collect();
        let ordered = Self::from_nodes(tree, order, plain.above, &spaces)?;
        Self { uneven, ..ordered }.reparent(&pairs)
    }

    /// Takes nodes in this order, parents first, with the parents of the file.
    fn from_nodes(
        tree: &[Node],
        order: Vec<usize>,
        above: Vec<usize>,
        spaces: &[NodeSpace],
    ) -> Result<Self, ArmatureError> {
        let of_parent = |&node: &usize| {
            tree[node].parent.map_or(NodeSpace::uniform(1.0), |parent| spaces[parent].clone())
        };
        let spaces_above = above.iter().map(of_parent).collect();
        let mirror_turns = order.iter().map(|&node| spaces[node].mirror_turn()).collect();
        let spaces = order.iter().map(of_parent).collect();
        let mut joints = vec![None; tree.len()];
        order.iter().enumerate().for_each(|(joint, &node)| joints[node] = Some(JointId(joint)));
        let of_node = |&node: &usize| joint(node, &tree[node], |parent| joints[parent]);
        let skeleton = Skeleton::new(order.iter().map(of_node).collect(), Vec::new())?;
        let locals: Vec<Local> = tree.iter().map(|node| node.local).collect();
        let mut own = Self {
            file_hierarchy: skeleton.clone(),
            skeleton,
            reparented: Vec::new(),
            nodes: order,
            joints,
            above,
            spaces,
            mirror_turns,
            spaces_above,
            uneven: None,
            root_transform: Isometry3::identity(),
        };
        own.root_transform = own.root_transform_of(&locals);
        let mut pose = own.skeleton.rest_pose();
        own.pose(&locals, &mut pose);
        own.file_hierarchy =
            with_rest_pose(&own.file_hierarchy, &pose, |joint| own.file_hierarchy[joint].parent)?;
        own.skeleton = own.file_hierarchy.clone();
        Ok(own)
    }

    /// Changes parents: pairs of nodes, joint and new parent.
    fn reparent(self, pairs: &[[usize; 2]]) -> Result<Self, ArmatureError> {
        let pairs: Vec<_> = pairs.iter().map(|pair| pair.map(|node| self.joints[node])).collect();
        let parent = |joint: JointId| {
            let own = pairs.iter().find(|pair| pair[0] == Some(joint));
            own.map_or(self.file_hierarchy[joint].parent, |pair| pair[1])
        };
        let skeleton =
            with_rest_pose(&self.file_hierarchy, &self.file_hierarchy.rest_pose(), parent)?;
        let reparented = pairs.iter().filter_map(|pair| pair[0]).collect();
        let own = Self { skeleton, reparented, ..self };
        let mut pose = own.file_hierarchy.rest_pose();
        convert(&own.reparented, &own.file_hierarchy, &own.skeleton, &mut pose);
        let skeleton = with_rest_pose(&own.skeleton, &pose, |joint| own.skeleton[joint].parent)?;
        Ok(Self { skeleton, ..own })
    }

    /// The armature with joints reparented: pairs of a joint and its new parent, besides those that are reparented already.
    /// `None` where a parent is a descendant of its joint.
    pub(crate) fn with_reparented(&self, pairs: &[[JointId; 2]]) -> Option<Self> {
        let known =
            self.reparented.iter().filter(|joint| pairs.iter().all(|own| own[0] != **joint));
        let known = known.filter_map(|&joint| Some([joint, self.skeleton[joint].parent?]));
        let pairs: Vec<[JointId; 2]> = known.chain(pairs.iter().copied()).collect();
        let order = order_with(&self.file_hierarchy, &pairs)?;
        let mut places = vec![JointId(0); order.len()];
        order.iter().enumerate().for_each(|(place, old)| places[old.index()] = JointId(place));
        let joints = order.iter().map(|&old| {
            let own = &self.file_hierarchy[old];
            Joint { parent: own.parent.map(|parent| places[parent.index()]), ..own.clone() }
        });
        let filed = Skeleton::new(joints.collect(), Vec::new()).ok()?;
        let own = Self {
            skeleton: filed.clone(),
            file_hierarchy: filed,
            nodes: order.iter().map(|&old| self.node(old)).collect(),
            joints: self.joints.iter().map(|own| own.map(|old| places[old.index()])).collect(),
            spaces: order.iter().map(|&old| self.space(old).clone()).collect(),
            mirror_turns: order.iter().map(|&old| self.mirror_turn(old)).collect(),
            ..self.clone()
        };
        let pairs = pairs.iter().map(|pair| pair.map(|joint| self.node(joint)));
        own.reparent(&pairs.collect::<Vec<_>>()).ok()
    }

    /// An armature whose nodes are the joints of a skeleton, in their order. `unit` is the length of the file's unit in
    /// the skeleton's.
    pub(crate) fn from_skeleton(skeleton: Skeleton, unit: f64) -> Self {
        let count = skeleton.len();
        Self {
            file_hierarchy: skeleton.clone(),
            skeleton,
            reparented: Vec::new(),
            nodes: (0..count).collect(),
            joints: (0..count).map(|joint| Some(JointId(joint))).collect(),
            above: Vec::new(),
            spaces: vec![NodeSpace::uniform(unit); count],
            mirror_turns: vec![None; count],
            spaces_above: Vec::new(),
            uneven: None,
            root_transform: Isometry3::identity(),
        }
    }

    /// The armature with one more node, which stands at rest in the frame of the top joint's parent and carries the
    /// top joint.
    pub(crate) fn with_root(&self, node: usize, name: &str) -> Self {
        let mut joints = vec![None; self.joints.len().max(node + 1)];
        let below = self.joints.iter().map(|joint| joint.map(JointId::below_root));
        joints.iter_mut().zip(below).for_each(|(joint, own)| *joint = own);
        joints[node] = Some(JointId(0));
        Self {
            skeleton: self.skeleton.with_root(name, &self.root_transform),
            file_hierarchy: self.file_hierarchy.with_root(name, &self.root_transform),
            reparented: self.reparented.iter().map(|joint| joint.below_root()).collect(),
            nodes: [&[node], &self.nodes[..]].concat(),
            joints,
            above: self.above.clone(),
            spaces: [&self.spaces[..1], &self.spaces[..]].concat(),
            mirror_turns: [&[None], &self.mirror_turns[..]].concat(),
            spaces_above: self.spaces_above.clone(),
            uneven: self.uneven,
            root_transform: self.root_transform,
        }
    }

    /// Returns the nearest node above the skeleton, where it can move it: it shows nothing, has one scale along all axes, and
    /// is not mirrored.
    pub(crate) fn node_above(&self, tree: &[Node]) -> Option<usize> {
        let node = *self.above.first()?;
        let Node { local, kind, .. } = tree.get(node)?;
        let is_plain =
            *kind != NodeKind::Object && local.uniform_scale().is_some_and(|own| own > 0.0);
        (is_plain && self.spaces_above.first()?.is_uniform()).then_some(node)
    }

    /// Returns whether the nearest node above the skeleton is a root bone of this name that was added: it carries the top joint
    /// alone, and has no transform.
    pub(crate) fn has_added_root(&self, tree: &[Node], name: &str) -> bool {
        let Some(node) = self.node_above(tree) else { return false };
        let text = tree[node].name.to_string();
        let number = text.strip_prefix(name).map(|rest| rest.strip_prefix('_').unwrap_or(rest));
        let is_named = number.is_some_and(|own| own.is_empty() || own.parse::<u32>().is_ok());
        let children = tree.iter().filter(|own| own.parent == Some(node)).count();
        is_named && children == 1 && tree[node].local == Local::IDENTITY
    }

    /// The armature with the nearest node above the skeleton as its top joint; `None` where it carries other characters too.
    pub(crate) fn with_node_above(
        &self,
        tree: &[Node],
        characters: &[ListedCharacter],
    ) -> Option<Self> {
        let node = self.node_above(tree)?;
        let is_other = |own: &&ListedCharacter| !own.has_joint(|joint| self.joint(joint).is_some());
        if characters.iter().filter(is_other).any(|own| own.is_below(tree, node)) {
            return None;
        }
        let name = joint_name(node, &tree[node]).to_string();
        let with_root = self.with_root(node, &name);
        let (above, spaces_above) = (self.above[1..].to_vec(), self.spaces_above[1..].to_vec());
        let spaces = [&self.spaces_above[..1], &self.spaces[..]].concat();
        let mut own = Self { above, spaces_above, spaces, ..with_root };
        let locals: Vec<Local> = tree.iter().map(|node| node.local).collect();
        own.root_transform = own.root_transform_of(&locals);
        Some(own)
    }

    /// The skeleton: lengths are those of the scene's world.
    pub(crate) fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }

    /// The node of a joint.
    pub(crate) fn node(&self, joint: JointId) -> usize {
        self.nodes[joint.index()]
    }

    /// The joint of a node.
    pub(crate) fn joint(&self, node: usize) -> Option<JointId> {
        *self.joints.get(node)?
    }

    /// Returns whether this node moves the skeleton.
    pub(crate) fn follows(&self, node: usize) -> bool {
        self.joint(node).is_some() || self.above.contains(&node)
    }

    /// Overwrites a pose of the skeleton with the transforms of all nodes of the scene.
    pub(crate) fn pose(&self, locals: &[Local], pose: &mut Pose) {
        for (joint, &node) in self.nodes.iter().enumerate() {
            pose.translations[joint] = self.spaces[joint].placed(&locals[node].translation);
            pose.rotations[joint] = self.spaces[joint].turned(&locals[node].rotation);
        }
        let root = self.root_transform_of(locals)
            * Isometry3::from_parts(Translation3::from(pose.translations[0]), pose.rotations[0]);
        pose.translations[0] = root.translation.vector;
        pose.rotations[0] = root.rotation;
        convert(&self.reparented, &self.file_hierarchy, &self.skeleton, pose);
    }

    /// The skeleton with the parents of the file, and a clip converted to it.
    pub(crate) fn in_file_hierarchy<'a>(&self, clip: &'a Clip) -> (&Skeleton, Cow<'a, Clip>) {
        if self.reparented.is_empty() {
            return (&self.skeleton, Cow::Borrowed(clip));
        }
        let mut converted = Clip::new(&self.file_hierarchy, clip.frame_time);
        for mut pose in clip.poses() {
            convert(&self.reparented, &self.skeleton, &self.file_hierarchy, &mut pose);
            converted.push_own(&pose);
        }
        (&self.file_hierarchy, Cow::Owned(converted))
    }

    /// The space of a joint's transform in the file.
    pub(super) fn space(&self, joint: JointId) -> &NodeSpace {
        &self.spaces[joint.index()]
    }

    /// The rotation of a joint against its node's matrix, taken apart; `None` where no axis is mirrored.
    pub(super) fn mirror_turn(&self, joint: JointId) -> Option<UnitQuaternion<f64>> {
        self.mirror_turns[joint.index()]
    }

    /// The length in the world of one unit of a joint's translation in the file; the greatest where scales are uneven.
    pub(crate) fn unit(&self, joint: JointId) -> f64 {
        self.space(joint).lengths()[1]
    }

    /// The first node that carries joints and has not one scale along all axes, so that bones would change their lengths as
    /// they turn. In the skeleton they keep those of the rest pose.
    pub(crate) fn uneven(&self) -> Option<usize> {
        self.uneven
    }

    /// A joint's rotation in the file, from its local rotation under the parents of the file.
    pub(crate) fn rotation_in_file(
        &self,
        joint: JointId,
        turn: &UnitQuaternion<f64>,
    ) -> UnitQuaternion<f64> {
        let above = self.root_transform.rotation.inverse();
        self.space(joint).turned(&if joint.index() == 0 { above * turn } else { *turn })
    }

    /// A joint's translation in the file, from its local translation under the parents of the file.
    pub(crate) fn translation_in_file(&self, joint: JointId, place: &Vector3<f64>) -> Vector3<f64> {
        let place = match joint.index() {
            0 => self.root_transform.inverse_transform_point(&Point3::from(*place)).coords,
            _ => *place,
        };
        self.space(joint).placed_back(&place)
    }

    /// Multiplies the transforms of the nodes above the root, without their scales: those are in `spaces`.
    fn root_transform_of(&self, locals: &[Local]) -> Isometry3<f64> {
        let mut root_transform = Isometry3::identity();
        if self.spaces_above.iter().all(NodeSpace::is_uniform) {
            let mut scale = 1.0;
            for &node in self.above.iter().rev() {
                let Local { translation, rotation, .. } = locals[node];
                root_transform *=
                    Isometry3::from_parts(Translation3::from(translation * scale), rotation);
                scale *= locals[node].uniform_scale().unwrap_or(1.0);
            }
            return root_transform;
        }
        for (&node, space) in self.above.iter().zip(&self.spaces_above).rev() {
            let Local { translation, rotation, .. } = locals[node];
            root_transform *= Isometry3::from_parts(
                Translation3::from(space.placed(&translation)),
                space.turned(&rotation),
            );
        }
        root_transform
    }
}

fn joint(node: usize, own: &Node, joint_of: impl Fn(usize) -> Option<JointId>) -> Joint {
    Joint {
        name: joint_name(node, own),
        parent: own.parent.and_then(joint_of),
        rest_translation: Vector3::zeros(),
        rest_rotation: UnitQuaternion::identity(),
        translation_axes: Axis::ALL.to_vec(),
        rotation_axes: Axis::ALL.to_vec(),
    }
}
