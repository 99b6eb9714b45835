//! Pipes, sockets and devices in the places of files: refused by name, and never waited for.

use super::tests::{Served, served};
use super::{NamedFiles, StudioFiles};
use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// Replaces a file by a pipe, a socket, a device and a folder, one after another.
fn with_each(path: &Path, mut check: impl FnMut(&str)) {
    let kinds: [(&str, fn(&Path)); 4] = [
        ("a pipe", |path| {
            assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
        }),
        ("a socket", |path| drop(UnixListener::bind(path).unwrap())),
        ("a device", |path| symlink("/dev/null", path).unwrap()),
        ("a folder", |path| fs::create_dir(path).unwrap()),
    ];
    for (name, make) in kinds {
        let _ = fs::remove_file(path);
        make(path);
        check(name);
    }
    fs::remove_dir(path).unwrap();
}

/// Message of a start with these files, which ends within a time that nothing needs.
fn refusal(path: &Path, named: fn(&Path) -> NamedFiles<'_>) -> String {
    let (sender, receiver) = mpsc::channel();
    let path = path.to_owned();
    thread::spawn(move || {
        sender.send(StudioFiles::new(&named(&path)).map_err(|own| own.message()))
    });
    let started = receiver.recv_timeout(Duration::from_secs(20)).expect("it hangs");
    started.expect_err("it is no file")
}

#[test]
fn files_of_the_command_line_are_regular_files() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("named");
    let places: [fn(&Path) -> NamedFiles<'_>; 4] = [
        |path| NamedFiles { motions: [Some(path), None], ..NamedFiles::default() },
        |path| NamedFiles { cards: [None, Some(path)], ..NamedFiles::default() },
        |path| NamedFiles { map: Some(path), ..NamedFiles::default() },
        |path| NamedFiles { contacts: Some(path), ..NamedFiles::default() },
    ];
    for named in places {
        with_each(&path, |kind| {
            let message = refusal(&path, named);
            assert!(message.contains("named: found "), "{message}");
            assert!(message.contains(&format!("found {kind}, expected a file")), "{message}");
        });
    }
    let absent = NamedFiles { cards: [Some(&path), None], ..NamedFiles::default() };
    assert!(StudioFiles::new(&absent).is_ok(), "a card is made when it is saved");
}

/// A source and a card, as files of a library are read.
#[test]
fn files_that_are_replaced_later_are_refused_when_they_are_read() {
    let served: Served = served();
    for (number, name) in [(0, "walk.bvh"), (2, "walk.toml")] {
        with_each(&served.folder.path().join(name), |kind| {
            let answer = served.ask(&format!("GET /api/file/{number}"), &[], b"");
            let message = format!("cannot read {name}: found {kind}, expected a file");
            assert_eq!((answer.status, answer.body.as_str()), (500, message.as_str()));
        });
    }
    let card = served.folder.path().join("walk.toml");
    with_each(&card, |kind| {
        let header = ("if-match", "\"0\"");
        let answer = served.ask("PUT /api/file/2", &[header], b"up = \"+Z\"\n");
        assert_eq!(answer.status, 500, "{kind}: {}", answer.body);
        assert!(answer.body.contains(kind), "{}", answer.body);
    });
}
