//! The chunks of a file: a JSON text alone, or a GLB with JSON, binary data and others.

use super::error::{ReadError, unexpected};
use std::ops::Range;

const MAGIC: u32 = u32::from_le_bytes(*b"glTF");
const JSON: u32 = u32::from_le_bytes(*b"JSON");
const BINARY: u32 = u32::from_le_bytes(*b"BIN\0");

/// The bytes of a file, and the ranges of its chunks.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Chunks {
    bytes: Vec<u8>,
    json: Range<usize>,
    binary: Option<Range<usize>>,
    /// Chunks of other kinds, which stay unchanged: their kind and range.
    others: Vec<(u32, Range<usize>)>,
}

impl Chunks {
    /// Finds the chunks.
    pub(super) fn split(bytes: Vec<u8>) -> Result<Self, ReadError> {
        if word(&bytes, 0) == Some(MAGIC) {
            return Self::of_glb(bytes);
        }
        let start = if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        Ok(Self { json: start..bytes.len(), ..Self::of_json(bytes) })
    }

    /// A JSON text alone.
    pub(super) fn of_json(bytes: Vec<u8>) -> Self {
        let json = 0..bytes.len();
        Self { bytes, json, binary: None, others: Vec::new() }
    }

    fn of_glb(bytes: Vec<u8>) -> Result<Self, ReadError> {
        let version = word(&bytes, 4);
        if version != Some(2) {
            let found =
                version.map_or("the end of the file".to_owned(), |v| format!("GLB version {v}"));
            return Err(unexpected("byte 4", found, "version 2: save the file as glTF 2.0"));
        }
        let declared = word(&bytes, 8).map_or(usize::MAX, |length| length as usize);
        if declared > bytes.len() {
            let found = format!("{} bytes", bytes.len());
            let expected = format!("{declared} as the head says: the file was cut off");
            return Err(unexpected("byte 8", found, expected));
        }
        let (mut json, mut binary, mut others) = (None, None, Vec::new());
        let mut at = 12;
        while at < declared {
            let length = word(&bytes, at).map(|length| length as usize);
            let kind = word(&bytes, at + 4);
            let (Some(length), Some(kind)) = (length, kind) else { break };
            let chunk = at + 8..(at + 8).saturating_add(length);
            if chunk.end > declared {
                let found = format!("a chunk of {length} bytes");
                let expected = format!(
                    "at most the {} to the end of the file",
                    declared.saturating_sub(chunk.start)
                );
                return Err(unexpected(format!("byte {at}"), found, expected));
            }
            at = chunk.end;
            match kind {
                JSON if json.is_none() => json = Some(chunk),
                BINARY if binary.is_none() => binary = Some(chunk),
                _ => others.push((kind, chunk)),
            }
        }
        let json = json.ok_or_else(|| unexpected("byte 12", "no JSON chunk", "one"))?;
        Ok(Self { bytes, json, binary, others })
    }

    /// Replaces the JSON text and keeps all other parts.
    pub(super) fn with_json(&self, text: &[u8]) -> Self {
        let mut own = self.clone();
        own.json = own.bytes.len()..own.bytes.len() + text.len();
        own.bytes.extend_from_slice(text);
        own
    }

    /// The JSON text.
    pub(super) fn json(&self) -> &[u8] {
        &self.bytes[self.json.clone()]
    }

    /// The data in the file itself.
    pub(super) fn binary(&self) -> Option<&[u8]> {
        self.binary.clone().map(|range| &self.bytes[range])
    }

    /// Chunks of unknown kinds.
    pub(super) fn others(&self) -> impl Iterator<Item = (u32, &[u8])> {
        self.others.iter().map(|(kind, range)| (*kind, &self.bytes[range.clone()]))
    }
}

/// A GLB of a JSON text, binary data and other chunks; `None` where it would be too large.
pub(super) fn glb<'a>(
    json: &[u8],
    binary: &[u8],
    others: impl Iterator<Item = (u32, &'a [u8])>,
) -> Option<Vec<u8>> {
    let (mut bytes, end) = glb_around(json, binary.len(), others)?;
    bytes.extend_from_slice(binary);
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes.extend(end);
    Some(bytes)
}

/// What stands before and after the binary data of a GLB, whose length is padded; `None` where it would be too large.
pub(super) fn glb_around<'a>(
    json: &[u8],
    binary: usize,
    others: impl Iterator<Item = (u32, &'a [u8])>,
) -> Option<(Vec<u8>, Vec<u8>)> {
    let head = |kind: u32, length: usize| {
        let length = u32::try_from(length.next_multiple_of(4)).ok()?;
        Some([length.to_le_bytes(), kind.to_le_bytes()].concat())
    };
    let chunk = |bytes: &mut Vec<u8>, kind: u32, content: &[u8], padding: u8| {
        bytes.extend(head(kind, content.len())?);
        bytes.extend_from_slice(content);
        bytes.resize(bytes.len().next_multiple_of(4), padding);
        Some(())
    };
    let mut begin = [MAGIC, 2, 0].map(u32::to_le_bytes).concat();
    let mut end = Vec::new();
    chunk(&mut begin, JSON, json, b' ')?;
    if binary > 0 {
        begin.extend(head(BINARY, binary)?);
    }
    for (kind, content) in others {
        chunk(&mut end, kind, content, 0)?;
    }
    let length = begin.len() + binary.next_multiple_of(4) + end.len();
    begin[8..12].copy_from_slice(&u32::try_from(length).ok()?.to_le_bytes());
    Some((begin, end))
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let word = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glb_comes_apart_as_it_was_put_together() {
        let others = [(7_u32, &[1_u8, 2, 3, 4][..])];
        let bytes = glb(b"{\"a\":1}", &[9; 5], others.into_iter()).unwrap();
        assert_eq!(bytes.len() % 4, 0);
        let chunks = Chunks::split(bytes.clone()).unwrap();
        assert_eq!(chunks.json(), b"{\"a\":1} ");
        assert_eq!(chunks.binary(), Some(&[9, 9, 9, 9, 9, 0, 0, 0][..]));
        assert!(chunks.others().eq(others));
        for length in 4..bytes.len() {
            let cut = bytes[..length].to_vec();
            assert!(Chunks::split(cut).is_err(), "{length} bytes");
        }
        let mut short = bytes.clone();
        short[8] = 16;
        assert!(Chunks::split(short).is_err(), "the head ends before the first chunk's does");
        let mut long = bytes;
        long[12] = 0xFF;
        let message = Chunks::split(long).unwrap_err().to_string();
        assert!(message.starts_with("byte 12: found a chunk of 255 bytes"), "{message}");
    }
}
