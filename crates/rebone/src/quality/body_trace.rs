//! Source and result, frame by frame, in one world.

use crate::align::{Plan, SupportPoint};
use crate::contacts::{SupportTrajectories, TrackedPoints, horizontal};
use crate::math::low_passed;
use crate::options::KeyTolerance;
use crate::surface::{ArmGap, SurfacePair};
use nalgebra::{UnitQuaternion, Vector3};
use rebone_body::body::{Anatomy, Side, turn_and_scale};
use rebone_body::poses;
use rebone_skeleton::{Clip, JointId, WorldPose};
use std::fmt;
use std::ops::Range;

/// Segments whose rotations are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Segment {
    Pelvis,
    Chest,
    Head,
    Hand(Side),
    Foot(Side),
}

impl Segment {
    /// All of them.
    const ALL: [Self; 7] = {
        use Side::{Left, Right};
        [
            Self::Pelvis,
            Self::Chest,
            Self::Head,
            Self::Hand(Left),
            Self::Hand(Right),
            Self::Foot(Left),
            Self::Foot(Right),
        ]
    };

    /// The metric that it counts in.
    pub(crate) fn metric(self) -> &'static str {
        match self {
            Self::Pelvis => "pelvis",
            Self::Chest => "chest",
            Self::Head => "head",
            Self::Hand(_) => "hands",
            Self::Foot(_) => "feet",
        }
    }

    fn joint(self, anatomy: &Anatomy) -> Option<JointId> {
        let body = &anatomy.body;
        match self {
            Self::Pelvis => Some(body.pelvis()),
            Self::Chest => (body.chest() != body.pelvis()).then(|| body.chest()),
            Self::Head => body.head(),
            Self::Hand(side) => body.arms[side.index()].hand,
            Self::Foot(side) => Some(body.legs[side.index()].foot),
        }
    }
}

impl fmt::Display for Segment {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Hand(side) => write!(to, "{side} hand"),
            Self::Foot(side) => write!(to, "{side} foot"),
            other => to.write_str(other.metric()),
        }
    }
}

/// Data that is compared of both bodies: supports and limbs, segments, and joints whose roles both have.
#[derive(Clone, Debug)]
pub(crate) struct TrackedJoints {
    /// Supports and limbs, of source and result.
    pub(crate) probes: [TrackedPoints; 2],
    /// The segments that both bodies have.
    segments: Vec<Segment>,
    /// The joints of the segments, then those with roles.
    joints: Vec<[JointId; 2]>,
    /// Names of the joints with roles, as in the result.
    names: Vec<String>,
    /// The surface of the source is known: the usual one tells what is near, not what is deep.
    is_source_known: bool,
}

impl TrackedJoints {
    /// Of the bodies of a plan.
    pub(crate) fn new(plan: &Plan) -> Self {
        let both = |segment: Segment| {
            let [a, b] = [&plan.source, &plan.target].map(|anatomy| segment.joint(anatomy));
            Some((segment, [a?, b?]))
        };
        let (segments, pairs): (Vec<Segment>, Vec<[JointId; 2]>) =
            Segment::ALL.into_iter().filter_map(both).unzip();
        let joints_with_roles = joints_with_roles(plan);
        let name = |pair: &[JointId; 2]| plan.target.skeleton[pair[1]].name.to_string();
        Self {
            probes: TrackedPoints::of_plan(plan),
            segments,
            names: joints_with_roles.iter().map(name).collect(),
            is_source_known: plan.surfaces().is_some_and(|surfaces| !surfaces.is_guessed()),
            joints: pairs.into_iter().chain(joints_with_roles).collect(),
        }
    }

    /// Bytes of a frame of a trace besides its trajectories.
    #[cfg(feature = "files")]
    pub(crate) fn bytes_per_frame(&self) -> usize {
        self.joints.len() * size_of::<UnitQuaternion<f32>>() + size_of::<[ArmGap; 2]>()
    }
}

