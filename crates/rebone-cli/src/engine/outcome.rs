//! The result of a retarget, for people.

use super::text_report;
use rebone::{Report, RetargetJob, contacts};

/// The result of a retarget.
pub(crate) struct Outcome {
    /// How it went.
    pub(crate) report: Report,
    /// Frames of the source that were left out at its begin.
    dropped: usize,
    /// The source's contacts as a text.
    pub(crate) contacts: String,
}

impl Outcome {
    /// Of a job that was done.
    pub(crate) fn new(job: &RetargetJob, report: Report) -> Self {
        let contacts = contacts::write(&job.contacts_of_file(&report));
        Self { report, dropped: job.dropped_frames(), contacts }
    }

    /// What was done besides the main job, in half a line; empty if nothing was.
    pub(crate) fn extras(&self) -> String {
        let mut extras = String::new();
        if self.dropped > 0 {
            extras += "; without the leading pose";
        }
        if let Some(floor) = self.report.floor {
            let sure = super::percent(floor.confidence);
            let height = floor.moved_to.unwrap_or(floor.level);
            let from = floor.level;
            extras += &format!("; floor moved from height {from:.4} to {height:.4} ({sure} sure)");
        }
        if let Some(cycle) = &self.report.cycle {
            let [first, last] = cycle.frames;
            let (seam, degrees) = (100.0 * cycle.seam_metres, cycle.seam_degrees);
            extras += &format!(
                "; loops: frames {first} to {last}, seam of {seam:.1} cm and {degrees:.0}° closed"
            );
        }
        extras
    }

    /// How far from the goals, in one line.
    pub(crate) fn line(&self) -> String {
        text_report::goals(&self.report)
    }

    /// How good it is, and the worst reasons why it is not better, or all, one in a line.
    pub(crate) fn verdict(&self, all: bool) -> Vec<String> {
        self.report.verdict.iter().flat_map(|own| text_report::verdict(own, all)).collect()
    }

    /// Each stage in a line, and below it its goals that were missed.
    pub(crate) fn details(&self) -> Vec<String> {
        text_report::stages(&self.report)
    }

    /// The limits that cost most, or all, one in a line.
    pub(crate) fn limits(&self, all: bool) -> Vec<String> {
        text_report::limits(&self.report, all)
    }
}
