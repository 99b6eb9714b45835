//! The search for the pose in which a skeleton's anatomical frames are read off.

use super::calibration::{
    Calibration, MAX_MOTION_FRAMES, MIN_DOUBTFUL_SIGMA, MIN_MOTION_FRAMES, spread,
};
use super::feet::ankle::turned_over;
use super::feet::soles::read_level_feet;
use super::feet::still_toes::straighten_still_toes;
use super::fusion::estimate::Estimate;
use super::known::Known;
use super::motion::{RestEvidence, frames_from_motion};
use super::standing::{MAX_STANDING_COST, StandingFit, best_standing_fit, stance};
use super::standing_frames::from_standing_pose;
use super::up_axis::{CalibratedUp, UpOdds, up_of_file};
use super::zero_pose::CollinearRestPose;
use crate::body::{
    Anatomy, Body, CalibrationSource, Leg, MAX_STANDING_SIGMA, SoleSource, t_pose_frames,
};
use crate::poses;
use nalgebra::{UnitQuaternion, Vector3};
use rebone_skeleton::rotation::shortest_arc;
use rebone_skeleton::{Clip, Pose, Skeleton, WorldPose, rotation};

/// Poses that show what is up.
const FRAMES_OF_UP: usize = 128;

/// Standard deviations of frames from a T pose, and from an A or I pose.
const T_POSE: f64 = 5_f64.to_radians();
const A_POSE: f64 = 8_f64.to_radians();

/// Finds a standing pose, and corrects what other evidence says more surely.
pub(crate) fn calibrate(
    skeleton: &Skeleton,
    body: &Body,
    clip: &Clip,
    known: &Known,
) -> Calibration {
    let mut calibration = in_best_pose(skeleton, body, clip, known);
    let (up, question) = match known.up {
        Some(up) => (up, None),
        None => {
            let is_motion = clip.len() >= MIN_MOTION_FRAMES;
            let frames = is_motion.then(|| spread(skeleton, clip, FRAMES_OF_UP));
            let is_of_motion = calibration.source == CalibrationSource::Motion;
            let stands = !is_of_motion && !calibration.is_not_standing;
            let calibrated = CalibratedUp { up: calibration.up, is_of_motion, stands };
            up_of_file(body, frames.as_deref(), calibrated, known.up_of_format)
        }
    };
    calibration.up_question = question;
    if up.dot(&calibration.up) < 0.5 {
        // The heading of a lying pose is no evidence.
        calibration.up = up;
        calibration.facing = None;
    }
    let plain =
        calibration.without_motion_evidence.take().unwrap_or_else(|| calibration.frames.clone());
    if calibration.source.is_found_pose() {
        read_level_feet(skeleton, body, clip, &mut calibration);
    }
    let bar = match calibration.source {
        CalibrationSource::Motion => MIN_DOUBTFUL_SIGMA,
        _ => MAX_STANDING_SIGMA,
    };
    let feet = || body.legs.iter().flat_map(Leg::foot_and_toes);
    let in_doubt = skeleton
        .ids()
        .any(|id| calibration.sigmas[id.index()].max() > bar && !feet().any(|foot| foot == id));
    let doubtful = calibration.source != CalibrationSource::Given && in_doubt;
    let straight = || CollinearRestPose::of(skeleton, body).filter(|pose| pose.of_the_body);
    if doubtful && let Some(pose) = straight() {
        pose.correct(body, &mut calibration.frames);
        calibration.from_zero_pose = true;
    }
    let soles =
        calibration.soles == SoleSource::Motion && calibration.source != CalibrationSource::Motion;
    calibration.without_motion_evidence = (soles || calibration.from_zero_pose).then_some(plain);
    let plain = calibration.without_motion_evidence.iter_mut();
    for frames in plain.chain([&mut calibration.frames]) {
        straighten_still_toes(skeleton, body, clip, frames);
    }
    for (joint, frame) in &known.frames {
        calibration.frames[joint.index()] = *frame;
    }
    if let Some(facing) = known.facing {
        let forward = shortest_arc(&calibration.up, &Vector3::y_axis()) * *facing;
        calibration.facing = Some(-libm::atan2(forward.x, forward.z));
    }
    calibration
}

