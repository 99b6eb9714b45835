//! Soles: of a motion, and of poses that hold the feet level.
//!
//! In standing poses, the ball of the foot is lower than the ankle: by 7 degrees in the flattest of
//! the poses that were met, by 56 in high heels. Some rest poses stand otherwise like people but have
//! ankle and ball level: either the rig is drawn so, or its zero pose lifts the toes. The motion shows which.

use crate::body::{
    Body, LEVEL_PITCH_SIGMA, Leg, STANDING_PITCH_SIGMA, SoleSource, frame, sideways,
};
use crate::calibrate::calibration::{Calibration, MAX_MOTION_FRAMES, MIN_MOTION_FRAMES, spread};
use crate::calibrate::feet::ankle::{AnkleGuide, KnownAnkle, turned_over};
use crate::calibrate::feet::foot::{MIN_BENT_SOLE_SINE, ball_or_tip, end_count, toes_ahead};
use crate::calibrate::feet::standing_indices::{MAX_STANDING_HEIGHT, USUAL_SLOPE, standing_frames};
use crate::calibrate::fusion::angle_fusion::{AngleEstimate, fuse_angles};
use crate::calibrate::fusion::estimate::{Estimate, carried};
use crate::poses;
use nalgebra::{Unit, UnitQuaternion, Vector3};
use rebone_skeleton::rotation::direction;
use rebone_skeleton::{Clip, JointId, Pose, Skeleton, WorldPose};

/// A foot is level whose ball is not lower than its ankle by this share of the way: 5 degrees.
const MAX_LEVEL_SLOPE: f64 = 0.087;

/// Standard deviations of a foot from standing frames about its axes other than pitch.
const FOOT_SIGMAS: [f64; 2] = [7_f64.to_radians(), 10_f64.to_radians()];
/// Standard deviation of the pitch of a foot that never stands.
const NEVER_STANDS: f64 = 35_f64.to_radians();
/// Standard deviation of the difference between the slopes of both feet.
const SIDE_DIFFERENCE_SIGMA: f64 = 4_f64.to_radians();
/// Takes the soles from the motion where the calibration pose holds the feet level.
pub(crate) fn read_level_feet(
    skeleton: &Skeleton,
    body: &Body,
    clip: &Clip,
    calibration: &mut Calibration,
) {
    let pose = Pose { rotations: calibration.locals.clone(), ..skeleton.rest_pose() };
    let pose = poses::world_of(skeleton, &pose);
    let is_level = |leg: &&Leg| -> bool {
        let ball = ball_or_tip(skeleton, leg, &pose);
        let ahead = ball.map(|ball| ball - pose.positions[leg.foot.index()]);
        let ahead = ahead.and_then(|ahead| direction(&ahead));
        ahead.is_some_and(|ahead| ahead.dot(&calibration.up) > -MAX_LEVEL_SLOPE)
    };
    let level: Vec<&Leg> = body.legs.iter().filter(is_level).collect();
    if level.is_empty() {
        return;
    }
    calibration.soles = SoleSource::LevelPose;
    let feet = || level.iter().flat_map(|leg| leg.foot_and_toes());
    feet().for_each(|joint| calibration.sigmas[joint.index()].x = LEVEL_PITCH_SIGMA);
    if clip.len() < MIN_MOTION_FRAMES {
        return;
    }
    let frames: Vec<WorldPose> = spread(skeleton, clip, MAX_MOTION_FRAMES);
    let own = |leg: &Leg| Some(KnownAnkle::Foot(calibration.frames[leg.foot.index()]));
    let known = body.legs.each_ref().map(own);
    let standing = feet_from_motion(skeleton, body, &frames, calibration.up, known);
    for (joint, (frame, sigma)) in standing.into_iter().flatten() {
        if feet().any(|foot| foot == joint) {
            calibration.frames[joint.index()] = frame;
            calibration.sigmas[joint.index()] = sigma;
        }
    }
    calibration.soles = SoleSource::Motion;
    let warnings = turned_over(skeleton, body, &frames, calibration.up, &calibration.frames);
    calibration.warnings.extend(warnings);
}

/// A foot as frames say in which it may stand.
struct Standing<'a> {
    frames: Vec<&'a WorldPose>,
    /// The frame of the foot in its own axes.
    frame: UnitQuaternion<f64>,
    /// Slope of the line from ankle to ball in it, where there is a ball or a tip.
    slope: Option<AngleEstimate>,
    /// True where no frame shows the foot as an ankle can hold it: `frame` is then what its leg says.
    never_stands: bool,
}

