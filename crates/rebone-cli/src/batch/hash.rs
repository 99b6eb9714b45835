//! Hashes of files, to detect changes.

use anyhow::Context;
use std::fs::File;
use std::path::Path;

/// First 128 bits of BLAKE3 of bytes, in hexadecimal.
pub(crate) fn of(bytes: &[u8]) -> String {
    short(blake3::hash(bytes))
}

/// First 128 bits of BLAKE3 of a file, in hexadecimal.
pub(crate) fn of_file(path: &Path) -> anyhow::Result<String> {
    let context = || format!("cannot read {}", path.display());
    let file = File::open(path).with_context(context)?;
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(file).with_context(context)?;
    Ok(short(hasher.finalize()))
}

fn short(hash: blake3::Hash) -> String {
    hash.to_hex()[..32].to_owned()
}
