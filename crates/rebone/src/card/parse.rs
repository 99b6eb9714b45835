//! Reads a card.

use super::selector::nearest;
use super::{Card, CardError, CardFault, Casting, JointLimits, PoseFrom, SignedAxis};
use crate::understand::Role;
use rebone_skeleton::Axis;
use std::ops::Range;
use toml_edit::{Document, Item, Key, TableLike, TomlError};

const KEYS: [&str; 6] = ["up", "facing", "unit", "pose_from", "roles", "limits"];

const VARIABLES: [&str; 6] = ["swing_x", "swing_z", "twist", "x", "y", "z"];

/// Names of units and their metres.
const UNITS: [(&str, f64); 6] =
    [("m", 1.0), ("dm", 0.1), ("cm", 0.01), ("mm", 0.001), ("inch", 0.0254), ("foot", 0.3048)];

impl Card {
    /// Reads the text of a card.
    ///
    /// # Errors
    /// The first fault, with its line: no TOML, a key or role that does not exist, a value of
    /// another kind.
    pub fn parse(text: &str) -> Result<Self, CardError> {
        let document = Document::parse(text).map_err(|error| syntax(text, &error))?;
        let lines = Lines { text };
        let mut card = Card::default();
        for (key, item) in keys(document.as_table()) {
            let fault = |fault| lines.error(key, item, fault);
            match key.get() {
                "up" => card.up = Some(axis(item).map_err(fault)?),
                "facing" => card.facing = Some(axis(item).map_err(fault)?),
                "unit" => card.unit = Some(unit(item).map_err(fault)?),
                "pose_from" => card.pose_from = Some(pose_from(item).map_err(fault)?),
                "roles" => card.roles = roles(&lines, key, item)?,
                "limits" => card.limits = limits(&lines, key, item)?,
                name => return Err(fault(unknown(name, "key", &KEYS))),
            }
        }
        Ok(card)
    }
}

/// The text, to tell lines.
struct Lines<'a> {
    text: &'a str,
}

impl Lines<'_> {
    /// The line of a place, counted from 1.
    fn at(&self, span: Option<Range<usize>>) -> usize {
        let start = span.map_or(0, |span| span.start.min(self.text.len()));
        1 + self.text.as_bytes()[..start].iter().filter(|&&byte| byte == b'\n').count()
    }

    fn error(&self, key: &Key, item: &Item, fault: CardFault) -> CardError {
        CardError { line: self.at(key.span().or(item.span())), fault }
    }
}

fn syntax(text: &str, error: &TomlError) -> CardError {
    let line = Lines { text }.at(error.span());
    CardError { line, fault: CardFault::Syntax(error.message().to_string()) }
}

/// So many keys are all named where none is like the one that was found.
const FEW: usize = 8;

fn unknown(name: &str, what: &'static str, known: &[&str]) -> CardFault {
    let all = || known.iter().map(ToString::to_string);
    let mut nearest = nearest(name, all());
    if nearest.is_empty() && known.len() <= FEW {
        nearest = all().collect();
    }
    CardFault::UnknownKey { name: name.into(), what, nearest }
}

fn wrong(item: &Item, expected: &'static str) -> CardFault {
    CardFault::Value { found: item.to_string().trim().to_string(), expected }
}

