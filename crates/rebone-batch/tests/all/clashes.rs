//! Names of results of which one would be a file and a folder.

use crate::common::tars::{members, tar};
use crate::common::{Place, done, root_pictures, tree, try_run, turning};
use rebone::skeleton::Format;
use rebone_batch::manifest::read_lines;
use rebone_batch::{
    BatchRequest, Progress, Shard, files_up_to_date, make_cards, merge_shards, run,
};
use std::collections::BTreeSet;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

fn arrays(place: &Place) -> BatchRequest {
    BatchRequest { format: Some(Format::Npz), ..place.request() }
}

/// Checks that all files can be unpacked into one folder, where case does not count.
fn assert_unpacks<'a>(names: impl IntoIterator<Item = &'a str>) {
    let names: Vec<String> = names.into_iter().map(str::to_lowercase).collect();
    let files: BTreeSet<&Path> = names.iter().map(Path::new).collect();
    assert_eq!(files.len(), names.len(), "{names:?}");
    for name in &files {
        let clash = name.ancestors().skip(1).find(|folder| files.contains(folder));
        assert_eq!(clash, None, "{} is in a file", name.display());
    }
}

#[test]
fn a_tar_of_results_can_be_unpacked() {
    let place = Place::new();
    // The line of the first result, and the second result, are called as folders; the others stay as they are.
    let names =
        ["walk.bvh", "walk.json/2.bvh", "run.bvh", "RUN.npz/2.bvh", "sit.bvh", "sit.npy/2.bvh"];
    let texts: Vec<(&str, String)> =
        names.into_iter().zip((4..).map(|k| turning(f64::from(k)))).collect();
    let parts: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (*name, &**text)).collect();
    place.write("lib/clash.tar", "");
    fs::write(place.path("lib/clash.tar"), tar(&parts)).unwrap();
    let mut notes = Vec::new();
    let outcome = run(&arrays(&place), &AtomicBool::new(false), &mut |event| {
        if let Progress::Note(text) = event {
            notes.push(text.to_owned());
        }
    });
    assert_eq!(outcome.unwrap().failed().count(), 0);
    let bytes = fs::read(place.path("out/clash.tar")).unwrap();
    let results = members(&bytes);
    let names: Vec<&str> = results.iter().map(|(name, _)| &**name).collect();
    assert_unpacks(names.iter().copied());
    let expected = [
        "walk-bcee8161.npz",
        "walk-bcee8161.json",
        "walk.json/2.npz",
        "walk.json/2.json",
        "run-4c755652.npz",
        "run-4c755652.json",
        "RUN.npz/2.npz",
        "RUN.npz/2.json",
        "sit.npz",
        "sit.json",
        "sit.npy/2.npz",
        "sit.npy/2.json",
    ];
    assert_eq!(names, expected);
    let note = &notes[..];
    let said = "run.bvh is clash.tar/run-4c755652.npz; 1 more have such names";
    assert!(matches!(note, [text] if text.ends_with(said)), "{note:?}");
    // It is up to date, also for a store, which looks at lines alone.
    assert!(done(&arrays(&place)).lines.is_empty());
    let (lines, _) = read_lines(&place.path("out/manifest.jsonl")).unwrap();
    let known = files_up_to_date(&arrays(&place), &lines).unwrap();
    assert_eq!(known, BTreeSet::from([place.path("lib/clash.tar")]));
}

/// A library whose results clash as arrays, and one whose picture does.
fn library() -> Place {
    let place = Place::new();
    for (k, name) in
        ["walk", "walk.npz/2", "run", "RUN.npz/2", "a/jump", "a/jump.png/2"].iter().enumerate()
    {
        place.write(&format!("lib/{name}.bvh"), &turning(4.0 + k as f64));
    }
    place
}

#[test]
fn results_in_folders_are_named_apart_from_folders() {
    let place = library();
    let pictures = Some(root_pictures(place.path("pictures")));
    let request = BatchRequest { pictures, ..arrays(&place) };
    assert_eq!(done(&request).failed().count(), 0);
    for (folder, count) in [("out", 6), ("pictures", 6)] {
        let files = tree(&place.path(folder));
        let results =
            files.keys().filter(|name| !name.starts_with("cards") && !name.ends_with(".jsonl"));
        let results: Vec<&str> = results.map(String::as_str).collect();
        assert_eq!(results.len(), count, "{results:?}");
        assert_unpacks(results);
    }
    assert!(done(&request).lines.is_empty());
    assert!(
        place.path("out/walk.npz/2.npz").is_file() && place.path("out/RUN.npz/2.npz").is_file()
    );
    // Without pictures, only the two results have other names.
    let place = library();
    done(&arrays(&place));
    assert!(place.path("out/a/jump.npz").is_file());
    let whole = tree(&place.path("out"));
    // Shards name them alike, though each has a part of the files.
    let place = library();
    let sample = NonZeroUsize::new(100).unwrap();
    make_cards(&arrays(&place), sample, &AtomicBool::new(false)).unwrap();
    for number in 0..4 {
        let shard = Shard::new(number, 4).ok();
        assert_eq!(done(&BatchRequest { shard, ..arrays(&place) }).failed().count(), 0);
    }
    merge_shards(&place.path("out"), &AtomicBool::new(false)).unwrap();
    let own: Vec<String> =
        tree(&place.path("out")).into_keys().filter(|name| name.ends_with(".npz")).collect();
    let whole: Vec<String> = whole.into_keys().filter(|name| name.ends_with(".npz")).collect();
    assert_eq!(own, whole);
}

#[test]
fn what_cannot_be_named_apart_is_refused_before_the_work() {
    let place = library();
    let refused = || try_run(&arrays(&place), &AtomicBool::new(false)).unwrap_err().to_string();
    // A folder that is called as the other name of a result.
    done(&arrays(&place));
    let other =
        tree(&place.path("out")).into_keys().find(|name| name.starts_with("walk-")).unwrap();
    place.write(&format!("lib/{other}/3.bvh"), &turning(9.0));
    let message = refused();
    assert!(
        message.contains("into a folder of that name: name them apart with --name"),
        "{message}"
    );
    fs::remove_dir_all(place.path(&format!("lib/{other}"))).unwrap();
    // A tar in a folder that is called as another tar, but for case.
    for name in ["lib/a.tar", "more/A.tar/b.tar"] {
        place.write(name, "");
        fs::write(place.path(name), tar(&[("1.bvh", &turning(1.0))])).unwrap();
    }
    let inputs = vec![place.input("lib"), place.input("more")];
    let request = BatchRequest { inputs, ..arrays(&place) };
    let message = try_run(&request, &AtomicBool::new(false)).unwrap_err().to_string();
    assert!(message.contains("into a folder of that name"), "{message}");
    let outputs: Vec<PathBuf> =
        ["out/a.tar", "out/A.tar"].iter().map(|name| place.path(name)).collect();
    assert!(outputs.iter().all(|path| !path.exists()));
}
