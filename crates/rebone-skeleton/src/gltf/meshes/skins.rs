//! Skins: nodes that are joints, and their rotations in the bind pose.

use crate::JointId;
use crate::gltf::accessor::{Data, missing};
use crate::gltf::error::{ReadError, unexpected};
use crate::gltf::json::Root;
use crate::scene::{Armature, CharacterJoints, Local, MAX_CHARACTERS, Node, NodeKind, divided};
use nalgebra::{Matrix4, UnitQuaternion};
use std::collections::{BTreeMap, BTreeSet};

/// Choice of the skeleton in a glTF.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// The skin whose joints are the skeleton, counted from 0. Without one it is the skin with the most joints,
    /// and all that share its joints.
    pub skin: Option<usize>,
}

/// Chooses the nodes whose tree is the skeleton: the joints of a skin and of all that share some with it, and the bones
/// that the file names; where there is neither, all nodes that show nothing.
pub(crate) fn wanted(
    root: &Root,
    tree: &[Node],
    humanoid: &[(String, usize)],
    options: ReadOptions,
) -> Result<BTreeSet<usize>, ReadError> {
    let skins = joints(root)?;
    let bones: BTreeSet<usize> = humanoid.iter().map(|(_, node)| *node).collect();
    if let Some(skin) = options.skin {
        let own = skins.get(skin).cloned().ok_or_else(|| {
            let count = skins.len();
            unexpected("--skin", format!("skin {skin}"), format!("one of {count}, counted from 0"))
        })?;
        return Ok(own);
    }
    if skins.is_empty() && bones.is_empty() {
        return Ok(plain(tree));
    }
    Ok(grouped(skins, bones))
}

/// All nodes that show nothing.
fn plain(tree: &[Node]) -> BTreeSet<usize> {
    let plain = tree.iter().enumerate().filter(|(_, node)| node.kind == NodeKind::Plain);
    plain.map(|(index, _)| index).collect()
}

/// The joints of all skins and the bones that the file names; where there is neither, all nodes that show nothing.
pub(crate) fn all(
    root: &Root,
    tree: &[Node],
    humanoid: &[(String, usize)],
) -> Result<BTreeSet<usize>, ReadError> {
    let bones = humanoid.iter().map(|(_, node)| *node);
    let all: BTreeSet<usize> = joints(root)?.into_iter().flatten().chain(bones).collect();
    Ok(if all.is_empty() { plain(tree) } else { all })
}

/// The joints of each character: those that are read without a wish, and of each skin that shares none with them or others;
/// of one skin alone its parts that stand apart in the scene. With the numbers of skins; the largest come first.
pub(crate) fn characters(
    root: &Root,
    tree: &[Node],
    humanoid: &[(String, usize)],
) -> Result<Vec<CharacterJoints>, ReadError> {
    let own = wanted(root, tree, humanoid, ReadOptions::default())?;
    let armature = Armature::new(tree, &own);
    let others = armature.map_or_else(|_| Vec::new(), |armature| others(root, &armature));
    if others.is_empty() {
        return Ok(divided(tree, &own).into_iter().map(|own| (own, None)).collect());
    }
    let skins = joints(root)?;
    let shared = (0..skins.len()).filter(|&index| !skins[index].is_disjoint(&own));
    let first = shared.max_by_key(|&index| (skins[index].len(), skins.len() - index));
    let other = |skin: usize| (grouped(skins.clone(), skins[skin].clone()), Some(skin));
    let others = others.into_iter().take(MAX_CHARACTERS).map(other);
    Ok(std::iter::once((own, first)).chain(others).collect())
}

/// The joints of each skin.
fn joints(root: &Root) -> Result<Vec<BTreeSet<usize>>, ReadError> {
    let skins = root.skins.iter().enumerate().map(|(index, skin)| {
        let known = |(k, &node): (usize, &usize)| match node < root.nodes.len() {
            true => Ok(node),
            false => Err(missing(&format!("skins[{index}].joints[{k}]"), "node", node)),
        };
        skin.joints.iter().enumerate().map(known).collect()
    });
    skins.collect()
}

/// One skin of each group that shares joints, of those that are not read without a wish: each carries a skeleton
/// of its own. Those with the most joints come first.
fn others(root: &Root, armature: &Armature) -> Vec<usize> {
    let mut seen: BTreeSet<usize> = BTreeSet::new();
    let is_new = |&index: &usize| {
        let joints = &root.skins[index].joints;
        let known =
            joints.iter().any(|node| seen.contains(node) || armature.joint(*node).is_some());
        seen.extend(joints);
        !known && !joints.is_empty()
    };
    let mut order: Vec<usize> = (0..root.skins.len()).collect();
    order.sort_by_key(|&index| std::cmp::Reverse(root.skins[index].joints.len()));
    order.into_iter().filter(is_new).collect()
}

/// The bones, or else the skin with the most joints, with all skins that share joints with them.
fn grouped(mut skins: Vec<BTreeSet<usize>>, bones: BTreeSet<usize>) -> BTreeSet<usize> {
    let mut all = bones;
    if all.is_empty() {
        let most = (0..skins.len()).max_by_key(|&at| (skins[at].len(), skins.len() - at));
        all.extend(most.map(|most| skins.swap_remove(most)).unwrap_or_default());
    }
    while let Some(next) = skins.iter().position(|skin| !skin.is_disjoint(&all)) {
        all.extend(skins.swap_remove(next));
    }
    all
}

/// The rotation of each joint in the space of the mesh in the bind pose: the inverse of its inverse bind matrix, which takes
/// the mesh to the joint's frame.
pub(crate) fn bound(data: &Data, armature: &Armature) -> BTreeMap<JointId, UnitQuaternion<f64>> {
    let (mut bound, mut known) = (BTreeMap::new(), BTreeMap::new());
    for (index, skin) in data.root.skins.iter().enumerate() {
        let Some(accessor) = skin.inverse_bind_matrices else { continue };
        if !skin.joints.iter().any(|&node| armature.joint(node).is_some()) {
            continue;
        }
        let place = format!("skins[{index}].inverseBindMatrices");
        // Bind poses are optional: matrices that cannot be read are ignored.
        let read = || data.read(accessor, &place).ok();
        let Some(matrices) = known.entry(accessor).or_insert_with(read) else { continue };
        for (&node, matrix) in skin.joints.iter().zip(matrices.rows()) {
            let local = (matrix.len() == 16)
                .then(|| Matrix4::from_column_slice(matrix))
                .and_then(|matrix| Local::from_matrix(&matrix));
            if let (Some(joint), Some(local)) = (armature.joint(node), local) {
                bound.entry(joint).or_insert(local.rotation.inverse());
            }
        }
    }
    bound
}
