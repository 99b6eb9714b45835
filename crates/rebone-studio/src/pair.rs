//! Both files with their cards, analysed and planned.

use crate::answer::Failure;
use crate::request::{Document, Side};
use crate::solved::Solved;
use rebone::card::Card;
use rebone::skeleton::Pose;
use rebone::{
    AnalysedPair, Anatomy, Character, CharacterHints, Options, Plan, RetargetJob, Retargeter,
    analyse_characters, contacts, parse_map,
};
use std::path::Path;

/// Both files, prepared to be retargeted by a document.
#[derive(Debug)]
pub(crate) struct Pair {
    /// The document it was made of.
    pub(crate) document: Document,
    /// The analysis.
    pub(crate) analysed: AnalysedPair,
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
        let analysed = match before.filter(|pair| pair.has_same_analysis(document)) {
            Some(before) => before.analysed,
            None => analyse_both([&source, &target], document)?,
        };
        let options = Options { accept_guesses: true, ..document.options.clone() };
        let mut job = RetargetJob::new([source, target], &analysed, &options)?;
        if !document.contacts.trim().is_empty() {
            let contacts = contacts::parse(&document.contacts).map_err(|error| {
                Failure::new(format!("contacts:{}: {}", error.line, error.message))
            })?;
            job.set_contacts(contacts, Path::new("contacts"));
        }
        let retargeter = Retargeter::new(job.plan().clone());
        let retargeter = retargeter.map_err(|error| Failure::new(rebone::error_line(&error)))?;
        Ok(Self { document: document.clone(), analysed, job, retargeter, solved: None })
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

fn analyse_both(files: [&Character; 2], document: &Document) -> Result<AnalysedPair, Failure> {
    let pairs = match document.map.trim() {
        "" => Vec::new(),
        _ => parse_map(Path::new("map"), &document.map, files)?,
    };
    analyse_characters(files, &pairs, None).map_err(|error| faulty_side(files, error))
}

/// Finds the side that alone cannot be analysed either.
fn faulty_side(files: [&Character; 2], error: rebone::CharacterError) -> Failure {
    let sides = [Side::Source, Side::Target];
    let faulty = sides.into_iter().find(|side| files[side.index()].analyse().is_err());
    Failure { side: faulty, ..Failure::from(error) }
}
