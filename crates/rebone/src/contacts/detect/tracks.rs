//! Where a body's supports and the ends of its limbs are, frame by frame.

use super::segments::pieces;
use crate::align::{Plan, Support, SupportPoint};
use crate::body::Limb;
use crate::body::{Anatomy, Landmark};
use crate::contacts::BodyPart;
use crate::math::smoothed;
use nalgebra::{UnitQuaternion, Vector3};
use rebone_skeleton::WorldPose;
use std::ops::Range;

/// Width of the smoothing, seconds: a standard deviation. It takes the noise of optical capture away and
/// leaves a step of a tenth of a second.
const SMOOTHING: f64 = 0.02;

/// What is followed of a body: its supports, and root and end of legs and arms.
#[derive(Clone, Debug)]
pub(crate) struct Probe {
    points: Vec<SupportPoint>,
    /// The supports, then root and end of each of [`Limb::ALL`].
    supports: Vec<Support>,
}

impl Probe {
    /// Of both bodies of a plan, the source first.
    pub(crate) fn both(plan: &Plan) -> [Self; 2] {
        let own = |anatomy: &Anatomy, supports: &[Support]| Self {
            points: plan.supports.points.clone(),
            supports: supports.iter().copied().chain(limbs(anatomy)).collect(),
        };
        [own(&plan.source, &plan.supports.source), own(&plan.target, &plan.supports.target)]
    }
}

/// Root and end of each limb.
fn limbs(anatomy: &Anatomy) -> impl Iterator<Item = Support> + '_ {
    let ends = |limb: Limb| [Landmark::from(limb.root(anatomy)), limb.end(anatomy)];
    let unit = anatomy.metres_per_unit();
    let place =
        move |Landmark { joint, offset }| Support { joint, offset: offset * unit, radius: 0.0 };
    Limb::ALL.into_iter().flat_map(ends).map(place)
}

/// The part of a place or way that is level.
pub(crate) fn level(way: &Vector3<f64>) -> Vector3<f64> {
    Vector3::new(way.x, 0.0, way.z)
}

/// The part of the line between the hips that is level, where that is a third of it at least: of who lies on a side it
/// says nothing.
pub(crate) fn upright_line(line: &Vector3<f64>) -> Option<Vector3<f64>> {
    let level = level(line);
    (level.norm() > line.norm() / 3.0).then_some(level)
}

/// The paths of supports and limbs of a body: inner world, metres of a 1.7 m body.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tracks {
    /// Seconds from one frame to the next.
    pub(crate) frame_time: f64,
    /// Which points of the body the supports are.
    pub(crate) points: Vec<SupportPoint>,
    /// How far each is from the skin.
    pub(crate) radii: Vec<f64>,
    /// Frame by frame: the supports, then root and end of each limb.
    places: Vec<Vector3<f64>>,
}

impl Tracks {
    /// Paths without frames, with room for some.
    pub(crate) fn new(probe: &Probe, frame_time: f64, room: usize) -> Self {
        let supports = &probe.supports[..probe.points.len()];
        Self {
            frame_time,
            points: probe.points.clone(),
            radii: supports.iter().map(|support| support.radius).collect(),
            places: Vec::with_capacity(room * probe.supports.len()),
        }
    }

    /// Paths of supports alone, frame by frame.
    #[cfg(test)]
    pub(crate) fn of_supports(
        points: &[SupportPoint],
        frame_time: f64,
        frames: impl Iterator<Item = Vec<Vector3<f64>>>,
    ) -> Self {
        let limbs = || [Vector3::zeros(); 2 * Limb::ALL.len()];
        Self {
            frame_time,
            points: points.to_vec(),
            radii: vec![0.0; points.len()],
            places: frames.flat_map(|own| own.into_iter().chain(limbs())).collect(),
        }
    }

    /// Adds a frame.
    pub(crate) fn push(&mut self, probe: &Probe, world: &WorldPose) {
        self.places.extend(probe.supports.iter().map(|support| support.place(world)));
    }

    /// Adds frames of the same body that come after those that are there.
    pub(crate) fn append(&mut self, later: &Self) {
        self.places.extend_from_slice(&later.places);
    }

