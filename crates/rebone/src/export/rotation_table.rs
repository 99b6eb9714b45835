//! Rotation copy as plain data: everything that an engine needs to copy motion without this library.
//!
//! Quaternions are x, y, z, w; matrices are column by column; lengths are those of the file. A world rotation
//! or place is against the file's axes. `W` is a world rotation of the source in a frame.

use super::table_file::TableFile;
use crate::align::{Plan, Rule, matching_poses};
use crate::options::Method;
use nalgebra::{Isometry3, Translation3, UnitQuaternion};
#[cfg(feature = "files")]
use rebone_body::Character;
use rebone_body::poses;
use rebone_skeleton::{Axis, JointId, Pose};
use serde::Serialize;

/// The version of the layout.
const VERSION: u32 = 1;

/// A table of rotation copy, for programs that apply it themselves.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RotationTable {
    /// The version of this library.
    rebone: &'static str,
    /// Source and target, where they are files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) files: Vec<TableFile>,
    /// The version of this layout: 1.
    version: u32,
    /// `copy` or `bind`.
    method: &'static str,
    /// Joints of the source, parents first.
    source: Vec<SourceJoint>,
    /// Joints of the target, parents first.
    joints: Vec<TargetJoint>,
    /// Position of the body.
    body: BodyPlace,
    /// From the source's axes to the target's.
    turn: [f64; 4],
    /// Lengths of the target's file over those of the source's, of what moves.
    scale: f64,
}

/// A joint of the source at rest.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct SourceJoint {
    /// Its name.
    name: String,
    /// Index of its parent in the list.
    parent: Option<usize>,
    /// Translation in its parent's axes.
    translation: [f64; 3],
    /// Rotation relative to its parent.
    rotation: [f64; 4],
    /// As `translation`, but as the animation has it on average: some files keep bones in position channels.
    bone: [f64; 3],
}

/// A joint of the target, and how it follows the source.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct TargetJoint {
    /// Its name.
    name: String,
    /// Index of its parent in the list.
    parent: Option<usize>,
    /// The source joint that it follows; without one it keeps its local rotation, `pre`.
    source: Option<usize>,
    /// The source joint that its turns are taken against, where there is one: that of the next joint above
    /// it which has a source.
    above: Option<usize>,
    /// Its local rotation is `pre · W(above)⁻¹ · W(source) · post`.
    pre: [f64; 4],
    /// Applied after that. It takes the joint's own frame to the retargeted one, too.
    post: [f64; 4],
    /// Translation in its parent's axes.
    translation: [f64; 3],
    /// The axes of its parent along which its place is, instead, that of its source, turned, times `scale`.
    path: [bool; 3],
    /// Whether it moves against its parent as its source does, which may be off the end of its `bone`: by that,
    /// turned, times `scale`.
    stretch: bool,
    /// Transform relative to another joint that it follows, once that is posed.
    helper: Option<HelperOf>,
    /// The retargeted bind pose.
    bind: Bind,
}

/// Transform of a helper joint relative to the joint that it follows.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct HelperOf {
    /// That joint.
    joint: usize,
    /// In its frame, lengths of the file.
    translation: [f64; 3],
    /// In its frame.
    rotation: [f64; 4],
}

/// A joint of the model in the retargeted bind pose: its frame turned as the source's, so that the source's own
/// rotations pose the model.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Bind {
    /// Turns the model's local rotation, applied after it, before anything else: from its bind pose to the pose that
    /// counts as the same as the source's.
    correction: [f64; 4],
    /// Translation in the parent's retargeted axes. The translation joint and joints with a `path` are where their pose
    /// has them.
    translation: [f64; 3],
    /// The local rotation is `pre · W(above)⁻¹ · W(source)`; `pre` itself where there is no source.
    pre: [f64; 4],
    /// The frame in the world.
    world: [f64; 16],
    /// From the world of the model's bind pose to that frame, the correction included.
    inverse: [f64; 16],
}

/// Position of the body: once all joints are posed, the translation joint is moved until the midpoint of two joints of
/// the target is that of two joints of the source, rotated by `turn`, times `scale`.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct BodyPlace {
    /// The target joint that is moved.
    translation_joint: usize,
    /// The target's thighs.
    joints: [usize; 2],
    /// The source's thighs.
    source: [usize; 2],
}

