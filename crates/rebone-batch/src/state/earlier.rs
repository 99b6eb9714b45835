//! Results of earlier runs, by their lines in the manifest.

use crate::disk::place::is_below;
use crate::error::{BatchError, Fault, FaultKind, remove};
use crate::jobs::request::{BatchRequest, Pictures, Progress, Watch};
use crate::jobs::{BatchJob, merged_paths, slashed};
use crate::record::hash;
use crate::record::manifest::{self, JobStatus, ManifestLine, ManifestLines};
use crate::shards::files::ShardFiles;
use crate::state::on_disk::ResultState;
use rebone::skeleton::file::FileKind;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Lines of earlier runs, by their outputs.
#[derive(Debug)]
pub(crate) struct EarlierRuns<'a> {
    pub(crate) output: &'a Path,
    pictures: Option<&'a Pictures>,
    /// Path of the manifest.
    manifest: PathBuf,
    /// Replaces files that no run here made.
    pub(crate) overwrite: bool,
    pub(crate) lines: BTreeMap<PathBuf, ManifestLine>,
    /// Tars of results, by their paths.
    pub(crate) tars: BTreeMap<PathBuf, EarlierTar>,
    /// Lines of the manifest that are none, and an incomplete last one.
    unread: [usize; 2],
}

/// A tar of results by its lines in the manifest.
#[derive(Debug, Default)]
pub(crate) struct EarlierTar {
    /// Its hashes as batches wrote it: of a killed run it may be the one or the other.
    pub(crate) hashes: BTreeSet<String>,
    /// Results in it.
    pub(crate) outputs: BTreeSet<PathBuf>,
}

/// Files that were removed from an output folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Results and merged files that were removed, below the output folder.
    pub removed: Vec<PathBuf>,
    /// Those that were left, since they are not as a batch wrote them.
    pub changed: Vec<PathBuf>,
    /// Removal was wanted, also where inputs could not be read and all files stayed.
    pub wanted: bool,
}

impl<'a> EarlierRuns<'a> {
    /// Reads the manifest of an output folder: the last line of each result.
    ///
    /// # Errors
    /// When a file would be lost that no run here made: one called as the manifest, or as a merged file.
    pub(crate) fn read(request: &'a BatchRequest) -> Result<Self, BatchError> {
        let BatchRequest { output, overwrite, .. } = request;
        let path = request.manifest().current().to_owned();
        let ManifestLines { whole, broken, is_cut } = manifest::read(&path)?;
        if whole.is_empty() && broken > 0 && !overwrite && !path.is_symlink() {
            return Err(BatchError::Request(format!(
                "{} is no manifest of a batch: move it, name another folder, or replace it with --overwrite",
                path.display()
            )));
        }
        let mut earlier = Self {
            output,
            pictures: request.pictures.as_ref(),
            manifest: path,
            overwrite: *overwrite,
            lines: BTreeMap::new(),
            tars: BTreeMap::new(),
            unread: [broken, is_cut.into()],
        };
        let shards = ShardFiles::of(output)?.filter(|_| request.shard.is_none());
        let of_shards = shards.into_iter().flat_map(ShardFiles::lines);
        shards.map_or(Ok(()), ShardFiles::check_merged)?;
        for line in whole.into_iter().map(Ok).chain(of_shards) {
            let line = line?;
            let Some(name) = line.output.clone() else { continue };
            earlier.note_tar(&line);
            if let Some(old) = earlier.lines.insert(name.clone(), line) {
                earlier.restore(&name, old);
            }
        }
        earlier.settle_tars();
        for path in merged_paths(request) {
            earlier.check_merged(&path).map_err(|fault| BatchError::Request(fault.message))?;
        }
        Ok(earlier)
    }

