//! Files that appear under their name only when they are complete.

use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Bytes of the buffer between a writer and the file.
const BUFFER_BYTES: usize = 1 << 16;

/// Symbolic links that are followed one after another at most.
const MAX_LINKS: usize = 40;

/// A file that is written under a temporary name and renamed when it is complete.
///
/// Dropping it without [`commit`](Self::commit) removes what was written and leaves the older file as it
/// was. A symbolic link stays, the file that it points to is replaced. The permissions of a file that is
/// replaced are kept; a new file has the usual ones. A device or a pipe is written to directly. The temporary file is
/// locked as long as it is written, so that [`remove_leftovers`](Self::remove_leftovers) knows those of killed programs.
///
/// ```
/// use rebone_skeleton::AtomicFile;
/// use std::io::Write;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("walk.bvh");
/// let mut file = AtomicFile::create(&path)?;
/// file.write_all(b"HIERARCHY")?;
/// assert!(!path.exists());
/// file.commit()?;
/// assert_eq!(std::fs::read(&path)?, b"HIERARCHY");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct AtomicFile {
    destination: PathBuf,
    writer: BufWriter<Sink>,
}

/// Destination of the bytes.
#[derive(Debug)]
enum Sink {
    Temporary(NamedTempFile),
    /// A device or a pipe.
    Direct(File),
}

impl AtomicFile {
    /// First characters of the temporary names.
    const PREFIX: &'static str = ".rebone-";

    /// Opens a temporary file in the folder of `path`. A symbolic link is followed: the file behind it is replaced.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    pub fn create(path: &Path) -> io::Result<Self> {
        let destination = destination(path);
        let sink = match is_special(&destination) {
            true => Sink::Direct(File::create(&destination)?),
            false => {
                check_regular(path, &destination)?;
                Sink::Temporary(temporary(&destination, None)?)
            }
        };
        Ok(Self { destination, writer: BufWriter::with_capacity(BUFFER_BYTES, sink) })
    }

    /// Opens a temporary file in `folder`, which must be on the file system of `path`. A symbolic link is replaced by a
    /// file: what is behind it stays.
    ///
    /// # Errors
    /// As [`check`](Self::check), and where `path` is a device or a pipe.
    pub fn create_in(path: &Path, folder: &Path) -> io::Result<Self> {
        if !path.is_symlink() {
            if is_special(path) {
                return Err(io::Error::other("it is a device or a pipe, expected a file"));
            }
            check_regular(path, path)?;
        }
        let sink = Sink::Temporary(temporary(path, Some(folder))?);
        let writer = BufWriter::with_capacity(BUFFER_BYTES, sink);
        Ok(Self { destination: path.to_owned(), writer })
    }

    /// Checks that a file can be written at `path`, and leaves nothing there.
    ///
    /// # Errors
    /// When `path` is a folder or a file that is read-only, its folder does not exist or cannot be
    /// written to.
    pub fn check(path: &Path) -> io::Result<()> {
        let destination = destination(path);
        if is_special(&destination) {
            return Ok(());
        }
        check_regular(path, &destination)?;
        temporary(&destination, None).map(drop)
    }

    /// Removes the temporary files of programs that were killed while they wrote `path`. Best effort: those that are
    /// still written stay, as do those that cannot be locked or removed.
    pub fn remove_leftovers(path: &Path) {
        let destination = destination(path);
        remove_leftovers(folder_of(&destination), &prefix_of(&destination));
    }

    /// Removes the temporary files of programs that were killed while they wrote anything in `folder`, as
    /// [`remove_leftovers`](Self::remove_leftovers) does.
    pub fn remove_all_leftovers(folder: &Path) {
        remove_leftovers(folder, Self::PREFIX);
    }

    /// The temporary file; `None` for a device or a pipe.
    pub fn temporary_path(&self) -> Option<&Path> {
        match self.writer.get_ref() {
            Sink::Temporary(file) => Some(file.path()),
            Sink::Direct(_) => None,
        }
    }

    /// Writes out the buffer and waits until the bytes are on the disk.
    ///
    /// # Errors
    /// When the system cannot write them.
    pub fn sync(&mut self) -> io::Result<()> {
        self.writer.flush()?;
        match self.writer.get_ref() {
            Sink::Temporary(file) => file.as_file().sync_all(),
            Sink::Direct(_) => Ok(()),
        }
    }

    /// Writes out the buffer and gives the file its name.
    ///
    /// # Errors
    /// When the system cannot write or rename it; an older file is then unchanged.
    pub fn commit(self) -> io::Result<()> {
        match self.writer.into_inner().map_err(io::IntoInnerError::into_error)? {
            Sink::Temporary(file) => {
                file.persist(&self.destination).map(drop).map_err(|error| error.error)
            }
            Sink::Direct(_) => Ok(()),
        }
    }

    /// As [`commit`](Self::commit), but replaces nothing.
    ///
    /// # Errors
    /// [`ErrorKind::AlreadyExists`] where a file, a link, a device or a pipe has the name by now, or when the system cannot
    /// write or rename it.
    pub fn commit_new(self) -> io::Result<()> {
        match self.writer.into_inner().map_err(io::IntoInnerError::into_error)? {
            Sink::Temporary(file) => {
                file.persist_noclobber(&self.destination).map(drop).map_err(|error| error.error)
            }
            Sink::Direct(_) => Err(ErrorKind::AlreadyExists.into()),
        }
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Sink::Temporary(file) => file.write(bytes),
            Sink::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Sink::Temporary(file) => file.flush(),
            Sink::Direct(file) => file.flush(),
        }
    }
}

