//! FBX files, binary and text, read by [ufbx](https://github.com/ufbx/ufbx): the skeleton and its animations.
//!
//! Lengths are in metres and +Y is up, whatever the file has: FBX says what its own are. FBX is not written.

mod skin;
mod skin_mesh;
mod takes;

use crate::scene::{
    Armature, ArmatureError, ListedCharacter, Local, Node, NodeKind, below_named, divided,
};
use crate::{Clip, JointId, Pose, Skeleton};
use nalgebra::{Matrix4, Quaternion, UnitQuaternion, Vector3};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;
use thiserror::Error;

/// The most joints of all frames of a clip together, where a file has few bytes: they could ask for any amount.
const MAX_FRAMES: usize = 1 << 22;
/// Memory limit of reading a file: a fixed part, and a part per byte of the file.
const MAX_MEMORY_BYTES: usize = 256 << 20;
const MAX_MEMORY_BYTES_PER_BYTE: usize = 64;
/// Depth limit of the tree of nodes.
const MAX_TREE_DEPTH: u32 = 2000;

/// Why an FBX cannot be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The bytes are no FBX, or a broken one.
    #[error("found no FBX that can be read: {0}")]
    Fbx(String),
    /// The file holds no skeleton.
    #[error("found no skeleton that can be used: {0}")]
    Armature(#[from] ArmatureError),
    /// The file has no clip of this index.
    #[error("found no clip {0}, expected one of the {1} that the file has")]
    NoClip(usize, usize),
    /// A clip is too long for the size of its file.
    #[error(
        "{clip}: found {frames} frames of {joints} joints, expected an animation of usual length"
    )]
    Long {
        /// The clip's name, quoted.
        clip: String,
        /// Its frames.
        frames: f64,
        /// The skeleton's joints.
        joints: usize,
    },
    /// A transform is not finite.
    #[error("{clip}: found a transform that is not finite in frame {frame}")]
    NotFinite {
        /// The clip's name, quoted.
        clip: String,
        /// The frame, counted from 0.
        frame: usize,
    },
}

/// An FBX file: its skeleton, and all that is needed to read its animations.
pub struct Document {
    scene: Arc<ufbx::SceneRoot>,
    bytes: usize,
    armature: Armature,
    bind_pose: Option<Pose>,
}

impl fmt::Debug for Document {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_struct("Document").field("armature", &self.armature).finish_non_exhaustive()
    }
}

/// Reads an FBX in memory.
///
/// # Errors
/// When it is no FBX, or has no skeleton that can be used.
pub fn parse(bytes: &[u8]) -> Result<Document, ReadError> {
    let scene = ufbx::load_memory(bytes, options(bytes.len()))
        .map_err(|error| ReadError::Fbx(error.description.to_string()))?;
    let bound = clusters(&scene);
    let tree = nodes(&scene, &bound);
    let armature = Armature::new(&tree, &joints(&tree, &bound))?;
    Ok(Document::of_armature(Arc::new(scene), bytes.len(), armature, bound))
}

/// The nodes that meshes are skinned to; without a skin all bones.
fn joints(tree: &[Node], bound: &BTreeMap<usize, UnitQuaternion<f64>>) -> BTreeSet<usize> {
    let is_joint = |node: &usize| tree[*node].kind == NodeKind::Joint;
    match bound.is_empty() {
        true => (0..tree.len()).filter(is_joint).collect(),
        false => bound.keys().copied().collect(),
    }
}

fn options(bytes: usize) -> ufbx::LoadOpts<'static> {
    let limit = || ufbx::AllocatorOpts {
        memory_limit: bytes
            .saturating_mul(MAX_MEMORY_BYTES_PER_BYTE)
            .saturating_add(MAX_MEMORY_BYTES),
        ..Default::default()
    };
    ufbx::LoadOpts {
        temp_allocator: limit(),
        result_allocator: limit(),
        ignore_embedded: true,
        skip_skin_vertices: true,
        skip_mesh_parts: true,
        node_depth_limit: MAX_TREE_DEPTH,
        inherit_mode_handling: ufbx::InheritModeHandling::Compensate,
        space_conversion: ufbx::SpaceConversion::AdjustTransforms,
        target_axes: ufbx::CoordinateAxes::right_handed_y_up(),
        target_unit_meters: 1.0,
        ..Default::default()
    }
}

