//! Results on the disk against their lines in the manifest: as a batch wrote them, edited by hand, or damaged.

use crate::disk::npz_file;
use crate::disk::path_text::path_text;
use crate::error::catch_panic;
use crate::jobs::request::{Progress, Watch};
use crate::jobs::{BatchJob, slashed};
use crate::record::manifest::{ManifestLine, Provenance};
use rebone::skeleton::Format;
use rebone::{Character, Selection};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// State of a result on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResultState {
    /// It is not there, or no batch made it.
    None,
    /// It is as a batch wrote it.
    Written,
    /// It has other bytes, and is a motion without a fault: an edit.
    Edited,
    /// It has other bytes, and is no complete motion.
    Damaged,
}

impl ResultState {
    /// State of a file with other bytes than a batch wrote. Warnings that its rig gives as well are no damage.
    /// Arrays are not read back: a whole archive of them is an edit.
    pub(crate) fn of_changed(path: &Path, rig: &Path) -> Self {
        if Format::of_name(path) == Ok(Format::Npz) {
            return if npz_file::is_whole(path) { Self::Edited } else { Self::Damaged };
        }
        let read = |path: &Path| {
            let read = catch_panic(|| Ok(Character::open(path, Selection::default())));
            read.ok().and_then(Result::ok)
        };
        let messages = |character: &Character| -> BTreeSet<String> {
            character.warnings().iter().map(|warning| warning.message.clone()).collect()
        };
        let Some(result) = read(path).filter(|result| result.check_clip().is_ok()) else {
            return Self::Damaged;
        };
        let found = messages(&result);
        let is_sound =
            found.is_empty() || read(rig).is_some_and(|rig| found.is_subset(&messages(&rig)));
        if is_sound { Self::Edited } else { Self::Damaged }
    }
}

/// Length and time of the last change of a file, where there is one: an edit changes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileStamp(Option<(u64, Option<SystemTime>)>);

impl FileStamp {
    /// Stamp of the file at a path.
    pub(crate) fn of(path: &Path) -> Self {
        let found = fs::symlink_metadata(path).ok();
        Self(found.map(|file| (file.len(), file.modified().ok())))
    }

    /// Returns whether there is a file at a path, other than the one of the stamp.
    pub(crate) fn is_outdated(self, path: &Path) -> bool {
        let now = Self::of(path);
        now.0.is_some() && now != self
    }
}

/// A job, and what is to be done for it.
#[derive(Debug)]
pub(crate) struct PlannedJob {
    /// Stamp of its result, taken before its state.
    pub(crate) stamp: FileStamp,
    /// Its result on the disk.
    pub(crate) state: ResultState,
    /// Files that the result is to be made of; else its line, where it is kept or cannot be made.
    pub(crate) todo: Result<Provenance, Box<ManifestLine>>,
    /// It is in a tar that is made; then its line is in it, whatever it is.
    pub(crate) is_in_new_tar: bool,
}

/// Says which results are not as a batch wrote them: those that are kept, and those that are made again.
pub(crate) fn note(jobs: &[(&BatchJob, PlannedJob)], watch: &mut Watch) {
    let cases = [
        (ResultState::Edited, false, "changed by hand", "kept", "; --overwrite makes it again"),
        (ResultState::Edited, true, "changed by hand", "made again", ""),
        (ResultState::Damaged, true, "damaged", "made again", ""),
    ];
    for (state, is_made, change, done, help) in cases {
        let is_kept = |line: &ManifestLine| !is_made && line.error.is_none();
        let is_so = |own: &PlannedJob| {
            own.state == state && own.todo.as_ref().map_or_else(|line| is_kept(line), |_| is_made)
        };
        let names = jobs.iter().filter(|(_, own)| is_so(own)).map(|(job, _)| job.file());
        let names: BTreeSet<&Path> = names.collect();
        if !names.is_empty() {
            let names: Vec<String> = names.into_iter().map(path_text).collect();
            let names = names.join(", ");
            let text = format!("{change} since a batch wrote it, and {done}: {names}{help}");
            watch(Progress::Note(&text));
        }
    }
}

/// Names of results that were edited and stay.
pub(crate) fn edited(jobs: &[(&BatchJob, PlannedJob)]) -> Vec<PathBuf> {
    let stays = |own: &PlannedJob| {
        own.state == ResultState::Edited && own.todo.is_err() && !own.is_in_new_tar
    };
    let names = jobs.iter().filter(|(_, own)| stays(own)).map(|(job, _)| slashed(job.file()));
    names.collect::<BTreeSet<_>>().into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_file_that_was_saved_has_another_stamp() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.bvh");
        let none = FileStamp::of(&path);
        assert!(!none.is_outdated(&path));
        fs::write(&path, "one").unwrap();
        let one = FileStamp::of(&path);
        assert!(none.is_outdated(&path) && !one.is_outdated(&path));
        // Of the same length.
        let time = fs::metadata(&path).unwrap().modified().unwrap() + Duration::from_secs(1);
        fs::write(&path, "two").unwrap();
        fs::File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
        assert!(one.is_outdated(&path));
        fs::remove_file(&path).unwrap();
        assert!(!one.is_outdated(&path), "nothing is lost where nothing is");
    }
}
