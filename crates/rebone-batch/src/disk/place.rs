//! Places on the disk: regular files, and folders that can be made.

use crate::error::{BatchError, context};
use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path};

/// Refuses what does not exist, and pipes and devices: they cannot be read twice, and may never end.
pub(crate) fn check_regular(path: &Path) -> Result<(), BatchError> {
    let why = match path {
        path if path.is_file() => return Ok(()),
        path if path.exists() => "it is no regular file, give a file",
        _ => "there is no such file",
    };
    Err(BatchError::Input(format!("{}: {why}", path.display())))
}

/// Makes a folder with all folders above it; names the file that is in the way.
pub(crate) fn make_folder(folder: &Path) -> Result<(), BatchError> {
    let made = fs::create_dir_all(folder);
    let is_in_the_way = |error: &std::io::Error| {
        [ErrorKind::AlreadyExists, ErrorKind::NotADirectory].contains(&error.kind())
    };
    let file = folder.ancestors().find(|path| path.exists() && !path.is_dir());
    match (made.as_ref().err().filter(|error| is_in_the_way(error)), file) {
        (Some(_), Some(file)) => {
            let message = format!("{} is a file, not a folder: move it", file.display());
            Err(BatchError::Input(message))
        }
        _ => context(made, || format!("cannot make the folder {}", folder.display())),
    }
}

/// Returns whether a name is of a file in a folder, with links followed.
pub(crate) fn is_below(folder: &Path, name: &Path) -> bool {
    let is_name = |part: Component| matches!(part, Component::Normal(_));
    let parent = folder.join(name).parent().and_then(|parent| fs::canonicalize(parent).ok());
    let folder = fs::canonicalize(folder).ok();
    name.components().all(is_name)
        && parent.zip(folder).is_some_and(|(parent, folder)| parent.starts_with(folder))
}