#[cfg(feature = "files")]
impl RotationTable {
    /// Converts a plan of `[source, target]`, and names their files; `None` unless its method is rotation copy.
    pub fn of_files([source, target]: [&Character; 2], plan: &Plan) -> Option<Self> {
        let mut table = Self::new(plan)?;
        table.files.push(TableFile::new(source, &plan.source));
        table.files.push(TableFile::new(target, &plan.target));
        Some(table)
    }
}

impl RotationTable {
    /// Converts a plan; `None` unless its method is rotation copy.
    pub fn new(plan: &Plan) -> Option<Self> {
        let method = match plan.options.method {
            Method::Ik | Method::Egocentric | Method::Energies => return None,
            Method::Copy => "copy",
            Method::Bind => "bind",
        };
        let scale = plan.path_scale * plan.source.metres_per_unit() / plan.target.metres_per_unit();
        Some(Self {
            rebone: env!("CARGO_PKG_VERSION"),
            files: Vec::new(),
            version: VERSION,
            method,
            source: source(plan),
            joints: Joints::new(plan).all(),
            body: BodyPlace {
                translation_joint: plan.translation_joint.index(),
                joints: plan.target.hips().map(JointId::index),
                source: plan.source.hips().map(JointId::index),
            },
            turn: quaternion(&turn(plan)),
            scale,
        })
    }
}

/// Turns the source's axes into the target's.
fn turn(plan: &Plan) -> UnitQuaternion<f64> {
    plan.inner_from_target.inverse() * plan.inner_from_source
}

fn source(plan: &Plan) -> Vec<SourceJoint> {
    let skeleton = &plan.source.skeleton;
    let units = 1.0 / plan.source.metres_per_unit();
    let joints = skeleton.ids().zip(skeleton.joints()).map(|(id, joint)| {
        let bone = joint.parent.map(|parent| plan.source_bone([id, parent]) * units);
        SourceJoint {
            name: joint.name.to_string(),
            parent: joint.parent.map(JointId::index),
            translation: joint.rest_translation.into(),
            rotation: quaternion(&joint.rest_rotation),
            bone: bone.unwrap_or(joint.rest_translation).into(),
        }
    });
    joints.collect()
}

/// Inputs of the joints of the target.
struct Joints<'a> {
    plan: &'a Plan,
    /// The joint that each joint follows, and the rotation after it.
    sources: Vec<Option<(JointId, UnitQuaternion<f64>)>>,
    /// The target in its bind pose: local rotations and transforms.
    bound: Stand,
    /// The target in the pose that matches the source's: local rotations and transforms.
    matching: Stand,
    /// World transforms of that pose, with the rotations of the source's joints.
    retargeted: Vec<Isometry3<f64>>,
}

/// A pose of the target: local rotations, and frames in the world.
type Stand = (Vec<UnitQuaternion<f64>>, Vec<Isometry3<f64>>);

impl<'a> Joints<'a> {
    fn new(plan: &'a Plan) -> Self {
        let rules = plan.target.skeleton.ids().zip(&plan.rules);
        let sources = rules.map(|(id, rule)| followed(plan, id, rule));
        let sources: Vec<_> = sources.collect();
        let matching = stand(plan, matching_pose(plan, &sources));
        let retargeted = matching.1.iter().zip(&sources).map(|(own, source)| match source {
            Some((_, post)) => own * post.inverse(),
            None => *own,
        });
        let retargeted = retargeted.collect();
        Self {
            bound: stand(plan, plan.target.bind_rotations.clone()),
            plan,
            sources,
            matching,
            retargeted,
        }
    }

    fn all(&self) -> Vec<TargetJoint> {
        self.plan.target.skeleton.ids().map(|id| self.joint(id)).collect()
    }

    fn joint(&self, id: JointId) -> TargetJoint {
        let at = id.index();
        let joint = &self.plan.target.skeleton[id];
        let own = self.sources[at];
        let above = own.and_then(|_| self.above(id));
        let pre = own.map_or(self.matching.0[at], |_| self.before(id, above, &self.matching.1));
        let path = |axis: Axis| {
            matches!(self.plan.rules[at], Rule::AncestorOfHips(_))
                && joint.translation_axes.contains(&axis)
        };
        TargetJoint {
            name: joint.name.to_string(),
            parent: joint.parent.map(JointId::index),
            source: own.map(|(source, _)| source.index()),
            above: above.and_then(|above| Some(self.sources[above.index()]?.0.index())),
            pre: quaternion(&pre),
            post: quaternion(&own.map(|(_, post)| post).unwrap_or_default()),
            translation: joint.rest_translation.into(),
            path: Axis::ALL.map(path),
            stretch: self.plan.stretched(id).is_some(),
            helper: self.plan.helper(id).map(|own| HelperOf {
                joint: own.after.index(),
                translation: own.offset.translation.vector.into(),
                rotation: quaternion(&own.offset.rotation),
            }),
            bind: self.bind(id, above),
        }
    }

