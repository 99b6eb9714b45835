//! Targets of contacts: offsets that parts of the target need, frame by frame.

use crate::contacts::detect::{PivotPath, SupportTrajectories, Terrain};
use crate::contacts::enforce::smooth_envelope::smooth_envelope;
use crate::contacts::enforce::targets::adjacent::{join_all, limit_fade, merge_adjacent};
use crate::contacts::enforce::targets::contact_target::ContactTarget;
use crate::contacts::{BodyPart, Contact};
use crate::math::{ease, soft_minimum};
use crate::options::ContactMode;
use nalgebra::Vector3;
use rebone_body::body::METRES_PER_CENTIMETRE;
use std::ops::Range;

/// Time over which a contact blends in and out.
const BLEND_SECONDS: f64 = 0.08;

/// Height over the ground, or depth in it, up to which a standing foot floats by noise or drift, metres: 8 cm at 1.8 m. It
/// counts less beyond, and not from twice that on. It also bounds what the verdict counts as standing.
pub(crate) const MAX_FLOAT_METRES: f64 = 8.0 * METRES_PER_CENTIMETRE;
/// Share of the frames of a contact in which the foot is lower: it rolls, and bears where it is low.
const FLOAT_SHARE: f64 = 0.15;

/// Softness of the minimum height, metres: small against differences between soles.
const HEIGHT_SOFTNESS_METRES: f64 = 0.003;

/// Both bodies of a plan over a segment of a clip.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SegmentBodies<'a> {
    /// The source.
    pub(crate) source: &'a SupportTrajectories,
    /// The source, low-passed.
    pub(crate) low_passed: &'a SupportTrajectories,
    /// The result before contacts are enforced.
    pub(crate) target: &'a SupportTrajectories,
    /// Ground of the source.
    pub(crate) terrain: &'a Terrain,
    /// Ground of the target.
    pub(crate) below: &'a Terrain,
    /// Lengths of the target over those of the source.
    pub(crate) scale: f64,
    /// Contacts that are enforced.
    pub(crate) keep: ContactMode,
    /// True where feet stand on the target's ground though the source's float over its own a little or sink.
    pub(crate) levels_feet: bool,
}

