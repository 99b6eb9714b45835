//! Rules: options for some clips, later rules over earlier ones.

use crate::disk::place::check_regular;
use crate::error::BatchError;
use crate::find::character_rules::{CharacterRules, is_matched};
use crate::find::input_clip::{InputClip, stem};
use crate::jobs::names::NameTemplate;
use glob::Pattern;
use rebone::{CharacterChoice, Options, read_text};
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
    /// Names of the results.
    #[serde(default, deserialize_with = "template")]
    name: Option<NameTemplate>,
    /// Character of a glTF with several, by one of its skins.
    skin: Option<usize>,
    /// Character of a file with several, by its root joint.
    joint: Option<String>,
}

/// Keys of [`RuleScope`]; all others are options.
const SCOPE_KEYS: [&str; 6] = ["files", "targets", "skip", "name", "skin", "joint"];

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

fn template<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<NameTemplate>, D::Error> {
    String::deserialize(deserializer)?.parse().map(Some).map_err(D::Error::custom)
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
            let what = what.replace("expected a boolean", "expected true or false");
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

    /// Characters that the rules choose in files of clips, over the usual one.
    pub(crate) fn characters(&self, usual: &CharacterChoice) -> CharacterRules {
        let rules = self.0.iter().map(|rule| (rule.scope.files.clone(), rule.scope.character()));
        let rules = rules.filter(|(_, own)| !own.is_none()).collect();
        CharacterRules { usual: usual.clone(), rules }
    }

    /// Names of the results of a clip on a rig: the usual ones, unless a rule states others.
    pub(crate) fn name<'a>(&'a self, clip: &InputClip, rig: &Path) -> Option<&'a NameTemplate> {
        let rules = self.0.iter().rev().filter(|rule| rule.scope.holds(clip, rig));
        rules.filter_map(|rule| rule.scope.name.as_ref()).next()
    }

    /// Says of the rules that hold for no clip on any rig which of their patterns match nothing.
    pub(crate) fn unmatched(&self, clips: &[InputClip], rigs: &[PathBuf]) -> Vec<String> {
        self.0.iter().flat_map(|rule| rule.scope.unmatched(clips, rigs)).collect()
    }
}

impl OptionRule {
    /// Returns why a table changes nothing.
    fn without_effect(&self) -> Option<String> {
        let chooses = !self.scope.character().is_none();
        if chooses && !self.scope.targets.is_empty() {
            return Some(
                "skin and joint have no effect with targets: a clip is read once for all rigs"
                    .to_owned(),
            );
        }
        if self.scope.skin.is_some() && self.scope.joint.is_some() {
            return Some("joint has no effect: skin chooses the character".to_owned());
        }
        match (self.options.keys().next(), self.scope.skip) {
            (None, false) if !chooses && self.scope.name.is_none() => {
                Some("the table has no effect: expected an option, or skip = true".to_owned())
            }
            (None, true) if self.scope.name.is_some() => {
                Some("name has no effect: skip = true leaves the clips out".to_owned())
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
        self.holds_on(rig) && is_matched(&self.files, &clip.path, &clip.folder)
    }

    fn holds_on(&self, rig: &Path) -> bool {
        let name = stem(rig).to_string_lossy();
        self.targets.is_empty() || self.targets.iter().any(|pattern| pattern.matches(&name))
    }

    /// Says which patterns match no clip, or no rig.
    fn unmatched(&self, clips: &[InputClip], rigs: &[PathBuf]) -> Vec<String> {
        let [files, targets] = [&self.files, &self.targets]
            .map(|own| own.iter().map(Pattern::as_str).collect::<Vec<_>>().join(", "));
        let mut found = Vec::new();
        if !clips.iter().any(|clip| is_matched(&self.files, &clip.path, &clip.folder)) {
            found.push(format!(
                "the options for {files} hold for no clip: a * does not go beyond a folder, a ** does"
            ));
        }
        if !rigs.iter().any(|rig| self.holds_on(rig)) {
            let names: Vec<_> = rigs.iter().map(|rig| stem(rig).to_string_lossy()).collect();
            found.push(format!(
                "the options for {files} hold for no rig: targets = {targets:?}, but the {} {}",
                if names.len() == 1 { "rig is" } else { "rigs are" },
                names.join(", ")
            ));
        }
        found
    }

    fn character(&self) -> CharacterChoice {
        CharacterChoice { skin: self.skin, joint: self.joint.clone() }
    }
}
