//! Files of people at the places of results: refused, never replaced without a word.

use crate::common::{Place, done, made, root_pictures, try_run, turning, write_gltf};
use rebone::skeleton::Format;
use rebone_batch::manifest::{ManifestLine, read_lines};
use rebone_batch::{BatchOutcome, BatchRequest, ManifestFiles, Progress, plan, run};
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

fn library() -> Place {
    let place = Place::new();
    for (name, degrees) in [("a", 4.0), ("b", 8.0)] {
        place.write(&format!("lib/{name}.bvh"), &turning(degrees));
    }
    place
}

/// The only failure of a run.
fn failure(outcome: &BatchOutcome) -> String {
    let failed: Vec<_> = outcome.failed().collect();
    assert_eq!(failed.len(), 1, "{failed:?}");
    failed[0].error.as_ref().unwrap().message.clone()
}

fn error(request: &BatchRequest) -> String {
    rebone::error_line(&try_run(request, &AtomicBool::new(false)).unwrap_err())
}

#[test]
fn a_file_that_no_run_made_is_not_replaced_by_a_result() {
    for text in ["my notes", &turning(1.0)] {
        let place = library();
        place.write("out/a.bvh", text);
        let planned = plan(&place.request(), &AtomicBool::new(false), &mut |_| {}).unwrap();
        assert_eq!(planned.failing.len(), 1);
        for _ in 0..2 {
            let message = failure(&done(&place.request()));
            assert!(message.contains("a.bvh is ") && message.contains("--overwrite"), "{message}");
            assert_eq!(place.read("out/a.bvh"), text);
        }
        // Nor is it removed.
        let pruned =
            BatchRequest { inputs: vec![place.input("lib/b.bvh")], prune: true, ..place.request() };
        done(&pruned);
        assert_eq!(place.read("out/a.bvh"), text);
        assert_eq!(made(&BatchRequest { overwrite: true, ..place.request() }), ["a.bvh"]);
        assert!(made(&place.request()).is_empty());
        // It is the batch's now.
        place.write("lib/a.bvh", &turning(12.0));
        assert_eq!(made(&place.request()), ["a.bvh"]);
    }
}

/// Runs a batch; returns what it made, its failures and its notes.
fn noted(request: &BatchRequest) -> (Vec<String>, Vec<String>, Vec<String>) {
    let mut notes = Vec::new();
    let outcome = run(request, &AtomicBool::new(false), &mut |event| {
        if let Progress::Note(text) = event {
            notes.push(text.to_owned());
        }
    });
    let outcome = outcome.unwrap();
    let done = outcome.lines.iter().filter_map(|line| line.output.clone());
    let mut done: Vec<String> = done.map(|path| path.to_str().unwrap().to_owned()).collect();
    done.sort();
    let message = |line: &ManifestLine| line.error.as_ref().unwrap().message.clone();
    (done, outcome.failed().map(message).collect(), notes)
}

/// A result of another length, and of the same one.
fn edits(place: &Place) -> [String; 2] {
    let text = place.read("out/a.bvh");
    let digit = text.rfind(|own: char| own.is_ascii_digit()).unwrap();
    let other = if text[digit..].starts_with('1') { "2" } else { "1" };
    [turning(1.0), format!("{}{other}{}", &text[..digit], &text[digit + 1..])]
}

const KEPT: &str =
    "changed by hand since a batch wrote it, and kept: a.bvh; --overwrite makes it again";

#[test]
fn an_edited_result_that_is_up_to_date_is_kept_and_named() {
    for edit in 0..2 {
        let place = library();
        made(&place.request());
        let text = &edits(&place)[edit];
        place.write("out/a.bvh", text);
        for _ in 0..2 {
            assert_eq!(noted(&place.request()), (vec![], vec![], vec![KEPT.to_owned()]));
            assert_eq!(&place.read("out/a.bvh"), text);
        }
        let mut notes = Vec::new();
        let planned = plan(&place.request(), &AtomicBool::new(false), &mut |event| {
            if let Progress::Note(text) = event {
                notes.push(text.to_owned());
            }
        });
        let planned = planned.unwrap();
        assert_eq!(
            (planned.up_to_date, planned.edited, notes),
            (2, vec!["a.bvh".into()], vec![KEPT.to_owned()])
        );
        let (lines, _) = read_lines(&place.path("out/manifest.jsonl")).unwrap();
        let checked = ManifestFiles::new(place.path("out")).check(&lines[0]).unwrap_err();
        assert!(checked.ends_with("a.bvh; `batch --overwrite` makes it again"), "{checked}");
        let (done, failed, notes) = noted(&BatchRequest { overwrite: true, ..place.request() });
        assert_eq!((done, failed), (vec!["a.bvh".to_owned()], vec![]));
        assert_eq!(notes, ["changed by hand since a batch wrote it, and made again: a.bvh"]);
        assert_eq!(noted(&place.request()), (vec![], vec![], vec![]));
    }
}