    /// Says that lines of the manifest do not count; keeps a copy of one with lines that are none.
    pub(crate) fn note_unread(&self, dry_run: bool, watch: &mut Watch) -> Result<(), BatchError> {
        let [broken, cut] = self.unread;
        if broken + cut == 0 {
            return Ok(());
        }
        let copy = match broken > 0 && !dry_run {
            true => format!("; a copy of it is {}", manifest::keep_copy(&self.manifest)?.display()),
            false => String::new(),
        };
        let lines = format!("lines of {} cannot be read and do not count", self.manifest.display());
        watch(Progress::Note(&format!("{} {lines}{copy}", broken + cut)));
        Ok(())
    }

    /// Refuses to replace a result or a picture that no run here made.
    pub(crate) fn check_place(&self, job: &BatchJob) -> Result<(), Fault> {
        self.check_result(&job.path)?;
        let Some(path) = self.picture_path(&job.path) else { return Ok(()) };
        let hash = self.line(&job.path).and_then(|line| line.picture.as_deref());
        let foreign = kind_of(&path).filter(|kind| *kind != FileKind::Png && !self.overwrite);
        match foreign.filter(|_| !is_file_with(&path, hash)) {
            Some(kind) => Err(foreign_file(&path, kind)),
            None => Ok(()),
        }
    }

    /// State of a result for a rig.
    pub(crate) fn state(&self, name: &Path, rig: &Path) -> ResultState {
        let path = self.output.join(name);
        let line = self.line(name).filter(|line| has_file(line) && path.is_file());
        let Some(line) = line else { return ResultState::None };
        let has_length = |bytes| fs::metadata(&path).is_ok_and(|file| file.len() == bytes);
        let is_written = match &line.file {
            Some(hash) => hash::of_file(&path).is_ok_and(|own| own == *hash),
            // Old manifests have no hashes.
            None => line.result.as_ref().is_some_and(|result| has_length(result.bytes)),
        };
        match is_written {
            true => ResultState::Written,
            // The file behind a link stays.
            false if path.is_symlink() => ResultState::None,
            false => ResultState::of_changed(&path, rig),
        }
    }

    /// Refuses to replace a merged file that is not as a run here wrote it: each run writes it anew, also where nothing changed.
    pub(crate) fn check_merged(&self, name: &Path) -> Result<(), Fault> {
        self.check_result(name)?;
        let path = self.output.join(name);
        let is_own = self.overwrite || self.line(name).is_some_and(|line| self.is_own(line));
        match kind_of(&path).filter(|_| !is_own) {
            Some(_) => Err(edited_file(&path)),
            None => Ok(()),
        }
    }

    /// Refuses to replace a result that no run here made.
    fn check_result(&self, name: &Path) -> Result<(), Fault> {
        let path = self.output.join(name);
        let is_own = self.overwrite || self.line(name).is_some_and(has_file);
        match kind_of(&path).filter(|_| !is_own) {
            Some(kind) => Err(foreign_file(&path, kind)),
            None => Ok(()),
        }
    }

