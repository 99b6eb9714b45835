//! Merges all results for a rig into one file that holds its mesh once.

use crate::error::{BatchError, check, context};
use crate::inputs::InputClip;
use crate::jobs::{BatchJob, slashed};
use crate::lock::OutputLock;
use crate::manifest::{JobStatus, ManifestLine};
use crate::names::merged_path;
use crate::work::AnalysedRig;
use rebone::skeleton::Document;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// All results for a rig in one file.
#[derive(Clone, Debug)]
pub struct MergedFile {
    /// Its path.
    pub path: PathBuf,
    /// How many animations it holds, or why it was not made.
    pub animations: Result<usize, String>,
}

/// Parts to merge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MergeTask<'a> {
    /// Output folder.
    pub(crate) output: &'a Path,
    /// Lock with the folder for incomplete files.
    pub(crate) lock: &'a OutputLock,
    /// Clips of the batch.
    pub(crate) clips: &'a [InputClip],
    /// Jobs of the batch.
    pub(crate) jobs: &'a [BatchJob],
    /// Flag that stops the work.
    pub(crate) stop: &'a AtomicBool,
}

impl MergeTask<'_> {
    /// Merges the finished parts of each rig.
    pub(crate) fn run(&self, rigs: &[AnalysedRig], lines: &[&ManifestLine]) -> Vec<MergedFile> {
        let is_done = |line: &&&ManifestLine| line.status == JobStatus::Done;
        let done: BTreeSet<&str> =
            lines.iter().filter(is_done).filter_map(|line| line.output.as_deref()).collect();
        let mut files = Vec::new();
        for (index, rig) in rigs.iter().enumerate() {
            let of_rig =
                |job: &&BatchJob| job.rig == index && done.contains(slashed(&job.path).as_str());
            let parts = self.jobs.iter().filter(of_rig);
            let mut parts: Vec<(String, &Path)> =
                parts.map(|job| (self.name(job), job.path.as_path())).collect();
            parts.sort();
            let path = self.output.join(merged_path(rig.character.path()));
            let merged = match parts.is_empty() {
                true if path.exists() => Err(BatchError::Input(
                    "no result was made: the file is of an earlier run".to_owned(),
                )),
                true => continue,
                false => self.write(&path, rig, &parts).map(|()| parts.len()),
            };
            let merged = context(merged, || format!("cannot merge into {}", path.display()));
            let animations = merged.map_err(|error| rebone::error_line(&error));
            files.push(MergedFile { path, animations });
        }
        files
    }

    /// Name of an animation: its clip with its folders.
    fn name(&self, job: &BatchJob) -> String {
        let clip = &self.clips[job.clip];
        slashed(&clip.folder.join(clip.stem()))
    }

    fn write(
        &self,
        path: &Path,
        rig: &AnalysedRig,
        parts: &[(String, &Path)],
    ) -> Result<(), BatchError> {
        let data = tempfile::tempfile_in(self.lock.folder())?;
        let mut merger = rig.document.merge_animations(data)?;
        for (name, part) in parts {
            check(self.stop)?;
            let help = || format!("{}: remove it and run again", part.display());
            let read = Document::open(self.output.join(part), None);
            let part = context(read, help)?;
            let part = part.gltf().ok_or_else(|| BatchError::Input(help()))?;
            context(merger.add(part, name), help)?;
        }
        self.lock.write_atomically(path, |file| Ok(merger.write(file)?)).map(drop)
    }
}