fn axis(item: &Item) -> Result<SignedAxis, CardFault> {
    let read = |text: &str| {
        let (negative, name) = match text.strip_prefix('-') {
            Some(name) => (true, name),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let named = |axis: &Axis| format!("{axis:?}").eq_ignore_ascii_case(name);
        Some(SignedAxis { axis: Axis::ALL.into_iter().find(named)?, negative })
    };
    item.as_str().and_then(read).ok_or_else(|| wrong(item, "an axis such as \"+Z\""))
}

fn unit(item: &Item) -> Result<f64, CardFault> {
    let named =
        |name: &str| UNITS.iter().find(|(unit, _)| *unit == name).map(|(_, metres)| *metres);
    let number = || item.as_float().or(item.as_integer().map(|number| number as f64));
    let metres = item.as_str().and_then(named).or_else(number);
    metres
        .filter(|metres| metres.is_finite() && *metres > 0.0)
        .ok_or_else(|| wrong(item, "\"m\", \"dm\", \"cm\", \"mm\", \"inch\", \"foot\" or metres"))
}

fn pose_from(item: &Item) -> Result<PoseFrom, CardFault> {
    let text = item.as_str().filter(|text| !text.is_empty());
    let text = text.ok_or_else(|| wrong(item, "\"rest\" or \"FILE[:FRAME]\""))?;
    Ok(match text.rsplit_once(':').map(|(file, frame)| (file, frame.parse())) {
        _ if text == "rest" => PoseFrom::Rest,
        Some((file, Ok(frame))) => PoseFrom::File(file.into(), Some(frame)),
        _ => PoseFrom::File(text.into(), None),
    })
}

fn roles(lines: &Lines<'_>, key: &Key, item: &Item) -> Result<Vec<Casting>, CardError> {
    let table = table(lines, key, item)?;
    let known: Vec<String> = Role::all().into_iter().map(Role::name).collect();
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let mut roles = Vec::new();
    for (key, item) in keys(table) {
        let fault = |fault| lines.error(key, item, fault);
        let role = Role::from_name(key.get());
        let role = role.ok_or_else(|| fault(unknown(key.get(), "role", &known)))?;
        let joints = selectors(item).map_err(fault)?;
        if joints.len() > 1 && !role.is_list() {
            return Err(fault(CardFault::OneJoint { role: role.name(), count: joints.len() }));
        }
        roles.push(Casting { role, joints, line: lines.at(key.span()) });
    }
    Ok(roles)
}

/// One selector or a list of them.
fn selectors(item: &Item) -> Result<Vec<String>, CardFault> {
    let list = || {
        let texts = item.as_array()?.iter().map(|value| value.as_str().map(str::to_string));
        texts.collect::<Option<Vec<String>>>()
    };
    let one = item.as_str().map(|text| vec![text.to_string()]);
    one.or_else(list).ok_or_else(|| wrong(item, "a joint or a list of joints, in quotes"))
}

fn limits(lines: &Lines<'_>, key: &Key, item: &Item) -> Result<Vec<JointLimits>, CardError> {
    let mut limits = Vec::new();
    for (joint, item) in keys(table(lines, key, item)?) {
        let mut ranges = Vec::new();
        for (variable, item) in keys(table(lines, joint, item)?) {
            let fault = |fault| lines.error(variable, item, fault);
            if !VARIABLES.contains(&variable.get()) {
                return Err(fault(unknown(variable.get(), "variable", &VARIABLES)));
            }
            ranges.push((variable.get().to_string(), range(item).map_err(fault)?));
        }
        let line = lines.at(joint.span());
        limits.push(JointLimits { joint: joint.get().to_string(), ranges, line });
    }
    Ok(limits)
}

fn range(item: &Item) -> Result<[f64; 2], CardFault> {
    let numbers = || -> Option<Vec<f64>> {
        let number = |value: &toml_edit::Value| {
            value.as_float().or(value.as_integer().map(|number| number as f64))
        };
        item.as_array()?.iter().map(number).collect()
    };
    match numbers().as_deref() {
        Some(&[low, high]) if low.is_finite() && high.is_finite() && low <= high => Ok([low, high]),
        _ => Err(wrong(item, "two numbers in degrees, the lower first")),
    }
}

fn table<'a>(lines: &Lines<'_>, key: &Key, item: &'a Item) -> Result<&'a dyn TableLike, CardError> {
    item.as_table_like().ok_or_else(|| lines.error(key, item, wrong(item, "a table")))
}

/// All keys with their items.
fn keys(table: &dyn TableLike) -> Vec<(&Key, &Item)> {
    table.iter().filter_map(|(name, _)| table.get_key_value(name)).collect()
}
