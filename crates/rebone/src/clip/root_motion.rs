//! Root motion: the path of the body over the floor, separated from the translation joint.

use super::cycle::{CycleBody, Extended};
use super::input::ClipInput;
use crate::align::Plan;
use crate::contacts::{horizontal, upright_hip_line};
use crate::math::low_passed;
use crate::options::{Options, RootMotion, RootStart};
use crate::report::RootPath;
use nalgebra::{UnitQuaternion, Vector3};
use rebone_body::body::turn_and_scale;
use rebone_body::motion::segments;
use rebone_body::poses;
use rebone_skeleton::rotation::direction;
use rebone_skeleton::{Clip, JointId, Pose, WorldPose};
use std::collections::BTreeSet;

/// Default of [`Options::root_smoothing`](crate::Options::root_smoothing).
const SMOOTHING_SECONDS: f64 = 0.2;

/// Position and heading of the body on the floor.
#[derive(Clone, Copy, Debug)]
struct RootTransform {
    /// Projection of the midpoint of the hips on the floor: inner world, metres of a 1.7 m body.
    place: Vector3<f64>,
    /// Rotation about the vertical since the T pose, radians.
    heading: f64,
}

/// Moves the root motion of a result as the plan's options want, and returns its path.
pub(crate) fn apply(plan: &Plan, input: &ClipInput, result: &mut Clip) -> RootPath {
    let begins_with_reference = input.begins_with_reference(&plan.options);
    let mut path = if input.is_cycle {
        let extended = Extended::new(&CycleBody::of_target(plan), result);
        let track = HipTrack::of_clip(plan, &extended.clip);
        track.transforms(result.frame_time, false).drain(extended.cycle).collect()
    } else {
        HipTrack::of_clip(plan, result).transforms(result.frame_time, begins_with_reference)
    };
    let rest = Rest::new(plan);
    let Options { root, root_start, .. } = plan.options;
    let first_of_motion = usize::from(begins_with_reference && path.len() > 1);
    let start = path.get(first_of_motion).copied();
    let start = start.filter(|_| root == RootMotion::RootBone && root_start == RootStart::Origin);
    let start = start.map(|start| StartTransform::new(plan, &start, &rest.hips));
    path.iter_mut().for_each(|own| *own = start.map_or(*own, |start| start.of_root(own)));
    if root == RootMotion::World {
        return in_file(plan, &path, result.frame_time);
    }
    let root_motion_joints = plan.root_motion_joints();
    let skeleton = &plan.target.skeleton;
    let (mut world, mut room) = (WorldPose::zeros(skeleton), WorldPose::zeros(skeleton));
    poses::edit(result, |frame, pose| {
        poses::update(&mut world, skeleton, pose);
        if root == RootMotion::InPlace {
            keep_in_place(plan, pose, &world, rest.hips - path[frame].place);
        } else {
            start.iter().for_each(|start| start.move_body(plan, &mut world));
            rest.assign_to_root_bone(plan, &root_motion_joints, pose, &world, &path[frame]);
        }
        plan.carry_helpers(pose, &mut room);
    });
    in_file(plan, &path, result.frame_time)
}

/// The rigid motion along the floor that brings the begin of a path to the rig's rest position, facing ahead.
#[derive(Clone, Copy, Debug)]
struct StartTransform {
    heading: f64,
    /// Rotation about the vertical and translation: inner world, metres of a 1.7 m body.
    rotation: UnitQuaternion<f64>,
    translation: Vector3<f64>,
}

impl StartTransform {
    fn new(plan: &Plan, start: &RootTransform, rest_hips: &Vector3<f64>) -> Self {
        // A rig that faces nowhere at rest keeps its heading.
        let heading = if plan.target.facing.is_some() { start.heading } else { 0.0 };
        let rotation = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), -heading);
        Self { heading, rotation, translation: rest_hips - rotation * start.place }
    }

    fn of_root(&self, root: &RootTransform) -> RootTransform {
        RootTransform {
            place: self.rotation * root.place + self.translation,
            heading: root.heading - self.heading,
        }
    }

    /// Moves the translation joint, in the axes and units of the file.
    fn move_body(&self, plan: &Plan, world: &mut WorldPose) {
        let inner_from_file = plan.inner_from_target;
        let rotation = inner_from_file.inverse() * self.rotation * inner_from_file;
        let units = 1.0 / plan.target.metres_per_unit();
        let translation = inner_from_file.inverse() * self.translation * units;
        let joint = plan.translation_joint.index();
        world.positions[joint] = rotation * world.positions[joint] + translation;
        world.rotations[joint] = rotation * world.rotations[joint];
    }
}

