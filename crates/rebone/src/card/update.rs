//! A card that is written again: what people wrote in it stays.

mod renew;

use super::mark::is_marked;
use super::parse::{Lines, keys, syntax, wrong};
use super::{Card, CardError};
use std::collections::BTreeMap;
use std::ops::Range;
use toml_edit::{Document, Item, Key};

/// The keys at the top that belong to a calibration.
const CALIBRATION: [&str; 5] = ["up", "facing", "pose_from", "correct_bind", "confidence"];

/// How the comment on a calibration begins that was learned.
const LEARNED: &str = "# learned from ";

/// A card as a text, and which of its lines the program wrote.
///
/// A line of the program ends in a mark, a checksum of the line. Where the mark fits, nobody has touched
/// the line since. All other lines are people's, so that older cards and cards by hand are theirs
/// altogether. `[pose]` is one thing, with one mark at its head: who changes a turn, adds one or takes one
/// away has stated the pose, and with it the frames that stand in the card.
#[derive(Clone, Debug)]
pub struct CardFile {
    lines: Vec<String>,
    /// How lines end.
    newline: &'static str,
    card: Card,
    entries: Vec<Entry>,
    /// The lines of section heads.
    heads: BTreeMap<String, usize>,
    /// Whether the program wrote `[pose]`.
    own_pose: bool,
    /// Whether the calibration stays, and what the program says of it at the top.
    keeps_calibration: bool,
}

/// A key and its value.
#[derive(Clone, Debug)]
struct Entry {
    section: String,
    key: String,
    /// The line that it begins in, counted from 0.
    line: usize,
    /// The line that it ends in.
    last: usize,
    /// How the line goes on behind the value.
    tail: String,
    /// False for `[axes.hand]`, which is a section of its own.
    is_value: bool,
    /// Whether the program wrote it.
    own: bool,
}