/// Returns the file that `path` points to through symbolic links, whether it exists or not.
pub fn destination(path: &Path) -> PathBuf {
    // A pipe behind links has no name.
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return path.to_owned();
    }
    let mut destination = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(next) = fs::read_link(&destination) else { break };
        destination = folder_of(&destination).join(next);
    }
    fs::canonicalize(&destination).unwrap_or(destination)
}

/// Returns the folder of a file; `.` for a name alone.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Removes temporary files whose names begin with `prefix` and that are not locked.
fn remove_leftovers(folder: &Path, prefix: &str) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let is_temporary = |entry: &fs::DirEntry| {
        let is_file = entry.file_type().is_ok_and(|own| own.is_file());
        is_file && entry.file_name().to_str().is_some_and(|name| name.starts_with(prefix))
    };
    for entry in entries.filter_map(Result::ok).filter(is_temporary) {
        if File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Returns whether the path is a device or a pipe.
fn is_special(destination: &Path) -> bool {
    fs::metadata(destination).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Checks that `destination`, to which `path` points, is a file that may be replaced or a free name in a folder.
fn check_regular(path: &Path, destination: &Path) -> io::Result<()> {
    let error = |kind, message: String| Err(io::Error::new(kind, message));
    if destination.is_dir() {
        return error(ErrorKind::IsADirectory, "it is a folder".to_owned());
    }
    let folder = folder_of(destination);
    if !folder.is_dir() {
        let message = format!("there is no folder {}", folder.display());
        return error(ErrorKind::NotFound, message);
    }
    if path.as_os_str().to_string_lossy().ends_with(std::path::MAIN_SEPARATOR) {
        let message = "a file name is expected, not a folder's".to_owned();
        return error(ErrorKind::InvalidInput, message);
    }
    match fs::symlink_metadata(destination) {
        Ok(found) if found.permissions().readonly() => {
            let message = "it is read-only: make it writable, or name another file".to_owned();
            error(ErrorKind::PermissionDenied, message)
        }
        Err(found) if found.kind() != ErrorKind::NotFound => Err(found.kind().into()),
        _ => Ok(()),
    }
}

/// Makes a temporary file with the permissions of `destination`, else with those of a new file: a umask
/// limits them. It is removed unless it is renamed.
fn temporary(destination: &Path, folder: Option<&Path>) -> io::Result<NamedTempFile> {
    let folder = folder.unwrap_or_else(|| folder_of(destination));
    let prefix = prefix_of(destination);
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix);
    let found = fs::symlink_metadata(destination).ok().filter(|found| found.is_file());
    #[cfg(unix)]
    if found.is_none() {
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    }
    loop {
        let file = builder.tempfile_in(folder).map_err(|error| io::Error::from(error.kind()))?;
        // Not all file systems know locks: then the file stays when the program is killed.
        let _ = file.as_file().try_lock();
        // Another run may have taken it for a leftover before it was locked.
        if file.path().exists() {
            found.map_or(Ok(()), |found| file.as_file().set_permissions(found.permissions()))?;
            return Ok(file);
        }
    }
}

/// First characters of the temporary names for a file: with the FNV-1a hash of its name, which may be as long as names
/// can be and need not be text.
fn prefix_of(destination: &Path) -> String {
    let name = destination.file_name().unwrap_or_default().as_encoded_bytes();
    let hash = name.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
    });
    format!("{}{hash:016x}-", AtomicFile::PREFIX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &Path, text: &str) -> io::Result<()> {
        let mut file = AtomicFile::create(path)?;
        file.write_all(text.as_bytes())?;
        file.commit()
    }

    fn count(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn a_file_is_replaced_only_when_it_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.bvh");
        write(&path, "before").unwrap();
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"half").unwrap();
        file.flush().unwrap();
        drop(file);
        assert_eq!(fs::read_to_string(&path).unwrap(), "before");
        write(&path, "after").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "after");
        assert_eq!(count(folder.path()), 1);
    }

    #[test]
    fn a_new_file_replaces_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.bvh");
        let [first, second] = ["first", "second"].map(|text| {
            let mut file = AtomicFile::create_in(&path, folder.path()).unwrap();
            file.write_all(text.as_bytes()).unwrap();
            file
        });
        first.commit_new().unwrap();
        assert_eq!(second.commit_new().unwrap_err().kind(), ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(&path).unwrap(), "first");
        assert_eq!(count(folder.path()), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_and_a_device_take_a_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("link");
        let file = AtomicFile::create_in(&path, folder.path()).unwrap();
        std::os::unix::fs::symlink("nowhere", &path).unwrap();
        assert_eq!(file.commit_new().unwrap_err().kind(), ErrorKind::AlreadyExists);
        assert!(path.is_symlink() && count(folder.path()) == 1);
        let device = AtomicFile::create(Path::new("/dev/null")).unwrap();
        assert_eq!(device.commit_new().unwrap_err().kind(), ErrorKind::AlreadyExists);
    }

    #[test]
    fn temporary_files_stand_in_the_folder_that_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("out.bvh"), folder.path().join("other"));
        fs::create_dir(&other).unwrap();
        let mut file = AtomicFile::create_in(&path, &other).unwrap();
        file.write_all(b"text").unwrap();
        file.sync().unwrap();
        assert_eq!([count(folder.path()), count(&other)], [1, 1]);
        file.commit().unwrap();
        assert_eq!([count(folder.path()), count(&other)], [2, 0]);
    }

    #[test]
    fn leftovers_of_a_killed_program_are_removed_but_no_file_that_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("out.bvh"), folder.path().join("other.bvh"));
        let file = AtomicFile::create(&path).unwrap();
        let name = file.temporary_path().unwrap().file_name().unwrap().to_str().unwrap();
        let leftover = folder.path().join(format!("{}killed", &name[..name.len() - 6]));
        fs::write(&leftover, "half").unwrap();
        AtomicFile::remove_leftovers(&other);
        assert!(leftover.exists());
        AtomicFile::remove_leftovers(&path);
        assert!(!leftover.exists());
        fs::write(&leftover, "half").unwrap();
        AtomicFile::remove_all_leftovers(folder.path());
        assert!(!leftover.exists());
        file.commit().unwrap();
        assert_eq!(count(folder.path()), 1);
    }

    #[test]
    fn folders_are_refused_and_missing_ones_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let message = |path: &Path| {
            let [checked, created] =
                [AtomicFile::check(path), write(path, "")].map(|error| error.unwrap_err());
            assert_eq!(checked.to_string(), created.to_string());
            created.to_string()
        };
        assert_eq!(message(folder.path()), "it is a folder");
        let missing = message(&folder.path().join("no/out.bvh"));
        assert!(missing.starts_with("there is no folder "), "{missing}");
        let slash = folder.path().join("name/");
        assert_eq!(message(&slash), "a file name is expected, not a folder's");
        assert_eq!(count(folder.path()), 0);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_keeps_its_permissions_and_a_read_only_one_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("card.toml");
        fs::write(&path, "before").unwrap();
        let set = |mode| fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
        for mode in [0o600, 0o640, 0o666] {
            set(mode);
            AtomicFile::check(&path).unwrap();
            write(&path, "after").unwrap();
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, mode);
        }
        set(0o444);
        let message = AtomicFile::check(&path).unwrap_err().to_string();
        assert!(message.starts_with("it is read-only"), "{message}");
        assert_eq!(count(folder.path()), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_followed_or_replaced_and_new_files_have_usual_permissions() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let other = tempfile::tempdir().unwrap();
        for name in ["plain", "new"] {
            std::os::unix::fs::symlink(name, at("link")).unwrap();
            let mut file = AtomicFile::create(&at("link")).unwrap();
            file.write_all(b"new").unwrap();
            file.commit().unwrap();
            assert!(at("link").is_symlink());
            assert_eq!(fs::read_to_string(at(name)).unwrap(), "new");
            let mut file = AtomicFile::create_in(&at("link"), other.path()).unwrap();
            file.write_all(b"newer").unwrap();
            file.commit().unwrap();
            assert!(!at("link").is_symlink());
            assert_eq!(fs::read_to_string(at("link")).unwrap(), "newer");
            assert_eq!(fs::read_to_string(at(name)).unwrap(), "new");
            fs::remove_file(at("link")).unwrap();
        }
        let reference = at("reference");
        fs::write(&reference, "").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&at("plain")), mode(&reference));
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_written_to_directly() {
        AtomicFile::check(Path::new("/dev/null")).unwrap();
        write(Path::new("/dev/null"), "text").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
