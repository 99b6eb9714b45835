//! Place of a manifest: that of a batch, or of a shard.

use crate::disk::place::make_folder;
use crate::error::{BatchError, remove};
use crate::record::manifest::{self, Manifest, ManifestLine, ManifestLines};
use crate::record::shard::{self, Shard, manifests};
use std::path::{Path, PathBuf};

/// End of the names of manifests of shards.
const DONE: &str = ".jsonl";
/// End of the names of manifests of shards that are at work, or were killed.
const OPEN: &str = ".open.jsonl";

/// Files of a manifest. That of a batch is one file. That of a shard has its name when all of the shard is done: until then
/// its lines are in another file.
#[derive(Clone, Debug)]
pub(crate) struct ManifestPlace {
    /// Takes lines while a run is at work.
    open: PathBuf,
    /// Has the lines of a finished run, sorted.
    done: PathBuf,
}

impl ManifestPlace {
    /// Files of the manifest of an output folder, or of a shard in it.
    pub(crate) fn new(output: &Path, shard: Option<Shard>) -> Self {
        let Some(shard) = shard else {
            let path = output.join(manifest::NAME);
            return Self { open: path.clone(), done: path };
        };
        let [open, done] =
            [OPEN, DONE].map(|end| manifests(output).join(format!("{}{end}", shard.name())));
        Self { open, done }
    }

    /// Path of the manifest of a finished run.
    pub(crate) fn path(&self) -> &Path {
        &self.done
    }

    /// Both paths.
    pub(crate) fn paths(&self) -> [&Path; 2] {
        [&self.open, &self.done]
    }

    /// Path of the lines that a run begins with.
    pub(crate) fn current(&self) -> &Path {
        if self.open.exists() { &self.open } else { &self.done }
    }

    /// Reads the lines of earlier runs; none where there were none.
    pub(crate) fn read(&self) -> Result<ManifestLines, BatchError> {
        manifest::read(self.current())
    }

    /// Opens the manifest with these lines.
    pub(crate) fn begin<'a>(
        &self,
        temporary: &Path,
        lines: impl Iterator<Item = &'a ManifestLine>,
    ) -> Result<Manifest, BatchError> {
        self.open.parent().map_or(Ok(()), make_folder)?;
        Manifest::begin(&self.open, temporary, lines)
    }

    /// Writes the manifest of a finished run.
    pub(crate) fn finish<'a>(
        &self,
        temporary: &Path,
        lines: impl Iterator<Item = &'a ManifestLine>,
    ) -> Result<(), BatchError> {
        Manifest::begin(&self.done, temporary, lines)?;
        if self.open != self.done { remove(&self.open) } else { Ok(()) }
    }
}

/// Returns whether a folder holds the manifest of a batch, or those of shards.
pub(crate) fn is_in(folder: &Path) -> bool {
    let has_shards = shard::count_of(folder).is_ok_and(|count| count.is_some());
    has_shards || manifest::is_manifest(&folder.join(manifest::NAME))
}
