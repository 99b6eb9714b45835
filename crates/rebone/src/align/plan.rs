//! The plan of a retarget: everything that depends on the two skeletons and the options alone.

use super::chains::ChainLink;
use super::groups::Group;
use super::helpers::{Helper, carry_helpers};
use super::plan_surfaces::PlanSurfaces;
use super::rules::rule::Rule;
use super::same_rig::is_same_rig;
use super::supports::Supports;
use crate::egocentric::EgocentricMap;
use crate::options::{ContactMode, Method, Options, RootMotion};
use crate::surface::SurfacePair;
use nalgebra::{Similarity3, Translation3, UnitQuaternion, Vector3};
use rebone_body::body::Anatomy;
use rebone_skeleton::rotation::direction;
use rebone_skeleton::{Axis, Clip, ClipError, JointId, Pose, WorldPose};
use std::sync::Arc;

/// Correspondence of two skeletons and the options of a retarget. Built once, used for all clips and frames.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The skeleton of the motion.
    pub source: Anatomy,
    /// The skeleton to pose.
    pub target: Anatomy,
    /// The options.
    pub options: Options,
    /// Rotates the source file's axes into the inner world.
    pub inner_from_source: UnitQuaternion<f64>,
    /// Rotates the target file's axes into the inner world.
    pub inner_from_target: UnitQuaternion<f64>,
    /// Paths and heights of the target over those of the source, both in metres of a 1.7 m body.
    pub path_scale: f64,
    /// Paths along the floor of the target over those of the source, both in metres of a 1.7 m body.
    pub travel_scale: f64,
    /// Support points of both bodies.
    pub(crate) supports: Supports,
    /// Trunk, neck and fingers.
    pub(crate) chains: Vec<ChainLink>,
    /// Rule of each target joint in the closed-form start.
    pub(crate) rules: Vec<Rule>,
    /// The group of each target joint; public for tests only.
    #[doc(hidden)]
    pub groups: Vec<Group>,
    /// Per target joint: whether a stage solves its rotation.
    pub(crate) solved: Vec<bool>,
    /// The target joint whose translation moves the body.
    pub translation_joint: JointId,
    /// Helper joints of the target in order of joints, which follow joints of the body.
    pub(crate) helpers: Vec<Helper>,
    /// Per target joint: whether the translation joint moves it, as itself and all joints below it.
    pub carried: Vec<bool>,
    /// Shoulder girdles of both bodies.
    pub(crate) girdle: Girdle,
    pub(crate) surfaces: PlanSurfaces,
    /// Surfaces of both bodies by components, with [`Method::Egocentric`].
    pub(crate) egocentric: Option<Arc<EgocentricMap>>,
    /// Rest translation of each target joint in its parent's axes, metres of a 1.7 m body.
    pub(crate) bones: Vec<Vector3<f64>>,
}

/// Positions of the shoulders in the axes of the chests, metres of a 1.7 m body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Girdle {
    /// Source shoulders (left, right) relative to the chest joint, in the axes of the chest, in the T pose.
    pub(crate) source: [Vector3<f64>; 2],
    /// Target shoulders, likewise.
    pub(crate) target: [Vector3<f64>; 2],
    /// Displacements of the target's shoulders (left, right) over those of the source's.
    pub(crate) displacement: [f64; 2],
}

impl Plan {
    /// Checks that a clip is a motion of the source that can be computed with.
    pub(crate) fn check_source(&self, clip: &Clip) -> Result<(), ClipError> {
        clip.check_for(&self.source.skeleton)
    }

    /// Returns the surfaces of both bodies where the target has a skin, and they are not one body: self-contacts are kept and graded
    /// by them.
    pub(crate) fn surfaces(&self) -> Option<&SurfacePair> {
        self.surfaces.pair([&self.source, &self.target])
    }

    /// Returns the surfaces by which arms are turned; `None` where arms are left as they come.
    pub(crate) fn self_contact_surfaces(&self) -> Option<&SurfacePair> {
        self.wants_self_contact().then(|| self.surfaces()).flatten()
    }

    /// Returns a sentence for each mesh that does not fit its skeleton, where self-contacts are wanted.
    pub(crate) fn unfit_meshes(&self) -> &[String] {
        match self.wants_self_contact() {
            true => self.surfaces.misfits([&self.source, &self.target]),
            false => &[],
        }
    }

    /// Returns whether the options want self-contacts to be kept.
    pub(crate) fn wants_self_contact(&self) -> bool {
        let Options { no_self_contact, method, contacts, .. } = self.options;
        !no_self_contact && method == Method::Ik && contacts != ContactMode::Off
    }