/// One body, frame by frame: inner world, metres of a 1.7 m body.
#[derive(Clone, Debug)]
pub(crate) struct BodyTrace {
    /// Paths of supports and limbs.
    pub(crate) tracks: SupportTrajectories,
    /// World rotations of the anatomical frames of the tracked joints, in single precision to halve the memory.
    rotations: Vec<UnitQuaternion<f32>>,
    /// Distances of both arms from the rest of the body; none where the target's surface is not known.
    pub(crate) arm_gaps: Vec<[ArmGap; 2]>,
}

impl BodyTrace {
    /// Without frames yet; `body` is 0 for the source, 1 for the result.
    pub(crate) fn new(tracked: &TrackedJoints, body: usize, frame_time: f64, room: usize) -> Self {
        let tracks = SupportTrajectories::new(&tracked.probes[body], frame_time, room);
        let rotations = Vec::with_capacity(room * tracked.joints.len());
        Self { tracks, rotations, arm_gaps: Vec::new() }
    }

    /// Adds a frame, in the inner world.
    pub(crate) fn push(
        &mut self,
        plan: &Plan,
        tracked: &TrackedJoints,
        body: usize,
        world: &WorldPose,
    ) {
        let anatomy = [&plan.source, &plan.target][body];
        self.tracks.push(&tracked.probes[body], world);
        let turn = |pair: &[JointId; 2]| {
            anatomy.anatomical(pair[body], &world.rotations[pair[body].index()])
        };
        self.rotations.extend(tracked.joints.iter().map(|pair| turn(pair).cast::<f32>()));
    }

    /// Adds the distances of both arms from the body in a frame, of a plan with surfaces.
    pub(crate) fn push_arm_gaps(&mut self, plan: &Plan, body: usize, world: &WorldPose) {
        let anatomy = [&plan.source, &plan.target][body];
        let gaps = |surfaces: &SurfacePair| {
            let at = surfaces.transforms(anatomy, body, world);
            surfaces.arm_gaps(body, &at)
        };
        self.arm_gaps.extend(plan.surfaces().map(gaps));
    }

    /// The number of frames.
    pub(crate) fn len(&self) -> usize {
        self.tracks.len()
    }

    /// Returns whether no frame differs from the first by more than what a written file may lose of a motion.
    pub(crate) fn is_still(&self) -> bool {
        let (frames, least) = (self.tracks.len(), KeyTolerance::default());
        let (angle, length) = (least.degrees.to_radians(), least.millimetres / 1000.0);
        let joints = self.rotations.len() / frames.max(1);
        let is_near = |(index, own): (usize, &UnitQuaternion<f32>)| {
            self.rotations[index % joints].cast::<f64>().angle_to(&own.cast()) <= angle
        };
        frames > 0
            && self.tracks.are_still(length)
            && self.rotations.iter().enumerate().all(is_near)
    }

    /// Appends later frames.
    pub(crate) fn append(&mut self, later: &Self) {
        self.tracks.append(&later.tracks);
        self.rotations.extend_from_slice(&later.rotations);
        self.arm_gaps.extend_from_slice(&later.arm_gaps);
    }

    /// Removes all frames.
    pub(crate) fn clear(&mut self) {
        self.tracks.clear();
        self.rotations.clear();
        self.arm_gaps.clear();
    }

    /// Traces a body over the first frames of a clip.
    pub(crate) fn of(
        plan: &Plan,
        tracked: &TrackedJoints,
        body: usize,
        clip: &Clip,
        frames: usize,
    ) -> Self {
        let mut own = Self::new(tracked, body, clip.frame_time, frames);
        own.push_frames(plan, (tracked, body), clip, 0..frames);
        own
    }

