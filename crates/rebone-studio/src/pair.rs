//! Both files with their cards, analysed and planned.

use crate::answer::Failure;
use crate::request::{Document, Side};
use crate::solved::Solved;
use rebone::card::Card;
use rebone::skeleton::Pose;
use rebone::{
    Anatomy, Character, CharacterError, CharacterHints, Options, Plan, RetargetJob, Retargeter,
};
use std::path::Path;

/// Both files, prepared to be retargeted by a document.
#[derive(Debug)]
pub(crate) struct Pair {
    /// The document it was made of.
    pub(crate) document: Document,
    /// Both files, analysed.
    pub(crate) files: rebone::Pair,
    pub(crate) job: RetargetJob,
    retargeter: Retargeter,
    /// The clip, once it is solved.
    pub(crate) solved: Option<Solved>,
}

/// Gives a character the card of a document.
pub(crate) fn with_card(
    side: Side,
    character: &Character,
    document: &Document,
) -> Result<Character, Failure> {
    let card = Card::parse(document.cards.of(side));
    let card = card.map_err(|error| Failure::of_card(side, &error))?;
    let hints = CharacterHints::new(card, None, &Card::default());
    let hints = hints.map_err(|error| Failure::of_side(side, error))?;
    Ok(character.clone().with_hints(hints))
}

/// Analyses one file alone.
pub(crate) fn analyse(side: Side, character: &Character) -> Result<Anatomy, Failure> {
    character.analyse().map_err(|error| Failure::of_side(side, error))
}

impl Pair {
    /// Analyses both files and prepares the retarget. Guesses below confidence are used: the page tells them as doubts. `before` is the
    /// earlier pair of the same files: its analysis is used again if cards and map are the same.
    pub(crate) fn new(
        files: [&Character; 2],
        document: &Document,
        before: Option<Self>,
    ) -> Result<Self, Failure> {
        let source = with_card(Side::Source, files[0], document)?;
        let target = with_card(Side::Target, files[1], document)?;
        // The analysis, with the surfaces that are fitted so far, depends on cards and map only.
        let files = match before.filter(|pair| pair.has_same_analysis(document)) {
            Some(Self { files: rebone::Pair { analysed, .. }, .. }) => {
                rebone::Pair { characters: [source, target], analysed }
            }
            None => analyse_both([source, target], document)?,
        };
        let options = Options { accept_guesses: true, ..document.options.clone() };
        let mut job = files.job(&options)?;
        if !document.contacts.trim().is_empty() {
            job.set_contacts(&document.contacts, Path::new("contacts"))?;
        }
        let retargeter = Retargeter::new(job.plan().clone());
        let retargeter = retargeter.map_err(|error| Failure::new(rebone::error_line(&error)))?;
        Ok(Self { document: document.clone(), files, job, retargeter, solved: None })
    }

    fn has_same_analysis(&self, document: &Document) -> bool {
        self.document.cards == document.cards && self.document.map == document.map
    }

    pub(crate) fn plan(&self) -> &Plan {
        self.job.plan()
    }

    /// The rotation of the result about the vertical against the source, radians, and the rise of the source onto the result's
    /// floor, metres; 0 before the clip is solved.
    pub(crate) fn offsets(&self) -> (f64, f64) {
        self.solved.as_ref().map_or((0.0, 0.0), Solved::offsets)
    }

    /// A pose of the source; `None` beyond the frames that are used.
    pub(crate) fn source_pose(&self, frame: usize) -> Option<Pose> {
        self.job.source().clip().pose(frame.checked_add(self.job.dropped_frames())?)
    }

    /// Retargets one frame, without contacts; `None` where the clip has no such frame.
    pub(crate) fn frame(&mut self, frame: usize) -> Option<Pose> {
        let source = self.source_pose(frame)?;
        let mut pose = self.plan().target.skeleton.rest_pose();
        self.retargeter.frame(&source, &mut pose).ok()?;
        Some(pose)
    }
}

fn analyse_both(files: [Character; 2], document: &Document) -> Result<rebone::Pair, Failure> {
    let map = Some(document.map.as_str()).filter(|map| !map.trim().is_empty());
    let pair = rebone::Pair::new(files.clone(), map.map(|map| (Path::new("map"), map)));
    pair.map_err(|error| match error {
        CharacterError::Map { .. } => error.into(),
        error => faulty_side(files.each_ref(), error),
    })
}

/// Finds the side that alone cannot be analysed either.
fn faulty_side(files: [&Character; 2], error: CharacterError) -> Failure {
    let sides = [Side::Source, Side::Target];
    let faulty = sides.into_iter().find(|side| files[side.index()].analyse().is_err());
    Failure { side: faulty, ..Failure::from(error) }
}
