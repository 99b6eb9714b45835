//! Rules: options for some clips, later rules over earlier ones.

use super::inputs::{Clip, stem};
use crate::exit_code::Failure;
use anyhow::anyhow;
use glob::{MatchOptions, Pattern};
use rebone::{Options, read_text};
use serde::Deserialize;
use serde::de::{Deserializer, Error, IntoDeserializer};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};
use toml_edit::{Document, Item};

/// Options of one clip on one rig.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// Options of the retarget.
    pub(crate) options: Options,
    /// Whether the result is merged into one file with others.
    pub(crate) one_file: bool,
}

impl Settings {
    /// Hashes the options and the program's version.
    pub(crate) fn hash(&self) -> String {
        let options = Options { accept_guesses: false, ..self.options.clone() };
        let text = serde_json::to_vec(&(env!("CARGO_PKG_VERSION"), options));
        super::hash::of(&text.expect("options are JSON"))
    }
}

/// The rules of a file: its `[[clips]]` tables.
#[derive(Debug, Default)]
pub(crate) struct Rules(Vec<Rule>);

/// Options for some clips on some rigs.
#[derive(Debug)]
struct Rule {
    clips: Clips,
    /// Options that the rule states, by name.
    options: Map<String, Value>,
}

/// The clips and rigs of a rule.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Clips {
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

/// Keys of [`Clips`]; all others are options.
const CLIPS_KEYS: [&str; 3] = ["files", "targets", "skip"];

/// One pattern or several.
#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

fn patterns<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Pattern>, D::Error> {
    let texts = match OneOrMore::deserialize(deserializer)? {
        OneOrMore::One(text) => vec![text],
        OneOrMore::More(texts) => texts,
    };
    let pattern = |text: &String| {
        Pattern::new(text).map_err(|error| D::Error::custom(format!("pattern {text:?}: {error}")))
    };
    texts.iter().map(pattern).collect()
}

/// A `*` does not match a `/`, a `**` does.
const BY_FOLDERS: MatchOptions = MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: false,
};

impl Rules {
    /// Reads the rules of a file; none without one.
    pub(crate) fn read(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path else { return Ok(Self::default()) };
        let text = read_text(path, "options")?;
        Ok(Self::parse(&text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            let line = 1 + text[..at.min(text.len())].matches('\n').count();
            let what = error.message().trim().replace('\n', "; ");
            anyhow!("{}:{line}: {what}", path.display())
        })?)
    }

    fn parse(text: &str) -> Result<Self, toml_edit::de::Error> {
        let document = Document::parse(text.to_owned())?;
        let mut rules = Vec::new();
        for (key, item) in document.iter() {
            match item {
                Item::ArrayOfTables(tables) if key == "clips" => {
                    for table in tables {
                        rules.push(Rule::parse(table)?);
                    }
                }
                _ => {
                    let text = format!("unknown field `{key}`, expected `clips`");
                    return Err(toml_edit::de::Error::custom(text));
                }
            }
        }
        Ok(Self(rules))
    }

    /// The settings for a clip on a rig: those of the command line, and the rules over them; `None` where a
    /// rule leaves the clip out.
    pub(crate) fn settings(&self, clip: &Clip, rig: &Path, usual: &Settings) -> Option<Settings> {
        let mut settings = usual.clone();
        for rule in self.0.iter().filter(|rule| rule.clips.holds(clip, rig)) {
            if rule.clips.skip {
                return None;
            }
            settings.options = rule.over(&settings.options);
        }
        Some(settings)
    }

    /// The patterns of rules that hold for no clip on any rig, each as text.
    pub(crate) fn unmatched(&self, clips: &[Clip], rigs: &[PathBuf]) -> Vec<String> {
        let holds = |rule: &&Rule| {
            clips.iter().any(|clip| rigs.iter().any(|rig| rule.clips.holds(clip, rig)))
        };
        let text = |rule: &Rule| {
            let all = rule.clips.files.iter().chain(&rule.clips.targets).map(Pattern::as_str);
            all.collect::<Vec<_>>().join(", ")
        };
        self.0.iter().filter(|rule| !holds(rule)).map(text).collect()
    }
}

impl Rule {
    fn parse(table: &toml_edit::Table) -> Result<Self, toml_edit::de::Error> {
        let (mut clips, mut options) = (table.clone(), table.clone());
        clips.retain(|key, _| CLIPS_KEYS.contains(&key));
        options.retain(|key, _| !CLIPS_KEYS.contains(&key));
        let read = |table: toml_edit::Table| {
            toml_edit::Value::from(table.into_inline_table()).into_deserializer()
        };
        let clips = Clips::deserialize(read(clips))?;
        Options::deserialize(read(options.clone()))?;
        Ok(Self { clips, options: Map::deserialize(read(options))? })
    }

    /// The rule's options over others.
    fn over(&self, options: &Options) -> Options {
        let Ok(Value::Object(mut all)) = serde_json::to_value(options) else {
            unreachable!("options are a JSON object")
        };
        all.extend(self.options.clone());
        serde_json::from_value(Value::Object(all)).expect("the rule was read as options")
    }
}

impl Clips {
    fn holds(&self, clip: &Clip, rig: &Path) -> bool {
        let below = clip.folder.join(clip.path.file_name().unwrap_or_default());
        let fits = |pattern: &Pattern| {
            [&clip.path, &below].iter().any(|path| pattern.matches_path_with(path, BY_FOLDERS))
        };
        let name = stem(rig);
        let of_rig = self.targets.is_empty() || self.targets.iter().any(|p| p.matches(&name));
        of_rig && self.files.iter().any(fits)
    }
}
