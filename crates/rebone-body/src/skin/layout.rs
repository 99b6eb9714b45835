//! Axes of the segments of a body in its T pose, and the segment that each joint moves.

use crate::body::surface::{ALONG, AROUND, RadialField};
use crate::body::{Anatomy, BodySegment, Side, arm_in_t_pose, finger_tip, hanging_leg, tip_of};
use nalgebra::{UnitQuaternion, Vector3};
use rebone_skeleton::JointId;
use rebone_skeleton::rotation::{direction, shortest_arc};

/// Borders of pelvis, belly and chest as shares of the trunk, from the thigh joints to the neck.
pub(super) const TRUNK_BORDERS: [f64; 4] = [0.0, 0.3, 0.55, 0.9];
/// Length of the trunk of a body without neck and head above its shoulders, metres.
const SHOULDER_TO_NECK_METRES: f64 = 0.06;
/// Height of a head over its joint where nothing tells it, metres.
const HEAD_METRES: f64 = 0.21;
/// Length of a hand whose fingers nothing tells, as a share of the forearm.
const HAND_SHARE: f64 = 0.7;
/// Length of a foot whose toes nothing tells, metres.
const FOOT_METRES: f64 = 0.16;

/// The axis of a segment in the T pose.
#[derive(Clone, Copy, Debug)]
pub(super) struct SegmentAxis {
    pub(super) segment: BodySegment,
    pub(super) joint: JointId,
    /// The low end, metres of a 1.7 m body.
    pub(super) origin: Vector3<f64>,
    /// Rotation of the segment's axes in the world of the T pose: +Y runs along the axis.
    pub(super) rotation: UnitQuaternion<f64>,
    /// Length from joint to joint, or to the tip.
    pub(super) length: f64,
}

impl SegmentAxis {
    fn new(
        segment: BodySegment,
        joint: JointId,
        [from, to]: [Vector3<f64>; 2],
        frame: UnitQuaternion<f64>,
    ) -> Option<Self> {
        let along = direction(&(to - from))?;
        let own = direction(&(frame * Vector3::y()))?;
        let rotation = shortest_arc(&own, &along) * frame;
        Some(Self { segment, joint, origin: from, rotation, length: (to - from).norm() })
    }

    /// Returns a field without radii along a line parallel to the axis, given its low end in the axes of the segment.
    pub(super) fn field(&self, anatomy: &Anatomy, foot: Vector3<f64>, length: f64) -> RadialField {
        let joint_from_world = anatomy.t_pose.rotations[self.joint.index()].inverse();
        let origin = self.origin + self.rotation * foot - anatomy.place(self.joint);
        RadialField {
            joint: self.joint,
            joint_from_field: joint_from_world * self.rotation,
            origin: joint_from_world * origin,
            length,
            radii: [[0.0; AROUND]; ALONG],
            bound: 0.0,
        }
    }
}

/// Returns the axes of all segments that a body has.
pub(super) fn segment_axes(anatomy: &Anatomy) -> Vec<SegmentAxis> {
    let mut axes = trunk_axes(anatomy);
    let body = &anatomy.body;
    let upright = UnitQuaternion::identity();
    if let Some(head) = body.head() {
        if let [first, _, ..] = *body.neck {
            let line = [anatomy.place(first), anatomy.place(head)];
            axes.extend(SegmentAxis::new(BodySegment::Neck, first, line, upright));
        }
        let foot = anatomy.place(head);
        let top = tip_of(anatomy, head).map_or(HEAD_METRES, |tip| (tip - foot).y);
        let top = top.clamp(HEAD_METRES / 2.0, 4.0 * HEAD_METRES);
        let line = [foot, foot + Vector3::y() * top];
        axes.extend(SegmentAxis::new(BodySegment::Head, head, line, upright));
    }
    for side in Side::BOTH {
        axes.extend(arm_axes(anatomy, side).into_iter().flatten());
        axes.extend(leg_axes(anatomy, side).into_iter().flatten());
    }
    axes.sort_by_key(|axis| axis.segment);
    axes
}

/// Returns the height of the top of the trunk in the T pose.
pub(super) fn trunk_top(anatomy: &Anatomy) -> f64 {
    let shoulders = anatomy.middle(anatomy.shoulders()).y;
    match anatomy.body.neck.first() {
        Some(&first) => anatomy.place(first).y.max(shoulders),
        None => shoulders + SHOULDER_TO_NECK_METRES,
    }
}

fn trunk_axes(anatomy: &Anatomy) -> Vec<SegmentAxis> {
    let body = &anatomy.body;
    let low = anatomy.middle(anatomy.hips());
    let top = trunk_top(anatomy);
    let at = |share: f64| Vector3::new(low.x, low.y + (top - low.y) * share, low.z);
    let carrier = |share: f64| {
        let below = |joint: &&JointId| anatomy.place(**joint).y <= at(share).y;
        let highest =
            |a: &&JointId, b: &&JointId| anatomy.place(**a).y.total_cmp(&anatomy.place(**b).y);
        body.trunk.iter().filter(below).max_by(highest).copied().unwrap_or(body.pelvis())
    };
    let belly = carrier((TRUNK_BORDERS[1] + TRUNK_BORDERS[2]) / 2.0);
    let parts = [
        (BodySegment::Pelvis, body.pelvis()),
        (BodySegment::Belly, belly),
        (BodySegment::Chest, body.chest()),
    ];
    let axis = |(k, (segment, joint)): (usize, (BodySegment, JointId))| {
        let line = [at(TRUNK_BORDERS[k]), at(TRUNK_BORDERS[k + 1])];
        SegmentAxis::new(segment, joint, line, UnitQuaternion::identity())
    };
    parts.into_iter().enumerate().filter_map(axis).collect()
}

