//! Tars of results that earlier runs made.

use crate::disk::tar::TarReader;
use crate::error::Fault;
use crate::jobs::slashed;
use crate::record::hash;
use crate::record::manifest::{HashedFile, ManifestLine};
use crate::state::earlier::{EarlierRuns, foreign_file, kind_of};
use crate::state::on_disk::ResultState;
use std::fs::File;
use std::path::Path;

impl EarlierRuns<'_> {
    /// Notes the tar of a line.
    pub(crate) fn note_tar(&mut self, line: &ManifestLine) {
        let (Some(tar), Some(output)) = (&line.tar, &line.output) else { return };
        let own = self.tars.entry(tar.path.clone()).or_default();
        own.hashes.insert(tar.hash.clone());
        own.outputs.insert(output.clone());
    }

    /// Gives all lines of a tar the hash that it has, where a killed run left several.
    pub(crate) fn settle_tars(&mut self) {
        for (path, tar) in self.tars.iter().filter(|(_, tar)| tar.hashes.len() > 1) {
            let found = hash::of_file(&self.output.join(path)).unwrap_or_default();
            if !tar.hashes.contains(&found) {
                continue;
            }
            let own = HashedFile { path: path.clone(), hash: found };
            for output in &tar.outputs {
                if let Some(line) = self.lines.get_mut(output) {
                    line.tar = Some(own.clone());
                }
            }
        }
    }

    /// Lines of the results in a tar.
    pub(crate) fn lines_in(&self, tar: &Path) -> impl Iterator<Item = &ManifestLine> {
        let outputs = self.tars.get(&slashed(tar)).map(|tar| &tar.outputs);
        outputs.into_iter().flatten().filter_map(|output| self.lines.get(output))
    }

    /// The tar of a line, where it is still there.
    pub(crate) fn tar(&self, path: &Path) -> Option<HashedFile> {
        let tar = self.line(path)?.tar.as_ref()?;
        self.output.join(&tar.path).is_file().then(|| tar.clone())
    }

    /// State of a tar of results.
    pub(crate) fn tar_state(&self, tar: &Path) -> ResultState {
        let path = self.output.join(tar);
        let mut known = self.lines_in(tar).filter_map(|line| line.tar.as_ref()).peekable();
        if known.peek().is_none() || !path.is_file() {
            return ResultState::None;
        }
        let found = hash::of_file(&path).unwrap_or_default();
        match known.any(|own| own.hash == found) {
            true => ResultState::Written,
            // The file behind a link stays.
            false if path.is_symlink() => ResultState::None,
            false if is_whole(&path) => ResultState::Edited,
            false => ResultState::Damaged,
        }
    }

    /// Refuses to replace a file that no run here made by a tar of results.
    pub(crate) fn check_tar(&self, tar: &Path) -> Result<(), Fault> {
        let path = self.output.join(tar);
        let is_own = self.overwrite || self.lines_in(tar).next().is_some();
        match kind_of(&path).filter(|_| !is_own) {
            Some(kind) => Err(foreign_file(&path, kind)),
            None => Ok(()),
        }
    }
}

/// Returns whether all members of a tar can be found.
fn is_whole(path: &Path) -> bool {
    let count = || {
        let mut reader = TarReader::new(File::open(path)?)?;
        while reader.next_member()?.is_some() {}
        Ok::<(), crate::disk::tar::TarError>(())
    };
    count().is_ok()
}
