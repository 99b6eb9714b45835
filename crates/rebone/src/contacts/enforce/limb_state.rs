//! Limbs of the target before correction, in the axes of the floor: reach, heights of soles, and active targets.

use super::targets::contact_target::ContactTarget;
use super::targets::segment_bodies::SegmentBodies;
use crate::contacts::BodyPart;
use crate::contacts::detect::{MAX_POINTS, SupportTrajectories, Terrain};
use nalgebra::{UnitQuaternion, Vector3};
use rebone_body::body::Limb;
use std::ops::Range;

/// Largest extension of a limb, unless the source extends farther.
const MAX_EXTENSION: f64 = 0.985;

/// A limb in a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LimbState {
    /// Vector from its root to its end.
    pub(crate) root_to_end: Vector3<f64>,
    /// Largest length of that vector.
    pub(crate) max_length: f64,
    /// For each point of a foot its height over the level below it, and the depth of the source's below its level; of a
    /// foot with a mesh for its lowest point alone.
    soles: [Option<[f64; 2]>; MAX_POINTS],
}

impl LimbState {
    /// Reads a limb, by its index in [`Limb::ALL`], over a level of the terrain, given its lengths on source and
    /// target.
    pub(crate) fn new(
        pair: &SegmentBodies,
        floor_from_inner: &UnitQuaternion<f64>,
        [from, to]: [f64; 2],
        (limb, level): (usize, usize),
        frame: usize,
    ) -> Self {
        let of = |tracks: &SupportTrajectories| {
            let [root, end] = tracks.limb(frame, limb);
            end - root
        };
        let (seen, own) = (of(pair.source), of(pair.target));
        let mut soles = [None; MAX_POINTS];
        if let Limb::Leg(side) = Limb::ALL[limb] {
            let points = pair.target.points.iter().enumerate();
            let own = points.filter(|(_, own)| BodyPart::of(**own) == BodyPart::Foot(side));
            if pair.has_whole_feet() {
                let lowest = pair.target.lowest_of_foot(frame, side.index());
                let height = pair.below.height_over_level(level, &lowest);
                soles[0] = Some([height, pair.source_depth(frame, side, level)]);
            }
            let own = own.filter(|_| !pair.has_whole_feet());
            for (sole, (k, _)) in soles.iter_mut().zip(own) {
                let over = |terrain: &Terrain, tracks: &SupportTrajectories| {
                    terrain.height_over_level(level, &tracks.position(frame, k)) - tracks.radii[k]
                };
                let seen = -over(pair.terrain, pair.source) * pair.scale;
                let height = over(pair.below, pair.target);
                *sole = Some([height, seen.max(0.0)]);
            }
        }
        Self {
            root_to_end: floor_from_inner * own,
            max_length: (to * MAX_EXTENSION.max(seen.norm() / from)).max(own.norm()),
            soles,
        }
    }

    /// Returns the depth of a foot raised by `rise` below the ground, less the depth of the source's; `None` for other
    /// limbs.
    pub(crate) fn depth(&self, rise: f64) -> Option<f64> {
        let soles = self.soles.iter().flatten();
        soles.map(|[height, seen]| -height - rise - seen).reduce(f64::max)
    }
}

/// Returns the level of the terrain below a limb's end in each frame.
pub(crate) fn levels(
    pair: &SegmentBodies,
    limb: usize,
    frames: &Range<usize>,
    contact_targets: &[ContactTarget],
) -> Vec<usize> {
    let part = BodyPart::ALL[limb];
    let held = contact_targets.iter().filter(|own| own.part == part).map(|own| own.frames.clone());
    pair.terrain.level_under_part(pair.low_passed, part, held, frames)
}

/// The target of a limb's end in one frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ActiveTarget {
    /// Offset of the part, in the axes of the floor.
    pub(crate) offset: Vector3<f64>,
    /// Blend weight, 0 to 1.
    pub(crate) weight: f64,
    pub(crate) slides: bool,
    pub(crate) is_held: bool,
}

/// Returns the target of a limb's end in each frame.
pub(crate) fn active_targets(
    limb: usize,
    floor_from_inner: &UnitQuaternion<f64>,
    frames: &Range<usize>,
    contact_targets: &[ContactTarget],
) -> Vec<Option<ActiveTarget>> {
    let mut targets = vec![None; frames.len()];
    for contact_target in contact_targets.iter().filter(|own| own.part.limb() == Some(limb)) {
        for (place, frame) in contact_target.blend_frames.clone().enumerate() {
            targets[frame - frames.start] = Some(ActiveTarget {
                offset: floor_from_inner * contact_target.offset[place],
                weight: contact_target.weight[place],
                slides: contact_target.slides(),
                is_held: contact_target.frames.contains(&frame),
            });
        }
    }
    targets
}
