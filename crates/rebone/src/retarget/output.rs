//! Output files: never an input, never two results in one.

use super::job::RetargetJob;
use crate::error::Error;
use crate::report::Report;
use rebone_skeleton::atomic_file::{AtomicFile, destination, folder_of};
use rebone_skeleton::file::FileKind;
use rebone_skeleton::{Clip, Format};
use std::fs;
use std::path::{Path, PathBuf};

/// Checks before any work that all outputs can be written and none of them is an input.
///
/// Names are followed through symbolic links, files compared by what they are, so that a hard link to an input is known
/// as well.
///
/// # Errors
/// The first output that cannot be written, is an input, or is named twice.
pub fn check_outputs(inputs: &[PathBuf], outputs: &[&Path]) -> Result<(), Error> {
    for (index, output) in outputs.iter().enumerate() {
        if *output == Path::new("-") {
            return Err(Error::Conflict("- is no file to write to: name one".to_owned()));
        }
        AtomicFile::check(output).map_err(|error| {
            let (path, error) = (output.to_path_buf(), Box::new(error.into()));
            Error::Save { path, error }
        })?;
        if let Some(input) = inputs.iter().find(|input| same_file(input, output)) {
            return Err(Error::Input { output: output.to_path_buf(), input: input.clone() });
        }
        if let Some(other) = outputs[..index].iter().find(|other| same_file(other, output)) {
            let (output, other) = (output.display(), other.display());
            if output.to_string() == other.to_string() {
                return Err(Error::Conflict(format!("both outputs are {output}")));
            }
            return Err(Error::Conflict(format!(
                "two outputs, {other} and {output}, are one file"
            )));
        }
    }
    Ok(())
}

/// Checks that each output that exists is of the kind that will be written over it. An empty file, a device and a pipe
/// are of each kind.
///
/// # Errors
/// The first output of another kind; the message names what it is.
pub fn check_kinds(outputs: &[(&Path, FileKind)]) -> Result<(), Error> {
    for &(path, kind) in outputs {
        if let Some(found) = FileKind::of_file(path).filter(|found| *found != kind) {
            return Err(Error::OtherKind { path: path.to_owned(), found, kind });
        }
    }
    Ok(())
}

impl RetargetJob {
    /// Writes the result, whose clip was solved before, at `path`, in the format that its extension says: the file appears as a
    /// whole, or not at all. Arrays hold the contacts and the verdict of `report`.
    ///
    /// # Errors
    /// When the extension is of no format that is written, the file is one of the inputs, or it cannot be written.
    pub fn save_clip(&self, clip: &Clip, report: &Report, path: &Path) -> Result<(), Error> {
        let format = Format::of_name(path)?;
        self.check_format(format, path)?;
        check_outputs(&self.inputs(), &[path])?;
        self.check_folder(format, path)?;
        let save = |error: Error| Error::Save { path: path.to_owned(), error: Box::new(error) };
        let io = |error: std::io::Error| save(error.into());
        let mut file = AtomicFile::create(path).map_err(io)?;
        self.write_clip(format, clip, report, &mut file).map_err(save)?;
        file.commit().map_err(io)
    }

    /// Checks that a result at `path` finds the files that the target's glTF names.
    ///
    /// # Errors
    /// When it is written whole into another folder than the target's.
    pub fn check_folder(&self, format: Format, path: &Path) -> Result<(), Error> {
        let is_other = matches!(format, Format::Vrma | Format::Npz);
        let is_alone = self.plan().options.animation_only || is_other;
        let document = self.target().document().gltf().filter(|_| format != Format::Bvh);
        let file = document.and_then(|document| document.files_beside().next());
        match file.filter(|_| !is_alone && !same_folder(path, self.target().path())) {
            Some(file) => {
                let target = self.target().path().to_owned();
                let error = Box::new(Error::FilesBeside { target, file });
                Err(Error::Save { path: path.to_owned(), error })
            }
            None => Ok(()),
        }
    }
}

/// Whether both lie in one folder.
fn same_folder(a: &Path, b: &Path) -> bool {
    let folder = |path: &Path| {
        let folder = destination(folder_of(path));
        fs::canonicalize(&folder).unwrap_or(folder)
    };
    folder(a) == folder(b)
}

/// Whether both names stand for one file, there already or still to be made.
pub fn same_file(a: &Path, b: &Path) -> bool {
    let (a, b) = (&destination(a), &destination(b));
    if a.is_file() && b.is_file() {
        return same_file::is_same_file(a, b).unwrap_or(false);
    }
    if a.exists() || b.exists() {
        return a == b;
    }
    a.file_name() == b.file_name() && same_folder(a, b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_not_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let (a, b) = (folder.path().join("a.png"), folder.path().join("./a.png"));
        assert!(check_outputs(&[], &[&a, &b]).is_err());
        assert!(check_outputs(&[], &[&a, &folder.path().join("b.png")]).is_ok());
    }

    #[cfg(unix)]
    #[test]
    fn links_to_an_input_are_the_input() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("in.bvh"), "in").unwrap();
        fs::create_dir_all(at("inside")).unwrap();
        std::os::unix::fs::symlink(at("in.bvh"), at("soft.bvh")).unwrap();
        fs::hard_link(at("in.bvh"), at("hard.bvh")).unwrap();
        for output in ["in.bvh", "soft.bvh", "hard.bvh", "inside/../in.bvh"] {
            let error = check_outputs(&[at("in.bvh")], &[&at(output)]).unwrap_err();
            assert!(matches!(error, Error::Input { .. }), "{output:?}");
        }
        assert!(check_outputs(&[at("in.bvh")], &[&at("other.bvh")]).is_ok());
    }
}
