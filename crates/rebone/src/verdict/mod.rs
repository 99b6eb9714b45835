//! What a viewer would say of a result: figures against the source, and a verdict, from the two clips alone.
//!
//! The result may be anybody's: it is read like any other clip, on the target's skeleton. What the source itself
//! does wrong is told apart.

mod body;
mod feet;
mod figure;
mod seen;

pub use figure::{Curve, Figure, Level, Reason};

use crate::align::Plan;
use crate::contacts::{Contact, Tracks};
use figure::Judge;
use rebone_skeleton::Clip;
use seen::Pair;
use serde::Serialize;

/// What there is to say of a result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// The worst of all figures.
    pub verdict: Level,
    /// From 0, the worst, to 1, the best: by this a batch is ranked.
    pub score: f64,
    /// Why it is not better, the worst first.
    pub reasons: Vec<Reason>,
    /// What is wrong with the source itself.
    pub source_defects: Vec<Reason>,
    /// All that was measured.
    pub figures: Vec<Figure>,
    /// The number of frames that were compared.
    pub frames: usize,
    /// How the result is turned about the vertical against the source, radians: undone in all that was measured.
    #[serde(skip)]
    pub yaw: f64,
    /// Height of the result's floor in the inner world.
    #[serde(skip)]
    pub floor: f64,
    /// Figures over time.
    #[serde(skip)]
    pub curves: Vec<Curve>,
    /// Contacts of the source and of the result, each found by itself.
    #[serde(skip)]
    pub contacts: [Vec<Contact>; 2],
    /// Paths of both bodies.
    #[serde(skip)]
    pub tracks: [Tracks; 2],
}

/// Compares a result with its source. The plan's target is the result's skeleton.
///
/// Where one of the clips is longer, the rest of it is left out. Frames of reasons are those that were compared,
/// counted from 0.
///
/// # Panics
/// When the clips are not of the plan's skeletons.
pub fn check(plan: &Plan, source: &Clip, result: &Clip) -> Verdict {
    let pair = Pair::new(plan, [source, result]);
    let mut judge = Judge::new(pair.tracks[0].frame_time);
    let (contacts, floor) = feet::judge(plan, &pair, &mut judge);
    body::judge(plan, &pair, &mut judge);
    let sure = plan.source.confidence.min(plan.target.confidence);
    judge.figure("doubt", 1.0 - sure, None, || {
        "little is known of one of the two skeletons: look at their cards".to_owned()
    });
    let (verdict, score) = judge.verdict();
    Verdict {
        verdict,
        score,
        reasons: judge.reasons(),
        source_defects: judge.source_defects,
        figures: judge.figures,
        curves: judge.curves,
        frames: pair.len(),
        yaw: pair.yaw,
        floor,
        contacts,
        tracks: pair.tracks,
    }
}
