//! The seam of a cycle, closed.

use super::{CycleBody, wrapped};
use crate::report::CycleReport;
use nalgebra::{UnitQuaternion, Vector3};
use rebone_body::poses;
use rebone_skeleton::{Clip, JointId, Pose, WorldPose};

/// Heading that a cycle may lose or gain without turning: drift, which is removed, radians: 20 degrees.
const MAX_HEADING_DRIFT: f64 = 0.35;

impl CycleBody<'_> {
    /// Closes a clip: after it, its last frame is its first, moved along the floor. Reports the seam before, with frames
    /// of the clip.
    ///
    /// The difference of the ends is spread evenly over the clip: frame `t` of `L` gets the part `t/L` of the rotation
    /// between them, joint by joint.
    pub(crate) fn close(&self, clip: &mut Clip) -> CycleReport {
        let skeleton = &self.anatomy.skeleton;
        let last = clip.len() - 1;
        let mut report = self.seam(clip);
        let ends = [0, last].map(|frame| poses::pose(clip, frame));
        let travel = Travel::new(self, &[0, last].map(|frame| self.world(clip, frame)));
        report.turn_degrees = travel.turn.to_degrees();
        let spread: Vec<UnitQuaternion<f64>> = (0..skeleton.len())
            .map(|k| shortest(&(ends[0].rotations[k] * ends[1].rotations[k].inverse())))
            .collect();
        let mut world = WorldPose::zeros(skeleton);
        poses::edit(clip, |frame, pose| {
            let part = frame as f64 / last.max(1) as f64;
            poses::update(&mut world, skeleton, pose);
            for id in skeleton.ids().filter(|id| !self.moves_body(*id)) {
                let k = id.index();
                pose.rotations[k] = spread[k].powf(part) * pose.rotations[k];
                pose.translations[k] += (ends[0].translations[k] - ends[1].translations[k]) * part;
            }
            self.move_body(pose, &world, &travel, part);
        });
        report
    }

    /// Adds the first frame after the last, moved along the floor by constant acceleration from the last three frames;
    /// then the clip is closed. Needs a clip of at least three frames.
    #[cfg(feature = "files")]
    pub(crate) fn repeat_first(&self, clip: &mut Clip) -> CycleReport {
        let last = clip.len() - 1;
        let worlds = [0, last - 2, last - 1, last].map(|frame| self.world(clip, frame));
        let k = self.translation_joint.index();
        let headings = worlds.each_ref().map(|world| self.heading(world));
        let change = wrapped(headings[3] + wrapped(headings[3] - headings[2]) - headings[0]);
        let turn = if change.abs() < MAX_HEADING_DRIFT { 0.0 } else { change };
        let [first, a, b, c] = worlds.each_ref().map(|world| world.positions[k]);
        let mut position = a + (c - b) * 3.0;
        position.y = first.y;
        let upright_from_file = self.anatomy.upright_from_file;
        let rotation = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), turn);
        let rotation = upright_from_file.inverse() * rotation * worlds[0].rotations[k];
        let units = 1.0 / self.anatomy.metres_per_unit();
        let position = upright_from_file.inverse() * position * units;
        let mut pose = poses::pose(clip, 0);
        let mut world = WorldPose::zeros(&self.anatomy.skeleton);
        poses::update(&mut world, &self.anatomy.skeleton, &pose);
        self.place(&mut pose, &world, rotation, position);
        poses::push(clip, &pose);
        CycleReport { turn_degrees: turn.to_degrees(), ..self.seam(clip) }
    }

    /// Moves the translation joint by a part of what is missing at the end; `world` is of the file.
    fn move_body(&self, pose: &mut Pose, world: &WorldPose, travel: &Travel, part: f64) {
        let k = self.translation_joint.index();
        let upright_from_file = self.anatomy.upright_from_file;
        let file_from_upright = upright_from_file.inverse();
        let rotation = file_from_upright * travel.rotation.powf(part) * upright_from_file;
        let rise = Vector3::y() * (travel.rise * part / self.anatomy.metres_per_unit());
        let position = world.positions[k] + file_from_upright * rise;
        self.place(pose, world, rotation * world.rotations[k], position);
    }

    /// Sets the world transform of the translation joint, in the axes and units of the file; `world` is of the pose.
    pub(super) fn place(
        &self,
        pose: &mut Pose,
        world: &WorldPose,
        rotation: UnitQuaternion<f64>,
        position: Vector3<f64>,
    ) {
        let k = self.translation_joint.index();
        let (origin, parent) = match self.anatomy.skeleton[self.translation_joint].parent {
            Some(parent) => (world.positions[parent.index()], world.rotations[parent.index()]),
            None => (Vector3::zeros(), UnitQuaternion::identity()),
        };
        let local = parent.inverse() * rotation;
        pose.rotations[k] = UnitQuaternion::new_normalize(local.into_inner());
        pose.translations[k] = parent.inverse() * (position - origin);
    }

    /// Measures the seam between the first and the last frame.
    pub(super) fn seam(&self, clip: &Clip) -> CycleReport {
        let last = clip.len() - 1;
        let [begin, end] = [0, last].map(|frame| self.posture(clip, frame));
        let [first, other] = [0, last].map(|frame| poses::pose(clip, frame));
        let gaps = begin.iter().zip(&end).map(|(a, b)| (a - b).norm()).zip(&self.joints);
        let wider = |worst: (f64, JointId), own: (f64, &JointId)| {
            if own.0 > worst.0 { (own.0, *own.1) } else { worst }
        };
        let (seam_metres, joint) = gaps.fold((0.0, self.translation_joint), wider);
        let angles = self.joints.iter().filter(|id| !self.moves_body(**id)).map(|id| {
            first.rotations[id.index()].angle_to(&other.rotations[id.index()]).to_degrees()
        });
        CycleReport {
            frames: [0, last],
            seam_metres,
            seam_degrees: angles.fold(0.0, f64::max),
            joint: self.anatomy.skeleton[joint].name.to_string(),
            turn_degrees: 0.0,
            residual_metres: 0.0,
        }
    }
}

/// Offset of the translation joint at the end of a cycle: upright axes, metres of a 1.7 m body.
#[derive(Clone, Copy, Debug)]
struct Travel {
    /// Rotation about the vertical that the cycle keeps, radians.
    turn: f64,
    /// Rotation that brings the last frame to the first, rotated by `turn`.
    rotation: UnitQuaternion<f64>,
    /// Height that brings the last frame to the first.
    rise: f64,
}

impl Travel {
    fn new(body: &CycleBody, worlds: &[WorldPose; 2]) -> Self {
        let k = body.translation_joint.index();
        let [begin, end] = worlds.each_ref().map(|world| body.heading(world));
        let change = wrapped(end - begin);
        let turn = if change.abs() < MAX_HEADING_DRIFT { 0.0 } else { change };
        let [first, last] = worlds.each_ref().map(|world| world.rotations[k]);
        let turned = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), turn) * first;
        let rise = worlds[0].positions[k].y - worlds[1].positions[k].y;
        Self { turn, rotation: shortest(&(turned * last.inverse())), rise }
    }
}

/// Returns the equivalent rotation vector of at most half a turn.
fn shortest(rotation: &UnitQuaternion<f64>) -> UnitQuaternion<f64> {
    if rotation.w < 0.0 { UnitQuaternion::new_unchecked(-rotation.into_inner()) } else { *rotation }
}
