//! Lock on an output folder, with a hidden folder for files that are not complete yet.

use crate::error::{BatchError, context};
use crate::folders::{CARDS, TEMPORARY};
use crate::hash::{self, WrittenFile};
use crate::place::make_folder;
use rebone::skeleton::AtomicFile;
use rebone::skeleton::atomic_file::folder_of;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Name of the lock in the hidden folder.
const LOCK: &str = "lock";

/// Lock of one run on its output folder. Temporary files of runs that were killed are removed.
#[derive(Debug)]
pub(crate) struct OutputLock {
    folder: PathBuf,
    /// Folders that did not exist before, the innermost first: removed at the end where they are empty.
    made: Vec<PathBuf>,
    /// Locked as long as it is open.
    _lock: File,
}

impl OutputLock {
    /// Makes the output folder where it does not exist, and locks it.
    ///
    /// # Errors
    /// When another run has locked it.
    pub(crate) fn acquire(output: &Path) -> Result<Self, BatchError> {
        let folder = output.join(TEMPORARY);
        let is_missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
        let made = output.ancestors().take_while(is_missing).map(Path::to_owned).collect();
        let attempt = || {
            make_folder(&folder)?;
            if fs::symlink_metadata(&folder)?.is_symlink() {
                return Err(BatchError::Input("it is a link: remove it".to_owned()));
            }
            let Some(lock) = lock(&folder.join(LOCK))? else { return Ok(None) };
            AtomicFile::remove_all_leftovers(&folder);
            AtomicFile::remove_all_leftovers(&output.join(CARDS));
            Ok(Some(lock))
        };
        let lock = context(attempt(), || format!("cannot use {}", folder.display()))?;
        let busy = || format!("another batch is at work in {}: wait for it", output.display());
        let lock = lock.ok_or_else(|| BatchError::Input(busy()))?;
        Ok(Self { folder, made, _lock: lock })
    }

    /// The hidden folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Writes a file for `path`, complete and on the disk, that does not have its name yet; also returns what `fill`
    /// returns. Makes the folder of `path` where it does not exist.
    pub(crate) fn complete<T>(
        &self,
        path: &Path,
        fill: impl FnOnce(&mut (dyn Write + Send)) -> Result<T, BatchError>,
    ) -> Result<(CompleteFile, T), BatchError> {
        CompleteFile::write(path, Some(&self.folder), fill)
    }
}

/// A file that is complete and does not have its name yet; removed unless it is committed.
#[derive(Debug)]
pub(crate) struct CompleteFile {
    path: PathBuf,
    file: AtomicFile,
    written: WrittenFile,
}

impl CompleteFile {
    /// Writes a file for `path` in a folder of the same file system, or in its own.
    pub(crate) fn write<T>(
        path: &Path,
        folder: Option<&Path>,
        fill: impl FnOnce(&mut (dyn Write + Send)) -> Result<T, BatchError>,
    ) -> Result<(Self, T), BatchError> {
        let attempt = || {
            folder.map_or(Ok(()), make_folder)?;
            make_folder(folder_of(path))?;
            let mut file = hash::HashedWriter::new(AtomicFile::create_in(
                path,
                folder.unwrap_or(folder_of(path)),
            )?);
            let filled = fill(&mut file)?;
            let (mut file, written) = file.finish();
            file.sync()?;
            Ok((Self { path: path.to_owned(), file, written }, filled))
        };
        context::<_, BatchError>(attempt(), || format!("cannot write {}", path.display()))
    }

    /// Hash of its bytes.
    pub(crate) fn hash(&self) -> &str {
        &self.written.hash
    }

    /// Gives the file its name.
    pub(crate) fn commit(self) -> Result<WrittenFile, BatchError> {
        context(self.file.commit(), || format!("cannot write {}", self.path.display()))?;
        Ok(self.written)
    }
}

impl Drop for OutputLock {
    fn drop(&mut self) {
        // The lock holds until its file is closed. Best effort: the next run removes leftovers.
        AtomicFile::remove_all_leftovers(&self.folder);
        let _ = fs::remove_file(self.folder.join(LOCK));
        let _ = fs::remove_dir(&self.folder);
        let _ = self.made.iter().try_for_each(fs::remove_dir);
    }
}

/// Locks the file at `path`; `None` where another run has locked it.
fn lock(path: &Path) -> io::Result<Option<File>> {
    loop {
        if fs::symlink_metadata(path).is_ok_and(|found| !found.is_file()) {
            return Err(io::Error::other(format!("{LOCK} is no regular file: remove it")));
        }
        let file = File::create(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        // The run that held it may have removed it in between: then the lock is on nothing.
        let held = same_file::Handle::from_file(file.try_clone()?)?;
        match same_file::Handle::from_path(path) {
            Ok(there) if there == held => return Ok(Some(file)),
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
}

/// Writes the bytes of a file, which appears only when it is complete, and makes its folder.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), BatchError> {
    let (file, ()) = CompleteFile::write(path, None, |file| Ok(file.write_all(bytes)?))?;
    file.commit().map(drop)
}
