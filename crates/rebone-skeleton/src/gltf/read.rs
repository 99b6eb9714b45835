//! Reads the skeleton of a glTF, and keeps the file to write it again.

use super::accessor::{Data, missing};
use super::buffers::{Buffers, SideFiles, decoded};
use super::chunks::Chunks;
use super::error::{ReadError, ReadErrorKind, unexpected};
use super::json::{self, Root};
use super::meshes::skins::{self, ReadOptions};
use super::vrm;
use crate::scene::{Armature, ListedCharacter, Local, Node, NodeKind, below_named};
use crate::{JointId, Pose, Skeleton};
use nalgebra::{Matrix4, Quaternion, Unit, UnitQuaternion, Vector3};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Limit of nodes.
const MAX_NODES: usize = 100_000;

/// Limit of translations and scales.
pub(super) const MAX_LENGTH_METRES: f64 = 1e12;

/// A glTF file: its skeleton, and all that is needed to read its animations and to write it again.
#[derive(Debug)]
pub struct Document {
    pub(super) chunks: Arc<Chunks>,
    pub(super) root: Arc<Root>,
    pub(super) buffers: Arc<Buffers>,
    pub(super) tree: Vec<Node>,
    /// Metres of one unit of the skeleton's lengths.
    pub(super) metres: f64,
    pub(super) armature: Armature,
    pub(super) humanoid: Vec<(String, JointId)>,
    pub(super) bind_pose: Option<Pose>,
    /// Nodes and their properties that the animations of the file move.
    pub(super) animated: BTreeSet<(usize, String)>,
}

/// Reads a glTF, GLB or VRM in memory. `files` gives the bytes of files that it names; without, it may name none.
///
/// # Errors
/// When it cannot be read, or has no skeleton that can be used; the message holds the position in the JSON, what was
/// found and what was expected.
pub fn parse(
    bytes: Vec<u8>,
    files: Option<SideFiles<'_>>,
    options: ReadOptions,
) -> Result<Document, ReadError> {
    let chunks = Chunks::split(bytes)?;
    let root = json(chunks.json())?;
    check_version(&root)?;
    let buffers = Buffers::load(&root, &chunks, files)?;
    with_skin((Arc::new(chunks), Arc::new(root), Arc::new(buffers)), options)
}

/// Finds the skeleton of a file whose data is in memory.
fn with_skin(
    (chunks, root, buffers): (Arc<Chunks>, Arc<Root>, Arc<Buffers>),
    options: ReadOptions,
) -> Result<Document, ReadError> {
    let tree = nodes(&root)?;
    let wanted = skins::wanted(&root, &tree, &humanoid(&root)?, options)?;
    of_joints((chunks, root, buffers), tree, &wanted)
}

/// Takes nodes whose tree is the skeleton.
fn of_joints(
    (chunks, root, buffers): (Arc<Chunks>, Arc<Root>, Arc<Buffers>),
    tree: Vec<Node>,
    wanted: &BTreeSet<usize>,
) -> Result<Document, ReadError> {
    let humanoid = humanoid(&root)?;
    let at_nodes =
        |error| ReadError { place: "nodes".into(), kind: ReadErrorKind::Armature(error) };
    let armature = Armature::new(&tree, wanted).map_err(at_nodes)?;
    let data = Data { root: &root, chunks: &chunks, buffers: &buffers };
    let bind_pose = armature.bind_pose(&skins::bound(&data, &armature));
    let humanoid = humanoid.into_iter();
    let humanoid =
        humanoid.filter_map(|(name, node)| Some((name, armature.joint(node)?))).collect();
    let channels = root.animations.iter().flat_map(|animation| &animation.channels);
    let targets = channels.map(|channel| &channel.target);
    let animated = targets
        .filter_map(|own| own.property().map(|(node, path)| (node, path.to_owned())))
        .collect();
    Ok(Document {
        chunks,
        root,
        buffers,
        tree,
        metres: 1.0,
        armature,
        humanoid,
        bind_pose,
        animated,
    })
}

impl Document {
    /// The skeleton. Lengths are in metres, as glTF has them, scales of nodes included.
    pub fn skeleton(&self) -> &Skeleton {
        self.armature.skeleton()
    }