    fn bind(&self, id: JointId, above: Option<JointId>) -> Bind {
        let at = id.index();
        let world = self.retargeted[at];
        let parent = self.plan.target.skeleton[id].parent;
        let parent = parent.map_or_else(Isometry3::identity, |own| self.retargeted[own.index()]);
        let pre = match self.sources[at] {
            Some(_) => self.before(id, above, &self.retargeted),
            None => parent.rotation.inverse() * world.rotation,
        };
        Bind {
            correction: quaternion(&(self.bound.0[at].inverse() * self.matching.0[at])),
            translation: (parent.inverse() * world).translation.vector.into(),
            pre: quaternion(&pre),
            world: matrix(&world),
            inverse: matrix(&(world.inverse() * self.matching.1[at] * self.bound.1[at].inverse())),
        }
    }

    /// The next joint above one that follows something.
    fn above(&self, id: JointId) -> Option<JointId> {
        let mut path = self.plan.target.skeleton.path_to_root(id).skip(1);
        path.find(|above| self.sources[above.index()].is_some())
    }

    /// Returns the rotation from the next joint above that follows something to the parent's axes.
    fn before(
        &self,
        id: JointId,
        above: Option<JointId>,
        frames: &[Isometry3<f64>],
    ) -> UnitQuaternion<f64> {
        let parent = self.plan.target.skeleton[id].parent;
        let parent = parent.map(|parent| frames[parent.index()].rotation).unwrap_or_default();
        let above = above.map(|above| self.retargeted[above.index()].rotation);
        parent.inverse() * above.unwrap_or_else(|| turn(self.plan))
    }
}

/// The source joint that a joint follows in the world, and the rotation after it.
fn followed(plan: &Plan, id: JointId, rule: &Rule) -> Option<(JointId, UnitQuaternion<f64>)> {
    match *rule {
        Rule::CopyRotation { source, post } => Some((source, post)),
        Rule::AncestorOfHips(source) => {
            let stood = plan.source.t_pose.rotations[source.index()].inverse();
            Some((source, stood * turn(plan).inverse() * plan.target.t_pose.rotations[id.index()]))
        }
        _ => None,
    }
}

/// Local rotations of the target in the pose that counts as the same as the source's; joints that follow
/// nothing are as calibrated.
fn matching_pose(
    plan: &Plan,
    sources: &[Option<(JointId, UnitQuaternion<f64>)>],
) -> Vec<UnitQuaternion<f64>> {
    let counted = matching_poses(
        [&plan.source, &plan.target],
        [plan.inner_from_source, plan.inner_from_target],
        plan.options.method,
    );
    let mut world = counted[1].clone();
    let mut locals = plan.target.calibration_rotations.clone();
    for id in plan.target.skeleton.ids() {
        let parent = plan.target.skeleton[id].parent.map(|parent| world[parent.index()]);
        let parent = parent.unwrap_or(plan.inner_from_target);
        match sources[id.index()] {
            Some(_) => locals[id.index()] = parent.inverse() * world[id.index()],
            None => world[id.index()] = parent * locals[id.index()],
        }
    }
    locals
}

fn stand(plan: &Plan, locals: Vec<UnitQuaternion<f64>>) -> Stand {
    let skeleton = &plan.target.skeleton;
    let pose = Pose { rotations: locals, ..skeleton.rest_pose() };
    let world = poses::world_of(skeleton, &pose);
    let places = world.positions.into_iter().map(Translation3::from);
    let frames = places.zip(world.rotations).map(|(at, turn)| Isometry3::from_parts(at, turn));
    (pose.rotations, frames.collect())
}

fn quaternion(turn: &UnitQuaternion<f64>) -> [f64; 4] {
    turn.coords.into()
}

fn matrix(frame: &Isometry3<f64>) -> [f64; 16] {
    std::array::from_fn(|k| frame.to_homogeneous()[k])
}
