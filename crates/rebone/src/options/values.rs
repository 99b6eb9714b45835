//! Options with numbers in them: their text and their bounds.

use rebone_body::ValueError;
use serde::de::{DeserializeOwned, Error as _, IntoDeserializer};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// Goal of a limb: 0 keeps the directions of its bones, 1 the position of its end effector against shoulder or hip,
/// scaled by the limb's length; values between blend both.
///
/// ```
/// use rebone::LimbBlend;
///
/// assert_eq!("position".parse(), Ok(LimbBlend(1.0)));
/// assert_eq!("0.25".parse(), Ok(LimbBlend(0.25)));
/// assert!("2".parse::<LimbBlend>().is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LimbBlend(pub f64);

impl FromStr for LimbBlend {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        let expected = "expected `direction`, `position` or a number from 0 to 1";
        match text {
            "direction" => Ok(Self(0.0)),
            "position" => Ok(Self(1.0)),
            _ => number(text, |blend| (0.0..=1.0).contains(blend), expected).map(Self),
        }
    }
}

impl fmt::Display for LimbBlend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0.0 => f.write_str("direction"),
            1.0 => f.write_str("position"),
            blend => write!(f, "{blend}"),
        }
    }
}

/// Frames of a clip, counted from 0: from `start` up to `end`, not included.
///
/// ```
/// use rebone::FrameRange;
///
/// assert_eq!("10..20".parse(), Ok(FrameRange { start: 10, end: Some(20) }));
/// assert_eq!("10..".parse(), Ok(FrameRange { start: 10, end: None }));
/// assert!("20..10".parse::<FrameRange>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameRange {
    /// First frame.
    pub start: usize,
    /// Frame after the last one; `None` for all frames to the end.
    pub end: Option<usize>,
}

impl FromStr for FrameRange {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        let expected =
            || ValueError("expected A..B, A.. or ..B, with frames counted from 0".to_owned());
        let (start, end) = text.split_once("..").ok_or_else(expected)?;
        let number = |text: &str| text.trim().parse::<usize>().map_err(|_| expected());
        let start = if start.trim().is_empty() { 0 } else { number(start)? };
        let end = if end.trim().is_empty() { None } else { Some(number(end)?) };
        if end.is_some_and(|end| end <= start) {
            return Err(ValueError("holds no frame: B has to be greater than A".to_owned()));
        }
        Ok(Self { start, end })
    }
}

impl fmt::Display for FrameRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..", self.start)?;
        self.end.map_or(Ok(()), |end| write!(f, "{end}"))
    }
}

/// A cycle of a clip: one that is found, or frames of the source's file, the last of which repeats the first.
///
/// ```
/// use rebone::LoopRange;
///
/// assert_eq!("auto".parse(), Ok(LoopRange::Auto));
/// assert_eq!("10..70".parse(), Ok(LoopRange::Frames { first: 10, last: 70 }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopRange {
    /// The frames between which the motion repeats best.
    Auto,
    /// These frames, counted from 0.
    Frames {
        /// First frame.
        first: usize,
        /// Last frame, the pose of which repeats the first.
        last: usize,
    },
}

impl FromStr for LoopRange {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        if text == "auto" {
            return Ok(Self::Auto);
        }
        let expected = "expected auto, or A..B: the first frame, and the one that repeats it; before a file write --loop=auto";
        match text.parse::<FrameRange>() {
            Ok(FrameRange { start: first, end: Some(last) }) => Ok(Self::Frames { first, last }),
            _ => Err(ValueError(expected.to_owned())),
        }
    }
}

impl fmt::Display for LoopRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Frames { first, last } => write!(f, "{first}..{last}"),
        }
    }
}

/// Largest distance of joints in a written glTF animation from the solved result, in world space: its keys are
/// reduced within it.
///
/// ```
/// use rebone::KeyTolerance;
///
/// let tolerance: KeyTolerance = "0.05,1".parse()?;
/// assert_eq!((tolerance.degrees, tolerance.millimetres), (0.05, 1.0));
/// # Ok::<(), rebone::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeyTolerance {
    /// Rotation, in degrees.
    pub degrees: f64,
    /// Translation, in millimetres.
    pub millimetres: f64,
}

impl Default for KeyTolerance {
    fn default() -> Self {
        Self { degrees: 0.01, millimetres: 0.1 }
    }
}

