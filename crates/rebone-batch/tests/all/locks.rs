//! Names in the hidden folder of a batch that are links of files of the user.

use crate::common::{Place, try_run, turning};
use rebone_batch::{BatchRequest, FileLock, Shard, make_cards};
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Names that a batch opens in its hidden folder.
const OPENED: [&str; 2] = ["lock", "\u{e9}"];

/// Runs a batch, and a shard, with links of a file of the user in the hidden folder; returns what the runs say.
fn with_links(link: impl Fn(&Path, &Path)) -> Vec<String> {
    let place = Place::new();
    place.write("lib/a.bvh", &turning(4.0));
    let mut mine = Vec::new();
    let mut said = Vec::new();
    for (output, shard) in [("whole", None), ("shards", Shard::new(0, 1).ok())] {
        let request = BatchRequest { output: place.path(output), ..place.request() };
        make_cards(&request, NonZeroUsize::MIN, &AtomicBool::new(false)).unwrap();
        let hidden = place.path(output).join(".rebone");
        let folders = [hidden.clone(), hidden.join("0-of-1")];
        let folders = folders.iter().take(if shard.is_some() { 2 } else { 1 });
        for folder in folders {
            fs::create_dir_all(folder).unwrap();
            for name in OPENED {
                mine.push(format!("mine-{}.txt", mine.len()));
                let name_of_mine = &mine[mine.len() - 1];
                place.write(name_of_mine, "notes of mine");
                link(&place.path(name_of_mine), &folder.join(name));
            }
        }
        let request = BatchRequest { shard, ..request };
        let ran = try_run(&request, &AtomicBool::new(false));
        said.push(ran.map_or_else(|error| rebone::error_line(&error), |_| "done".to_owned()));
        mine.iter().for_each(|name| assert_eq!(place.read(name), "notes of mine", "{output}"));
    }
    said
}

#[test]
fn a_lock_that_is_a_hard_link_leaves_the_bytes_of_its_file() {
    let said = with_links(|file, link| fs::hard_link(file, link).unwrap());
    assert_eq!(said, ["done", "done"]);
}

#[cfg(unix)]
#[test]
fn a_lock_that_is_a_symbolic_link_is_refused_and_says_what_to_do() {
    let said = with_links(|file, link| std::os::unix::fs::symlink(file, link).unwrap());
    let refused = |text: &String| text.contains("lock is no regular file: remove it");
    assert!(said.iter().all(refused), "{said:?}");
}

#[test]
fn a_lock_is_of_one_holder_and_removes_no_file_with_bytes() {
    let place = Place::new();
    let path = place.path("lock");
    let lock = FileLock::acquire(&path).unwrap();
    assert!(lock.is_some() && FileLock::acquire(&path).unwrap().is_none());
    drop(lock);
    assert!(!path.exists());
    place.write("lock", "bytes");
    drop(FileLock::acquire(&path).unwrap().unwrap());
    assert_eq!(place.read("lock"), "bytes");
    assert!(FileLock::acquire(&place.path("")).is_err());
}
