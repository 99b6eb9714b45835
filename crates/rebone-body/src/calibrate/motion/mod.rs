//! Anatomical frames read off a motion, for skeletons that never stand in a known pose.
//!
//! All results are `joint_from_anatomical`: the frame of a segment in its joint's own axes, constant
//! over time. Limbs: +Y is the bone, +X the axis that the elbow or knee bends about. Trunk and head:
//! +Y is up on average over upright frames.

mod hands;
mod limbs;
mod trunk;

use crate::body::{Body, Landmark, Leg, Side, hanging_leg};
use crate::calibrate::feet::ankle::KnownAnkle;
use crate::calibrate::feet::soles::feet_from_motion;
use crate::calibrate::fusion::estimate::{Estimate, carried};
use nalgebra::{Unit, UnitQuaternion, Vector3};
use rebone_skeleton::rotation::direction;
use rebone_skeleton::{JointId, Skeleton, WorldPose};

/// Standard deviations of a foot without evidence for its direction.
const UNOBSERVED_FOOT_SIGMAS: [f64; 3] =
    [25_f64.to_radians(), 15_f64.to_radians(), 15_f64.to_radians()];

/// Input, and estimates so far.
struct MotionCalibration<'a> {
    skeleton: &'a Skeleton,
    body: &'a Body,
    frames: &'a [WorldPose],
    /// Those in which the trunk stands, or all where these are few.
    upright: Vec<&'a WorldPose>,
    /// Whether there are enough of them.
    stands: bool,
    /// Whether the zero pose lays all bones along one axis.
    line: bool,
    up: Unit<Vector3<f64>>,
    found: Vec<Option<Estimate>>,
}

/// Evidence of a rest pose in which the body does not stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RestEvidence {
    /// Nothing: it may be that of a copy whose joints have other axes.
    Unread,
    /// Which way feet are turned on their shins.
    Ankles,
    /// That, and it lays all bones along one axis.
    Line,
}

/// `joint_from_anatomical` of each joint, where it follows from a role's motion; `None` elsewhere.
pub(crate) fn frames_from_motion(
    skeleton: &Skeleton,
    body: &Body,
    frames: &[WorldPose],
    up: Unit<Vector3<f64>>,
    rest: RestEvidence,
) -> Vec<Option<Estimate>> {
    let upright = upright_frames(body, frames, up);
    let stands = upright.len() * MIN_UPRIGHT_FRAMES >= frames.len();
    let upright = if stands { upright } else { frames.iter().collect() };
    let found = vec![None; skeleton.len()];
    let line = rest == RestEvidence::Line;
    let mut reader = MotionCalibration { skeleton, body, frames, upright, stands, line, up, found };
    reader.trunk();
    for side in Side::BOTH {
        reader.collar(side);
        reader.palm(side);
        reader.arm(side);
        reader.hand(side);
        reader.leg(side);
    }
    let is_read = rest != RestEvidence::Unread;
    let shin = |leg: &Leg| reader.frame(leg.lower).filter(|_| is_read).map(KnownAnkle::Shin);
    let known = body.legs.each_ref().map(shin);
    let feet = feet_from_motion(skeleton, body, frames, up, known);
    for (joint, estimate) in feet.into_iter().flatten() {
        reader.found[joint.index()] = Some(estimate);
    }
    reader.unobserved_feet();
    reader.found
}

impl MotionCalibration<'_> {
    /// A foot without a cue for its direction stands under the shin, on average.
    fn unobserved_feet(&mut self) {
        for leg in &self.body.legs {
            let foot = self.frame(leg.lower).map(|shin| shin * hanging_leg().inverse());
            let mean = carried(self.frames, leg.lower, foot, leg.foot);
            let own = self.found[leg.foot.index()]
                .or(mean.map(|mean| (mean, UNOBSERVED_FOOT_SIGMAS.into())));
            self.found[leg.foot.index()] = own;
        }
    }

    fn frame(&self, joint: JointId) -> Option<UnitQuaternion<f64>> {
        self.found[joint.index()].map(|(frame, _)| frame)
    }

    /// The mean direction of the bone `start` to `stop` in the axes of `joint`.
    fn bone_in(&self, joint: JointId, [start, stop]: [Landmark; 2]) -> Option<Unit<Vector3<f64>>> {
        let end = &self.skeleton[stop.joint];
        let hangs = stop == stop.joint.into() && end.parent == Some(joint) && joint == start.joint;
        let offset = direction(&end.rest_translation).filter(|_| hangs);
        offset.or_else(|| {
            let sum: Vector3<f64> = self
                .frames
                .iter()
                .map(|pose| {
                    let bone = stop.at(pose, 1.0) - start.at(pose, 1.0);
                    pose.rotations[joint.index()].inverse() * bone
                })
                .sum();
            direction(&sum)
        })
    }
}

/// A trunk stands in one of this many frames, or how it stands is unknown.
const MIN_UPRIGHT_FRAMES: usize = 20;

/// The frames in which the trunk stands within 25 degrees of up.
fn upright_frames<'a>(
    body: &Body,
    frames: &'a [WorldPose],
    up: Unit<Vector3<f64>>,
) -> Vec<&'a WorldPose> {
    let lean = |pose: &WorldPose| {
        let place = |id: JointId| pose.positions[id.index()];
        let chord = place(body.arms[0].upper) + place(body.arms[1].upper)
            - place(body.legs[0].upper)
            - place(body.legs[1].upper);
        direction(&chord).map_or(f64::INFINITY, |chord| chord.angle(&up))
    };
    frames.iter().filter(|pose| lean(pose) < 25_f64.to_radians()).collect()
}

#[cfg(test)]
#[allow(clippy::print_stderr, reason = "a test says that it was skipped")]
mod tests;
