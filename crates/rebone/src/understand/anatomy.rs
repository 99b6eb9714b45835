//! A skeleton that has been understood.

use super::frames::{
    arm_in_t_pose, finger_in_t_pose, from_standing_pose, hanging_leg, inherit, tip,
};
use super::motion::{frames_from_motion, up_axis};
use super::stance::{PLAUSIBLE, Stance, best_stance, stance};
use super::{Body, Known, Role, Roles, Side};
use crate::card::JointLimits;
use nalgebra::{Unit, UnitQuaternion, Vector3};
use rebone_skeleton::{
    Clip, JointId, Pose, Skeleton, WorldPose, forward_kinematics,
    rotation::{direction, shortest_arc},
};

/// Where a skeleton's anatomical frames were read off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CalibrationSource {
    /// The rest pose is somebody standing.
    RestPose,
    /// This frame of the file is somebody standing.
    Frame(usize),
    /// The user gave the pose.
    Given,
    /// No standing pose is known: bend axes and mean directions of the motion.
    Motion,
}

/// A skeleton that has been understood: which joints are the body, how its segments are oriented,
/// how large it is and what is up.
#[derive(Clone, Debug)]
pub struct Anatomy {
    /// The skeleton as the file has it.
    pub skeleton: Skeleton,
    /// The role of each joint.
    pub roles: Roles,
    /// The same as parts of a body.
    pub body: Body,
    /// Turns the file's axes so that up is +Y, by the shortest way.
    pub upright_from_file: UnitQuaternion<f64>,
    /// The turn about +Y, after that, which brings the rest pose's facing to +Z, in quarter turns;
    /// `None` where the rest pose does not say.
    pub facing: Option<f64>,
    /// 1.1 leg + 1.65 trunk lengths, in file units.
    pub stature: f64,
    /// `joint_from_anatomical`: the anatomical frame of each joint's segment in its own axes.
    pub joint_from_anatomical: Vec<UnitQuaternion<f64>>,
    /// The body in its plain T pose in the inner world: +Y up, facing +Z, metres of a 1.7 m body, the
    /// middle of the hips at the origin.
    pub t_pose: WorldPose,
    /// Local rotations of all joints in the calibration pose: what joints that play no part keep.
    pub locals: Vec<UnitQuaternion<f64>>,
    /// Ranges of joints that the card states.
    pub limits: Vec<(JointId, JointLimits)>,
    /// Metres for one unit of the file, where the user or the card says.
    pub metres_per_file_unit: Option<f64>,
    /// Where the frames were read off.
    pub calibration: CalibrationSource,
    /// Probability that the calibration is right to 10 degrees.
    pub confidence: f64,
}

/// Height of the body that lengths are measured against, in metres.
pub const BODY_HEIGHT: f64 = 1.7;

/// The result of looking for a calibration pose.
struct Calibration {
    source: CalibrationSource,
    confidence: f64,
    up: Unit<Vector3<f64>>,
    facing: Option<f64>,
    /// `joint_from_anatomical` of joints with a role.
    frames: Vec<UnitQuaternion<f64>>,
    /// Local rotations of the pose, for joints that play no part.
    locals: Vec<UnitQuaternion<f64>>,
}

impl Anatomy {
    /// Works out an anatomy for joints whose roles are known.
    ///
    /// # Errors
    /// The role that is missing.
    pub(crate) fn new(
        skeleton: &Skeleton,
        roles: Roles,
        clip: &Clip,
        known: &Known,
    ) -> Result<Self, Role> {
        let body = Body::new(skeleton, &roles)?;
        let calibration = calibrate(skeleton, &body, clip, known);
        let upright_from_file = shortest_arc(&calibration.up, &Vector3::y_axis());
        let mut anatomy = Self {
            skeleton: skeleton.clone(),
            roles,
            upright_from_file,
            facing: calibration.facing,
            stature: 1.0,
            t_pose: WorldPose::zeros(skeleton.len()),
            joint_from_anatomical: calibration.frames,
            calibration: calibration.source,
            confidence: calibration.confidence,
            locals: calibration.locals,
            limits: Vec::new(),
            metres_per_file_unit: None,
            body,
        };
        anatomy.stand_in_t_pose(clip);
        Ok(anatomy)
    }

