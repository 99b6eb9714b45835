//! Maps: pairs of joints that play the same role.

use crate::support::{Place, humanoid};

/// The joints of the figure and what they are called in [`odd`], without its end sites' lines.
fn renamed() -> (String, Vec<[String; 2]>) {
    let figure = humanoid("", 1);
    let mut pairs = Vec::new();
    let rename = |line: &str| match line.split_once(' ') {
        Some((kind @ ("ROOT" | "JOINT"), name)) => {
            pairs.push([name.to_owned(), format!("j{:02}", pairs.len())]);
            format!("{kind} j{:02}\n", pairs.len() - 1)
        }
        _ => format!("{line}\n"),
    };
    let figure = figure.lines().map(rename).collect();
    (figure, pairs)
}

/// A place with `odd.bvh`: names that say nothing, and one arm so short that shape says nothing either.
fn place() -> (Place, Vec<[String; 2]>) {
    let place = Place::new();
    let (figure, pairs) = renamed();
    let figure = figure.replace("OFFSET -28 0 0", "OFFSET -9 0 0");
    place.write("odd.bvh", &figure.replace("OFFSET -25 0 0", "OFFSET -8 0 0"));
    place.run("inspect odd.bvh").fails(1, &["odd.bvh", "no humanoid"]);
    (place, pairs)
}

/// A map of lines.
fn lines(pairs: &[[String; 2]]) -> String {
    pairs.iter().map(|[source, target]| format!("{source}\t{target}\n")).collect()
}

#[test]
fn a_map_tells_a_rig_whose_names_and_shape_say_nothing() {
    let (place, pairs) = place();
    place.write("map.tsv", &format!("# walk\todd\n\n{}", lines(&pairs)));
    let objects: Vec<String> = pairs.iter().map(|[a, b]| format!("{a:?}: {b:?}")).collect();
    place.write("map.json", &format!("{{\n{}\n}}\n", objects.join(",\n")));
    place.run("retarget walk.bvh odd.bvh -o a.bvh").fails(1, &["odd.bvh"]);
    for (map, out) in [("map.tsv", "a.bvh"), ("map.json", "b.bvh")] {
        let run = place.run(&format!("retarget walk.bvh odd.bvh -o {out} --map {map}"));
        run.succeeds();
        assert_eq!(run.stderr, "", "{map}");
    }
    assert_eq!(place.read("a.bvh"), place.read("b.bvh"));
    let run = place.run("inspect walk.bvh odd.bvh --map map.tsv -v");
    run.succeeds();
    let hand = run.stdout.lines().find(|line| line.contains("j12 ")).unwrap();
    assert!(hand.contains("rightHand") && hand.contains("paired with RightHand"), "{hand}");
}

#[test]
fn a_joint_may_be_named_by_its_number_or_path() {
    let (place, mut pairs) = place();
    pairs[0][0] = "#0".to_owned();
    pairs[1] = ["Hips/Spine".to_owned(), "#1".to_owned()];
    place.write("map.tsv", &lines(&pairs));
    place.run("retarget walk.bvh odd.bvh -o a.bvh --map map.tsv").succeeds();
    pairs[0] = ["#0".to_owned(), "#400".to_owned()];
    place.write("map.tsv", &lines(&pairs));
    let run = place.run("retarget walk.bvh odd.bvh -o b.bvh --map map.tsv");
    run.fails(1, &["map.tsv:1: odd.bvh: there is no joint \"#400\""]);
}

