//! Statements on a rig that contradict it or each other.

use crate::support::Place;
use rebone::skeleton::bvh::{Hierarchy, WriteOptions, write_clip};
use rebone::skeleton::{Clip, Document};

#[test]
fn a_statement_that_is_given_twice_for_one_file_is_refused() {
    let place = Place::new();
    let line = "retarget walk.bvh hero.bvh -o out.bvh";
    for (words, said) in [
        ("--up y --up z", "--up is given twice for the source"),
        ("--up y --up y", "--up is given twice for the source"),
        ("--facing z --facing source=x", "--facing is given twice for the source"),
        ("--unit target=cm --unit target=m", "--unit is given twice for the target"),
        ("--pose-from rest --pose-from rest", "--pose-from is given twice for the source"),
        ("--skin target=0 --skin target=1", "--skin is given twice for the target"),
    ] {
        place.run(&format!("{line} {words}")).fails(2, &[said]);
        assert!(!place.path("out.bvh").exists(), "{words}");
    }
    place.run("card walk.bvh --level-feet 0 --level-feet 1").fails(2, &["twice for both feet"]);
    place.run("card walk.bvh --up y --up z").fails(2, &["--up"]);
    place.run(&format!("{line} --up y --up target=y --facing z")).succeeds();
}

#[test]
fn a_length_in_another_unit_is_refused_with_the_line_of_the_card() {
    let place = Place::new();
    for (text, said) in [
        ("# hero\nsole_height = 900\n", "card.toml:2: sole_height = 900, expected a height from -"),
        ("trunk_radii = [10, 10, 900]\n", "card.toml:1: trunk_radii = [10, 10, 900], expected"),
    ] {
        place.write("card.toml", text);
        let run = place.run("retarget walk.bvh hero.bvh -o out.bvh --target-card card.toml");
        run.fails(1, &[said]);
        assert!(!place.path("out.bvh").exists());
    }
}

#[test]
fn positions_of_a_root_in_another_unit_are_found_and_scaled() {
    let place = Place::new();
    let mut walk = rebone_samples::walk().motion;
    let hierarchy = Hierarchy::from_skeleton(&walk.skeleton);
    let write = |name: &str, clip: &Clip| {
        let bytes = write_clip(Vec::new(), &hierarchy, clip, WriteOptions::default()).unwrap();
        std::fs::write(place.path(name), bytes).unwrap();
    };
    write("near.bvh", &walk.clip);
    walk.clip.edit(|_, pose| pose.translations[0] *= 100.0).unwrap();
    write("far.bvh", &walk.clip);
    let advice = "--root-scale auto scales them";
    let doctor = |file: &str| place.run(&format!("doctor {file}")).stdout.contains(advice);
    assert!(doctor("far.bvh") && !doctor("near.bvh"));
    let run = place.run("retarget far.bvh hero.bvh -o far-out.bvh");
    assert!(run.stdout.contains(advice) && run.stdout.contains("LOOK"), "{run:?}");
    place.run("retarget near.bvh hero.bvh -o out.bvh").succeeds();
    let motion = |name: &str| {
        let document = Document::open(place.path(name), None).unwrap();
        document.clip(None).unwrap().motion
    };
    for scale in ["0.01", "auto"] {
        let line = "retarget far.bvh hero.bvh -o scaled.bvh --overwrite --root-scale";
        let run = place.run(&format!("{line} {scale}"));
        run.succeeds();
        assert!(run.stderr.contains("positions of the root are scaled by 0.01"), "{run:?}");
        let [scaled, plain] = ["scaled.bvh", "out.bvh"].map(motion);
        for (a, b) in scaled.clip.poses().zip(plain.clip.poses()) {
            assert!((a.translations[0] - b.translations[0]).norm() < 1e-4);
        }
    }
    place.write("card.toml", "root_scale = \"auto\"\n");
    let run = place.run("check far.bvh scaled.bvh --source-card card.toml");
    assert!(run.stdout.contains("PASS"), "{run:?}");
    place.run("retarget far.bvh hero.bvh -o x.bvh --root-scale 0").fails(2, &["expected auto"]);
}
