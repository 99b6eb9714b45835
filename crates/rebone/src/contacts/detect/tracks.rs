//! Trajectories of a body's supports and limb ends.

use super::tracked_points::{TrackedPoints, lowest_point};
use crate::align::SupportPoint;
use crate::contacts::BodyPart;
use crate::frame::{FootState, FootTurn};
use crate::math::low_passed;
use nalgebra::{UnitQuaternion, Vector3};
use rebone_body::body::{Limb, Side};
use rebone_body::motion::segments;
use rebone_skeleton::WorldPose;
use std::ops::Range;

/// Standard deviation of the low-pass filter: removes the noise of optical capture, keeps a step of 0.1 s.
const SMOOTHING_SECONDS: f64 = 0.02;

/// Number of hands and feet, whose lowest points follow the limbs in a frame.
const HANDS: usize = 2;
const FEET: usize = 2;
/// Number of positions after the limbs: the hands, the feet, and the head joint.
const LAST: usize = HANDS + FEET + 1;

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
    /// Whether the lowest points of feet are on their mesh.
    pub(crate) has_foot_mesh: bool,
    /// Frame by frame: the supports, then root and end of each limb, then the lowest point of each hand and of each foot,
    /// then the head joint.
    positions: Vec<Vector3<f64>>,
    /// State of both feet in each frame; empty where nothing needs it.
    pub(crate) feet: Vec<[FootState; 2]>,
}

impl SupportTrajectories {
    /// Creates trajectories without frames, with capacity for `room` frames.
    pub(crate) fn new(probe: &TrackedPoints, frame_time: f64, room: usize) -> Self {
        let supports = &probe.supports[..probe.points.len()];
        Self {
            frame_time,
            points: probe.points.clone(),
            has_foot_mesh: probe.has_foot_mesh,
            radii: supports.iter().map(|support| support.radius).collect(),
            positions: Vec::with_capacity(room * (probe.supports.len() + LAST)),
            feet: Vec::new(),
        }
    }

