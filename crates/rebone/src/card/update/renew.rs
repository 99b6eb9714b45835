//! Writes a card over an older one.

use super::{CardFile, Entry};
use crate::card::edit::Edit;
use crate::card::mark::{is_marked, marked, unmarked};
use crate::card::write::Section;
use crate::card::{Card, CardError};

impl CardFile {
    /// The text with the program's lines as `card` has them. What people wrote stays where it is, comments
    /// and order as well; `up`, `facing`, `unit` and `pose_from` take the value of `card` where that is
    /// another one. Lines that are new stand at the end of their section.
    ///
    /// # Errors
    /// When the result could not be read: what people wrote and what `card` says do not go together.
    pub fn update(&self, card: &Card) -> Result<String, CardError> {
        let sections = card.sections();
        let mut edit = Edit::default();
        self.comments(&sections, &mut edit);
        self.drop_old(&sections, &mut edit);
        for section in &sections {
            match section.name {
                "" => self.renew_top(section, card, &mut edit),
                "pose" => self.renew_pose(section, &mut edit),
                "limits" if self.has_limits() => {}
                name if self.heads.contains_key(name) => self.renew_section(section, &mut edit),
                name => {
                    let is_new = |(key, _): &&(String, String)| self.entry(name, key).is_none();
                    let new = section.entries.iter().filter(is_new).map(|(_, line)| line);
                    let lines = section.head.iter().chain(new).chain(&section.examples);
                    edit.append(lines.map(String::as_str));
                }
            }
        }
        let text = edit.apply(&self.lines).join(self.newline) + self.newline;
        Card::parse(&text)?;
        Ok(text)
    }

    /// The program's own comments at the top, in the place of those that were there.
    fn comments(&self, sections: &[Section], edit: &mut Edit) {
        if self.keeps_calibration {
            return;
        }
        let is_own = |line: &str| line.trim_start().starts_with('#') && is_marked("", &[line]);
        let old: Vec<usize> =
            (0..self.lines.len()).filter(|&line| is_own(&self.lines[line])).collect();
        edit.gone.extend(&old);
        let top = sections.iter().filter(|section| section.name.is_empty());
        let new = top.flat_map(|section| &section.head).filter(|line| is_own(line)).cloned();
        let place = old.first().copied().unwrap_or_else(|| self.header());
        edit.before.entry(place).or_default().extend(new);
    }

    /// Takes away the program's lines that are not there any more.
    fn drop_old(&self, sections: &[Section], edit: &mut Edit) {
        let is_new = |entry: &Entry| {
            let section = sections.iter().find(|section| section.name == entry.section);
            section.is_some_and(|section| section.entries.iter().any(|(key, _)| *key == entry.key))
        };
        let old = self.entries.iter().filter(|entry| entry.own && !is_new(entry));
        edit.gone.extend(old.flat_map(|entry| entry.line..=entry.last));
        let pose = sections.iter().any(|section| section.name == "pose");
        if let Some(&head) = self.heads.get("pose").filter(|_| self.own_pose && !pose) {
            let blank = head.checked_sub(1).filter(|&line| self.lines[line].trim().is_empty());
            edit.gone.extend(blank.into_iter().chain([head]));
        }
    }

    fn renew_top(&self, section: &Section, card: &Card, edit: &mut Edit) {
        let mut new = Vec::new();
        for (key, line) in &section.entries {
            match self.entry("", key) {
                None => new.push(line.clone()),
                Some(old) if old.own => edit.replace(old.line, line.clone()),
                Some(_) if self.says_the_same(card, key) => {}
                Some(old) => {
                    let guess = is_marked("", &[&self.lines[old.line]]);
                    let tail = if guess { "" } else { &old.tail };
                    edit.replace(old.line, format!("{line}{tail}"));
                }
            }
        }
        let top = self.entries.iter().filter(|entry| entry.section.is_empty());
        match top.map(|entry| entry.last).max() {
            Some(last) => edit.before.entry(last + 1).or_default().extend(new),
            None if new.is_empty() => {}
            None => {
                let header = self.header();
                let is_text = |line: &String| !line.trim().is_empty();
                new.extend(
                    self.lines.get(header).filter(|line| is_text(line)).map(|_| String::new()),
                );
                edit.before.entry(header).or_default().extend(new);
            }
        }
    }

    /// How many lines of comments the card begins with.
    fn header(&self) -> usize {
        self.lines.iter().take_while(|line| line.trim_start().starts_with('#')).count()
    }

    /// Whether a key of the top has the same value in both.
    fn says_the_same(&self, other: &Card, key: &str) -> bool {
        match key {
            "up" => self.card.up == other.up,
            "facing" => self.card.facing == other.facing,
            "unit" => self.card.unit == other.unit,
            "correct_bind" => self.card.correct_bind == other.correct_bind,
            "confidence" => self.card.confidence == other.confidence,
            _ => self.card.pose_from == other.pose_from,
        }
    }

    /// A pose is renewed as a whole, in the order that it has: its mark is that of all lines.
    fn renew_pose(&self, section: &Section, edit: &mut Edit) {
        let Some(&head) = self.heads.get("pose") else {
            if self.card.pose.is_empty() {
                edit.append(section.lines());
            }
            return;
        };
        if self.own_pose {
            let place = |key: &str| self.entry("pose", key).map_or(usize::MAX, |old| old.line);
            let mut entries = section.entries.clone();
            entries.sort_by_key(|(key, _)| place(key));
            let own = section.head.iter().map(|line| unmarked(line));
            let lines = own.chain(entries.iter().map(|(_, line)| line.as_str()));
            edit.replace(head, marked("pose", &lines.collect::<Vec<_>>()));
            self.renew_section(section, edit);
        }
    }

    /// Renews the lines of a section, each for itself.
    fn renew_section(&self, section: &Section, edit: &mut Edit) {
        let mut new = Vec::new();
        for (key, line) in &section.entries {
            match self.entry(section.name, key) {
                None => new.push(line.clone()),
                Some(old) if old.own => edit.replace(old.line, line.clone()),
                Some(_) => {}
            }
        }
        let own = self.entries.iter().filter(|entry| entry.section == section.name);
        let values = own.filter(|entry| entry.is_value).map(|entry| entry.last);
        let last = values.chain(self.heads.get(section.name).copied()).max().unwrap_or_default();
        edit.before.entry(last + 1).or_default().extend(new);
    }
}
