//! Estimates which of the six axes of a file is up, from all evidence.

use super::known::FormatUp;
use crate::body::{Body, Leg, Side, SignedAxis};
use nalgebra::{Unit, Vector3};
use rebone_skeleton::rotation::direction;
use rebone_skeleton::{Axis, WorldPose};

/// Prior probability of each axis being up, by X, Y, Z; and of one of the opposite ones.
const AXIS_PRIORS: [f64; 3] = [0.025, 0.5, 0.4];
const OPPOSITE_PRIOR: f64 = 0.025;
/// Log-odds of the axis along which the body stands in the rest pose.
const REST_LOG_ODDS: f64 = 5.0;
/// Log-odds of an axis along which trunk and legs stand in all frames.
const POSTURE_LOG_ODDS: f64 = 5.0;
/// Standard deviation of the height of a body's lowest point on a floor, in lengths of the body; and how many
/// witnesses a floor is worth.
const FLOOR_SIGMA: f64 = 0.02;
const FLOOR_WEIGHT: f64 = 2.0;

/// Log-odds of each axis and its opposite being up, from a motion.
///
/// Log-odds are added: what is usual, the rest pose, where trunk and legs point on average, how little the lowest place
/// changes, and in a file how near to zero it is. Falling was found to show nothing: the skew of a body's
/// acceleration is no larger along up than across.
pub(crate) struct UpOdds([(Unit<Vector3<f64>>, f64); 6]);

impl UpOdds {
    /// Of frames of a motion; `has_floor` where floors are usually at zero, as in files.
    pub(crate) fn of(body: &Body, frames: &[WorldPose], has_floor: bool) -> Self {
        let posture = posture(body, frames);
        let odds = |up: Unit<Vector3<f64>>| {
            let usual = (0..3).find(|&k| up[k] > 0.5).map_or(OPPOSITE_PRIOR, |k| AXIS_PRIORS[k]);
            let [level, change] = floor(body, frames, up);
            let off_zero = if has_floor { libm::log(FLOOR_SIGMA + level.abs()) } else { 0.0 };
            libm::log(usual) + POSTURE_LOG_ODDS * posture.dot(&up)
                - FLOOR_WEIGHT * libm::log(FLOOR_SIGMA + change)
                - off_zero
        };
        let [x, y, z] = Axis::ALL.map(Axis::unit);
        Self([x, -x, y, -y, z, -z].map(|up| (up, odds(up))))
    }

    /// The likeliest up. `stands`: along what the body stands in the file's rest pose, or the usual axis where it does not.
    pub(crate) fn likeliest(&self, stands: Option<Unit<Vector3<f64>>>) -> Unit<Vector3<f64>> {
        let rest =
            |up| if stands.is_some_and(|own| is_same(own, up)) { REST_LOG_ODDS } else { 0.0 };
        let all = self.0.iter().map(|&(up, odds)| (up, odds + rest(up)));
        all.max_by(|a, b| a.1.total_cmp(&b.1)).map_or(Vector3::y_axis(), |(up, _)| up)
    }
}

/// Up of a file by its format, a pose and its motion.
#[derive(Clone, Copy, Debug)]
struct UpEvidence {
    /// Axis that the format fixes: it holds unless pose and motion both show another axis.
    format: Option<Unit<Vector3<f64>>>,
    /// Along what the body stands in the calibration pose, where it stands.
    pose: Option<Unit<Vector3<f64>>>,
    /// Axis that the motion shows, where there is one.
    motion: Option<Unit<Vector3<f64>>>,
}

impl UpEvidence {
    /// The axis that pose and motion agree on, or that the format fixes; `None` where neither is so.
    fn agreed(&self) -> Option<Unit<Vector3<f64>>> {
        let both = self.pose.zip(self.motion).filter(|(pose, motion)| is_same(*pose, *motion));
        both.map(|(pose, _)| pose).or(self.format)
    }

