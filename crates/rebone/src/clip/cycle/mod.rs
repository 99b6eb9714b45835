//! Cycles: finds the frames between which a motion repeats, and closes the seam.
//!
//! Poses are compared on the floor: without the position of the body along it and without its heading. A cycle of `L`
//! steps has `L + 1` frames: the last one is the first one, moved along the floor as the body travels.

mod close;
mod extend;
mod extended;
#[cfg(feature = "files")]
mod search;

pub(super) use extend::solve_cycle;
pub(super) use extended::Extended;

use crate::align::Plan;
use crate::contacts::horizontal;
use nalgebra::{UnitQuaternion, Vector3};
use rebone_body::body::{Anatomy, Role, turn_and_scale};
use rebone_body::poses;
use rebone_skeleton::{Clip, JointId, WorldPose};
use std::f64::consts::PI;

/// A body whose motion is a cycle.
#[derive(Clone, Debug)]
pub(crate) struct CycleBody<'a> {
    anatomy: &'a Anatomy,
    /// The joint whose motion moves the body over the floor.
    translation_joint: JointId,
    /// Joints whose positions are compared: those with roles, without fingers.
    joints: Vec<JointId>,
}

impl<'a> CycleBody<'a> {
    /// A body that moves by the lowest joint, from the pelvis up, that can be translated.
    pub(crate) fn new(anatomy: &'a Anatomy) -> Self {
        let skeleton = &anatomy.skeleton;
        let moves = |id: &JointId| {
            skeleton[*id].parent.is_none() || !skeleton[*id].translation_axes.is_empty()
        };
        let lowest = skeleton.path_to_root(anatomy.body.pelvis()).find(moves);
        Self::moved_by(anatomy, lowest.unwrap_or(anatomy.body.pelvis()))
    }

    /// The target of a plan.
    pub(crate) fn of_target(plan: &'a Plan) -> Self {
        Self::moved_by(&plan.target, plan.translation_joint)
    }

    fn moved_by(anatomy: &'a Anatomy, translation_joint: JointId) -> Self {
        let is_compared = |id: &JointId| {
            anatomy.roles.of(*id).is_some_and(|role| !matches!(role, Role::Finger(..)))
        };
        let joints = anatomy.skeleton.ids().filter(is_compared).collect();
        Self { anatomy, translation_joint, joints }
    }

    /// Whether a joint is the translation joint or above it.
    fn moves_body(&self, id: JointId) -> bool {
        self.anatomy.skeleton.is_ancestor(id, self.translation_joint)
    }

    /// Rotation of the pelvis about the vertical, radians.
    fn heading(&self, world: &WorldPose) -> f64 {
        let pelvis = self.anatomy.body.pelvis();
        yaw(&self.anatomy.anatomical(pelvis, &world.rotations[pelvis.index()]))
    }

    /// World transforms of a frame in upright axes, metres of a 1.7 m body.
    fn world(&self, clip: &Clip, frame: usize) -> WorldPose {
        let skeleton = &self.anatomy.skeleton;
        let mut world = WorldPose::zeros(skeleton);
        poses::update(&mut world, skeleton, &poses::pose(clip, frame));
        turn_and_scale(&mut world, &self.anatomy.upright_from_file, self.anatomy.metres_per_unit());
        world
    }

    /// Positions of the compared joints relative to the body on the floor: without its position and heading.
    fn posture(&self, clip: &Clip, frame: usize) -> Vec<Vector3<f64>> {
        let world = self.world(clip, frame);
        let ahead = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), -self.heading(&world));
        let origin = horizontal(&world.positions[self.translation_joint.index()]);
        let position = |id: &JointId| ahead * (world.positions[id.index()] - origin);
        self.joints.iter().map(position).collect()
    }
}

/// The rotation about the vertical that a rotation holds (swing-twist decomposition), radians.
fn yaw(rotation: &UnitQuaternion<f64>) -> f64 {
    wrapped(2.0 * libm::atan2(rotation.j, rotation.w))
}

fn wrapped(angle: f64) -> f64 {
    angle - 2.0 * PI * libm::round(angle / (2.0 * PI))
}

#[cfg(all(test, feature = "files"))]
mod tests {
    use super::*;
    use rebone_body::analyse::{Hints, analyse};
    use rebone_samples as samples;

