//! Merges all results for a rig into one file that holds its mesh once.

use crate::error::{BatchError, check, context};
use crate::lock::OutputLock;
use crate::manifest::{JobStatus, ManifestLine};
use crate::names::merged_path;
use crate::work::AnalysedRig;
use rebone::skeleton::Document;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// All results for a rig in one file.
#[derive(Clone, Debug)]
pub struct MergedFile {
    /// Its path.
    pub path: PathBuf,
    /// Number of its animations, or why it was not made.
    pub animations: Result<usize, String>,
}

/// Parts to merge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MergeTask<'a> {
    /// Output folder.
    pub(crate) output: &'a Path,
    /// Lock with the folder for incomplete files.
    pub(crate) lock: &'a OutputLock,
    /// Whether a rig without results is no fault.
    pub(crate) prune: bool,
    /// Flag that stops the work.
    pub(crate) stop: &'a AtomicBool,
}

impl MergeTask<'_> {
    /// Merges the finished parts of each rig, those of earlier runs too; `lines` begins with those of this run. Returns
    /// the files with their hashes.
    pub(crate) fn run(
        &self,
        rigs: &[AnalysedRig],
        lines: &[&ManifestLine],
    ) -> Vec<(MergedFile, Option<String>)> {
        let mut files = Vec::new();
        for rig in rigs {
            let target = rig.character.path();
            let of_rig = lines.iter().filter(|line| {
                line.status == JobStatus::Done && line.target.as_deref() == Some(target)
            });
            let mut parts: BTreeMap<&str, &Path> = BTreeMap::new();
            for (name, part) in
                of_rig.filter_map(|line| Some((line.animation.as_ref()?, line.output.as_ref()?)))
            {
                parts.entry(name).or_insert(part);
            }
            let path = self.output.join(merged_path(rig.character.path()));
            let merged = match parts.is_empty() {
                true if path.exists() && !self.prune => Err(BatchError::Input(
                    "no result was made: the file is of an earlier run".to_owned(),
                )),
                true => continue,
                false => self.write(&path, rig, &parts),
            };
            let merged = context(merged, || format!("cannot merge into {}", path.display()));
            let hash = merged.as_ref().ok().cloned();
            let animations = merged.map(|_| parts.len());
            let animations = animations.map_err(|error| rebone::error_line(&error));
            files.push((MergedFile { path, animations }, hash));
        }
        files
    }

    fn write(
        &self,
        path: &Path,
        rig: &AnalysedRig,
        parts: &BTreeMap<&str, &Path>,
    ) -> Result<String, BatchError> {
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
        let written = self.lock.write_atomically(path, |file| Ok(merger.write(file)?));
        written.map(|(file, ())| file.hash)
    }
}
