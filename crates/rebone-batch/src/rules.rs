//! Rules: options for some clips, later rules over earlier ones.

use crate::error::BatchError;
use crate::input_clip::{InputClip, stem};
use crate::patterns::BY_FOLDERS;
use crate::place::check_regular;
use glob::Pattern;
use rebone::{Options, read_text};
use serde::Deserialize;
use serde::de::{Deserializer, Error, IntoDeserializer};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};
use toml_edit::{Document, Item};

/// Rules of a file: its `[[clips]]` tables.
#[derive(Debug, Default)]
pub(crate) struct OptionRules(Vec<OptionRule>);

/// Options for some clips on some rigs.
#[derive(Debug)]
struct OptionRule {
    scope: RuleScope,
    /// Options that the rule states, by name.
    options: Map<String, Value>,
}

/// Clips and rigs of a rule.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RuleScope {
    /// Patterns for the path of a clip, as it is found or below its input.
    #[serde(deserialize_with = "patterns")]
    files: Vec<Pattern>,
    /// Patterns for the names of rigs, without extensions; all if there are none.
    #[serde(default, deserialize_with = "patterns")]
    targets: Vec<Pattern>,
    /// Leaves the clips out.
    #[serde(default)]
    skip: bool,
}

/// Keys of [`RuleScope`]; all others are options.
const SCOPE_KEYS: [&str; 3] = ["files", "targets", "skip"];

/// One pattern or several.
#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

fn patterns<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Pattern>, D::Error> {
    let texts = match OneOrMany::deserialize(deserializer)? {
        OneOrMany::One(text) => vec![text],
        OneOrMany::Many(texts) => texts,
    };
    let pattern = |text: &String| {
        Pattern::new(text).map_err(|error| D::Error::custom(format!("pattern {text:?}: {error}")))
    };
    texts.iter().map(pattern).collect()
}

impl OptionRules {
    /// Reads the rules of a file; none without one.
    pub(crate) fn read(path: Option<&Path>) -> Result<Self, BatchError> {
        let Some(path) = path else { return Ok(Self::default()) };
        if path.exists() {
            check_regular(path)?;
        }
        let text = read_text(path, "options")?;
        Self::parse(&text).map_err(|(at, what)| {
            let line = 1 + text[..at.min(text.len())].matches('\n').count();
            BatchError::Input(format!("{}:{line}: {what}", path.display()))
        })
    }

    /// Reads the rules of a text; an error has the byte that it is about.
    fn parse(text: &str) -> Result<Self, (usize, String)> {
        let fault = |error: toml_edit::de::Error| {
            let what = error.message().trim().replace('\n', "; ");
            (error.span().map_or(0, |span| span.start), what)
        };
        let document = Document::parse(text.to_owned()).map_err(|error| fault(error.into()))?;
        let mut rules: Vec<OptionRule> = Vec::new();
        for (key, item) in document.iter() {
            match item {
                Item::ArrayOfTables(tables) if key == "clips" => {
                    for table in tables {
                        let rule = OptionRule::parse(table).map_err(fault)?;
                        if let Some(what) = rule.without_effect() {
                            return Err((table.span().map_or(0, |span| span.start), what));
                        }
                        rules.push(rule);
                    }
                }
                _ => {
                    let text = format!("unknown field `{key}`, expected `clips`");
                    return Err((item.span().map_or(0, |span| span.start), text));
                }
            }
        }
        match rules.is_empty() {
            true => Err((0, "the file has no effect: expected a [[clips]] table".to_owned())),
            false => Ok(Self(rules)),
        }
    }

    /// Options for a clip on a rig: the usual ones with all rules over them; `None` where a rule leaves the clip out.
    pub(crate) fn options(&self, clip: &InputClip, rig: &Path, usual: &Options) -> Option<Options> {
        let mut options = usual.clone();
        for rule in self.0.iter().filter(|rule| rule.scope.holds(clip, rig)) {
            if rule.scope.skip {
                return None;
            }
            options = rule.over(&options);
        }
        Some(options)
    }

    /// Patterns of the rules that hold for no clip on any rig, as text.
    pub(crate) fn unmatched(&self, clips: &[InputClip], rigs: &[PathBuf]) -> Vec<String> {
        let holds = |rule: &&OptionRule| {
            clips.iter().any(|clip| rigs.iter().any(|rig| rule.scope.holds(clip, rig)))
        };
        let text = |rule: &OptionRule| {
            let all = rule.scope.files.iter().chain(&rule.scope.targets).map(Pattern::as_str);
            all.collect::<Vec<_>>().join(", ")
        };
        self.0.iter().filter(|rule| !holds(rule)).map(text).collect()
    }
}

impl OptionRule {
    /// Returns why a table changes nothing.
    fn without_effect(&self) -> Option<String> {
        match (self.options.keys().next(), self.scope.skip) {
            (None, false) => {
                Some("the table has no effect: expected an option, or skip = true".to_owned())
            }
            (Some(name), true) => {
                Some(format!("{name} has no effect: skip = true leaves the clips out"))
            }
            _ => None,
        }
    }

    fn parse(table: &toml_edit::Table) -> Result<Self, toml_edit::de::Error> {
        let (mut scope, mut options) = (table.clone(), table.clone());
        scope.retain(|key, _| SCOPE_KEYS.contains(&key));
        options.retain(|key, _| !SCOPE_KEYS.contains(&key));
        let read = |table: toml_edit::Table| {
            toml_edit::Value::from(table.into_inline_table()).into_deserializer()
        };
        let scope = RuleScope::deserialize(read(scope))?;
        Options::deserialize(read(options.clone()))?;
        Ok(Self { scope, options: Map::deserialize(read(options))? })
    }

    /// Puts the rule's options over others.
    fn over(&self, options: &Options) -> Options {
        let Ok(Value::Object(mut all)) = serde_json::to_value(options) else {
            unreachable!("options are a JSON object")
        };
        all.extend(self.options.clone());
        serde_json::from_value(Value::Object(all)).expect("the rule was read as options")
    }
}

impl RuleScope {
    fn holds(&self, clip: &InputClip, rig: &Path) -> bool {
        let below = clip.folder.join(clip.path.file_name().unwrap_or_default());
        let fits = |pattern: &Pattern| {
            let mut paths = [&clip.path, &below].into_iter();
            paths.any(|path| pattern.matches_with(&path.to_string_lossy(), BY_FOLDERS))
        };
        let name = stem(rig).to_string_lossy();
        let of_rig = self.targets.is_empty() || self.targets.iter().any(|p| p.matches(&name));
        of_rig && self.files.iter().any(fits)
    }
}
