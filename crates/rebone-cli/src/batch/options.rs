//! Options clip by clip: rules in a small file, later ones over earlier ones.

use super::inputs::{Clip, stem};
use crate::args::{
    Blend, ContactDetector, Contacts, FrameRange, LeadingPose, Limits, Method, RootMotion,
    TravelScale, Wishes, Written, values,
};
use crate::exit_code::Failure;
use crate::paths::read_text;
use clap::ValueEnum;
use glob::{MatchOptions, Pattern};
use rebone::SolverKind;
use serde::Deserialize;
use serde::de::{Deserializer, Error};
use std::path::{Path, PathBuf};

/// How one clip is retargeted onto one rig.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// What the result should be like.
    pub(crate) wishes: Wishes,
    /// Which frames to use.
    pub(crate) frames: Option<FrameRange>,
    /// How results are written.
    pub(crate) written: Written,
    /// Whether it is a part of one file for all clips.
    pub(crate) one_file: bool,
}

/// The rules of a file: `[[clips]]` tables.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rules {
    #[serde(default)]
    clips: Vec<Rule>,
}

/// What holds for some clips.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Rule {
    /// Patterns for the path of a clip, as it is found or below its input.
    #[serde(deserialize_with = "patterns")]
    files: Vec<Pattern>,
    /// Patterns for the names of rigs, without ends; all if there are none.
    #[serde(default, deserialize_with = "patterns")]
    targets: Vec<Pattern>,
    /// Leaves the clips out.
    #[serde(default)]
    skip: bool,
    #[serde(default, deserialize_with = "text::<Blend, _>")]
    limbs: Option<Blend>,
    #[serde(default, deserialize_with = "text::<Blend, _>")]
    arms: Option<Blend>,
    #[serde(default, deserialize_with = "text::<Blend, _>")]
    legs: Option<Blend>,
    #[serde(default, deserialize_with = "chosen::<Limits, _>")]
    limits: Option<Limits>,
    #[serde(default, deserialize_with = "chosen::<Method, _>")]
    method: Option<Method>,
    #[serde(default, deserialize_with = "text::<SolverKind, _>")]
    solver: Option<SolverKind>,
    #[serde(default, deserialize_with = "chosen::<Contacts, _>")]
    contacts: Option<Contacts>,
    #[serde(default, deserialize_with = "chosen::<ContactDetector, _>")]
    contact_detector: Option<ContactDetector>,
    #[serde(default, deserialize_with = "height")]
    floor: Option<f64>,
    #[serde(default, deserialize_with = "chosen::<RootMotion, _>")]
    root: Option<RootMotion>,
    #[serde(default, deserialize_with = "chosen::<TravelScale, _>")]
    travel: Option<TravelScale>,
    #[serde(default, deserialize_with = "rate")]
    fps: Option<f64>,
    ground: Option<bool>,
    #[serde(default, deserialize_with = "chosen::<LeadingPose, _>")]
    leading_pose: Option<LeadingPose>,
    #[serde(default, deserialize_with = "text::<FrameRange, _>")]
    frames: Option<FrameRange>,
    #[serde(default, deserialize_with = "decimals")]
    decimals: Option<u8>,
}

/// A value as the command line says it.
trait Said: Sized {
    fn read(text: &str) -> Result<Self, String>;
}

impl Said for Blend {
    fn read(text: &str) -> Result<Self, String> {
        values::blend(text)
    }
}

impl Said for FrameRange {
    fn read(text: &str) -> Result<Self, String> {
        values::frame_range(text)
    }
}

impl Said for SolverKind {
    fn read(text: &str) -> Result<Self, String> {
        let names = SolverKind::ALL.map(SolverKind::name).join(", ");
        text.parse().map_err(|_| format!("expected one of {names}"))
    }
}

fn choice<T: ValueEnum>(text: &str) -> Result<T, String> {
    let name = |value: &T| Some(value.to_possible_value()?.get_name().to_owned());
    let names: Vec<String> = T::value_variants().iter().filter_map(name).collect();
    T::from_str(text, false).map_err(|_| format!("expected one of {}", names.join(", ")))
}

/// Text, or a number that stands for itself (`limbs = 0.5`).
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a text or a number")]
enum Word {
    Text(String),
    Whole(i64),
    Number(f64),
}

