//! Shared by the tests with real files.

use std::path::PathBuf;

/// All files below the corpus's folder whose names end so, sorted, or `None` when there is no corpus.
pub(crate) fn files(ends: &[&str]) -> Option<Vec<PathBuf>> {
    let Some(folder) = std::env::var_os("REBONE_CORPUS") else {
        eprintln!("skipped: REBONE_CORPUS is not set");
        return None;
    };
    let mut files = Vec::new();
    let mut folders = vec![PathBuf::from(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|own| ends.iter().any(|end| own == *end)) {
                files.push(path);
            }
        }
    }
    files.sort();
    Some(files)
}
