//! Trunk, neck, head and collar bones.

use super::MotionCalibration;
use crate::body::{Side, frame, sideways, tip};
use crate::calibrate::fusion::angle_fusion::{AngleEstimate, fuse_angles};
use crate::calibrate::fusion::estimate::{Estimate, carried};
use nalgebra::{Unit, UnitQuaternion, Vector3};
use rebone_skeleton::rotation::{direction, shortest_arc};
use rebone_skeleton::{JointId, WorldPose};
use std::borrow::Borrow;

/// A joint that turns less on the one above never turns, radians.
const MIN_ROTATION_RADIANS: f64 = 1e-6;

/// The bases of collar bones are apart if by more than this share of the shoulders' distance.
const MIN_COLLAR_DISTANCE: f64 = 0.15;

/// Evidence for the pitch of a joint of the trunk: the mean of the world's up, and the bone to the next
/// joint. Both as they lean forward of the up of 15 conventions' rest poses, and how far they are spread.
struct Pitch {
    up: AngleEstimate,
    bone: AngleEstimate,
}

const fn lean(degrees: f64, sigma: f64) -> AngleEstimate {
    AngleEstimate { angle: degrees.to_radians(), sigma: sigma.to_radians() }
}

const PELVIS: Pitch = Pitch { up: lean(2.0, 10.5), bone: lean(0.0, 12.0) };
const SPINE: Pitch = Pitch { up: lean(-4.0, 14.0), bone: lean(0.0, 7.0) };
const CHEST: Pitch = Pitch { up: lean(-8.0, 9.5), bone: lean(0.0, 7.0) };
const NECK: Pitch = Pitch { up: lean(-8.0, 16.0), bone: lean(3.0, 12.0) };
const HEAD: Pitch = Pitch { up: lean(-5.0, 10.0), bone: lean(0.0, 8.0) };

/// The bones of spine, neck and head of a skeleton whose zero pose is a line: those of LAFAN1, ZeroEGGS and
/// Geno lean by 0 to 5 degrees.
const OF_A_LINE: AngleEstimate = lean(0.0, 5.0);

/// A bone that leads to the side by more (sine) is none of the spine's.
const MAX_SPINE_SLOPE: f64 = 0.5;

/// Factor on the deviation of the world's up for a body that never stands upright.
const BENT_OVER: f64 = 2.5;

/// Standard deviations of frames of the trunk in yaw and roll: where a line of the body says, elsewhere, and
/// those of neck and head.
const BY_LINE: [f64; 2] = [1_f64.to_radians(); 2];
const BY_MEAN: [f64; 2] = [3_f64.to_radians(), 3_f64.to_radians()];
const TWIST_SIGMAS: [f64; 2] = [11_f64.to_radians(), 5_f64.to_radians()];
const COLLAR_SIGMAS: [f64; 3] = [11_f64.to_radians(), 6_f64.to_radians(), 8_f64.to_radians()];

