//! Source and result, frame by frame, in one world.

use crate::align::{Plan, SupportPoint};
use crate::body::turn_and_scale;
use crate::body::{Anatomy, Side};
use crate::contacts::{SupportTrajectories, TrackedPoints, horizontal};
use crate::math::low_passed;
use nalgebra::{UnitQuaternion, Vector3};
use rebone_skeleton::{Clip, JointId, WorldPose};
use std::ops::Range;

/// Segments whose turns are compared.
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

    /// The name of the figure that it counts in.
    pub(crate) fn figure(self) -> &'static str {
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

/// What is followed of both bodies: supports and limbs, segments, and joints whose roles both have.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    /// Supports and limbs, of source and result.
    pub(crate) probes: [TrackedPoints; 2],
    /// The segments that both bodies have.
    segments: Vec<Segment>,
    /// The joints of the segments, then those with roles.
    joints: Vec<[JointId; 2]>,
    /// Names of the joints with roles, as in the result.
    names: Vec<String>,
}

impl Watch {
    /// Of the bodies of a plan.
    pub(crate) fn new(plan: &Plan) -> Self {
        let both = |segment: Segment| {
            let [a, b] = [&plan.source, &plan.target].map(|anatomy| segment.joint(anatomy));
            Some((segment, [a?, b?]))
        };
        let (segments, pairs): (Vec<Segment>, Vec<[JointId; 2]>) =
            Segment::ALL.into_iter().filter_map(both).unzip();
        let alike = alike(plan);
        let name = |pair: &[JointId; 2]| plan.target.skeleton.joint(pair[1]).name.to_string();
        Self {
            probes: TrackedPoints::of_plan(plan),
            segments,
            names: alike.iter().map(name).collect(),
            joints: pairs.into_iter().chain(alike).collect(),
        }
    }
}

/// What was seen of one body, frame by frame: inner world, metres of a 1.7 m body.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// Paths of supports and limbs.
    pub(crate) tracks: SupportTrajectories,
    /// World rotations of the anatomical frames of the joints that are followed, in single precision: there are many.
    turns: Vec<UnitQuaternion<f32>>,
}

impl Seen {
    /// No frame yet of a body: 0 of the source, 1 of the result; with room for some.
    pub(crate) fn new(watch: &Watch, body: usize, frame_time: f64, room: usize) -> Self {
        let tracks = SupportTrajectories::new(&watch.probes[body], frame_time, room);
        Self { tracks, turns: Vec::with_capacity(room * watch.joints.len()) }
    }

    /// Adds a frame, in the inner world.
    pub(crate) fn push(&mut self, plan: &Plan, watch: &Watch, body: usize, world: &WorldPose) {
        let anatomy = [&plan.source, &plan.target][body];
        self.tracks.push(&watch.probes[body], world);
        let turn = |pair: &[JointId; 2]| {
            anatomy.anatomical(pair[body], &world.rotations[pair[body].index()])
        };
        self.turns.extend(watch.joints.iter().map(|pair| turn(pair).cast::<f32>()));
    }

    /// Adds frames that come after those that are there.
    pub(crate) fn append(&mut self, later: &Self) {
        self.tracks.append(&later.tracks);
        self.turns.extend_from_slice(&later.turns);
    }

    /// Forgets all frames.
    pub(crate) fn clear(&mut self) {
        self.tracks.clear();
        self.turns.clear();
    }

    /// What is seen of a body in the first frames of a clip.
    pub(crate) fn of(plan: &Plan, watch: &Watch, body: usize, clip: &Clip, frames: usize) -> Self {
        let anatomy = [&plan.source, &plan.target][body];
        let inner = [plan.inner_from_source, plan.inner_from_target][body];
        let mut own = Self::new(watch, body, clip.frame_time, frames);
        let mut world = WorldPose::zeros(anatomy.skeleton.len());
        let mut pose = anatomy.skeleton.rest_pose();
        for frame in 0..frames {
            clip.read(frame, &mut pose);
            world.update(&anatomy.skeleton, &pose);
            turn_and_scale(&mut world, &inner, anatomy.metres_per_unit());
            own.push(plan, watch, body, &world);
        }
        own
    }
}

/// Both bodies over the frames that both clips have.
pub(crate) struct Pair<'a> {
    /// Paths of supports and limbs, source and result.
    pub(crate) tracks: [SupportTrajectories; 2],
    turns: [Vec<UnitQuaternion<f32>>; 2],
    watch: &'a Watch,
    /// How the result is turned about the vertical against the source, radians; undone in all that is here.
    pub(crate) yaw: f64,
    /// Whether the result stays in place while the source goes somewhere; it goes along in all that is here.
    pub(crate) stays: bool,
}

