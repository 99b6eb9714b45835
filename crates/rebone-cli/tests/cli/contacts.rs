//! Contacts: written, corrected, given back, and switched off.

use crate::support::Place;

/// The samples of the demo, in the folder of a place.
fn with_samples() -> Place {
    let place = Place::new();
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/");
    for (name, file) in [("clip.bvh", "clips/walk.bvh"), ("rig.bvh", "rigs/toy-a-pose.bvh")] {
        std::fs::copy(format!("{data}{file}"), place.path(name)).unwrap();
    }
    place
}

#[test]
fn contacts_that_were_written_give_the_same_result_and_others_another() {
    let place = with_samples();
    place.run("retarget clip.bvh rig.bvh -o a.bvh --write-contacts found.json").succeeds();
    let found = place.read("found.json");
    assert_eq!(found.matches("\"left foot\"").count(), 5, "{found}");
    place.run("retarget clip.bvh rig.bvh -o b.bvh --contacts-from found.json").succeeds();
    assert!(place.read("a.bvh") == place.read("b.bvh"));
    place.write("none.json", "{\"contacts\": []}");
    place.run("retarget clip.bvh rig.bvh -o c.bvh --contacts-from none.json").succeeds();
    place.run("retarget clip.bvh rig.bvh -o d.bvh --contacts off").succeeds();
    assert!(
        place.read("c.bvh") == place.read("d.bvh") && place.read("c.bvh") != place.read("a.bvh")
    );
}

#[test]
fn frames_of_contacts_are_those_of_the_file() {
    let place = with_samples();
    let line = "retarget clip.bvh rig.bvh --frames 100..200";
    place.run(&format!("{line} -o a.bvh --write-contacts part.json")).succeeds();
    let part = place.read("part.json");
    assert!(part.contains("[121,163]"), "{part}");
    place.run(&format!("{line} -o b.bvh --contacts-from part.json")).succeeds();
    assert!(place.read("a.bvh") == place.read("b.bvh"));
}

#[test]
fn a_file_of_contacts_that_cannot_be_used_is_named_with_its_line() {
    let place = with_samples();
    place.write("bad.json", "{\"contacts\": [\n{\"part\": \"tail\"}]}");
    let run = place.run("retarget clip.bvh rig.bvh -o a.bvh --contacts-from bad.json");
    run.fails(
        1,
        &["bad.json:2: no part of the body is called \"tail\": expected one of left foot"],
    );
    assert!(!place.path("a.bvh").exists());
    place.run("retarget clip.bvh rig.bvh -o a.bvh --floor high").fails(2, &["expected a number"]);
}

#[test]
fn contacts_are_read_and_written_only_where_they_are_looked_for() {
    let place = with_samples();
    place.write("some.json", "{\"contacts\": []}");
    let cases = [
        ("--contacts off --contacts-from some.json", "--contacts is off"),
        ("--method copy --write-contacts new.json", "only --method ik keeps contacts"),
        ("--method egocentric --contacts-from some.json", "only --method ik keeps contacts"),
    ];
    for (options, why) in cases {
        place.run(&format!("retarget clip.bvh rig.bvh -o a.bvh {options}")).fails(2, &[why]);
        assert!(!place.path("a.bvh").exists() && !place.path("new.json").exists());
    }
    place.write(
        "late.json",
        "{\"contacts\": [{\"part\": \"seat\", \"kind\": \"plant\", \"frames\": [900, 950]}]}",
    );
    let run = place.run("retarget clip.bvh rig.bvh -o a.bvh --contacts-from late.json");
    run.succeeds();
    assert!(run.stderr.contains("late.json: 1 of 1 contacts"), "{}", run.stderr);
}

#[test]
fn a_floor_that_is_nowhere_near_is_told() {
    let place = with_samples();
    let run = place.run("retarget clip.bvh rig.bvh -o a.bvh --floor 4000");
    run.succeeds();
    assert!(run.stderr.contains("never comes near the floor that is named"), "{}", run.stderr);
    place.run("retarget clip.bvh rig.bvh -o b.bvh --floor 1e300").fails(2, &["found 1e300"]);
    std::fs::create_dir(place.path("lib")).unwrap();
    std::fs::copy(place.path("clip.bvh"), place.path("lib/clip.bvh")).unwrap();
    place.write("rules.toml", "[[clips]]\nfiles = '*'\nfloor = nan\n");
    place.run("batch lib -t rig.bvh -o out --options rules.toml").fails(1, &["rules.toml:3"]);
}
