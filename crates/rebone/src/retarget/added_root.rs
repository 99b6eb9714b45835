//! The root bone that a result gets where the rig has none.

use crate::align::Plan;
use crate::character::Character;
use crate::error::Error;
use crate::math::poses;
use crate::options::RootMotion;
use nalgebra::Isometry3;
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
    /// Adds the root bone where the options ask for it, the rig has none, and the body can move below one; `None`
    /// elsewhere.
    pub(super) fn of(plan: &Plan, target: &Character) -> Result<Option<Self>, Error> {
        let options = &plan.options;
        let is_wanted = options.root == RootMotion::RootBone && options.add_root;
        let is_possible =
            plan.root_bone().is_none() && plan.has_all_channels(plan.translation_joint);
        if !is_wanted || !is_possible {
            return Ok(None);
        }
        let document = target.document().gltf();
        let document = document.map(|document| document.with_root(ROOT_NAME)).transpose();
        let gltf = document.map_err(Error::from)?.map(Arc::new);
        let skeleton = match &gltf {
            Some(document) => document.skeleton().clone(),
            None => target.skeleton().with_root(ROOT_NAME, &Isometry3::identity()),
        };
        Ok(Some(Self { skeleton, gltf }))
    }

    /// A clip of the target below the new joint, which rests.
    pub(super) fn clip(&self, clip: &Clip) -> Clip {
        let rest = self.skeleton.rest_transform();
        let poses = clip.poses().map(|pose| pose.with_root(&rest));
        poses::clip(&self.skeleton, clip.frame_time, poses)
    }
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