/// Reads the nodes of bones that meshes are skinned to, with their world rotation in the bind pose, by the first mesh
/// that has it.
fn clusters(scene: &ufbx::Scene) -> BTreeMap<usize, UnitQuaternion<f64>> {
    let clusters = scene.skin_clusters.iter();
    let each = clusters.filter_map(|cluster| {
        let node = cluster.bone_node.as_ref()?.element.typed_id as usize;
        Some((node, Local::from_matrix(&matrix(&cluster.bind_to_world))?.rotation))
    });
    let mut bound = BTreeMap::new();
    for (node, rotation) in each {
        bound.entry(node).or_insert(rotation);
    }
    bound
}

fn nodes(scene: &ufbx::Scene, skinned: &BTreeMap<usize, UnitQuaternion<f64>>) -> Vec<Node> {
    let count = scene.nodes.len();
    let nodes = scene.nodes.iter().enumerate().map(|(index, own)| {
        let shows = own.mesh.is_some() || own.light.is_some() || own.camera.is_some();
        let kind = match own.bone.is_some() || skinned.contains_key(&index) {
            true => NodeKind::Joint,
            false if shows => NodeKind::Object,
            false => NodeKind::Plain,
        };
        let parent = own.parent.as_ref().map(|parent| parent.element.typed_id as usize);
        Node {
            name: own.element.name.as_bytes().into(),
            parent: parent.filter(|&parent| parent < count),
            local: local(&own.local_transform).unwrap_or(Local::IDENTITY),
            kind,
        }
    });
    nodes.collect()
}

impl Document {
    fn of_armature(
        scene: Arc<ufbx::SceneRoot>,
        bytes: usize,
        armature: Armature,
        bound: BTreeMap<usize, UnitQuaternion<f64>>,
    ) -> Self {
        let of_joint = |(node, turn)| Some((armature.joint(node)?, turn));
        let bound = bound.into_iter().filter_map(of_joint);
        let bound: BTreeMap<JointId, _> = bound.collect();
        let bind_pose = armature.bind_pose_in_space(&bound, UnitQuaternion::identity());
        Self { scene, bytes, armature, bind_pose }
    }

    /// The file with joints on other ones than in the scene: pairs of a joint and the one to hang it on. `None` where a
    /// joint would hang on one that it carries.
    pub fn with_reparented(&self, pairs: &[[JointId; 2]]) -> Option<Self> {
        let armature = self.armature.with_reparented(pairs)?;
        let bound = clusters(&self.scene);
        Some(Self::of_armature(Arc::clone(&self.scene), self.bytes, armature, bound))
    }

    /// Reads another skeleton of the file, that of these nodes; both share its data.
    pub(crate) fn with_joints(&self, joints: &BTreeSet<usize>) -> Result<Self, ReadError> {
        let bound = clusters(&self.scene);
        let armature = Armature::new(&nodes(&self.scene, &bound), joints)?;
        Ok(Self::of_armature(Arc::clone(&self.scene), self.bytes, armature, bound))
    }

    /// Returns the joints at and below the only node of a name that has some; else the number of such nodes.
    pub(crate) fn joints_below(&self, name: &str) -> Result<BTreeSet<usize>, usize> {
        let bound = clusters(&self.scene);
        let tree = nodes(&self.scene, &bound);
        below_named(&tree, &joints(&tree, &bound), name)
    }

    /// Takes the nearest node above the skeleton as its root, but not the scene's own.
    pub(crate) fn with_node_above(&self) -> Option<Self> {
        let bound = clusters(&self.scene);
        let tree = nodes(&self.scene, &bound);
        tree[self.armature.node_above(&tree)?].parent?;
        let armature = self.armature.with_node_above(&tree, &self.characters())?;
        Some(Self::of_armature(Arc::clone(&self.scene), self.bytes, armature, bound))
    }