/// In the pose that is given, the rest pose or the first frame; else from the motion as a whole.
fn in_best_pose(skeleton: &Skeleton, body: &Body, clip: &Clip, known: &Known) -> Calibration {
    let candidate = |pose: &Pose, source| Candidate::new(skeleton, body, pose, source, known);
    if let Some(pose) = &known.pose {
        return candidate(pose, CalibrationSource::Given).calibration(skeleton, body);
    }
    let rest = candidate(&skeleton.rest_pose(), CalibrationSource::RestPose);
    let bound = known.bound.as_ref().map(|pose| candidate(pose, CalibrationSource::BindPose));
    let is_plainer = |bound: &Candidate| bound.cost() < rest.cost().min(MAX_STANDING_COST);
    let rest = match bound.filter(is_plainer) {
        Some(bound) => bound,
        None => rest,
    };
    let first = clip.poses().next().map(|pose| candidate(&pose, CalibrationSource::Frame(0)));
    let is_rig = clip.len() <= 2;
    let bar = if is_rig || is_apart(skeleton, clip) { MAX_STANDING_COST } else { 0.5 };
    let first = first.filter(|first| first.cost() < bar);
    let better = first.as_ref().map_or(f64::INFINITY, Candidate::cost).min(MAX_STANDING_COST) + 1.0;
    if rest.cost() < better && rest.cost() < MAX_STANDING_COST {
        let mut calibration = rest.calibration(skeleton, body);
        if let Some(first) = first.filter(|_| is_rig)
            && let Some(stance) = first.stance
        {
            calibration.up = stance.up;
            calibration.facing = quarter_turn(&stance);
        }
        return calibration;
    }
    if let Some(first) = first {
        let mut calibration = first.calibration(skeleton, body);
        calibration.facing = calibration.facing.filter(|_| is_rig);
        return calibration;
    }
    from_motion(skeleton, body, clip, known).unwrap_or_else(|| rest.calibration(skeleton, body))
}

/// A pose that may be the calibration pose.
struct Candidate {
    source: CalibrationSource,
    locals: Vec<UnitQuaternion<f64>>,
    world: WorldPose,
    stance: Option<StandingFit>,
}

impl Candidate {
    fn new(
        skeleton: &Skeleton,
        body: &Body,
        pose: &Pose,
        source: CalibrationSource,
        known: &Known,
    ) -> Self {
        let world = poses::world_of(skeleton, pose);
        // Up is that of the file: who lies in this pose stands along another axis.
        let stands = |stance: &StandingFit| stance.cost < MAX_STANDING_COST;
        let best = || best_standing_fit(body, &world);
        let stance = match known.up.map(|up| stance(body, &world, up)) {
            Some(along) => along.filter(stands).or_else(|| best().filter(stands)).or(along),
            None => best(),
        };
        Self { source, locals: pose.rotations.clone(), world, stance }
    }

    fn cost(&self) -> f64 {
        self.stance.map_or(f64::INFINITY, |stance| stance.cost)
    }

    fn calibration(&self, skeleton: &Skeleton, body: &Body) -> Calibration {
        let no_fit = StandingFit {
            up: Vector3::y_axis(),
            forward: Vector3::z_axis(),
            cost: 99.0,
            straight_cost: 99.0,
            arm_elevation: 0.0,
        };
        standing(
            skeleton,
            body,
            &self.world,
            &self.locals,
            self.stance.unwrap_or(no_fit),
            self.source,
        )
    }
}

/// The turn about up that brings a stance's facing to +Z, where it faces along an axis.
fn quarter_turn(found: &StandingFit) -> Option<f64> {
    let forward = shortest_arc(&found.up, &Vector3::y_axis()) * *found.forward;
    let yaw = libm::atan2(forward.x, forward.z);
    let quarter = (yaw / std::f64::consts::FRAC_PI_2).round() * std::f64::consts::FRAC_PI_2;
    ((yaw - quarter).abs() < 20_f64.to_radians()).then_some(-quarter)
}

/// True when the first frame is no part of the motion: some joint jumps by over 25 degrees, and by
/// four times what is usual in the next frames.
fn is_apart(skeleton: &Skeleton, clip: &Clip) -> bool {
    let jump = |k: usize| -> Option<f64> {
        let [a, b] =
            (k + 1 < clip.len()).then(|| [k, k + 1].map(|frame| poses::rotations(clip, frame)))?;
        Some((1..skeleton.len()).map(|j| a[j].angle_to(&b[j])).fold(0.0, f64::max))
    };
    let mut later: Vec<f64> = (1..12).filter_map(jump).collect();
    later.sort_unstable_by(f64::total_cmp);
    match (jump(0), later.get(later.len() / 2)) {
        (Some(first), Some(&usual)) => first > 25_f64.to_radians() && first > 4.0 * usual,
        _ => false,
    }
}

/// Whether the body stands straight in the first frame of a clip, which is no part of the motion, as
/// some files have it for reference.
pub fn begins_with_reference(anatomy: &Anatomy, clip: &Clip) -> bool {
    let is_own = |pose: &Pose| pose.rotations.len() == anatomy.skeleton.len();
    let first = clip.poses().next().filter(is_own);
    let Some(first) = first.filter(|_| is_apart(&anatomy.skeleton, clip)) else {
        return false;
    };
    let up = anatomy.upright_from_file.inverse() * Vector3::y_axis();
    let stance = stance(&anatomy.body, &poses::world_of(&anatomy.skeleton, &first), up);
    stance.is_some_and(|stance| stance.cost < MAX_STANDING_COST)
}

