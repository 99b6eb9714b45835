//! What `rebone inspect` says and draws, of one body and of two.

use crate::support::{Place, Run, humanoid};
use std::path::Path;

/// The JSON on standard output.
fn json(run: &Run) -> serde_json::Value {
    run.succeeds();
    serde_json::from_str(&run.stdout).unwrap()
}

/// How many pixels of a picture have each of these colours.
fn count<const N: usize>(picture: &Path, colours: [[u8; 3]; N]) -> [usize; N] {
    let file = std::io::BufReader::new(std::fs::File::open(picture).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut bytes).unwrap();
    colours.map(|colour| bytes.chunks(3).filter(|pixel| *pixel == colour).count())
}

const X: [u8; 3] = [0xD8, 0x1E, 0x2C];
const Y: [u8; 3] = [0x12, 0x9A, 0x38];
const Z: [u8; 3] = [0x1C, 0x4F, 0xE8];
/// Left limbs of the first and of the second body.
const FIRST: [u8; 3] = [0x4F, 0x68, 0x82];
const SECOND: [u8; 3] = [0x9E, 0x3A, 0x00];

#[test]
fn inspect_shows_each_joint_with_its_role() {
    let place = Place::new();
    let run = place.run("inspect hero.bvh");
    run.succeeds();
    assert_eq!(run.stdout.lines().count(), 1 + 21);
    let line = |name: &str| run.stdout.lines().find(|line| line.contains(name)).unwrap();
    assert!(line("mixamorig:LeftForeArm ").contains("leftLowerArm"), "{}", run.stdout);
    let value = json(&place.run("inspect hero.bvh --json"));
    assert_eq!(value["joints"].as_array().unwrap().len(), 21);
    assert_eq!((value["up"].as_str(), value["facing"].as_str()), (Some("+Y"), Some("+Z")));
}

#[test]
fn each_role_says_why_and_whether_it_is_sure_enough() {
    let place = Place::new();
    let run = place.run("inspect hero.bvh -v");
    run.succeeds();
    let hand = run.stdout.lines().find(|line| line.contains("leftHand")).unwrap();
    assert!(hand.contains("named mixamorig:LeftHand"), "{hand}");
    assert!(run.stdout.lines().last().unwrap().contains("no joint plays"), "{}", run.stdout);
    assert!(run.stdout.contains("leftThumb"), "{}", run.stdout);
    let value = json(&place.run("inspect hero.bvh --json"));
    let role = &value["joints"][0]["role"];
    assert_eq!((&role["name"], &role["accepted"]), (&"hips".into(), &true.into()));
    assert_eq!(value["calibration_accepted"], true);
    assert!(value["absent"].as_array().unwrap().contains(&"leftThumb".into()));
}

#[test]
fn a_body_is_drawn_with_the_axes_of_its_segments() {
    let place = Place::new();
    let run = place.run("inspect hero.bvh --preview hero.png");
    run.succeeds();
    assert!(run.stdout.lines().last().unwrap().contains("hero.png"), "{}", run.stdout);
    let [x, y, z, first, second] = count(&place.path("hero.png"), [X, Y, Z, FIRST, SECOND]);
    assert!(x.min(y).min(z) > 500 && first > 500, "{x} {y} {z} {first}");
    assert_eq!(second, 0);
    let value = json(&place.run("inspect hero.bvh --preview hero.png --json"));
    assert_eq!(value["written"][0], "hero.png");
}

#[test]
fn the_pose_that_was_calibrated_on_is_drawn_beside_the_rest_pose() {
    let place = Place::new();
    let width = |line: &str| {
        place.run(line).succeeds();
        let file = std::io::BufReader::new(std::fs::File::open(place.path("a.png")).unwrap());
        png::Decoder::new(file).read_info().unwrap().info().width
    };
    let rest = width("inspect walk.bvh --preview a.png");
    let given = width("inspect walk.bvh --pose-from walk.bvh:0 --preview a.png");
    assert!(given > rest + 200, "{given} {rest}");
}

#[test]
fn the_surface_is_listed_by_segments_and_drawn_over_the_skeleton() {
    let place = Place::new();
    let run = place.run("inspect hero.bvh --surface --preview surface.png");
    run.succeeds();
    // Summary, a line on the unit, a body without a neck joint of its own, the picture.
    let lines =
        run.stdout.lines().filter(|line| line.contains(" default ") && line.contains("cm around"));
    assert!((15..=17).contains(&lines.count()), "{}", run.stdout);
    let [skeleton, surface] = count(&place.path("surface.png"), [FIRST, SECOND]);
    assert!(skeleton.min(surface) > 500, "{skeleton} {surface}");
    let value = json(&place.run("inspect hero.bvh --surface --json"));
    let belly = value["surface"].as_array().unwrap().iter().find(|own| own["segment"] == "belly");
    let belly = belly.unwrap();
    assert_eq!((&belly["origin"], &belly["inner_layers"]), (&"default".into(), &().into()));
    assert!((0.5..1.2).contains(&belly["circumference"].as_f64().unwrap()), "{belly}");
    assert!(json(&place.run("inspect hero.bvh --json"))["surface"].is_null());
    place.run("inspect walk.bvh hero.bvh --surface").fails(2, &["--surface"]);
}

