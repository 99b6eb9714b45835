//! Roles, calibration and doubts of the files that are open.

use super::Studio;
use crate::answer::{Answer, Failure};
use crate::doubts::doubts;
use crate::edit::{turns, without_turns};
use crate::pair::{analyse, with_card};
use crate::request::{Document, Side};
use crate::summary::{CharacterSummary, JointSummary};
use rebone::body::Role;
use rebone::card::Card;
use rebone::{Anatomy, Character, CharacterHints};
use serde_json::{Value, json};

impl Studio {
    /// The anatomy of a file by its card without turns: the frames in which turns are typed and shown.
    pub(super) fn plain_anatomy(&mut self, side: Side, document: &Document) -> Option<&Anatomy> {
        let text = without_turns(document.cards.of(side));
        let known = &self.plain[side.index()];
        if known.as_ref().is_none_or(|(own, _)| *own != text) {
            self.plain[side.index()] = None;
            let card = Card::parse(&text).ok()?;
            let hints = CharacterHints::new(card, None, &Card::default()).ok()?;
            let anatomy = self.file(side).ok()?.clone().with_hints(hints).analyse().ok()?;
            self.plain[side.index()] = Some((text, anatomy));
        }
        self.plain[side.index()].as_ref().map(|(_, anatomy)| anatomy)
    }

    /// The turns that a person states in a card, by joint.
    fn turns(&mut self, side: Side, document: &Document) -> Vec<(usize, [f64; 3])> {
        let text = document.cards.of(side);
        if !text.contains("pose") {
            return Vec::new();
        }
        self.plain_anatomy(side, document).map_or(Vec::new(), |anatomy| turns(text, anatomy))
    }

    pub(super) fn understand(&mut self, document: &Document) -> Result<Answer, Failure> {
        let is_pair = self.files.iter().all(Option::is_some);
        let error = if is_pair { self.pair(document).err() } else { None };
        let mut summaries = [None, None];
        let mut sides = json!({});
        for side in [Side::Source, Side::Target] {
            let Some(file) = &self.files[side.index()] else { continue };
            let file = with_card(side, file, document)?;
            let (fields, summary) = self.side(side, &file, document);
            sides[side.name()] = fields;
            summaries[side.index()] = summary;
        }
        let lists = Role::all().into_iter().filter(|role| role.is_list()).map(Role::name);
        let fields = json!({
            "sides": sides,
            "list_roles": lists.collect::<Vec<_>>(),
            "doubts": doubts(summaries.each_ref().map(Option::as_ref)),
            "warnings": self.pair.as_ref().map(|pair| &pair.files.analysed.warnings),
            "error": error.as_ref().map(Failure::fields),
            "path_scale": self.pair.as_ref().map(|pair| pair.plan().path_scale),
        });
        Ok(Answer::new(fields, Vec::new()))
    }

    /// The fields of a file, with its summary; of one that is not understood its joints, with the reason.
    fn side(
        &mut self,
        side: Side,
        file: &Character,
        document: &Document,
    ) -> (Value, Option<CharacterSummary>) {
        let anatomy = match &self.pair {
            Some(pair) => Ok(pair.files.analysed.anatomies[side.index()].clone()),
            None => analyse(side, file),
        };
        match anatomy {
            Ok(anatomy) => {
                let summary = CharacterSummary::new(file, &anatomy);
                let mut fields = json!(summary);
                fields["metres_per_unit"] = json!(anatomy.metres_per_unit());
                fields["turns"] = json!(self.turns(side, document));
                (fields, Some(summary))
            }
            Err(failure) => {
                let joints = JointSummary::of_unrecognised(file).unwrap_or_default();
                (json!({ "error": failure.causes, "joints": joints }), None)
            }
        }
    }
}
