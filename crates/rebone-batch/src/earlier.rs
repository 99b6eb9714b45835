//! Results of earlier runs that are outside this run: kept, or pruned.

use crate::error::BatchError;
use crate::hash;
use crate::jobs::{BatchJob, slashed};
use crate::manifest::{self, JobStatus, ManifestLine};
use crate::request::Pictures;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Lines of earlier runs, by their outputs.
#[derive(Debug)]
pub(crate) struct EarlierRuns<'a> {
    output: &'a Path,
    pictures: Option<&'a Pictures>,
    lines: BTreeMap<PathBuf, ManifestLine>,
}

/// Files that were removed from an output folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Results and merged files that were removed, below the output folder.
    pub removed: Vec<PathBuf>,
    /// Those that were left, since they are not as a batch wrote them.
    pub changed: Vec<PathBuf>,
}

impl<'a> EarlierRuns<'a> {
    /// Reads the manifest of an output folder: the last line of each result.
    pub(crate) fn read(
        output: &'a Path,
        pictures: Option<&'a Pictures>,
    ) -> Result<Self, BatchError> {
        let mut earlier = Self { output, pictures, lines: BTreeMap::new() };
        for line in manifest::read(output)? {
            let Some(name) = line.output.clone() else { continue };
            if let Some(old) = earlier.lines.insert(name.clone(), line) {
                earlier.restore(&name, old);
            }
        }
        Ok(earlier)
    }

    /// Takes the hashes of the line before the last one where a run was killed before it replaced these files.
    fn restore(&mut self, name: &Path, old: ManifestLine) {
        let Some(path) = self.below(name) else { return };
        let picture = self.picture_path(name);
        let Some(line) = self.lines.get_mut(name) else { return };
        if line.status != JobStatus::Failed {
            return;
        }
        if line.file != old.file && is_file_with(&path, old.file.as_deref()) {
            line.file = old.file;
        }
        let is_old = |path: PathBuf| is_file_with(&path, old.picture.as_deref());
        if line.picture != old.picture && picture.is_some_and(is_old) {
            line.picture = old.picture;
        }
    }

    /// Path of the picture of a result.
    fn picture_path(&self, name: &Path) -> Option<PathBuf> {
        self.pictures.map(|pictures| pictures.path(name))
    }

    /// Line of a result.
    pub(crate) fn line(&self, path: &Path) -> Option<&ManifestLine> {
        self.lines.get(&slashed(path))
    }

    /// The hash of an earlier result that is still there.
    pub(crate) fn file(&self, path: &Path) -> Option<String> {
        let line = self.line(path).filter(|_| self.output.join(path).is_file())?;
        line.file.clone()
    }

    /// The hash of an earlier picture that is still there.
    pub(crate) fn picture(&self, path: &Path) -> Option<String> {
        let is_there = self.picture_path(&slashed(path)).is_some_and(|path| path.is_file());
        self.line(path).filter(|_| is_there)?.picture.clone()
    }

    /// Lines of other results whose files are there.
    pub(crate) fn others(&self, jobs: &[BatchJob]) -> Vec<&ManifestLine> {
        let own: BTreeSet<PathBuf> = jobs.iter().map(|job| slashed(&job.path)).collect();
        let of_others = self.lines.iter().filter(|(name, _)| !own.contains(*name));
        let is_there = |line: &&ManifestLine| {
            let was_made = line.status == JobStatus::Done || line.file.is_some();
            let path = line.output.as_deref().and_then(|name| self.below(name));
            was_made && path.is_some_and(|path| path.is_file())
        };
        let lines = of_others.map(|(_, line)| line);
        lines.filter(|line| line.status != JobStatus::Merged).filter(is_there).collect()
    }

    /// Lines of merged files that are there, except some.
    pub(crate) fn merged(&self, remade: &BTreeSet<PathBuf>) -> Vec<&ManifestLine> {
        let merged = self.lines.iter().filter(|(_, line)| line.status == JobStatus::Merged);
        let others = merged.filter(|(name, _)| !remade.contains(*name));
        let is_there = |name: &Path| self.below(name).is_some_and(|path| path.is_file());
        others.filter(|(name, _)| is_there(name)).map(|(_, line)| line).collect()
    }

    /// Whether the file of a line is as a batch wrote it.
    pub(crate) fn is_own(&self, line: &ManifestLine) -> bool {
        let path = line.output.as_deref().and_then(|name| self.below(name));
        path.is_some_and(|path| is_file_with(&path, line.file.as_deref()))
    }

    /// Removes the file and the picture of a line, where they are as a batch wrote them.
    pub(crate) fn remove(
        &self,
        line: &ManifestLine,
        pruned: &mut Pruned,
    ) -> Result<(), BatchError> {
        let Some(name) = &line.output else { return Ok(()) };
        if self.is_own(line) {
            fs::remove_file(self.output.join(name))?;
            pruned.removed.push(name.clone());
        } else {
            pruned.changed.push(name.clone());
        }
        match self.picture_path(name).filter(|path| is_file_with(path, line.picture.as_deref())) {
            Some(path) => Ok(fs::remove_file(path)?),
            None => Ok(()),
        }
    }

    /// Path of a result; `None` where it is not in the output folder.
    fn below(&self, name: &Path) -> Option<PathBuf> {
        is_below(self.output, name).then(|| self.output.join(name))
    }
}

/// Whether a name is of a file in a folder, with links followed.
pub(crate) fn is_below(folder: &Path, name: &Path) -> bool {
    let is_name = |part: Component| matches!(part, Component::Normal(_));
    let parent = folder.join(name).parent().and_then(|parent| fs::canonicalize(parent).ok());
    let folder = fs::canonicalize(folder).ok();
    name.components().all(is_name)
        && parent.zip(folder).is_some_and(|(parent, folder)| parent.starts_with(folder))
}

fn is_file_with(path: &Path, hash: Option<&str>) -> bool {
    let is_plain = fs::symlink_metadata(path).is_ok_and(|file| file.is_file());
    is_plain && hash.is_some_and(|hash| hash::of_file(path).is_ok_and(|own| own == hash))
}