    /// Returns whether the nearest node above the skeleton is a root bone of this name without a transform.
    pub(crate) fn has_added_root(&self, name: &str) -> bool {
        self.armature.has_added_root(&nodes(&self.scene, &clusters(&self.scene)), name)
    }

    /// Lists the characters of the file.
    pub(crate) fn characters(&self) -> Vec<ListedCharacter> {
        let bound = clusters(&self.scene);
        let tree = nodes(&self.scene, &bound);
        let sets = divided(&tree, &joints(&tree, &bound));
        ListedCharacter::list(&tree, sets.into_iter().map(|own| (own, None)).collect())
    }

    /// The skeleton, in metres, +Y up.
    pub fn skeleton(&self) -> &Skeleton {
        self.armature.skeleton()
    }

    /// The pose in which the mesh was skinned, where it is another than the rest pose. Only its rotations
    /// say something.
    pub fn bind_pose(&self) -> Option<&Pose> {
        self.bind_pose.as_ref()
    }

    /// The names of the clips.
    pub fn clips(&self) -> impl ExactSizeIterator<Item = &str> {
        self.scene.anim_stacks.iter().map(|stack| &*stack.element.name)
    }

    /// A clip, counted from 0, at the frame rate of the file; with a warning where its keys are outside of the span that
    /// it states.
    ///
    /// # Errors
    /// When there is no such clip, or it says what cannot be.
    pub fn clip(&self, index: usize) -> Result<(Clip, Option<String>), ReadError> {
        let count = self.scene.anim_stacks.len();
        let stack = self.scene.anim_stacks.get(index);
        let stack = stack.ok_or(ReadError::NoClip(index, count))?;
        let name = format!("{:?}", &*stack.element.name);
        let rate = self.scene.settings.frames_per_second;
        let rate = if rate.is_finite() && rate > 0.0 { rate } else { 30.0 };
        let ([begin, end], warning) = self.span(stack, rate);
        let frames = ((end - begin) * rate).round().max(0.0) + 1.0;
        let joints = self.skeleton().len();
        let all = frames * joints as f64;
        if !all.is_finite() || all > MAX_FRAMES.max(self.bytes) as f64 {
            return Err(ReadError::Long { clip: name, frames, joints });
        }
        let mut clip = Clip::new(self.skeleton(), 1.0 / rate);
        let mut pose = self.skeleton().rest_pose();
        let mut locals = vec![Local::IDENTITY; self.scene.nodes.len()];
        let moving: Vec<usize> =
            (0..locals.len()).filter(|&node| self.armature.follows(node)).collect();
        for frame in 0..frames as usize {
            let time = begin + frame as f64 / rate;
            for &node in &moving {
                let own = ufbx::evaluate_transform(&stack.anim, &self.scene.nodes[node], time);
                let wrong = || ReadError::NotFinite { clip: name.clone(), frame };
                locals[node] = local(&own).ok_or_else(wrong)?;
            }
            self.armature.pose(&locals, &mut pose);
            clip.push_own(&pose);
        }
        Ok((clip, warning))
    }
}

/// Converts a transform; `None` where it is not finite.
fn local(own: &ufbx::Transform) -> Option<Local> {
    let (t, r, s) = (&own.translation, &own.rotation, &own.scale);
    let translation = Vector3::new(t.x, t.y, t.z);
    let scale = Vector3::new(s.x, s.y, s.z);
    let rotation = UnitQuaternion::try_new(Quaternion::new(r.w, r.x, r.y, r.z), 1e-6)?;
    let finite = translation.iter().chain(&scale).chain(&rotation.coords).all(|x| x.is_finite());
    finite.then_some(Local { translation, rotation, scale })
}

fn matrix(m: &ufbx::Matrix) -> Matrix4<f64> {
    Matrix4::new(
        m.m00, m.m01, m.m02, m.m03, m.m10, m.m11, m.m12, m.m13, m.m20, m.m21, m.m22, m.m23, 0.0,
        0.0, 0.0, 1.0,
    )
}
