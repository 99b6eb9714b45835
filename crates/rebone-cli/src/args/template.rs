//! Template of the names of a batch's results.

use std::path::{Component, Path};

/// Template of names: text with `{stem}`, the clip's name, and `{target}`, the rig's, both without
/// extension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Template(String);

impl Template {
    /// `{stem}` for one rig, `{stem}-{target}` for more.
    pub(crate) fn usual(rigs: usize) -> Self {
        Self(if rigs == 1 { "{stem}" } else { "{stem}-{target}" }.to_owned())
    }

    /// Reads a template.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let rest = text.replace("{stem}", "").replace("{target}", "");
        let is_inside = |part: Component| matches!(part, Component::Normal(_));
        if rest.contains(['{', '}']) {
            Err("expected text with {stem} and {target}, nothing else in braces".to_owned())
        } else if text.ends_with(['/', '\\']) {
            Err("expected a name behind the last folder".to_owned())
        } else if !text.contains("{stem}") {
            Err("without {stem} all clips would have one name".to_owned())
        } else if !Path::new(text).components().all(is_inside) {
            Err("expected a name below the output folder".to_owned())
        } else {
            Ok(Self(text.to_owned()))
        }
    }

    /// The text with its braces.
    pub(crate) fn text(&self) -> &str {
        &self.0
    }
}
