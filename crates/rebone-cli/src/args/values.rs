//! Values of options.

use clap::builder::{PathBufValueParser, PossibleValuesParser, TypedValueParser};
use rebone::Method;
use rebone::ValueError;
use rebone::body::Side;
use rebone::card;
use rebone::skeleton::Format;
use std::path::PathBuf;
use std::str::FromStr;

/// One of the two files of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// The file with the motion.
    Source,
    /// The file to animate.
    Target,
}

impl Which {
    /// Its name in messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Target => "target",
        }
    }
}

/// A value for one of the two files.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stated<T> {
    /// The file.
    pub(crate) of: Which,
    /// The value.
    pub(crate) value: T,
}

/// A value that is written as in cards.
pub(super) fn as_in_cards<T: FromStr<Err = ValueError>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: ValueError| error.to_string())
}

/// Metres per unit.
pub(super) fn unit(text: &str) -> Result<f64, String> {
    card::metres(text).map_err(|error| error.to_string())
}

/// Path of a card of the source; other options name the target before their value.
pub(super) fn source_card() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path.to_string_lossy().strip_prefix("target=") {
        Some(card) => Err(format!("a card of the target is stated with --target-card {card}")),
        None => Ok(path),
    })
}

/// A number, counted from 0.
pub(super) fn number(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "expected a number, counted from 0".to_owned())
}

/// A text of at least one character.
pub(super) fn text(text: &str) -> Result<String, String> {
    match text {
        "" => Err("expected a name".to_owned()),
        text => Ok(text.to_owned()),
    }
}

/// A frame in which a foot stands flat on the floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StandingFrame {
    /// One that is found.
    Auto,
    /// This one, counted from 0.
    Number(usize),
}

/// A foot, and a frame in which it stands flat on the floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StandingFoot {
    /// The foot; `None` for both.
    side: Option<Side>,
    frame: StandingFrame,
}

impl StandingFoot {
    /// The frames of the left and of the right foot; one for both holds for a foot that no other names.
    ///
    /// # Errors
    /// When two frames are given for one foot, or for both.
    pub(crate) fn frames(values: &[Self]) -> Result<[Option<StandingFrame>; 2], String> {
        let of = |side: Option<Side>| values.iter().filter(move |own| own.side == side);
        for side in [None, Some(Side::Left), Some(Side::Right)] {
            if of(side).count() > 1 {
                let foot = side.map_or("both feet".to_owned(), |side| format!("the {side} foot"));
                return Err(format!("--level-feet is given twice for {foot}"));
            }
        }
        let frame = |side: Side| of(Some(side)).chain(of(None)).next().map(|own| own.frame);
        Ok(Side::BOTH.map(frame))
    }
}

/// A frame in which both feet stand, or the one that `left=` or `right=` before it names.
pub(super) fn standing_foot(text: &str) -> Result<StandingFoot, String> {
    let of = |side: Side| Some((Some(side), text.strip_prefix(&format!("{side}="))?));
    let (side, frame) = Side::BOTH.into_iter().find_map(of).unwrap_or((None, text));
    let frame = match frame {
        "auto" => StandingFrame::Auto,
        frame => StandingFrame::Number(frame.parse().map_err(|_| {
            "expected auto, or a number, counted from 0; left= or right= before it for one foot"
        })?),
    };
    Ok(StandingFoot { side, frame })
}

/// A grade of a result, or `NONE` where there is no result.
pub(super) fn grade_word() -> impl TypedValueParser<Value = String> {
    PossibleValuesParser::new(["PASS", "LOOK", "FAIL", "NONE"]).map(|word| word.to_uppercase())
}

/// A side of the body.
pub(super) fn side() -> impl TypedValueParser<Value = Side> {
    PossibleValuesParser::new(["left", "right"]).map(|name| match name.as_str() {
        "left" => Side::Left,
        _ => Side::Right,
    })
}

/// A method that copies rotations.
pub(super) fn copy_method() -> impl TypedValueParser<Value = Method> {
    PossibleValuesParser::new(["copy", "bind"]).map(|name| match name.as_str() {
        "bind" => Method::Bind,
        _ => Method::Copy,
    })
}

/// A format of results, by the end of their names.
pub(super) fn format() -> impl TypedValueParser<Value = Format> {
    let names = PossibleValuesParser::new(["bvh", "glb", "gltf", "vrm", "vrma", "npz"]);
    names.map(|name| Format::of_name(format!("clip.{name}")).expect("the names are of formats"))
}

/// A value for the source, or for the file that `source=` or `target=` before it names.
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
    fn values_are_for_the_source_unless_they_name_the_target() {
        let up = stated(as_in_cards::<SignedAxis>);
        let z = SignedAxis { axis: Axis::Z, negative: true };
        assert_eq!(up("-z"), Ok(Stated { of: Which::Source, value: z }));
        assert_eq!(up("source=-Z"), Ok(Stated { of: Which::Source, value: z }));
        assert_eq!(up("target=-z"), Ok(Stated { of: Which::Target, value: z }));
        assert!(up("target=").is_err() && up("--z").is_err());
    }

    #[test]
    fn frames_are_for_both_feet_unless_they_name_one() {
        let frames = |texts: &[&str]| {
            let values: Vec<_> = texts.iter().map(|text| standing_foot(text).unwrap()).collect();
            StandingFoot::frames(&values).unwrap()
        };
        assert_eq!(frames(&[]), [None; 2]);
        let number = |frame| Some(StandingFrame::Number(frame));
        assert_eq!(frames(&["7"]), [number(7); 2]);
        assert_eq!(frames(&["left=0"]), [number(0), None]);
        assert_eq!(frames(&["7", "right=12"]), [number(7), number(12)]);
        assert_eq!(frames(&["right=12", "7"]), [number(7), number(12)]);
        assert_eq!(frames(&["auto", "right=12"]), [Some(StandingFrame::Auto), number(12)]);
        for texts in [["7", "8"], ["left=7", "left=7"]] {
            let values = texts.map(|text| standing_foot(text).unwrap());
            assert!(StandingFoot::frames(&values).is_err(), "{texts:?}");
        }
        for text in ["", "left", "left=", "up=3", "-1", "left=-1", "1e3", "99999999999999999999"] {
            assert!(standing_foot(text).is_err(), "{text}");
        }
    }
}