    /// World rotation of a joint's anatomical frame, given that of the joint.
    pub fn anatomical(
        &self,
        joint: JointId,
        joint_rotation: &UnitQuaternion<f64>,
    ) -> UnitQuaternion<f64> {
        joint_rotation * self.joint_from_anatomical[joint.index()]
    }

    /// Metres of a 1.7 m body for one unit of the file.
    pub fn metres_per_unit(&self) -> f64 {
        BODY_HEIGHT / self.stature
    }

    /// Place of a joint in the T pose.
    pub fn place(&self, joint: JointId) -> Vector3<f64> {
        self.t_pose.positions[joint.index()]
    }

    /// The point halfway between two joints in the T pose.
    pub fn middle(&self, [a, b]: [JointId; 2]) -> Vector3<f64> {
        (self.place(a) + self.place(b)) / 2.0
    }

    /// The thigh joints, left and right.
    pub fn hips(&self) -> [JointId; 2] {
        self.body.legs.each_ref().map(|leg| leg.upper)
    }

    /// The upper arm joints, left and right.
    pub fn shoulders(&self) -> [JointId; 2] {
        self.body.arms.each_ref().map(|arm| arm.upper)
    }

    /// Fills in the T pose, the frames of joints without a role, and the stature.
    fn stand_in_t_pose(&mut self, clip: &Clip) {
        let wanted = t_pose_frames(&self.skeleton, &self.body);
        let all = inherit(&self.skeleton, &wanted, UnitQuaternion::identity());
        for (index, joint) in self.skeleton.joints().iter().enumerate() {
            let parent = joint.parent.map(JointId::index);
            let rotation = match wanted[index] {
                Some(frame) => frame * self.joint_from_anatomical[index].inverse(),
                None => {
                    parent.map_or(UnitQuaternion::identity(), |p| self.t_pose.rotations[p])
                        * self.locals[index]
                }
            };
            self.t_pose.rotations[index] = rotation;
            self.joint_from_anatomical[index] = rotation.inverse() * all[index];
            self.t_pose.positions[index] = parent.map_or(Vector3::zeros(), |p| {
                self.t_pose.positions[p]
                    + self.t_pose.rotations[p] * bone(&self.skeleton, clip, index)
            });
        }
        self.stature = self.measure_stature().max(f64::MIN_POSITIVE);
        let origin = self.middle(self.hips());
        let scale = self.metres_per_unit();
        for place in &mut self.t_pose.positions {
            *place = (*place - origin) * scale;
        }
    }

    fn measure_stature(&self) -> f64 {
        let length = |a: JointId, b: JointId| (self.place(a) - self.place(b)).norm();
        let leg: f64 = self
            .body
            .legs
            .iter()
            .map(|leg| length(leg.upper, leg.lower) + length(leg.lower, leg.foot))
            .sum();
        let trunk = (self.middle(self.hips()) - self.middle(self.shoulders())).norm();
        1.1 * leg / 2.0 + 1.65 * trunk
    }
}

/// The place of a leaf's end in the T pose.
pub(crate) fn tip_of(anatomy: &Anatomy, joint: JointId) -> Option<Vector3<f64>> {
    tip(&anatomy.skeleton, joint, &anatomy.t_pose, anatomy.metres_per_unit())
}

/// The place of a finger's tip in the T pose.
pub fn finger_tip(anatomy: &Anatomy, finger: &[JointId]) -> Option<Vector3<f64>> {
    finger
        .last()
        .and_then(|&last| tip(&anatomy.skeleton, last, &anatomy.t_pose, anatomy.metres_per_unit()))
}

/// The OFFSET, or the first frame's place where the file animates a joint whose OFFSET is empty.
fn bone(skeleton: &Skeleton, clip: &Clip, index: usize) -> Vector3<f64> {
    let joint = &skeleton.joints()[index];
    match clip.frames.first() {
        Some(first)
            if !joint.translation_axes.is_empty() && joint.rest_translation.norm() < 1e-9 =>
        {
            first.translations[index]
        }
        _ => joint.rest_translation,
    }
}