    /// Forgets all frames.
    pub(crate) fn clear(&mut self) {
        self.places.clear();
    }

    fn width(&self) -> usize {
        self.points.len() + 2 * Limb::ALL.len()
    }

    /// The number of frames.
    pub(crate) fn len(&self) -> usize {
        self.places.len() / self.width()
    }

    /// Where support `k` is.
    pub(crate) fn place(&self, frame: usize, k: usize) -> Vector3<f64> {
        self.places[frame * self.width() + k]
    }

    /// How far support `k` moves from the frame before.
    pub(crate) fn step(&self, frame: usize, k: usize) -> Vector3<f64> {
        self.place(frame, k) - self.place(frame - 1, k)
    }

    /// Root and end of a limb.
    pub(crate) fn limb(&self, frame: usize, limb: usize) -> [Vector3<f64>; 2] {
        let at = frame * self.width() + self.points.len() + 2 * limb;
        [self.places[at], self.places[at + 1]]
    }

    /// The line between the hips along the floor; `None` where the body lies on a side.
    pub(crate) fn across(&self, frame: usize) -> Option<Vector3<f64>> {
        let line = self.limb(frame, 0)[0] - self.limb(frame, 1)[0];
        upright_line(&line)
    }

    /// The head's joint, where there is one.
    pub(crate) fn head(&self, frame: usize) -> Option<Vector3<f64>> {
        let place = self.points.iter().position(|point| *point == SupportPoint::Head)?;
        Some(self.place(frame, place))
    }

    /// The same paths without the noise of capture, within pieces of the clip, which together are all of it in order.
    pub(crate) fn calm(&self, pieces: &[Range<usize>]) -> Self {
        let (count, width) = (self.width(), SMOOTHING / self.frame_time);
        let calm = |piece: &Range<usize>| {
            smoothed(&self.places[piece.start * count..piece.end * count], count, width)
        };
        Self {
            frame_time: self.frame_time,
            points: self.points.clone(),
            radii: self.radii.clone(),
            places: pieces.iter().map(calm).collect::<Vec<_>>().concat(),
        }
    }

    /// Moves a whole frame.
    pub(crate) fn shift(&mut self, frame: usize, by: &Vector3<f64>) {
        let width = self.width();
        self.places[frame * width..][..width].iter_mut().for_each(|place| *place += by);
    }

    /// Raises all paths, metres.
    pub(crate) fn rise(&mut self, by: f64) {
        self.places.iter_mut().for_each(|place| place.y += by);
    }

    /// Turns a frame about the middle of the hips; feet and hands go along, and do not turn.
    pub(crate) fn tilt(&mut self, frame: usize, turn: &UnitQuaternion<f64>) {
        let (hips, width) = (self.hips(frame), self.width());
        let tilted = |place: Vector3<f64>| hips + turn * (place - hips);
        let ends = [0, 1, 2, 3].map(|limb| self.limb(frame, limb)[1]);
        let places = &mut self.places[frame * width..][..width];
        for (k, place) in places.iter_mut().enumerate() {
            let limb = self.points.get(k).and_then(|point| BodyPart::of(*point).limb());
            *place = match limb {
                Some(limb) => *place + tilted(ends[limb]) - ends[limb],
                None => tilted(*place),
            };
        }
    }

    /// Turns all paths about the origin.
    pub(crate) fn turn(&mut self, turn: &UnitQuaternion<f64>) {
        self.places.iter_mut().for_each(|place| *place = turn * *place);
    }

    /// The pieces of the clip between which nothing passes.
    pub(crate) fn pieces(&self, begins_with_reference: bool) -> Vec<Range<usize>> {
        pieces(&self.path(), self.frame_time, begins_with_reference)
    }

    /// The middle between the hips, frame by frame.
    pub(crate) fn path(&self) -> Vec<Vector3<f64>> {
        (0..self.len()).map(|frame| self.hips(frame)).collect()
    }

    /// The middle between the hips.
    pub(crate) fn hips(&self, frame: usize) -> Vector3<f64> {
        (self.limb(frame, 0)[0] + self.limb(frame, 1)[0]) / 2.0
    }
}
