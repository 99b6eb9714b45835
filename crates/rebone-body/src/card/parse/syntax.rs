//! Keys, lines and faults of a card's text.

use crate::body::SignedAxis;
use crate::error::LineError;
use rebone_skeleton::selector::{nearest, shown};
use std::ops::Range;
use toml_edit::{Item, Key, TableLike, TomlError};

/// Keys before the first section.
pub(crate) const TOP_KEYS: [&str; 9] = [
    "up",
    "facing",
    "unit",
    "root_scale",
    "pose_from",
    "correct_bind",
    "sole_height",
    "trunk_radii",
    "confidence",
];

/// The name of the part that the program rewrites.
pub(crate) const GENERATED: &str = "generated";

/// Ends of the lines of the text, in bytes.
pub(crate) struct Lines(Vec<usize>);

impl Lines {
    pub(crate) fn of(text: &str) -> Self {
        Self(text.match_indices('\n').map(|(place, _)| place).collect())
    }

    /// The line of a place, counted from 1.
    pub(crate) fn at(&self, span: Option<Range<usize>>) -> usize {
        let start = span.map_or(0, |span| span.start);
        1 + self.0.partition_point(|&end| end < start)
    }

    pub(crate) fn error(&self, key: &Key, item: &Item, message: String) -> LineError {
        LineError { line: self.at(key.span().or(item.span())), message }
    }
}

pub(crate) fn syntax(lines: &Lines, error: &TomlError) -> LineError {
    let line = lines.at(error.span());
    LineError { line, message: error.message().to_owned() }
}

/// So many keys are all named where none is like the one that was found.
const MAX_LISTED_KEYS: usize = 10;

pub(crate) fn unknown(name: &str, what: &'static str, known: &[&str]) -> String {
    let all = || known.iter().map(ToString::to_string);
    let mut nearest = nearest(name, all());
    if nearest.is_empty() && known.len() <= MAX_LISTED_KEYS {
        nearest = all().collect();
    }
    let nearest = match nearest[..] {
        [] => String::new(),
        _ => format!("; nearest: {}", nearest.join(", ")),
    };
    format!("{:?} is no {what}{nearest}", shown(name))
}

pub(crate) fn wrong(item: &Item, expected: &'static str) -> String {
    format!("found {}, expected {expected}", shown(item.to_string().trim()))
}

pub(crate) fn axis(item: &Item) -> Result<SignedAxis, String> {
    let axis = item.as_str().and_then(|text| text.parse().ok());
    axis.ok_or_else(|| wrong(item, "an axis such as \"+Z\""))
}

pub(crate) fn number(item: &Item) -> Option<f64> {
    item.as_float().or(item.as_integer().map(|number| number as f64))
}

pub(crate) fn table<'a>(
    lines: &Lines,
    key: &Key,
    item: &'a Item,
) -> Result<&'a dyn TableLike, LineError> {
    item.as_table_like().ok_or_else(|| lines.error(key, item, wrong(item, "a table")))
}

/// All keys with their items.
pub(crate) fn keys(table: &dyn TableLike) -> Vec<(&Key, &Item)> {
    table.iter().filter_map(|(name, _)| table.get_key_value(name)).collect()
}
