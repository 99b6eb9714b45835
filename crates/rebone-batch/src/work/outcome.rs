//! Outcome of a batch.

use crate::record::manifest::{JobStatus, ManifestLine};
use crate::record::shard::Shard;
use crate::state::earlier::Pruned;
use crate::work::merge::MergedFile;
use std::path::PathBuf;

/// Outcome of a batch.
#[derive(Clone, Debug)]
pub struct BatchOutcome {
    /// Path of the manifest.
    pub manifest: PathBuf,
    /// Shard that was made; none of a batch without shards.
    pub shard: Option<Shard>,
    /// Lines of results that were up to date, of jobs that cannot be done, and of skipped files.
    pub kept: Vec<ManifestLine>,
    /// Results that were edited by hand and stay.
    pub edited: Vec<PathBuf>,
    /// Number of results that options leave out.
    pub left_out: usize,
    /// Lines of earlier runs that this one did not speak of.
    pub others: Vec<ManifestLine>,
    /// Files that were removed, where that was wanted.
    pub pruned: Pruned,
    /// Lines of this run.
    pub lines: Vec<ManifestLine>,
    /// Seconds of this run.
    pub seconds: f64,
    /// Stopped by the caller.
    pub interrupted: bool,
    /// Merged files, where wanted.
    pub merged: Vec<MergedFile>,
}

impl BatchOutcome {
    /// All lines of the clips and rigs of this run.
    pub fn all(&self) -> impl Iterator<Item = &ManifestLine> {
        self.kept.iter().chain(&self.lines)
    }

    /// Lines of results that were not made.
    pub fn failed(&self) -> impl Iterator<Item = &ManifestLine> {
        self.all().filter(|line| matches!(line.status, JobStatus::Failed | JobStatus::NoCard))
    }
}
