//! Updates the text of a card: the user's part stays, `[generated]` is written anew.

use super::Card;
use super::edit::Edit;
use super::generated::Parts;
use super::parse::syntax::TOP_KEYS;
use super::scan::{GeneratedLine, UserTables, split};
use super::write::{RULE, Section, without_empty};
#[cfg(feature = "disk")]
use crate::error::CharacterError;
use crate::error::LineError;
#[cfg(feature = "disk")]
use crate::text::read_text;
use std::path::{Path, PathBuf};

/// Begin of the comment on a learned calibration.
const LEARNED: &str = "learned from ";

/// Part of `[generated]` that an update keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    Nothing,
    Calibration,
    All,
}

/// The text of a card, to be updated.
///
/// Entries outside `[generated]` are the user's: an update leaves its values, comments and order. `[generated]` is
/// always written anew as the last part, except for corrections that a person asked for and a calibration that is kept.
///
/// ```
/// use rebone_body::card::{Card, CardFile};
/// use rebone_body::{Hints, analyse};
///
/// let motion = rebone_samples::walk().motion;
/// let file = CardFile::parse("# my rig\n[roles]\nleftToes = []\n")?;
/// let hints = Hints { card: Some(file.user_entries()), ..Hints::default() };
/// let anatomy = analyse(&motion, &hints)?;
/// let card = Card::from_anatomy(&anatomy, &file.user_entries())?;
/// let text = file.update(&card)?;
/// assert!(text.starts_with("# my rig\n[roles]\nleftToes = []\n"));
/// assert!(text.contains("[generated.roles]\nhips = \"Hips\""));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct CardFile {
    /// The file, where it was read from one.
    path: Option<PathBuf>,
    /// Lines outside `[generated]`.
    lines: Vec<String>,
    /// Line ending.
    newline: &'static str,
    parts: Parts,
    tables: UserTables,
    /// Lines of `[generated]`.
    generated: Vec<GeneratedLine>,
    /// Comment at the top of `[generated]`.
    about: Option<String>,
    kept: Kept,
    /// Whether the user's pose goes.
    drops_pose: bool,
}