/// Converts a path to the axes and units of the target's file.
fn in_file(plan: &Plan, path: &[RootTransform], frame_time: f64) -> RootPath {
    let file_from_inner = plan.inner_from_target.inverse();
    let units = 1.0 / plan.target.metres_per_unit();
    let mut headings_degrees: Vec<f64> = Vec::with_capacity(path.len());
    for root in path {
        let degrees = root.heading.to_degrees();
        let last = headings_degrees.last().copied().unwrap_or(0.0);
        headings_degrees.push(degrees + 360.0 * libm::round((last - degrees) / 360.0));
    }
    RootPath {
        frame_time,
        metres_per_unit: plan.target.metres_per_file_unit,
        up: (file_from_inner * Vector3::y()).into(),
        forward: (file_from_inner * Vector3::z()).into(),
        positions: path.iter().map(|root| (file_from_inner * root.place * units).into()).collect(),
        headings_degrees,
    }
}

/// Hips of the frames of a result: inner world, metres of a 1.7 m body.
struct HipTrack<'a> {
    plan: &'a Plan,
    /// Both hips and all joints above them, parents first.
    joints: Vec<JointId>,
    world: WorldPose,
    /// Midpoint of the hips in each frame.
    middles: Vec<Vector3<f64>>,
    /// The line from the right hip to the left one in each frame.
    across: Vec<Vector3<f64>>,
}

impl<'a> HipTrack<'a> {
    /// A track without frames.
    fn new(plan: &'a Plan) -> Self {
        let (skeleton, hips) = (&plan.target.skeleton, plan.target.hips());
        let joints: BTreeSet<JointId> =
            hips.iter().flat_map(|hip| skeleton.path_to_root(*hip)).collect();
        let joints = joints.into_iter().collect();
        let world = WorldPose::zeros(skeleton);
        Self { plan, joints, world, middles: Vec::new(), across: Vec::new() }
    }

    /// The track of all frames of a result.
    fn of_clip(plan: &'a Plan, clip: &Clip) -> Self {
        let mut track = Self::new(plan);
        let mut pose = plan.target.skeleton.rest_pose();
        for frame in 0..clip.len() {
            clip.read(frame, &mut pose);
            track.add(&pose);
        }
        track
    }

    /// Adds the next frame.
    fn add(&mut self, pose: &Pose) {
        let target = &self.plan.target;
        poses::update_joints(&mut self.world, &target.skeleton, pose, &self.joints);
        let (turn, metres) = (&self.plan.inner_from_target, target.metres_per_unit());
        let [left, right] =
            target.hips().map(|hip| turn * self.world.positions[hip.index()] * metres);
        self.middles.push((left + right) / 2.0);
        self.across.push(left - right);
    }

    /// Returns the root transforms of all frames, low-passed within the segments of the clip.
    fn transforms(&self, frame_time: f64, begins_with_reference: bool) -> Vec<RootTransform> {
        let (middles, across) = (&self.middles, &self.across);
        let width = self.plan.options.root_smoothing.unwrap_or(SMOOTHING_SECONDS) / frame_time;
        let mut path: Vec<RootTransform> = Vec::new();
        for segment in segments(middles, frame_time, begins_with_reference) {
            let places = low_passed(&middles[segment.clone()], 1, width);
            // A body that lies on its side keeps its last heading.
            let mut last = segment.clone().find_map(|frame| upright_hip_line(&across[frame]));
            let mut lines: Vec<Vector3<f64>> = Vec::new();
            for frame in segment.clone() {
                last = upright_hip_line(&across[frame]).or(last);
                lines
                    .push(last.and_then(|own| direction(&own)).map_or_else(Vector3::x, |own| *own));
            }
            let lines = low_passed(&lines, 1, width);
            for (place, line) in places.into_iter().zip(lines) {
                // The hip line points to the left, +X: forward is a quarter turn from it.
                path.push(RootTransform {
                    place: horizontal(&place),
                    heading: libm::atan2(-line.z, line.x),
                });
            }
        }
        path
    }
}