/// The anatomical frames of a plain T pose; `None` for joints that play no part.
fn t_pose_frames(skeleton: &Skeleton, body: &Body) -> Vec<Option<UnitQuaternion<f64>>> {
    let mut frames = vec![None; skeleton.len()];
    let mut set = |joint: &JointId, frame| frames[joint.index()] = Some(frame);
    body.trunk.iter().chain(&body.neck).for_each(|joint| set(joint, UnitQuaternion::identity()));
    for side in Side::BOTH {
        let (arm, leg) = (&body.arms[side.index()], &body.legs[side.index()]);
        arm.collar.iter().for_each(|joint| set(joint, UnitQuaternion::identity()));
        let bones = [&arm.upper, &arm.lower, &arm.hand].into_iter();
        bones
            .chain(&arm.upper_twist)
            .chain(&arm.lower_twist)
            .for_each(|joint| set(joint, arm_in_t_pose(side)));
        arm.fingers.iter().flatten().for_each(|joint| set(joint, finger_in_t_pose(side)));
        leg.hip_bones.iter().for_each(|joint| set(joint, UnitQuaternion::identity()));
        let bones = [&leg.upper, &leg.lower].into_iter();
        bones
            .chain(&leg.upper_twist)
            .chain(&leg.lower_twist)
            .for_each(|joint| set(joint, hanging_leg()));
        [leg.foot].iter().chain(&leg.toes).for_each(|joint| set(joint, UnitQuaternion::identity()));
    }
    frames
}

/// Finds a standing pose: the one that is given, the rest pose, the first frame; else the motion as a
/// whole.
fn calibrate(skeleton: &Skeleton, body: &Body, clip: &Clip, known: &Known) -> Calibration {
    let candidate = |pose: &Pose, source| Candidate::new(skeleton, body, pose, source, known);
    let given = known.pose.as_ref().map(|pose| candidate(pose, CalibrationSource::Given));
    let rest = candidate(&skeleton.rest_pose(), CalibrationSource::RestPose);
    let first = clip.frames.first().map(|pose| candidate(pose, CalibrationSource::Frame(0)));
    let is_rig = clip.frames.len() <= 2;
    let bar = if is_rig || is_apart(skeleton, clip) { PLAUSIBLE } else { 0.5 };
    let first = first.filter(|first| first.cost() < bar);
    let mut calibration = if let Some(given) = given {
        given.calibration(skeleton, body)
    } else if rest.cost()
        < first.as_ref().map_or(f64::INFINITY, Candidate::cost).min(PLAUSIBLE) + 1.0
        && rest.cost() < PLAUSIBLE
    {
        let mut calibration = rest.calibration(skeleton, body);
        if let Some(first) = first.filter(|_| is_rig)
            && let Some(stance) = first.stance
        {
            calibration.up = stance.up;
            calibration.facing = quarter_turn(&stance);
        }
        calibration
    } else if let Some(first) = first {
        let mut calibration = first.calibration(skeleton, body);
        calibration.facing = calibration.facing.filter(|_| is_rig);
        calibration
    } else {
        from_motion(skeleton, body, clip, known.up)
            .unwrap_or_else(|| rest.calibration(skeleton, body))
    };
    if let Some(facing) = known.facing {
        let forward = shortest_arc(&calibration.up, &Vector3::y_axis()) * *facing;
        calibration.facing = Some(-libm::atan2(forward.x, forward.z));
    }
    calibration
}

/// A pose that may be the calibration pose.
struct Candidate {
    source: CalibrationSource,
    locals: Vec<UnitQuaternion<f64>>,
    world: WorldPose,
    stance: Option<Stance>,
}

