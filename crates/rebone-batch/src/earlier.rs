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
    lines: BTreeMap<String, ManifestLine>,
}

/// Files that were removed from an output folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Results and merged files that were removed, below the output folder.
    pub removed: Vec<String>,
    /// Those that were left, since they are not as a batch wrote them.
    pub changed: Vec<String>,
}

impl<'a> EarlierRuns<'a> {
    /// Reads the manifest of an output folder.
    pub(crate) fn read(
        output: &'a Path,
        pictures: Option<&'a Pictures>,
    ) -> Result<Self, BatchError> {
        Ok(Self { output, pictures, lines: manifest::read(output)? })
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

    /// Lines of other results whose files are there.
    pub(crate) fn others(&self, jobs: &[BatchJob]) -> Vec<&ManifestLine> {
        let own: BTreeSet<String> = jobs.iter().map(|job| slashed(&job.path)).collect();
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
    pub(crate) fn merged(&self, remade: &BTreeSet<String>) -> Vec<&ManifestLine> {
        let merged = self.lines.iter().filter(|(_, line)| line.status == JobStatus::Merged);
        let others = merged.filter(|(name, _)| !remade.contains(*name));
        let is_there = |name: &str| self.below(name).is_some_and(|path| path.is_file());
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
        let picture = self.pictures.map(|pictures| pictures.path(Path::new(name)));
        match picture.filter(|path| is_file_with(path, line.picture.as_deref())) {
            Some(path) => Ok(fs::remove_file(path)?),
            None => Ok(()),
        }
    }

    /// Path of a result; `None` where it is not in the output folder.
    fn below(&self, name: &str) -> Option<PathBuf> {
        is_below(self.output, name).then(|| self.output.join(name))
    }
}

/// Whether a name is of a file in a folder, with links followed.
pub(crate) fn is_below(folder: &Path, name: &str) -> bool {
    let is_name = |part: Component| matches!(part, Component::Normal(_));
    let parent = folder.join(name).parent().and_then(|parent| fs::canonicalize(parent).ok());
    let folder = fs::canonicalize(folder).ok();
    Path::new(name).components().all(is_name)
        && parent.zip(folder).is_some_and(|(parent, folder)| parent.starts_with(folder))
}

fn is_file_with(path: &Path, hash: Option<&str>) -> bool {
    let is_plain = fs::symlink_metadata(path).is_ok_and(|file| file.is_file());
    is_plain && hash.is_some_and(|hash| hash::of_file(path).is_ok_and(|own| own == hash))
}
