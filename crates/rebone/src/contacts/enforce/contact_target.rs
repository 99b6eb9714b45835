//! Where a part in contact is wanted on the target, from first to last frame.

use crate::contacts::detect::Terrain;
use crate::contacts::detect::Tracks;
use crate::contacts::detect::{CLOSES, spread};
use crate::contacts::detect::{Part, soft_minimum};
use crate::contacts::{BodyPart, Contact, ContactKind};
use crate::math::ease;
use crate::options::ContactMode;
use nalgebra::Vector3;
use std::ops::Range;

/// Seconds in which what holds a part begins, and ends.
const EDGE: f64 = 0.08;

/// A foot that gets no farther than this without leaving the floor shuffles, metres: 12 cm at 1.8 m.
const SHUFFLES: f64 = 3.0 * CLOSES;

/// A contact as it is wanted on the target.
#[derive(Clone, Debug)]
pub(crate) struct Foothold {
    /// The part.
    pub(crate) part: BodyPart,
    /// The contact's frames.
    pub(crate) held: Range<usize>,
    /// The frames over which it is felt: from before the contact until behind it.
    pub(crate) felt: Range<usize>,
    /// For each of those how far the part has to move in the world, metres.
    pub(crate) wanted: Vec<Vector3<f64>>,
    /// For each of those how much it counts, 0 to 1.
    pub(crate) share: Vec<f64>,
    /// What it does.
    kind: ContactKind,
    /// Probability of the contact.
    pub(crate) confidence: f64,
}

impl Foothold {
    /// Whether only the height is wanted.
    pub(crate) fn slides(&self) -> bool {
        self.kind == ContactKind::Slide
    }

    /// Whether it does not bear on the floor.
    pub(crate) fn holds(&self) -> bool {
        self.kind == ContactKind::Hold
    }
}

/// Both bodies of a plan over a piece of a clip.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair<'a> {
    /// The source.
    pub(crate) source: &'a Tracks,
    /// The same without noise.
    pub(crate) calm: &'a Tracks,
    /// The result without contacts.
    pub(crate) target: &'a Tracks,
    /// What the source moves on.
    pub(crate) terrain: &'a Terrain,
    /// What the target moves on.
    pub(crate) below: &'a Terrain,
    /// Lengths of the target over those of the source.
    pub(crate) scale: f64,
    /// What is kept.
    pub(crate) keep: ContactMode,
}

