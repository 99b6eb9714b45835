//! Files to write: never over an input, never over a file of another kind, never incomplete.

use crate::args::Replace;
use crate::exit_code::Failure;
use crate::interrupt;
use anyhow::Context;
use rebone::skeleton::AtomicFile;
use rebone::skeleton::file::FileKind;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Extensions that stand for one kind of file.
const EXTENSIONS: [&str; 23] = [
    "bvh", "glb", "gltf", "vrm", "vrma", "npz", "fbx", "asf", "amc", "png", "jpg", "jpeg", "webp",
    "gif", "svg", "bmp", "pdf", "mp4", "zip", "toml", "json", "csv", "html",
];

/// Files that a command writes.
#[derive(Clone, Debug)]
pub(crate) struct Outputs<'a> {
    files: Vec<(&'a Path, FileKind)>,
    overwrite: bool,
}

impl<'a> Outputs<'a> {
    /// Takes the option that replaces files of any kind.
    pub(crate) fn new(replace: Replace) -> Self {
        Self { files: Vec::new(), overwrite: replace.overwrite }
    }

    /// Adds a file, where one is named.
    pub(crate) fn with(mut self, path: Option<&'a PathBuf>, kind: FileKind) -> Self {
        self.files.extend(path.map(|path| (path.as_path(), kind)));
        self
    }

    /// The files, in the order in which they were added.
    pub(crate) fn paths(&self) -> Vec<&'a Path> {
        self.files.iter().map(|file| file.0).collect()
    }

    /// Checks before any work that all files can be written and none of them is an input.
    pub(crate) fn check(&self, inputs: &[PathBuf]) -> Result<(), Failure> {
        if self.overwrite && self.files.is_empty() {
            let message =
                "--overwrite has no effect: no file is written; name one with --output or its like";
            return Err(Failure::usage(message.to_owned()));
        }
        Ok(rebone::check_outputs(inputs, &self.paths())?)
    }

    /// Checks that names, and files that exist, are of the kind that is written, where all inputs are known.
    pub(crate) fn check_kinds(&self) -> Result<(), Failure> {
        self.files.iter().try_for_each(|(path, kind)| check_name(path, *kind))?;
        Ok(if self.overwrite { Ok(()) } else { rebone::check_kinds(&self.files) }?)
    }
}

/// Refuses a name whose extension is that of another kind of file.
fn check_name(path: &Path, kind: FileKind) -> Result<(), Failure> {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let own = match kind {
        FileKind::Png => "png",
        FileKind::Gif => "gif",
        FileKind::Toml => "toml",
        FileKind::Csv => "csv",
        FileKind::Html => "html",
        FileKind::Report | FileKind::Contacts | FileKind::RootPath | FileKind::RotationTable => {
            "json"
        }
        _ => return Ok(()),
    };
    if own == extension || !EXTENSIONS.contains(&extension.as_str()) {
        return Ok(());
    }
    let (name, other) = (path.display(), path.with_extension(own));
    let message = format!("cannot write {kind} as {name}: name it {}", other.display());
    Err(Failure::usage(message))
}

/// Returns the kind of picture that a name asks for: an animation where it ends in `.gif`.
pub(crate) fn picture_kind(path: &Path) -> FileKind {
    let extension = path.extension().unwrap_or_default();
    if extension.eq_ignore_ascii_case("gif") { FileKind::Gif } else { FileKind::Png }
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

/// Writes the file for `path` under a temporary name; returns it and what `fill` returns. Removes temporary files that a
/// killed run left of it.
pub(crate) fn prepare<T>(
    path: &Path,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> anyhow::Result<T>,
) -> Result<(PreparedFile, T), Failure> {
    let attempt = || {
        interrupt::check()?;
        AtomicFile::remove_leftovers(path);
        let mut file = AtomicFile::create(path)?;
        file.temporary_path().iter().for_each(|path| interrupt::remove_at_exit(path));
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
        interrupt::check()?;
        let committed = self.file.commit();
        Ok(committed.with_context(|| format!("cannot write {}", self.path.display()))?)
    }
}
