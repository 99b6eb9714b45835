//! Rig cards of a batch: one per rig class, in the folder `cards`, made once and then kept.
//!
//! `NAME.toml` is the card. `NAME.bvh` or `NAME.glb` is its skeleton, in the first frame of one of the class's clips: the
//! card is found again by it, and `rebone inspect` shows it. A card with guesses below confidence is `NAME.guess.toml`
//! until the user has corrected it and removed the word.

use crate::disk::folders::CARDS;
use crate::error::{BatchError, Fault, FaultKind, check, context, remove};
use crate::find::clip_file::ClipFile;
use crate::jobs::request::BatchRequest;
use crate::record::fingerprint::RigFingerprint;
use crate::record::hash::{self, HashCache};
use crate::record::lock::write;
use crate::record::manifest::HashedFile;
use crate::record::result_version::RESULT_VERSION;
use crate::rigs::classes::{RigClass, SurveyedFile};
use rebone::card::{Card, CardFile, RoleEntry};
use rebone::export::write_alone;
use rebone::{Anatomy, Character, CharacterHints, read_text};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Largest number of files that a card is learned from: those with the smallest hashes, a sample that does not depend on
/// names.
const MAX_TRAINING_CLIPS: usize = 16;

/// A card that is used.
#[derive(Clone, Debug)]
pub(crate) struct RigCard {
    /// Path below the output folder, with `/`.
    pub(crate) path: String,
    /// Hash of its text.
    pub(crate) hash: String,
    /// Other files that it depends on: those of the calibration pose that it names.
    pub(crate) beside: Vec<HashedFile>,
    /// Its statements.
    pub(crate) hints: CharacterHints,
}

/// Options for the cards of a batch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CardOptions<'a> {
    /// The output folder.
    pub(crate) output: &'a Path,
    /// Uses guesses below confidence.
    pub(crate) accept_guesses: bool,
    /// Computes existing cards anew; the user's entries stay.
    pub(crate) relearn: bool,
    /// Makes no cards.
    pub(crate) is_frozen: bool,
    /// Writes nothing.
    pub(crate) dry_run: bool,
    /// Flag that stops the work.
    pub(crate) stop: &'a AtomicBool,
}

/// Skeletons in the folder of cards, by their names: those with a card, and all others, which may be poses of the user.
type KnownSkeletons = (BTreeMap<String, RigFingerprint>, BTreeMap<String, Option<RigFingerprint>>);

/// Features of the skeleton of a file.
fn fingerprint(path: &Path) -> Result<RigFingerprint, BatchError> {
    Ok(ClipFile { path, place: None, character: None }.first_look()?.0)
}

/// Reads the skeletons in the folder of cards.
pub(crate) fn known_classes(output: &Path) -> Result<KnownSkeletons, BatchError> {
    let (mut known, mut others) = (BTreeMap::new(), BTreeMap::new());
    let Ok(entries) = fs::read_dir(output.join(CARDS)) else { return Ok((known, others)) };
    for entry in entries {
        let path = context(entry, || format!("cannot read {CARDS}"))?.path();
        let name = path.file_stem().and_then(|stem| stem.to_str());
        let is_skeleton = path.extension().is_some_and(|end| end == "bvh" || end == "glb");
        if let (Some(name), true) = (name, is_skeleton && path.is_file()) {
            let help = || format!("{}: remove it and its card to make both anew", path.display());
            match path.with_file_name(format!("{name}.toml")).is_file() {
                true => {
                    known.insert(name.to_owned(), context(fingerprint(&path), help)?);
                }
                false => {
                    others.insert(name.to_owned(), fingerprint(&path).ok());
                }
            }
        }
    }
    Ok((known, others))
}

impl<'a> CardOptions<'a> {
    /// Options of a batch.
    pub(crate) fn new(request: &'a BatchRequest, dry_run: bool, stop: &'a AtomicBool) -> Self {
        Self {
            output: &request.output,
            accept_guesses: request.options.accept_guesses,
            relearn: request.relearn,
            is_frozen: request.shard.is_some(),
            dry_run,
            stop,
        }
    }

    /// Returns true for a rig class with a card that will not be computed anew. One with generated entries will if they are
    /// of another version, or name joints that the class has not, as of a rig that was saved while it was read.
    pub(crate) fn keeps(&self, class: &RigClass, files: &[SurveyedFile]) -> bool {
        !self.relearn
            && self.path(class, "toml").is_file()
            && !self.is_old(class)
            && !self.is_of_others(class, files).unwrap_or_default()
    }

    /// Returns whether a batch of another version made a card with generated entries.
    fn is_old(&self, class: &RigClass) -> bool {
        let text = read_text(&self.path(class, "toml"), "card").unwrap_or_default();
        let has_generated = Card::parse(&text).is_ok_and(|card| !card.generated.is_empty());
        let mut versions = text.lines().filter(|line| line.starts_with(VERSION_MARK));
        has_generated && versions.any(|line| line != version_line())
    }