impl<'a> SegmentBodies<'a> {
    /// Replaces the target.
    pub(crate) fn with_target<'b>(&self, target: &'b SupportTrajectories) -> SegmentBodies<'b>
    where
        'a: 'b,
    {
        SegmentBodies { target, ..*self }
    }

    /// Returns bodies on one ground that keep the contacts of their feet.
    #[cfg(test)]
    pub(crate) fn on(
        ground: &'a Terrain,
        [source, target]: [&'a SupportTrajectories; 2],
        scale: f64,
    ) -> Self {
        Self {
            source,
            low_passed: source,
            target,
            terrain: ground,
            below: ground,
            scale,
            keep: ContactMode::Feet,
            levels_feet: false,
        }
    }

    /// Returns the targets of contacts in a segment.
    pub(crate) fn contact_targets(
        &self,
        contacts: &[&Contact],
        segment: &Range<usize>,
    ) -> Vec<ContactTarget> {
        let of = |&part: &BodyPart| {
            let own = contacts.iter().copied().filter(|own| own.part == part);
            self.contact_targets_of(part, &own.collect::<Vec<_>>(), segment)
        };
        self.keep.parts().iter().flat_map(of).collect()
    }

    /// Returns the targets of one part's contacts in a segment, in their order.
    ///
    /// The pivot of the target moves as the source's, scaled: with `w` the weights of the points, `q` the source's and
    /// `q'` the target's, the part has to be moved by `u` with `u̇ = Σ w (s q̇ − q̇')` along the floor. That is
    /// rolling without slipping on the target's foot, whatever its heel, ball and tip. Heights over the floor are
    /// absolute, and their soft minima scale. The constant of integration is the one that moves the part least.
    fn contact_targets_of(
        &self,
        part: BodyPart,
        contacts: &[&Contact],
        segment: &Range<usize>,
    ) -> Vec<ContactTarget> {
        let points = part.points(&self.source.points);
        if contacts.is_empty() || points.is_empty() {
            return Vec::new();
        }
        let pivot = PivotPath::new(self.low_passed, Some(self.terrain), &points, segment.clone());
        let held = merge_adjacent(contacts, &pivot);
        let made = held.iter().enumerate().map(|(k, own)| {
            let begin = if k == 0 { segment.start } else { held[k - 1].frames.end };
            let end = held.get(k + 1).map_or(segment.end, |next| next.frames.start);
            self.contact_target(own, &pivot, &(begin..end))
        });
        let mut made: Vec<ContactTarget> = made.collect();
        join_all(&mut made, self.below, self.source.frame_time);
        made
    }

    /// Returns one target; `room` are the frames between its neighbours.
    fn contact_target(
        &self,
        contact: &Contact,
        pivot: &PivotPath,
        room: &Range<usize>,
    ) -> ContactTarget {
        let edge = (BLEND_SECONDS / self.source.frame_time).round().max(1.0) as usize;
        let frames = contact.frames.clone();
        // Each neighbour blends over half of a gap.
        let before = edge.min(frames.start.saturating_sub(room.start) / 2);
        let after = edge.min(room.end.saturating_sub(frames.end) / 2);
        let blend_frames = frames.start - before..frames.end + after;
        let mut offset = self.path(&blend_frames, (contact.part, pivot));
        let inside = before..before + frames.len();
        let mean = offset[inside].iter().sum::<Vector3<f64>>() / frames.len() as f64;
        let mean = self.below.tangential(&mean);
        offset.iter_mut().for_each(|offset| *offset -= mean);
        // A locked foot is on the ground already.
        let stands = matches!(contact.part, BodyPart::Foot(_)) && self.keep != ContactMode::Lock;
        if self.levels_feet && stands {
            let off_ground = self.off_ground(contact, pivot, &blend_frames, edge);
            let up = *self.below.normal * self.scale;
            offset.iter_mut().zip(off_ground).for_each(|(offset, height)| *offset -= up * height);
        }
        let inside = before..before + frames.len();
        limit_fade(&mut offset, inside, &self.below.normal, self.source.frame_time);
        // Fades outside the contact, except at the begin and the end of the clip.
        let weight = |k: usize| {
            let (frame, last) = (blend_frames.start + k, pivot.begin + pivot.len());
            let (away, with_target, open) = match () {
                () if frame < frames.start => {
                    (frames.start - frame, before, blend_frames.start == pivot.begin)
                }
                () if frame >= frames.end => {
                    (frame + 1 - frames.end, after, blend_frames.end == last)
                }
                () => return 1.0,
            };
            let x = 1.0 - away as f64 / (with_target + 1) as f64;
            if open { 1.0 } else { ease(x) }
        };
        ContactTarget {
            part: contact.part,
            weight: (0..blend_frames.len()).map(weight).collect(),
            frames,
            blend_frames,
            offset,
            kind: contact.kind,
            confidence: contact.confidence,
        }
    }

    /// Returns how much of a standing foot's height over the ground is noise of the capture, or drift, in each frame: it is
    /// put onto the ground, never past it. A foot that sinks rises within `reach` frames of its depth.
    fn off_ground(
        &self,
        contact: &Contact,
        pivot: &PivotPath,
        frames: &Range<usize>,
        reach: usize,
    ) -> Vec<f64> {
        let float = self.float(contact, pivot);
        let height = |frame| self.lowest_clearance(frame, (contact.part, pivot));
        let heights: Vec<f64> = frames.clone().map(height).collect();
        let depth = |height: &f64| (-height).max(0.0) * share_of_float(*height);
        let rise = smooth_envelope(&heights.iter().map(depth).collect::<Vec<_>>(), reach);
        let both = heights.into_iter().zip(rise);
        both.map(|(height, rise)| height.max(0.0).min(float) - rise).collect()
    }

    /// Returns how far a standing foot of the source floats over the ground below it, by noise of the capture or drift: 0 of
    /// one that sinks.
    fn float(&self, contact: &Contact, pivot: &PivotPath) -> f64 {
        let height = |frame| self.lowest_clearance(frame, (contact.part, pivot));
        let mut heights: Vec<f64> = contact.frames.clone().map(height).collect();
        heights.sort_unstable_by(f64::total_cmp);
        let float =
            heights.get((FLOAT_SHARE * heights.len() as f64) as usize).copied().unwrap_or(0.0);
        float.max(0.0) * share_of_float(float)
    }

    /// Returns the height of the lowest of the source's points over the ground below it.
    fn lowest_clearance(&self, frame: usize, (part, pivot): (BodyPart, &PivotPath)) -> f64 {
        if let Some(foot) = self.whole_foot(part, frame, &pivot.points) {
            return foot.source_clearance;
        }
        self.clearance_of_points(frame, &pivot.points)
    }

    /// Returns the offset in each frame, up to a constant along the floor.
    fn path(
        &self,
        frames: &Range<usize>,
        (part, pivot): (BodyPart, &PivotPath),
    ) -> Vec<Vector3<f64>> {
        let up = *self.below.normal;
        // The motion of the source's pivot; none when locked.
        let own = if self.keep == ContactMode::Lock { 0.0 } else { self.scale };
        let along = pivot.rolling_path(frames, |frame, place| {
            let k = pivot.points[place];
            self.below.tangential(&(self.source.step(frame, k) * own - self.target.step(frame, k)))
        });
        let risen = |(along, frame)| along + up * self.height_offset(frame, (part, pivot));
        along.into_iter().zip(frames.clone()).map(risen).collect()
    }

    /// Returns the vertical offset in a frame.
    fn height_offset(&self, frame: usize, (part, pivot): (BodyPart, &PivotPath)) -> f64 {
        let float = match self.keep {
            ContactMode::Lock => self.lowest_clearance(frame, (part, pivot)),
            _ => 0.0,
        };
        if let Some(foot) = self.whole_foot(part, frame, &pivot.points) {
            return (foot.source - float) * self.scale - foot.target;
        }
        let points = pivot.points.iter();
        // Over the lowest level: higher levels have equal heights over it on both.
        let heights = |tracks: &'_ SupportTrajectories, terrain: &Terrain| -> Vec<f64> {
            let height =
                |&k: &usize| terrain.normal.dot(&tracks.position(frame, k)) - tracks.radii[k];
            points.clone().map(|k| height(k) - terrain.levels[0]).collect()
        };
        let from = heights(self.source, self.terrain);
        let to = heights(self.target, self.below);
        let offset = soft_minimum(from.iter().map(|height| height - float), HEIGHT_SOFTNESS_METRES);
        offset * self.scale - soft_minimum(to.iter().copied(), HEIGHT_SOFTNESS_METRES * self.scale)
    }
}