#[test]
fn an_edited_result_is_not_replaced_where_its_clip_or_options_changed() {
    for force in [false, true] {
        let place = library();
        made(&place.request());
        let text = &edits(&place)[1];
        place.write("out/a.bvh", text);
        if !force {
            place.write("lib/a.bvh", &turning(20.0));
        }
        let request = BatchRequest { force, ..place.request() };
        for _ in 0..2 {
            let (done, failed, _) = noted(&request);
            assert_eq!(done, if force { vec!["b.bvh"] } else { vec![] });
            let said =
                "a.bvh was changed since a batch wrote it: move it, or replace it with --overwrite";
            assert!(failed.len() == 1 && failed[0].ends_with(said), "{failed:?}");
            assert_eq!(&place.read("out/a.bvh"), text);
        }
        let planned = plan(&request, &AtomicBool::new(false), &mut |_| {}).unwrap();
        assert_eq!((planned.failing.len(), planned.edited), (1, vec!["a.bvh".into()]));
        done(&BatchRequest { overwrite: true, ..request });
        assert_ne!(&place.read("out/a.bvh"), text);
        assert!(made(&place.request()).is_empty());
    }
}

#[test]
fn a_damaged_result_is_made_again() {
    let place = library();
    made(&place.request());
    let text = place.read("out/a.bvh");
    let last_frame = text.trim_end().rfind('\n').unwrap() + 1;
    let zeros = "\0".repeat(text.len());
    for damaged in [&text[..last_frame], &text[..last_frame + 20], "half", "", &zeros] {
        place.write("out/a.bvh", damaged);
        let (done, failed, notes) = noted(&place.request());
        assert_eq!((done, failed), (vec!["a.bvh".to_owned()], vec![]));
        assert_eq!(notes, ["damaged since a batch wrote it, and made again: a.bvh"]);
        assert_eq!(place.read("out/a.bvh"), text);
    }
}

