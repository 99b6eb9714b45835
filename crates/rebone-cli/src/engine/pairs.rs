//! A map: a file with pairs of joints that play the same role.

use super::file_name;
use crate::paths::read_text;
use anyhow::anyhow;
use rebone::Character;
use rebone::body::Pair;
use rebone::card::map::{MapError, parse};
use std::path::Path;

/// Reads a map and finds its joints in source and target.
pub(super) fn read(path: &Path, files: [&Character; 2]) -> anyhow::Result<Vec<Pair>> {
    let text = read_text(path, "map")?;
    let names = files.map(|file| file_name(file.path()));
    let pairs = parse(&text, [0, 1].map(|side| (&*names[side], files[side].skeleton())));
    pairs.map_err(|MapError { line, fault }| anyhow!("{}:{line}: {fault}", path.display()))
}
