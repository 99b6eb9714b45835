//! Builds a glTF of a skeleton, or of the nodes of a file.

use super::chunks::Chunks;
use super::error::ReadError;
use super::read::Document;
use crate::scene::{Armature, Local, Node, NodeKind};
use crate::{JointId, Skeleton};
use nalgebra::{UnitQuaternion, Vector3};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

impl Document {
    /// A VRM animation (`VRMC_vrm_animation-1.0`) of a skeleton whose joints are called as the bones of VRM 1.0.
    /// In its rest pose, which is VRM's T pose, no joint is turned; lengths are in metres.
    pub fn vrm_animation(skeleton: &Skeleton) -> Self {
        let tree = tree(skeleton, 1.0);
        let mut json = scene(skeleton, &tree, 1.0, &UnitQuaternion::identity());
        let bones = skeleton.joints().iter().enumerate();
        let bones = bones.map(|(node, joint)| (joint.name.to_string(), json!({ "node": node })));
        let humanoid = json!({ "humanBones": bones.collect::<serde_json::Map<_, _>>() });
        let own = json!({ "specVersion": "1.0", "humanoid": humanoid });
        json["extensionsUsed"] = json!(["VRMC_vrm_animation"]);
        json["extensions"] = json!({ "VRMC_vrm_animation": own });
        Self::bare(&json, tree, 1.0, Armature::from_skeleton(skeleton.clone(), 1.0))
    }

    /// A scene with the joints of a skeleton as nodes, and its end sites. `metres` is the length of the
    /// skeleton's unit; `turn` rotates its axes to those of glTF: up +Y, ahead +Z.
    pub fn from_skeleton(skeleton: &Skeleton, metres: f64, turn: &UnitQuaternion<f64>) -> Self {
        let tree = tree(skeleton, metres);
        let json = scene(skeleton, &tree, metres, turn);
        Self::bare(&json, tree, metres, Armature::from_skeleton(skeleton.clone(), 1.0 / metres))
    }

    /// A file of nodes alone.
    fn bare(json: &Value, tree: Vec<Node>, metres: f64, armature: Armature) -> Self {
        Self {
            chunks: Arc::new(Chunks::of_json(json.to_string().into_bytes())),
            root: Arc::default(),
            buffers: Arc::default(),
            tree,
            metres,
            armature,
            humanoid: Vec::new(),
            bind_pose: None,
            animated: BTreeSet::new(),
        }
    }
}

/// The joints as nodes.
fn tree(skeleton: &Skeleton, metres: f64) -> Vec<Node> {
    let nodes = skeleton.joints().iter().map(|joint| Node {
        name: joint.name.clone(),
        parent: joint.parent.map(JointId::index),
        local: Local {
            translation: joint.rest_translation * metres,
            rotation: joint.rest_rotation,
            scale: Vector3::repeat(1.0),
        },
        kind: NodeKind::Joint,
    });
    nodes.collect()
}

/// The joints, the end sites, and above them a node that turns them, in a scene.
fn scene(skeleton: &Skeleton, tree: &[Node], metres: f64, turn: &UnitQuaternion<f64>) -> Value {
    let mut nodes = nodes(skeleton, tree, metres);
    let (top, turn) = (nodes.len(), turn.coords.as_slice());
    nodes.push(json!({ "name": "Armature", "rotation": turn, "children": [0] }));
    let joints: Vec<usize> = (0..skeleton.len()).collect();
    json!({
        "asset": { "version": "2.0", "generator": "rebone" },
        "scene": 0, "scenes": [{ "nodes": [top] }], "nodes": nodes,
        "skins": [{ "joints": joints }],
    })
}

/// Keys of a glTF that hold meshes, materials, animations, and their data.
const CONTENT_KEYS: &str = "accessors animations bufferViews buffers cameras extensions extensionsRequired \
    extensionsUsed images materials meshes samplers skins textures";

impl Document {
    /// Copies the nodes into a file without meshes, materials, animations and extensions.
    ///
    /// # Errors
    /// When the JSON cannot be taken as it is.
    pub fn joints_alone(&self) -> Result<Self, ReadError> {
        let mut json = self.json()?;
        if let Some(root) = json.as_object_mut() {
            CONTENT_KEYS.split(' ').for_each(|key| drop(root.shift_remove(key)));
        }
        for node in json["nodes"].as_array_mut().into_iter().flatten() {
            if let Some(node) = node.as_object_mut() {
                let shown = ["mesh", "skin", "camera", "weights", "extensions"];
                shown.iter().for_each(|key| drop(node.shift_remove(*key)));
            }
        }
        // Only a skin marks which nodes are joints.
        let joints: Vec<usize> =
            self.skeleton().ids().map(|joint| self.armature.node(joint)).collect();
        json["skins"] = json!([{ "joints": joints }]);
        let bare = Self::bare(&json, self.tree.clone(), self.metres, self.armature.clone());
        // Beside the animations that were left out, motion must say where joints rest that those move.
        Ok(Self { animated: self.animated.clone(), ..bare })
    }
}

/// All joints, then all end sites.
fn nodes(skeleton: &Skeleton, tree: &[Node], metres: f64) -> Vec<Value> {
    let mut nodes: Vec<Value> = tree.iter().map(written).collect();
    let mut children: Vec<Vec<usize>> =
        skeleton.ids().map(|id| skeleton.children(id).map(JointId::index).collect()).collect();
    for site in skeleton.end_sites() {
        children[site.parent.index()].push(nodes.len());
        let name = format!("{}_end", skeleton[site.parent].name);
        let place = site.offset * metres;
        nodes.push(json!({ "name": name, "translation": place.as_slice() }));
    }
    for (node, children) in nodes.iter_mut().zip(children).filter(|own| !own.1.is_empty()) {
        node["children"] = json!(children);
    }
    nodes
}

fn written(node: &Node) -> Value {
    let Local { translation, rotation, .. } = &node.local;
    let mut json = json!({ "name": node.name.to_string(), "translation": translation.as_slice() });
    if rotation.angle() > 0.0 {
        json["rotation"] = json!(rotation.coords.as_slice());
    }
    json
}
