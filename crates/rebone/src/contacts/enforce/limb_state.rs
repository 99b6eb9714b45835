//! Limbs of the target as they are before they move, in the axes of the floor: how long they may become, what of feet must
//! not get into the ground, and which foothold they feel.

use super::contact_target::{Foothold, Pair};
use crate::body::Limb;
use crate::contacts::BodyPart;
use crate::contacts::detect::MOST;
use crate::contacts::detect::Tracks;
use nalgebra::{UnitQuaternion, Vector3};
use std::ops::Range;

/// A limb is asked to be as long as this part of it, or as the source's.
const STRETCHED: f64 = 0.985;

/// A limb in a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stance {
    /// From its root to its end.
    pub(crate) way: Vector3<f64>,
    /// How long that may become.
    pub(crate) most: f64,
    /// For each point of a foot its height over the level that it is over, and how deep the source's is in the ground.
    soles: [Option<[f64; 2]>; MOST],
}

impl Stance {
    /// Of a limb, by its place in [`Limb::ALL`], over a level of the terrain; its lengths on source and target are given.
    pub(crate) fn new(
        pair: &Pair,
        floor_from_inner: &UnitQuaternion<f64>,
        [from, to]: [f64; 2],
        (limb, level): (usize, usize),
        frame: usize,
    ) -> Self {
        let of = |tracks: &Tracks| {
            let [root, end] = tracks.limb(frame, limb);
            end - root
        };
        let (seen, own) = (of(pair.source), of(pair.target));
        let mut soles = [None; MOST];
        if let Limb::Leg(side) = Limb::ALL[limb] {
            let points = pair.target.points.iter().enumerate();
            let own = points.filter(|(_, own)| BodyPart::of(**own) == BodyPart::Foot(side));
            for (sole, (k, _)) in soles.iter_mut().zip(own) {
                let seen = -pair.terrain.over(level, &pair.source.place(frame, k)) * pair.scale;
                let height = pair.below.over(level, &pair.target.place(frame, k));
                *sole = Some([height, seen.max(0.0)]);
            }
        }
        Self {
            way: floor_from_inner * own,
            most: (to * STRETCHED.max(seen.norm() / from)).max(own.norm()),
            soles,
        }
    }

    /// How deep a foot that rises is in the ground, deeper than the source's; `None` of what is no foot.
    pub(crate) fn depth(&self, rise: f64) -> Option<f64> {
        let soles = self.soles.iter().flatten();
        soles.map(|[height, seen]| -height - rise - seen).reduce(f64::max)
    }
}

/// The level of the terrain that a limb's end is over in each frame.
pub(crate) fn levels(
    pair: &Pair,
    limb: usize,
    frames: &Range<usize>,
    footholds: &[Foothold],
) -> Vec<usize> {
    let part = BodyPart::ALL[limb];
    let held = footholds.iter().filter(|own| own.part == part).map(|own| own.held.clone());
    pair.terrain.under_part(pair.calm, part, held, frames)
}

/// A foothold in a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Felt {
    /// How far the part has to move, in the axes of the floor.
    pub(crate) wanted: Vector3<f64>,
    /// How much it counts, 0 to 1.
    pub(crate) share: f64,
    pub(crate) slides: bool,
    pub(crate) is_held: bool,
}

/// The foothold that a limb's end feels in each frame.
pub(crate) fn felt(
    limb: usize,
    floor_from_inner: &UnitQuaternion<f64>,
    frames: &Range<usize>,
    footholds: &[Foothold],
) -> Vec<Option<Felt>> {
    let mut felt = vec![None; frames.len()];
    for foothold in footholds.iter().filter(|own| own.part.limb() == Some(limb)) {
        for (place, frame) in foothold.felt.clone().enumerate() {
            felt[frame - frames.start] = Some(Felt {
                wanted: floor_from_inner * foothold.wanted[place],
                share: foothold.share[place],
                slides: foothold.slides(),
                is_held: foothold.held.contains(&frame),
            });
        }
    }
    felt
}
