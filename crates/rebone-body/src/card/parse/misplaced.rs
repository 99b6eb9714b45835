//! Keys in a table that they do not belong to.

use crate::card::parse::syntax::TOP_KEYS;
use crate::card::parse::syntax::{GENERATED, Lines, axis, keys};
use crate::error::LineError;
use toml_edit::{Item, Key};

/// Refuses keys of the top in a table of joints or roles: a line belongs to the last table above it.
pub(crate) fn check_places(lines: &Lines, section: &Key, item: &Item) -> Result<(), LineError> {
    let (section, each) = match section.get() {
        GENERATED => return Ok(()),
        "roles" => ("roles", "role"),
        "surface" => ("surface", "segment"),
        section => (section, "joint"),
    };
    let is_misplaced = |key: &str, item: &Item| {
        let is_joint = section == "helpers" && axis(item).is_err() && item.is_str();
        TOP_KEYS.contains(&key)
            && item.is_value()
            && !item.is_array()
            && !is_joint
            && item.as_inline_table().is_none()
    };
    let entries = item.as_table_like().map(keys).unwrap_or_default();
    match entries.into_iter().find(|(key, item)| is_misplaced(key.get(), item)) {
        Some((key, item)) => {
            let name = key.get();
            let message = format!(
                "`{name}` stands in [{section}], where each line is a {each}: move it above [{section}]"
            );
            Err(lines.error(key, item, message))
        }
        None => Ok(()),
    }
}