#[test]
fn a_card_corrects_the_surface_and_with_it_the_result() {
    let place = Place::new();
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/");
    for (name, file) in [("clip.bvh", "clips/reach.bvh"), ("rig.bvh", "rigs/no-collar-no-neck.bvh")]
    {
        std::fs::copy(format!("{data}{file}"), place.path(name)).unwrap();
    }
    place.write("card.toml", "[surface]\nbelly = 1.5\nupperArm = 0.8\nneck = 2\n");
    let [plain, run] = ["", " --card card.toml"]
        .map(|card| json(&place.run(&format!("inspect rig.bvh --surface --json{card}"))));
    let of = |value: &serde_json::Value, name: &str| {
        let all = value["surface"].as_array().unwrap();
        let own = all.iter().find(|own| own["segment"] == name).unwrap();
        (own["origin"].as_str().unwrap().to_owned(), own["circumference"].as_f64().unwrap())
    };
    for (name, girth) in [("belly", 1.5), ("left upper arm", 0.8), ("right upper arm", 0.8)] {
        let [(before, was), (origin, is)] = [of(&plain, name), of(&run, name)];
        assert_eq!((&*before, &*origin), ("default", "card"), "{name}");
        assert!((is / was - girth).abs() < 1e-9, "{name}: {was} {is}");
    }
    assert_eq!(of(&plain, "chest"), of(&run, "chest"));
    let run = place.run("inspect rig.bvh --surface --card card.toml");
    run.succeeds();
    assert!(run.stdout.lines().any(|line| line.starts_with("belly            card ")));
    assert!(run.stderr.contains("the card states a surface of the neck"), "{}", run.stderr);

    for (name, card) in [("a.bvh", ""), ("b.bvh", "--target-card card.toml")] {
        place.run(&format!("retarget clip.bvh rig.bvh -o {name} {card}")).succeeds();
    }
    assert_ne!(place.read("a.bvh"), place.read("b.bvh"));
    place.run("card rig.bvh -o card.toml").succeeds();
    let card = place.read("card.toml");
    assert!(card.starts_with("[surface]\nbelly = 1.5\nupperArm = 0.8\nneck = 2\n"), "{card}");
    assert_eq!(place.run("card rig.bvh --card card.toml").stdout.matches("belly = 1.5").count(), 1);
}

#[test]
fn two_bodies_are_explained_and_drawn_in_the_same_poses() {
    let place = Place::new();
    let run = place.run("inspect walk.bvh hero.bvh --preview both.png");
    run.succeeds();
    assert_eq!(run.stdout.lines().count(), 2 * (1 + 21) + 1);
    let [x, y, z, first, second] = count(&place.path("both.png"), [X, Y, Z, FIRST, SECOND]);
    assert!(x.min(y).min(z) > 500 && first.min(second) > 500, "{x} {y} {z} {first} {second}");
    let value = json(&place.run("inspect walk.bvh hero.bvh --json"));
    for name in ["source", "target"] {
        assert_eq!(value[name]["joints"].as_array().unwrap().len(), 21);
    }
    assert!(value["warnings"].is_array() && value["written"].is_null());
}

#[test]
fn each_of_two_has_its_own_card() {
    let place = Place::new();
    place.write("card.toml", "[roles]\nhead = []\n");
    let line = "inspect walk.bvh hero.bvh --target-card card.toml";
    let value = json(&place.run(&format!("{line} --json")));
    let lacks_head =
        |name: &str| value[name]["absent"].as_array().unwrap().contains(&"head".into());
    assert!(lacks_head("target") && !lacks_head("source"));
    let run = place.run(line);
    run.succeeds();
    assert!(run.stderr.contains("no head joint"), "{}", run.stderr);
    for option in ["--target-card card.toml", "--map card.toml", "--up target=y"] {
        place.run(&format!("inspect walk.bvh {option}")).fails(2, &["<TARGET>"]);
    }
    for option in ["--source-card", "--card"] {
        let value =
            json(&place.run(&format!("inspect walk.bvh hero.bvh {option} card.toml --json")));
        assert!(value["source"]["absent"].as_array().unwrap().contains(&"head".into()), "{option}");
    }
    let line =
        "inspect walk.bvh hero.bvh --facing x --facing target=-x --pose-from target=hero.bvh:0";
    let run = place.run(line);
    assert!(run.stdout.contains("facing +X") && run.stdout.contains("facing -X"), "{}", run.stdout);
    assert!(run.stdout.contains("given pose"), "{}", run.stdout);
}

#[test]
fn a_picture_replaces_no_input_and_is_not_left_where_a_file_is_no_humanoid() {
    let place = Place::new();
    place.write("card.toml", "up = \"y\"");
    place.write("fish.bvh", &humanoid("", 1).replace("Leg", "Fin").replace("Foot", "Tail"));
    for line in [
        "inspect walk.bvh --preview walk.bvh",
        "inspect walk.bvh hero.bvh --preview hero.bvh",
        "inspect walk.bvh --card card.toml --preview card.toml",
        "inspect walk.bvh hero.bvh --target-card card.toml --preview card.toml",
    ] {
        place.run(line).fails(2, &["an input is never changed"]);
    }
    place.run("inspect fish.bvh --preview fish.png").fails(1, &["fish.bvh"]);
    place.run("inspect walk.bvh fish.bvh --preview fish.png").fails(1, &["fish.bvh"]);
    assert_eq!(place.files(), ["card.toml", "fish.bvh", "hero.bvh", "walk.bvh"]);
}
