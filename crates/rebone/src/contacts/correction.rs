//! How far the body's root, feet and hands have to move so that contacts hold.

use super::foothold::Pair;
use super::piece::Piece;
use super::steady::steady;
use super::tilt::tilts;
use super::tracks::{Limb, Tracks};
use super::{Contact, Found};
use crate::align::Plan;
use nalgebra::{UnitQuaternion, Vector3};
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
        let below = terrain.under(plan);
        let pair =
            Pair { source, calm, target, terrain, below: &below, scale: plan.path_scale, keep };
        let mut moves = vec![Moves::default(); source.len()];
        let mut moved = target.clone();
        for piece in pieces {
            let is_kept = |own: &&Contact| {
                let Range { start, end } = own.frames;
                let within = piece.start <= start && start < end && end <= piece.end;
                within && keep.parts().contains(&own.part)
            };
            let kept: Vec<&Contact> = contacts.iter().filter(is_kept).collect();
            if !kept.is_empty() {
                let moves = &mut moves[piece.clone()];
                correct(plan, &pair, &mut moved, lengths, (piece, &kept), moves);
            }
        }
        Self { moves }
    }
}

/// Fills in the movements of a piece, with its contacts; `moved` is the target, which is moved to where these begin.
fn correct(
    plan: &Plan,
    pair: &Pair,
    moved: &mut Tracks,
    lengths: [[f64; 4]; 2],
    (piece, contacts): (&Range<usize>, &[&Contact]),
    moves: &mut [Moves],
) {
    let steady = steady(plan, pair, piece, contacts);
    for (frame, by) in piece.clone().zip(&steady) {
        moved.shift(frame, by);
    }
    let mut footholds = pair.over(moved).footholds(contacts, piece);
    let tilted = plan.tilts().then(|| tilts(&pair.over(moved), piece, &footholds)).flatten();
    if let Some(tilts) = tilted {
        for ((frame, moves), tilt) in piece.clone().zip(moves.iter_mut()).zip(tilts) {
            moves.tilt = tilt;
            moved.tilt(frame, &UnitQuaternion::from_scaled_axis(tilt));
        }
        footholds = pair.over(moved).footholds(contacts, piece);
    }
    Piece::new(pair.over(moved), lengths, piece.clone(), &footholds).solve(moves);
    for (moves, by) in moves.iter_mut().zip(&steady) {
        moves.root += by;
        moves.ends.iter_mut().flatten().for_each(|end| *end += by);
    }
}
