//! The values of options, and how they are written.

use std::fmt;
use std::path::PathBuf;

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

/// A pose in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PoseFrom {
    /// The file.
    pub(crate) file: PathBuf,
    /// The frame, counted from 0; `None` for the rest pose.
    pub(crate) frame: Option<usize>,
}

/// A coordinate axis, one way or the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SignedAxis {
    /// 0, 1, 2 for X, Y, Z.
    pub(crate) index: usize,
    /// True for the opposite direction.
    pub(crate) negative: bool,
}

/// Metres a unit of length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Unit(pub f64);

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

impl fmt::Display for SignedAxis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.negative { "-" } else { "" };
        write!(f, "{sign}{}", ["x", "y", "z"][self.index.min(2)])
    }
}

/// `direction`, `position`, or a number from 0 to 1.
pub(super) fn blend(text: &str) -> Result<Blend, String> {
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
pub(super) fn frame_range(text: &str) -> Result<FrameRange, String> {
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

/// `FILE` or `FILE:FRAME`.
pub(super) fn pose_from(text: &str) -> Result<PoseFrom, String> {
    let (file, frame) = match text.rsplit_once(':') {
        Some((file, frame)) if frame.parse::<usize>().is_ok() => (file, frame.parse().ok()),
        _ => (text, None),
    };
    if file.is_empty() {
        return Err("expected FILE or FILE:FRAME".to_owned());
    }
    Ok(PoseFrom { file: PathBuf::from(file), frame })
}

/// `x`, `+x`, `-x` and so on.
pub(super) fn axis(text: &str) -> Result<SignedAxis, String> {
    let (negative, name) = match text.strip_prefix('-') {
        Some(name) => (true, name),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let index = ["x", "y", "z"].iter().position(|axis| name.eq_ignore_ascii_case(axis));
    index
        .map(|index| SignedAxis { index, negative })
        .ok_or_else(|| "expected x, y, z, -x, -y or -z".to_owned())
}

/// A name of a unit, or metres a unit.
pub(super) fn unit(text: &str) -> Result<Unit, String> {
    let metres = match text.to_ascii_lowercase().as_str() {
        "m" | "metre" | "meter" => Some(1.0),
        "dm" => Some(0.1),
        "cm" => Some(0.01),
        "mm" => Some(0.001),
        "in" | "inch" => Some(0.0254),
        "ft" | "foot" => Some(0.3048),
        number => number.parse().ok().filter(|metres: &f64| metres.is_finite() && *metres > 0.0),
    };
    metres.map(Unit).ok_or_else(|| "expected m, cm, mm, inch, foot or metres a unit".to_owned())
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
    fn poses_come_from_a_file_and_a_frame() {
        let pose = |file: &str, frame| Ok(PoseFrom { file: file.into(), frame });
        assert_eq!(pose_from("a.bvh"), pose("a.bvh", None));
        assert_eq!(pose_from("a.bvh:12"), pose("a.bvh", Some(12)));
        assert_eq!(pose_from("C:\\clips\\a.bvh"), pose("C:\\clips\\a.bvh", None));
        assert_eq!(pose_from("C:\\clips\\a.bvh:3"), pose("C:\\clips\\a.bvh", Some(3)));
        assert!(pose_from("").is_err() && pose_from(":3").is_err());
    }

    #[test]
    fn values_are_said_of_the_source_unless_they_name_the_target() {
        let up = stated(axis);
        let z = SignedAxis { index: 2, negative: true };
        assert_eq!(up("-z"), Ok(Stated { of: Which::Source, value: z }));
        assert_eq!(up("source=-Z"), Ok(Stated { of: Which::Source, value: z }));
        assert_eq!(up("target=-z"), Ok(Stated { of: Which::Target, value: z }));
        assert!(up("target=").is_err() && up("--z").is_err());
    }

    #[test]
    fn units_are_names_or_metres() {
        assert_eq!(unit("CM"), Ok(Unit(0.01)));
        assert_eq!(unit("0.0564"), Ok(Unit(0.0564)));
        for text in ["0", "-1", "nan", "inf", "parsec"] {
            assert!(unit(text).is_err(), "{text}");
        }
    }
}