impl Candidate {
    fn new(
        skeleton: &Skeleton,
        body: &Body,
        pose: &Pose,
        source: CalibrationSource,
        known: &Known,
    ) -> Self {
        let world = forward_kinematics(skeleton, pose);
        let stance = match known.up {
            Some(up) => stance(body, &world, up),
            None => best_stance(body, &world),
        };
        Self { source, locals: pose.rotations.clone(), world, stance }
    }

    fn cost(&self) -> f64 {
        self.stance.map_or(f64::INFINITY, |stance| stance.cost)
    }

    fn calibration(&self, skeleton: &Skeleton, body: &Body) -> Calibration {
        let nobody = Stance {
            up: Vector3::y_axis(),
            forward: Vector3::z_axis(),
            cost: 99.0,
            arm_elevation: 0.0,
        };
        standing(
            skeleton,
            body,
            &self.world,
            &self.locals,
            self.stance.unwrap_or(nobody),
            self.source,
        )
    }
}

/// The turn about up that brings a stance's facing to +Z, where it faces along an axis.
fn quarter_turn(found: &Stance) -> Option<f64> {
    let forward = shortest_arc(&found.up, &Vector3::y_axis()) * *found.forward;
    let yaw = libm::atan2(forward.x, forward.z);
    let quarter = (yaw / std::f64::consts::FRAC_PI_2).round() * std::f64::consts::FRAC_PI_2;
    ((yaw - quarter).abs() < 20_f64.to_radians()).then_some(-quarter)
}

/// True when the first frame is no part of the motion: some joint jumps by over 25 degrees, and by
/// four times what is usual in the next frames.
fn is_apart(skeleton: &Skeleton, clip: &Clip) -> bool {
    let jump = |k: usize| -> Option<f64> {
        let (a, b) = (clip.frames.get(k)?, clip.frames.get(k + 1)?);
        let turns = (1..skeleton.len()).map(|j| a.rotations[j].angle_to(&b.rotations[j]));
        Some(turns.fold(0.0, f64::max))
    };
    let mut later: Vec<f64> = (1..12).filter_map(jump).collect();
    later.sort_by(f64::total_cmp);
    match (jump(0), later.get(later.len() / 2)) {
        (Some(first), Some(&usual)) => first > 25_f64.to_radians() && first > 4.0 * usual,
        _ => false,
    }
}

/// True when the first frame of a clip is somebody standing straight and no part of the motion, as
/// some files have it for reference.
pub fn begins_with_reference(anatomy: &Anatomy, clip: &Clip) -> bool {
    let Some(first) = clip.frames.first().filter(|_| is_apart(&anatomy.skeleton, clip)) else {
        return false;
    };
    let up = anatomy.upright_from_file.inverse() * Vector3::y_axis();
    let stance = stance(&anatomy.body, &forward_kinematics(&anatomy.skeleton, first), up);
    stance.is_some_and(|stance| stance.cost < PLAUSIBLE)
}

fn standing(
    skeleton: &Skeleton,
    body: &Body,
    world: &WorldPose,
    locals: &[UnitQuaternion<f64>],
    found: Stance,
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
        confidence: 0.98 / (1.0 + 0.1 * found.cost.powi(2)),
        up: found.up,
        facing: quarter_turn(&found),
        frames,
        locals: locals.to_vec(),
    }
}

fn from_motion(
    skeleton: &Skeleton,
    body: &Body,
    clip: &Clip,
    up: Option<Unit<Vector3<f64>>>,
) -> Option<Calibration> {
    if clip.frames.len() < 8 {
        return None;
    }
    let step = clip.frames.len().div_ceil(2000);
    let frames: Vec<_> =
        clip.frames.iter().step_by(step).map(|pose| forward_kinematics(skeleton, pose)).collect();
    let up = up.unwrap_or_else(|| up_axis(body, &frames));
    let found = frames_from_motion(skeleton, body, &frames, up);
    let rest = skeleton.rest_pose();
    Some(Calibration {
        source: CalibrationSource::Motion,
        confidence: 0.7,
        up,
        facing: None,
        frames: found.iter().map(|frame| frame.unwrap_or_else(UnitQuaternion::identity)).collect(),
        locals: rest.rotations,
    })
}