    /// The question that is left where only one of pose, motion and format (of others the usual +Y) says that `up` is up. A
    /// pose in which the body stands is enough without a motion.
    fn question(&self, up: Unit<Vector3<f64>>) -> Option<String> {
        let says = |own: Option<Unit<Vector3<f64>>>| own.is_some_and(|own| is_same(own, up));
        let format = Some(self.format.unwrap_or(Vector3::y_axis()));
        let count = [self.pose, self.motion, format].into_iter().filter(|own| says(*own)).count();
        let shows = |own: Option<Unit<Vector3<f64>>>, what: &str| {
            let other = own.filter(|own| !is_same(*own, up))?;
            Some(format!("{what} {}", SignedAxis::nearest(&other)))
        };
        let others = [
            shows(self.pose, "in the calibration pose the body stands along"),
            shows(self.motion, "in the motion trunk and legs point along"),
            shows(format, "usual is"),
        ];
        let others: Vec<String> = others.into_iter().flatten().collect();
        let is_sure = count > 1 || says(self.pose) && self.motion.is_none() || others.is_empty();
        let up = SignedAxis::nearest(&up);
        (!is_sure).then(|| format!("is {up} up? {}: state it with --up", others.join(", ")))
    }
}

/// Up of a calibration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CalibratedUp {
    pub(crate) up: Unit<Vector3<f64>>,
    /// True if the calibration is on the motion, not on a pose.
    pub(crate) is_of_motion: bool,
    /// True if the body stands in the calibration pose.
    pub(crate) stands: bool,
}

/// Finds up in a file, and the question that is left of it, from frames of its motion, where it has one.
pub(crate) fn up_of_file(
    body: &Body,
    frames: Option<&[WorldPose]>,
    CalibratedUp { up, is_of_motion, stands }: CalibratedUp,
    format: Option<FormatUp>,
) -> (Unit<Vector3<f64>>, Option<String>) {
    let pose = Some(up).filter(|_| stands);
    let odds = frames.map(|frames| UpOdds::of(body, frames, format.is_some()));
    let motion = odds.as_ref().map(|odds| odds.likeliest(None));
    let fixed = format.filter(|own| own.is_fixed).map(|own| own.axis);
    let evidence = UpEvidence { format: fixed, pose, motion };
    let usual = pose.or(format.map(|own| own.axis));
    let shown = || odds.filter(|_| !is_of_motion).map(|odds| odds.likeliest(usual));
    let found = match fixed {
        Some(_) => evidence.agreed(),
        None => shown(),
    };
    let found = found.unwrap_or(up);
    (found, evidence.question(found))
}

/// Returns whether two axes of a file are one.
fn is_same(a: Unit<Vector3<f64>>, b: Unit<Vector3<f64>>) -> bool {
    a.dot(&b) > 0.5
}

/// The mean direction of trunk and legs, at most 1 long.
fn posture(body: &Body, frames: &[WorldPose]) -> Vector3<f64> {
    let lines = frames.iter().flat_map(|pose| {
        let [shoulders, hips, feet] = levels(body, pose);
        [shoulders - hips, hips - feet]
            .map(|line| direction(&line).map_or(Vector3::zeros(), |d| *d))
    });
    lines.sum::<Vector3<f64>>() / (2 * frames.len()).max(1) as f64
}

/// Returns the height of the lowest point in the lowest twentieth of the frames, and how much more it is in the median, in
/// lengths of trunk and legs.
fn floor(body: &Body, frames: &[WorldPose], up: Unit<Vector3<f64>>) -> [f64; 2] {
    let size = |pose: &WorldPose| {
        let [shoulders, hips, feet] = levels(body, pose);
        (shoulders - hips).norm() + (hips - feet).norm()
    };
    let size = frames.iter().map(size).fold(f64::MIN_POSITIVE, f64::max);
    let mut lowest: Vec<f64> = frames.iter().map(|pose| lowest(body, pose, up)).collect();
    lowest.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| lowest.get((lowest.len() as f64 * share) as usize).copied();
    at(0.5).zip(at(0.05)).map_or([0.0; 2], |(median, low)| [low / size, (median - low) / size])
}