    /// Adds frames of a clip of a body.
    pub(crate) fn push_frames(
        &mut self,
        plan: &Plan,
        (tracked, body): (&TrackedJoints, usize),
        clip: &Clip,
        frames: Range<usize>,
    ) {
        let anatomy = [&plan.source, &plan.target][body];
        let inner = [plan.inner_from_source, plan.inner_from_target][body];
        let mut world = WorldPose::zeros(&anatomy.skeleton);
        let mut pose = anatomy.skeleton.rest_pose();
        for frame in frames {
            clip.read(frame, &mut pose);
            poses::update(&mut world, &anatomy.skeleton, &pose);
            turn_and_scale(&mut world, &inner, anatomy.metres_per_unit());
            self.push(plan, tracked, body, &world);
            self.push_arm_gaps(plan, body, &world);
        }
    }
}

/// Both bodies over the frames that both clips have.
pub(crate) struct Comparison<'a> {
    /// Paths of supports and limbs, source and result.
    pub(crate) tracks: [SupportTrajectories; 2],
    rotations: [Vec<UnitQuaternion<f32>>; 2],
    arm_gaps: [Vec<[ArmGap; 2]>; 2],
    tracked: &'a TrackedJoints,
    /// Rotation of the result about the vertical against the source, radians; undone in all values here.
    pub(crate) yaw: f64,
    /// Whether the result stays in place while the source travels; the travel is added in all values here.
    pub(crate) stays: bool,
}

impl<'a> Comparison<'a> {
    /// Compares source and result; `scale` is that of the paths.
    pub(crate) fn new(
        tracked: &'a TrackedJoints,
        [source, result]: [BodyTrace; 2],
        scale: f64,
    ) -> Self {
        let tracks = [source.tracks, result.tracks];
        let rotations = [source.rotations, result.rotations];
        let arm_gaps = [source.arm_gaps, result.arm_gaps];
        let mut own = Self { tracks, rotations, arm_gaps, tracked, yaw: 0.0, stays: false };
        own.align_heading();
        own.align_travel(scale);
        own
    }

    /// Distances of an arm of source and result from the rest of the body. `None` where the target's surface is not known.
    pub(crate) fn arm_gaps(&self, frame: usize, side: usize) -> Option<[ArmGap; 2]> {
        let gap = |body: usize| self.arm_gaps[body].get(frame).map(|gaps| gaps[side]);
        Some([gap(0)?, gap(1)?])
    }

    /// Returns whether the surfaces of both bodies are known, not guessed.
    pub(crate) fn has_surfaces(&self) -> bool {
        self.tracked.is_source_known
    }

    /// The segments that both bodies have.
    pub(crate) fn segments(&self) -> &[Segment] {
        &self.tracked.segments
    }

    /// The number of frames.
    pub(crate) fn len(&self) -> usize {
        self.tracks[0].len()
    }

