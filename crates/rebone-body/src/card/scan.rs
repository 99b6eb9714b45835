//! Finds the lines of a card: which are of `[generated]`, and where keys of the user stand.

use super::parse::syntax::{GENERATED, Lines, keys, syntax, wrong};
use crate::error::LineError;
use std::ops::Range;
use toml_edit::{Document, Item, Key, Table};

/// A text, taken apart.
#[derive(Debug, Default)]
pub(crate) struct Split {
    /// Lines outside `[generated]`.
    pub(super) user: Vec<String>,
    /// Entries of `[generated]`.
    pub(super) generated: Vec<GeneratedLine>,
    /// The comment below the head of `[generated]`.
    pub(super) about: Option<String>,
}

/// An entry of `[generated]`, as it stands.
#[derive(Clone, Debug)]
pub(crate) struct GeneratedLine {
    /// The section without `generated.`; empty for a key such as `up`.
    pub(super) section: String,
    /// The key.
    pub(super) key: String,
    /// The whole line.
    pub(super) text: String,
}

impl GeneratedLine {
    /// Whether it goes where another pose is stated.
    pub(super) fn is_of_pose(&self) -> bool {
        match self.section.as_str() {
            "" => matches!(self.key.as_str(), "pose_from" | "correct_bind" | "confidence"),
            section => section == "pose" || section == "axes",
        }
    }
}

/// A table with a head in brackets, by lines counted from 0.
struct Block {
    path: Vec<String>,
    head: usize,
    /// The line after its last value.
    end: usize,
}

/// Takes a text apart. `[generated]` reaches from each of its heads to the next head, or to its last value where the
/// next head is the user's: comments after that are the user's.
///
/// # Errors
/// When it is no TOML, or `generated` is no table with a head.
pub(super) fn split(text: &str) -> Result<Split, LineError> {
    let places = Lines::of(text);
    let document = Document::parse(text).map_err(|error| syntax(&places, &error))?;
    let lines: Vec<&str> = text.lines().collect();
    let mut split = Split::default();
    if let Some((key, item)) = document.as_table().get_key_value(GENERATED) {
        match item {
            Item::Table(table) if !table.is_dotted() => split.read_entries(&places, &lines, table),
            item => {
                let expected = "a section [generated], to write it anew";
                return Err(places.error(key, item, wrong(item, expected)));
            }
        }
    }
    let mut blocks = Vec::new();
    find_blocks(&places, document.as_table(), &[], &mut blocks);
    blocks.sort_by_key(|block| block.head);
    let is_generated = |block: &Block| block.path.first().is_some_and(|name| name == GENERATED);
    let mut start = 0;
    for (place, block) in blocks.iter().enumerate().filter(|(_, block)| is_generated(block)) {
        split.take_user_lines(lines.get(start..block.head).unwrap_or_default());
        let next = blocks.get(place + 1);
        start = next.filter(|next| is_generated(next)).map_or(block.end, |next| next.head);
        if block.path.len() == 1 {
            let comment = lines.get(block.head + 1).and_then(|line| line.trim().strip_prefix('#'));
            split.about = comment.map(|comment| comment.trim().to_owned());
        }
    }
    split.take_user_lines(lines.get(start..).unwrap_or_default());
    Ok(split)
}

impl Split {
    /// Adds lines of the user, one blank line between two pieces.
    fn take_user_lines(&mut self, lines: &[&str]) {
        let is_blank = |line: &&str| line.trim().is_empty();
        let lines = lines.iter().copied();
        let mut new: Vec<&str> = match self.user.is_empty() {
            true => lines.collect(),
            false => lines.skip_while(is_blank).collect(),
        };
        while new.last().is_some_and(is_blank) {
            new.pop();
        }
        if !self.user.is_empty() && !new.is_empty() {
            self.user.push(String::new());
        }
        self.user.extend(new.into_iter().map(str::to_owned));
    }

    fn read_entries(&mut self, places: &Lines, lines: &[&str], table: &Table) {
        let mut add = |section: &str, key: &Key, item: &Item| {
            let Some(range) = lines_of(places, key, item).filter(|_| item.is_value()) else {
                return;
            };
            let text = lines.get(range).unwrap_or_default().join("\n");
            let (section, key) = (section.to_owned(), key.get().to_owned());
            self.generated.push(GeneratedLine { section, key, text });
        };
        for (key, item) in keys(table) {
            match item {
                Item::Table(section) if !section.is_dotted() => {
                    keys(section).iter().for_each(|(own, item)| add(key.get(), own, item));
                }
                item => add("", key, item),
            }
        }
    }
}

