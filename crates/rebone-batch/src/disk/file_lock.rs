//! Locks on files.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Times that a lock which others share is tried, and the pause between two.
const SHARED_TRIES: usize = 50;
const SHARED_PAUSE: Duration = Duration::from_millis(20);

/// Lock of one program on a file that stands for what it writes. It holds until it is dropped, which removes the file, or
/// until the program ends.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("lock");
/// let lock = rebone_batch::FileLock::acquire(&path)?;
/// assert!(lock.is_some() && rebone_batch::FileLock::acquire(&path)?.is_none());
/// drop(lock);
/// assert!(!path.exists());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct FileLock {
    path: PathBuf,
    file: File,
}

impl FileLock {
    /// Locks the file at `path` and makes it where there is none; `None` where another has locked it. A file that holds
    /// bytes stays as it is.
    ///
    /// # Errors
    /// When the file cannot be opened or locked, or is no regular file.
    pub fn acquire(path: &Path) -> io::Result<Option<Self>> {
        let file = lock(path, true)?;
        Ok(file.map(|file| Self { path: path.to_owned(), file }))
    }

    /// Returns whether the file is a lock alone, which is removed at the end: one that holds bytes is of a user.
    pub fn is_removed(&self) -> bool {
        self.file.metadata().is_ok_and(|found| found.len() == 0)
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // The lock holds until its file is closed.
        if self.is_removed() && is_at(&self.file, &self.path).unwrap_or(false) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Locks the file at `path`, alone or with others; `None` where another run has locked it.
pub(crate) fn lock(path: &Path, is_alone: bool) -> io::Result<Option<File>> {
    let mut tries = 0;
    loop {
        if fs::symlink_metadata(path).is_ok_and(|found| !found.is_file()) {
            let name = path.file_name().unwrap_or_default().display();
            return Err(io::Error::other(format!("{name} is no regular file: remove it")));
        }
        // Never emptied: it may be a hard link of a file of the user.
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
        match if is_alone { file.try_lock() } else { file.try_lock_shared() } {
            Ok(()) => {}
            // The last of several runs holds the lock alone while it removes it.
            Err(TryLockError::WouldBlock) if !is_alone && tries < SHARED_TRIES => {
                tries += 1;
                std::thread::sleep(SHARED_PAUSE);
                continue;
            }
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        // The run that held it may have removed it in between: then the lock is on nothing.
        if is_at(&file, path)? {
            return Ok(Some(file));
        }
    }
}

/// Returns whether an open file is the one at a path.
pub(crate) fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    let held = same_file::Handle::from_file(file.try_clone()?)?;
    match same_file::Handle::from_path(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        found => Ok(found? == held),
    }
}
