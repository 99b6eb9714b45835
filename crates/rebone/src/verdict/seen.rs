//! Source and result, frame by frame, in one world.

use crate::align::{Plan, SupportPoint};
use crate::contacts::{Probe, Tracks};
use crate::ground::turn_and_scale;
use crate::understand::{Anatomy, Side};
use nalgebra::{UnitQuaternion, Vector3};
use rebone_skeleton::{Clip, JointId, WorldPose};

/// Segments whose turns are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Segment {
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
    pub(super) fn figure(self) -> &'static str {
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

/// Both bodies over the frames that both clips have: inner world, metres of a 1.7 m body.
pub(super) struct Pair {
    /// Paths of supports and limbs, source and result.
    pub(super) tracks: [Tracks; 2],
    /// The segments that both bodies have.
    pub(super) segments: Vec<Segment>,
    /// For each body frame by frame the world rotations of the anatomical frames of those, then of joints whose
    /// roles both have.
    turns: [Vec<UnitQuaternion<f64>>; 2],
    width: usize,
    /// Names of the joints with roles, as in the result.
    names: Vec<String>,
    /// How the result is turned about the vertical against the source, radians; undone in all that is here.
    pub(super) yaw: f64,
}

impl Pair {
    /// Reads both clips.
    pub(super) fn new(plan: &Plan, clips: [&Clip; 2]) -> Self {
        let bodies = [&plan.source, &plan.target];
        let both = |segment: Segment| {
            let [a, b] = bodies.map(|anatomy| segment.joint(anatomy));
            Some((segment, [a?, b?]))
        };
        let (segments, pairs): (Vec<Segment>, Vec<[JointId; 2]>) =
            Segment::ALL.into_iter().filter_map(both).unzip();
        let alike = alike(plan);
        let name = |pair: &[JointId; 2]| plan.target.skeleton.joint(pair[1]).name.to_string();
        let names = alike.iter().map(name).collect();
        let joints: Vec<[JointId; 2]> = pairs.into_iter().chain(alike).collect();
        let probes = Probe::both(plan);
        let inner = [plan.inner_from_source, plan.inner_from_target];
        let count = clips[0].len().min(clips[1].len());
        let mut tracks = [0, 1].map(|k| Tracks::new(&probes[k], clips[0].frame_time));
        let mut turns = [Vec::new(), Vec::new()];
        for k in 0..2 {
            let anatomy = bodies[k];
            let mut world = WorldPose::zeros(anatomy.skeleton.len());
            let mut pose = anatomy.skeleton.rest_pose();
            for frame in 0..count {
                clips[k].read(frame, &mut pose);
                world.update(&anatomy.skeleton, &pose);
                turn_and_scale(&mut world, &inner[k], anatomy.metres_per_unit());
                tracks[k].push(&probes[k], &world);
                let turn = |pair: &[JointId; 2]| {
                    anatomy.anatomical(pair[k], &world.rotations[pair[k].index()])
                };
                turns[k].extend(joints.iter().map(turn));
            }
        }
        let mut own = Self { tracks, segments, turns, width: joints.len(), names, yaw: 0.0 };
        own.face_alike();
        own
    }

    /// The number of frames.
    pub(super) fn len(&self) -> usize {
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
            self.tracks[1].turn(&turn);
            self.turns[1].iter_mut().for_each(|own| *own = turn * *own);
        }
    }

    /// World rotation of a segment or joint of a body (0 of the source, 1 of the result).
    pub(super) fn turn(&self, body: usize, frame: usize, place: usize) -> UnitQuaternion<f64> {
        self.turns[body][frame * self.width + place]
    }

    /// The name of a joint with a role, by its place among the turns.
    pub(super) fn name(&self, place: usize) -> &str {
        &self.names[place - self.segments.len()]
    }

    /// The places of joints with roles among the turns.
    pub(super) fn joints(&self) -> std::ops::Range<usize> {
        self.segments.len()..self.width
    }

    /// The middle joint of a limb.
    pub(super) fn middle(&self, body: usize, frame: usize, limb: usize) -> Option<Vector3<f64>> {
        let side = Side::BOTH[limb % 2];
        let point = if limb < 2 { SupportPoint::Knee(side) } else { SupportPoint::Elbow(side) };
        let place = self.tracks[body].points.iter().position(|own| *own == point)?;
        Some(self.tracks[body].place(frame, place))
    }
}

/// Radians below which a result is not turned as a whole: 20 degrees.
const LEAST_YAW: f64 = 0.35;

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
