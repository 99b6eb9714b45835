//! How far the body's root, feet and hands have to move so that contacts hold.

use super::foothold::{Foothold, Pair};
use super::piece::Piece;
use super::tracks::{Limb, Tracks};
use super::{Contact, Terrain};
use crate::align::Plan;
use nalgebra::Vector3;
use std::ops::Range;

/// How far parts of the target move in one frame, metres in the inner world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Moves {
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
    /// Of the result in `target`, whose source is in `source`, over pieces of the clip.
    pub(crate) fn new(
        plan: &Plan,
        [source, target]: [&Tracks; 2],
        terrain: &Terrain,
        contacts: &[Contact],
        pieces: &[Range<usize>],
    ) -> Self {
        let keep = plan.options.contacts;
        let pair = Pair { source, target, terrain, scale: plan.path_scale, keep };
        let lengths =
            [&plan.source, &plan.target].map(|anatomy| Limb::ALL.map(|limb| limb.length(anatomy)));
        let mut moves = vec![Moves::default(); source.len()];
        for piece in pieces {
            let within =
                |own: &&Contact| piece.start <= own.frames.start && own.frames.end <= piece.end;
            let footholds: Vec<Foothold> = keep
                .parts()
                .iter()
                .flat_map(|&part| {
                    let own =
                        contacts.iter().filter(|own| own.part == part && !own.frames.is_empty());
                    let own: Vec<&Contact> = own.filter(within).collect();
                    pair.footholds(part, &own, piece)
                })
                .collect();
            if footholds.is_empty() {
                continue;
            }
            let problem = Piece::new(pair, lengths, piece.clone(), &footholds);
            problem.solve(&mut moves[piece.clone()]);
        }
        Self { moves }
    }
}