    /// Returns whether generated roles of a card do not fit its rig class; an error where one cannot be read.
    fn is_of_others(&self, class: &RigClass, files: &[SurveyedFile]) -> Result<bool, BatchError> {
        let card = Card::parse(&read_text(&self.path(class, "toml"), "card")?);
        let card =
            card.map_err(|error| rebone::CharacterError::card(&self.path(class, "toml"), error))?;
        let mut generated = Card { roles: card.roles.clone(), ..Card::default() };
        let key = |own: &RoleEntry| format!("roles.{}", own.role.name());
        generated.roles.retain(|own| card.generated.contains_key(&key(own)));
        let first = files[class.members[0]].open_first_frame()?;
        Ok(generated.resolve_roles(first.skeleton()).is_err())
    }

    /// Reads the card of a rig class, or learns it from the class's files.
    ///
    /// # Errors
    /// When none of its files is recognised, or guesses are below confidence.
    pub(crate) fn card(&self, class: &RigClass, files: &[SurveyedFile]) -> Result<RigCard, Fault> {
        if self.is_frozen || self.keeps(class, files) {
            let of_card = |error| Fault { kind: FaultKind::Card, ..Fault::of(&error) };
            return self.read(class).map_err(of_card);
        }
        let made = check(self.stop).and_then(|()| self.make(class, files));
        made.map_err(|error| Fault::of(&error))
    }

    fn path(&self, class: &RigClass, extension: &str) -> PathBuf {
        self.output.join(CARDS).join(format!("{}.{extension}", class.name))
    }

    fn read(&self, class: &RigClass) -> Result<RigCard, BatchError> {
        let path = self.path(class, "toml");
        let text = read_text(&path, "card")?;
        self.rig_card(class, &text)
    }

    fn rig_card(&self, class: &RigClass, text: &str) -> Result<RigCard, BatchError> {
        let path = self.path(class, "toml");
        let card = Card::parse(text).map_err(|error| rebone::CharacterError::card(&path, error))?;
        let hints = CharacterHints::new(card, Some(&path), &Card::default())?;
        let hash = hash::of(text.as_bytes());
        // A pose that cannot be read fails with each clip.
        let read = hints.files_read().unwrap_or_else(|_| hints.files().collect());
        let hashes = HashCache::default();
        let beside = read.iter().filter(|file| **file != path).map(|file| hashes.of(file));
        let beside = beside.collect();
        Ok(RigCard { path: format!("{CARDS}/{}.toml", class.name), hash, beside, hints })
    }

    fn make(&self, class: &RigClass, files: &[SurveyedFile]) -> Result<RigCard, BatchError> {
        let [path, guess] = ["toml", "guess.toml"].map(|end| self.path(class, end));
        let old = if path.is_file() { Some(CardFile::read(&path)?) } else { None };
        // Of a card of another rig nothing stays but what the user states.
        let is_own = self.relearn || path.is_file() && self.is_old(class);
        let old = old.filter(|old| is_own || old.user_entries() != Card::default());
        let entries = old.as_ref().map(CardFile::user_entries).unwrap_or_default();
        let card_path = old.as_ref().and_then(CardFile::path);
        let hints = CharacterHints::new(entries, card_path, &Card::default())?;
        let sample = sample(class, files);
        let (rig, anatomy) = learn(&class.name, &sample, &hints)?;
        let skeleton = self.new_skeleton(class, sample[0])?;
        // The card and the skeleton of other bytes would stay.
        sample.iter().try_for_each(|file| file.check_unchanged())?;
        let card = hints.card_of(&anatomy, Some(&path), false)?;
        let text = old.as_ref().map_or_else(|| Ok(card.to_toml()), |old| old.update(&card));
        let text = with_version(&text.map_err(|error| rebone::CharacterError::card(&path, error))?);
        let doubt = rig.check_confidence(&anatomy).err();
        let doubt = doubt.filter(|_| !self.accept_guesses && old.is_none());
        // A guess that the user edited is not overwritten.
        let is_corrected = guess.is_file() && !is_own_guess(&guess);
        let keeps_guess = doubt.is_some() && is_corrected;
        if !self.dry_run && !keeps_guess {
            let (written, text) = match doubt.is_some() {
                true => (&guess, signed_guess(&text)),
                false => (&path, text.clone()),
            };
            skeleton.map_or(Ok(()), |(path, bytes)| write(&path, &bytes))?;
            write(written, text.as_bytes())?;
        }
        if let Some(doubt) = doubt {
            let step = if is_corrected { "you corrected" } else { "correct" };
            let message = format!(
                "{doubt}; {step} {}, save it as {} and run again; or go on with --accept-guesses",
                guess.display(),
                path.display()
            );
            return Err(BatchError::Fault(Fault { kind: FaultKind::LowConfidence, message }));
        }
        if !self.dry_run && is_own_guess(&guess) {
            remove(&guess)?;
        }
        self.rig_card(class, &text)
    }

