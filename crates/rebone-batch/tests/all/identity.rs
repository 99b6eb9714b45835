//! Identity of a result: the files that it depends on, and its clip.

use crate::common::{Place, done, made, turn_of, turning, write_gltf};
use rebone_batch::{BatchRequest, Progress, run};
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

#[test]
fn a_result_is_made_again_when_a_file_beside_its_clip_or_rig_changed() {
    let place = Place::new();
    fs::create_dir_all(place.path("lib")).unwrap();
    write_gltf(&place.path("lib/a.gltf"), &[("turn", 5.0)]);
    write_gltf(&place.path("rig.gltf"), &[("own", 0.0)]);
    let mut request = place.request();
    request.targets.push(place.path("rig.gltf"));
    request.options.animation_only = true;
    assert_eq!(made(&request), ["a-hero.bvh", "a-rig.gltf"]);
    assert!(made(&request).is_empty());
    // Other data, the text unchanged.
    let text = place.read("lib/a.gltf");
    write_gltf(&place.path("lib/a.gltf"), &[("turn", 9.0)]);
    place.write("lib/a.gltf", &text);
    assert_eq!(made(&request), ["a-hero.bvh", "a-rig.gltf"]);
    assert!((turn_of(&place.path("out/a-hero.bvh")) - 9.0).abs() < 0.1);
    write_gltf(&place.path("rig.gltf"), &[("own", 1.0)]);
    assert_eq!(made(&request), ["a-rig.gltf"]);
    assert!(made(&request).is_empty());
}

#[test]
fn a_result_is_made_again_when_the_pose_that_a_card_names_changed() {
    let place = Place::new();
    place.write("lib/a.bvh", &turning(5.0));
    let request = place.request();
    made(&request);
    place.write("poses/still.bvh", &turning(0.0));
    let card =
        "pose_from = \"../../poses/still.bvh:0\"\n".to_owned() + &place.read("out/cards/a.toml");
    place.write("out/cards/a.toml", &card);
    assert_eq!(made(&request), ["a.bvh"]);
    assert!(made(&request).is_empty());
    place.write("poses/still.bvh", &turning(1.0));
    assert_eq!(made(&request), ["a.bvh"]);
    assert!(made(&request).is_empty());
}

/// Files that change between their hash and the work: the result would have the hash of other bytes.
#[test]
fn a_clip_that_changes_while_it_is_read_fails() {
    let place = Place::new();
    place.write("lib/a.bvh", &turning(5.0));
    write_gltf(&place.path("lib/b.gltf"), &[("turn", 5.0)]);
    let request = place.request();
    let change = |degrees: f64| {
        place.write("lib/a.bvh", &turning(degrees));
        let text = place.read("lib/b.gltf");
        write_gltf(&place.path("lib/b.gltf"), &[("turn", degrees)]);
        place.write("lib/b.gltf", &text);
    };
    let outcome = run(&request, &AtomicBool::new(false), &mut |event| {
        if let Progress::Begin { .. } = event {
            change(9.0);
        }
    })
    .unwrap();
    let messages: Vec<_> =
        outcome.failed().map(|line| line.error.clone().unwrap().message).collect();
    assert_eq!(messages.len(), 2, "{messages:?}");
    for name in ["a.bvh", "b.bin"] {
        let said = format!("{name} changed while it was read: run the batch again");
        assert!(messages.iter().any(|message| message.contains(&said)), "{messages:?}");
    }
    assert_eq!(made(&request), ["a.bvh", "b.bvh"]);
    assert!((turn_of(&place.path("out/b.bvh")) - 9.0).abs() < 0.1);
}

