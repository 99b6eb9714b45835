//! Files of arrays, as a person may have changed them: a ZIP archive with its directory at the end.
//!
//! Format: PKWARE's APPNOTE 6.3, sections 4.3.7, 4.3.12 and 4.3.16, without ZIP64, as NumPy writes it.

use std::fs::File;
use std::io::{Read, Result, Seek, SeekFrom};
use std::path::Path;

/// Bytes of the end of the directory, of an entry in it, and of the head of a member, each without names.
const END_BYTES: u64 = 22;
const ENTRY_BYTES: usize = 46;
const HEAD_BYTES: u64 = 30;
/// Largest directory that is read: an archive of a result has a few kilobytes.
const MAX_DIRECTORY_BYTES: u64 = 1 << 20;

/// Returns whether a file is a whole archive of arrays: the members are where its directory says, and the directory is at its end.
pub(crate) fn is_whole(path: &Path) -> bool {
    check(path).unwrap_or(false)
}

fn check(path: &Path) -> Result<bool> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    if length < END_BYTES {
        return Ok(false);
    }
    let end = read_at(&mut file, length - END_BYTES, END_BYTES)?;
    let (size, begin) = (u64::from(number(&end, 12)), u64::from(number(&end, 16)));
    let is_end = end.starts_with(b"PK\x05\x06") && begin + size + END_BYTES == length;
    if !is_end || size > MAX_DIRECTORY_BYTES {
        return Ok(false);
    }
    let directory = read_at(&mut file, begin, size)?;
    let mut rest = &directory[..];
    while !rest.is_empty() {
        if rest.len() < ENTRY_BYTES || !rest.starts_with(b"PK\x01\x02") {
            return Ok(false);
        }
        let (stored, at) = (u64::from(number(rest, 20)), u64::from(number(rest, 42)));
        let lengths =
            [28, 30, 32].map(|place| usize::from(rest[place]) | usize::from(rest[place + 1]) << 8);
        let entry = ENTRY_BYTES + lengths.iter().sum::<usize>();
        let is_inside = at + HEAD_BYTES + stored <= begin && entry <= rest.len();
        if !is_inside || read_at(&mut file, at, 4)? != *b"PK\x03\x04" {
            return Ok(false);
        }
        rest = &rest[entry..];
    }
    Ok(!directory.is_empty())
}

fn read_at(file: &mut File, at: u64, count: u64) -> Result<Vec<u8>> {
    file.seek(SeekFrom::Start(at))?;
    let mut bytes = Vec::new();
    file.take(count).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns a little-endian number of four bytes; 0 beyond the end.
fn number(bytes: &[u8], at: usize) -> u32 {
    let own = bytes.get(at..at + 4).and_then(|own| <[u8; 4]>::try_from(own).ok());
    u32::from_le_bytes(own.unwrap_or_default())
}