    /// Makes the skeleton of a class without one, with the first frame of the file in its centre.
    fn new_skeleton(
        &self,
        class: &RigClass,
        centre: &SurveyedFile,
    ) -> Result<Option<(PathBuf, Vec<u8>)>, BatchError> {
        let [bvh, glb] = ["bvh", "glb"].map(|end| self.path(class, end));
        if self.dry_run || bvh.is_file() || glb.is_file() {
            return Ok(None);
        }
        let first = centre.open_first_frame()?;
        if RigFingerprint::new(first.skeleton(), first.clip()) != *centre.fingerprint {
            return Err(hash::changed(&centre.path));
        }
        let mut bytes = Vec::new();
        write_alone(&first, &mut bytes)?;
        Ok(Some((if first.document().hierarchy().is_some() { bvh } else { glb }, bytes)))
    }
}

/// Begins the line with the version of a card's generated entries.
const VERSION_MARK: &str = "# results of version ";

fn version_line() -> String {
    format!("{VERSION_MARK}{RESULT_VERSION}")
}

/// Puts the version of the program behind a card, in place of another.
fn with_version(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with(VERSION_MARK));
    let lines: String = lines.flat_map(|line| [line, "\n"]).collect();
    lines + &version_line() + "\n"
}

/// Begins the last line of a guess; the hash of all above it follows.
const GUESS_MARK: &str = "# guess ";

/// Adds the line by which a guess is known that nobody has changed.
fn signed_guess(text: &str) -> String {
    format!("{text}{GUESS_MARK}{}\n", hash::of(text.as_bytes()))
}

/// Returns whether a guess is as a batch wrote it.
fn is_own_guess(path: &Path) -> bool {
    if !path.is_file() {
        return false;
    }
    let text = fs::read_to_string(path).unwrap_or_default();
    let own = text.rfind(GUESS_MARK).map(|end| signed_guess(&text[..end]));
    own.is_some_and(|own| own == text)
}

/// The files of a rig class that its card is learned from.
fn sample<'a>(class: &RigClass, files: &'a [SurveyedFile]) -> Vec<&'a SurveyedFile> {
    let mut clips: Vec<&SurveyedFile> = class.members.iter().map(|&k| &files[k]).collect();
    clips.dedup_by(|a, b| a.hash == b.hash);
    clips.truncate(MAX_TRAINING_CLIPS);
    clips
}

/// Learns an anatomy from files of a rig class, for the first that is recognised. Files that cannot be read or recognised
/// add nothing.
fn learn(
    name: &str,
    clips: &[&SurveyedFile],
    hints: &CharacterHints,
) -> Result<(Character, Anatomy), BatchError> {
    let mut first = None;
    for (index, rig) in clips.iter().enumerate() {
        match train(rig, &clips[index + 1..], hints) {
            Ok(learned) => return Ok(learned),
            Err(error) => first = first.or(Some(error)),
        }
    }
    Err(first.unwrap_or_else(|| BatchError::Input(format!("{name}: no file"))))
}

/// Learns an anatomy from one file and others of its class; those that are not recognised add nothing.
fn train(
    rig: &SurveyedFile,
    others: &[&SurveyedFile],
    known: &CharacterHints,
) -> Result<(Character, Anatomy), BatchError> {
    let rig = rig.open()?.with_hints(known.clone());
    let clips = others.iter().filter_map(|other| other.open().ok()).map(Ok);
    let anatomy = match others.is_empty() {
        true => rig.analyse(),
        false => rig.learn(clips, drop),
    };
    let anatomy = match anatomy {
        Err(error) if error.is_pose_given() => rig.analyse(),
        learned => learned,
    };
    Ok((rig, anatomy?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    /// A file that is saved between its survey and its reading, with another skeleton and with another motion.
    #[test]
    fn no_card_is_learned_from_bytes_that_were_not_surveyed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hero.bvh");
        let [a, b] = ["toy-a-pose", "one-spine"].map(|name| {
            fs::read(format!("{}/../../data/rigs/{name}.bvh", env!("CARGO_MANIFEST_DIR"))).unwrap()
        });
        let moved = [&a[..], b" "].concat();
        fs::write(&path, &a).unwrap();
        let file = SurveyedFile {
            place: None,
            character: Default::default(),
            hash: hash::of(&a),
            beside: Vec::new(),
            fingerprint: Arc::new(fingerprint(&path).unwrap()),
            path: path.clone(),
        };
        let stop = AtomicBool::new(false);
        let output = folder.path().join("out");
        let options = CardOptions {
            output: &output,
            accept_guesses: true,
            relearn: false,
            is_frozen: false,
            dry_run: false,
            stop: &stop,
        };
        let class = RigClass { name: "hero".to_owned(), members: vec![0] };
        for other in [b, moved] {
            fs::write(&path, other).unwrap();
            let fault = options.card(&class, std::slice::from_ref(&file)).unwrap_err();
            assert!(fault.message.contains("hero.bvh changed while it was read"), "{fault:?}");
            assert!(!output.join(CARDS).exists());
        }
        fs::write(&path, a).unwrap();
        options.card(&class, &[file]).unwrap();
    }
}
