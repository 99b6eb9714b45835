//! Files to write: never over an input, never incomplete.

use crate::exit_code::Failure;
use anyhow::Context;
use rebone::skeleton::AtomicFile;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Checks before any work that all outputs can be written and none of them is an input.
pub(crate) fn check_outputs(inputs: &[PathBuf], outputs: &[&Path]) -> Result<(), Failure> {
    Ok(rebone::check_outputs(inputs, outputs)?)
}

/// Writes the file at `path`, which appears only when it is complete.
pub(crate) fn write(
    path: &Path,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> anyhow::Result<()>,
) -> Result<(), Failure> {
    let (file, ()) = prepare(path, fill)?;
    file.commit()
}

/// A complete file that does not have its name yet; removed unless it is committed.
pub(crate) struct PreparedFile {
    path: PathBuf,
    file: AtomicFile,
}

/// Writes the file for `path` under a temporary name; returns it and what `fill` returns.
pub(crate) fn prepare<T>(
    path: &Path,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> anyhow::Result<T>,
) -> Result<(PreparedFile, T), Failure> {
    let attempt = || {
        let mut file = AtomicFile::create(path)?;
        let filled = fill(&mut file)?;
        file.flush()?;
        Ok((PreparedFile { path: path.to_owned(), file }, filled))
    };
    let attempt: anyhow::Result<_> = attempt();
    Ok(attempt.with_context(|| format!("cannot write {}", path.display()))?)
}

impl PreparedFile {
    /// Gives the file its name.
    pub(crate) fn commit(self) -> Result<(), Failure> {
        let committed = self.file.commit();
        Ok(committed.with_context(|| format!("cannot write {}", self.path.display()))?)
    }
}
