//! Files of a manifest: checked against its hashes, and opened for a comparison.

use crate::disk::place::is_below;
use crate::error::BatchError;
use crate::find::inputs::is_motion_name;
use crate::record::hash::HashCache;
use crate::record::manifest::{FilePart, ManifestLine, Provenance, ResultQuality};
use crate::rigs::cache::{KnownRig, RigCache};
use rebone::card::Card;
use rebone::skeleton::Format;
use rebone::{Character, CharacterHints, ComparedPair, LoopRange, Pair, Selection, clip_of_result};
use std::fs;
use std::path::{Path, PathBuf};

/// Why a line of an old manifest is not read.
const NO_HASHES: &str = "the manifest has no hashes of it: not read";

/// Files that the manifest of a batch names, each hashed once, and each rig read once.
#[derive(Debug, Default)]
pub struct ManifestFiles {
    /// The output folder.
    folder: PathBuf,
    hashes: HashCache,
    rigs: RigCache,
}

impl ManifestFiles {
    /// Files of the batch whose output folder this is.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), ..Self::default() }
    }

    /// Checks that all files of a line are those of the batch, unchanged.
    ///
    /// A result and its cards lie in the output folder. All other files lie in the current folder or in the one around
    /// the output folder, or are named as motion files. No file is read but for its hash.
    ///
    /// # Errors
    /// When a file may not be read, is missing, or changed since the batch; the message names it.
    pub fn check(&self, line: &ManifestLine) -> Result<(), String> {
        if let Some(tar) = &line.tar {
            let tar = tar.path.display();
            return Err(format!("the result is in {tar}, and tars are not read back: unpack it"));
        }
        let from = line.from.as_ref().ok_or(NO_HASHES)?;
        let below = self.below(line)?;
        let given = self.given(line, from)?;
        let result = line.output.as_deref().map(|name| self.folder.join(name));
        let (mut changed, mut help) = (Vec::new(), "run the batch again");
        for (path, hash) in below.into_iter().chain(given) {
            let found = self.hashes.of(&path).hash;
            if found.is_empty() {
                return Err(format!("{} is missing or cannot be read", path.display()));
            }
            if hash.is_some_and(|hash| *hash != found) {
                changed.push(path.display().to_string());
                if result.as_ref() == Some(&path) {
                    help = "`batch --overwrite` makes it again";
                }
            }
        }
        match changed.is_empty() {
            true => Ok(()),
            false => Err(format!("changed since the batch: {}; {help}", changed.join(", "))),
        }
    }

    /// All files that a line names: clip and rig, the files beside them, the result and its cards.
    pub fn paths(&self, line: &ManifestLine) -> Vec<PathBuf> {
        let given = [&line.input].into_iter().chain(&line.target);
        let beside = line.from.iter().flat_map(|from| &from.beside).map(|file| &file.path);
        let made = made(line).map(|(name, _)| self.folder.join(name));
        given.chain(beside).cloned().chain(made).collect()
    }

    /// Checks that a file that a card names is one that the batch read.
    ///
    /// # Errors
    /// When it is none.
    fn check_pose(&self, line: &ManifestLine, pose: &Path) -> Result<(), String> {
        self.check_place(pose)?;
        let known = line.from.iter().flat_map(|from| &from.beside);
        let hash = self.hashes.of(pose).hash;
        match known.map(|file| &file.hash).any(|own| *own == hash) {
            true => Ok(()),
            false => Err(format!("{} is no file of the batch: not read", pose.display())),
        }
    }

    /// Opens clip and result of a line to compare them; the result is looked at on its rig, whatever its file holds of it.
    ///
    /// # Errors
    /// As [`check`](Self::check); when a file cannot be read or analysed, or the result has another number of frames.
    pub fn open(&self, line: &ManifestLine) -> Result<ComparedPair, BatchError> {
        self.check(line).map_err(BatchError::Input)?;
        let from = line.from.as_ref().ok_or_else(|| BatchError::Input(NO_HASHES.to_owned()))?;
        let clip = line.part.as_ref().map(FilePart::selector);
        let selection = Selection { clip, character: from.source_character.selector() };
        let source = Character::open(&line.input, selection)?
            .with_hints(self.hints(line, &from.source_card)?);
        let path = self.folder.join(line.output.as_deref().unwrap_or(Path::new("")));
        if Format::of_name(&path) == Ok(Format::Npz) {
            let path = path.display();
            let message = format!("{path}: arrays are not read back: its grade is in the manifest");
            return Err(BatchError::Input(message));
        }
        // The rig's file may hold more animations.
        let (_, name) = clip_of_result(&path, &source)?;
        let clip = name.as_deref().map(Into::into);
        let selection = Selection { clip, character: from.target_character.selector() };
        // A result of joints alone has no other character.
        let result = Character::open(&path, selection)
            .or_else(|_| Character::open(&path, Selection { clip, character: None }))?;
        let done = line.result.as_ref();
        let (path, found) = (path.display(), result.clip().len());
        if let Some(frames) = done.map(|done| done.frames).filter(|frames| *frames != found) {
            return Err(BatchError::Input(format!(
                "{path}: found {found} frames, expected {frames}: it is not what the batch made"
            )));
        }
        let rig = self.open_rig(line)?;
        let (rig, anatomy) = &*rig;
        let anatomies = [source.analyse()?, anatomy.clone()];
        let first = done.map_or(0, |done| done.first);
        let (frames, cycle) = match done.filter(|done| done.seam.is_some()) {
            Some(done) => ((0, None), Some(cycle(&source, &result, done))),
            None => ((first, Some(end(&source, &result, first))), None),
        };
        Ok(Pair::of([source, rig.clone()], anatomies).compare(&result, frames, cycle)?)
    }

    /// Opens and analyses the rig of a line.
    fn open_rig(&self, line: &ManifestLine) -> Result<KnownRig, BatchError> {
        let parts = line.target.as_ref().zip(line.from.as_ref());
        let (rig, from) = parts.ok_or_else(|| BatchError::Input(NO_HASHES.to_owned()))?;
        let hints = self.hints(line, &from.target_card)?;
        let key = (rig.clone(), from.target_card.clone(), from.target_character.clone());
        self.rigs.get(key, || {
            let selection = Selection { clip: None, character: from.target_character.selector() };
            let rig = Character::open(rig, selection)?.with_hints(hints);
            let anatomy = rig.analyse()?;
            Ok((rig, anatomy))
        })
    }

    /// Statements of a card; its pose must be a file of the batch.
    fn hints(&self, line: &ManifestLine, card: &str) -> Result<CharacterHints, BatchError> {
        let hints = CharacterHints::read(&self.folder.join(card), &Card::default())?;
        let pose = hints.pose_file().map_or(Ok(()), |pose| self.check_pose(line, pose));
        pose.map_err(BatchError::Input)?;
        Ok(hints)
    }

    /// The result and its cards, with their hashes.
    fn below<'a>(
        &self,
        line: &'a ManifestLine,
    ) -> Result<Vec<(PathBuf, Option<&'a String>)>, String> {
        let path = |(name, hash): (&Path, _)| match is_below(&self.folder, name) {
            true => Ok((self.folder.join(name), hash)),
            false => Err(format!("{} is outside the output folder: not read", name.display())),
        };
        made(line).map(path).collect()
    }

    /// Clip, rig and the files beside them, with their hashes.
    fn given<'a>(
        &self,
        line: &'a ManifestLine,
        from: &'a Provenance,
    ) -> Result<Vec<(PathBuf, Option<&'a String>)>, String> {
        let own = [(Some(&line.input), &from.clip), (line.target.as_ref(), &from.rig)];
        let own = own.into_iter().filter_map(|(path, hash)| Some((path?.clone(), hash)));
        let own: Vec<(PathBuf, &String)> = own.collect();
        own.iter().try_for_each(|(path, _)| self.check_place(path))?;
        let folders: Vec<&Path> = own.iter().filter_map(|(path, _)| path.parent()).collect();
        for file in &from.beside {
            let path = &file.path;
            let is_beside = folders
                .iter()
                .any(|folder| path.strip_prefix(folder).is_ok_and(|name| is_below(folder, name)));
            if !is_beside {
                self.check_place(path)?;
            }
        }
        let beside = from.beside.iter().map(|file| (file.path.clone(), Some(&file.hash)));
        Ok(own.into_iter().map(|(path, hash)| (path, Some(hash))).chain(beside).collect())
    }

    fn check_place(&self, path: &Path) -> Result<(), String> {
        let place = fs::canonicalize(path)
            .map_err(|_| format!("{} is missing or cannot be read", path.display()))?;
        let around = fs::canonicalize(self.folder.join("..")).ok();
        let current = fs::canonicalize(".").ok();
        let mut folders = [around, current].into_iter().flatten();
        // A folder at the root of the disk has everything around it.
        let is_inside =
            folders.any(|folder| folder.parent().is_some() && place.starts_with(&folder));
        match place.is_file() && (is_inside || is_motion_name(&place)) {
            true => Ok(()),
            false => {
                Err(format!("{} is outside the folders of the batch: not read", path.display()))
            }
        }
    }
}

