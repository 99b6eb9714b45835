//! File systems for which two names are one: those that ignore Unicode normalisation.

use crate::error::{BatchError, context, remove};
use std::fs::{self, File};
use std::io::Write;
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
    // A file of this name, left by a run that was killed, may be a link: it is removed, never written to.
    let _ = fs::remove_file(&composed);
    let attempt = File::create_new(&composed).map(|_| decomposed.exists());
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

/// Makes a file for each result in a new folder; finds the first result whose path is taken already, by a file or a folder,
/// and the result that took it.
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
        let mut above = path.ancestors().take_while(|own| *own != folder);
        // The file itself, or a folder that it is in.
        if let Some(file) = above.find(|own| own.is_file()) {
            let index = fs::read_to_string(file)?.parse::<usize>().ok();
            return Ok(index.and_then(|index| before.get(index)).map(|&other| [result, other]));
        }
        if path.is_dir() {
            let is_in = |own: &&(&Path, &Path)| {
                folder.join(own.0).ancestors().any(|own| rebone::same_file(own, &path))
            };
            return Ok(before.iter().find(is_in).map(|&other| [result, other]));
        }
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        write!(File::create_new(&path)?, "{}", before.len())?;
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
        // A file and a folder.
        for (path, other) in [("b/é.bvh/c.bvh", "b/é.bvh"), ("b/é.bvh", "b/é.bvh/c.bvh")] {
            let twins = [pair(other, "1"), pair(path, "2")];
            let found = find_twins(&folder, twins.into_iter()).unwrap().unwrap();
            assert_eq!(found, [twins[1], twins[0]]);
        }
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