    /// Rotates the result about the vertical as it is rotated as a whole: by the angle of the segment that agrees best with
    /// those of the others, so that one that is turned alone does not count.
    fn align_heading(&mut self) {
        let yaws: Vec<f64> = (0..self.tracked.segments.len()).map(|own| self.yaw_of(own)).collect();
        let turn = |a: f64, b: f64| libm::atan2(libm::sin(a - b), libm::cos(a - b)).abs();
        let distance = |yaw: f64| yaws.iter().map(|other| turn(yaw, *other)).sum::<f64>();
        let nearest = yaws.iter().min_by(|a, b| distance(**a).total_cmp(&distance(**b)));
        self.yaw = nearest.copied().unwrap_or(0.0);
        let turn = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), self.yaw);
        self.tracks[1].rotate(&turn);
        let turn = turn.cast::<f32>();
        self.rotations[1].iter_mut().for_each(|own| *own = turn * *own);
    }

    /// Returns the rotation about the vertical that brings a segment of the result nearest to the source's over all frames,
    /// radians: the angle of least squares of their three axes.
    fn yaw_of(&self, segment: usize) -> f64 {
        let (mut sine, mut cosine) = (0.0, 0.0);
        for frame in 0..self.len() {
            let [a, b] =
                [0, 1].map(|body| self.rotation(body, frame, segment).to_rotation_matrix());
            for (a, b) in a.matrix().column_iter().zip(b.matrix().column_iter()) {
                sine += a.x * b.z - a.z * b.x;
                cosine += a.x * b.x + a.z * b.z;
            }
        }
        libm::atan2(sine, cosine)
    }

    /// Adds the source's travel to a result that stays in place.
    fn align_travel(&mut self, scale: f64) {
        let hips = self
            .tracks
            .each_ref()
            .map(|tracks| tracks.hip_path().iter().map(horizontal).collect::<Vec<_>>());
        let extent = |way: &[Vector3<f64>]| {
            let (low, high) =
                way.iter().fold((way[0], way[0]), |(low, high), own| (low.inf(own), high.sup(own)));
            (high - low).norm()
        };
        let stays = |paths: &[Vec<Vector3<f64>>; 2], part: f64| {
            extent(&paths[0]) > MIN_TRAVEL_M && extent(&paths[1]) < part * extent(&paths[0]) * scale
        };
        // Hips also sway: a result that covers half the extent travels.
        if self.len() == 0 || !stays(&hips, 0.5) {
            return;
        }
        let paths = [0, 1].map(|body| without_sway(&self.tracks[body], &hips[body]));
        if !stays(&paths, IN_PLACE_RATIO) {
            return;
        }
        self.stays = true;
        for (frame, (from, own)) in paths[0].iter().zip(&paths[1]).enumerate() {
            self.tracks[1].shift(frame, &(from * scale - own));
        }
    }

    /// World rotation of a tracked joint; `body` is 0 for the source, 1 for the result.
    pub(crate) fn rotation(&self, body: usize, frame: usize, place: usize) -> UnitQuaternion<f64> {
        self.rotations[body][frame * self.tracked.joints.len() + place].cast()
    }

    /// Name of a joint with a role, by its index among the tracked joints.
    pub(crate) fn name(&self, place: usize) -> &str {
        &self.tracked.names[place - self.tracked.segments.len()]
    }

    /// Indices of joints with roles among the tracked joints.
    pub(crate) fn joints(&self) -> Range<usize> {
        self.tracked.segments.len()..self.tracked.joints.len()
    }

    /// The support point at the middle joint of a limb.
    pub(crate) fn middle(&self, limb: usize) -> Option<usize> {
        let side = Side::BOTH[limb % 2];
        let point = if limb < 2 { SupportPoint::Knee(side) } else { SupportPoint::Elbow(side) };
        self.tracks[0].points.iter().position(|own| *own == point)
    }
}

/// Standard deviation of the filter that removes sway from a path, seconds.
const SWAY_SIGMA_S: f64 = 0.2;

/// Extent from which a source travels, metres.
const MIN_TRAVEL_M: f64 = 0.4;
/// Extent of a result that stays in place, as part of the source's.
const IN_PLACE_RATIO: f64 = 0.2;

/// Path of a body over the floor, without its sway.
fn without_sway(tracks: &SupportTrajectories, hips: &[Vector3<f64>]) -> Vec<Vector3<f64>> {
    let smooth = |piece: &Range<usize>| {
        low_passed(&hips[piece.clone()], 1, SWAY_SIGMA_S / tracks.frame_time)
    };
    tracks.segments(false).iter().flat_map(smooth).collect()
}

/// Pairs of joints with a role that each body has once.
fn joints_with_roles(plan: &Plan) -> Vec<[JointId; 2]> {
    let pair = |target: JointId| {
        let role = plan.target.roles.of(target)?;
        let one = |anatomy: &Anatomy| anatomy.roles.joints(role).count() == 1;
        let both = one(&plan.source) && one(&plan.target);
        Some([plan.source.roles.joint(role).filter(|_| both)?, target])
    };
    plan.target.skeleton.ids().filter_map(pair).collect()
}