/// The frames of foot and toes of both sides in their own axes: up is the world's up while the foot
/// stands. Both feet slope alike, and as feet do. No foot is turned as no ankle can hold it by what is `known` of it.
pub(crate) fn feet_from_motion(
    skeleton: &Skeleton,
    body: &Body,
    frames: &[WorldPose],
    up: Unit<Vector3<f64>>,
    known: [Option<KnownAnkle>; 2],
) -> [Vec<(JointId, Estimate)>; 2] {
    let feet = [0, 1].map(|k| Standing::on_ankle(skeleton, &body.legs[k], frames, up, known[k]));
    let height = |foot: &Standing, leg: &Leg| {
        let heights = foot.frames.iter().map(|pose| pose.positions[leg.foot.index()].dot(&up));
        heights.sum::<f64>() / foot.frames.len() as f64
    };
    let heights = [0, 1].map(|k| feet[k].as_ref().map(|foot| height(foot, &body.legs[k])));
    let slopes = [0, 1].map(|k| {
        let leg = &body.legs[k];
        let shin = frames.first().map(|pose| {
            (pose.positions[leg.foot.index()] - pose.positions[leg.lower.index()]).norm()
        });
        let raised = heights[k]
            .zip(heights[1 - k])
            .zip(shin)
            .is_some_and(|((own, other), shin)| own - other > MAX_STANDING_HEIGHT * shin);
        let foot = feet[k].as_ref()?;
        let slope = foot.slope?;
        Some(if raised || foot.never_stands {
            AngleEstimate { sigma: NEVER_STANDS, ..slope }
        } else {
            slope
        })
    });
    [0, 1].map(|k| match &feet[k] {
        None => Vec::new(),
        Some(foot) => foot.corrected(&body.legs[k], slopes[k], slopes[1 - k]),
    })
}

impl<'a> Standing<'a> {
    /// The foot as the frames show it, without those that turn it over. Where no ankle can hold it so, it is read off the
    /// frames in which one can; where there are none, it is as its leg says.
    fn on_ankle(
        skeleton: &Skeleton,
        leg: &Leg,
        frames: &'a [WorldPose],
        up: Unit<Vector3<f64>>,
        known: Option<KnownAnkle>,
    ) -> Option<Self> {
        let all: Vec<&WorldPose> = frames.iter().collect();
        let mut standing = standing_frames(leg, all.clone(), up);
        let first = Self::read(skeleton, leg, frames, standing.clone(), up)?;
        let ahead = ahead_in_foot(skeleton, leg);
        let guide = known.and_then(|known| AnkleGuide::new(skeleton, leg, known, ahead));
        let is_impossible = |guide: &AnkleGuide| {
            !guide.allows(&first.frame) && !guide.is_odd(frames, leg.foot, &first.frame)
        };
        let Some(guide) = guide.filter(is_impossible) else {
            let own_up = first.frame * Vector3::y();
            standing.retain(|pose| (pose.rotations[leg.foot.index()] * own_up).dot(&up) > 0.0);
            return match standing.len() == first.frames.len() {
                true => Some(first),
                false => Self::read(skeleton, leg, frames, standing, up).or(Some(first)),
            };
        };
        let held = all.into_iter().filter(|pose| guide.holds_in(pose, leg.foot, &up)).collect();
        let standing = standing_frames(leg, held, up);
        let second = Self::read(skeleton, leg, frames, standing, up);
        second.filter(|second| guide.allows(&second.frame)).or_else(|| {
            let frame = guide.frame()?;
            let slope = ahead.map(|ahead| slope_in(frame, ahead, NEVER_STANDS));
            Some(Self { frame, slope, never_stands: true, ..first })
        })
    }

    /// The foot as it stands in some of the frames.
    fn read(
        skeleton: &Skeleton,
        leg: &Leg,
        all: &[WorldPose],
        standing: Vec<&'a WorldPose>,
        up: Unit<Vector3<f64>>,
    ) -> Option<Self> {
        let own = |pose: &WorldPose| pose.rotations[leg.foot.index()].inverse();
        let mean_up = direction(&standing.iter().map(|pose| own(pose) * *up).sum())?;
        let ahead = ahead_in_foot(skeleton, leg);
        let left = ahead.map(|ahead| mean_up.cross(&ahead));
        let frame = match (toe_axis(skeleton, leg, all), left) {
            (Some(axis), Some(left)) => sideways(&(axis * axis.dot(&left).signum()), &mean_up),
            (Some(axis), None) => sideways(&axis, &mean_up),
            (None, left) => frame(&mean_up, &left?),
        }?;
        let scatter = standing.iter().map(|pose| (own(pose) * *up).angle(&mean_up).powi(2));
        let scatter = (scatter.sum::<f64>() / standing.len() as f64).sqrt();
        let sigma = libm::hypot(STANDING_PITCH_SIGMA, scatter);
        let slope = ahead.map(|ahead| slope_in(frame, ahead, sigma));
        Some(Self { frames: standing, frame, slope, never_stands: false })
    }

