//! The values of options, and how they are written.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use rebone::SolverKind;
use rebone::body::Expected;
use rebone::card;
use rebone::skeleton::gltf::Tolerance;
use std::fmt;
use std::str::FromStr;

/// How much a limb keeps the place of its end: 0 only directions of bones, 1 only the place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Blend(pub f64);

/// Frames from `start`, up to but without `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FrameRange {
    /// The first frame.
    pub(crate) start: usize,
    /// The frame behind the last one; `None` for all that there are.
    pub(crate) end: Option<usize>,
}

/// One of the two files of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// Where the motion comes from.
    Source,
    /// Where it goes.
    Target,
}

/// A value said of one of the two files.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stated<T> {
    /// Of which.
    pub(crate) of: Which,
    /// What.
    pub(crate) value: T,
}

impl fmt::Display for Blend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0.0 => f.write_str("direction"),
            1.0 => f.write_str("position"),
            blend => write!(f, "{blend}"),
        }
    }
}

/// `direction`, `position`, or a number from 0 to 1.
pub(crate) fn blend(text: &str) -> Result<Blend, String> {
    let number = match text {
        "direction" => Some(0.0),
        "position" => Some(1.0),
        _ => text.parse().ok().filter(|number| (0.0..=1.0).contains(number)),
    };
    number
        .map(Blend)
        .ok_or_else(|| "expected `direction`, `position` or a number from 0 to 1".to_owned())
}

/// `A..B`, `A..` or `..B`.
pub(crate) fn frame_range(text: &str) -> Result<FrameRange, String> {
    let expected = || "expected A..B, A.. or ..B, with frames counted from 0".to_owned();
    let (start, end) = text.split_once("..").ok_or_else(expected)?;
    let number = |text: &str| text.trim().parse::<usize>().map_err(|_| expected());
    let start_frame = if start.trim().is_empty() { 0 } else { number(start)? };
    let end_frame = if end.trim().is_empty() { None } else { Some(number(end)?) };
    if end_frame.is_some_and(|end| end <= start_frame) {
        return Err("holds no frame: B has to be greater than A".to_owned());
    }
    Ok(FrameRange { start: start_frame, end: end_frame })
}

/// `DEG,MM`: degrees and millimetres.
pub(super) fn tolerance(text: &str) -> Result<Tolerance, String> {
    let expected = || "expected degrees and millimetres, as 0.01,0.1".to_owned();
    let (angle, length) = text.split_once(',').ok_or_else(expected)?;
    let number = |text: &str| {
        let number = text.trim().parse::<f64>().ok().filter(|x| x.is_finite() && *x >= 0.0);
        number.ok_or_else(expected)
    };
    Ok(Tolerance { angle: number(angle)?.to_radians(), length: number(length)? / 1000.0 })
}

/// What a card says in the same words.
pub(super) fn as_in_cards<T: FromStr<Err = Expected>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: Expected| error.to_string())
}

/// Metres a unit.
pub(super) fn unit(text: &str) -> Result<f64, String> {
    card::metres(text).map_err(|error| error.to_string())
}

/// A height.
pub(crate) fn height(text: &str) -> Result<f64, String> {
    let height = text.parse::<f64>().ok().filter(|height| height.abs() <= 1e9);
    height
        .ok_or_else(|| format!("found {text}, expected a number in the unit of the source's file"))
}

/// Frames a second.
pub(crate) fn rate(text: &str) -> Result<f64, String> {
    let rate = text.parse::<f64>().ok().filter(|rate| (4.0..=1000.0).contains(rate));
    rate.ok_or_else(|| format!("found {text}, expected 4 to 1000 frames a second"))
}

/// A number to count with.
pub(super) fn number(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "expected a number, counted from 0".to_owned())
}

/// A solver by its name.
pub(super) fn method() -> impl TypedValueParser<Value = SolverKind> {
    PossibleValuesParser::new(SolverKind::ALL.map(SolverKind::name))
        .try_map(|name| name.parse::<SolverKind>())
}

/// A value for the source, or behind `source=` or `target=` for the one that is named.
pub(super) fn stated<T: Clone + Send + Sync + 'static>(
    parse: fn(&str) -> Result<T, String>,
) -> impl Fn(&str) -> Result<Stated<T>, String> + Clone + Send + Sync + 'static {
    move |text| {
        let (of, value) = if let Some(value) = text.strip_prefix("target=") {
            (Which::Target, value)
        } else {
            (Which::Source, text.strip_prefix("source=").unwrap_or(text))
        };
        parse(value).map(|value| Stated { of, value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebone::body::SignedAxis;
    use rebone::skeleton::Axis;

    #[test]
    fn blends_are_names_or_numbers_in_range() {
        for (text, expected) in
            [("direction", Some(0.0)), ("position", Some(1.0)), ("0.25", Some(0.25))]
        {
            assert_eq!(blend(text).ok(), expected.map(Blend), "{text}");
        }
        for text in ["1.5", "-0.1", "nan", "inf", "", "both"] {
            assert!(blend(text).is_err(), "{text}");
        }
    }

    #[test]
    fn tolerances_are_two_numbers() {
        let read = tolerance("90, 2").unwrap();
        assert_eq!((read.angle, read.length), (std::f64::consts::FRAC_PI_2, 0.002));
        for text in ["1", "1,", "-1,0", "nan,1", "1,2,3"] {
            assert!(tolerance(text).is_err(), "{text}");
        }
    }

    #[test]
    fn frame_ranges_are_half_open_and_never_empty() {
        let range = |start, end| Ok(FrameRange { start, end });
        assert_eq!(frame_range("10..20"), range(10, Some(20)));
        assert_eq!(frame_range("10.."), range(10, None));
        assert_eq!(frame_range("..20"), range(0, Some(20)));
        assert_eq!(frame_range(".."), range(0, None));
        for text in ["20..10", "5..5", "..0", "5", "a..b", "-1..3", "1..=3"] {
            assert!(frame_range(text).is_err(), "{text}");
        }
    }

    #[test]
    fn values_are_said_of_the_source_unless_they_name_the_target() {
        let up = stated(as_in_cards::<SignedAxis>);
        let z = SignedAxis { axis: Axis::Z, negative: true };
        assert_eq!(up("-z"), Ok(Stated { of: Which::Source, value: z }));
        assert_eq!(up("source=-Z"), Ok(Stated { of: Which::Source, value: z }));
        assert_eq!(up("target=-z"), Ok(Stated { of: Which::Target, value: z }));
        assert!(up("target=").is_err() && up("--z").is_err());
    }
}
