//! A retarget, from two files to a clip.

use super::{Loaded, Seen, Summary};
use crate::args::{Limits, ReferenceFrame, Retarget, Solver, Wishes};
use crate::exit_code::Failure;
use crate::preview::{Ink, SheetOptions, contact_sheet};
use rebone::skeleton::Clip;
use rebone::understand::Anatomy;
use rebone::{LimbModes, LimitMode, Options, Plan, Report, StageReport, align};

/// Metres of a 1.7 m body from its goals within which a stage is said to meet them.
const MET: f64 = 1e-4;

/// What came of a retarget.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// The source's motion on the target's skeleton.
    pub(crate) clip: Clip,
    /// How it went.
    pub(crate) report: Report,
    plan: Plan,
}

/// Retargets `source`'s clip.
pub(crate) fn retarget(
    source: &Loaded,
    anatomies: &[Anatomy; 2],
    wishes: &Wishes,
) -> Result<Outcome, Failure> {
    let plan = align(&anatomies[0], &anatomies[1], &options(wishes)?);
    let (clip, report) = rebone::retarget_clip(&plan, source.clip()).map_err(anyhow::Error::new)?;
    Ok(Outcome { clip, report, plan })
}

/// The library's words for what the user wants.
fn options(wishes: &Wishes) -> Result<Options, Failure> {
    let missing = [
        ("--ground", wishes.ground),
        ("--solver", wishes.solver != Solver::Lm),
        ("--reference-frame drop", wishes.reference_frame == ReferenceFrame::Drop),
    ];
    if let Some((option, _)) = missing.iter().find(|(_, wanted)| *wanted) {
        return Err(Failure::usage(format!("{option} is not supported yet")));
    }
    Ok(Options {
        limbs: LimbModes {
            arms: wishes.arms.unwrap_or(wishes.limbs).0,
            legs: wishes.legs.unwrap_or(wishes.limbs).0,
        },
        limits: match wishes.limits {
            Limits::Source => LimitMode::Source,
            Limits::Human => LimitMode::Human,
            Limits::Strict => LimitMode::Strict,
        },
    })
}

impl Outcome {
    /// Source and result over each other.
    pub(crate) fn picture(&self, source: &Loaded, target: &Loaded, args: &Retarget) -> Vec<u8> {
        let Plan { inner_from_source, inner_from_target, .. } = self.plan;
        let from_source = Seen { anatomy: &self.plan.source, inner_from_file: inner_from_source };
        let from_target = Seen { anatomy: &self.plan.target, inner_from_file: inner_from_target };
        let name = |path| super::file_name(path);
        let (from, onto) = (name(&args.source), name(&args.target));
        let source_label = format!("{from} (source)");
        let label = format!("{} (result)", name(&args.output));
        let tracks = [
            super::track(
                source.skeleton(),
                source.clip(),
                Some(from_source),
                source_label,
                Ink::BLUE_GREY,
            ),
            super::track(target.skeleton(), &self.clip, Some(from_target), label, Ink::ORANGE),
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
        [Summary::new(source, &self.plan.source), Summary::new(target, &self.plan.target)]
    }

    /// How far from the goals, in one line.
    pub(crate) fn line(&self) -> String {
        let stages = self.report.stages.iter();
        match stages.max_by(|a, b| a.worst.total_cmp(&b.worst)) {
            Some(stage) if stage.worst > MET => format!(
                "furthest in the {}: {} on average, {} in frame {}",
                stage.stage,
                centimetres(stage.end),
                centimetres(stage.worst),
                stage.worst_frame
            ),
            _ => format!("all met to {}", centimetres(MET)),
        }
    }

    /// Each stage in a line.
    pub(crate) fn details(&self) -> Vec<String> {
        let line = |stage: &StageReport| {
            format!(
                "  {:13} {:>9} at the start, {:>9} left, {:>9} in frame {}; {:.1} iterations{}",
                stage.stage,
                centimetres(stage.start),
                centimetres(stage.end),
                centimetres(stage.worst),
                stage.worst_frame,
                stage.iterations,
                unconverged(stage.unconverged)
            )
        };
        self.report.stages.iter().map(line).collect()
    }
}

/// How many frames the solver gave up on, if any.
fn unconverged(frames: usize) -> String {
    if frames == 0 { String::new() } else { format!("; {frames} frames not converged") }
}

/// Metres of a 1.7 m body, for people.
fn centimetres(metres: f64) -> String {
    format!("{:.2} cm", 100.0 * metres)
}
