//! Merges all results for a rig into one file that holds its mesh once.

use crate::error::{BatchError, check, context};
use crate::jobs::names::merged_path;
use crate::jobs::slashed;
use crate::record::lock::{CompleteFile, OutputLock};
use crate::record::manifest::{JobStatus, Manifest, ManifestLine};
use crate::state::earlier::EarlierRuns;
use crate::work::AnalysedRig;
use rebone::Character;
use rebone::skeleton::{Document, gltf};
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
    /// Animations of the rig that it does not hold.
    pub warnings: Vec<String>,
}

/// Parts to merge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MergeTask<'a> {
    /// Output folder.
    pub(crate) output: &'a Path,
    /// Lock with the folder for incomplete files.
    pub(crate) lock: &'a OutputLock,
    /// Files of earlier runs.
    pub(crate) earlier: &'a EarlierRuns<'a>,
    /// Results of failed clips that were edited and stay: they are merged as they are.
    pub(crate) edited: &'a [PathBuf],
    /// Takes a rig without results as no fault.
    pub(crate) prune: bool,
    /// Flag that stops the work.
    pub(crate) stop: &'a AtomicBool,
}

impl MergeTask<'_> {
    /// Merges the finished parts of each rig, those of earlier runs too; `lines` begins with those of this run. A part of a
    /// clip that failed stays. Adds the line of each file to the manifest before it has its name, and returns both.
    pub(crate) fn run(
        &self,
        rigs: &[AnalysedRig],
        lines: &[&ManifestLine],
        manifest: &mut Manifest,
    ) -> Vec<(MergedFile, Option<ManifestLine>)> {
        let mut files = Vec::new();
        for rig in rigs {
            let target = rig.character.path();
            let of_rig = lines.iter().filter(|line| {
                let is_edited =
                    || line.output.as_ref().is_some_and(|own| self.edited.contains(own));
                let is_done = line.status == JobStatus::Done;
                let is_there = is_done || self.earlier.is_own(line) || is_edited();
                is_there && line.target.as_deref() == Some(target)
            });
            let mut parts: BTreeMap<&str, &Path> = BTreeMap::new();
            for (name, part) in
                of_rig.filter_map(|line| Some((line.animation.as_ref()?, line.output.as_ref()?)))
            {
                parts.entry(name).or_insert(part);
            }
            let warnings = replaced(&rig.character, &parts);
            let name = slashed(&merged_path(target));
            let path = self.output.join(&name);
            let merged = match parts.is_empty() {
                true if path.exists() && !self.prune => Err(BatchError::Input(
                    "no result was made: the file is of an earlier run".to_owned(),
                )),
                true => continue,
                false => self.write(&path, rig, &parts).and_then(|file| {
                    let line = ManifestLine::new(target, JobStatus::Merged);
                    let hash = Some(file.hash().to_owned());
                    let (output, warnings) = (Some(name.clone()), warnings.clone());
                    let line = ManifestLine { output, file: hash, warnings, ..line };
                    manifest.add(std::slice::from_ref(&line))?;
                    // A person may have saved it while the batch ran.
                    self.earlier.check_merged(&name).map_err(BatchError::Fault)?;
                    file.commit().map(|_| line)
                }),
            };
            let merged = context(merged, || format!("cannot merge into {}", path.display()));
            let line = merged.as_ref().ok().cloned();
            let animations = merged.map(|_| parts.len());
            let animations = animations.map_err(|error| rebone::error_line(&error));
            files.push((MergedFile { path, animations, warnings }, line));
        }
        files
    }

    fn write(
        &self,
        path: &Path,
        rig: &AnalysedRig,
        parts: &BTreeMap<&str, &Path>,
    ) -> Result<CompleteFile, BatchError> {
        if let Some(file) = self.write_onto(&rig.document, path, parts, true)? {
            return Ok(file);
        }
        let document = rebone::document_with_root(&rig.character, &rig.anatomy)?;
        let file = self.write_onto(&document, path, parts, false)?;
        file.ok_or_else(|| BatchError::Input("found other nodes in a part".to_owned()))
    }

    /// Merges parts with a file; `None` where a part has a root bone more, and `may_lack` it is set.
    fn write_onto(
        &self,
        document: &gltf::Document,
        path: &Path,
        parts: &BTreeMap<&str, &Path>,
        may_lack: bool,
    ) -> Result<Option<CompleteFile>, BatchError> {
        let data = tempfile::tempfile_in(self.lock.folder())?;
        let mut merger = document.merge_animations(data)?;
        for (name, part) in parts {
            check(self.stop)?;
            let help = || format!("{}: remove it and run again", part.display());
            let read = Document::open(self.output.join(part), None);
            let part = context(read, help)?;
            let part = part.gltf().ok_or_else(|| BatchError::Input(help()))?;
            if may_lack && merger.lacks_node_of(part) {
                return Ok(None);
            }
            context(merger.add(part, name), help)?;
        }
        let written = self.lock.complete(path, |file| Ok(merger.write(file)?));
        written.map(|(file, ())| Some(file))
    }
}

/// Warnings of the animations of a rig that have the name of a result.
fn replaced(rig: &Character, parts: &BTreeMap<&str, &Path>) -> Vec<String> {
    let names = rig.clip_names().into_iter().filter(|name| parts.contains_key(name.as_str()));
    let warning = |name: String| {
        let path = rig.path().display();
        format!(
            "the animation {name:?} of {path} is not kept: a result has its name; --name names others"
        )
    };
    names.map(warning).collect()
}
