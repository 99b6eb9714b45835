//! The bytes of a file's buffers, wherever they are.

use super::chunks::Chunks;
use super::error::{ReadError, ReadErrorKind, unexpected};
use super::json::{Buffer, BufferView, Root};
use super::meshes::meshopt::DecodedViews;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::io;
use std::path::{Component, Path};

/// Gives the bytes of a file next to a glTF, such as its `.bin`: by its path relative to the glTF, and the number
/// of bytes that suffice. The path has `/` between its parts and never leads out of the glTF's folder.
pub type SideFiles<'a> = &'a dyn Fn(&str, usize) -> io::Result<Vec<u8>>;

/// The bytes of each buffer that are not in a chunk of the file.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    loaded: Vec<Option<Vec<u8>>>,
    decoded: DecodedViews,
}

impl Buffers {
    /// Reads the data of all URIs. Without `files` the JSON may name none.
    pub(super) fn load(
        root: &Root,
        chunks: &Chunks,
        files: Option<SideFiles<'_>>,
    ) -> Result<Self, ReadError> {
        let fetch = |(index, own): (usize, &Buffer)| {
            let at = format!("buffers[{index}].uri");
            own.uri.as_ref().map(|uri| fetch(uri, own.byte_length, files, &at)).transpose()
        };
        let fetched = root.buffers.iter().enumerate().map(fetch);
        let loaded = fetched.collect::<Result<_, _>>()?;
        let buffers = Self { loaded, decoded: DecodedViews::new(root) };
        for (index, own) in root.buffers.iter().enumerate().filter(|(_, own)| !own.is_fallback()) {
            let length = buffers.get(index, chunks).map_or(0, <[u8]>::len);
            if length < own.byte_length {
                let (at, found) = (format!("buffers[{index}]"), format!("{length} bytes"));
                let expected = format!("the {} of its byteLength", own.byte_length);
                return Err(unexpected(at, found, expected));
            }
        }
        Ok(buffers)
    }

    /// The bytes of a buffer: the first one without a URI is the binary chunk.
    pub(super) fn get<'a>(&'a self, index: usize, chunks: &'a Chunks) -> Option<&'a [u8]> {
        match self.loaded.get(index)? {
            Some(bytes) => Some(bytes),
            None if index == 0 => Some(chunks.binary().unwrap_or_default()),
            None => Some(&[]),
        }
    }

    /// The bytes of a buffer view, decompressed where it is compressed; what is wrong with it as a pair of found and expected.
    pub(super) fn view<'a>(
        &'a self,
        index: usize,
        view: &BufferView,
        chunks: &'a Chunks,
    ) -> Result<&'a [u8], [String; 2]> {
        let decoded = view.meshopt().and_then(|own| {
            let source = self.get(own.buffer, chunks).unwrap_or_default();
            self.decoded.get(index, view, own, source)
        });
        if let Some(decoded) = decoded {
            let expected = "a view that EXT_meshopt_compression can hold".to_owned();
            return decoded.map_err(|found| [found.to_owned(), expected]);
        }
        let buffer = self.get(view.buffer, chunks).ok_or_else(|| {
            [format!("buffer {}", view.buffer), "one of the buffers that the file has".to_owned()]
        })?;
        let end = view.byte_offset.checked_add(view.byte_length);
        end.and_then(|end| buffer.get(view.byte_offset..end)).ok_or_else(|| {
            let found = format!("{} bytes from byte {} on", view.byte_length, view.byte_offset);
            [found, format!("at most the {} of its buffer", buffer.len())]
        })
    }
}

/// Reads the bytes that a URI stands for: data in it, or a file next to the glTF, of which `limit` bytes suffice.
fn fetch(
    uri: &str,
    limit: usize,
    files: Option<SideFiles<'_>>,
    at: &str,
) -> Result<Vec<u8>, ReadError> {
    if let Some(data) = uri.strip_prefix("data:") {
        let Some((_, data)) = data.split_once(";base64,") else {
            return Err(unexpected(at, "a data URI of another kind", "one in base64"));
        };
        let wrong = |error| unexpected(at, format!("{error}"), "base64");
        return STANDARD.decode(data.trim_end()).map_err(wrong);
    }
    let (path, read) = relative_path(uri).zip(files).ok_or_else(|| {
        let found = format!("the URI {:?}", shortened(uri));
        unexpected(at, found, "data in base64, or the name of a file beside this one")
    })?;
    read(&path, limit).map_err(|error| {
        let kind = ReadErrorKind::Io { path, error };
        ReadError { place: at.to_owned(), kind }
    })
}

/// Most bytes of a file next to a glTF: 4 GB, as a GLB can hold.
#[cfg(feature = "disk")]
const MAX_SIDE_FILE_BYTES: u64 = u32::MAX as u64;

/// Reads at most `limit` bytes of a regular file, never more than 4 GB.
#[cfg(feature = "disk")]
pub(crate) fn read_side_file(path: &Path, limit: usize) -> io::Result<Vec<u8>> {
    use std::io::Read;
    let mut bytes = Vec::new();
    let limit = MAX_SIDE_FILE_BYTES.min(limit as u64);
    crate::open_regular(path)?.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Decodes a relative URI into a path inside the glTF's folder; `None` for any other.
fn relative_path(uri: &str) -> Option<String> {
    let name = decoded(uri)?;
    let is_inside = Path::new(&name)
        .components()
        .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    (is_inside && !name.is_empty() && !name.contains("://")).then_some(name)
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
    fn files_lie_in_the_folder_or_below() {
        let found = |uri| relative_path(uri);
        assert_eq!(found("a%20b.bin").as_deref(), Some("a b.bin"));
        assert_eq!(found("parts/a.bin").as_deref(), Some("parts/a.bin"));
        for uri in ["../a.bin", "/etc/passwd", "", "http://example.org/a.bin", "a%2", "%zz", "%FF"]
        {
            assert_eq!(found(uri), None, "{uri}");
        }
        assert!(fetch("a.bin", 9, None, "x").is_err());
        let files: SideFiles<'_> = &|path, limit| Ok(vec![path.len() as u8, limit as u8]);
        assert_eq!(fetch("parts/a.bin", 9, Some(files), "x").unwrap(), [11, 9]);
    }

    #[test]
    fn data_is_read_from_the_uri_itself() {
        let data = |uri| fetch(uri, 9, None, "x");
        assert_eq!(data("data:application/octet-stream;base64,AQID").unwrap(), [1, 2, 3]);
        assert!(data("data:,AQID").is_err() && data("data:;base64,A").is_err());
    }
}
