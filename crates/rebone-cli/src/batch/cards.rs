//! The cards of a batch: one a kind of skeleton, in the folder `cards`, made once and then kept.
//!
//! `NAME.toml` is the card, `NAME.bvh` or `NAME.glb` the skeleton that it is for, in the first frame of one of its clips:
//! by it the card is found again, and `rebone inspect` shows what the card says. A card with guesses below
//! confidence is `NAME.guess.toml` until a person has looked at it and takes the word out.

use super::fault;
use super::hash;
use super::kinds::{Fingerprint, Kind, Seen};
use super::manifest::Fault;
use crate::engine::{self, OldCard};
use crate::exit_code::Failure;
use crate::interrupt;
use crate::paths;
use anyhow::Context;
use rebone::card::Card;
use rebone::export::write_alone;
use rebone::{Anatomy, Character, CharacterHints, Learner, Selection, read_text};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The folder of the cards, below the output folder.
pub(crate) const FOLDER: &str = "cards";

/// So many files teach a kind at most: those whose hashes are the least, a sample that does not depend on
/// what is called how.
const TEACHERS: usize = 16;

/// A card that is used.
#[derive(Clone, Debug)]
pub(crate) struct Carded {
    /// Its place below the output folder.
    pub(crate) place: String,
    /// The hash of its text.
    pub(crate) hash: String,
    /// What it says.
    pub(crate) known: CharacterHints,
}

/// How the cards of a batch are made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Making<'a> {
    /// The output folder.
    pub(crate) output: &'a Path,
    /// Whether guesses below confidence are used.
    pub(crate) accept_guesses: bool,
    /// Whether cards that are there are made anew; what people wrote in them stays.
    pub(crate) relearn: bool,
    /// Whether nothing is written.
    pub(crate) dry: bool,
}

/// The kinds that have a card already, by its name.
pub(crate) fn kept(output: &Path) -> Result<BTreeMap<String, Fingerprint>, Failure> {
    let mut known = BTreeMap::new();
    let Ok(entries) = fs::read_dir(output.join(FOLDER)) else { return Ok(known) };
    for entry in entries {
        let path = entry.with_context(|| format!("cannot read {FOLDER}"))?.path();
        let name = path.file_stem().and_then(|stem| stem.to_str());
        let is_skeleton = path.extension().is_some_and(|end| end == "bvh" || end == "glb");
        if let (Some(name), true) = (name, is_skeleton && path.is_file()) {
            let help = "remove it, and its card, to make both anew";
            let print =
                Fingerprint::read(&path).map_err(|error| Failure::from(error).with_help(help));
            known.insert(name.to_owned(), print?);
        }
    }
    Ok(known)
}

