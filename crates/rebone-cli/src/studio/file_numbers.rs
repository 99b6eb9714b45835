//! Numbers of files, by which the page knows them.

use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Content of a file; all but motions may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileContent {
    Motion,
    Card,
    Map,
    Contacts,
    Review,
}

/// A file as the page knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct FileName {
    /// Its number.
    pub(crate) number: usize,
    /// Its name, without folders.
    pub(crate) name: String,
}

/// Numbers of files, each file once.
#[derive(Debug, Default)]
pub(crate) struct FileNumbers {
    pub(super) files: Vec<(PathBuf, FileContent)>,
    numbers: BTreeMap<PathBuf, usize>,
}

impl FileNumbers {
    /// Gives a file its number.
    pub(crate) fn add(&mut self, path: &Path, content: FileContent) -> FileName {
        let number = *self.numbers.entry(path.to_owned()).or_insert_with(|| {
            self.files.push((path.to_owned(), content));
            self.files.len() - 1
        });
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        FileName { number, name }
    }
}
