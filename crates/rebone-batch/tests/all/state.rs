//! State of an output folder over several runs: earlier results and files of people.

use crate::common::{Place, done, made, tree, turning, write_gltf};
use rebone_batch::{BatchRequest, plan, run};
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

fn library() -> Place {
    let place = Place::new();
    for (name, degrees) in [("a", 4.0), ("b", 8.0), ("sub/c", 12.0)] {
        place.write(&format!("lib/{name}.bvh"), &turning(degrees));
    }
    place
}

#[test]
fn a_run_keeps_what_it_does_not_speak_of_until_it_is_pruned() {
    let place = library();
    let request = place.request();
    made(&request);
    let whole = tree(&place.path("out"));
    let few = BatchRequest { inputs: vec![place.input("lib/a.bvh")], ..place.request() };
    assert!(made(&few).is_empty());
    assert_eq!(tree(&place.path("out")), whole);
    assert!(made(&request).is_empty());
    let prune = BatchRequest { prune: true, ..few };
    let planned = plan(&prune, &AtomicBool::new(false), &mut |_| {}).unwrap();
    assert_eq!(planned.removed, ["b.bvh", "sub/c.bvh"].map(PathBuf::from));
    // A result that a person changed stays.
    place.write("out/b.bvh", "mine");
    place.write("out/notes.txt", "mine");
    let pruned = done(&prune).pruned;
    assert_eq!((pruned.removed, pruned.changed), (vec!["sub/c.bvh".into()], vec!["b.bvh".into()]));
    assert_eq!(place.read("out/b.bvh"), "mine");
    assert_eq!(place.read("out/notes.txt"), "mine");
    assert!(!place.path("out/sub/c.bvh").exists() && place.path("out/a.bvh").exists());
    assert_eq!(place.read("out/manifest.jsonl").lines().count(), 1);
}

#[test]
fn merged_files_keep_the_clips_of_earlier_runs_until_they_are_pruned() {
    let place = library();
    let request = BatchRequest { one_file: true, ..place.request() };
    assert_eq!(done(&request).merged[0].animations, Ok(3));
    let whole = tree(&place.path("out"));
    let few = BatchRequest { inputs: vec![place.input("lib/a.bvh")], ..request.clone() };
    assert_eq!(done(&few).merged[0].animations, Ok(3));
    assert_eq!(tree(&place.path("out")), whole);
    let few = BatchRequest { prune: true, ..few };
    assert_eq!(done(&few).merged[0].animations, Ok(1));
    assert!(!place.path("out/parts/b.glb").exists());
    let plain = BatchRequest { prune: true, ..place.request() };
    done(&plain);
    assert!(!place.path("out/hero.glb").exists(), "its parts are pruned");
}

#[test]
fn nothing_outside_the_output_folder_is_pruned() {
    let place = library();
    made(&place.request());
    let line = place.read("out/manifest.jsonl");
    let line = line.lines().next().unwrap().to_owned();
    fs::copy(place.path("out/a.bvh"), place.path("precious.bvh")).unwrap();
    place.write("out/manifest.jsonl", &(line.replace("\"a.bvh\"", "\"../precious.bvh\"") + "\n"));
    done(&BatchRequest { prune: true, ..place.request() });
    assert!(place.path("precious.bvh").exists());
}

#[test]
fn an_earlier_output_folder_is_no_input() {
    let place = library();
    made(&BatchRequest { output: place.path("lib/old"), ..place.request() });
    let mut notes = Vec::new();
    let outcome = run(&place.request(), &AtomicBool::new(false), &mut |event| {
        if let rebone_batch::Progress::Note(text) = event {
            notes.push(text.to_owned());
        }
    });
    assert_eq!(outcome.unwrap().lines.len(), 3);
    assert!(notes.len() == 1 && notes[0].contains("old is left out"), "{notes:?}");
    let pattern = BatchRequest { inputs: vec![place.input("lib/**/*.bvh")], ..place.request() };
    assert!(made(&pattern).is_empty());
    // Named itself, its results are clips, and its cards are none.
    let again = BatchRequest {
        inputs: vec![place.input("lib/old")],
        output: place.path("again"),
        ..place.request()
    };
    assert_eq!(made(&again), ["a.bvh", "b.bvh", "sub/c.bvh"]);
}

#[test]
fn poses_beside_cards_and_corrected_guesses_stay() {
    let place = library();
    let request = place.request();
    made(&request);
    let cards = tree(&place.path("out/cards"));
    // Before the card by name, and of its skeleton.
    place.write("out/cards/0-pose.bvh", &turning(1.0));
    place.write("out/cards/broken.bvh", "a note");
    place.write("out/cards/a.guess.toml", "# corrected\n");
    assert!(made(&request).is_empty());
    done(&BatchRequest { relearn: true, prune: true, ..place.request() });
    let mut now = tree(&place.path("out/cards"));
    assert_eq!(now.remove("a.guess.toml").unwrap(), b"# corrected\n");
    assert!(now.remove("0-pose.bvh").is_some() && now.remove("broken.bvh").is_some());
    assert_eq!(now.keys().collect::<Vec<_>>(), cards.keys().collect::<Vec<_>>());
}

