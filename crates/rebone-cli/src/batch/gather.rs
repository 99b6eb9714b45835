//! Merges all results for a rig into one file that holds its mesh once.

use super::inputs::{Clip, stem};
use super::manifest::{Line, Status};
use super::output_lock::OutputLock;
use super::plan::{Job, text};
use super::work::Rig;
use crate::interrupt;
use anyhow::{Context, anyhow};
use rebone::skeleton::Document;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Folder of the parts, below the output folder.
pub(crate) const FOLDER: &str = "parts";

/// Path of the merged file of a rig, below the output folder.
pub(crate) fn place(rig: &Path) -> PathBuf {
    let is_vrm = rig.extension().is_some_and(|end| end.eq_ignore_ascii_case("vrm"));
    PathBuf::from(stem(rig) + if is_vrm { ".vrm" } else { ".glb" })
}

/// Parts to merge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parts<'a> {
    /// Output folder.
    pub(crate) output: &'a Path,
    /// Lock with the folder for incomplete files.
    pub(crate) lock: &'a OutputLock,
    /// Clips of the batch.
    pub(crate) clips: &'a [Clip],
    /// Jobs of the batch.
    pub(crate) jobs: &'a [Job],
}

impl Parts<'_> {
    /// Merges the finished parts of each rig; returns the files with their number of animations, or why a file was not
    /// made.
    pub(crate) fn gather(
        &self,
        rigs: &[Rig],
        lines: &[&Line],
    ) -> Vec<(PathBuf, anyhow::Result<usize>)> {
        let is_done = |line: &&&Line| line.status == Status::Done;
        let done: BTreeSet<&str> =
            lines.iter().filter(is_done).filter_map(|line| line.output.as_deref()).collect();
        let mut files = Vec::new();
        for (index, rig) in rigs.iter().enumerate() {
            let of_rig = |job: &&Job| job.rig == index && done.contains(text(&job.place).as_str());
            let mut parts: Vec<(String, &Path)> = self
                .jobs
                .iter()
                .filter(of_rig)
                .map(|job| (self.name(job), job.place.as_path()))
                .collect();
            parts.sort();
            let path = self.output.join(place(rig.loaded.path()));
            let context = || format!("cannot gather into {}", path.display());
            let made = match parts.is_empty() {
                true if path.exists() => Err(anyhow!("nothing is done: it is of an earlier run")),
                true => continue,
                false => self.write(&path, rig, &parts).map(|()| parts.len()),
            };
            files.push((path.clone(), made.with_context(context)));
        }
        files
    }

    /// Name of an animation: its clip with its folders.
    fn name(&self, job: &Job) -> String {
        let clip = &self.clips[job.clip];
        text(&clip.folder.join(clip.stem()))
    }

    fn write(&self, path: &Path, rig: &Rig, parts: &[(String, &Path)]) -> anyhow::Result<()> {
        let mut merger =
            rig.document.merge_animations(tempfile::tempfile_in(self.lock.folder())?)?;
        for (name, place) in parts {
            interrupt::check()?;
            let help = || format!("{}: remove it and run again", place.display());
            let part = Document::open(self.output.join(place), None).with_context(help)?;
            let part = part.gltf().with_context(help)?;
            merger.add(part, name).with_context(help)?;
        }
        self.lock.write_atomically(path, |file| Ok(merger.write(file)?)).map(drop)
    }
}
