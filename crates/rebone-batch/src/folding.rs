//! File systems for which two names are one: those that ignore Unicode normalisation.

use crate::error::{BatchError, context, remove};
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::Path;

/// A letter in its two Unicode forms.
const FORMS: [&str; 2] = ["\u{e9}", "e\u{301}"];

/// Refuses results that are one file on the file system of the hidden folder `scratch`, each given with its clip.
///
/// # Errors
/// The first two, with their clips.
pub(crate) fn check<'a>(
    scratch: &Path,
    results: impl Iterator<Item = (&'a Path, &'a Path)>,
) -> Result<(), BatchError> {
    let [composed, decomposed] = FORMS.map(|name| scratch.join(name));
    let attempt = File::create(&composed).map(|_| decomposed.exists());
    let folds = context(attempt, || format!("cannot write {}", composed.display()))?;
    remove(&composed)?;
    if !folds {
        return Ok(());
    }
    let folder = scratch.join("names");
    let found = find_twins(&folder, results.filter(|(path, _)| !path.as_os_str().is_ascii()));
    fs::remove_dir_all(&folder)?;
    match found? {
        None => Ok(()),
        Some([(path, clip), (other_path, other)]) => Err(BatchError::Request(format!(
            "{} and {} would be written to {} and {}, one name on this file system: name them apart with --name, or write \
             to another disk",
            other.display(),
            clip.display(),
            other_path.display(),
            path.display()
        ))),
    }
}

/// Makes a file for each result in a new folder; finds the first result whose file is there already, and that of the other.
fn find_twins<'a>(
    folder: &Path,
    results: impl Iterator<Item = (&'a Path, &'a Path)>,
) -> Result<Option<[(&'a Path, &'a Path); 2]>, BatchError> {
    if folder.exists() {
        // Left by a run that was killed.
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    let mut before: Vec<(&Path, &Path)> = Vec::new();
    for result in results {
        let path = folder.join(result.0);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(mut file) => write!(file, "{}", before.len())?,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                let index = fs::read_to_string(&path)?.parse::<usize>().ok();
                return Ok(index.and_then(|index| before.get(index)).map(|&other| [result, other]));
            }
            Err(error) => return Err(error.into()),
        }
        before.push(result);
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_one_file_are_found_with_their_clips() {
        let scratch = tempfile::tempdir().unwrap();
        let pair = |path: &'static str, clip: &'static str| (Path::new(path), Path::new(clip));
        let results = [pair("é.bvh", "1"), pair("a/é.bvh", "2"), pair("b.bvh", "3")];
        let folder = scratch.path().join("names");
        assert!(find_twins(&folder, results.into_iter()).unwrap().is_none());
        // Another way to write a path stands in for a file system that folds names.
        let twins = results.into_iter().chain([pair("a/./é.bvh", "4")]);
        let found = find_twins(&folder, twins).unwrap().unwrap();
        assert_eq!(found, [pair("a/./é.bvh", "4"), pair("a/é.bvh", "2")]);
    }

    #[test]
    fn two_forms_of_a_letter_are_two_names_where_the_file_system_says_so() {
        let scratch = tempfile::tempdir().unwrap();
        let results = FORMS.map(Path::new);
        let found = check(scratch.path(), results.iter().map(|&path| (path, path)));
        fs::write(scratch.path().join(FORMS[0]), "").unwrap();
        match scratch.path().join(FORMS[1]).exists() {
            true => {
                assert!(found.unwrap_err().to_string().contains("one name on this file system"))
            }
            false => found.unwrap(),
        }
    }
}
