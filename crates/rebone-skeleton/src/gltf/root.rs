//! One more node above the joints of a file: the root bone that its skeleton lacks.

use super::animate::push;
use super::error::ReadError;
use super::read::{Document, json as parsed};
use crate::JointId;
use crate::added_root::unused_name;
use crate::scene::{Local, Node, NodeKind};
use bstr::ByteSlice;
use serde_json::{Value, json};
use std::sync::Arc;

impl Document {
    /// Adds a node as parent of the skeleton's top joint. It is the new root of the skeleton and
    /// the last node of the file, with an identity transform; skins, meshes and animations stay unchanged.
    ///
    /// It is called `name`, with a number behind it where a node has that name.
    ///
    /// # Errors
    /// When the JSON cannot be taken as it is.
    pub fn with_root(&self, name: &str) -> Result<Self, ReadError> {
        let name = unused_name(name, self.tree.iter().map(|node| node.name.as_bstr()));
        let (top, new) = (self.armature.node(JointId(0)), self.tree.len());
        let parent = self.tree[top].parent;
        let mut json = self.json()?;
        let node = json!({ "name": name.to_string(), "children": [top] });
        push(&mut json, "nodes", node);
        match parent {
            Some(parent) => replace(json["nodes"][parent].get_mut("children"), top, new),
            None => {
                let scenes = json.get_mut("scenes").and_then(Value::as_array_mut);
                let scenes = scenes.into_iter().flatten();
                scenes.for_each(|scene| replace(scene.get_mut("nodes"), top, new));
            }
        }
        let chunks = self.chunks.with_json(json.to_string().as_bytes());
        let mut tree = self.tree.clone();
        let local = Local::IDENTITY;
        tree.push(Node { name: name.clone(), parent, local, kind: NodeKind::Plain });
        tree[top].parent = Some(new);
        let armature = self.armature.with_root(new, &name.to_string());
        let rest = armature.skeleton().rest_transform();
        let below = |(bone, joint): &(String, JointId)| (bone.clone(), joint.below_root());
        Ok(Self {
            root: Arc::new(parsed(chunks.json())?),
            chunks: Arc::new(chunks),
            buffers: Arc::clone(&self.buffers),
            tree,
            metres: self.metres,
            armature,
            humanoid: self.humanoid.iter().map(below).collect(),
            bind_pose: self.bind_pose.as_ref().map(|pose| pose.with_root(&rest)),
            animated: self.animated.clone(),
        })
    }
}

impl Document {
    /// Takes the nearest node above the skeleton as its root, where it can move it: it shows nothing, has one scale along
    /// all axes and carries no other character. The file stays as it is. `None` where there is no such node.
    pub(crate) fn with_node_above(&self) -> Option<Self> {
        let armature = self.armature.with_node_above(&self.tree, &self.characters())?;
        let rest = armature.skeleton().rest_transform();
        let below = |(bone, joint): &(String, JointId)| (bone.clone(), joint.below_root());
        Some(Self {
            root: Arc::clone(&self.root),
            chunks: Arc::clone(&self.chunks),
            buffers: Arc::clone(&self.buffers),
            tree: self.tree.clone(),
            metres: self.metres,
            armature,
            humanoid: self.humanoid.iter().map(below).collect(),
            bind_pose: self.bind_pose.as_ref().map(|pose| pose.with_root(&rest)),
            animated: self.animated.clone(),
        })
    }

    /// Returns whether the nearest node above the skeleton is as [`with_root`](Self::with_root) makes it under this name.
    pub(crate) fn has_added_root(&self, name: &str) -> bool {
        self.armature.has_added_root(&self.tree, name)
    }
}

/// Replaces a node by another in a list of nodes, where there is one.
fn replace(list: Option<&mut Value>, old: usize, new: usize) {
    let nodes = list.and_then(Value::as_array_mut).into_iter().flatten();
    nodes.filter(|node| **node == json!(old)).for_each(|node| *node = json!(new));
}