    /// The node of the file that is this joint.
    pub fn node(&self, joint: JointId) -> Option<usize> {
        self.skeleton().joint(joint).map(|_| self.armature.node(joint))
    }

    /// The bones that a VRM file names, by their names in VRM 1.0.
    pub fn humanoid(&self) -> &[(String, JointId)] {
        &self.humanoid
    }

    /// The files that it names, which hold data or pictures, as seen from its folder.
    pub fn files_beside(&self) -> impl Iterator<Item = String> {
        let buffers = self.root.buffers.iter().filter_map(|own| own.uri.as_deref());
        let images = self.root.images.iter().filter_map(|own| own.uri.as_deref());
        let is_beside = |uri: &&str| !uri.starts_with("data:") && !uri.contains("://");
        buffers.chain(images).filter(is_beside).filter_map(decoded)
    }

    /// The binary data of the file, up to the end of its views or its declared length, whichever is more.
    pub(super) fn inside(&self) -> Option<&[u8]> {
        let own = self.root.buffers.first().filter(|own| own.uri.is_none())?;
        let data = self.chunks.binary()?;
        let views = self.root.buffer_views.iter().filter(|view| view.buffer == 0);
        let ends = views.map(|view| view.byte_offset.saturating_add(view.byte_length));
        let end = ends.chain([own.byte_length]).max().unwrap_or(0);
        Some(&data[..end.min(data.len())])
    }

    /// Reads another skeleton of the file, that of these nodes; both share its data.
    pub(crate) fn with_joints(&self, joints: &BTreeSet<usize>) -> Result<Self, ReadError> {
        let Self { chunks, root, buffers, tree, .. } = self;
        let parts = (Arc::clone(chunks), Arc::clone(root), Arc::clone(buffers));
        of_joints(parts, tree.clone(), joints)
    }

    /// Returns the joints at and below the only node of a name that has some; else the number of such nodes.
    pub(crate) fn joints_below(&self, name: &str) -> Result<BTreeSet<usize>, usize> {
        let bones = humanoid(&self.root).unwrap_or_default();
        let all = skins::all(&self.root, &self.tree, &bones).unwrap_or_default();
        below_named(&self.tree, &all, name)
    }

    /// Lists the characters of the file.
    pub(crate) fn characters(&self) -> Vec<ListedCharacter> {
        let bones = humanoid(&self.root).unwrap_or_default();
        let sets = skins::characters(&self.root, &self.tree, &bones).unwrap_or_default();
        ListedCharacter::list(&self.tree, sets)
    }

    /// The file with joints on other ones than in the scene: pairs of a joint and the one to hang it on. Motion is read
    /// and written in the scene's own hierarchy. `None` where a joint would hang on one that it carries.
    pub fn with_reparented(&self, pairs: &[[JointId; 2]]) -> Option<Self> {
        let armature = self.armature.with_reparented(pairs)?;
        let Self { chunks, root, buffers, .. } = self;
        let bind_pose = {
            let data = Data { root, chunks, buffers };
            armature.bind_pose(&skins::bound(&data, &armature))
        };
        let bone = |(name, joint): &(String, JointId)| {
            Some((name.clone(), armature.joint(self.armature.node(*joint))?))
        };
        Some(Self {
            chunks: Arc::clone(chunks),
            root: Arc::clone(root),
            buffers: Arc::clone(buffers),
            tree: self.tree.clone(),
            metres: self.metres,
            humanoid: self.humanoid.iter().filter_map(bone).collect(),
            armature,
            bind_pose,
            animated: self.animated.clone(),
        })
    }

    /// A remark on uneven scales at nodes that carry joints.
    pub(super) fn uneven(&self) -> Option<String> {
        let node = &self.tree[self.armature.uneven()?];
        let ([x, y, z], name) = (node.local.scale.into(), node.name.to_string());
        Some(format!(
            "below {name:?}, of scale {x} {y} {z}, bones change their lengths as they turn: they keep those of the rest pose"
        ))
    }

    /// The pose in which the mesh was skinned, where it differs from the rest pose. Its translations are those of
    /// the rest pose.
    pub fn bind_pose(&self) -> Option<&Pose> {
        self.bind_pose.as_ref()
    }
}