impl MotionCalibration<'_> {
    /// Trunk and neck. A joint that never turns on the one above is part of its segment: its frame is
    /// that one's.
    pub(crate) fn trunk(&mut self) {
        let mut joints: Vec<JointId> =
            self.body.trunk.iter().chain(&self.body.neck).copied().collect();
        joints.sort_unstable();
        for joint in joints {
            let parent = self.skeleton[joint].parent;
            let still = parent.and_then(|parent| {
                Some(constant_turn(&self.upright, parent, joint)?.inverse() * self.frame(parent)?)
            });
            let parent = parent.and_then(|parent| self.found[parent.index()]);
            self.found[joint.index()] = match (still, parent) {
                (Some(still), Some((_, sigma))) => Some((still, sigma)),
                _ => self.trunk_frame(joint),
            };
        }
    }

    /// The mean of what a pose shows in the axes of a joint.
    fn mean_in(
        &self,
        joint: JointId,
        seen: impl Fn(&WorldPose) -> Vector3<f64>,
    ) -> Option<Unit<Vector3<f64>>> {
        let seen =
            self.upright.iter().map(|pose| pose.rotations[joint.index()].inverse() * seen(pose));
        direction(&seen.sum())
    }

    /// The body's left, averaged in the axes of a joint of the trunk, and whether it is a line of that
    /// segment's own.
    fn left_in(&self, joint: JointId) -> Option<(Unit<Vector3<f64>>, bool)> {
        let body = self.body;
        let girdle = self.girdle();
        let by_collars = girdle != body.arms.each_ref().map(|arm| arm.upper);
        let across = |pose: &WorldPose, [a, b]: [JointId; 2]| {
            direction(&(pose.positions[a.index()] - pose.positions[b.index()]))
                .map_or(Vector3::zeros(), |d| *d)
        };
        let hips = body.legs.each_ref().map(|leg| leg.upper);
        if joint == body.pelvis() {
            return Some((self.mean_in(joint, |pose| across(pose, hips))?, true));
        }
        if joint == body.chest() && by_collars {
            return Some((self.mean_in(joint, |pose| across(pose, girdle))?, true));
        }
        let both = |pose: &WorldPose| across(pose, hips) + across(pose, girdle);
        Some((self.mean_in(joint, both)?, false))
    }

    /// Left as it is seen; up at right angles to it, pitched as the world's up and the bone to the next
    /// joint say together.
    ///
    /// The bone lies in the plane that divides the body, but for the lines of thighs and collar bones,
    /// which are the segments' own.
    fn trunk_frame(&self, joint: JointId) -> Option<Estimate> {
        let (left, is_own) = self.left_in(joint)?;
        let up = self.mean_in(joint, |_| *self.up)?;
        let [usual_up, usual_bone] = self.leans(joint);
        let level = sideways(&left, &up)?;
        let pitch_of = |seen: &Vector3<f64>| {
            let seen = level.inverse() * seen;
            libm::atan2(seen.z, seen.y)
        };
        // A hat is no crown, and some rigs have their first spine joint behind the hips.
        let most = 3.0 * libm::hypot(usual_up.sigma, usual_bone.sigma);
        let (next, bone) = self.bone_above(joint);
        let bone = bone.filter(|bone| {
            let lean = pitch_of(bone) - usual_bone.angle + usual_up.angle;
            lean.abs() < most && bone.dot(&left).abs() < MAX_SPINE_SLOPE
        });
        let middle = up.into_inner() + bone.filter(|_| next).unwrap_or(up).into_inner();
        let upright = if is_own { level } else { frame(&direction(&middle)?, &left)? };
        let seen = [Some((up, usual_up)), bone.map(|bone| (bone, usual_bone))];
        let seen = seen.into_iter().flatten().map(|(seen, usual)| {
            let seen = upright.inverse() * *seen;
            AngleEstimate { angle: libm::atan2(seen.z, seen.y) - usual.angle, ..usual }
        });
        let pitch = fuse_angles(&seen.collect::<Vec<_>>())?;
        let turn = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), pitch.angle);
        let [yaw, roll] = match is_own {
            true => BY_LINE,
            false if self.body.neck.contains(&joint) => TWIST_SIGMAS,
            false => BY_MEAN,
        };
        Some((upright * turn, Vector3::new(pitch.sigma, yaw, roll)))
    }

    /// The bone to the next joint of trunk or neck, in the axes of a joint, and whether there is one: the
    /// last has its tip.
    fn bone_above(&self, joint: JointId) -> (bool, Option<Unit<Vector3<f64>>>) {
        let path = self.body.trunk.iter().chain(&self.body.neck);
        let next = path.skip_while(|&&id| id != joint).nth(1).copied();
        let bone = self.mean_in(joint, |pose| {
            let end = match next {
                Some(next) => Some(pose.positions[next.index()]),
                None => tip(self.skeleton, joint, pose, 1.0),
            };
            end.map_or(Vector3::zeros(), |end| end - pose.positions[joint.index()])
        });
        (next.is_some(), bone)
    }

    /// Lean of the world's up and of the bone of a joint, with their spread.
    fn leans(&self, joint: JointId) -> [AngleEstimate; 2] {
        let body = self.body;
        let leans = match joint {
            joint if joint == body.pelvis() => PELVIS,
            joint if joint == body.chest() => CHEST,
            joint if body.head() == Some(joint) => HEAD,
            joint if body.neck.contains(&joint) => NECK,
            _ => SPINE,
        };
        let up = AngleEstimate { sigma: leans.up.sigma * self.bent_over(), ..leans.up };
        let of_a_line = self.line && joint != body.pelvis();
        [up, if of_a_line { OF_A_LINE } else { leans.bone }]
    }

    /// Factor on the deviation of the world's up without standing frames.
    fn bent_over(&self) -> f64 {
        if self.stands { 1.0 } else { BENT_OVER }
    }

    /// Left and right joints of the chest: the bases of the collar bones, which nothing moves on the
    /// chest, where they are apart; else the upper arms.
    fn girdle(&self) -> [JointId; 2] {
        let arms = &self.body.arms;
        let uppers = arms.each_ref().map(|arm| arm.upper);
        let bases = arms.each_ref().map(|arm| arm.collar);
        let Some(pose) = self.frames.first() else { return uppers };
        let apart =
            |[a, b]: [JointId; 2]| (pose.positions[a.index()] - pose.positions[b.index()]).norm();
        match bases {
            [Some(left), Some(right)]
                if apart([left, right]) > MIN_COLLAR_DISTANCE * apart(uppers) =>
            {
                [left, right]
            }
            _ => uppers,
        }
    }

    /// The collar bone of a side, on average against the chest, its bone turned to where it is in a T
    /// pose.
    pub(crate) fn collar(&mut self, side: Side) {
        let chest = self.body.chest();
        let Some(collar) = self.body.arms[side.index()].collar else { return };
        let mean = carried(&self.upright, chest, self.frame(chest), collar);
        let points = self.collar_points(collar, side);
        self.found[collar.index()] = mean.zip(points).map(|(mean, points)| {
            let straight = collar_in_t_pose(&points, side);
            (mean * shortest_arc(&points, &straight).inverse(), COLLAR_SIGMAS.into())
        });
    }

    /// The mean direction of a collar bone, in the frame of the chest.
    fn collar_points(&self, collar: JointId, side: Side) -> Option<Unit<Vector3<f64>>> {
        let (chest, upper) = (self.body.chest(), self.body.arms[side.index()].upper);
        let chest_frame = self.frame(chest)?;
        let points = |pose: &&WorldPose| {
            let place = |id: JointId| pose.positions[id.index()];
            (pose.rotations[chest.index()] * chest_frame).inverse() * (place(upper) - place(collar))
        };
        direction(&self.upright.iter().map(points).sum())
    }
}