#[test]
fn edited_arrays_are_kept_and_damaged_ones_made_again() {
    let place = library();
    let request = BatchRequest { format: Some(Format::Npz), ..place.request() };
    made(&request);
    let [path, other] = ["out/a.npz", "out/b.npz"].map(|name| place.path(name));
    let bytes = fs::read(&path).unwrap();
    let mut moved = bytes.clone();
    moved.insert(9, 0);
    for damaged in [&bytes[..bytes.len() - 1], &bytes[..30], &[], &moved] {
        fs::write(&path, damaged).unwrap();
        let (done, failed, notes) = noted(&request);
        assert_eq!((done, failed), (vec!["a.npz".to_owned()], vec![]));
        assert_eq!(notes, ["damaged since a batch wrote it, and made again: a.npz"]);
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
    fs::copy(&other, &path).unwrap();
    let (done, failed, notes) = noted(&request);
    assert_eq!((done, failed), (vec![], vec![]));
    assert_eq!(notes, [KEPT.replace("a.bvh", "a.npz")]);
    assert_eq!(fs::read(&path).unwrap(), fs::read(&other).unwrap());
}

#[test]
fn an_edited_part_is_merged_as_it_is() {
    let place = library();
    let request = BatchRequest { one_file: true, ..place.request() };
    done(&request);
    fs::copy(place.path("out/parts/b.glb"), place.path("out/parts/a.glb")).unwrap();
    let edit = fs::read(place.path("out/parts/a.glb")).unwrap();
    for changes in [false, true] {
        if changes {
            place.write("lib/a.bvh", &turning(20.0));
        }
        let outcome = done(&request);
        assert_eq!(outcome.edited, [Path::new("parts/a.glb")]);
        assert_eq!(
            (outcome.failed().count(), &outcome.merged[0].animations),
            (usize::from(changes), &Ok(2))
        );
        assert!(fs::read(place.path("out/parts/a.glb")).unwrap() == edit);
    }
}

#[test]
fn an_empty_file_is_replaced() {
    let place = library();
    place.write("out/a.bvh", "");
    assert_eq!(made(&place.request()), ["a.bvh", "b.bvh"]);
}

#[test]
fn a_file_at_the_place_of_a_picture_is_not_replaced() {
    let place = library();
    place.write("pictures/a.png", "my notes");
    let pictures = Some(root_pictures(place.path("pictures")));
    let request = BatchRequest { pictures, ..place.request() };
    let message = failure(&done(&request));
    assert!(message.contains("a.png is a file of another program"), "{message}");
    assert_eq!(place.read("pictures/a.png"), "my notes");
    assert_eq!(made(&BatchRequest { overwrite: true, ..request.clone() }), ["a.bvh"]);
    assert_eq!(made(&BatchRequest { force: true, ..request }), ["a.bvh", "b.bvh"]);
}

#[test]
fn a_merged_file_of_another_ends_the_run_before_any_work() {
    let place = library();
    fs::create_dir_all(place.path("out")).unwrap();
    write_gltf(&place.path("out/hero.glb"), &[("mine", 3.0)]);
    let mine = place.read("out/hero.glb");
    let request = BatchRequest { one_file: true, ..place.request() };
    let message = error(&request);
    assert!(
        message.contains("hero.glb is a glTF file") && message.contains("--overwrite"),
        "{message}"
    );
    assert!(plan(&request, &AtomicBool::new(false), &mut |_| {}).is_err());
    assert_eq!(place.read("out/hero.glb"), mine);
    assert!(!place.path("out/cards").exists());
    assert_eq!(
        done(&BatchRequest { overwrite: true, ..request.clone() }).merged[0].animations,
        Ok(2)
    );
    place.write("lib/c.bvh", &turning(1.0));
    assert_eq!(done(&request).merged[0].animations, Ok(3));
}

/// A merged file that a person edited, or another at its place: whatever the run has to do.
#[test]
fn a_merged_file_that_a_person_changed_ends_the_run_before_any_work() {
    let place = library();
    let request = BatchRequest { one_file: true, ..place.request() };
    done(&request);
    let own = fs::read(place.path("out/hero.glb")).unwrap();
    write_gltf(&place.path("out/hero.glb"), &[("mine", 3.0)]);
    let mine = fs::read(place.path("out/hero.glb")).unwrap();
    place.write("lib/a.bvh", &turning(12.0));
    for [force, prune] in [[false, false], [true, false], [false, true]] {
        let request = BatchRequest { force, prune, ..request.clone() };
        let message = error(&request);
        let said =
            "hero.glb was changed since a batch wrote it: move it, or replace it with --overwrite";
        assert!(message.contains(said), "{message}");
        assert!(plan(&request, &AtomicBool::new(false), &mut |_| {}).is_err());
        assert!(fs::read(place.path("out/hero.glb")).unwrap() == mine);
    }
    fs::write(place.path("out/hero.glb"), own).unwrap();
    assert_eq!(made(&request), ["parts/a.glb"]);
    fs::write(place.path("out/hero.glb"), mine).unwrap();
    done(&BatchRequest { overwrite: true, ..request.clone() });
    assert!(made(&request).is_empty());
}

#[test]
fn a_file_called_as_the_manifest_is_not_replaced() {
    for text in ["my notes", "{\"my\": \"notes\"}\n"] {
        let place = library();
        place.write("out/manifest.jsonl", text);
        assert!(error(&place.request()).contains("manifest.jsonl is no manifest of a batch"));
        assert_eq!(place.read("out/manifest.jsonl"), text);
        assert_eq!(made(&BatchRequest { overwrite: true, ..place.request() }).len(), 2);
        assert_eq!(place.read("out/manifest.jsonl.broken-1"), text);
    }
}

#[test]
fn a_manifest_with_lines_that_cannot_be_read_is_kept_as_a_copy_and_said() {
    let place = library();
    made(&place.request());
    let manifest = place.read("out/manifest.jsonl");
    let broken = format!("oops\n{manifest}");
    place.write("out/manifest.jsonl", &broken);
    let mut notes = Vec::new();
    let mut note = |event: Progress| {
        if let Progress::Note(text) = event {
            notes.push(text.to_owned());
        }
    };
    run(&place.request(), &AtomicBool::new(false), &mut note).unwrap();
    place.write("out/manifest.jsonl", &format!("{manifest}{}", &manifest[..40]));
    run(&place.request(), &AtomicBool::new(false), &mut note).unwrap();
    assert_eq!(notes.len(), 2, "{notes:?}");
    assert!(notes[0].starts_with("1 lines of ") && notes[0].contains("manifest.jsonl.broken-1"));
    assert_eq!(place.read("out/manifest.jsonl.broken-1"), broken);
    // Nothing is lost of what a power cut leaves.
    assert!(!notes[1].contains("copy") && !place.path("out/manifest.jsonl.broken-2").exists());
}

#[test]
fn a_file_at_the_place_of_a_folder_is_named() {
    for name in [".rebone", "cards", "sub"] {
        let place = library();
        place.write("lib/sub/c.bvh", &turning(1.0));
        place.write(&format!("out/{name}"), "mine");
        let message = match try_run(&place.request(), &AtomicBool::new(false)) {
            Ok(outcome) => failure(&outcome),
            Err(error) => rebone::error_line(&error),
        };
        assert!(message.contains(&format!("{name} is a file, not a folder")), "{message}");
        assert_eq!(place.read(&format!("out/{name}")), "mine");
    }
}