    #[test]
    fn a_walk_is_closed_and_goes_on() {
        let walk = samples::walk().motion;
        let anatomy = analyse(&walk, &Hints::default()).expect("a body");
        let body = CycleBody::new(&anatomy);
        let cycle = body.find(&walk.clip, 0).expect("a cycle");
        assert!(cycle.len() as f64 * walk.clip.frame_time > 0.5);
        let mut clip = walk.clip.clone();
        poses::keep(&mut clip, cycle.start..cycle.end + 1);
        let report = body.close(&mut clip);
        assert!(report.seam_metres < 0.1, "{report:?}");
        let closed = body.seam(&clip);
        assert!(closed.seam_metres < 1e-9 && closed.seam_degrees < 1e-6, "{closed:?}");
        // It still goes somewhere.
        let worlds = [0, clip.len() - 1]
            .map(|frame| body.world(&clip, frame).positions[body.translation_joint.index()]);
        assert!(horizontal(&(worlds[1] - worlds[0])).norm() > 0.5);
        assert!((worlds[1] - worlds[0]).y.abs() < 1e-9);
    }

    /// Three cycles of 70 frames.
    fn three_cycles() -> (Anatomy, Clip) {
        let walk = samples::walk().motion;
        let anatomy = analyse(&walk, &Hints::default()).expect("a body");
        let mut cycle = walk.clip.clone();
        poses::keep(&mut cycle, 120..191);
        CycleBody::new(&anatomy).close(&mut cycle);
        poses::keep(&mut cycle, 0..70);
        let mut clip = cycle.clone();
        poses::append(&mut clip, &cycle);
        poses::append(&mut clip, &cycle);
        (anatomy, clip)
    }

    #[test]
    fn a_motion_that_repeats_is_found() {
        let (anatomy, mut clip) = three_cycles();
        let body = CycleBody::new(&anatomy);
        poses::keep(&mut clip, 0..190);
        let found = body.find(&clip, 0).expect("a cycle");
        assert_eq!(found.len() % 70, 0, "{found:?}");
        poses::keep(&mut clip, found.start..found.end + 1);
        assert!(body.seam(&clip).seam_metres < 1e-9);
    }

    #[test]
    fn a_clip_that_is_one_cycle_is_used_whole() {
        let (anatomy, mut clip) = three_cycles();
        let body = CycleBody::new(&anatomy);
        assert_eq!(body.find(&clip, 0), Some(0..210));
        let report = body.repeat_first(&mut clip);
        assert_eq!((clip.len(), report.frames), (211, [0, 210]));
        assert!(body.seam(&clip).seam_metres < 1e-9);
        // The last step is as long as others.
        let step = |frame: usize| {
            let [a, b] = [frame, frame + 1].map(|frame| body.world(&clip, frame).positions[0]);
            (b - a).norm()
        };
        assert!((step(209) - step(208)).abs() < 0.2 * step(208), "{} {}", step(209), step(208));
        poses::keep(&mut clip, 0..211);
        assert_eq!(body.find(&clip, 0), Some(0..210));
    }

    #[test]
    fn margins_continue_the_motion() {
        let (anatomy, mut clip) = three_cycles();
        let body = CycleBody::new(&anatomy);
        body.repeat_first(&mut clip);
        let extended = Extended::new(&body, &clip);
        let place = |frame: usize| body.world(&extended.clip, frame).positions;
        let largest = |frames: std::ops::Range<usize>| {
            let step = |frame: usize| {
                let pairs = place(frame).into_iter().zip(place(frame + 1));
                pairs.map(|(a, b)| (b - a).norm()).fold(0.0, f64::max)
            };
            frames.map(step).fold(0.0, f64::max)
        };
        let (begin, end) = (extended.cycle.start, extended.cycle.end - 1);
        let within = largest(begin..end);
        assert!(begin > 20 && largest(0..begin) < 1.01 * within);
        assert!(largest(end..extended.clip.len() - 1) < 1.01 * within);
    }

    #[test]
    fn a_short_clip_has_no_cycle() {
        let walk = samples::walk().motion;
        let anatomy = analyse(&walk, &Hints::default()).expect("a body");
        let mut clip = walk.clip.clone();
        poses::keep(&mut clip, 0..10);
        assert_eq!(CycleBody::new(&anatomy).find(&clip, 0), None);
        assert_eq!(CycleBody::new(&anatomy).find(&clip, 20), None);
    }
}
