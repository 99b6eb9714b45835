//! Hashes of files, to detect changes.

use crate::disk::place::check_regular;
use crate::error::{BatchError, context};
use crate::record::fingerprint::RigFingerprint;
use crate::record::manifest::HashedFile;
use std::collections::HashMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// First 128 bits of BLAKE3 of bytes, in hexadecimal.
pub(crate) fn of(bytes: &[u8]) -> String {
    short(blake3::hash(bytes))
}

/// First 128 bits of BLAKE3 of a file, in hexadecimal.
pub(crate) fn of_file(path: &Path) -> Result<String, BatchError> {
    let mut hasher = blake3::Hasher::new();
    check_regular(path)?;
    let read = File::open(path).and_then(|file| hasher.update_reader(file).map(drop));
    context(read, || format!("cannot read {}", path.display()))?;
    Ok(short(hasher.finalize()))
}

/// Refuses files that changed since they were hashed: their bytes were read in between.
pub(crate) fn check_unchanged<'a>(
    files: impl IntoIterator<Item = &'a HashedFile>,
) -> Result<(), BatchError> {
    for HashedFile { path, hash } in files {
        if of_file(path).unwrap_or_default() != *hash {
            return Err(changed(path));
        }
    }
    Ok(())
}

/// Error of a file that changed since it was hashed.
pub(crate) fn changed(path: &Path) -> BatchError {
    BatchError::Input(format!("{} changed while it was read: run the batch again", path.display()))
}

/// Hash of all features of a skeleton.
pub(crate) fn of_fingerprint(own: &RigFingerprint) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&own.tree);
    let directions = own.directions.iter().flat_map(|direction| direction.as_slice());
    let rotations = own.rest_rotations.iter().flat_map(|rotation| rotation.coords.as_slice());
    for number in directions.chain(rotations) {
        hasher.update(&number.to_le_bytes());
    }
    short(hasher.finalize())
}

/// Hashes of files that several others name, each hashed once.
#[derive(Debug, Default)]
pub(crate) struct HashCache(Mutex<HashMap<PathBuf, Arc<OnceLock<String>>>>);

impl HashCache {
    /// Hashes a file; the hash of one that cannot be read is empty.
    pub(crate) fn of(&self, path: &Path) -> HashedFile {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known_hash = Arc::clone(known.entry(path.to_owned()).or_default());
        drop(known);
        let hash = known_hash.get_or_init(|| of_file(path).unwrap_or_default()).clone();
        HashedFile { path: path.to_owned(), hash }
    }
}

/// Size and hash of a file that was written.
#[derive(Clone, Debug)]
pub(crate) struct WrittenFile {
    pub(crate) bytes: u64,
    pub(crate) hash: String,
}

/// Writer that hashes all that goes through it.
#[derive(Debug)]
pub(crate) struct HashedWriter<W> {
    inner: W,
    bytes: u64,
    hasher: blake3::Hasher,
}

impl<W> HashedWriter<W> {
    pub(crate) fn new(inner: W) -> Self {
        Self { inner, bytes: 0, hasher: blake3::Hasher::new() }
    }

    /// Gives the writer back, with what was written.
    pub(crate) fn finish(self) -> (W, WrittenFile) {
        (self.inner, WrittenFile { bytes: self.bytes, hash: short(self.hasher.finalize()) })
    }
}

impl<W: Write> Write for HashedWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let count = self.inner.write(bytes)?;
        self.hasher.update(&bytes[..count]);
        self.bytes += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.inner.flush()
    }
}

fn short(hash: blake3::Hash) -> String {
    hash.to_hex()[..32].to_owned()
}