/// A person saves a result while the batch is at work, after it was decided that the result is made again.
#[test]
fn a_result_that_is_edited_while_the_batch_runs_is_not_replaced() {
    let place = Place::new();
    place.write("lib/a.bvh", &turning(4.0));
    done(&place.request());
    place.write("lib/a.bvh", &turning(12.0));
    place.write("lib/c.bvh", &turning(2.0));
    let mine = turning(7.0);
    let outcome = run(&place.request(), &AtomicBool::new(false), &mut |event| {
        if let Progress::Begin { .. } = event {
            place.write("out/a.bvh", &mine);
            place.write("out/c.bvh", &mine);
        }
    })
    .unwrap();
    let failed: Vec<_> = outcome.failed().collect();
    assert_eq!(failed.len(), 2, "{failed:?}");
    for line in failed {
        let message = &line.error.as_ref().unwrap().message;
        assert!(message.contains("was saved while the batch ran: move it"), "{message}");
        assert_eq!(
            fs::read_to_string(place.path("out").join(line.output.as_ref().unwrap())).unwrap(),
            mine
        );
    }
    // Later runs know it for an edit, and for a file of a person.
    let later = done(&place.request());
    let messages: Vec<_> =
        later.failed().map(|line| &line.error.as_ref().unwrap().message).collect();
    assert!(
        messages.len() == 2 && messages.iter().all(|own| own.contains("--overwrite")),
        "{messages:?}"
    );
    assert_eq!(place.read("out/a.bvh"), mine);
}

/// A person saves a merged file, or a part of one, while the batch is at work.
#[test]
fn what_is_saved_while_the_batch_runs_is_merged_and_no_merged_file_is_replaced() {
    let place = Place::new();
    for name in ["a", "b"] {
        place.write(&format!("lib/{name}.bvh"), &turning(4.0));
    }
    let request = BatchRequest { one_file: true, ..place.request() };
    done(&request);
    let merged = place.path("out/hero.glb");
    place.write("lib/a.bvh", &turning(12.0));
    let part = place.path("out/parts/a.glb");
    let edit = fs::read(place.path("out/parts/b.glb")).unwrap();
    let run_and = |path: &Path, bytes: &[u8]| {
        run(&request, &AtomicBool::new(false), &mut |event| {
            if let Progress::Begin { .. } = event {
                fs::write(path, bytes).unwrap();
            }
        })
        .unwrap()
    };
    // The part that was saved fails, and is merged as it is.
    let outcome = run_and(&part, &edit);
    assert_eq!((outcome.failed().count(), &outcome.merged[0].animations), (1, &Ok(2)));
    assert!(fs::read(&part).unwrap() == edit);
    // The merged file that was saved stays.
    let outcome = run_and(&merged, &edit);
    assert!(outcome.merged[0].animations.is_err(), "{:?}", outcome.merged);
    assert!(fs::read(&merged).unwrap() == edit);
}

#[test]
fn clips_of_a_file_are_known_by_their_index() {
    let place = Place::new();
    fs::create_dir_all(place.path("lib")).unwrap();
    let turns = [("a/b", 3.0), ("#0", 6.0), ("a_b", 9.0), ("0", 12.0), ("#1", 15.0), ("a/b", 18.0)];
    write_gltf(&place.path("lib/m.gltf"), &turns);
    let request = place.request();
    assert_eq!(made(&request).len(), turns.len());
    let (lines, _) = rebone_batch::manifest::read_lines(&place.path("out/manifest.jsonl")).unwrap();
    assert_eq!(lines.len(), turns.len());
    for line in lines {
        let part = line.part.unwrap();
        let turn = turn_of(&place.path("out").join(line.output.unwrap()));
        assert!((turn - turns[part.index].1).abs() < 0.1, "{part:?}: {turn}");
    }
}

#[test]
fn an_animation_of_the_rig_that_a_result_replaces_is_told() {
    let place = Place::new();
    place.write("lib/a.bvh", &turning(4.0));
    place.write("lib/b.bvh", &turning(8.0));
    let first = BatchRequest { one_file: true, ..place.request() };
    assert_eq!(done(&first).merged[0].warnings, Vec::<String>::new());
    let inputs = vec![place.input("lib/b.bvh")];
    let (targets, output) = (vec![place.path("out/hero.glb")], place.path("again"));
    let second = BatchRequest { inputs, targets, output, one_file: true, ..place.request() };
    let merged = done(&second).merged;
    assert_eq!(merged[0].animations, Ok(1));
    assert!(matches!(&merged[0].warnings[..], [one] if one.contains("\"b\"")), "{merged:?}");
}
