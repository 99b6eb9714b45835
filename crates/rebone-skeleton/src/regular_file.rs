//! Opens regular files alone: a pipe, a socket or a device in the place of a file is an error, and never waited for.

use std::fs::{self, File, FileType, OpenOptions};
use std::io;
use std::path::Path;

/// Opens a regular file to read; symbolic links are followed.
///
/// The kind is read before it is opened, as to open some devices changes their state, and again of the open file: a
/// pipe that took the name in between is opened without waiting for a writer, and refused.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("walk.bvh");
/// std::fs::write(&path, "HIERARCHY")?;
/// assert_eq!(rebone_skeleton::open_regular(&path)?.metadata()?.len(), 9);
/// let error = rebone_skeleton::open_regular(folder.path()).unwrap_err();
/// assert_eq!(error.to_string(), "found a folder, expected a file");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// When there is no file, it cannot be opened, or it is a folder, a pipe, a socket or a device: the message says which.
pub fn open_regular(path: &Path) -> io::Result<File> {
    check(fs::metadata(path)?.file_type())?;
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        let flag = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flag);
    }
    let file = options.open(path)?;
    check(file.metadata()?.file_type())?;
    Ok(file)
}

fn check(kind: FileType) -> io::Result<()> {
    match kind.is_file() {
        true => Ok(()),
        false => Err(io::Error::other(format!("found {}, expected a file", name(kind)))),
    }
}

/// Name of a kind that is no regular file, for messages.
fn name(kind: FileType) -> &'static str {
    if kind.is_dir() {
        return "a folder";
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return "a pipe";
        }
        if kind.is_socket() {
            return "a socket";
        }
    }
    "a device"
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::Read;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;
    use std::process::Command;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Arc, mpsc};
    use std::thread;
    use std::time::Duration;

    #[test]
    fn all_but_regular_files_are_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), "text").unwrap();
        symlink(at("file"), at("link")).unwrap();
        for name in ["file", "link"] {
            let mut text = String::new();
            open_regular(&at(name)).unwrap().read_to_string(&mut text).unwrap();
            assert_eq!(text, "text");
        }
        assert!(Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
        symlink(at("pipe"), at("link to a pipe")).unwrap();
        let _socket = UnixListener::bind(at("socket")).unwrap();
        symlink("/dev/null", at("device")).unwrap();
        for (name, found) in [
            ("pipe", "a pipe"),
            ("link to a pipe", "a pipe"),
            ("socket", "a socket"),
            ("device", "a device"),
            (".", "a folder"),
        ] {
            let error = open_regular(&at(name)).unwrap_err();
            assert_eq!(error.to_string(), format!("found {found}, expected a file"));
        }
        assert_eq!(open_regular(&at("none")).unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    /// A file and a pipe exchange their names again and again while they are opened.
    #[test]
    fn a_pipe_that_takes_the_name_of_a_file_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("a"), "text").unwrap();
        assert!(Command::new("mkfifo").arg(at("b")).status().unwrap().success());
        let is_over = Arc::new(AtomicBool::new(false));
        let (sender, receiver) = mpsc::channel();
        let (path, ends) = (at("a"), Arc::clone(&is_over));
        thread::spawn(move || {
            while !ends.load(Ordering::Relaxed) {
                if let Ok(file) = open_regular(&path) {
                    assert!(file.metadata().unwrap().is_file());
                }
            }
            sender.send(()).unwrap();
        });
        for _ in 0..3000 {
            for (from, to) in [("a", "c"), ("b", "a"), ("c", "b")] {
                fs::rename(at(from), at(to)).unwrap();
            }
        }
        is_over.store(true, Ordering::Relaxed);
        receiver.recv_timeout(Duration::from_secs(20)).expect("it hangs");
    }
}
