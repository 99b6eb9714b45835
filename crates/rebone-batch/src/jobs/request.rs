//! The request for a batch, and the progress that it reports.

use crate::disk::folders::TEMPORARY;
use crate::find::inputs::Input;
use crate::jobs::names::NameTemplate;
use crate::record::manifest::ManifestLine;
use crate::record::manifest_place::ManifestPlace;
use crate::record::shard::Shard;
use rebone::Report;
use rebone::skeleton::{AtomicFile, Clip, Format};
use rebone::{CharacterChoice, Options, RetargetJob};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// A batch: clips, rigs, the output folder and options.
#[derive(Clone, Debug)]
pub struct BatchRequest {
    /// Files, folders, patterns and lists of clips.
    pub inputs: Vec<Input>,
    /// Files of the rigs to animate.
    pub targets: Vec<PathBuf>,
    /// Folder for results, cards and the manifest; made if it does not exist.
    pub output: PathBuf,
    /// Names of results. Default: `{stem}`, with more than one rig `{stem}-{target}`.
    pub name: Option<NameTemplate>,
    /// Format of results. Default: the rig's, where it is written.
    pub format: Option<Format>,
    /// TOML file with other options for some of the clips.
    pub rules: Option<PathBuf>,
    /// Options of each retarget.
    pub options: Options,
    /// Character of the clips' files, where they have several.
    pub source_character: CharacterChoice,
    /// Character of the rigs' files, where they have several.
    pub target_character: CharacterChoice,
    /// Merges all results for a rig into one file.
    pub one_file: bool,
    /// Pictures of the results, where wanted.
    pub pictures: Option<Pictures>,
    /// Number of threads; fewer where not all can be started. Default: those of the caller.
    pub threads: Option<NonZeroUsize>,
    /// Removes what earlier runs made and this one does not speak of: results, pictures, merged animations.
    pub prune: bool,
    /// Replaces files in the output folder that no run there made.
    pub overwrite: bool,
    /// Makes results that are up to date again.
    pub force: bool,
    /// Computes existing cards anew; the user's entries stay.
    pub relearn: bool,
    /// Makes the results of one shard, with the cards that are there. Default: those of all clips.
    pub shard: Option<Shard>,
}

impl BatchRequest {
    /// Files of the manifest.
    pub(crate) fn manifest(&self) -> ManifestPlace {
        ManifestPlace::new(&self.output, self.shard)
    }

    /// A batch with default options.
    pub fn new(inputs: Vec<Input>, targets: Vec<PathBuf>, output: impl Into<PathBuf>) -> Self {
        Self {
            inputs,
            targets,
            output: output.into(),
            name: None,
            format: None,
            rules: None,
            options: Options::default(),
            source_character: CharacterChoice::default(),
            target_character: CharacterChoice::default(),
            one_file: false,
            pictures: None,
            threads: None,
            prune: false,
            overwrite: false,
            force: false,
            relearn: false,
            shard: None,
        }
    }
}

/// Pictures of results: PNGs in the folders of the results.
#[derive(Clone, Debug)]
pub struct Pictures {
    /// Their folder.
    pub folder: PathBuf,
    /// Draws the picture of a result with its report, written at a path: the bytes of a PNG.
    pub draw: fn(&RetargetJob, &Clip, &Report, &Path) -> Vec<u8>,
}

impl Pictures {
    /// Path of the picture of a result, whose path is below the output folder.
    pub(crate) fn path(&self, result: &Path) -> PathBuf {
        self.folder.join(result).with_extension("png")
    }

    /// Hidden folder of pictures that are not complete yet, of a batch or a shard.
    pub(crate) fn temporary(&self, shard: Option<Shard>) -> PathBuf {
        let folder = self.folder.join(TEMPORARY);
        shard.map_or(folder.clone(), |shard| folder.join(shard.name()))
    }

    /// Removes incomplete pictures, also those of killed runs. Best effort: the next run does the rest.
    pub(crate) fn clean(&self, shard: Option<Shard>) {
        let folder = self.temporary(shard);
        AtomicFile::remove_all_leftovers(&folder);
        let folders = folder.ancestors().take(1 + usize::from(shard.is_some()));
        folders.for_each(|folder| drop(std::fs::remove_dir(folder)));
    }
}

/// Callback for progress.
pub(crate) type Watch<'a> = dyn FnMut(Progress<'_>) + Send + 'a;

/// Progress of a batch.
#[derive(Debug)]
pub enum Progress<'a> {
    /// Something that the caller may not expect: a folder that is left out, a result that is replaced.
    Note(&'a str),
    /// A rule holds for no clip, or on no rig: a sentence that says so.
    UnusedRule(&'a str),
    /// Clips and rigs are known, work begins.
    Begin {
        /// Number of results to make.
        results: usize,
        /// Bytes of their clips.
        bytes: u64,
        /// Why other results cannot be made, each reason once.
        faults: Vec<&'a str>,
    },
    /// A result was made, or failed.
    Result {
        /// Its line of the manifest.
        line: &'a ManifestLine,
        /// Bytes of its clip.
        bytes: u64,
    },
}
