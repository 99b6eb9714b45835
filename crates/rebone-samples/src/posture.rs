//! From what a body does at one instant to the pose of the capture skeleton.

use super::body::ADULT;
use super::capture::{Arm, Capture, Leg};
use super::foot::{Foot, FootPlan};
use super::two_bone::{about, carry, mirror, turn, two_bones};
use super::{GroundTruthContact, Sample, SamplePart};
use nalgebra::{Unit, UnitQuaternion, Vector3};
use rebone_skeleton::rotation::swing_twist;
use rebone_skeleton::{Axis, Clip, Motion, Pose, WorldPose};
use rebone_skeleton::{JointId, forward_kinematics};

/// What a body does at one instant. World rotations are relative to the rest pose.
#[derive(Clone, Debug)]
pub(super) struct Posture {
    /// Where the hips joint is in the world, in cm.
    pub(super) hips: Vector3<f64>,
    /// The turn of the pelvis in the world.
    pub(super) pelvis: UnitQuaternion<f64>,
    /// The turn of the chest in the world.
    pub(super) chest: UnitQuaternion<f64>,
    /// The turn of the head in the world.
    pub(super) head: UnitQuaternion<f64>,
    /// Left, right.
    pub(super) feet: [Foot; 2],
    /// Left, right.
    pub(super) arms: [ArmPosture; 2],
}

/// What an arm does at one instant.
#[derive(Clone, Copy, Debug)]
pub(super) struct ArmPosture {
    /// Degrees: arm forward from hanging; arm outward; turned inward about itself; elbow bent;
    /// forearm turned inward from thumb forward; wrist bent to the palm.
    pub(super) angles: [f64; 6],
    /// Degrees: collar up; collar forward.
    pub(super) collar: [f64; 2],
    /// How far thumb, index, middle, ring and little finger are curled (1 a fist); spread, degrees.
    pub(super) hand: [f64; 6],
    /// Where the hand is wanted, if it is.
    pub(super) reach: Option<Reach>,
}

/// A wanted place of a hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    /// 0: the angles alone; 1: the wrist is at its place.
    pub(super) weight: f64,
    /// Where the wrist is wanted in the world, in cm.
    pub(super) wrist: Vector3<f64>,
    /// Which way the elbow is pushed.
    pub(super) elbow: Vector3<f64>,
    /// The turn of the hand in the world.
    pub(super) hand: UnitQuaternion<f64>,
}

/// Left and right: the sign of X.
pub(super) const SIGNS: [f64; 2] = [1.0, -1.0];

/// Plays a clip: `posture` gives the posture at each frame's time; feet come from their plans.
pub(super) fn play(
    (name, about): (&'static str, &'static str),
    (seconds, rate): (f64, f64),
    plans: &[FootPlan; 2],
    posture: impl Fn(f64) -> Posture,
) -> Sample {
    let body = Capture::new();
    let count = (seconds * rate).round() as usize + 1;
    let poses = (0..count).map(|frame| body.pose(&posture(frame as f64 / rate)));
    let clip = Clip::from_poses(&body.skeleton, 1.0 / rate, poses);
    let clip = clip.expect("the poses are of the body");
    let feet = SamplePart::FEET.into_iter().zip(plans);
    let foot_plants = feet.clone().flat_map(|(foot, plan)| {
        plan.planted.iter().map(move |&seconds| GroundTruthContact::new(foot, seconds, rate))
    });
    let contacts = feet.flat_map(|(foot, plan)| {
        let begins = [0.0].into_iter().chain(plan.lifted.iter().map(|lifted| lifted.1));
        let ends = plan.lifted.iter().map(|lifted| lifted.0).chain([seconds]);
        begins.zip(ends).map(move |times| GroundTruthContact::new(foot, times, rate))
    });
    let (foot_plants, contacts) = (foot_plants.collect(), contacts.collect());
    Sample { name, about, motion: Motion { skeleton: body.skeleton, clip }, foot_plants, contacts }
}

impl Capture {
    /// The pose of a posture: trunk and head as they are given, limbs so that they get there.
    pub(super) fn pose(&self, posture: &Posture) -> Pose {
        let mut pose = self.skeleton.rest_pose();
        pose.translations[self.hips.index()] = posture.hips;
        pose.rotations[self.hips.index()] = posture.pelvis;
        let bend = posture.pelvis.inverse() * posture.chest;
        for joint in self.spine {
            pose.rotations[joint.index()] = bend.powf(0.25);
        }
        let nod = posture.chest.inverse() * posture.head;
        for (joint, share) in self.neck.into_iter().zip([0.3, 0.3, 0.4]) {
            pose.rotations[joint.index()] = nod.powf(share);
        }
        for (side, sign) in SIGNS.into_iter().enumerate() {
            let arm = posture.arms[side];
            set_angles(&mut pose, &self.arms[side], sign, &arm);
        }
        let world = forward_kinematics(&self.skeleton, &pose).expect("the pose is of the body");
        for (side, sign) in SIGNS.into_iter().enumerate() {
            set_leg(&mut pose, &world, &self.legs[side], posture.pelvis, &posture.feet[side]);
            if let Some(reach) = posture.arms[side].reach {
                set_reach(&mut pose, &world, &self.arms[side], sign, &reach);
            }
        }
        pose
    }
}

