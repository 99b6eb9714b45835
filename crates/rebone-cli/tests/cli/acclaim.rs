//! Acclaim motions (AMC) and skeletons (ASF) as sources, as rigs and in batches.

use crate::support::{Place, is_png};

/// The bones of the trunk, and those of both sides with `{}` for the side: name, parent, vector to the end of the left
/// one, and degrees of freedom.
const TRUNK: [(&str, &str, [f64; 3], &str); 6] = [
    ("lowerback", "root", [0.0, 2.0, 0.0], "rx ry rz"),
    ("upperback", "lowerback", [0.0, 2.1, 0.0], "rx ry rz"),
    ("thorax", "upperback", [0.0, 2.0, 0.1], "rx ry rz"),
    ("lowerneck", "thorax", [0.0, 1.5, 0.1], "rx ry rz"),
    ("upperneck", "lowerneck", [0.0, 1.5, 0.0], "rx ry rz"),
    ("head", "upperneck", [0.0, 1.6, 0.0], "rx ry rz"),
];
const SIDES: [(&str, &str, [f64; 3], &str); 10] = [
    ("{}hipjoint", "root", [1.7, -1.8, 0.3], ""),
    ("{}femur", "{}hipjoint", [0.0, -7.4, 0.0], "rx ry rz"),
    ("{}tibia", "{}femur", [0.0, -7.1, 0.0], "rx"),
    ("{}foot", "{}tibia", [0.0, -0.6, 2.0], "rx rz"),
    ("{}toes", "{}foot", [0.0, 0.0, 1.1], "rx"),
    ("{}clavicle", "thorax", [3.0, 0.9, 0.0], "ry rz"),
    ("{}humerus", "{}clavicle", [4.8, 0.0, 0.0], "rx ry rz"),
    ("{}radius", "{}humerus", [4.6, 0.0, 0.0], "rx"),
    ("{}wrist", "{}radius", [0.7, 0.0, 0.0], "ry"),
    ("{}fingers", "{}wrist", [0.6, 0.0, 0.0], "rx"),
];

/// All bones, parents first.
fn bones() -> Vec<(String, String, [f64; 3], &'static str)> {
    let trunk = TRUNK.map(|(name, parent, end, dof)| (name.into(), parent.into(), end, dof));
    let sides = [("l", 1.0), ("r", -1.0)].into_iter().flat_map(|(side, sign)| {
        SIDES.map(|(name, parent, [x, y, z], dof)| {
            (name.replace("{}", side), parent.replace("{}", side), [sign * x, y, z], dof)
        })
    });
    trunk.into_iter().chain(sides).collect()
}

fn asf() -> String {
    let mut text = String::from(
        "# figure\n:version 1.10\n:name figure\n:units\n mass 1\n length 0.45\n angle deg\n:root\n \
         order TX TY TZ RX RY RZ\n axis XYZ\n position 0 0 0\n orientation 0 0 0\n:bonedata\n",
    );
    for (name, _, [x, y, z], dof) in bones() {
        let length = (x * x + y * y + z * z).sqrt();
        text += &format!(" begin\n name {name}\n direction {x} {y} {z}\n length {length}\n");
        // A half turn about Y: the bone's X and Z are against those of the world.
        text += " axis 0 180 0 XYZ\n";
        if !dof.is_empty() {
            text += &format!(" dof {dof}\n");
        }
        text += " end\n";
    }
    text += ":hierarchy\n begin\n";
    for (name, parent, ..) in bones() {
        text += &format!(" {parent} {name}\n");
    }
    text + " end\n"
}

/// A figure that bends its left knee a little more in each frame.
fn amc(frames: usize) -> String {
    let mut text = String::from("#!OML:ASF figure.ASF\n:FULLY-SPECIFIED\n:DEGREES\n");
    for frame in 0..frames {
        text += &format!("{}\nroot 0 17 0 0 0 0\n", frame + 1);
        for (name, _, _, dof) in bones().iter().filter(|bone| !bone.3.is_empty()) {
            let bend = if name == "ltibia" { -10.0 * frame as f64 } else { 0.0 };
            let values = vec![bend.to_string(); dof.split(' ').count()];
            text += &format!("{name} {}\n", values.join(" "));
        }
    }
    text
}

/// A folder with a motion of three frames and its skeleton.
fn place() -> Place {
    let place = Place::new();
    place.write("02.asf", &asf());
    place.write("02_01.amc", &amc(3));
    place
}

#[test]
fn a_motion_is_retargeted_with_the_skeleton_beside_it() {
    let place = place();
    let run = place.run("inspect 02_01.amc");
    run.succeeds();
    assert!(
        run.stdout.starts_with("02_01.amc: 3 frames at 120/s, 25 of 27 joints have a role"),
        "{run:?}"
    );
    assert!(
        run.stderr.contains("02_01.amc:4: the file states no frame rate: read as 120"),
        "{run:?}"
    );
    place.run("retarget 02_01.amc hero.bvh -o out.bvh").succeeds();
    let run = place.run("inspect out.bvh --json");
    assert!(run.stdout.contains("\"frames\": 3"), "{run:?}");
    place.run("preview 02_01.amc -o out.png").succeeds();
    assert!(is_png(&place.path("out.png")));
    // The knee bends.
    let frames = place.read("out.bvh");
    let knee = |line: usize| frames.lines().rev().nth(line).unwrap().to_owned();
    assert_ne!(knee(0), knee(2));
}

