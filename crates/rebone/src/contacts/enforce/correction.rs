//! How far the body's root, feet and hands have to move so that contacts hold.

use super::contact_target::Pair;
use super::root_height::steady;
use super::segment_problem::Piece;
use super::tilt::tilts;
use crate::align::Plan;
use crate::body::Limb;
use crate::contacts::detect::Tracks;
use crate::contacts::{Contact, Found};
use crate::frame::PoseOffset;
use nalgebra::UnitQuaternion;
use std::ops::Range;

/// The movements over a whole clip.
#[derive(Clone, Debug, Default)]
pub(crate) struct Correction {
    /// One a frame.
    pub(crate) moves: Vec<PoseOffset>,
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
        let mut moves = vec![PoseOffset::default(); source.len()];
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
    moves: &mut [PoseOffset],
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