impl FromStr for KeyTolerance {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        let expected = "expected degrees and millimetres, as 0.01,0.1";
        let (degrees, millimetres) =
            text.split_once(',').ok_or_else(|| ValueError(expected.to_owned()))?;
        let number = |text: &str| number(text, |x| x.is_finite() && *x >= 0.0, expected);
        Ok(Self { degrees: number(degrees)?, millimetres: number(millimetres)? })
    }
}

impl fmt::Display for KeyTolerance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.degrees, self.millimetres)
    }
}

#[cfg(feature = "files")]
impl From<KeyTolerance> for rebone_skeleton::gltf::Tolerance {
    fn from(own: KeyTolerance) -> Self {
        Self { angle: own.degrees.to_radians(), length: own.millimetres / 1000.0 }
    }
}

fn number(text: &str, fits: fn(&f64) -> bool, expected: &str) -> Result<f64, ValueError> {
    let number = text.trim().parse::<f64>().ok().filter(fits);
    number.ok_or_else(|| ValueError(expected.to_owned()))
}

/// Reads frames per second: 4 to 1000.
pub(super) fn rate(text: &str) -> Result<f64, ValueError> {
    let expected = format!("found {text}, expected 4 to 1000 frames a second");
    number(text, |rate| (4.0..=1000.0).contains(rate), &expected)
}

/// Reads the standard deviation of a filter, seconds: 0 to 10.
pub(super) fn smoothing(text: &str) -> Result<f64, ValueError> {
    let expected = format!("found {text}, expected 0 to 10 seconds");
    number(text, |seconds| (0.0..=10.0).contains(seconds), &expected)
}

/// Reads a height in units of the source's file: at most 1e9.
pub(super) fn height(text: &str) -> Result<f64, ValueError> {
    let expected = format!("found {text}, expected a number in the unit of the source's file");
    number(text, |height| height.abs() <= 1e9, &expected)
}

/// Reads a number of decimals: 0 to 17.
pub(super) fn decimals(text: &str) -> Result<u8, ValueError> {
    let decimals = text.parse().ok().filter(|decimals| *decimals <= 17);
    decimals.ok_or_else(|| ValueError(format!("found {text}, expected 0 to 17")))
}

/// Serde of values that are text, or numbers that stand for themselves.
macro_rules! as_text {
    ($($name:ty),*) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                read(deserializer, str::parse)
            }
        }
    )*};
}

as_text!(LimbBlend, FrameRange, LoopRange, KeyTolerance);

/// Text, a number or a boolean: what the command line has as text.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a text, a number, true or false")]
enum Word {
    Bool(bool),
    Text(String),
    Whole(i64),
    Number(f64),
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => write!(f, "{value}"),
            Self::Text(text) => f.write_str(text),
            Self::Whole(number) => write!(f, "{number}"),
            // Great numbers with an exponent, not with all their digits.
            Self::Number(number) => write!(f, "{number:?}"),
        }
    }
}

fn read<'de, T, D: Deserializer<'de>>(
    deserializer: D,
    parse: impl FnOnce(&str) -> Result<T, ValueError>,
) -> Result<T, D::Error> {
    let text = Word::deserialize(deserializer)?.to_string();
    parse(&text).map_err(|error| match error.0.starts_with("found") {
        true => D::Error::custom(error),
        false => D::Error::custom(format!("found {text:?}, {error}")),
    })
}

/// Serde of an optional value with bounds: `null` for none.
fn read_option<'de, T, D: Deserializer<'de>>(
    deserializer: D,
    parse: impl FnOnce(&str) -> Result<T, ValueError>,
) -> Result<Option<T>, D::Error> {
    let word = Option::<Word>::deserialize(deserializer)?;
    word.map(|word| parse(&word.to_string()).map_err(D::Error::custom)).transpose()
}

/// Serde of a value with a name: what is no text is refused with the names that there are.
pub(super) fn named<'de, T: DeserializeOwned, D: Deserializer<'de>>(d: D) -> Result<T, D::Error> {
    name_of(&Word::deserialize(d)?)
}

fn name_of<T: DeserializeOwned, E: serde::de::Error>(word: &Word) -> Result<T, E> {
    T::deserialize(word.to_string().into_deserializer())
}