    /// Bytes of a frame.
    #[cfg(feature = "files")]
    pub(crate) fn bytes_per_frame(probe: &TrackedPoints) -> usize {
        (probe.supports.len() + LAST) * size_of::<Vector3<f64>>()
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
            has_foot_mesh: false,
            radii: vec![0.0; points.len()],
            positions: frames.flat_map(|own| own.into_iter().chain(limbs())).collect(),
            feet: Vec::new(),
        }
    }

    /// Replaces the lowest points of both feet in all frames by points of this height.
    #[cfg(test)]
    pub(crate) fn with_lowest_of_feet(mut self, height: f64, has_foot_mesh: bool) -> Self {
        let width = self.width();
        for frame in self.positions.chunks_exact_mut(width) {
            frame[width - LAST + HANDS..width - 1].fill(Vector3::y() * height);
        }
        Self { has_foot_mesh, ..self }
    }

    /// Adds a frame.
    pub(crate) fn push(&mut self, probe: &TrackedPoints, world: &WorldPose) {
        self.positions.extend(probe.supports.iter().map(|support| support.place(world)));
        for ends in [&probe.hands, &probe.feet] {
            self.positions.extend(ends.each_ref().map(|points| lowest_point(points, world)));
        }
        let head = probe.head.map(|head| world.positions[head.index()]);
        self.positions.push(head.unwrap_or_else(Vector3::zeros));
    }

    /// Appends later frames of this body.
    pub(crate) fn append(&mut self, later: &Self) {
        self.positions.extend_from_slice(&later.positions);
        self.feet.extend_from_slice(&later.feet);
    }

    /// Removes all frames.
    pub(crate) fn clear(&mut self) {
        self.positions.clear();
        self.feet.clear();
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

    /// Returns whether no position is further than `length` from that of the first frame.
    pub(crate) fn are_still(&self, length: f64) -> bool {
        let width = self.width();
        let places = self.positions.iter().enumerate();
        places
            .into_iter()
            .all(|(index, place)| (place - self.positions[index % width]).norm() <= length)
    }

    /// Returns the position of support `k`.
    pub(crate) fn position(&self, frame: usize, k: usize) -> Vector3<f64> {
        self.positions[frame * self.width() + k]
    }

    /// Returns the step of support `k` since the frame before.
    pub(crate) fn step(&self, frame: usize, k: usize) -> Vector3<f64> {
        self.position(frame, k) - self.position(frame - 1, k)
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

    /// Returns the lowest point of a foot, left 0 and right 1: of its mesh, else its lowest joint or end.
    pub(crate) fn lowest_of_foot(&self, frame: usize, side: usize) -> Vector3<f64> {
        self.positions[(frame + 1) * self.width() - LAST + HANDS + side]
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
        let joined = |mut all: Vec<_>, later: Vec<_>| {
            all.extend(later);
            all
        };
        Self {
            frame_time: self.frame_time,
            points: self.points.clone(),
            has_foot_mesh: self.has_foot_mesh,
            radii: self.radii.clone(),
            positions: segments.iter().map(low_passed).reduce(joined).unwrap_or_default(),
            feet: Vec::new(),
        }
    }

    /// Returns them with the points of each sole as low as the lowest point of the foot's mesh.
    pub(crate) fn with_soles_on_mesh(mut self) -> Self {
        if !self.has_foot_mesh {
            return self;
        }
        let width = self.width();
        let soles = Side::BOTH.map(|side| BodyPart::Foot(side).points(&self.points));
        for frame in 0..self.len() {
            for (side, points) in soles.iter().enumerate() {
                let height = |&k: &usize| self.position(frame, k).y - self.radii[k];
                let sole = points.iter().map(height).fold(f64::INFINITY, f64::min);
                let by = self.lowest_of_foot(frame, side).y - sole;
                points.iter().for_each(|k| self.positions[frame * width + k].y += by);
            }
        }
        self
    }

    /// Turns a foot and its toes in a frame; `lowest` is the lowest point of its mesh from the ankle then. Without a mesh its
    /// lowest point moves as that of its joints and ends.
    pub(crate) fn turn_foot(
        &mut self,
        (frame, side): (usize, Side),
        turn: &FootTurn,
        lowest: Option<Vector3<f64>>,
    ) {
        let (width, ankle) = (self.width(), self.limb(frame, side.index())[1]);
        let state = self.feet[frame][side.index()];
        let front = |own: &Self| own.lowest_of_front(frame, side).filter(|_| lowest.is_none());
        let before = front(self);
        for k in BodyPart::Foot(side).points(&self.points) {
            let is_on_toes = matches!(self.points[k], SupportPoint::Toes(_));
            let position = &mut self.positions[frame * width + k];
            *position = ankle + state.turned(&(*position - ankle), turn, is_on_toes);
        }
        let lowest = match (lowest, before, front(self)) {
            (Some(lowest), ..) => ankle + lowest,
            (None, Some(before), Some(after)) => {
                self.lowest_of_foot(frame, side.index()) + after - before
            }
            _ => return,
        };
        self.positions[(frame + 1) * width - LAST + HANDS + side.index()] = lowest;
    }

    /// Returns the lowest of a sole's points that have a joint or an end: all but its heel.
    fn lowest_of_front(&self, frame: usize, side: Side) -> Option<Vector3<f64>> {
        let sole = BodyPart::Foot(side).points(&self.points).into_iter();
        let front = sole.filter(|&k| !matches!(self.points[k], SupportPoint::Heel(_)));
        let places = front.map(|k| self.position(frame, k) - Vector3::y() * self.radii[k]);
        places.min_by(|a, b| a.y.total_cmp(&b.y))
    }

    /// Translates a frame.
    pub(crate) fn shift(&mut self, frame: usize, by: &Vector3<f64>) {
        let width = self.width();
        self.positions[frame * width..][..width].iter_mut().for_each(|position| *position += by);
    }

    /// Rotates a frame about the midpoint of the hips; feet and hands are translated only.
    pub(crate) fn tilt(&mut self, frame: usize, rotation: &UnitQuaternion<f64>) {
        let (hips, width) = (self.hip_centre(frame), self.width());
        let tilted = |position: Vector3<f64>| hips + rotation * (position - hips);
        let ends = [0, 1, 2, 3].map(|limb| self.limb(frame, limb)[1]);
        let (hands, feet, head) = (width - LAST, width - LAST + HANDS, width - 1);
        let positions = &mut self.positions[frame * width..][..width];
        for (k, position) in positions.iter_mut().enumerate() {
            let of_point = self.points.get(k).and_then(|point| BodyPart::of(*point).limb());
            // Of limbs, legs come first.
            let limb = match k {
                _ if (hands..feet).contains(&k) => Some(FEET + k - hands),
                _ if (feet..head).contains(&k) => Some(k - feet),
                _ => of_point,
            };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn soles_are_as_low_as_the_mesh_of_the_foot() {
        let points = [SupportPoint::Heel(Side::Left), SupportPoint::Ball(Side::Left)];
        let frames = (0..5).map(|_| vec![Vector3::y() * 0.1, Vector3::y() * 0.04]);
        let tracks = SupportTrajectories::of_supports(&points, 0.1, frames);
        let heights = |has_mesh| {
            let tracks = tracks.clone().with_lowest_of_feet(0.01, has_mesh).with_soles_on_mesh();
            [0, 1].map(|k| tracks.position(3, k).y)
        };
        assert_eq!(heights(false), [0.1, 0.04]);
        let [heel, ball] = heights(true);
        assert!((heel - 0.07).abs() < 1e-12 && (ball - 0.01).abs() < 1e-12);
    }
}