/// Sets collar, arm, wrist and fingers by their angles.
fn set_angles(pose: &mut Pose, ids: &Arm, sign: f64, arm: &ArmPosture) {
    let mut set = |joint: JointId, left: UnitQuaternion<f64>| {
        pose.rotations[joint.index()] = if sign > 0.0 { left } else { mirror(left) };
    };
    let [x, y, z] = Axis::ALL.map(Axis::unit);
    let [forward, out, inward, elbow, pronation, wrist] = arm.angles;
    let raise = about(x, -forward) * about(z, out - 90.0);
    let points = raise * Vector3::x();
    let [up, ahead] = arm.collar;
    // The collar bone follows an arm that goes up or forward; the arm then turns by that much less.
    let collar = turn(-ahead - 9.0 * points.z, 0.0, up + 7.0 * (1.0 + points.y));
    set(ids.collar, collar);
    set(ids.upper, collar.inverse() * raise * about(x, inward));
    set(ids.fore, about(y, -elbow) * about(x, pronation));
    set(ids.hand, about(z, -wrist));
    let across = Unit::new_normalize(Vector3::new(0.6036, 0.5733, -0.5541));
    for (finger, joints) in ids.fingers.into_iter().enumerate() {
        let (curl, spread) = (arm.hand[finger], arm.hand[5] * (1.5 - finger as f64) / 1.5);
        let bends = if finger == 0 {
            [turn(24.0 * curl - arm.hand[5], 42.0 * curl, 0.0), about(across, 38.0 * curl)]
                .into_iter()
                .chain([about(across, 52.0 * curl)])
                .collect::<Vec<_>>()
        } else {
            let aside = about(y, -spread * (1.0 - curl));
            vec![aside * about(z, -80.0 * curl), about(z, -98.0 * curl), about(z, -62.0 * curl)]
        };
        for (joint, bend) in joints.into_iter().zip(bends) {
            set(joint, bend);
        }
    }
}

/// Lays thigh and shin so that the ankle is at its place, and turns foot and toes.
fn set_leg(
    pose: &mut Pose,
    world: &WorldPose,
    ids: &Leg,
    pelvis: UnitQuaternion<f64>,
    foot: &Foot,
) {
    let reach = foot.ankle - world.positions[ids.thigh.index()];
    let bones = two_bones(&reach, &foot.knee, [ADULT.thigh, ADULT.shin]);
    let rest = (-Vector3::y(), Vector3::x());
    let thigh = carry(rest, (bones.upper, bones.axis));
    let shin = carry(rest, (bones.lower, bones.axis));
    pose.rotations[ids.thigh.index()] = pelvis.inverse() * thigh;
    pose.rotations[ids.shin.index()] = thigh.inverse() * shin;
    pose.rotations[ids.foot.index()] = shin.inverse() * foot.turn;
    pose.rotations[ids.toes.index()] = about(Axis::X.unit(), -foot.bend);
}

/// Turns upper arm, forearm and hand towards those that put the wrist at its place.
fn set_reach(pose: &mut Pose, world: &WorldPose, ids: &Arm, sign: f64, reach: &Reach) {
    let way = reach.wrist - world.positions[ids.upper.index()];
    let bones = two_bones(&way, &reach.elbow, [ADULT.upper_arm, ADULT.forearm]);
    let rest = (Vector3::x() * sign, Vector3::y() * -sign);
    let upper = carry(rest, (bones.upper, bones.axis));
    let fore = carry(rest, (bones.lower, bones.axis));
    let (_, twist) = swing_twist(&(fore.inverse() * reach.hand), &Axis::X.unit());
    let fore = fore * twist;
    let collar = world.rotations[ids.collar.index()];
    let locals = [
        (ids.upper, collar.inverse() * upper),
        (ids.fore, upper.inverse() * fore),
        (ids.hand, fore.inverse() * reach.hand),
    ];
    for (joint, local) in locals {
        let rotation = &mut pose.rotations[joint.index()];
        // Hinge and axial turn one by one, so that the elbow stays a hinge on the way.
        let parts = [*rotation, local].map(|rotation| swing_twist(&rotation, &Axis::X.unit()));
        let [(swing, twist), (to_swing, to_twist)] = parts;
        *rotation = swing.slerp(&to_swing, reach.weight) * twist.slerp(&to_twist, reach.weight);
    }
}
