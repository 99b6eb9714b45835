//! Where entries of a card stand, and where new ones go, in bytes.

use crate::card::parse::syntax::{GENERATED, Lines, keys, wrong};
use crate::error::LineError;
use std::ops::Range;
use toml_edit::{InlineTable, Item, Key, Table, Value};

/// Ways to write a table.
pub(super) enum Form<'a> {
    Missing,
    Head(&'a Table),
    Dotted(&'a Table),
    Inline(&'a InlineTable),
}

/// A piece of the text and what stands in its place.
pub(super) type Change = (Range<usize>, String);

/// Finds where entries stand.
pub(super) struct Places<'a> {
    pub(super) text: &'a str,
    pub(super) root: &'a Table,
}

impl<'a> Places<'a> {
    pub(super) fn error(&self, key: &Key, item: &Item, expected: &'static str) -> LineError {
        Lines::of(self.text).error(key, item, wrong(item, expected))
    }

    /// The way in which a table at the top is written.
    pub(super) fn form(&self, name: &str) -> Result<Form<'a>, LineError> {
        match self.root.get_key_value(name) {
            None => Ok(Form::Missing),
            Some((_, Item::Table(table))) if table.is_dotted() => Ok(Form::Dotted(table)),
            Some((_, Item::Table(table))) if table.is_implicit() => Ok(Form::Missing),
            Some((_, Item::Table(table))) => Ok(Form::Head(table)),
            Some((_, Item::Value(Value::InlineTable(table)))) => Ok(Form::Inline(table)),
            Some((key, item)) => Err(self.error(key, item, "a table")),
        }
    }

    /// Begin of the line of a place.
    fn line_start(&self, place: usize) -> usize {
        let before = self.text.get(..place).unwrap_or_default();
        before.rfind('\n').map_or(0, |end| end + 1)
    }

    /// The place after the line of a place.
    fn line_end(&self, place: usize) -> usize {
        let behind = self.text.get(place..).unwrap_or_default();
        behind.find('\n').map_or(self.text.len(), |end| place + end + 1)
    }

    fn newline(&self) -> &'static str {
        if self.text.contains("\r\n") { "\r\n" } else { "\n" }
    }

    /// Puts a new entry in.
    pub(super) fn insertion(&self, name: Option<&str>, form: &Form, line: &str) -> Change {
        match (name, form) {
            (Some(_), Form::Inline(table)) => self.in_braces(table, line),
            (Some(name), Form::Missing) => self.new_table(name, line),
            (Some(name), Form::Dotted(table)) => {
                let line = format!("{}.{line}", Key::new(name));
                self.new_line(self.line_end(last_value(table).unwrap_or_default()), &line)
            }
            (_, Form::Head(table)) => match (last_value(table), table.span()) {
                (Some(end), _) => self.new_line(self.line_end(end), line),
                (None, Some(head)) if name.is_some() => {
                    self.new_line(self.line_end(head.end), line)
                }
                _ => self.first_line(line),
            },
            (None, _) => self.first_line(line),
        }
    }

    /// A line at the begin of another.
    fn new_line(&self, place: usize, line: &str) -> Change {
        let newline = self.newline();
        let before = self.text.get(..place).unwrap_or_default();
        let begin = if before.is_empty() || before.ends_with('\n') { "" } else { newline };
        (place..place, format!("{begin}{line}{newline}"))
    }

    /// A line at the top of a text without keys there: below the comment at its begin.
    fn first_line(&self, line: &str) -> Change {
        let is_comment = |line: &&str| line.trim_start().starts_with('#');
        let place = self.text.split_inclusive('\n').take_while(is_comment).map(str::len).sum();
        let (at, mut new) = self.new_line(place, line);
        let next = self.text.get(place..).and_then(|behind| behind.lines().next());
        if next.is_some_and(|next| !next.trim().is_empty()) {
            new += self.newline();
        }
        (at, new)
    }

    /// A new table before the generated part, or at the end.
    fn new_table(&self, name: &str, line: &str) -> Change {
        let newline = self.newline();
        let generated = self.root.get_key_value(GENERATED);
        let head = generated.and_then(|(_, item)| first_head(item));
        let place = head.map_or(self.text.len(), |head| self.line_start(head));
        let before = self.text.get(..place).unwrap_or_default();
        let lines = format!("[{}]{newline}{line}", Key::new(name));
        let (at, mut new) = self.new_line(place, &lines);
        let last = before.lines().next_back().unwrap_or_default();
        if !last.trim().is_empty() {
            new.insert_str(0, newline);
        }
        if head.is_some() {
            new += newline;
        }
        (at, new)
    }

    /// A new entry in braces.
    fn in_braces(&self, table: &InlineTable, line: &str) -> Change {
        let entries = entries_in_braces(table);
        if let Some(end) = entries.iter().map(|own| own.end).max() {
            return (end..end, format!(", {line}"));
        }
        let start = table.span().map_or(0, |span| span.start + 1);
        let is_closed = self.text.get(start..).is_some_and(|behind| behind.starts_with('}'));
        (start..start, format!(" {line}{}", if is_closed { " " } else { "" }))
    }

    /// Takes an entry out, and its table where it is the only one.
    pub(super) fn removals(
        &self,
        name: Option<&str>,
        form: &Form,
        key: &Key,
        item: &Item,
    ) -> Vec<Change> {
        let whole = name.and_then(|name| self.root.get_key_value(name));
        match (whole, form) {
            (Some((key, item)), Form::Head(table)) if table.len() == 1 => self.lines_of(key, item),
            (Some((key, item)), Form::Inline(table)) if table.len() == 1 => {
                self.lines_of(key, item)
            }
            (_, Form::Inline(table)) => self.removal_in_braces(table, key).into_iter().collect(),
            _ => self.lines_of(key, item),
        }
    }

    pub(super) fn removal_in_braces(&self, table: &InlineTable, key: &Key) -> Option<Change> {
        let entries = entries_in_braces(table);
        let start = key.span()?.start;
        let at = entries.iter().position(|own| own.start == start)?;
        let own = entries.get(at)?;
        let before = at.checked_sub(1).and_then(|before| entries.get(before));
        let range = match (before, entries.get(at + 1)) {
            (Some(before), _) => before.end..own.end,
            (None, Some(next)) => own.start..next.start,
            (None, None) => {
                let behind = self.text.get(own.end..)?;
                let comma = behind.trim_start().starts_with(',').then(|| behind.find(','));
                own.start..own.end + comma.flatten().map_or(0, |comma| comma + 1)
            }
        };
        Some((range, String::new()))
    }

    /// Begin of the blank line before a line, or of the line where there is none.
    fn blank_before(&self, start: usize) -> usize {
        let before = start.checked_sub(1).map_or(0, |end| self.line_start(end));
        let line = self.text.get(before..start).unwrap_or_default();
        if line.trim().is_empty() { before } else { start }
    }

    /// Takes the lines of an entry out, those of its head and of what is in it, and a blank line before the head.
    pub(super) fn lines_of(&self, key: &Key, item: &Item) -> Vec<Change> {
        let lines = |span: Range<usize>| {
            (self.line_start(span.start)..self.line_end(span.end), String::new())
        };
        match item {
            Item::Table(table) => {
                let has_head = !table.is_dotted() && !table.is_implicit();
                let head = table.span().filter(|_| has_head).map(lines);
                let head = head.map(|(own, new)| (self.blank_before(own.start)..own.end, new));
                let own = keys(table).into_iter().flat_map(|(key, item)| self.lines_of(key, item));
                head.into_iter().chain(own).collect()
            }
            item => {
                let spans =
                    item.span().map(|own| key.span().map_or(own.start, |key| key.start)..own.end);
                spans.map(lines).into_iter().collect()
            }
        }
    }
}

/// The end of the last value of a table, without those of tables in it that have a head.
fn last_value(table: &Table) -> Option<usize> {
    let end = |(_, item): (&Key, &Item)| match item {
        Item::Table(table) if table.is_dotted() => last_value(table),
        Item::Table(_) => None,
        item => item.span().map(|span| span.end),
    };
    keys(table).into_iter().filter_map(end).max()
}

/// The begin of the first head of a table or of one in it.
fn first_head(item: &Item) -> Option<usize> {
    let Item::Table(table) = item else { return None };
    let own = table.span().filter(|_| !table.is_dotted() && !table.is_implicit());
    let inner = keys(table).into_iter().filter_map(|(_, item)| first_head(item)).min();
    own.map(|span| span.start).into_iter().chain(inner).min()
}

/// Entries in braces, from the key to the end of the value, in the order of the text.
fn entries_in_braces(table: &InlineTable) -> Vec<Range<usize>> {
    let range = |(key, item): (&Key, &Item)| Some(key.span()?.start..item.span()?.end);
    let mut entries: Vec<Range<usize>> = keys(table).into_iter().filter_map(range).collect();
    entries.sort_by_key(|entry| entry.start);
    entries
}
