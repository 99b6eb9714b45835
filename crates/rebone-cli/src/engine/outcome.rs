//! A retarget, from two files to a clip.

use super::{Loaded, Seen, Summary};
use crate::args::{Limits, Retarget, Wishes};
use crate::exit_code::Failure;
use crate::preview::{Ink, SheetOptions, contact_sheet};
use nalgebra::UnitQuaternion;
use rebone::align::align;
use rebone::skeleton::Clip;
use rebone::understand::Anatomy;
use rebone::{LimbModes, LimitMode, Options};

/// What came of a retarget.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// The source's motion on the target's skeleton.
    pub(crate) clip: Clip,
    anatomies: [Anatomy; 2],
    inner_from_file: [UnitQuaternion<f64>; 2],
}

/// Retargets `source`'s clip.
pub(crate) fn retarget(
    source: &Loaded,
    anatomies: [Anatomy; 2],
    wishes: &Wishes,
) -> Result<Outcome, Failure> {
    let plan = align(&anatomies[0], &anatomies[1], &options(wishes));
    let inner_from_file = [plan.inner_from_source, plan.inner_from_target];
    let clip = rebone::retarget_clip(plan, source.clip()).map_err(anyhow::Error::new)?;
    Ok(Outcome { clip, anatomies, inner_from_file })
}

/// The library's words for what the user wants.
fn options(wishes: &Wishes) -> Options {
    Options {
        limbs: LimbModes {
            arms: wishes.arms.unwrap_or(wishes.limbs).0,
            legs: wishes.legs.unwrap_or(wishes.limbs).0,
        },
        limits: match wishes.limits {
            Limits::Source => LimitMode::Source,
            Limits::Human => LimitMode::Human,
            Limits::Strict => LimitMode::Strict,
        },
    }
}

impl Outcome {
    /// Source and result over each other.
    pub(crate) fn picture(&self, source: &Loaded, target: &Loaded, args: &Retarget) -> Vec<u8> {
        let seen = |index: usize| Seen {
            anatomy: &self.anatomies[index],
            inner_from_file: self.inner_from_file[index],
        };
        let name = |path| super::file_name(path);
        let (from, onto) = (name(&args.source), name(&args.target));
        let source_label = format!("{from} (source)");
        let label = format!("{} (result)", name(&args.output));
        let tracks = [
            super::track(
                source.skeleton(),
                source.clip(),
                Some(seen(0)),
                source_label,
                Ink::BLUE_GREY,
            ),
            super::track(target.skeleton(), &self.clip, Some(seen(1)), label, Ink::ORANGE),
        ];
        let options = SheetOptions {
            title: format!("{from} onto {onto}"),
            columns: 8,
            first_frame: args.frames.map_or(0, |range| range.start),
        };
        contact_sheet(&tracks, &options)
    }

    /// Source and target.
    pub(crate) fn summaries(&self, source: &Loaded, target: &Loaded) -> [Summary; 2] {
        let [first, second] = &self.anatomies;
        [Summary::new(source, first), Summary::new(target, second)]
    }
}