impl<'a> Pair<'a> {
    /// The same with another target.
    pub(crate) fn over<'b>(&self, target: &'b Tracks) -> Pair<'b>
    where
        'a: 'b,
    {
        Pair { target, ..*self }
    }

    /// The footholds of contacts in a piece of the clip.
    pub(crate) fn footholds(&self, contacts: &[&Contact], piece: &Range<usize>) -> Vec<Foothold> {
        let of = |&part: &BodyPart| {
            let own = contacts.iter().copied().filter(|own| own.part == part);
            self.footholds_of(part, &own.collect::<Vec<_>>(), piece)
        };
        self.keep.parts().iter().flat_map(of).collect()
    }

    /// The footholds of one part's contacts in a piece of the clip, in their order.
    ///
    /// At each instant the point that the target rests on shall move as the source's, scaled: with `w` the
    /// weights of the points, `q` the source's and `q'` the target's, the part has to be moved by `u` with
    /// `u̇ = Σ w (s q̇ − q̇')` along the floor. That is rolling without slipping on the target's own foot: heel,
    /// ball and tip take over from each other wherever they are. Heights over the floor are absolute, and
    /// their soft minima scale. What remains, the place of the foothold, is the one nearest to where the part would
    /// be.
    fn footholds_of(
        &self,
        part: BodyPart,
        contacts: &[&Contact],
        piece: &Range<usize>,
    ) -> Vec<Foothold> {
        let points = part.points(&self.source.points);
        if contacts.is_empty() || points.is_empty() {
            return Vec::new();
        }
        let rests = Part::read(self.calm, Some(self.terrain), &points, piece.clone());
        let held = stretches(contacts, &rests);
        let made = held.iter().enumerate().map(|(k, own)| {
            let begin = if k == 0 { piece.start } else { held[k - 1].frames.end };
            let end = held.get(k + 1).map_or(piece.end, |next| next.frames.start);
            self.foothold(own, &rests, &(begin..end))
        });
        made.collect()
    }

    /// One of them; `room` are the frames that are no other's.
    fn foothold(&self, contact: &Contact, rests: &Part, room: &Range<usize>) -> Foothold {
        let edge = (EDGE / self.source.frame_time).round().max(1.0) as usize;
        let held = contact.frames.clone();
        // Half of a gap belongs to either neighbour.
        let before = edge.min(held.start.saturating_sub(room.start) / 2);
        let after = edge.min(room.end.saturating_sub(held.end) / 2);
        let felt = held.start - before..held.end + after;
        let mut wanted = self.path(&felt, rests);
        let inside = before..before + held.len();
        let mean = wanted[inside].iter().sum::<Vector3<f64>>() / held.len() as f64;
        let mean = self.below.along(&mean);
        wanted.iter_mut().for_each(|wanted| *wanted -= mean);
        // Outside it fades; a clip does not begin or end with a step.
        let share = |k: usize| {
            let (frame, last) = (felt.start + k, rests.begin + rests.len());
            let (away, over, open) = match () {
                () if frame < held.start => (held.start - frame, before, felt.start == rests.begin),
                () if frame >= held.end => (frame + 1 - held.end, after, felt.end == last),
                () => return 1.0,
            };
            let x = 1.0 - away as f64 / (over + 1) as f64;
            if open { 1.0 } else { ease(x) }
        };
        Foothold {
            part: contact.part,
            share: (0..felt.len()).map(share).collect(),
            held,
            felt,
            wanted,
            kind: contact.kind,
            confidence: contact.confidence,
        }
    }

    /// How far the part has to move in each frame, up to a constant along the floor.
    fn path(&self, frames: &Range<usize>, rests: &Part) -> Vec<Vector3<f64>> {
        let up = *self.below.normal;
        // The source's own movement, or none of it.
        let own = if self.keep == ContactMode::Lock { 0.0 } else { self.scale };
        let along = rests.rolled(frames, |frame, place| {
            let k = rests.points[place];
            self.below.along(&(self.source.step(frame, k) * own - self.target.step(frame, k)))
        });
        let risen = |(along, frame)| along + up * self.rise(frame, rests);
        along.into_iter().zip(frames.clone()).map(risen).collect()
    }

    /// How far the part has to rise over the floor.
    fn rise(&self, frame: usize, rests: &Part) -> f64 {
        let points = rests.points.iter();
        // Over the lowest level: levels above are as high over it on both.
        let heights = |tracks: &'_ Tracks, terrain: &Terrain| -> Vec<f64> {
            let height = |&k: &usize| terrain.normal.dot(&tracks.place(frame, k)) - tracks.radii[k];
            points.clone().map(|k| height(k) - terrain.levels[0]).collect()
        };
        let from = heights(self.source, self.terrain);
        let to = heights(self.target, self.below);
        let float = match self.keep {
            ContactMode::Lock => points
                .clone()
                .map(|&k| {
                    self.terrain.clearance(&self.source.place(frame, k)) - self.source.radii[k]
                })
                .fold(f64::INFINITY, f64::min),
            _ => 0.0,
        };
        let wanted = soft_minimum(from.iter().map(|height| height - float), 1.0);
        wanted * self.scale - soft_minimum(to.iter().copied(), self.scale)
    }
}

/// Contacts that follow each other without a gap as one, as long as the part does not get far: a foot that
/// shuffles has one foothold, which moves as the source's.
fn stretches(contacts: &[&Contact], rests: &Part) -> Vec<Contact> {
    let mut all: Vec<Contact> = Vec::new();
    for &contact in contacts {
        let joined = all.last().map(|last| last.frames.start..contact.frames.end);
        let near = |frames: &Range<usize>| {
            spread(&rests.path, &(frames.start - rests.begin..frames.end - rests.begin)) < SHUFFLES
        };
        match (all.last_mut(), joined) {
            (Some(last), Some(joined))
                if last.frames.end == contact.frames.start && near(&joined) =>
            {
                last.frames = joined;
                last.confidence = last.confidence.min(contact.confidence);
                if last.kind == ContactKind::Slide {
                    last.kind = contact.kind;
                }
            }
            _ => all.push(contact.clone()),
        }
    }
    all
}
