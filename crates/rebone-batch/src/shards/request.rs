//! Requests for a shard: what it cannot do is refused before any work.

use crate::error::BatchError;
use crate::find::held::place_of;
use crate::find::inputs::Input;
use crate::find::patterns::pattern_base;
use crate::jobs::request::BatchRequest;
use crate::record::shard::{self, Shard};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Refuses what a shard cannot do: it makes no cards, and sees the clips of no other shard.
pub(crate) fn check_shard(request: &BatchRequest, shard: Shard) -> Result<(), BatchError> {
    let whole = [(request.one_file, "--one-file"), (request.relearn, "--relearn")];
    if let Some((_, option)) = whole.into_iter().find(|(is_given, _)| *is_given) {
        let message = format!("{option} is for all clips, --shard {shard} makes a part of them");
        return Err(BatchError::Request(message));
    }
    shard::check(&request.output, shard)?;
    check_apart(&request.inputs, &request.output)
}

/// Refuses inputs of which one is inside another, or in the output folder: a file would have a path below each, and two shards
/// would make it.
fn check_apart(inputs: &[Input], output: &Path) -> Result<(), BatchError> {
    let mut places: BTreeMap<PathBuf, &Path> = BTreeMap::new();
    let lines = inputs.iter().flat_map(|input| match input {
        Input::Files(path) => vec![path.as_path()],
        Input::List { text, .. } => {
            let lines = text.trim_start_matches('\u{feff}').lines();
            lines
                .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
                .map(Path::new)
                .collect()
        }
    });
    for path in lines {
        places.insert(place_of(&pattern_base(path)), path);
    }
    let output = place_of(output);
    for (place, path) in &places {
        let path = path.display();
        if place.starts_with(&output) {
            return Err(BatchError::Request(format!(
                "--shard: {path} is in the output folder: name another"
            )));
        }
        if let Some(outer) = place.ancestors().skip(1).find_map(|above| places.get(above)) {
            return Err(BatchError::Request(format!(
                "--shard: {path} is inside {}: give one of them",
                outer.display()
            )));
        }
    }
    Ok(())
}
