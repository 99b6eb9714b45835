//! Opens motion files, pipes and standard input; recognises their format.

use super::error::FileError;
use super::format::{InputFormat, SNIFFED_BYTES, sniff};
use std::io::{self, Read};
use std::path::Path;

pub(super) fn cannot_open(path: &Path) -> impl Fn(std::io::Error) -> FileError {
    move |error| FileError::Open { path: path.into(), error }
}

/// Opens a file, or standard input for `-`; returns its first bytes, which say the format, and the rest to read: a pipe
/// is read only once.
pub(super) fn begin(path: &Path) -> io::Result<(Vec<u8>, Box<dyn Read>)> {
    let mut file: Box<dyn Read> = match path == Path::new("-") {
        true => Box::new(io::stdin()),
        false => Box::new(std::fs::File::open(path)?),
    };
    let mut first = Vec::new();
    file.by_ref().take(SNIFFED_BYTES as u64).read_to_end(&mut first)?;
    Ok((first, file))
}

/// Recognises the format of a file by its first bytes. What is no regular file, a pipe for one, is not looked at.
pub(super) fn input_format(path: &Path) -> Result<InputFormat, FileError> {
    if std::fs::metadata(path).is_ok_and(|file| !file.is_file()) || path == Path::new("-") {
        return Ok(InputFormat::Bvh);
    }
    Ok(sniff(&begin(path).map_err(cannot_open(path))?.0))
}