fn standing(
    skeleton: &Skeleton,
    body: &Body,
    world: &WorldPose,
    locals: &[UnitQuaternion<f64>],
    found: StandingFit,
    source: CalibrationSource,
) -> Calibration {
    let upright = shortest_arc(&found.up, &Vector3::y_axis());
    let forward = upright * *found.forward;
    let yaw = libm::atan2(forward.x, forward.z);
    let inner_from_file = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), -yaw) * upright;
    let pose = WorldPose {
        positions: world.positions.iter().map(|place| inner_from_file * place).collect(),
        rotations: world.rotations.iter().map(|turn| inner_from_file * turn).collect(),
    };
    let anatomical = from_standing_pose(skeleton, body, &pose);
    let frames = pose
        .rotations
        .iter()
        .zip(&anatomical)
        .map(|(joint, frame)| joint.inverse() * frame)
        .collect();
    Calibration {
        source,
        sigmas: vec![Vector3::repeat(standing_sigma(&found)); skeleton.len()],
        up: found.up,
        up_question: None,
        facing: quarter_turn(&found),
        frames,
        soles: SoleSource::Pose,
        from_zero_pose: false,
        without_motion_evidence: None,
        locals: locals.to_vec(),
        is_not_standing: found.straight_cost >= MAX_STANDING_COST,
        warnings: Vec::new(),
    }
}

/// Returns the standard deviations of the frames of a standing pose: the larger, the less it is a plain T, A or I pose.
fn standing_sigma(found: &StandingFit) -> f64 {
    let plain = if found.arm_elevation.abs() < 20_f64.to_radians() { T_POSE } else { A_POSE };
    plain * libm::hypot(1.0, found.cost)
}

fn from_motion(
    skeleton: &Skeleton,
    body: &Body,
    clip: &Clip,
    known: &Known,
) -> Option<Calibration> {
    if clip.len() < MIN_MOTION_FRAMES {
        return None;
    }
    let step = clip.len().div_ceil(MAX_MOTION_FRAMES);
    let frames = spread(skeleton, clip, MAX_MOTION_FRAMES);
    let format = known.up_of_format;
    let fixed = format.filter(|own| own.is_fixed).map(|own| own.axis);
    let usual = format.map(|own| own.axis);
    let odds = || UpOdds::of(body, &frames, format.is_some()).likeliest(usual);
    let up = known.up.or(fixed).unwrap_or_else(odds);
    // A copy of the skeleton with other axes has no such zero pose: `plain` is what both know.
    let line = CollinearRestPose::of(skeleton, body).is_some();
    let rest = if line { RestEvidence::Line } else { RestEvidence::Ankles };
    let found = frames_from_motion(skeleton, body, &frames, up, rest);
    let of = |found: &[Option<Estimate>]| -> Vec<UnitQuaternion<f64>> {
        found.iter().map(|found| found.unwrap_or_default().0).collect()
    };
    let plain =
        line.then(|| of(&frames_from_motion(skeleton, body, &frames, up, RestEvidence::Unread)));
    Some(Calibration {
        source: CalibrationSource::Motion,
        sigmas: sigmas(skeleton, body, &found),
        up,
        up_question: None,
        facing: None,
        soles: SoleSource::Motion,
        from_zero_pose: line,
        without_motion_evidence: plain,
        warnings: turned_over(skeleton, body, &frames, up, &of(&found)),
        frames: of(&found),
        locals: mean_locals(clip, step),
        is_not_standing: false,
    })
}

/// Returns the standard deviations of frames; any angle where a joint of the body has none.
fn sigmas(skeleton: &Skeleton, body: &Body, found: &[Option<Estimate>]) -> Vec<Vector3<f64>> {
    let framed = t_pose_frames(skeleton, body);
    let sigma = |(found, framed): (&Option<Estimate>, Option<UnitQuaternion<f64>>)| match found {
        Some((_, sigma)) => *sigma,
        None => framed.map_or(Vector3::zeros(), |_| Vector3::repeat(std::f64::consts::PI)),
    };
    found.iter().zip(framed).map(sigma).collect()
}

/// The mean local rotation of each joint over each `step`th frame: in a file whose rest pose is no standing pose, it means more
/// than that pose.
fn mean_locals(clip: &Clip, step: usize) -> Vec<UnitQuaternion<f64>> {
    let frames = || (0..clip.len()).step_by(step).map(|frame| poses::rotations(clip, frame));
    let joints = 0..frames().next().map_or(0, <[_]>::len);
    joints.map(|joint| rotation::mean(frames().map(|rotations| rotations[joint]))).collect()
}
