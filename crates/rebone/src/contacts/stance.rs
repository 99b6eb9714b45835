//! Limbs of the target as they are before they move, in the axes of the floor: how long they may become, and what of
//! feet must not get into the ground.

use super::BodyPart;
use super::foothold::Pair;
use super::still::MOST;
use super::tracks::{Limb, Tracks};
use nalgebra::{UnitQuaternion, Vector3};

/// A limb is asked to be as long as this part of it, or as the source's.
const STRETCHED: f64 = 0.985;

/// A limb in a frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stance {
    /// From its root to its end.
    pub(super) way: Vector3<f64>,
    /// How long that may become.
    pub(super) most: f64,
    /// For each point of a foot its height over the level that it is over, and how deep the source's is in the ground.
    soles: [Option<[f64; 2]>; MOST],
}

impl Stance {
    /// Of a limb, by its place in [`Limb::ALL`], over a level of the terrain; its lengths on source and target are given.
    pub(super) fn new(
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
    pub(super) fn depth(&self, rise: f64) -> Option<f64> {
        let soles = self.soles.iter().flatten();
        soles.map(|[height, seen]| -height - rise - seen).reduce(f64::max)
    }
}