impl<'a> Pair<'a> {
    /// Of source and result, whose paths are scaled.
    pub(crate) fn new(watch: &'a Watch, [source, result]: [Seen; 2], scale: f64) -> Self {
        let tracks = [source.tracks, result.tracks];
        let turns = [source.turns, result.turns];
        let mut own = Self { tracks, turns, watch, yaw: 0.0, stays: false };
        own.face_alike();
        own.go_along(scale);
        own
    }

    /// The segments that both bodies have.
    pub(crate) fn segments(&self) -> &[Segment] {
        &self.watch.segments
    }

    /// The number of frames.
    pub(crate) fn len(&self) -> usize {
        self.tracks[0].len()
    }

    /// Turns the result about the vertical so that its bones point as the source's on the whole.
    fn face_alike(&mut self) {
        let (mut sine, mut cosine) = (0.0, 0.0);
        for frame in 0..self.len() {
            let [a, b] = [0, 1].map(|body| self.turn(body, frame, 0) * Vector3::z());
            sine += a.x * b.z - a.z * b.x;
            cosine += a.x * b.x + a.z * b.z;
        }
        let yaw = libm::atan2(sine, cosine);
        // Rounding and small differences of the pelvis are no turn of the world.
        if yaw.abs() > LEAST_YAW {
            self.yaw = yaw;
            let turn = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), yaw);
            self.tracks[1].rotate(&turn);
            let turn = turn.cast::<f32>();
            self.turns[1].iter_mut().for_each(|own| *own = turn * *own);
        }
    }

    /// Gives a result that stays in place the source's way.
    fn go_along(&mut self, scale: f64) {
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
            extent(&paths[0]) > GOES && extent(&paths[1]) < part * extent(&paths[0]) * scale
        };
        // Sway is a part of what hips do: what goes as far as half of the way does not stay.
        if self.len() == 0 || !stays(&hips, 0.5) {
            return;
        }
        let ways = [0, 1].map(|body| way(&self.tracks[body], &hips[body]));
        if !stays(&ways, STAYS) {
            return;
        }
        self.stays = true;
        for (frame, (from, own)) in ways[0].iter().zip(&ways[1]).enumerate() {
            self.tracks[1].shift(frame, &(from * scale - own));
        }
    }

    /// World rotation of a segment or joint of a body (0 of the source, 1 of the result).
    pub(crate) fn turn(&self, body: usize, frame: usize, place: usize) -> UnitQuaternion<f64> {
        self.turns[body][frame * self.watch.joints.len() + place].cast()
    }

    /// The name of a joint with a role, by its place among the turns.
    pub(crate) fn name(&self, place: usize) -> &str {
        &self.watch.names[place - self.watch.segments.len()]
    }

    /// The places of joints with roles among the turns.
    pub(crate) fn joints(&self) -> Range<usize> {
        self.watch.segments.len()..self.watch.joints.len()
    }

    /// The support that is the middle joint of a limb, of both bodies.
    pub(crate) fn middle(&self, limb: usize) -> Option<usize> {
        let side = Side::BOTH[limb % 2];
        let point = if limb < 2 { SupportPoint::Knee(side) } else { SupportPoint::Elbow(side) };
        self.tracks[0].points.iter().position(|own| *own == point)
    }
}

/// Seconds, a standard deviation, of what is sway and no way.
const WAY: f64 = 0.2;
/// Radians below which a result is not turned as a whole: 20 degrees.
const LEAST_YAW: f64 = 0.35;

/// Metres that a source goes at least that goes somewhere, and the part of that to which a result stays in place.
const GOES: f64 = 0.4;
const STAYS: f64 = 0.2;

/// The way of a body over the floor, whose hips are there, without its sway.
fn way(tracks: &SupportTrajectories, hips: &[Vector3<f64>]) -> Vec<Vector3<f64>> {
    let smooth =
        |piece: &Range<usize>| low_passed(&hips[piece.clone()], 1, WAY / tracks.frame_time);
    tracks.segments(false).iter().flat_map(smooth).collect()
}

/// Joints whose role one joint of each body plays.
fn alike(plan: &Plan) -> Vec<[JointId; 2]> {
    let pair = |target: JointId| {
        let role = plan.target.roles.of(target)?;
        let one = |anatomy: &Anatomy| anatomy.roles.joints(role).count() == 1;
        let both = one(&plan.source) && one(&plan.target);
        Some([plan.source.roles.joint(role).filter(|_| both)?, target])
    };
    plan.target.skeleton.ids().filter_map(pair).collect()
}