/// `R_parent⁻¹ R_joint` where it is the same in all frames.
pub(crate) fn constant_turn<P: Borrow<WorldPose>>(
    frames: &[P],
    parent: JointId,
    joint: JointId,
) -> Option<UnitQuaternion<f64>> {
    let turn = |pose: &P| {
        let rotations = &pose.borrow().rotations;
        rotations[parent.index()].inverse() * rotations[joint.index()]
    };
    let first = turn(frames.first()?);
    frames.iter().all(|pose| turn(pose).angle_to(&first) < MIN_ROTATION_RADIANS).then_some(first)
}

/// Returns the direction of a collar bone in the T pose, in the frame of the chest, given its mean direction
/// in a motion.
///
/// In the rest poses of 45 files it points outwards, 3.5 degrees back, spread by 10 degrees; hanging
/// arms pull it down and reaching ones forward, by some 12 degrees: the two are averaged by precision.
fn collar_in_t_pose(mean: &Unit<Vector3<f64>>, side: Side) -> Unit<Vector3<f64>> {
    const USUAL: f64 = 144.0 / (144.0 + 100.0);
    let back = 3.5_f64.to_radians();
    let usual = Vector3::new(side.sign() * libm::cos(back), 0.0, -libm::sin(back));
    direction(&(usual * USUAL + mean.into_inner() * (1.0 - USUAL))).unwrap_or(*mean)
}
