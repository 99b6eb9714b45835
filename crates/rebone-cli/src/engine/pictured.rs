//! A picture of source and result over each other.

use super::{Film, Seen, file_name};
use crate::args::Retarget;
use crate::preview::{Ink, Instant, SheetOptions, contact_sheet};
use nalgebra::UnitQuaternion;
use rebone::skeleton::Clip;
use rebone::{Anatomy, Plan};

/// A picture of source and result over each other, while the result is made.
pub(super) struct Pictured<'a> {
    instants: Vec<Instant>,
    source: Film<'a>,
    /// What takes the poses of the result.
    pub(super) result: Film<'a>,
}

impl<'a> Pictured<'a> {
    /// Of so many frames, and their time.
    pub(super) fn new(plan: &'a Plan, frames: (usize, f64)) -> Self {
        let instants = Instant::spread(frames.0, frames.1, 8);
        let film = |anatomy: &'a Anatomy, inner_from_file: UnitQuaternion<f64>| {
            let seen = Seen { anatomy, inner_from_file };
            Film::new(&anatomy.skeleton, Some(seen), frames, &instants)
        };
        let source = film(&plan.source, plan.inner_from_source);
        let result = film(&plan.target, plan.inner_from_target);
        Self { instants, source, result }
    }

    /// Draws, once the result is whole; of the source's frames so many are left out, and the next one has that number.
    pub(super) fn draw(
        mut self,
        clip: &Clip,
        [dropped, first]: [usize; 2],
        args: &Retarget,
    ) -> Vec<u8> {
        (dropped..clip.len()).for_each(|frame| self.source.add(&clip.pose(frame)));
        let name = |path| file_name(path);
        let (from, onto) = (name(&args.source), name(&args.target));
        let tracks = [
            self.source.track(format!("{from} (source)"), Ink::BLUE_GREY),
            self.result.track(format!("{} (result)", name(&args.output)), Ink::ORANGE),
        ];
        let options =
            SheetOptions { title: format!("{from} onto {onto}"), first_frame: dropped + first };
        contact_sheet(&tracks, &self.instants, &options)
    }
}