impl CardFile {
    /// Reads the text of a card.
    ///
    /// A card in which the user states turns of `[pose]` keeps its generated calibration: the turns correct it.
    ///
    /// # Errors
    /// As [`Card::parse`]; and where `generated` is written in one line, `generated = { … }`.
    pub fn parse(text: &str) -> Result<Self, LineError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let parts = Parts::parse(text)?;
        let split = split(text)?;
        let tables = UserTables::of(&split.user)?;
        let kept = if parts.user.pose.is_empty() { Kept::Nothing } else { Kept::Calibration };
        Ok(Self {
            path: None,
            lines: split.user,
            newline: if text.contains("\r\n") { "\r\n" } else { "\n" },
            parts,
            tables,
            generated: split.generated,
            about: split.about,
            kept,
            drops_pose: false,
        })
    }

    /// Reads the card at `path`.
    ///
    /// # Errors
    /// When it cannot be read.
    #[cfg(feature = "disk")]
    pub fn read(path: &Path) -> Result<Self, CharacterError> {
        let file = Self::parse(&read_text(path, "card")?);
        let file = file.map_err(|error| CharacterError::card(path, error))?;
        Ok(Self { path: Some(path.to_owned()), ..file })
    }

    /// The file, where it was read from one.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Keeps all of `[generated]` as well.
    pub fn keep_all(self) -> Self {
        Self { kept: Kept::All, ..self }
    }

    /// Keeps the generated calibration: pose, axes, up and facing.
    pub fn keep_calibration(self) -> Self {
        let kept = if self.kept == Kept::All { Kept::All } else { Kept::Calibration };
        Self { kept, ..self }
    }

    /// Drops the calibration, because another pose is stated: `[pose]`, `pose_from` and their confidence, the user's
    /// as well, and the generated axes.
    pub fn without_pose(mut self) -> Self {
        let user = &mut self.parts.user;
        user.pose.clear();
        user.pose_from = None;
        user.correct_bind = false;
        user.confidence = None;
        self.parts.generated.drop_calibration();
        self.generated.retain(|line| !line.is_of_pose());
        self.about = None;
        let kept = if self.kept == Kept::All { Kept::All } else { Kept::Nothing };
        Self { kept, drops_pose: true, ..self }
    }

    /// From what the generated calibration was learned: `4 files`. `None` where it was not learned, or where the user
    /// states a pose.
    pub fn learned_from(&self) -> Option<&str> {
        let [user, generated] = [&self.parts.user, &self.parts.generated];
        let is_posed = |card: &Card| card.pose_from.is_some() || !card.pose.is_empty();
        let about = self.about.as_deref().filter(|_| !is_posed(user) && is_posed(generated));
        about?.strip_prefix(LEARNED)?.split(',').next()
    }

    /// Returns what the user wrote, with what is kept of `[generated]`: the card to understand a file by.
    pub fn user_entries(&self) -> Card {
        let mut parts = self.parts.clone();
        let generated = &mut parts.generated;
        match self.kept {
            Kept::All => {}
            Kept::Nothing => {
                generated.yield_to(&parts.user);
                generated.keep_corrections();
            }
            Kept::Calibration => {
                generated.roles.clear();
                generated.generated.retain(|key, _| !key.starts_with("roles."));
            }
        }
        parts.merged()
    }

    /// Returns the text with `[generated]` as `card` has it.
    ///
    /// `up`, `facing`, `unit`, `pose_from`, `correct_bind`, `sole_height`, `trunk_radii` and `confidence` of `card` that are
    /// not generated are written into the user's part. Nothing else changes there.
    ///
    /// # Errors
    /// When the result could not be read: what the user wrote and what `card` says do not go together.
    pub fn update(&self, card: &Card) -> Result<String, LineError> {
        let mut edit = Edit::default();
        if self.drops_pose {
            edit.gone.extend(self.tables.pose_lines());
        }
        let is_blank = self.lines.iter().all(|line| line.trim().is_empty());
        let mut lines = self.with_top(card, edit, is_blank);
        let limits = card.limit_lines();
        let is_empty = limits.entries.is_empty() && limits.examples.is_empty();
        if !(self.tables.has_limits || is_empty) {
            append(&mut lines, limits.lines());
        }
        for section in self.generated_sections(card) {
            append(&mut lines, section.lines());
        }
        let text = lines.join(self.newline) + self.newline;
        Card::parse(&text)?;
        Ok(text)
    }

    /// The user's lines, with the values at the top that `card` states.
    fn with_top(&self, card: &Card, mut edit: Edit, is_blank: bool) -> Vec<String> {
        let mut new = Vec::new();
        for key in TOP_KEYS {
            let Some(value) = card.top_value(key).filter(|_| !card.is_generated("", key)) else {
                continue;
            };
            let line = format!("{key} = {value}");
            match self.tables.top(key) {
                None => new.push(line),
                Some(_) if self.states_the_same(card, key) => {}
                Some(old) => edit.replace(old.lines.clone(), format!("{line}{}", old.tail)),
            }
        }
        if is_blank {
            let mut lines: Vec<String> = RULE.map(str::to_owned).to_vec();
            lines.extend(new);
            return lines;
        }
        let header =
            self.lines.iter().take_while(|line| line.trim_start().starts_with('#')).count();
        let place = self.tables.top_end().unwrap_or(header);
        let is_text = |line: &&String| !line.trim().is_empty();
        let follows = self.lines.get(place).filter(is_text);
        if !new.is_empty() && self.tables.top_end().is_none() && follows.is_some() {
            new.push(String::new());
        }
        edit.before.entry(place).or_default().extend(new);
        edit.apply(&self.lines)
    }

    /// Whether a key at the top of the user's part has the value of `card`.
    fn states_the_same(&self, card: &Card, key: &str) -> bool {
        let user = &self.parts.user;
        match key {
            "up" => user.up == card.up,
            "facing" => user.facing == card.facing,
            "unit" => user.unit == card.unit,
            "root_scale" => user.root_scale == card.root_scale,
            "pose_from" => user.pose_from == card.pose_from,
            "correct_bind" => user.correct_bind == card.correct_bind,
            "sole_height" => user.sole_height == card.sole_height,
            "trunk_radii" => user.trunk_radii == card.trunk_radii,
            _ => user.confidence == card.confidence,
        }
    }

    /// The sections of `[generated]`: entries that are kept, then those of `card`, without what the user states.
    fn generated_sections(&self, card: &Card) -> Vec<Section> {
        let mut card = card.clone();
        let entries = self.user_entries();
        let is_corrected = |line: &GeneratedLine| entries.is_corrected(&line.section, &line.key);
        let keeps = |line: &&GeneratedLine| match self.kept {
            _ if card.is_corrected_anew(&self.parts.generated, &line.section, &line.key) => false,
            Kept::Nothing => is_corrected(line),
            Kept::Calibration => line.section != "roles",
            Kept::All => true,
        };
        let kept: Vec<&GeneratedLine> = self.generated.iter().filter(keeps).collect();
        let keeps_calibration = kept.iter().any(|line| line.is_of_pose() && !is_corrected(line));
        if keeps_calibration {
            card.generated.remove("");
            card.generated.extend(self.about.iter().map(|about| (String::new(), about.clone())));
        }
        let mut sections = card.generated_sections();
        for section in &mut sections {
            let old = kept.iter().filter(|line| line.section == section.name);
            let old: Vec<_> = old.map(|line| (line.key.clone(), line.text.clone())).collect();
            section.entries.retain(|(key, _)| {
                let is_free = match (section.name, key.as_str()) {
                    ("pose", _) | ("", "pose_from" | "correct_bind") => {
                        !keeps_calibration && self.parts.user.pose.is_empty()
                    }
                    ("", "confidence") => !keeps_calibration,
                    _ => true,
                };
                is_free && old.iter().all(|(other, _)| other != key)
            });
            section.entries.splice(..0, old);
            section.entries.retain(|(key, _)| {
                !self.states(
                    card.top_value(key).is_some_and(|_| !card.is_generated("", key)),
                    section.name,
                    key,
                )
            });
        }
        without_empty(sections)
    }

    /// Whether the user's part has an entry; `is_new` for a key at the top that an update writes into it.
    fn states(&self, is_new: bool, section: &str, key: &str) -> bool {
        let user = &self.parts.user;
        match section {
            "" => is_new || user.top_value(key).is_some(),
            "roles" => user.roles.iter().any(|entry| entry.role.name() == key),
            "pose" => user.pose.iter().any(|entry| entry.joint == key),
            _ => user.axes.iter().any(|entry| entry.joint == key),
        }
    }
}

/// Adds lines after a blank one.
fn append<'a>(text: &mut Vec<String>, lines: impl Iterator<Item = &'a str>) {
    if !text.is_empty() {
        text.push(String::new());
    }
    text.extend(lines.map(str::to_owned));
}

#[cfg(test)]
mod tests;
