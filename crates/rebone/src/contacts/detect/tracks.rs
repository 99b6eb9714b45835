//! Trajectories of a body's supports and limb ends.

use super::floor::{confidence, dominant_height};
use super::segments::segments;
use crate::align::{Plan, Support, SupportPoint, Supports};
use crate::body::{Anatomy, Landmark, Limb};
use crate::contacts::BodyPart;
use crate::math::low_passed;
use nalgebra::{UnitQuaternion, Vector3};
use rebone_skeleton::{JointId, WorldPose};
use std::ops::Range;

/// Standard deviation of the low-pass filter: removes the noise of optical capture, keeps a step of 0.1 s.
const SMOOTHING_SECONDS: f64 = 0.02;

/// Limbs whose hands and feet have their lowest points after the limbs in a frame, as indices into [`Limb::ALL`].
const LOWEST_OF: [usize; 4] = [2, 3, 0, 1];
/// Number of positions after the limbs: the lowest points of hands and feet, and the head joint.
const LAST: usize = LOWEST_OF.len() + 1;

/// The tracked points of a body: its supports, and root and end of each limb.
#[derive(Clone, Debug)]
pub(crate) struct TrackedPoints {
    points: Vec<SupportPoint>,
    /// The supports, then root and end of each of [`Limb::ALL`].
    supports: Vec<Support>,
    /// The points of each hand and foot that can be its lowest, as in [`LOWEST_OF`].
    lowest: [Vec<Support>; 4],
    /// The head joint, whose support is the middle of a mesh.
    head: Option<JointId>,
}

impl TrackedPoints {
    /// Lists the points of both bodies of a plan, the source first.
    pub(crate) fn of_plan(plan: &Plan) -> [Self; 2] {
        let Supports { points, source, target, hands, feet, .. } = &plan.supports;
        let own = |anatomy: &Anatomy, supports: &[Support], body: usize| {
            let soles = |side: usize| {
                let own = BodyPart::FEET[side].points(points).into_iter().map(|k| supports[k]);
                if feet[body][side].is_empty() { own.collect() } else { feet[body][side].clone() }
            };
            let [left, right] = hands[body].clone();
            Self {
                points: points.clone(),
                supports: supports.iter().copied().chain(limbs(anatomy)).collect(),
                lowest: [left, right, soles(0), soles(1)],
                head: anatomy.body.head(),
            }
        };
        [own(&plan.source, source, 0), own(&plan.target, target, 1)]
    }
}

/// Returns root and end of each limb.
fn limbs(anatomy: &Anatomy) -> impl Iterator<Item = Support> + '_ {
    let ends = |limb: Limb| [Landmark::from(limb.root(anatomy)), limb.end(anatomy)];
    let unit = anatomy.metres_per_unit();
    let position = move |Landmark { joint, offset }| Support {
        joint,
        offset: offset * unit,
        radius: 0.0,
        extent: None,
    };
    Limb::ALL.into_iter().flat_map(ends).map(position)
}

/// Returns the lowest point of a hand or a foot, on its skin.
fn lowest_point(hand: &[Support], world: &WorldPose) -> Vector3<f64> {
    let on_skin = |support: &Support| support.place(world) - Vector3::y() * support.radius;
    let places = hand.iter().map(on_skin);
    places.min_by(|a, b| a.y.total_cmp(&b.y)).unwrap_or_else(Vector3::zeros)
}

/// Projects a vector on the horizontal plane.
pub(crate) fn horizontal(way: &Vector3<f64>) -> Vector3<f64> {
    Vector3::new(way.x, 0.0, way.z)
}

/// Returns the horizontal part of the hip line if it is at least a third of it; `None` of a body that lies on its
/// side, which has no heading.
pub(crate) fn upright_hip_line(line: &Vector3<f64>) -> Option<Vector3<f64>> {
    let flat = horizontal(line);
    (flat.norm() > line.norm() / 3.0).then_some(flat)
}