/// Lines of a value, counted from 0.
fn lines_of(places: &Lines, key: &Key, item: &Item) -> Option<Range<usize>> {
    let span = item.span()?;
    let start = places.at(key.span().or(Some(span.clone()))) - 1;
    Some(start..places.at(Some(span.end..span.end)))
}

/// Finds tables with a head, those in tables as well.
fn find_blocks(places: &Lines, table: &Table, path: &[String], blocks: &mut Vec<Block>) {
    for (key, item) in keys(table) {
        let Item::Table(table) = item else { continue };
        let path: Vec<String> = path.iter().cloned().chain([key.get().to_owned()]).collect();
        if !table.is_dotted() && !table.is_implicit() {
            let head = places.at(key.span()) - 1;
            let end = last_line(places, table).map_or(head + 1, |end| end.max(head + 1));
            blocks.push(Block { path: path.clone(), head, end });
        }
        find_blocks(places, table, &path, blocks);
    }
}

/// The line after the last value of a table, without those of tables in it that have a head.
fn last_line(places: &Lines, table: &Table) -> Option<usize> {
    let end = |(key, item): (&Key, &Item)| match item {
        Item::Table(table) if table.is_dotted() => last_line(places, table),
        Item::Table(_) => None,
        item => lines_of(places, key, item).map(|lines| lines.end),
    };
    keys(table).into_iter().filter_map(end).max()
}

/// A key before the first section of the user's part.
#[derive(Clone, Debug)]
pub(crate) struct TopEntry {
    pub(super) key: String,
    /// Its lines, counted from 0.
    pub(super) lines: Range<usize>,
    /// Rest of the last line after the value.
    pub(super) tail: String,
}

/// Lines of keys in the user's part.
#[derive(Clone, Debug, Default)]
pub(crate) struct UserTables {
    top: Vec<TopEntry>,
    /// Lines of `[pose]` without comments.
    pose: Vec<usize>,
    /// Whether it states limits, a head alone included.
    pub(super) has_limits: bool,
}

impl UserTables {
    /// Reads the user's lines.
    pub(crate) fn of(lines: &[String]) -> Result<Self, LineError> {
        let text = lines.join("\n");
        let places = Lines::of(&text);
        let document = Document::parse(&text).map_err(|error| syntax(&places, &error))?;
        let mut tables = Self { has_limits: document.contains_key("limits"), ..Self::default() };
        for (key, item) in keys(document.as_table()) {
            match item {
                Item::Table(table) if !table.is_dotted() => {
                    if key.get() == "pose" {
                        tables.pose.push(places.at(key.span()) - 1);
                        let lines = keys(table).into_iter();
                        let lines = lines.filter_map(|(key, item)| lines_of(&places, key, item));
                        tables.pose.extend(lines.flatten());
                    }
                }
                item => tables.take_top(&text, &places, key.get(), (key, item)),
            }
        }
        Ok(tables)
    }

    /// Takes an entry at the top, or the entries of a table of dotted keys, each by the name of the table.
    fn take_top(&mut self, text: &str, places: &Lines, name: &str, (key, item): (&Key, &Item)) {
        if let Item::Table(table) = item {
            keys(table).into_iter().for_each(|entry| self.take_top(text, places, name, entry));
            return;
        }
        let Some(lines) = lines_of(places, key, item) else { return };
        let end = item.span().map_or(0, |span| span.end);
        let tail = text.get(end..).and_then(|tail| tail.lines().next());
        let tail = tail.unwrap_or_default().trim_end().to_owned();
        self.top.push(TopEntry { key: name.to_owned(), lines, tail });
    }

    /// The entry of a key at the top.
    pub(super) fn top(&self, key: &str) -> Option<&TopEntry> {
        self.top.iter().find(|entry| entry.key == key)
    }

    /// The line after the last key at the top.
    pub(super) fn top_end(&self) -> Option<usize> {
        self.top.iter().map(|entry| entry.lines.end).max()
    }

    /// The lines that state a pose: `[pose]` without its comments, and the keys that belong to it.
    pub(super) fn pose_lines(&self) -> impl Iterator<Item = usize> {
        let is_of_pose = |entry: &&TopEntry| {
            matches!(entry.key.as_str(), "pose" | "pose_from" | "correct_bind" | "confidence")
        };
        let top = self.top.iter().filter(is_of_pose).flat_map(|entry| entry.lines.clone());
        self.pose.iter().copied().chain(top)
    }
}
