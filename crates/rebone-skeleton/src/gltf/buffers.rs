//! The bytes of a file's buffers, wherever they are.

use super::container::Container;
use super::error::{ReadError, ReadErrorKind, unexpected};
use super::json::{Buffer, Root};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// The bytes of each buffer that are not in the container itself.
#[derive(Debug, Default)]
pub(super) struct Buffers(Vec<Option<Vec<u8>>>);

impl Buffers {
    /// Fetches all that is elsewhere. `folder` is where files are looked for that the JSON names; without one,
    /// none may be named.
    pub(super) fn load(
        root: &Root,
        container: &Container,
        folder: Option<&Path>,
    ) -> Result<Self, ReadError> {
        let fetch = |(index, own): (usize, &Buffer)| {
            let at = format!("buffers[{index}].uri");
            own.uri.as_ref().map(|uri| fetch(uri, own.byte_length, folder, &at)).transpose()
        };
        let fetched = root.buffers.iter().enumerate().map(fetch);
        let buffers = Self(fetched.collect::<Result<_, _>>()?);
        for (index, own) in root.buffers.iter().enumerate() {
            let length = buffers.get(index, container).map_or(0, <[u8]>::len);
            if length < own.byte_length {
                let (at, found) = (format!("buffers[{index}]"), format!("{length} bytes"));
                let expected = format!("the {} of its byteLength", own.byte_length);
                return Err(unexpected(at, found, expected));
            }
        }
        Ok(buffers)
    }

    /// The bytes of a buffer: the first one without a URI is in the container.
    pub(super) fn get<'a>(&'a self, index: usize, container: &'a Container) -> Option<&'a [u8]> {
        match self.0.get(index)? {
            Some(bytes) => Some(bytes),
            None if index == 0 => Some(container.binary().unwrap_or_default()),
            None => Some(&[]),
        }
    }
}

/// What a URI stands for: data in it, or a file beside the glTF, of which at most so many bytes are read.
fn fetch(uri: &str, most: usize, folder: Option<&Path>, at: &str) -> Result<Vec<u8>, ReadError> {
    if let Some(data) = uri.strip_prefix("data:") {
        let Some((_, data)) = data.split_once(";base64,") else {
            return Err(unexpected(at, "a data URI of another kind", "one in base64"));
        };
        let wrong = |error| unexpected(at, format!("{error}"), "base64");
        return STANDARD.decode(data.trim_end()).map_err(wrong);
    }
    let path = beside(uri, folder).ok_or_else(|| {
        let found = format!("the URI {:?}", shortened(uri));
        unexpected(at, found, "data in base64, or the name of a file beside this one")
    })?;
    let wrong = |error| {
        let kind = ReadErrorKind::Io { path: path.display().to_string(), error };
        ReadError { place: at.to_owned(), kind }
    };
    let mut bytes = Vec::new();
    if path.exists() && !path.is_file() {
        return Err(wrong(std::io::ErrorKind::InvalidInput.into()));
    }
    File::open(&path).map_err(wrong)?.take(most as u64).read_to_end(&mut bytes).map_err(wrong)?;
    Ok(bytes)
}

/// The file that a relative URI names, in the folder or below it.
fn beside(uri: &str, folder: Option<&Path>) -> Option<PathBuf> {
    let name = decoded(uri)?;
    let path = Path::new(&name);
    let is_inside =
        path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    let is_name = is_inside && !name.is_empty() && !name.contains("://");
    is_name.then(|| folder.map(|folder| folder.join(path))).flatten()
}

/// A URI with its `%20`s as what they stand for.
pub(super) fn decoded(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        if byte == b'%' {
            let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &rest[2..];
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

fn shortened(text: &str) -> String {
    text.chars().take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_lie_beside_or_below() {
        let folder = Path::new("models");
        let found = |uri| beside(uri, Some(folder));
        assert_eq!(found("a%20b.bin"), Some(folder.join("a b.bin")));
        assert_eq!(found("parts/a.bin"), Some(folder.join("parts/a.bin")));
        for uri in ["../a.bin", "/etc/passwd", "", "http://example.org/a.bin", "a%2", "%zz", "%FF"]
        {
            assert_eq!(found(uri), None, "{uri}");
        }
        assert_eq!(beside("a.bin", None), None);
    }

    #[test]
    fn data_is_read_from_the_uri_itself() {
        let data = |uri| fetch(uri, 9, None, "x");
        assert_eq!(data("data:application/octet-stream;base64,AQID").unwrap(), [1, 2, 3]);
        assert!(data("data:,AQID").is_err() && data("data:;base64,A").is_err());
    }
}