/// Returns how much of a float is noise of the capture, or drift.
fn share_of_float(float: f64) -> f64 {
    ease(2.0 - float.abs() / MAX_FLOAT_METRES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::SupportPoint;
    use crate::contacts::ContactKind;
    use rebone_body::body::Side;

    /// Heights of a foot of the result, which is at 5 cm before, in each of 30 frames, where the source's has some heights
    /// and is in contact in frames 5 to 25.
    fn heights_of(
        source: impl Fn(usize) -> f64,
        keep: ContactMode,
        levels_feet: bool,
    ) -> impl Fn(usize) -> f64 {
        let points = [SupportPoint::Heel(Side::Left), SupportPoint::Ball(Side::Left)];
        let tracks = |height: &dyn Fn(usize) -> f64| {
            let frame = |t| vec![Vector3::y() * height(t); 2];
            SupportTrajectories::of_supports(&points, 0.02, (0..30).map(frame))
        };
        let (source, target) = (tracks(&source), tracks(&|_| 0.05));
        let ground = Terrain { normal: Vector3::y_axis(), levels: vec![0.0], confidence: 1.0 };
        let (part, kind) = (BodyPart::Foot(Side::Left), ContactKind::Plant);
        let contact = Contact { part, on: None, kind, frames: 5..25, confidence: 1.0 };
        let pair = SegmentBodies::on(&ground, [&source, &target], 1.0);
        let pair = SegmentBodies { keep, levels_feet, ..pair };
        let mut targets = pair.contact_targets(&[&contact], &(0..30));
        let own = targets.pop().expect("a contact has a target");
        assert!(targets.is_empty());
        move |frame| 0.05 + own.offset[frame - own.blend_frames.start].y
    }

    #[test]
    fn a_foot_that_sinks_for_a_while_rises_to_the_ground_and_not_past_it() {
        // A dance of CMU: a standing foot drags at the end of its contact, 4 cm in the floor, and stood 3 cm over it before.
        let dips = |t: usize| if t < 18 { -0.01 } else { -0.04 };
        let height = heights_of(dips, ContactMode::Feet, true);
        assert!((5..10).all(|t| height(t).abs() < 1e-3), "{}", height(8));
        assert!((5..25).all(|t| height(t) > -1e-3), "{}", height(24));
        // One that floats and then sinks does not sink deeper.
        let falls = |t: usize| if t < 23 { 0.02 } else { -0.03 };
        let height = heights_of(falls, ContactMode::Feet, true);
        assert!((5..12).all(|t| height(t).abs() < 1e-3), "{}", height(8));
        assert!((23..25).all(|t| height(t) > -1e-3), "{}", height(24));
    }

    #[test]
    fn feet_that_float_are_put_on_the_ground_once() {
        for (keep, levels_feet, height) in [
            (ContactMode::Feet, false, 0.03),
            (ContactMode::Feet, true, 0.0),
            (ContactMode::Lock, false, 0.0),
            (ContactMode::Lock, true, 0.0),
        ] {
            let found = heights_of(|_| 0.03, keep, levels_feet)(15);
            assert!((found - height).abs() < 1e-9, "{keep:?}, {levels_feet}: {found}");
        }
    }

    #[test]
    fn noise_counts_whole_and_steps_do_not_count() {
        for (centimetres, expected) in
            [(0.0, 1.0), (8.0, 1.0), (-8.0, 1.0), (12.0, 0.5), (16.0, 0.0), (-20.0, 0.0)]
        {
            let found = share_of_float(centimetres * METRES_PER_CENTIMETRE);
            assert!((found - expected).abs() < 1e-9, "{centimetres} cm counts by {found}");
        }
    }
}