#[test]
fn a_guess_is_written_over_only_as_the_program_wrote_it() {
    let place = Place::new();
    let bent = turning(0.0).replace("OFFSET 0 -0.15 0", "OFFSET 0.11 0.04 0.09");
    place.write("lib/odd.bvh", &bent.replace("OFFSET 0 -0.14 0", "OFFSET 0.11 0.04 0.09"));
    let mut request = place.request();
    request.options.accept_guesses = false;
    done(&request);
    let guess = place.read("out/cards/odd.guess.toml");
    done(&request);
    assert_eq!(place.read("out/cards/odd.guess.toml"), guess);
    let corrected = guess.clone() + "# looked at\n";
    place.write("out/cards/odd.guess.toml", &corrected);
    let outcome = done(&request);
    assert!(
        outcome.failed().next().unwrap().error.as_ref().unwrap().message.contains("you corrected")
    );
    done(&place.request());
    assert_eq!(place.read("out/cards/odd.guess.toml"), corrected);
    assert!(place.path("out/cards/odd.toml").exists());
}

#[test]
fn a_clip_that_fails_says_what_is_left_of_it() {
    let place = library();
    made(&place.request());
    place.write("lib/a.bvh", "HIERARCHY\nROOT");
    done(&place.request());
    assert!(place.path("out/a.bvh").exists());
    let pruned = done(&BatchRequest { prune: true, ..place.request() }).pruned;
    assert!(pruned.removed.is_empty() && place.path("out/a.bvh").exists());
    fs::remove_file(place.path("lib/a.bvh")).unwrap();
    let pruned = done(&BatchRequest { prune: true, ..place.request() }).pruned;
    assert_eq!(pruned.removed, [PathBuf::from("a.bvh")]);
}

/// Clips of a file that is broken, and their animations in a merged file.
#[test]
fn clips_of_a_file_that_cannot_be_read_are_not_pruned() {
    for one_file in [false, true] {
        let place = library();
        write_gltf(&place.path("lib/m.gltf"), &[("walk", 3.0), ("run", 6.0)]);
        let request = BatchRequest { one_file, ..place.request() };
        made(&request);
        let whole = tree(&place.path("out"));
        fs::rename(place.path("lib/m.bin"), place.path("m.bin")).unwrap();
        let text = place.read("lib/a.bvh");
        place.write("lib/a.bvh", "HIERARCHY\nROOT");
        let prune = BatchRequest { prune: true, ..request.clone() };
        let planned = plan(&prune, &AtomicBool::new(false), &mut |_| {}).unwrap();
        assert!(planned.removed.is_empty(), "{:?}", planned.removed);
        let outcome = done(&prune);
        assert!(outcome.pruned.removed.is_empty(), "{:?}", outcome.pruned);
        if one_file {
            assert_eq!(outcome.merged[0].animations, Ok(5));
        }
        fs::rename(place.path("m.bin"), place.path("lib/m.bin")).unwrap();
        place.write("lib/a.bvh", &text);
        done(&prune);
        assert!(tree(&place.path("out")) == whole);
    }
}

/// Folders behind links without an end, and folders that are empty as where a disk is not there.
#[cfg(unix)]
#[test]
fn nothing_is_pruned_where_inputs_are_not_there_at_this_moment() {
    let place = library();
    place.write("disk/d.bvh", &turning(16.0));
    place.write("other/e.bvh", &turning(20.0));
    std::os::unix::fs::symlink("../disk", place.path("lib/disk")).unwrap();
    let inputs = vec![place.input("lib"), place.input("other")];
    let prune = BatchRequest { inputs, prune: true, ..place.request() };
    done(&prune);
    let whole = tree(&place.path("out"));
    for (folder, said) in [("disk", "lib/disk cannot be read"), ("other", "other is empty")] {
        let (away, back) = (place.path("away"), place.path(folder));
        fs::rename(&back, &away).unwrap();
        if folder == "other" {
            fs::create_dir(&back).unwrap();
        }
        let mut notes = String::new();
        run(&prune, &AtomicBool::new(false), &mut |event| {
            if let rebone_batch::Progress::Note(text) = event {
                notes += text;
            }
        })
        .unwrap();
        assert!(notes.contains("nothing is pruned") && notes.contains(said), "{notes}");
        assert!(place.path("out/disk/d.bvh").exists() && place.path("out/e.bvh").exists());
        let _ = fs::remove_dir(&back);
        fs::rename(&away, &back).unwrap();
    }
    assert!(made(&prune).is_empty());
    assert!(tree(&place.path("out")) == whole);
    // Nothing else is left: the reason is said.
    fs::rename(place.path("disk"), place.path("away")).unwrap();
    let inputs = vec![place.input("lib/d*")];
    let request = BatchRequest { inputs, ..place.request() };
    let error = run(&request, &AtomicBool::new(false), &mut |_| {}).unwrap_err();
    assert!(error.to_string().contains("lib/disk cannot be read: "), "{error}");
}

