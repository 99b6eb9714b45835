//! Manifests of the shards of an output folder.

use crate::error::{BatchError, remove};
use crate::record::manifest::{self, JobStatus, ManifestLine};
use crate::record::manifest_place::ManifestPlace;
use crate::record::shard::{self, Shard};
use std::fs;
use std::path::{Path, PathBuf};

/// The shards of an output folder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShardFiles<'a> {
    output: &'a Path,
    /// Number of shards.
    pub(crate) count: u32,
}

impl<'a> ShardFiles<'a> {
    /// Finds the shards of an output folder; `None` where it has none.
    pub(crate) fn of(output: &'a Path) -> Result<Option<Self>, BatchError> {
        Ok(shard::count_of(output)?.map(|count| Self { output, count }))
    }

    /// All shards with the files of their manifests.
    pub(crate) fn all(self) -> impl Iterator<Item = (Shard, ManifestPlace)> {
        let shards = (0..self.count).filter_map(move |number| Shard::new(number, self.count).ok());
        shards.map(move |shard| (shard, ManifestPlace::new(self.output, Some(shard))))
    }

    /// Reads the lines of one shard after the other, those of shards at work too.
    pub(crate) fn lines(self) -> impl Iterator<Item = Result<ManifestLine, BatchError>> {
        self.all().flat_map(|(_, place)| match place.read() {
            Ok(lines) => lines.whole.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(error)],
        })
    }

    /// Paths of clips that wait for a card.
    pub(crate) fn without_card(self) -> impl Iterator<Item = Result<PathBuf, BatchError>> {
        self.lines().filter_map(|line| match line {
            Ok(line) if line.status != JobStatus::NoCard => None,
            line => Some(line.map(|line| line.input)),
        })
    }

    /// Removes the manifests of all shards, once their lines are in that of the batch.
    pub(crate) fn retire(self) -> Result<(), BatchError> {
        for (_, place) in self.all() {
            place.paths().into_iter().filter(|path| path.exists()).try_for_each(remove)?;
        }
        remove(&shard::count_file(self.output))?;
        // A file of another origin stays, with its folder.
        let _ = fs::remove_dir(shard::manifests(self.output));
        Ok(())
    }

    /// Refuses a run over all clips while the shards are not merged.
    pub(crate) fn check_merged(self) -> Result<(), BatchError> {
        if self.output.join(manifest::NAME).is_file() {
            return Ok(());
        }
        let (output, count) = (self.output.display(), self.count);
        Err(BatchError::Request(format!(
            "{output} has {count} shards: give --shard K/{count}, or merge them first with `rebone merge {output}`"
        )))
    }
}