    /// The frames of foot and toes, pitched as its own slope, the other foot's and what is usual say.
    fn corrected(
        &self,
        leg: &Leg,
        own: Option<AngleEstimate>,
        other: Option<AngleEstimate>,
    ) -> Vec<(JointId, Estimate)> {
        let other = other.map(|other| AngleEstimate {
            sigma: libm::hypot(other.sigma, SIDE_DIFFERENCE_SIGMA),
            ..other
        });
        let slopes: Vec<AngleEstimate> = own
            .map(|own| [own, USUAL_SLOPE].into_iter().chain(other).collect())
            .unwrap_or_default();
        let slope = fuse_angles(&slopes).zip(self.slope);
        let pitch = slope.map_or(0.0, |(fused, own)| fused.angle - own.angle);
        let frame = self.frame * UnitQuaternion::from_axis_angle(&Vector3::x_axis(), pitch);
        let sigma = Vector3::new(
            slope.map_or(STANDING_PITCH_SIGMA, |(fused, _)| fused.sigma),
            FOOT_SIGMAS[0],
            FOOT_SIGMAS[1],
        );
        let toes = leg
            .toes
            .and_then(|toes| Some((toes, carried(&self.frames, leg.foot, Some(frame), toes)?)));
        let both = [(leg.foot, frame)].into_iter().chain(toes);
        both.map(|(joint, frame)| (joint, (frame, sigma))).collect()
    }
}

/// Returns the direction from the ankle to the ball, or else to the end of the foot, in the axes of the foot.
pub(crate) fn ahead_in_foot(skeleton: &Skeleton, leg: &Leg) -> Option<Unit<Vector3<f64>>> {
    let ball = leg.toes.map(|toes| skeleton[toes].rest_translation);
    let sites = skeleton.end_sites_of(leg.foot).map(|site| site.offset);
    let children = skeleton.children(leg.foot).map(|child| skeleton[child].rest_translation);
    let ends = sites.chain(children).filter(|end| end.norm() > 1e-9);
    let farthest = ends.max_by(|a, b| a.norm().total_cmp(&b.norm()));
    ball.or(farthest).and_then(|ahead| direction(&ahead))
}

/// The slope of the line from ankle to ball in the frame of a foot.
fn slope_in(frame: UnitQuaternion<f64>, ahead: Unit<Vector3<f64>>, sigma: f64) -> AngleEstimate {
    let ahead = frame.inverse() * *ahead;
    AngleEstimate { angle: libm::atan2(ahead.y, ahead.z), sigma }
}

/// The axis that the toes bend about in the axes of the foot: ankle, ball and tip of the toes lie in one
/// plane, upright in each of 30 rest poses to 4 degrees, however the toes are bent. `None` where there is
/// no one tip or the three are in line.
fn toe_axis(skeleton: &Skeleton, leg: &Leg, frames: &[WorldPose]) -> Option<Vector3<f64>> {
    let toes = leg.toes.filter(|&toes| end_count(skeleton, toes) == 1)?;
    let normal = |pose: &WorldPose| {
        let ball = pose.positions[toes.index()];
        let ahead = direction(&(ball - pose.positions[leg.foot.index()]))?;
        let tip = direction(&toes_ahead(skeleton, toes, pose)?)?;
        Some(pose.rotations[leg.foot.index()].inverse() * tip.cross(&ahead))
    };
    let mean = frames.iter().filter_map(normal).sum::<Vector3<f64>>() / frames.len() as f64;
    (mean.norm() > MIN_BENT_SOLE_SINE).then_some(mean)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::{Hints, analyse};

    #[test]
    fn a_foot_that_is_hardly_ever_down_stands_only_there() {
        let walk = rebone_samples::walk().motion;
        let anatomy = analyse(&walk, &Hints::default()).unwrap();
        let leg = &anatomy.body.legs[0];
        let place = |joint: JointId| anatomy.t_pose.positions[joint.index()];
        let shin = (place(leg.lower) - place(leg.foot)).norm();
        let count = |down: usize, rise: f64| {
            let raised = |frame: usize| {
                let mut pose = anatomy.t_pose.clone();
                let height = if frame < down { 0.0 } else { rise * shin };
                pose.positions[leg.foot.index()].y += height;
                pose
            };
            let frames: Vec<_> = (0..100).map(raised).collect();
            standing_frames(leg, frames.iter().collect(), Vector3::y_axis()).len()
        };
        assert_eq!(count(100, 0.5), 20);
        assert_eq!(count(8, 0.5), 8);
        assert_eq!(count(8, 0.1), 20, "level enough");
        assert_eq!(count(2, 0.5), 20, "a stumble");
    }
}
