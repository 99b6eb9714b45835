//! Hashes of files, to detect changes.

use crate::error::{BatchError, context};
use std::fs::File;
use std::path::Path;

/// First 128 bits of BLAKE3 of bytes, in hexadecimal.
pub(crate) fn of(bytes: &[u8]) -> String {
    short(blake3::hash(bytes))
}

/// First 128 bits of BLAKE3 of a file, in hexadecimal.
pub(crate) fn of_file(path: &Path) -> Result<String, BatchError> {
    let mut hasher = blake3::Hasher::new();
    let read = File::open(path).and_then(|file| hasher.update_reader(file).map(drop));
    context(read, || format!("cannot read {}", path.display()))?;
    Ok(short(hasher.finalize()))
}

fn short(hash: blake3::Hash) -> String {
    hash.to_hex()[..32].to_owned()
}