    /// Takes the hashes of the line before the last one where a run was killed before it replaced these files.
    fn restore(&mut self, name: &Path, old: ManifestLine) {
        if old.tar.is_some() {
            return;
        }
        let Some(path) = self.below(name) else { return };
        let picture = self.picture_path(name);
        let Some(line) = self.lines.get_mut(name) else { return };
        if line.status == JobStatus::Done {
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
        let is_there = |line: &&ManifestLine| self.output.join(file_of(line)).is_file();
        self.line(path).filter(is_there)?.file.clone()
    }

    /// The hash of an earlier picture that is still there.
    pub(crate) fn picture(&self, path: &Path) -> Option<String> {
        let is_there = self.picture_path(&slashed(path)).is_some_and(|path| path.is_file());
        self.line(path).filter(|_| is_there)?.picture.clone()
    }

    /// Lines of other results whose files are there.
    pub(crate) fn others(&self, jobs: &[BatchJob]) -> Vec<&ManifestLine> {
        let own: BTreeSet<PathBuf> = jobs.iter().map(|job| slashed(&job.path)).collect();
        let tars: BTreeSet<PathBuf> = jobs.iter().map(|job| slashed(job.file())).collect();
        let is_own = |line: &ManifestLine| tars.contains(file_of(line));
        let of_others =
            self.lines.iter().filter(|(name, line)| !own.contains(*name) && !is_own(line));
        let is_there = |line: &&ManifestLine| {
            let path = self.below(file_of(line));
            has_file(line) && path.is_some_and(|path| path.is_file())
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

    /// Returns whether the file of a line is as a batch wrote it.
    pub(crate) fn is_own(&self, line: &ManifestLine) -> bool {
        let hash = line.tar.as_ref().map(|tar| &tar.hash).or(line.file.as_ref());
        let path = self.below(file_of(line));
        path.is_some_and(|path| is_file_with(&path, hash.map(String::as_str)))
    }

    /// Removes the file and the picture of a line, where they are as a batch wrote them.
    pub(crate) fn remove(
        &self,
        line: &ManifestLine,
        pruned: &mut Pruned,
    ) -> Result<(), BatchError> {
        let name = file_of(line);
        if self.is_own(line) {
            remove(&self.output.join(name))?;
            pruned.removed.push(name.to_owned());
        } else {
            pruned.changed.push(name.to_owned());
        }
        self.own_picture(line).map_or(Ok(()), |path| remove(&path))
    }

    /// Path of the picture of a line, where it is as a batch drew it.
    pub(crate) fn own_picture(&self, line: &ManifestLine) -> Option<PathBuf> {
        let path = self.picture_path(line.output.as_deref()?)?;
        is_file_with(&path, line.picture.as_deref()).then_some(path)
    }

    /// Path of a result; `None` where it is not in the output folder.
    fn below(&self, name: &Path) -> Option<PathBuf> {
        is_below(self.output, name).then(|| self.output.join(name))
    }
}

/// Returns whether a line is of a file that was made.
fn has_file(line: &ManifestLine) -> bool {
    let is_made = matches!(line.status, JobStatus::Done | JobStatus::Merged);
    is_made || line.file.is_some() || line.tar.is_some()
}

/// Path of the file of a line, below the output folder: the result, or the tar that it is in.
pub(crate) fn file_of(line: &ManifestLine) -> &Path {
    let tar = line.tar.as_ref().map(|tar| tar.path.as_path());
    tar.or(line.output.as_deref()).unwrap_or(Path::new(""))
}

/// The first line of each file.
pub(crate) fn one_per_file(lines: Vec<&ManifestLine>) -> Vec<&ManifestLine> {
    let mut seen = BTreeSet::new();
    lines.into_iter().filter(|line| seen.insert(file_of(line))).collect()
}

/// Kind of a file that would be lost; none of an empty one, and of a link: the file behind it stays.
pub(crate) fn kind_of(path: &Path) -> Option<FileKind> {
    fs::symlink_metadata(path).ok().filter(|found| found.is_file() && found.len() > 0)?;
    Some(FileKind::of_file(path).unwrap_or(FileKind::Other))
}

pub(crate) fn foreign_file(path: &Path, kind: FileKind) -> Fault {
    let path = path.display();
    let message = format!(
        "{path} is {kind} that no batch here made: move it, or replace such files with --overwrite"
    );
    Fault { kind: FaultKind::Unwritable, message }
}

/// Fault of a result, or a merged file, that was changed and would be lost.
pub(crate) fn edited_file(path: &Path) -> Fault {
    let message = format!(
        "{} was changed since a batch wrote it: move it, or replace it with --overwrite",
        path.display()
    );
    Fault { kind: FaultKind::Unwritable, message }
}

fn is_file_with(path: &Path, hash: Option<&str>) -> bool {
    let is_plain = fs::symlink_metadata(path).is_ok_and(|file| file.is_file());
    is_plain && hash.is_some_and(|hash| hash::of_file(path).is_ok_and(|own| own == hash))
}