pub(super) fn json(text: &[u8]) -> Result<Root, ReadError> {
    let wrong = |place: String, text: String| ReadError { place, kind: ReadErrorKind::Json(text) };
    if !text.trim_ascii_start().starts_with(b"{") {
        return Err(unexpected("byte 0", "no JSON and no GLB", "a glTF 2.0 file"));
    }
    let mut from = serde_json::Deserializer::from_slice(text);
    let root = serde_path_to_error::deserialize(&mut from).map_err(|error| {
        let place = error.path().to_string();
        let place = if place == "." { "JSON".to_owned() } else { place };
        wrong(place, error.into_inner().to_string())
    })?;
    from.end().map_err(|error| wrong("JSON".to_owned(), error.to_string()))?;
    Ok(root)
}

fn check_version(root: &Root) -> Result<(), ReadError> {
    let version = &root.asset.version;
    if version.split('.').next() == Some("2") {
        return Ok(());
    }
    let found = format!("{version:?}");
    Err(unexpected("asset.version", found, "\"2.0\": save the file as glTF 2.0"))
}

fn nodes(root: &Root) -> Result<Vec<Node>, ReadError> {
    let count = root.nodes.len();
    if count > MAX_NODES {
        let found = format!("{count} nodes");
        return Err(unexpected("nodes", found, format!("at most {MAX_NODES}")));
    }
    let mut parents = vec![None; count];
    for (index, own) in root.nodes.iter().enumerate() {
        for (k, &child) in own.children.iter().enumerate() {
            let at = format!("nodes[{index}].children[{k}]");
            let parent = parents.get_mut(child).ok_or_else(|| missing(&at, "node", child))?;
            if let Some(other) = parent.replace(index) {
                let found = format!("node {child}, which is a child of node {other} as well");
                return Err(unexpected(at, found, "each node below one other at most"));
            }
        }
    }
    let own = root.nodes.iter().zip(parents).enumerate();
    own.map(|(index, (own, parent))| node(index, own, parent)).collect()
}

fn node(index: usize, own: &json::JsonNode, parent: Option<usize>) -> Result<Node, ReadError> {
    let at = |key: &str| format!("nodes[{index}].{key}");
    let local = match &own.matrix {
        Some(matrix) => {
            Local::from_matrix(&Matrix4::from_column_slice(matrix)).ok_or_else(|| {
                let expected = "one that moves, turns and scales, and nothing else";
                unexpected(at("matrix"), "a matrix with shear or without size", expected)
            })?
        }
        None => Local {
            translation: own.translation.map_or(Vector3::zeros(), Vector3::from),
            rotation: match own.rotation {
                Some(q) => rotation(&q).ok_or_else(|| {
                    unexpected(at("rotation"), format!("{q:?}"), "a unit quaternion")
                })?,
                None => UnitQuaternion::identity(),
            },
            scale: own.scale.map_or(Vector3::repeat(1.0), Vector3::from),
        },
    };
    let lengths = local.translation.iter().chain(&local.scale);
    if let Some(wrong) = lengths.into_iter().find(|x| x.abs() > MAX_LENGTH_METRES) {
        let at = format!("nodes[{index}]");
        return Err(unexpected(at, wrong.to_string(), "a place or a scale of at most 1e12"));
    }
    let shows = own.mesh.is_some() || own.camera.is_some() || own.skin.is_some();
    let kind = if shows { NodeKind::Object } else { NodeKind::Plain };
    let name = own.name.clone().unwrap_or_default().into();
    Ok(Node { name, parent, local, kind })
}

/// A rotation from x, y, z, w; `None` where their norm is far from 1.
pub(super) fn rotation(xyzw: &[f64]) -> Option<UnitQuaternion<f64>> {
    let &[x, y, z, w] = xyzw else { return None };
    let quaternion = Quaternion::new(w, x, y, z);
    (1e-3..1e3).contains(&quaternion.norm()).then(|| Unit::new_normalize(quaternion))
}

/// The bones that the file names, checked.
fn humanoid(root: &Root) -> Result<Vec<(String, usize)>, ReadError> {
    let bones = vrm::humanoid(&root.extensions);
    match bones.iter().find(|(_, node)| *node >= root.nodes.len()) {
        Some((name, node)) => Err(missing(&format!("humanBones.{name}"), "node", *node)),
        None => Ok(bones),
    }
}