impl Making<'_> {
    /// Whether a kind has a card that will not be made anew.
    pub(crate) fn keeps(&self, kind: &Kind) -> bool {
        !self.relearn && self.path(kind, "toml").is_file()
    }

    /// The card of a kind: the one that is there, or what its files teach.
    ///
    /// # Errors
    /// When none of its files is understood, or guesses are below confidence.
    pub(crate) fn card(&self, kind: &Kind, files: &[Seen]) -> Result<Carded, Fault> {
        if self.keeps(kind) {
            return self
                .read(kind)
                .map_err(|failure| Fault { kind: fault::CARD.to_owned(), ..fault::of(&failure) });
        }
        let made = interrupt::check().map_err(Failure::from);
        made.and_then(|()| self.make(kind, files)).map_err(|failure| fault::of(&failure))
    }

    fn path(&self, kind: &Kind, end: &str) -> PathBuf {
        self.output.join(FOLDER).join(format!("{}.{end}", kind.name))
    }

    fn read(&self, kind: &Kind) -> Result<Carded, Failure> {
        let path = self.path(kind, "toml");
        let text = read_text(&path, "card")?;
        let known = CharacterHints::read(&path, &Card::default())?;
        Ok(self.carded(kind, &text, known))
    }

    fn carded(&self, kind: &Kind, text: &str, known: CharacterHints) -> Carded {
        let place = format!("{FOLDER}/{}.toml", kind.name);
        Carded { place, hash: hash::of(text.as_bytes()), known }
    }

    fn make(&self, kind: &Kind, files: &[Seen]) -> Result<Carded, Failure> {
        let path = self.path(kind, "toml");
        let old = OldCard::learned(&path)?;
        let known = match &old {
            Some(old) => old.known(&Card::default())?,
            None => CharacterHints::default(),
        };
        let (rig, anatomy) = learn(kind, files, &known)?;
        let text = engine::card_text(&anatomy, &known, None, old.as_ref(), (Some(&path), false))?;
        let doubt = rig
            .check_confidence(&anatomy)
            .map_err(|error| Failure::low_confidence(error, "--source-card"));
        let doubtful = doubt.is_err() && !self.accept_guesses && old.is_none();
        let guess = self.path(kind, "guess.toml");
        if !self.dry {
            let centre = &files[kind.members[0]].path;
            self.write(kind, centre, if doubtful { &guess } else { &path }, &text)?;
        }
        if doubtful && let Err(doubt) = doubt {
            let [guess, path] = [&guess, &path].map(|path| path.display());
            return Err(doubt.with_help(format!(
                "correct {guess}, save it as {path} and run again; or go on with --accept-guesses"
            )));
        }
        if guess.is_file() && !self.dry {
            fs::remove_file(&guess)
                .with_context(|| format!("cannot remove {}", guess.display()))?;
        }
        let card = Card::parse(&text).map_err(anyhow::Error::new)?;
        let known = CharacterHints::new(card, Some(&path), &Card::default())?;
        Ok(self.carded(kind, &text, known))
    }

    /// Writes a card, and the skeleton that stands for its kind, with the first frame of the file at `centre`.
    fn write(&self, kind: &Kind, centre: &Path, path: &Path, text: &str) -> Result<(), Failure> {
        let folder = self.output.join(FOLDER);
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let skeletons = ["bvh", "glb"].map(|end| self.path(kind, end));
        if !skeletons.iter().any(|path| path.is_file()) {
            let first = Character::open_first_frame(centre)?;
            let place = if first.document().is_bvh() { &skeletons[0] } else { &skeletons[1] };
            paths::write(place, |file| Ok(write_alone(&first, file)?))?;
        }
        paths::write(path, |file| Ok(file.write_all(text.as_bytes())?))
    }
}

/// What the files of a kind teach together, and the file that stands for them: the first one that is
/// understood. Files that cannot be read, or are not understood, teach nothing.
fn learn(
    kind: &Kind,
    files: &[Seen],
    known: &CharacterHints,
) -> Result<(Character, Anatomy), Failure> {
    let mut teachers: Vec<&Seen> = kind.members.iter().map(|&k| &files[k]).collect();
    teachers.dedup_by(|a, b| a.hash == b.hash);
    teachers.truncate(TEACHERS);
    let mut first = None;
    for (place, teacher) in teachers.iter().enumerate() {
        match taught(teacher, &teachers[place + 1..], known) {
            Ok(learned) => return Ok(learned),
            Err(failure) => first = first.or(Some(failure)),
        }
    }
    Err(first.unwrap_or_else(|| anyhow::anyhow!("{}: no file", kind.name).into()))
}

/// What one file and others of its kind teach together.
fn taught(
    rig: &Seen,
    others: &[&Seen],
    known: &CharacterHints,
) -> Result<(Character, Anatomy), Failure> {
    let rig = Character::open(&rig.path, Selection::default())?.with_hints(known.clone());
    let hints = known.of(&rig)?;
    let learner = Learner::new(rig.motion(), &hints);
    let Some(mut learner) = learner.ok().filter(|_| !others.is_empty()) else {
        // It is understood by itself, or says why not.
        let anatomy = rig.analyse()?;
        return Ok((rig, anatomy));
    };
    for other in others {
        if let Ok(clip) = Character::open(&other.path, Selection::default()) {
            // One that is not understood teaches nothing.
            let _ = learner.add(clip.motion());
        }
    }
    let anatomy = learner.anatomy().map_err(anyhow::Error::new)?;
    drop(learner);
    Ok((rig, anatomy))
}