fn text<'de, T: Said, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    said(deserializer, T::read)
}

fn chosen<'de, T: ValueEnum, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    said(deserializer, choice)
}

fn said<'de, T, D: Deserializer<'de>>(
    deserializer: D,
    read: impl FnOnce(&str) -> Result<T, String>,
) -> Result<Option<T>, D::Error> {
    let text = match Word::deserialize(deserializer)? {
        Word::Text(text) => text,
        Word::Whole(number) => number.to_string(),
        Word::Number(number) => number.to_string(),
    };
    read(&text).map(Some).map_err(|why| D::Error::custom(format!("found {text:?}, {why}")))
}

fn decimals<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u8>, D::Error> {
    let decimals = u8::deserialize(deserializer)?;
    match decimals {
        0..=17 => Ok(Some(decimals)),
        _ => Err(D::Error::custom(format!("found {decimals}, expected 0 to 17"))),
    }
}

fn rate<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let rate = f64::deserialize(deserializer)?;
    values::rate(&rate.to_string()).map(Some).map_err(D::Error::custom)
}

fn height<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let height = f64::deserialize(deserializer)?;
    values::height(&height.to_string()).map(Some).map_err(D::Error::custom)
}

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

/// A `*` does not go beyond a folder, a `**` does.
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
        toml_edit::de::from_str(&text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            let line = 1 + text[..at.min(text.len())].matches('\n').count();
            let what = error.message().trim().replace('\n', "; ");
            anyhow::anyhow!("{}:{line}: {what}", path.display()).into()
        })
    }

    /// The settings for a clip on a rig: those of the command line, and the rules over them; `None` where a
    /// rule leaves the clip out.
    pub(crate) fn settings(&self, clip: &Clip, rig: &Path, usual: &Settings) -> Option<Settings> {
        let mut settings = usual.clone();
        for rule in self.clips.iter().filter(|rule| rule.holds(clip, rig)) {
            if rule.skip {
                return None;
            }
            rule.apply(&mut settings);
        }
        Some(settings)
    }

    /// The patterns of rules that hold for no clip on any rig, each as text.
    pub(crate) fn idle(&self, clips: &[Clip], rigs: &[PathBuf]) -> Vec<String> {
        let holds =
            |rule: &Rule| clips.iter().any(|clip| rigs.iter().any(|rig| rule.holds(clip, rig)));
        let text = |rule: &Rule| {
            let all = rule.files.iter().chain(&rule.targets).map(Pattern::as_str);
            all.collect::<Vec<_>>().join(", ")
        };
        self.clips.iter().filter(|rule| !holds(rule)).map(text).collect()
    }
}

impl Rule {
    fn holds(&self, clip: &Clip, rig: &Path) -> bool {
        let below = clip.folder.join(clip.path.file_name().unwrap_or_default());
        let fits = |pattern: &Pattern| {
            [&clip.path, &below].iter().any(|path| pattern.matches_path_with(path, BY_FOLDERS))
        };
        let name = stem(rig);
        let of_rig = self.targets.is_empty() || self.targets.iter().any(|p| p.matches(&name));
        of_rig && self.files.iter().any(fits)
    }

    fn apply(&self, settings: &mut Settings) {
        let Settings { wishes, frames, written, .. } = settings;
        wishes.limbs = self.limbs.unwrap_or(wishes.limbs);
        wishes.arms = self.arms.or(wishes.arms);
        wishes.legs = self.legs.or(wishes.legs);
        wishes.limits = self.limits.unwrap_or(wishes.limits);
        wishes.method = self.method.unwrap_or(wishes.method);
        wishes.solver = self.solver.unwrap_or(wishes.solver);
        wishes.contacts = self.contacts.unwrap_or(wishes.contacts);
        wishes.contact_detector = self.contact_detector.unwrap_or(wishes.contact_detector);
        wishes.floor = self.floor.or(wishes.floor);
        wishes.root = self.root.unwrap_or(wishes.root);
        wishes.travel = self.travel.unwrap_or(wishes.travel);
        wishes.fps = self.fps.or(wishes.fps);
        wishes.ground = self.ground.unwrap_or(wishes.ground);
        wishes.leading_pose = self.leading_pose.unwrap_or(wishes.leading_pose);
        *frames = self.frames.or(*frames);
        written.decimals = self.decimals.or(written.decimals);
    }
}