/// Height of the lowest joint of head, trunk, elbows, hands, knees and feet.
fn lowest(body: &Body, pose: &WorldPose, up: Unit<Vector3<f64>>) -> f64 {
    let arms = Side::BOTH.map(|side| body.arms[side.index()].lower);
    let knees = body.legs.iter().map(|leg| leg.lower);
    let feet = body.legs.iter().flat_map(Leg::foot_and_toes);
    let middle = [Some(body.pelvis()), body.neck.last().copied()];
    let joints = middle.into_iter().flatten().chain(knees).chain(feet).chain(arms);
    let wrists = body.arms.iter().map(|arm| arm.wrist.at(pose, 1.0));
    let places = joints.map(|joint| pose.positions[joint.index()]).chain(wrists);
    places.map(|place| place.dot(&up)).fold(f64::INFINITY, f64::min)
}

/// The middles of shoulders, of hips and of feet.
fn levels(body: &Body, pose: &WorldPose) -> [Vector3<f64>; 3] {
    let middle = |[a, b]: [rebone_skeleton::JointId; 2]| {
        (pose.positions[a.index()] + pose.positions[b.index()]) / 2.0
    };
    [
        middle(body.arms.each_ref().map(|arm| arm.upper)),
        middle(body.legs.each_ref().map(|leg| leg.upper)),
        middle(body.legs.each_ref().map(|leg| leg.foot)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::{Hints, analyse};
    use crate::card::Card;
    use nalgebra::UnitQuaternion;
    use rebone_skeleton::Motion;
    use std::f64::consts::FRAC_PI_2;

    /// The axis that is up in a file whose rest pose stands along +Y.
    fn up(motion: &Motion) -> Vector3<f64> {
        let anatomy = analyse(motion, &Hints::default()).unwrap();
        anatomy.upright_from_file.inverse() * Vector3::y()
    }

    /// A sample whose motion is turned about X by a quarter, but not its rest pose: +Y becomes +Z.
    fn turned(clip: usize) -> Motion {
        let mut motion = rebone_samples::clips().swap_remove(clip).motion;
        let turn = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), FRAC_PI_2);
        motion
            .clip
            .edit(|_, pose| {
                pose.translations[0] = turn * pose.translations[0];
                pose.rotations[0] = turn * pose.rotations[0];
            })
            .unwrap();
        motion
    }

    #[test]
    fn who_moves_about_a_floor_has_its_up_whatever_the_rest_pose() {
        // A climbing body moves up as far as ahead: there the rest pose decides.
        let clips = rebone_samples::clips().into_iter().enumerate();
        for (clip, sample) in clips.filter(|(_, sample)| sample.name != "climb") {
            let off = up(&turned(clip)).angle(&Vector3::z());
            assert!(off < 1e-9, "{}: {off}", sample.name);
        }
    }

    #[test]
    fn the_card_of_a_rest_pose_that_lies_says_the_same() {
        let motion = turned(0);
        let anatomy = analyse(&motion, &Hints::default()).unwrap();
        let mut card = Card::of(&motion.skeleton, &anatomy.roles);
        card.take_calibration(&anatomy);
        let card = Some(Card::parse(&card.to_toml()).unwrap());
        let read = analyse(&motion, &Hints { card, ..Hints::default() }).unwrap();
        assert!(read.upright_from_file.angle_to(&anatomy.upright_from_file) < 1e-9);
        assert_eq!((read.facing, anatomy.facing), (None, None));
        let frames = read.joint_from_anatomical.iter().zip(&anatomy.joint_from_anatomical);
        for (id, (one, other)) in motion.skeleton.ids().zip(frames) {
            assert!(one.angle_to(other) < 1e-6, "{}", motion.skeleton[id].name);
        }
    }

    #[test]
    fn who_lies_still_lies() {
        let mut motion = turned(0);
        let one = motion.clip.pose(0).unwrap();
        motion.clip.edit(|_, pose| pose.clone_from(&one)).unwrap();
        assert!(up(&motion).angle(&Vector3::y()) < 1e-9);
    }
}
