//! Statements on a rig that contradict it or each other.

use crate::support::Place;

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