/// Trajectories of supports and limbs: inner world, metres of a 1.7 m body.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SupportTrajectories {
    /// Seconds between frames.
    pub(crate) frame_time: f64,
    /// The support points.
    pub(crate) points: Vec<SupportPoint>,
    /// Distance of each from the skin.
    pub(crate) radii: Vec<f64>,
    /// Frame by frame: the supports, then root and end of each limb, then the lowest point of each hand and of each
    /// foot, then the head joint.
    positions: Vec<Vector3<f64>>,
}

impl SupportTrajectories {
    /// Creates trajectories without frames, with capacity for `room` frames.
    pub(crate) fn new(probe: &TrackedPoints, frame_time: f64, room: usize) -> Self {
        let supports = &probe.supports[..probe.points.len()];
        Self {
            frame_time,
            points: probe.points.clone(),
            radii: supports.iter().map(|support| support.radius).collect(),
            positions: Vec::with_capacity(room * (probe.supports.len() + LAST)),
        }
    }

    /// Creates trajectories of supports only.
    #[cfg(test)]
    pub(crate) fn of_supports(
        points: &[SupportPoint],
        frame_time: f64,
        frames: impl Iterator<Item = Vec<Vector3<f64>>>,
    ) -> Self {
        let limbs = || [Vector3::zeros(); 2 * Limb::ALL.len() + LAST];
        Self {
            frame_time,
            points: points.to_vec(),
            radii: vec![0.0; points.len()],
            positions: frames.flat_map(|own| own.into_iter().chain(limbs())).collect(),
        }
    }

    /// Adds a frame.
    pub(crate) fn push(&mut self, probe: &TrackedPoints, world: &WorldPose) {
        self.positions.extend(probe.supports.iter().map(|support| support.place(world)));
        self.positions.extend(probe.lowest.each_ref().map(|part| lowest_point(part, world)));
        let head = probe.head.map(|head| world.positions[head.index()]);
        self.positions.push(head.unwrap_or_else(Vector3::zeros));
    }

    /// Appends later frames of this body.
    pub(crate) fn append(&mut self, later: &Self) {
        self.positions.extend_from_slice(&later.positions);
    }

    /// Removes all frames.
    pub(crate) fn clear(&mut self) {
        self.positions.clear();
    }

    /// Removes all frames but the last.
    pub(crate) fn keep_last_frame(&mut self) {
        let first = self.positions.len().saturating_sub(self.width());
        self.positions.drain(..first);
    }

    fn width(&self) -> usize {
        self.points.len() + 2 * Limb::ALL.len() + LAST
    }

    /// Returns the number of frames.
    pub(crate) fn len(&self) -> usize {
        self.positions.len() / self.width()
    }

    /// Returns the position of support `k`.
    pub(crate) fn position(&self, frame: usize, k: usize) -> Vector3<f64> {
        self.positions[frame * self.width() + k]
    }

    /// Returns the step of support `k` since the frame before.
    pub(crate) fn step(&self, frame: usize, k: usize) -> Vector3<f64> {
        self.position(frame, k) - self.position(frame - 1, k)
    }

    /// Finds the floor: the height that most of the lowest points of the frames are on, and its probability; `None`
    /// without frames. Metres of a 1.7 m body.
    pub(crate) fn floor(&self) -> Option<(f64, f64)> {
        let lowest = |frame: usize| {
            let heights = (0..self.points.len()).map(|k| self.position(frame, k).y - self.radii[k]);
            heights.fold(f64::INFINITY, f64::min)
        };
        let mut heights: Vec<f64> = (0..self.len()).map(lowest).filter(|y| y.is_finite()).collect();
        heights.sort_by(f64::total_cmp);
        let (level, fraction) = dominant_height(&heights, 1.0)?;
        Some((level, confidence(fraction)))
    }

    /// Returns root and end of a limb.
    pub(crate) fn limb(&self, frame: usize, limb: usize) -> [Vector3<f64>; 2] {
        let at = frame * self.width() + self.points.len() + 2 * limb;
        [self.positions[at], self.positions[at + 1]]
    }