#[test]
fn a_skeleton_alone_is_a_rig() {
    let place = place();
    let run = place.run("inspect 02.asf");
    run.succeeds();
    assert!(run.stdout.starts_with("02.asf: no motion"), "{run:?}");
    place.run("retarget walk.bvh 02.asf -o out.bvh").succeeds();
    place.run("retarget walk.bvh 02.asf -o out.glb").succeeds();
    assert!(place.read("out.bvh").starts_with("HIERARCHY\nROOT root\n"));
    place.run("inspect out.glb").succeeds();
    place.run("retarget 02.asf hero.bvh -o no.bvh").fails(1, &["02.asf: there is no clip in it"]);
    place.run("retarget walk.bvh 02.asf -o out.amc").fails(2, &["name it out.bvh"]);
}

#[test]
fn the_skeleton_has_the_longest_name_that_begins_the_motions() {
    let place = place();
    place.write("0.asf", "broken");
    place.write("02_0.asf", "broken");
    place.write("02_0.asf.txt", "no skeleton");
    place.write("other.asf", "broken");
    let run = place.run("inspect 02_01.amc");
    run.succeeds();
    assert!(!run.stderr.contains("is taken as the skeleton"), "{run:?}");
    std::fs::rename(place.path("02_0.asf"), place.path("02_.asf")).unwrap();
    place.run("inspect 02_01.amc").fails(1, &["02_.asf:1: found \"broken\", expected :version"]);
    for name in ["0.asf", "02_.asf", "02.asf"] {
        std::fs::remove_file(place.path(name)).unwrap();
    }
    place.write("third.ASF", &asf());
    let said = "02_01.amc: found other.asf, third.ASF beside it, expected one .asf whose name 02_01 begins with";
    place.run("inspect 02_01.amc").fails(1, &[said]);
    std::fs::remove_file(place.path("other.asf")).unwrap();
    let run = place.run("inspect 02_01.amc");
    run.succeeds();
    let said = "third.ASF:1: third.ASF is taken as the skeleton: it is the only .asf in the folder";
    assert!(run.stderr.contains(said), "{run:?}");
    std::fs::remove_file(place.path("third.ASF")).unwrap();
    let said =
        ["02_01.amc: found no .asf beside it", "put its .asf into the same folder, as 02_01.asf"];
    place.run("inspect 02_01.amc").fails(1, &said);
}

#[test]
fn a_motion_on_standard_input_takes_the_only_skeleton() {
    let place = place();
    let run = || {
        let motion = std::fs::File::open(place.path("02_01.amc")).unwrap();
        let run = place.command().args(["inspect", "-"]).stdin(motion).output().unwrap();
        (run.status.code(), String::from_utf8(run.stderr).unwrap())
    };
    let (code, said) = run();
    assert!(code == Some(0) && said.contains("02.asf is taken as the skeleton"), "{said}");
    let advice =
        "standard input has no folder: name the file, or run where its .asf is the only one";
    place.write("-.asf", &asf());
    let (code, said) = run();
    assert!(code == Some(1) && said.contains(advice), "{said}");
    assert!(said.contains("found -.asf, 02.asf, expected one .asf"), "{said}");
    for name in ["-.asf", "02.asf"] {
        std::fs::remove_file(place.path(name)).unwrap();
    }
    let (code, said) = run();
    assert!(code == Some(1) && said.contains(advice), "{said}");
    assert!(said.contains("found no .asf, expected one .asf"), "{said}");
}

#[test]
fn a_motion_under_the_name_of_a_skeleton_is_named() {
    let place = place();
    place.write("02.asf", &amc(1));
    let said = "02.asf:2: found \":FULLY-SPECIFIED\", expected a keyword of a skeleton: this is a motion, not a skeleton";
    place.run("inspect 02_01.amc").fails(1, &[said]);
    place.run("inspect 02.asf").fails(1, &[said]);
}

#[test]
fn a_skeleton_beside_a_motion_is_an_input() {
    let place = place();
    std::fs::hard_link(place.path("02.asf"), place.path("out.bvh")).unwrap();
    let run = place.run("retarget 02_01.amc hero.bvh -o out.bvh --overwrite -q");
    run.fails(2, &["an input is never changed"]);
    assert_eq!(place.read("02.asf"), asf());
}

#[test]
fn a_batch_takes_motions_and_makes_them_anew_where_their_skeleton_changed() {
    let place = place();
    std::fs::create_dir(place.path("clips")).unwrap();
    place.write("clips/02.asf", &asf());
    place.write("clips/02_01.amc", &amc(3));
    place.write("clips/02_02.amc", &amc(5));
    let line = "batch clips -t hero.bvh -o out";
    let run = place.run(line);
    run.succeeds();
    assert!(run.stdout.contains("2 made, 8 frames"), "{run:?}");
    assert!(run.stdout.contains("1  file that holds no motion"), "{run:?}");
    assert!(place.path("out/02_02.bvh").is_file());
    let run = place.run(line);
    assert!(run.stdout.contains("2 up to date"), "{run:?}");
    place.write("clips/02.asf", &asf().replace("-7.1", "-7.2"));
    let run = place.run(line);
    assert!(run.stdout.contains("2 made"), "{run:?}");
}

#[test]
fn a_motion_is_no_card_and_is_not_written_over() {
    let place = place();
    let run = place.run("retarget walk.bvh hero.bvh -o x.bvh --target-card 02_01.amc");
    run.fails(1, &["02_01.amc: found an Acclaim motion (AMC), expected a rig card"]);
    std::fs::copy(place.path("02.asf"), place.path("x.bvh")).unwrap();
    let run = place.run("retarget walk.bvh hero.bvh -o x.bvh");
    run.fails(2, &["x.bvh is an Acclaim skeleton (ASF)", "--overwrite"]);
}
