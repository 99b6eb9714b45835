//! Files: small texts to read, and files to write: never an input, never half.

use crate::exit_code::Failure;
use anyhow::{Context, anyhow};
use rebone::skeleton::AtomicFile;
use rebone::skeleton::atomic_file::{destination, folder_of};
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// A card or a map is at most so many bytes.
const LARGEST_TEXT: usize = 4 << 20;

/// The text of a card or a map, which is `what`.
pub(crate) fn read_text(path: &Path, what: &str) -> anyhow::Result<String> {
    read_text_up_to(path, what, LARGEST_TEXT)
}

/// The text of a file of at most so many bytes.
pub(crate) fn read_text_up_to(path: &Path, what: &str, most: usize) -> anyhow::Result<String> {
    let name = path.display().to_string();
    let file = File::open(path).with_context(|| format!("{name}: cannot read the {what}"))?;
    text_up_to(file, &name, what, most)
}

/// The text of at most so many bytes that a reader gives, which is called `name`.
pub(crate) fn text_up_to(
    reader: impl Read,
    name: &str,
    what: &str,
    most: usize,
) -> anyhow::Result<String> {
    let context = || format!("{name}: cannot read the {what}");
    let mut bytes = Vec::new();
    reader.take(most as u64 + 1).read_to_end(&mut bytes).with_context(context)?;
    if bytes.len() > most {
        return Err(anyhow!("it is larger than {} MB: is it the right one?", most >> 20))
            .with_context(context);
    }
    String::from_utf8(bytes).map_err(|error| {
        let (bytes, at) = (error.as_bytes(), error.utf8_error().valid_up_to());
        let line = 1 + bytes[..at].iter().filter(|byte| **byte == b'\n').count();
        let found = format!("{name}:{line}: found the byte 0x{:02X}", bytes[at]);
        anyhow!("{found}, expected text in UTF-8: save the {what} as UTF-8")
    })
}

/// Checks before any work that all outputs can be written and none of them is an input.
///
/// Names are followed through symbolic links, files compared by what they are, so that a hard link
/// to an input is known as well.
pub(crate) fn check_outputs(inputs: &[PathBuf], outputs: &[&Path]) -> Result<(), Failure> {
    for (index, output) in outputs.iter().enumerate() {
        if *output == Path::new("-") {
            return Err(Failure::usage("- is no file to write to: name one".to_owned()));
        }
        AtomicFile::check(output).with_context(|| format!("cannot write {}", output.display()))?;
        if let Some(input) = inputs.iter().find(|input| same_file(input, output)) {
            return Err(Failure::usage(format!(
                "the output {} is the same file as the input {}: an input is never changed",
                output.display(),
                input.display()
            )));
        }
        if let Some(other) = outputs[..index].iter().find(|other| same_file(other, output)) {
            let (output, other) = (output.display(), other.display());
            return Err(Failure::usage(format!("two outputs, {other} and {output}, are one file")));
        }
    }
    Ok(())
}

/// Checks that something is a folder, or may become one.
pub(crate) fn check_folder(folder: &Path) -> Result<(), Failure> {
    if folder.exists() && !folder.is_dir() {
        return Err(Failure::usage(format!("{} is a file, not a folder", folder.display())));
    }
    Ok(())
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

/// True when both lie in one folder.
pub(crate) fn same_folder(a: &Path, b: &Path) -> bool {
    let folder = |path: &Path| {
        let folder = destination(folder_of(path));
        fs::canonicalize(&folder).unwrap_or(folder)
    };
    folder(a) == folder(b)
}

/// True when both names stand for one file, there already or still to be made.
pub(crate) fn same_file(a: &Path, b: &Path) -> bool {
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

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    #[test]
    fn a_file_that_fails_leaves_the_older_one_and_the_message_names_it() {
        let folder = folder();
        let path = folder.path().join("out.bvh");
        fs::write(&path, "before").unwrap();
        let result = write(&path, |file| {
            file.write_all(b"half")?;
            Err(anyhow!("joint 3 is not finite"))
        });
        let message = result.unwrap_err().message();
        assert!(message.ends_with("out.bvh: joint 3 is not finite"), "{message}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "before");
        write(&path, |file| Ok(file.write_all(b"after")?)).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "after");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn outputs_are_not_each_other() {
        let folder = folder();
        let (a, b) = (folder.path().join("a.png"), folder.path().join("./a.png"));
        assert!(check_outputs(&[], &[&a, &b]).is_err());
        assert!(check_outputs(&[], &[&a, &folder.path().join("b.png")]).is_ok());
    }

    #[cfg(unix)]
    #[test]
    fn links_to_an_input_are_the_input() {
        let folder = folder();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("in.bvh"), "in").unwrap();
        std::os::unix::fs::symlink(at("in.bvh"), at("soft.bvh")).unwrap();
        fs::hard_link(at("in.bvh"), at("hard.bvh")).unwrap();
        for output in ["in.bvh", "soft.bvh", "hard.bvh", "../in.bvh"] {
            let inside = folder.path().join("inside");
            fs::create_dir_all(&inside).unwrap();
            let output = if output.starts_with("..") { inside.join(output) } else { at(output) };
            let failure = check_outputs(&[at("in.bvh")], &[&output]).unwrap_err();
            assert_eq!(failure.code, crate::exit_code::ExitCode::Usage, "{output:?}");
        }
        assert!(check_outputs(&[at("in.bvh")], &[&at("other.bvh")]).is_ok());
    }
}