/// Translates the body along the floor; joints above the translation joint keep their rest translations.
fn keep_in_place(plan: &Plan, pose: &mut Pose, world: &WorldPose, by: Vector3<f64>) {
    let skeleton = &plan.target.skeleton;
    let file_from_inner = plan.inner_from_target.inverse();
    let units = 1.0 / plan.target.metres_per_unit();
    let place = world.positions[plan.translation_joint.index()] + file_from_inner * by * units;
    let above: Vec<JointId> = skeleton.path_to_root(plan.translation_joint).skip(1).collect();
    let mut parent = (Vector3::zeros(), UnitQuaternion::identity());
    for id in above.into_iter().rev() {
        let rest = skeleton[id].rest_translation;
        pose.translations[id.index()] = rest;
        parent = (parent.0 + parent.1 * rest, world.rotations[id.index()]);
    }
    pose.translations[plan.translation_joint.index()] = parent.1.inverse() * (place - parent.0);
}

/// The rig's position at rest, inner world.
struct Rest {
    /// Projection of the midpoint of its hips on the floor.
    hips: Vector3<f64>,
    /// Position and rotation of the root bone.
    ground: Option<(Vector3<f64>, UnitQuaternion<f64>)>,
}

impl Rest {
    fn new(plan: &Plan) -> Self {
        let target = &plan.target;
        let mut world = target.skeleton.rest_world();
        turn_and_scale(&mut world, &plan.inner_from_target, target.metres_per_unit());
        let [left, right] = target.hips().map(|hip| world.positions[hip.index()]);
        let frame = |id: JointId| (world.positions[id.index()], world.rotations[id.index()]);
        Self { hips: horizontal(&((left + right) / 2.0)), ground: plan.root_bone().map(frame) }
    }

    /// Assigns the root transform to the root bone, the last of `root_motion_joints`, which are listed from the
    /// translation joint upwards; the translation joint keeps its world transform, and joints between the two keep
    /// their rest transforms.
    fn assign_to_root_bone(
        &self,
        plan: &Plan,
        root_motion_joints: &[JointId],
        pose: &mut Pose,
        world: &WorldPose,
        root: &RootTransform,
    ) {
        let ([translation_joint, between @ .., ground], Some((place, rotation))) =
            (root_motion_joints, self.ground)
        else {
            return;
        };
        let target = &plan.target;
        let file_from_inner = plan.inner_from_target.inverse();
        let turn = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), root.heading);
        let place = root.place + turn * (place - self.hips);
        let units = 1.0 / target.metres_per_unit();
        let mut parent = match target.skeleton[*ground].parent {
            Some(parent) => (world.positions[parent.index()], world.rotations[parent.index()]),
            None => (Vector3::zeros(), UnitQuaternion::identity()),
        };
        let mut set_world = |id: JointId, place: Vector3<f64>, rotation: UnitQuaternion<f64>| {
            pose.translations[id.index()] = parent.1.inverse() * (place - parent.0);
            let local = (parent.1.inverse() * rotation).into_inner();
            pose.rotations[id.index()] = UnitQuaternion::new_normalize(local);
            parent = (place, rotation);
        };
        let mut at = file_from_inner * place * units;
        let mut rotation_at = file_from_inner * (turn * rotation);
        set_world(*ground, at, rotation_at);
        for &id in between.iter().rev() {
            at += rotation_at * target.skeleton[id].rest_translation;
            rotation_at *= target.calibration_rotations[id.index()];
            set_world(id, at, rotation_at);
        }
        set_world(
            *translation_joint,
            world.positions[translation_joint.index()],
            world.rotations[translation_joint.index()],
        );
    }
}
