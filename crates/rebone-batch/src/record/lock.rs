//! Lock on an output folder, with a hidden folder for files that are not complete yet.

use crate::disk::file_lock::{is_at, lock};
use crate::disk::folders::{CARDS, TEMPORARY};
use crate::disk::place::make_folder;
use crate::error::{BatchError, context};
use crate::record::hash::{self, WrittenFile};
use crate::record::shard::Shard;
use rebone::skeleton::AtomicFile;
use rebone::skeleton::atomic_file::folder_of;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Name of the lock in a hidden folder.
const LOCK: &str = "lock";

/// Part of an output folder that a run uses.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LockScope {
    /// All of it: no other run is at work in it.
    Whole,
    /// A shard: other shards may be at work, and a merge.
    Shard(Shard),
    /// The merged manifest: shards may be at work.
    Merge,
}

impl LockScope {
    /// Name of its folder in the hidden folder; none for all of it.
    fn name(self) -> Option<String> {
        match self {
            Self::Whole => None,
            Self::Shard(shard) => Some(shard.name()),
            Self::Merge => Some("merge".to_owned()),
        }
    }

    /// Says that another run has locked it.
    fn busy(self, output: &Path) -> String {
        let output = output.display();
        match self {
            Self::Whole => format!("another batch is at work in {output}: wait for it"),
            Self::Shard(shard) => {
                format!("another run is at work on shard {shard} of {output}: wait for it")
            }
            Self::Merge => format!("another merge is at work in {output}: wait for it"),
        }
    }
}

/// Lock of one run on its part of an output folder. Temporary files of runs that were killed are removed.
#[derive(Debug)]
pub(crate) struct OutputLock {
    /// The hidden folder of the run.
    folder: PathBuf,
    /// Folders that did not exist before, the innermost first: removed at the end where they are empty.
    made: Vec<PathBuf>,
    /// Locked as long as it is open.
    own: File,
    /// Lock on the output folder that several runs share, where this one has a part of it.
    shared: Option<SharedLock>,
}

impl OutputLock {
    /// Makes the output folder where it does not exist, and locks it or a part of it.
    ///
    /// # Errors
    /// When another run has locked it.
    pub(crate) fn acquire(output: &Path, scope: LockScope) -> Result<Self, BatchError> {
        let is_missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
        let made = output.ancestors().take_while(is_missing).map(Path::to_owned).collect();
        let hidden = output.join(TEMPORARY);
        let busy = |scope: LockScope| BatchError::Input(scope.busy(output));
        let mut shared = None;
        let folder = match scope.name() {
            None => hidden,
            Some(name) => {
                let lock = lock_folder(&hidden, false)?.ok_or_else(|| busy(LockScope::Whole))?;
                shared = Some(SharedLock { folder: hidden.clone(), lock });
                hidden.join(name)
            }
        };
        let own = lock_folder(&folder, true)?.ok_or_else(|| busy(scope))?;
        AtomicFile::remove_all_leftovers(&folder);
        if shared.is_none() {
            AtomicFile::remove_all_leftovers(&output.join(CARDS));
        }
        Ok(Self { folder, made, own, shared })
    }

    /// The hidden folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Begins to write a file for `path`, and makes its folder.
    pub(crate) fn begin(&self, path: &Path) -> Result<OpenFile, BatchError> {
        make_folder(folder_of(path))?;
        let file = AtomicFile::create_in(path, &self.folder);
        context(file.map(hash::HashedWriter::new), || format!("cannot write {}", path.display()))
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

/// A file for a path that is being written, in the hidden folder.
pub(crate) type OpenFile = hash::HashedWriter<AtomicFile>;

impl CompleteFile {
    /// The file for `path`, once all of it was written.
    pub(crate) fn of(path: &Path, file: OpenFile) -> Result<Self, BatchError> {
        let (mut file, written) = file.finish();
        context(file.sync(), || format!("cannot write {}", path.display()))?;
        Ok(Self { path: path.to_owned(), file, written })
    }

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
        let _ = self.own.unlock();
        drop(self.shared.take());
        let _ = self.made.iter().try_for_each(fs::remove_dir);
    }
}

/// Lock on a hidden folder that several runs share.
#[derive(Debug)]
struct SharedLock {
    folder: PathBuf,
    lock: File,
}

impl Drop for SharedLock {
    /// Removes the hidden folder where no other run shares it.
    fn drop(&mut self) {
        let is_alone = self.lock.unlock().is_ok() && self.lock.try_lock().is_ok();
        if is_alone && is_at(&self.lock, &self.folder.join(LOCK)).unwrap_or_default() {
            let _ = fs::remove_file(self.folder.join(LOCK));
            let _ = fs::remove_dir(&self.folder);
        }
    }
}

/// Makes a hidden folder and locks it, alone or with others; `None` where another run has locked it.
fn lock_folder(folder: &Path, is_alone: bool) -> Result<Option<File>, BatchError> {
    let attempt = || {
        make_folder(folder)?;
        if fs::symlink_metadata(folder)?.is_symlink() {
            return Err(BatchError::Input("it is a link: remove it".to_owned()));
        }
        loop {
            // Another run may remove the folder as it ends.
            match lock(&folder.join(LOCK), is_alone) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => make_folder(folder)?,
                locked => return Ok(locked?),
            }
        }
    };
    context(attempt(), || format!("cannot use {}", folder.display()))
}

/// Writes the bytes of a file, which appears only when it is complete, and makes its folder.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), BatchError> {
    let (file, ()) = CompleteFile::write(path, None, |file| Ok(file.write_all(bytes)?))?;
    file.commit().map(drop)
}
