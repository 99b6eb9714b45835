//! A retarget, from two files to a clip.

use super::guess::SURE_ENOUGH;
use super::told;
use super::{Loaded, Seen, Summary, plan};
use crate::args::{Limits, ReferenceFrame, Retarget, Wishes};
use crate::exit_code::Failure;
use crate::preview::{Ink, SheetOptions, contact_sheet};
use rebone::skeleton::{Clip, bvh};
use rebone::{LimbModes, LimitMode, Options, Plan, Report, Understood};
use std::io::Write;

/// What came of a retarget.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// The source's motion on the target's skeleton.
    pub(crate) clip: Clip,
    /// How it went.
    pub(crate) report: Report,
    plan: Plan,
}

/// Retargets `source`'s clip, which begins at frame `first` of its file.
pub(crate) fn retarget(
    source: &Loaded,
    understood: &Understood,
    wishes: &Wishes,
    first: usize,
) -> Result<Outcome, Failure> {
    let (plan, unused) = plan(understood, &options(wishes));
    let (clip, mut report) =
        rebone::retarget_clip(&plan, source.clip()).map_err(anyhow::Error::new)?;
    count_from(&mut report, first);
    report.warnings.extend(unused);
    report.warnings.extend(notes(&report, wishes, first));
    Ok(Outcome { clip, report, plan })
}

/// Counts frames from the begin of the file, where the clip begins at its frame `first`.
fn count_from(report: &mut Report, first: usize) {
    for stage in &mut report.stages {
        stage.worst_frame += first;
        stage.goals.iter_mut().for_each(|goal| goal.worst_frame += first);
    }
    for limit in &mut report.limits {
        limit.first_frame += first;
        limit.worst_frame += first;
    }
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
        method: wishes.solver,
        ground: wishes.ground,
        reference_frame: match wishes.reference_frame {
            ReferenceFrame::Keep => rebone::ReferenceFrame::Keep,
            ReferenceFrame::Drop => rebone::ReferenceFrame::Drop,
        },
    }
}

/// What the user should know of a first frame that is no motion, and of the floor.
fn notes(report: &Report, wishes: &Wishes, first: usize) -> Vec<String> {
    let drop = wishes.reference_frame == ReferenceFrame::Drop;
    let mut notes = Vec::new();
    match (report.reference_frame, drop) {
        (true, false) => notes.push(format!(
            "frame {first} of the source looks like a reference pose, not like motion; leave it out \
             with --reference-frame drop"
        )),
        (false, true) => notes.push(format!(
            "frame {first} of the source looks like motion, not like a reference pose: it was kept; \
             if it is one, --frames {}.. leaves it out",
            first + 1
        )),
        _ => {}
    }
    if report.floor.is_some_and(|floor| floor.confidence < SURE_ENOUGH) {
        notes.push(
            "not sure where the floor is: few frames bear on what was taken for it".to_owned(),
        );
    }
    notes
}

impl Outcome {
    /// How many frames of the source were left out at its begin.
    fn dropped(&self, source: &Loaded) -> usize {
        source.clip().len() - self.clip.len()
    }

    /// What was done besides the main job, in half a line; empty if nothing was.
    pub(crate) fn extras(&self, source: &Loaded) -> String {
        let mut extras = String::new();
        if self.dropped(source) > 0 {
            extras += "; without the reference frame";
        }
        if let Some(floor) = self.report.floor {
            let sure = super::percent(floor.confidence);
            extras += &format!("; floor moved from height {:.4} to 0 ({sure} sure)", floor.level);
        }
        extras
    }

    /// Source and result over each other.
    pub(crate) fn picture(&self, source: &Loaded, target: &Loaded, args: &Retarget) -> Vec<u8> {
        let Plan { inner_from_source, inner_from_target, .. } = self.plan;
        let from_source = Seen { anatomy: &self.plan.source, inner_from_file: inner_from_source };
        let from_target = Seen { anatomy: &self.plan.target, inner_from_file: inner_from_target };
        let name = |path| super::file_name(path);
        let (from, onto) = (name(&args.source), name(&args.target));
        let source_label = format!("{from} (source)");
        let label = format!("{} (result)", name(&args.output));
        let dropped = self.dropped(source);
        let mut clip = source.clip().clone();
        clip.keep(dropped..clip.len());
        let tracks = [
            super::track(source.skeleton(), &clip, Some(from_source), source_label, Ink::BLUE_GREY),
            super::track(target.skeleton(), &self.clip, Some(from_target), label, Ink::ORANGE),
        ];
        let options = SheetOptions {
            title: format!("{from} onto {onto}"),
            columns: 8,
            first_frame: dropped + args.frames.map_or(0, |range| range.start),
        };
        contact_sheet(&tracks, &options)
    }

    /// Writes the clip under its hierarchy.
    pub(crate) fn write(
        &self,
        hierarchy: &bvh::Hierarchy,
        decimals: Option<u8>,
        file: &mut dyn Write,
    ) -> anyhow::Result<()> {
        let ranges = self.plan.channel_ranges();
        let options = bvh::WriteOptions { decimals, ranges: &ranges };
        super::write_clip(hierarchy, &self.clip, options, file)
    }

    /// Source and target.
    pub(crate) fn summaries(&self, source: &Loaded, target: &Loaded) -> [Summary; 2] {
        [Summary::new(source, &self.plan.source), Summary::new(target, &self.plan.target)]
    }

    /// How far from the goals, in one line.
    pub(crate) fn line(&self) -> String {
        told::goals(&self.report)
    }

    /// Each stage in a line, and below it its goals that were missed.
    pub(crate) fn details(&self) -> Vec<String> {
        told::stages(&self.report)
    }

    /// The limits that cost most, or all, one in a line.
    pub(crate) fn limits(&self, all: bool) -> Vec<String> {
        told::limits(&self.report, all)
    }
}