#[test]
fn a_faulty_map_is_named_with_its_line() {
    let place = Place::new();
    let to = "mixamorig:LeftHand";
    for (text, said) in [
        ("LeftHnad\tx\n".to_owned(), &["map:1: walk.bvh: ", "\"LeftHnad\"", "LeftHand"][..]),
        (format!("\nLeftHand\t{to}s\n"), &["map:2: hero.bvh: ", "nearest", to]),
        ("LeftHand  x\n".to_owned(), &["map:1: ", "found \"LeftHand  x\"", "expected", "tab"]),
        (
            format!("LeftHand\t{to}\n#\nLeftFoot\t{to}\n"),
            &["map:3: ", "hero.bvh is paired already, in line 1", "expected each joint once"],
        ),
        (
            format!("{{\"LeftHand\": {to:?},\n\"LeftHand\": \"Hips\"}}"),
            &["map:2: ", "joint \"LeftHand\" of walk.bvh is paired already, in line 1"],
        ),
        (format!("{{\"LeftHand\": {to:?},\n\"LeftHnad\": \"x\"}}"), &["map:2: ", "nearest"]),
        ("{\"LeftHand\":\n3}".to_owned(), &["map:2: ", "found 3", "expected"]),
        ("{\n\"LeftHand\" \"x\"}".to_owned(), &["map:2: ", "expected"]),
    ] {
        place.write("map", &text);
        let run = place.run("retarget walk.bvh hero.bvh -o out.bvh --map map");
        run.fails(1, said);
        place.run("inspect walk.bvh hero.bvh --map map").fails(1, said);
    }
    let run = place.run("retarget walk.bvh hero.bvh -o out.bvh --map none.tsv");
    run.fails(1, &["none.tsv: cannot read the map"]);
    place.run("inspect walk.bvh --map map").fails(2, &["<TARGET>"]);
    place.run("retarget walk.bvh hero.bvh -o map --map map").fails(2, &["never changed"]);
    place.run("inspect walk.bvh hero.bvh --preview map --map map").fails(2, &["never changed"]);
    assert!(!place.path("out.bvh").exists());
}

#[test]
fn a_pair_that_both_sides_know_better_is_a_warning() {
    let place = Place::new();
    place.write("map.tsv", "LeftHand\tmixamorig:RightHand\nHead\tmixamorig:Head\n");
    place.run("retarget walk.bvh hero.bvh -o plain.bvh").succeeds();
    let said = [
        "warning: the pair LeftHand, mixamorig:RightHand is not used",
        "LeftHand is leftHand",
        "mixamorig:RightHand is rightHand",
    ];
    for line in ["retarget walk.bvh hero.bvh -o out.bvh", "inspect walk.bvh hero.bvh"] {
        let run = place.run(&format!("{line} --map map.tsv"));
        run.succeeds();
        assert!(said.iter().all(|text| run.stderr.contains(text)), "{}", run.stderr);
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
        let run = place.run(&format!("{line} --map map.tsv --json"));
        assert!(run.stdout.contains("is not used"), "{}", run.stdout);
    }
    assert_eq!(place.read("out.bvh"), place.read("plain.bvh"));
}

#[test]
fn pairs_that_make_no_body_are_named() {
    let (place, mut pairs) = place();
    // The left forearm below the right upper arm.
    let arm = |name: &str| pairs.iter().position(|[source, _]| source == name).unwrap();
    let (left, right) = (arm("LeftForeArm"), arm("RightForeArm"));
    let other = pairs[left][1].clone();
    pairs[left][1] = pairs[right][1].clone();
    pairs[right][1] = other;
    place.write("map.tsv", &lines(&pairs));
    let run = place.run("retarget walk.bvh odd.bvh -o out.bvh --map map.tsv");
    run.fails(1, &["cannot use odd.bvh with the pairs of map.tsv", "forearm"]);
}

#[test]
fn a_map_without_a_pair_is_refused() {
    let place = Place::new();
    for (name, text) in
        [("blank.tsv", ""), ("remarks.tsv", "# source\ttarget\n\n"), ("none.json", "{}")]
    {
        place.write(name, text);
        let run = place.run(&format!("retarget walk.bvh hero.bvh -o out.bvh --map {name}"));
        run.fails(1, &[&format!("{name}:1: found no pair")]);
    }
    assert!(!place.path("out.bvh").exists());
}
