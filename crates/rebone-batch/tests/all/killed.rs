//! Runs that are killed while a result gets its name: what they leave is known, and can be pruned.

use crate::common::{Place, done, made, tree, turning};
use rebone::skeleton::Clip;
use rebone::{Report, RetargetJob};
use rebone_batch::{BatchRequest, Pictures};
use std::path::Path;
use std::process::Command;

/// Variable with the folder of a batch that is killed.
const FOLDER: &str = "REBONE_KILLED";

/// A picture of nothing; a process with [`FOLDER`] ends when it is drawn.
fn blank(_: &RetargetJob, _: &Clip, _: &Report, _: &Path) -> Vec<u8> {
    if std::env::var_os(FOLDER).is_some() {
        std::process::abort();
    }
    b"blank".to_vec()
}

fn request(place: &Place) -> BatchRequest {
    let pictures = Some(Pictures { folder: place.path("pictures"), draw: blank });
    BatchRequest { pictures, ..place.request() }
}

/// The run that is killed: a test that does nothing unless it is started by the next one.
#[test]
fn killed_run() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    done(&request(&Place::at(folder)));
}

#[test]
fn a_result_of_a_killed_run_is_known() {
    let place = Place::new();
    place.write("lib/a.bvh", &turning(5.0));
    place.write("lib/b.bvh", &turning(5.0));
    let mut run = Command::new(std::env::current_exe().unwrap());
    run.args(["--exact", "killed::killed_run"]).env(FOLDER, place.path(""));
    assert!(!run.output().unwrap().status.success());
    std::fs::remove_file(place.path("lib/a.bvh")).unwrap();
    done(&BatchRequest { prune: true, ..request(&place) });
    let names: Vec<String> = tree(&place.path("out")).into_keys().collect();
    let class = names.iter().filter(|name| name.starts_with("cards")).cloned();
    let expected: Vec<String> = ["b.bvh".to_owned()]
        .into_iter()
        .chain(class)
        .chain(["manifest.jsonl".to_owned()])
        .collect();
    assert_eq!(names, expected);
}

/// The line of a result that is about to replace another comes behind that of the other: either file is the batch's.
#[test]
fn either_file_of_a_killed_replacement_is_pruned() {
    for is_replaced in [false, true] {
        let place = Place::new();
        place.write("lib/a.bvh", &turning(5.0));
        place.write("lib/b.bvh", &turning(5.0));
        assert_eq!(made(&request(&place)), ["a.bvh", "b.bvh"]);
        let old = (place.read("out/manifest.jsonl"), place.read("out/a.bvh"));
        let line =
            |text: &str| text.lines().find(|line| line.contains("lib/a.bvh")).unwrap().to_owned();
        let others: String = old
            .0
            .lines()
            .filter(|own| *own != line(&old.0))
            .map(|own| own.to_owned() + "\n")
            .collect();
        place.write("lib/a.bvh", &turning(9.0));
        assert_eq!(made(&request(&place)), ["a.bvh"]);
        let new = line(&place.read("out/manifest.jsonl")).replace("\"done\"", "\"failed\"");
        place.write("out/manifest.jsonl", &format!("{others}{}\n{new}\n", line(&old.0)));
        if !is_replaced {
            place.write("out/a.bvh", &old.1);
        }
        std::fs::remove_file(place.path("lib/a.bvh")).unwrap();
        let pruned = done(&BatchRequest { prune: true, ..request(&place) }).pruned;
        assert_eq!((pruned.removed, pruned.changed), (vec!["a.bvh".into()], Vec::new()));
        assert!(!place.path("out/a.bvh").exists() && !place.path("pictures/a.png").exists());
    }
}
