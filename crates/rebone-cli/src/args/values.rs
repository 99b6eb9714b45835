//! Values of options.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use rebone::Method;
use rebone::ValueError;
use rebone::card;
use std::str::FromStr;

/// One of the two files of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// The file with the motion.
    Source,
    /// The file to animate.
    Target,
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

/// A number, counted from 0.
pub(super) fn number(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "expected a number, counted from 0".to_owned())
}

/// A method that copies rotations.
pub(super) fn copy_method() -> impl TypedValueParser<Value = Method> {
    PossibleValuesParser::new(["copy", "bind"]).map(|name| match name.as_str() {
        "bind" => Method::Bind,
        _ => Method::Copy,
    })
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
}
