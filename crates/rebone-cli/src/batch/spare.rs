//! The hidden folder in which files are written before they take their place, and the lock on it.

use super::{cards, manifest};
use crate::exit_code::Failure;
use crate::paths;
use anyhow::{Context, anyhow};
use std::fs::{self, File, TryLockError};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Below the output folder.
pub(crate) const FOLDER: &str = ".rebone";
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
        let context = || format!("cannot use {}", folder.display());
        fs::create_dir_all(&folder).with_context(context)?;
        if fs::symlink_metadata(&folder).with_context(context)?.is_symlink() {
            return Err(anyhow!("it is a link: remove it")).with_context(context)?;
        }
        let lock = lock(&folder.join(LOCK)).with_context(context)?.ok_or_else(|| {
            anyhow!("another batch is at work in {}: wait for it", output.display())
        })?;
        for left in [left_in(&folder, is_own), left_in(&output.join(cards::FOLDER), is_fresh_card)]
        {
            left.iter().try_for_each(fs::remove_file).with_context(context)?;
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
            let there = fs::metadata(place).ok();
            if there.as_ref().is_some_and(|there| there.permissions().readonly()) {
                return Err(anyhow!("it is read-only: make it writable, or remove it"));
            }
            let mut file = BufWriter::with_capacity(1 << 16, File::create(&fresh)?);
            let given = fill(&mut file)?;
            let file = file.into_inner()?;
            if let Some(there) = there.filter(fs::Metadata::is_file) {
                file.set_permissions(there.permissions())?;
            }
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
        let own = left_in(&self.folder, is_own).into_iter().chain([self.folder.join(LOCK)]);
        own.for_each(|path| drop(fs::remove_file(path)));
        let _ = fs::remove_dir(&self.folder);
    }
}

/// Locks the file at a path; `None` where another run holds it.
fn lock(path: &Path) -> std::io::Result<Option<File>> {
    loop {
        let file = File::create(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        // The run that held it may have removed it in between: then the lock is on nothing.
        let held = same_file::Handle::from_file(file.try_clone()?)?;
        if same_file::Handle::from_path(path).is_ok_and(|there| there == held) {
            return Ok(Some(file));
        }
    }
}

/// The files of a folder with certain names.
fn left_in(folder: &Path, is_own: fn(&str) -> bool) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    paths
        .filter(|path| path.file_name().and_then(|name| name.to_str()).is_some_and(is_own))
        .collect()
}

/// Names of files in the making.
fn is_own(name: &str) -> bool {
    name == manifest::NAME || (!name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Names of cards in the making.
fn is_fresh_card(name: &str) -> bool {
    name.starts_with(paths::FRESH)
}