fn arm_axes(anatomy: &Anatomy, side: Side) -> [Option<SegmentAxis>; 3] {
    let arm = &anatomy.body.arms[side.index()];
    let frame = arm_in_t_pose(side);
    let (elbow, wrist) = (anatomy.place(arm.lower), anatomy.point(arm.wrist));
    let hand = arm.hand.and_then(|hand| {
        let middle = &arm.fingers[2];
        let found = finger_tip(anatomy, middle).filter(|_| !middle.is_empty());
        let reach = found.map(|tip| (tip - wrist).norm()).or_else(|| {
            let tips = arm.fingers.iter().filter(|finger| !finger.is_empty());
            let reach = |finger: &Vec<JointId>| Some((finger_tip(anatomy, finger)? - wrist).norm());
            tips.filter_map(reach).max_by(f64::total_cmp)
        });
        let usual = HAND_SHARE * (wrist - elbow).norm();
        let reach = reach.unwrap_or(usual).clamp(0.5 * usual, 2.0 * usual);
        let tip = wrist + frame * Vector3::y() * reach;
        SegmentAxis::new(BodySegment::Hand(side), hand, [wrist, tip], frame)
    });
    let line = [anatomy.place(arm.upper), elbow];
    [
        SegmentAxis::new(BodySegment::UpperArm(side), arm.upper, line, frame),
        SegmentAxis::new(BodySegment::Forearm(side), arm.lower, [elbow, wrist], frame),
        hand,
    ]
}

fn leg_axes(anatomy: &Anatomy, side: Side) -> [Option<SegmentAxis>; 3] {
    let leg = &anatomy.body.legs[side.index()];
    let frame = hanging_leg();
    let [hip, knee, ankle] = [leg.upper, leg.lower, leg.foot].map(|joint| anatomy.place(joint));
    let toes =
        leg.toes.and_then(|toes| tip_of(anatomy, toes)).or_else(|| tip_of(anatomy, leg.foot));
    let ahead = toes.map_or(0.0, |toes| (toes - ankle).z).max(FOOT_METRES);
    // A level foot: its axis points ahead, its back to the sole.
    let level = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::FRAC_PI_2);
    [
        SegmentAxis::new(BodySegment::Thigh(side), leg.upper, [hip, knee], frame),
        SegmentAxis::new(BodySegment::Shin(side), leg.lower, [knee, ankle], frame),
        SegmentAxis::new(
            BodySegment::Foot(side),
            leg.foot,
            [ankle, ankle + Vector3::z() * ahead],
            level,
        ),
    ]
}

/// Returns for each joint the segment whose skin it moves; joints of the trunk are of the pelvis here. Tools that hang below
/// a hand are of no segment.
pub(super) fn owners(anatomy: &Anatomy) -> Vec<Option<BodySegment>> {
    let body = &anatomy.body;
    let mut own: Vec<Option<BodySegment>> = vec![None; anatomy.skeleton.len()];
    let mut set = |joint: &JointId, segment| own[joint.index()] = Some(segment);
    body.trunk.iter().for_each(|joint| set(joint, BodySegment::Pelvis));
    body.neck.iter().for_each(|joint| set(joint, BodySegment::Neck));
    body.head().iter().for_each(|joint| set(joint, BodySegment::Head));
    for side in Side::BOTH {
        let (arm, leg) = (&body.arms[side.index()], &body.legs[side.index()]);
        arm.collar.iter().for_each(|joint| set(joint, BodySegment::Chest));
        let upper = arm.upper_twist.iter().chain([&arm.upper]);
        upper.for_each(|joint| set(joint, BodySegment::UpperArm(side)));
        let lower = arm.lower_twist.iter().chain([&arm.lower]);
        lower.for_each(|joint| set(joint, BodySegment::Forearm(side)));
        let fingers = arm.fingers.iter().chain(&arm.metacarpals).flatten().chain(&arm.hand);
        fingers.for_each(|joint| set(joint, BodySegment::Hand(side)));
        leg.hip_bones.iter().for_each(|joint| set(joint, BodySegment::Pelvis));
        let upper = leg.upper_twist.iter().chain([&leg.upper]);
        upper.for_each(|joint| set(joint, BodySegment::Thigh(side)));
        let lower = leg.lower_twist.iter().chain([&leg.lower]);
        lower.for_each(|joint| set(joint, BodySegment::Shin(side)));
        leg.foot_and_toes().for_each(|joint| set(&joint, BodySegment::Foot(side)));
    }
    let fingers = |side: Side| body.arms[side.index()].fingers.iter().flatten().next();
    for id in anatomy.skeleton.ids() {
        let Some(parent) = anatomy.skeleton[id].parent else { continue };
        let above = own[parent.index()];
        let is_tool = match above {
            // A hand without fingers may have its skin on the joint below.
            Some(BodySegment::Hand(side)) => {
                fingers(side).is_some() || body.arms[side.index()].hand != Some(parent)
            }
            _ => false,
        };
        if own[id.index()].is_none() && !is_tool {
            own[id.index()] = above;
        }
    }
    own
}