    /// Returns whether source and target are one skeleton, whose motion stays as it is but for arms of another mesh.
    pub(crate) fn is_same_rig(&self) -> bool {
        is_same_rig(&self.source, &self.target)
    }

    /// Scales a position of the source to the path of the target.
    pub(crate) fn scaled_to_target(&self, place: &Vector3<f64>) -> Vector3<f64> {
        place.component_mul(&Vector3::new(self.travel_scale, self.path_scale, self.travel_scale))
    }

    /// Returns whether contacts may pitch and roll the target's body as a whole.
    pub(crate) fn can_tilt(&self) -> bool {
        let keeps = matches!(self.options.contacts, ContactMode::All | ContactMode::Lock);
        keeps && self.target.skeleton[self.translation_joint].rotation_axes.len() == 3
    }

    /// Returns whether the position channels of the translation joint can move it straight up.
    pub(crate) fn can_lift(&self) -> bool {
        let axes = &self.target.skeleton[self.translation_joint].translation_axes;
        let up = self.inner_from_target.inverse() * Vector3::y();
        let missing = Axis::ALL.into_iter().filter(|axis| !axes.contains(axis));
        let is_root = self.target.skeleton[self.translation_joint].parent.is_none();
        let along = |axis: Axis| direction(&up).map_or(0.0, |up| up.dot(&axis.unit()));
        axes.len() == 3 || (is_root && missing.map(along).all(|part| part.abs() < 1e-9))
    }

    /// Returns the root bone: the topmost joint above the translation joint with all channels; `None` if there is
    /// none, or the translation joint cannot rotate.
    pub fn root_bone(&self) -> Option<JointId> {
        let above = self.target.skeleton.path_to_root(self.translation_joint).skip(1);
        let root_bone = above.filter(|&id| self.has_all_channels(id)).last();
        root_bone.filter(|_| self.has_all_channels(self.translation_joint))
    }

    /// Returns whether a target joint can move and turn in all directions.
    pub(crate) fn has_all_channels(&self, joint: JointId) -> bool {
        let joint = &self.target.skeleton[joint];
        joint.translation_axes.len() == 3 && joint.rotation_axes.len() == 3
    }

    /// Returns the joints that get the root motion, from the translation joint up to the root bone; empty unless the
    /// options want it there.
    pub(crate) fn root_motion_joints(&self) -> Vec<JointId> {
        let wants = self.options.root == RootMotion::RootBone;
        let Some(ground) = self.root_bone().filter(|_| wants) else { return Vec::new() };
        let path = self.target.skeleton.path_to_root(self.translation_joint);
        path.filter(|&id| self.target.skeleton.is_ancestor(ground, id)).collect()
    }

    /// Returns the similarity from the file to one world, of source and target: +Y up, metres of a 1.7 m target, the source
    /// scaled as its path is. `yaw` turns the result about the vertical, radians; `floor_rise` raises the source, metres.
    /// Both are those of an [`Evaluation`](crate::quality::Evaluation); 0 where there is none.
    pub fn world_from_files(&self, yaw: f64, floor_rise: f64) -> [Similarity3<f64>; 2] {
        let rise = Translation3::new(0.0, floor_rise, 0.0);
        let yaw = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), yaw);
        let metres = self.source.metres_per_unit() * self.path_scale;
        // A similarity has no scale of 0.
        let least = f64::MIN_POSITIVE;
        let source = Similarity3::from_parts(rise, self.inner_from_source, metres.max(least));
        let (rotation, metres) = (yaw * self.inner_from_target, self.target.metres_per_unit());
        let here = Translation3::identity();
        [source, Similarity3::from_parts(here, rotation, metres.max(least))]
    }

    /// Returns the target joints that follow the source.
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

    /// Returns the target joints with animated translations: the translation joint, joints above it that follow the
    /// source, helpers and, with rotation copy, joints whose bones the source stretches.
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

    /// Returns the helper entry of a joint.
    pub(crate) fn helper(&self, joint: JointId) -> Option<&Helper> {
        let place = self.helpers.binary_search_by_key(&joint, |helper| helper.joint);
        place.ok().map(|place| &self.helpers[place])
    }

    /// Poses the helpers of a target pose relative to the joints that they follow. `world` is scratch memory.
    pub(crate) fn carry_helpers(&self, pose: &mut Pose, world: &mut WorldPose) {
        carry_helpers(&self.helpers, &self.target.skeleton, pose, world);
    }
}
