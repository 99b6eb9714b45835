//! The root bone that a result gets where the rig has none.

use crate::align::Plan;
use crate::error::Error;
use crate::export::gltf_or_joints;
use crate::options::RootMotion;
use nalgebra::Isometry3;
use rebone_body::Character;
use rebone_body::body::Anatomy;
use rebone_body::poses;
use rebone_skeleton::{Clip, Skeleton, gltf};
use std::sync::Arc;

/// Name of the new joint.
const ROOT_NAME: &str = "root";

/// A target with one more joint above its skeleton.
#[derive(Debug)]
pub(super) struct AddedRoot {
    pub(super) skeleton: Skeleton,
    /// The target's glTF with the new node; `None` for other formats.
    pub(super) gltf: Option<Arc<gltf::Document>>,
}

impl AddedRoot {
    /// Takes the nearest node above the skeleton as root bone where the options ask for one, the skeleton has none, and the
    /// body can move below one; `None` elsewhere. A new one is added where that is wanted, unless it was before.
    pub(super) fn of(plan: &Plan, target: &Character) -> Result<Option<Self>, Error> {
        let options = &plan.options;
        let is_wanted = options.root == RootMotion::RootBone;
        let is_possible =
            plan.root_bone().is_none() && plan.has_all_channels(plan.translation_joint);
        if !is_wanted || !is_possible {
            return Ok(None);
        }
        if options.add_root && !target.document().has_added_root(ROOT_NAME) {
            return Self::new(target).map(Some);
        }
        let document = target.document().with_node_above();
        Ok(document.map(|document| Self {
            skeleton: document.skeleton().clone(),
            gltf: document.gltf().cloned(),
        }))
    }

    /// Adds a root bone.
    fn new(target: &Character) -> Result<Self, Error> {
        let document = target.document().gltf();
        let document = document.map(|document| document.with_root(ROOT_NAME)).transpose();
        let gltf = document.map_err(Error::from)?.map(Arc::new);
        let skeleton = match &gltf {
            Some(document) => document.skeleton().clone(),
            None => target.skeleton().with_root(ROOT_NAME, &Isometry3::identity()),
        };
        Ok(Self { skeleton, gltf })
    }

    /// A clip of the target below the new joint, which rests.
    pub(super) fn clip(&self, clip: &Clip) -> Clip {
        let rest = self.skeleton.rest_transform();
        let poses = clip.poses().map(|pose| pose.with_root(&rest));
        poses::clip(&self.skeleton, clip.frame_time, poses)
    }
}

/// The glTF of a character that results with an added root bone are added to; of other formats its joints.
///
/// # Errors
/// When the anatomy is of another skeleton, or the JSON of the file cannot be taken as it is.
pub fn document_with_root(
    character: &Character,
    anatomy: &Anatomy,
) -> Result<Arc<gltf::Document>, Error> {
    if anatomy.skeleton != *character.skeleton() {
        let path = character.path().display();
        return Err(Error::Conflict(format!(
            "the anatomy is of another skeleton than that of {path}"
        )));
    }
    let root = AddedRoot::new(character)?;
    Ok(gltf_or_joints(root.gltf.as_ref(), &anatomy.with_root(&root.skeleton)))
}

/// Checks that a rig has a root bone, where the options put the root motion there.
pub(super) fn check_root_bone(plan: &Plan, target: &Character) -> Result<(), Error> {
    if plan.options.root != RootMotion::RootBone || plan.root_bone().is_some() {
        return Ok(());
    }
    let name = &plan.target.skeleton[plan.translation_joint].name;
    let (why, help) = match plan.options.add_root {
        true => ("cannot be moved and turned freely", ""),
        false => ("has no root bone above it", "--add-root adds one; "),
    };
    Err(Error::Conflict(format!(
        "--root root-bone: in {}, {name}, which moves the body, {why}; {help}--root in-place with --root-path writes \
         the path of any rig to a file",
        target.path().display(),
    )))
}
