//! A batch before it starts: clips, jobs, rigs and cards.

use super::cards::Carded;
use super::inputs::Found;
use super::manifest::{Fault, Line, Origin, Status};
use super::options::Settings;
use super::plan::{FileSurvey, Job, origin, text};
use super::work::{Rig, picture_path};
use crate::args::Batch;
use crate::exit_code::Failure;
use std::path::PathBuf;

/// All that is known before a batch starts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BatchPlan<'a> {
    /// Arguments.
    pub(crate) args: &'a Batch,
    /// Clips.
    pub(crate) found: &'a Found,
    /// Jobs.
    pub(crate) jobs: &'a [Job],
    /// Survey of the files.
    pub(crate) survey: &'a FileSurvey,
    /// Cards of the rig classes.
    pub(crate) cards: &'a [Result<Carded, Fault>],
}

/// Settings of the command line.
pub(crate) fn settings(args: &Batch) -> Settings {
    let one_file = args.one_file;
    let mut options = args.options.clone();
    // The rig's mesh is in the one file that all are gathered in.
    options.animation_only |= one_file;
    Settings { options, one_file }
}

impl BatchPlan<'_> {
    /// What a job's result depends on, or why it cannot be made.
    pub(crate) fn origin(&self, job: &Job) -> Result<Origin, Fault> {
        origin(job, self.found.clips.len(), self.survey, self.cards)
    }

    /// Whether the picture of a job is there, where one is wanted.
    pub(crate) fn has_picture(&self, job: &Job) -> bool {
        let preview = self.args.preview.as_deref();
        preview.is_none_or(|folder| picture_path(folder, &job.place).is_file())
    }

    /// The rigs that can be used.
    pub(crate) fn rigs(&self) -> Result<Vec<Rig>, Failure> {
        let rig = |(k, path): (usize, &PathBuf)| {
            let file = self.survey.place[self.found.clips.len() + k].clone();
            let card = file.and_then(|file| self.cards[self.survey.kind_of[file]].clone());
            let card = card.map_err(|fault| anyhow::anyhow!(fault.message))?;
            Rig::read(path, &card, &settings(self.args))
        };
        self.args.targets.iter().enumerate().map(rig).collect()
    }

    /// A line of the manifest for a job that cannot be done.
    pub(crate) fn failed(&self, job: &Job, fault: Fault) -> Line {
        let clip = &self.found.clips[job.clip];
        Line {
            target: Some(self.args.targets[job.rig].display().to_string()),
            output: Some(text(&job.place)),
            error: Some(fault),
            ..Line::of(clip, Status::Failed)
        }
    }
}