/// Serde of a list of names: also one text with commas, as on the command line.
pub(super) fn names<'de, T: DeserializeOwned, D: Deserializer<'de>>(
    d: D,
) -> Result<Vec<T>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a text, or a list of texts")]
    enum Names {
        One(Word),
        Many(Vec<Word>),
    }
    match Names::deserialize(d)? {
        Names::Many(words) => words.iter().map(name_of).collect(),
        Names::One(word) => {
            let words = word.to_string();
            let words = words.split(',').map(|own| Word::Text(own.trim().to_owned()));
            words.map(|own| name_of(&own)).collect()
        }
    }
}

/// Serde of a switch.
pub(super) fn switch<'de, D: Deserializer<'de>>(d: D) -> Result<bool, D::Error> {
    read(d, |text| text.parse().map_err(|_| ValueError("expected true or false".to_owned())))
}

/// Serde of an optional text, which may look like a number.
pub(super) fn text_option<'de, D: Deserializer<'de>>(d: D) -> Result<Option<String>, D::Error> {
    match Option::<Word>::deserialize(d)? {
        Some(Word::Bool(value)) => {
            Err(D::Error::custom(format!("found {value}, expected a text or a number")))
        }
        word => Ok(word.map(|word| word.to_string())),
    }
}

/// Serde of a cycle: `true` is the best one, `false` none.
pub(super) fn cycle_option<'de, D: Deserializer<'de>>(d: D) -> Result<Option<LoopRange>, D::Error> {
    let Some(word) = Option::<Word>::deserialize(d)? else { return Ok(None) };
    match word.to_string().as_str() {
        "true" => Ok(Some(LoopRange::Auto)),
        "false" => Ok(None),
        text => text.parse().map(Some).map_err(|_| {
            D::Error::custom(format!(
                "found {text:?}, expected true, false, \"auto\", or \"A..B\": the first frame, and the one that repeats it"
            ))
        }),
    }
}

pub(super) fn rate_option<'de, D: Deserializer<'de>>(d: D) -> Result<Option<f64>, D::Error> {
    read_option(d, rate)
}

pub(super) fn height_option<'de, D: Deserializer<'de>>(d: D) -> Result<Option<f64>, D::Error> {
    read_option(d, height)
}

pub(super) fn smoothing_option<'de, D: Deserializer<'de>>(d: D) -> Result<Option<f64>, D::Error> {
    read_option(d, smoothing)
}

pub(super) fn decimals_option<'de, D: Deserializer<'de>>(d: D) -> Result<Option<u8>, D::Error> {
    read_option(d, decimals)
}

/// Serde of a solver by its name.
pub(super) mod solver {
    use super::*;
    use rebone_ik::SolverKind;

    pub(crate) fn serialize<S: Serializer>(kind: &SolverKind, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(kind.name())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<SolverKind, D::Error> {
        read(from, |text| {
            let names = SolverKind::ALL.map(SolverKind::name).join(", ");
            text.parse().map_err(|_| ValueError(format!("expected one of {names}")))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blends_are_names_or_numbers_in_range() {
        for (text, expected) in
            [("direction", Some(0.0)), ("position", Some(1.0)), ("0.25", Some(0.25))]
        {
            assert_eq!(text.parse().ok(), expected.map(LimbBlend), "{text}");
        }
        for text in ["1.5", "-0.1", "nan", "inf", "", "both"] {
            assert!(text.parse::<LimbBlend>().is_err(), "{text}");
        }
    }

    #[test]
    fn tolerances_are_two_numbers() {
        let read: KeyTolerance = "90, 2".parse().unwrap();
        assert_eq!((read.degrees, read.millimetres), (90.0, 2.0));
        for text in ["1", "1,", "-1,0", "nan,1", "1,2,3"] {
            assert!(text.parse::<KeyTolerance>().is_err(), "{text}");
        }
    }

    #[test]
    fn frame_ranges_are_half_open_and_never_empty() {
        let range = |start, end| Ok(FrameRange { start, end });
        assert_eq!("10..20".parse(), range(10, Some(20)));
        assert_eq!("10..".parse(), range(10, None));
        assert_eq!("..20".parse(), range(0, Some(20)));
        assert_eq!("..".parse(), range(0, None));
        for text in ["20..10", "5..5", "..0", "5", "a..b", "-1..3", "1..=3"] {
            assert!(text.parse::<FrameRange>().is_err(), "{text}");
        }
    }
}
