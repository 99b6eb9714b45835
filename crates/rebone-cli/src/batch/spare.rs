//! The hidden folder in which files are written before they take their place, and the lock on it.

use crate::exit_code::Failure;
use anyhow::{Context, anyhow};
use std::fs::{self, File, TryLockError};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Below the output folder.
const FOLDER: &str = ".rebone";
const LOCK: &str = "lock";

/// The hidden folder of one run. Whatever another run left in it, ended by force, is gone.
#[derive(Debug)]
pub(crate) struct Spare {
    folder: PathBuf,
    /// Held as long as it is open.
    _lock: File,
    files: AtomicUsize,
}

impl Spare {
    /// Makes the output folder where it is not there, and takes hold of it.
    ///
    /// # Errors
    /// When another run holds it.
    pub(crate) fn hold(output: &Path) -> Result<Self, Failure> {
        let folder = output.join(FOLDER);
        let context = || format!("cannot use the folder {}", output.display());
        fs::create_dir_all(&folder).with_context(context)?;
        let lock = File::create(folder.join(LOCK)).with_context(context)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let message =
                    format!("another batch is at work in {}: wait for it", output.display());
                return Err(anyhow!(message).into());
            }
            Err(TryLockError::Error(error)) => Err(error).with_context(context)?,
        }
        for entry in fs::read_dir(&folder).with_context(context)? {
            let path = entry.with_context(context)?.path();
            if path.file_name().is_some_and(|name| name != LOCK) {
                fs::remove_file(&path).with_context(context)?;
            }
        }
        Ok(Self { folder, _lock: lock, files: AtomicUsize::new(0) })
    }

    /// The folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Writes a file that takes its name when it is whole; returns how long it is, and what `fill` gives.
    pub(crate) fn fill<T>(
        &self,
        place: &Path,
        fill: impl FnOnce(&mut (dyn Write + Send)) -> anyhow::Result<T>,
    ) -> anyhow::Result<(u64, T)> {
        let number = self.files.fetch_add(1, Ordering::Relaxed);
        let fresh = self.folder.join(number.to_string());
        let attempt = || {
            if let Some(folder) = place.parent() {
                fs::create_dir_all(folder)?;
            }
            let mut file = BufWriter::with_capacity(1 << 16, File::create(&fresh)?);
            let given = fill(&mut file)?;
            let file = file.into_inner()?;
            file.sync_all()?;
            let bytes = file.metadata()?.len();
            fs::rename(&fresh, place)?;
            Ok((bytes, given))
        };
        attempt().map_err(|error: anyhow::Error| {
            // It is of no use any more, and goes with the folder in the end.
            let _ = fs::remove_file(&fresh);
            error.context(format!("cannot write {}", place.display()))
        })
    }
}

impl Drop for Spare {
    fn drop(&mut self) {
        // The lock holds until the file behind it is closed. What cannot be removed goes when the next run
        // begins.
        let _ = fs::remove_dir_all(&self.folder);
    }
}