    /// Returns the lowest point of a hand, left 0 and right 1.
    pub(crate) fn lowest_of_hand(&self, frame: usize, side: usize) -> Vector3<f64> {
        self.positions[(frame + 1) * self.width() - LAST + side]
    }

    /// Returns the lowest point of a foot, left 0 and right 1: on its mesh, where it has one.
    pub(crate) fn lowest_of_foot(&self, frame: usize, side: usize) -> Vector3<f64> {
        self.lowest_of_hand(frame, 2 + side)
    }

    /// Returns the horizontal hip line; `None` if the body lies on its side.
    pub(crate) fn hip_line(&self, frame: usize) -> Option<Vector3<f64>> {
        let line = self.limb(frame, 0)[0] - self.limb(frame, 1)[0];
        upright_hip_line(&line)
    }

    /// Returns the position of the head joint, if both bodies have one.
    pub(crate) fn head(&self, frame: usize) -> Option<Vector3<f64>> {
        let has_head = self.points.contains(&SupportPoint::Head);
        has_head.then(|| self.positions[(frame + 1) * self.width() - 1])
    }

    /// Returns the low-passed trajectories, filtered within segments, which cover the clip in order.
    pub(crate) fn low_passed(&self, segments: &[Range<usize>]) -> Self {
        let (count, width) = (self.width(), SMOOTHING_SECONDS / self.frame_time);
        let low_passed = |segment: &Range<usize>| {
            low_passed(&self.positions[segment.start * count..segment.end * count], count, width)
        };
        Self {
            frame_time: self.frame_time,
            points: self.points.clone(),
            radii: self.radii.clone(),
            positions: segments.iter().map(low_passed).collect::<Vec<_>>().concat(),
        }
    }

    /// Translates a frame.
    pub(crate) fn shift(&mut self, frame: usize, by: &Vector3<f64>) {
        let width = self.width();
        self.positions[frame * width..][..width].iter_mut().for_each(|position| *position += by);
    }

    /// Raises all trajectories, metres.
    pub(crate) fn raise(&mut self, by: f64) {
        self.positions.iter_mut().for_each(|position| position.y += by);
    }

    /// Rotates a frame about the midpoint of the hips; feet and hands are translated only.
    pub(crate) fn tilt(&mut self, frame: usize, rotation: &UnitQuaternion<f64>) {
        let (hips, width) = (self.hip_centre(frame), self.width());
        let tilted = |position: Vector3<f64>| hips + rotation * (position - hips);
        let ends = [0, 1, 2, 3].map(|limb| self.limb(frame, limb)[1]);
        let (hands, head) = (width - LAST, width - 1);
        let positions = &mut self.positions[frame * width..][..width];
        for (k, position) in positions.iter_mut().enumerate() {
            let of_point = self.points.get(k).and_then(|point| BodyPart::of(*point).limb());
            let limb =
                if (hands..head).contains(&k) { Some(LOWEST_OF[k - hands]) } else { of_point };
            *position = match limb {
                Some(limb) => *position + tilted(ends[limb]) - ends[limb],
                None => tilted(*position),
            };
        }
    }

    /// Rotates all trajectories about the origin.
    pub(crate) fn rotate(&mut self, rotation: &UnitQuaternion<f64>) {
        self.positions.iter_mut().for_each(|position| *position = rotation * *position);
    }

    /// Returns the segments of continuous motion.
    pub(crate) fn segments(&self, begins_with_reference: bool) -> Vec<Range<usize>> {
        segments(&self.hip_path(), self.frame_time, begins_with_reference)
    }

    /// Returns the path of the midpoint of the hips.
    pub(crate) fn hip_path(&self) -> Vec<Vector3<f64>> {
        (0..self.len()).map(|frame| self.hip_centre(frame)).collect()
    }

    /// Returns the midpoint of the hips.
    pub(crate) fn hip_centre(&self, frame: usize) -> Vector3<f64> {
        (self.limb(frame, 0)[0] + self.limb(frame, 1)[0]) / 2.0
    }
}
