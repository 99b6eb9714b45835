//! Files to write: never an input, never half.

use crate::exit_code::Failure;
use anyhow::Context;
use rebone::skeleton::AtomicFile;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Checks before any work that all outputs can be written and none of them is an input.
pub(crate) fn check_outputs(inputs: &[PathBuf], outputs: &[&Path]) -> Result<(), Failure> {
    Ok(rebone::check_outputs(inputs, outputs)?)
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

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::anyhow;
    use std::fs;

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
