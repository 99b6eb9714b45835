//! Corrections of a calibration that the command line states.

use crate::args::StandingFrame;
use crate::exit_code::Failure;
use crate::terminal::counted;
use anyhow::anyhow;
use rebone::body::Side;
use rebone::correct::{level_feet, mirror, standing_frames};
use rebone::skeleton::selector::select;
use rebone::{AnalysisError, Anatomy, Character};

/// Corrections of a calibration that the command line states.
pub(crate) struct Corrections {
    /// Frames in which the left and the right foot stand flat on the floor.
    pub(crate) standing: [Option<StandingFrame>; 2],
    /// The side that is copied to the other.
    pub(crate) mirror: Option<Side>,
}

/// Corrects the anatomy of a character: soles first, so that they can be mirrored. Returns a remark on each correction.
pub(crate) fn correct(
    anatomy: &mut Anatomy,
    character: &Character,
    corrections: &Corrections,
) -> Result<Vec<String>, Failure> {
    let (clip, card) = (character.clip(), character.hints().card());
    let fault =
        |error: AnalysisError| Failure::from(anyhow!("{}: {error}", character.path().display()));
    let mut remarks = Vec::new();
    if corrections.standing.iter().any(Option::is_some) {
        let found = standing_frames(anatomy, clip).map_err(fault)?;
        let mut frames = [None; 2];
        for side in Side::BOTH {
            frames[side.index()] = match corrections.standing[side.index()] {
                Some(StandingFrame::Auto) => {
                    let frame = found[side.index()];
                    remarks
                        .extend(frame.map(|own| format!("the {side} foot stands in frame {own}")));
                    frame
                }
                Some(StandingFrame::Number(frame)) => Some(frame),
                None => None,
            };
        }
        *anatomy = level_feet(anatomy, clip, frames, card).map_err(fault)?;
        let names = anatomy.corrected().map(|joint| select(&anatomy.skeleton, joint));
        let names: Vec<String> = names.collect();
        remarks.extend((!names.is_empty()).then(|| format!("levelled {}", names.join(", "))));
    }
    if let Some(side) = corrections.mirror {
        let levelled = anatomy.corrected().count();
        *anatomy = mirror(anatomy, clip, side, card).map_err(fault)?;
        let joints = counted(anatomy.corrected().count() - levelled, "joint");
        remarks.push(format!("mirrored {joints} from the {side}"));
    }
    Ok(remarks)
}
