//! Jobs of clips in tars: their results are a tar, and what that cannot be is refused.

use crate::disk::name_key::{NameKey, key};
use crate::error::BatchError;
use crate::find::inputs::FoundClips;
use crate::jobs::BatchJob;
use crate::jobs::names;
use crate::jobs::request::BatchRequest;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// End of the names of members with the lines of the manifest.
const LINE_END: &str = "json";

/// Path of the member with the line of a result.
pub(crate) fn line_path(result: &Path) -> PathBuf {
    result.with_extension(LINE_END)
}

/// Paths of the tars of results, below the output folder, each with that of its clips.
///
/// # Errors
/// When the clips of two tars would be in one.
fn tars<'a>(
    jobs: &'a [BatchJob],
    found: &'a FoundClips,
) -> Result<Vec<(&'a Path, &'a Path)>, BatchError> {
    let mut tars: BTreeMap<&Path, &Path> = BTreeMap::new();
    for job in jobs {
        let Some(place) = &found.clips[job.clip].place else { continue };
        let other = tars.insert(&place.result, &place.tar);
        if let Some(other) = other.filter(|other| **other != *place.tar) {
            return Err(BatchError::Request(format!(
                "{} and {} would both be written to {}: name them apart, or give the folder that both are below",
                other.display(),
                place.tar.display(),
                place.result.display()
            )));
        }
    }
    Ok(tars.into_iter().collect())
}

/// Refuses what is not done with the clips of tars, and tars of results that would replace another file or an input.
pub(crate) fn check(
    request: &BatchRequest,
    jobs: &[BatchJob],
    found: &FoundClips,
) -> Result<(), BatchError> {
    let tars = tars(jobs, found)?;
    let Some((_, first)) = tars.first() else { return Ok(()) };
    let results: Vec<_> = tars.iter().map(|(own, tar)| (own.to_path_buf(), *tar)).collect();
    let inputs: Vec<&Path> = tars.iter().map(|(_, tar)| *tar).collect();
    names::check(&results, &inputs, &request.output)?;
    let whole = [(request.one_file, "--one-file"), (request.pictures.is_some(), "--preview")];
    if let Some((_, option)) = whole.into_iter().find(|(is_given, _)| *is_given) {
        let first = first.display();
        let message = format!("{option} is not for clips in tars, as in {first}: unpack it");
        return Err(BatchError::Request(message));
    }
    let taken = tars.iter().map(|(own, _)| (key(own), *own)).collect();
    let mut lines: BTreeMap<NameKey, &Path> = BTreeMap::new();
    for job in jobs {
        let clip = &*found.clips[job.clip].path;
        let Some(tar) = &job.tar else {
            check_apart(&taken, &job.path, clip)?;
            continue;
        };
        let line = line_path(&job.path);
        if let Some(other) = lines.insert(key(&line), clip) {
            return Err(BatchError::Request(format!(
                "{} and {} would both have the line {} in {}: name them apart, and put {{target}} into --name",
                other.display(),
                clip.display(),
                line.display(),
                tar.display()
            )));
        }
    }
    Ok(())
}

/// Refuses a result in a folder that is called as a tar of results.
fn check_apart(
    tars: &BTreeMap<NameKey, &Path>,
    path: &Path,
    clip: &Path,
) -> Result<(), BatchError> {
    match path.ancestors().skip(1).find_map(|folder| tars.get(&key(folder))) {
        None => Ok(()),
        Some(tar) => Err(BatchError::Request(format!(
            "the result of {} would be in the folder {}, which is a tar of results: name them apart",
            clip.display(),
            tar.display()
        ))),
    }
}