impl CardFile {
    /// Reads the text of a card.
    ///
    /// # Errors
    /// As [`Card::parse`]; and where a section is written in a way that no line can be added to,
    /// `roles = { … }`.
    pub fn parse(text: &str) -> Result<Self, CardError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let card = Card::read(text, false)?;
        let lines = text.lines().map(str::to_owned).collect();
        let mut written = Self {
            lines,
            newline: if text.contains("\r\n") { "\r\n" } else { "\n" },
            card,
            entries: Vec::new(),
            heads: BTreeMap::new(),
            own_pose: false,
            keeps_calibration: false,
        };
        written.scan(text)?;
        written.find_generated();
        let user_entries = written.user_entries();
        Card::read(text, user_entries.up.is_some() && user_entries.facing.is_some())?;
        Ok(written)
    }

    /// The same, where all that it says is to stay as it is.
    pub fn keep_all(mut self) -> Self {
        self.entries.iter_mut().for_each(|entry| entry.own = false);
        Self { own_pose: false, keeps_calibration: true, ..self }
    }

    /// The same, where the calibration is to stay as it is: pose, frames, and what is up.
    pub fn with_calibration(mut self) -> Self {
        let is_part = |entry: &Entry| match entry.section.as_str() {
            "" => CALIBRATION.contains(&entry.key.as_str()),
            section => section == "pose" || section == "axes",
        };
        let part = self.entries.iter_mut().filter(|entry| is_part(entry));
        part.for_each(|entry| entry.own = false);
        Self { own_pose: false, keeps_calibration: true, ..self }
    }

    /// The same, where the pose is stated anew: `[pose]` or `pose_from` goes, whoever wrote it, and with it
    /// the frames that the program wrote.
    pub fn without_pose(mut self) -> Self {
        for entry in &mut self.entries {
            let is_marked = || is_marked(&entry.section, &[&self.lines[entry.line]]);
            entry.own |= match (entry.section.as_str(), entry.key.as_str()) {
                ("pose", _) | ("", "pose_from" | "correct_bind") => true,
                ("axes", _) | ("", "confidence") => is_marked(),
                _ => false,
            };
        }
        Self { own_pose: true, keeps_calibration: false, ..self }
    }

    /// From what the program learned the calibration that stands in the card: `4 files`. `None` where it
    /// did not learn it, or where people have changed the pose or taken it away.
    pub fn learned_from(&self) -> Option<&str> {
        let stands = match self.card.pose.is_empty() {
            true => self
                .entry("", "pose_from")
                .is_some_and(|entry| is_marked("", &[&self.lines[entry.line]])),
            false => self.is_pose_marked(),
        };
        let comments = self.lines.iter().filter(|line| is_marked("", &[line])).filter(|_| stands);
        let mut learned = comments.filter_map(|line| line.trim_start().strip_prefix(LEARNED));
        learned.next()?.split(',').next()
    }

    /// What people wrote, and not the program.
    pub fn user_entries(&self) -> Card {
        let says =
            |section: &str, key: &str| self.entry(section, key).is_some_and(|entry| !entry.own);
        let Card { up, facing, unit, pose_from, correct_bind, confidence, .. } = self.card.clone();
        let Card { limits, helpers, pose, .. } = self.card.clone();
        let states_pose = !self.own_pose && !pose.is_empty();
        let mut roles = self.card.roles.clone();
        roles.retain(|entry| says("roles", &entry.role.name()));
        let mut frames = self.card.axes.clone();
        frames.retain(|frame| says("axes", &frame.joint));
        Card {
            up: up.filter(|_| says("", "up")),
            facing: facing.filter(|_| says("", "facing")),
            unit: unit.filter(|_| says("", "unit")),
            pose_from: pose_from.filter(|_| says("", "pose_from")),
            pose_from_line: self.card.pose_from_line,
            // It belongs to the pose: whose that is, its is.
            correct_bind: correct_bind && (says("", "correct_bind") || states_pose),
            confidence: confidence.filter(|_| says("", "confidence")),
            pose: if self.own_pose { Vec::new() } else { pose },
            roles,
            limits,
            helpers,
            axes: frames,
            ..Card::default()
        }
    }

    /// Finds sections and keys.
    fn scan(&mut self, text: &str) -> Result<(), CardError> {
        let places = Lines::of(text);
        let document = Document::parse(text).map_err(|error| syntax(&places, &error))?;
        let end_of_line =
            |at: usize| text[at..].find('\n').map_or(text.len(), |length| at + length);
        let entry = |section: &str, key: &Key, item: &Item| {
            let line = places.at(key.span().or(item.span())) - 1;
            let end = item.span().map_or(0, |span: Range<usize>| span.end);
            let tail = text[end..end_of_line(end)].trim_end().to_owned();
            let last = places.at(Some(end..end)) - 1;
            let (section, key) = (section.to_owned(), key.get().to_owned());
            Entry { section, key, line, last, tail, is_value: item.is_value(), own: false }
        };
        for (key, item) in keys(document.as_table()) {
            let name = key.get();
            match item {
                Item::Table(table) if !table.is_dotted() => {
                    if !table.is_implicit() {
                        self.heads.insert(name.to_owned(), places.at(key.span()) - 1);
                    }
                    let keys = keys(table).into_iter();
                    self.entries.extend(keys.map(|(key, item)| entry(name, key, item)));
                }
                item if item.is_table_like() && name != "limits" => {
                    let expected = "a section such as [roles], to add lines to";
                    return Err(places.error(key, item, wrong(item, expected)));
                }
                item => self.entries.push(entry("", key, item)),
            }
        }
        Ok(())
    }

    /// Finds what the program wrote.
    fn find_generated(&mut self) {
        self.own_pose = self.is_pose_marked();
        let states_pose = !self.card.pose.is_empty() && !self.own_pose;
        for entry in &mut self.entries {
            let is_marked = is_marked(&entry.section, &[&self.lines[entry.line]]);
            entry.own = match entry.section.as_str() {
                "pose" => self.own_pose,
                "axes" => is_marked && !states_pose,
                _ => is_marked,
            };
        }
    }

    /// Whether `[pose]` is as the program wrote it.
    fn is_pose_marked(&self) -> bool {
        let line = |line: usize| self.lines[line].as_str();
        let turns = self.entries.iter().filter(|entry| entry.section == "pose");
        let pose = self.heads.get("pose").map(|&head| line(head)).into_iter();
        let pose: Vec<&str> = pose.chain(turns.map(|entry| line(entry.line))).collect();
        is_marked("pose", &pose)
    }

    fn entry(&self, section: &str, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.section == section && entry.key == key)
    }

    /// Whether it says anything of limits, a head alone included.
    fn has_limits(&self) -> bool {
        let is_limits = |entry: &Entry| entry.section == "limits" || entry.key == "limits";
        self.heads.contains_key("limits") || self.entries.iter().any(is_limits)
    }
}

#[cfg(test)]
mod tests;