#[test]
fn clips_that_move_within_a_file_are_made_again() {
    let place = Place::new();
    fs::create_dir_all(place.path("lib")).unwrap();
    write_gltf(&place.path("lib/m.gltf"), &[("a", 3.0), ("b", 6.0)]);
    made(&place.request());
    write_gltf(&place.path("lib/m.gltf"), &[("b", 6.0), ("a", 3.0)]);
    assert_eq!(made(&place.request()).len(), 2);
}

/// A card that was learned from another rig: its file was saved while it was read. The entries of a person stay.
#[test]
fn a_generated_card_that_does_not_fit_its_rig_is_learned_again() {
    let (place, other) = (library(), library());
    made(&place.request());
    other.write("hero.bvh", &turning(0.0));
    made(&other.request());
    let own = place.read("out/cards/hero.toml");
    let whole = tree(&place.path("out"));
    let wrong = other.read("out/cards/hero.toml");
    for mine in ["", "unit = \"cm\"\n"] {
        place.write("out/cards/hero.toml", &format!("{mine}{wrong}"));
        let planned = plan(&place.request(), &AtomicBool::new(false), &mut |_| {}).unwrap();
        let hero = planned.classes.iter().find(|class| class.name == "hero").unwrap();
        assert_eq!(hero.card, rebone_batch::CardState::New);
        done(&place.request());
        let text = place.read("out/cards/hero.toml");
        assert!(text.starts_with(mine) && text != wrong, "{text}");
        if mine.is_empty() {
            assert_eq!(text, own);
            assert!(tree(&place.path("out")) == whole);
        }
        assert!(made(&place.request()).is_empty());
    }
}

/// A link without an end, whose folder a pattern goes through.
#[cfg(unix)]
#[test]
fn nothing_is_pruned_where_a_pattern_meets_a_folder_that_cannot_be_read() {
    let place = library();
    place.write("disk/d.bvh", &turning(16.0));
    std::os::unix::fs::symlink("../disk", place.path("lib/disk")).unwrap();
    for pattern in ["lib/**/*.bvh", "lib/*/*.bvh"] {
        let inputs = vec![place.input(pattern)];
        let prune = BatchRequest { inputs, prune: true, ..place.request() };
        done(&prune);
        fs::rename(place.path("disk"), place.path("away")).unwrap();
        let notes = notes(&prune);
        assert!(notes.contains("nothing is pruned: "), "{notes}");
        assert!(notes.contains("lib/disk cannot be read"), "{notes}");
        assert!(place.path("out/disk/d.bvh").exists());
        fs::rename(place.path("away"), place.path("disk")).unwrap();
    }
}

/// Clips that are not among the inputs at this moment, and are not known to be gone.
#[cfg(unix)]
#[test]
fn results_of_clips_that_are_skipped_are_not_pruned() {
    for pattern in ["lib", "lib/**/*.bvh"] {
        let place = library();
        let inputs = vec![place.input(pattern)];
        let request = BatchRequest { inputs, ..place.request() };
        made(&request);
        let manifest = place.read("out/manifest.jsonl");
        let prune = BatchRequest { prune: true, ..request };
        let kept = |result: &str, said: &str| {
            let planned = plan(&prune, &AtomicBool::new(false), &mut |_| {}).unwrap();
            assert!(planned.removed.is_empty(), "{:?}", planned.removed);
            let notes = notes(&prune);
            assert!(notes.contains(said) && notes.contains("results are not pruned"), "{notes}");
            assert!(place.path("out").join(result).exists(), "{said}");
        };
        place.write("lib/sub/manifest.jsonl", &manifest);
        kept("sub/c.bvh", "lib/sub is left out");
        fs::remove_file(place.path("lib/sub/manifest.jsonl")).unwrap();
        fs::remove_file(place.path("lib/sub/c.bvh")).unwrap();
        kept("sub/c.bvh", "lib/sub is empty");
        fs::remove_file(place.path("lib/a.bvh")).unwrap();
        std::os::unix::fs::symlink("/dev/null", place.path("lib/a.bvh")).unwrap();
        kept("a.bvh", "lib/a.bvh is no regular file");
        fs::remove_file(place.path("lib/a.bvh")).unwrap();
        fs::remove_dir(place.path("lib/sub")).unwrap();
        let removed = done(&prune).pruned.removed;
        assert_eq!(removed, ["a.bvh", "sub/c.bvh"].map(PathBuf::from));
    }
}

/// Messages of a run.
fn notes(request: &BatchRequest) -> String {
    let mut notes = String::new();
    run(request, &AtomicBool::new(false), &mut |event| {
        if let rebone_batch::Progress::Note(text) = event {
            notes += text;
        }
    })
    .unwrap();
    notes
}

#[test]
fn a_folder_at_the_place_of_data_is_named() {
    let place = library();
    write_gltf(&place.path("lib/m.gltf"), &[("walk", 3.0)]);
    fs::remove_file(place.path("lib/m.bin")).unwrap();
    fs::create_dir(place.path("lib/m.bin")).unwrap();
    let outcome = done(&place.request());
    let message = &outcome.failed().next().unwrap().error.as_ref().unwrap().message;
    assert!(message.contains("m.bin: found a folder, expected a file"), "{message}");
}
