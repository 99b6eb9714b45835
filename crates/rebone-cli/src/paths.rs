//! Files: small texts to read, and files to write: never an input, never half.

use crate::exit_code::Failure;
use anyhow::{Context, anyhow};
use std::fs::{self, File};
use std::io::{BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// A card or a map is at most so many bytes.
const LARGEST_TEXT: usize = 4 << 20;

/// How names of files begin that do not have their own yet.
pub(crate) const FRESH: &str = ".rebone-";

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
        check_place(output)?;
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

/// Writes a file whole or not at all.
pub(crate) fn write(
    path: &Path,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> anyhow::Result<()>,
) -> Result<(), Failure> {
    let (file, ()) = whole(path, fill)?;
    file.take_name()
}

/// A file that is written whole, but does not have its name yet. Without one it is gone again.
pub(crate) struct Whole {
    path: PathBuf,
    place: PathBuf,
    /// `None` for what was written to as it is.
    file: Option<tempfile::NamedTempFile>,
}

/// Writes a new file beside its place, and gives what `fill` gives.
///
/// A symbolic link stays and its file is replaced; what is no file (`/dev/null`, a pipe) is written to.
pub(crate) fn whole<T>(
    path: &Path,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> anyhow::Result<T>,
) -> Result<(Whole, T), Failure> {
    let place = follow(path);
    let attempt = || {
        if place.exists() && !place.is_file() {
            return Ok((None, fill(&mut File::create(&place)?)?));
        }
        let mut file = BufWriter::with_capacity(1 << 16, new_file_beside(&place)?);
        let given = fill(&mut file)?;
        Ok((Some(file.into_inner()?), given))
    };
    let attempt: anyhow::Result<_> = attempt();
    let (file, given) = attempt.with_context(|| format!("cannot write {}", path.display()))?;
    Ok((Whole { path: path.to_owned(), place, file }, given))
}

impl Whole {
    /// Puts the file in its place.
    pub(crate) fn take_name(self) -> Result<(), Failure> {
        let Some(file) = self.file else { return Ok(()) };
        let named = file.persist(&self.place).map_err(|error| error.error);
        named.with_context(|| format!("cannot write {}", self.path.display()))?;
        Ok(())
    }
}

/// A file may be made there under this name.
fn check_place(output: &Path) -> anyhow::Result<()> {
    let place = follow(output);
    let context = || format!("cannot write {}", output.display());
    if place.is_dir() {
        return Err(anyhow!("it is a folder")).with_context(context);
    }
    let folder = folder_of(&place);
    if !folder.is_dir() {
        return Err(anyhow!("there is no folder {}", folder.display())).with_context(context);
    }
    if output.as_os_str().to_string_lossy().ends_with(std::path::MAIN_SEPARATOR) {
        return Err(anyhow!("a file name is expected, not a folder's")).with_context(context);
    }
    if let Err(error) = fs::symlink_metadata(&place)
        && error.kind() != ErrorKind::NotFound
    {
        return Err(anyhow!("{}", error.kind())).with_context(context);
    }
    if place.exists() && !place.is_file() {
        return Ok(());
    }
    if fs::metadata(&place).is_ok_and(|there| there.permissions().readonly()) {
        return Err(anyhow!("it is read-only: make it writable, or name another file"))
            .with_context(context);
    }
    let attempt = new_file_beside(&place).map(drop);
    attempt.map_err(|error| anyhow!("{}", error.kind())).with_context(context)
}

/// A new file with the permissions of the one that is there, else of any other; gone again unless it is
/// given a name.
fn new_file_beside(place: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(FRESH);
    if let Ok(there) = fs::metadata(place) {
        let file = builder.tempfile_in(folder_of(place))?;
        file.as_file().set_permissions(there.permissions())?;
        return Ok(file);
    }
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder_of(place))
}

/// So many symbolic links are followed one after another.
const LINKS: usize = 40;

/// The file behind symbolic links, there already or still to be made.
fn follow(path: &Path) -> PathBuf {
    // A pipe has no name behind its links.
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return path.to_owned();
    }
    let mut place = path.to_owned();
    for _ in 0..LINKS {
        let Ok(next) = fs::read_link(&place) else { break };
        place = folder_of(&place).join(next);
    }
    fs::canonicalize(&place).unwrap_or(place)
}

/// The folder that a file is in.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// True when both lie in one folder.
pub(crate) fn same_folder(a: &Path, b: &Path) -> bool {
    let folder = |path: &Path| {
        let folder = follow(folder_of(path));
        fs::canonicalize(&folder).unwrap_or(folder)
    };
    folder(a) == folder(b)
}

/// True when both names stand for one file, there already or still to be made.
pub(crate) fn same_file(a: &Path, b: &Path) -> bool {
    let (a, b) = (&follow(a), &follow(b));
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
    fn a_file_is_whole_or_not_there_and_what_was_there_stays() {
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

    #[cfg(unix)]
    #[test]
    fn a_file_keeps_its_permissions_and_a_read_only_one_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let folder = folder();
        let path = folder.path().join("card.toml");
        fs::write(&path, "before").unwrap();
        let set = |mode| fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
        for mode in [0o600, 0o640, 0o666] {
            set(mode);
            check_outputs(&[], &[&path]).unwrap();
            write(&path, |file| Ok(file.write_all(b"after")?)).unwrap();
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, mode);
        }
        set(0o444);
        let message = check_outputs(&[], &[&path]).unwrap_err().message();
        assert!(message.contains("card.toml: it is read-only"), "{message}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_new_files_have_usual_permissions() {
        use std::os::unix::fs::PermissionsExt;
        let folder = folder();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("plain"), "").unwrap();
        std::os::unix::fs::symlink(at("plain"), at("link")).unwrap();
        write(&at("link"), |file| Ok(file.write_all(b"new")?)).unwrap();
        assert!(at("link").is_symlink());
        assert_eq!(fs::read_to_string(at("plain")).unwrap(), "new");
        let reference = folder.path().join("reference");
        fs::write(&reference, "").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&at("plain")), mode(&reference));
    }
}
