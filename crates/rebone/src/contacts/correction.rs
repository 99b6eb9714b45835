//! How far the body's root, feet and hands have to move so that contacts hold.

use super::foothold::Pair;
use super::piece::Piece;
use super::steady::steady;
use super::tilt::tilts;
use super::tracks::{Limb, Tracks};
use super::{Contact, Found};
use crate::align::Plan;
use nalgebra::{UnitQuaternion, Vector3};
use std::borrow::Cow;
use std::ops::Range;

/// How far parts of the target move in one frame, metres in the inner world, after the body has tilted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Moves {
    /// How the body tilts about the middle of the hips, a rotation vector; feet and hands do not turn with it.
    pub(crate) tilt: Vector3<f64>,
    /// The body.
    pub(crate) root: Vector3<f64>,
    /// The end of each of [`Limb::ALL`]; of one that no contact is kept of, `None`: it goes with the body.
    pub(crate) ends: [Option<Vector3<f64>>; 4],
}

/// The movements over a whole clip.
#[derive(Clone, Debug, Default)]
pub(crate) struct Correction {
    /// One a frame.
    pub(crate) moves: Vec<Moves>,
}

impl Correction {
    /// Of the result in `target`, whose source is in `source` and touches what was found, over pieces of the clip.
    pub(crate) fn new(
        plan: &Plan,
        [source, target]: [&Tracks; 2],
        Found { calm, terrain, contacts }: &Found,
        pieces: &[Range<usize>],
    ) -> Self {
        let keep = plan.options.contacts;
        let lengths =
            [&plan.source, &plan.target].map(|anatomy| Limb::ALL.map(|limb| limb.length(anatomy)));
        let mut moves = vec![Moves::default(); source.len()];
        let below = terrain.under(plan);
        let pair =
            Pair { source, calm, target, terrain, below: &below, scale: plan.path_scale, keep };
        let mut target = Cow::Borrowed(target);
        let parts = keep.parts();
        let is_kept = |own: &Contact| parts.contains(&own.part);
        for piece in pieces {
            let within = |own: &&Contact| {
                is_kept(own) && piece.start <= own.frames.start && own.frames.end <= piece.end
            };
            let kept: Vec<&Contact> = contacts.iter().filter(within).collect();
            if kept.is_empty() {
                continue;
            }
            let steady = steady(plan, &pair, piece, &kept);
            for (frame, by) in piece.clone().zip(&steady) {
                target.to_mut().shift(frame, by);
            }
            let mut own = pair.over(&target).all(contacts, piece);
            let tilted = plan.tilts().then(|| tilts(&pair.over(&target), piece, &own)).flatten();
            if let Some(tilts) = tilted {
                for (frame, tilt) in piece.clone().zip(tilts) {
                    moves[frame].tilt = tilt;
                    target.to_mut().tilt(frame, &UnitQuaternion::from_scaled_axis(tilt));
                }
                own = pair.over(&target).all(contacts, piece);
            }
            let problem = Piece::new(pair.over(&target), lengths, piece.clone(), &own);
            problem.solve(&mut moves[piece.clone()]);
            for (moves, by) in moves[piece.clone()].iter_mut().zip(&steady) {
                moves.root += by;
                moves.ends.iter_mut().flatten().for_each(|end| *end += by);
            }
        }
        Self { moves }
    }
}
