//! Limits of a foot's turn on its shin.
//!
//! Some files turn a foot over within a clip (feet that iClone solved, feet that a Kinect did not see). Up on average, in the
//! axes of such a foot, may be its sole. No ankle turns so far: what the leg says of the foot goes before that.

use crate::body::{Body, Leg, Side, sideways};
use crate::calibrate::feet::standing_indices::{USUAL_SLOPE, standing_frames};
use nalgebra::{Unit, UnitQuaternion, Vector3};
use rebone_skeleton::rotation::direction;
use rebone_skeleton::selector::select;
use rebone_skeleton::{JointId, Skeleton, WorldPose};

/// Cosine of the largest angle between the left of a foot and the axis that its knee bends about: 60 degrees. In rest poses
/// it is up to 35, in motions an ankle adds 25.
const MIN_LEFT_COSINE: f64 = 0.5;
/// Cosine of the largest angle between up in the axes of a foot that stands and up by its leg: 60 degrees.
const MIN_UP_COSINE: f64 = 0.5;
/// Share of the frames that show a foot as it was read, or not as the rest pose has it, from which on that pose is odd.
const MIN_CONFIRMED_SHARE: f64 = 0.95;
/// A foot turns over that has its sole up in more of the frames in which it stands.
const MAX_TURNED_SHARE: f64 = 0.1;
/// Fewer frames in which a foot stands do not show that.
const MIN_STANDING_FRAMES: usize = 8;

/// Knowledge of a foot besides its own motion.
#[derive(Clone, Copy, Debug)]
pub(crate) enum KnownAnkle {
    /// The frame of the shin above it.
    Shin(UnitQuaternion<f64>),
    /// Its own frame in a standing pose.
    Foot(UnitQuaternion<f64>),
}

/// Left and up of a foot in its own axes as its leg says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AnkleGuide {
    left: Unit<Vector3<f64>>,
    up: Unit<Vector3<f64>>,
    /// The shin and its frame, where the guide rests on a rest pose that need not be a body's.
    shin: Option<(JointId, UnitQuaternion<f64>)>,
}

impl AnkleGuide {
    /// A foot in the rest pose bends about the axis that its knee bends about; `ahead` points from ankle to ball in the axes
    /// of the foot.
    pub(crate) fn new(
        skeleton: &Skeleton,
        leg: &Leg,
        known: KnownAnkle,
        ahead: Option<Unit<Vector3<f64>>>,
    ) -> Option<Self> {
        let shin = match known {
            KnownAnkle::Foot(frame) => {
                let axis = |axis: Vector3<f64>| Unit::new_unchecked(frame * axis);
                return Some(Self { left: axis(Vector3::x()), up: axis(Vector3::y()), shin: None });
            }
            KnownAnkle::Shin(frame) => frame,
        };
        let ahead = ahead?;
        let rest = skeleton.rest_world();
        let turn = |id: JointId| rest.rotations[id.index()];
        let left = turn(leg.foot).inverse() * turn(leg.lower) * shin * Vector3::x();
        let over = direction(&ahead.cross(&left))?;
        let left = Unit::new_unchecked(over.cross(&ahead));
        let pitch = UnitQuaternion::from_axis_angle(&left, -USUAL_SLOPE.angle);
        Some(Self { left, up: pitch * over, shin: Some((leg.lower, shin)) })
    }

    /// Returns whether an ankle can hold a foot with that frame.
    pub(crate) fn allows(&self, foot: &UnitQuaternion<f64>) -> bool {
        (foot * Vector3::x()).dot(&self.left) > MIN_LEFT_COSINE
    }

    /// Returns whether the frames show a foot with that frame on its shin as ankles hold it, or none as the rest pose has it: then
    /// it is the rest pose that is odd.
    pub(crate) fn is_odd(
        &self,
        frames: &[WorldPose],
        foot: JointId,
        frame: &UnitQuaternion<f64>,
    ) -> bool {
        let Some((shin, shin_frame)) = self.shin else { return false };
        let share = |left_in_foot: Vector3<f64>| {
            let shows = |pose: &&WorldPose| {
                let [own, above] = [foot, shin].map(|id| pose.rotations[id.index()]);
                (own * left_in_foot).dot(&(above * shin_frame * Vector3::x())) > MIN_LEFT_COSINE
            };
            frames.iter().filter(shows).count() as f64 / frames.len() as f64
        };
        share(frame * Vector3::x()) >= MIN_CONFIRMED_SHARE
            || share(self.left.into_inner()) <= 1.0 - MIN_CONFIRMED_SHARE
    }

    /// Returns whether a pose shows the foot as its leg says: up is where an ankle can have it.
    pub(crate) fn holds_in(
        &self,
        pose: &WorldPose,
        foot: JointId,
        up: &Unit<Vector3<f64>>,
    ) -> bool {
        (pose.rotations[foot.index()] * self.up.into_inner()).dot(up) > MIN_UP_COSINE
    }

    /// The frame of the foot as its leg alone says.
    pub(crate) fn frame(&self) -> Option<UnitQuaternion<f64>> {
        sideways(&self.left, &self.up)
    }
}

/// Warnings of feet that the motion turns over: the sole faces up where the foot is below the hips and stands.
pub(crate) fn turned_over(
    skeleton: &Skeleton,
    body: &Body,
    frames: &[WorldPose],
    up: Unit<Vector3<f64>>,
    foot_frames: &[UnitQuaternion<f64>],
) -> Vec<String> {
    let warning = |side: Side| {
        let leg = &body.legs[side.index()];
        let foot = leg.foot.index();
        let is_below = |pose: &&WorldPose| {
            (pose.positions[leg.upper.index()] - pose.positions[foot]).dot(&up) > 0.0
        };
        let standing = standing_frames(leg, frames.iter().collect(), up);
        let standing: Vec<_> = standing.into_iter().filter(is_below).collect();
        let is_turned = |pose: &&&WorldPose| {
            (pose.rotations[foot] * foot_frames[foot] * Vector3::y()).dot(&up) < 0.0
        };
        let turned = standing.iter().filter(is_turned).count();
        let share = turned as f64 / standing.len().max(1) as f64;
        (share > MAX_TURNED_SHARE && standing.len() >= MIN_STANDING_FRAMES).then(|| {
            format!(
                "the clip turns {} over: its sole faces up in {:.0} % of the frames in which it stands; \
                 a retarget turns it back",
                select(skeleton, leg.foot),
                100.0 * share
            )
        })
    };
    Side::BOTH.into_iter().filter_map(warning).collect()
}