/// The cycle of a source that a result is, by frames of the source's file.
fn cycle(source: &Character, result: &Character, done: &ResultQuality) -> LoopRange {
    let frames = result.clip().len().saturating_sub(1) as f64;
    // Frames of the cycle are counted at the rate of the result.
    let ratio = source.clip().frame_time / result.clip().frame_time;
    let last = ((done.first as f64 * ratio).round() + frames) / ratio;
    LoopRange::Frames { first: done.first, last: last.round() as usize }
}

/// The frame of a source after the last that a result was made of.
fn end(source: &Character, result: &Character, first: usize) -> usize {
    let frames = result.clip().len().saturating_sub(1) as f64;
    let ratio = result.clip().frame_time / source.clip().frame_time;
    let steps = (frames * ratio).round() as usize;
    (first + steps + 1).clamp(first + 1, source.clip().len().max(first + 1))
}

/// The names of a result and its cards in the output folder, with their hashes.
fn made(line: &ManifestLine) -> impl Iterator<Item = (&Path, Option<&String>)> {
    let result = line.output.iter().map(|name| (name.as_path(), line.file.as_ref()));
    let cards = line.from.iter().flat_map(|from| {
        [(&from.source_card, &from.source_card_hash), (&from.target_card, &from.target_card_hash)]
    });
    result.chain(cards.map(|(card, hash)| (Path::new(card), Some(hash))))
}
