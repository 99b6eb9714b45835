//! Corrections of a calibration without numbers: soles by a frame, one side by the other.

use crate::support::{Place, humanoid};
use nalgebra::Vector3;
use rebone::skeleton::WorldPose;

/// The figure with feet that slope down by 20 degrees at rest, and turned back in each frame: there they stand flat.
fn sloping(frames: usize) -> String {
    let rest = |text: String| {
        let text = text.replace("OFFSET 0 -6 12", "OFFSET 0 -9.742398 9.224191");
        text.replace("OFFSET 0 -3 6", "OFFSET 0 -4.871199 4.612095")
    };
    let text = rest(humanoid("", frames));
    let (head, motion) = text.split_once("Frame Time: 0.0333333\n").unwrap();
    let joints = head.lines().filter(|line| line.starts_with("ROOT") || line.starts_with("JOINT"));
    let feet: Vec<usize> =
        joints.enumerate().filter(|(_, line)| line.ends_with("Foot")).map(|(k, _)| k).collect();
    let turned = |line: &str| {
        let mut values: Vec<&str> = line.split(' ').collect();
        feet.iter().for_each(|foot| values[3 + 3 * foot + 1] = "-20");
        values.join(" ") + "\n"
    };
    let frames: String = motion.lines().map(turned).collect();
    format!("{head}Frame Time: 0.0333333\n{frames}")
}

/// Angles between the soles of `result`, a motion of hero.bvh, and the floor in its first frame, degrees.
fn tilts(place: &Place, result: &str) -> [f64; 2] {
    let anatomy = rebone::open(place.path("hero.bvh")).unwrap().analyse().unwrap();
    let result = rebone::open(place.path(result)).unwrap();
    let mut world = WorldPose::zeros(result.skeleton());
    world.update(result.skeleton(), &result.clip().pose(0).unwrap()).unwrap();
    anatomy.body.legs.each_ref().map(|leg| {
        let index = leg.foot.index();
        let up = world.rotations[index] * anatomy.joint_from_anatomical[index] * Vector3::y();
        up.angle(&Vector3::y()).to_degrees()
    })
}

#[test]
fn soles_that_slope_at_rest_are_level_on_the_target() {
    let place = Place::new();
    place.write("walk.bvh", &sloping(3));
    place.run("retarget walk.bvh hero.bvh -o before.bvh").succeeds();
    for tilt in tilts(&place, "before.bvh") {
        assert!((tilt - 20.0).abs() < 1.0, "{tilt}");
    }
    let run = place.run("card walk.bvh -o walk.toml --level-feet 0");
    run.succeeds();
    let said = "levelled LeftFoot, LeftToeBase, RightFoot, RightToeBase\n";
    assert!(run.stdout.starts_with(said), "{}", run.stdout);
    place.run("retarget walk.bvh hero.bvh -o after.bvh --source-card walk.toml").succeeds();
    for tilt in tilts(&place, "after.bvh") {
        assert!(tilt < 0.1, "{tilt}");
    }
    let run = place.run("card walk.bvh -o auto.toml --level-feet auto");
    run.succeeds();
    let found = "the left foot stands in frame 0\nthe right foot stands in frame 0\n";
    assert!(run.stdout.starts_with(&format!("{found}{said}")), "{}", run.stdout);
    assert_eq!(place.read("auto.toml"), place.read("walk.toml"));
    place.run("card walk.bvh -o left.toml --level-feet left=0").succeeds();
    place.run("retarget walk.bvh hero.bvh -o left.bvh --source-card left.toml").succeeds();
    let [left, right] = tilts(&place, "left.bvh");
    assert!(left < 0.1 && right > 19.0, "{left} {right}");
    let run = place.run("card walk.bvh -o left.toml --mirror left");
    run.succeeds();
    assert!(run.stdout.starts_with("mirrored 8 joints from the left\n"), "{}", run.stdout);
    place.run("retarget walk.bvh hero.bvh -o both.bvh --source-card left.toml").succeeds();
    for tilt in tilts(&place, "both.bvh") {
        assert!(tilt < 0.1, "{tilt}");
    }
}

#[test]
fn corrections_stay_in_a_card_that_is_updated() {
    let place = Place::new();
    place.write("walk.bvh", &sloping(3));
    place.run("card walk.bvh -o walk.toml --level-feet 0").succeeds();
    let card = place.read("walk.toml");
    assert_eq!(card.matches("  # level in frame 0\n").count(), 4, "{card}");
    place.run("card walk.bvh -o walk.toml").succeeds();
    assert_eq!(place.read("walk.toml"), card);
    place.write("other.bvh", &humanoid("", 2));
    place.run("card other.bvh -o walk.toml").succeeds();
    let axes = |card: &str| card.split("[generated.axes]").nth(1).unwrap().to_owned();
    assert_eq!(axes(&place.read("walk.toml")), axes(&card));
    place.run("card walk.bvh --card walk.toml -o copy.toml").succeeds();
    assert_eq!(axes(&place.read("copy.toml")), axes(&card));
    place.run("card walk.bvh -o walk.toml --level-feet right=2").succeeds();
    let again = place.read("walk.toml");
    assert_eq!(again.matches("  # level in frame 0\n").count(), 2, "{again}");
    assert_eq!(again.matches("  # level in frame 2\n").count(), 2, "{again}");
    place.write("long.bvh", &sloping(9));
    place.run("card walk.bvh -o walk.toml --learn long.bvh").succeeds();
    let learned = place.read("walk.toml");
    assert_eq!(learned.matches("  # level in frame").count(), 4, "{learned}");
    place.run("card walk.bvh -o walk.toml --level-feet 1").succeeds();
    let learned = place.read("walk.toml");
    assert!(learned.contains("\n# learned from 2 files"), "{learned}");
    assert_eq!(learned.matches("  # level in frame 1\n").count(), 4, "{learned}");
    place.run("card walk.bvh -o walk.toml --pose-from rest").succeeds();
    assert!(!place.read("walk.toml").contains("[generated.axes]"), "another pose was stated");
}

#[test]
fn lines_of_a_person_stay_and_are_named() {
    let place = Place::new();
    let mine = "# mine\n[axes]\nRightHand = { x = \"+Y\", y = \"-X\" }  # checked\n";
    place.write("walk.toml", mine);
    let run = place.run("card walk.bvh -o walk.toml --mirror left --level-feet 0");
    run.succeeds();
    let said = "warning: not corrected, because lines of the card state their axes: RightHand";
    assert!(run.stderr.contains(said), "{}", run.stderr);
    // Right feet were levelled themselves, and the hand is the person's.
    assert!(run.stdout.contains("mirrored 5 joints from the left\n"), "{}", run.stdout);
    let card = place.read("walk.toml");
    assert!(card.starts_with(mine), "{card}");
    assert_eq!(card.matches("RightHand = ").count(), 2, "its role and the person's axes: {card}");
    assert!(card.contains("RightForeArm = { x = \"+Y\", y = \"-X\" }  # mirrored from the left\n"));
    place.run("inspect walk.bvh --card walk.toml").succeeds();
    let run = place.run("card walk.bvh --mirror right");
    assert!(
        run.stdout.contains("LeftHand = { x = \"-Y\", y = \"+X\" }  # mirrored from the right\n")
    );
}

#[test]
fn corrections_that_are_not_possible_are_told() {
    let place = Place::new();
    let count = "walk.bvh: no frame 3, the clip has 3";
    place.run("card walk.bvh --level-feet 3").fails(1, &[count]);
    place.run("card walk.bvh --level-feet 0 --level-feet left=3").fails(1, &[count]);
    for wrong in [
        "--level-feet up=3",
        "--level-feet left=Auto",
        "--level-feet left=",
        "--level-feet -1",
        "--mirror up",
    ] {
        place.run(&format!("card walk.bvh {wrong}")).fails(2, &[]);
    }
    place.run("card walk.bvh --clip none").fails(1, &["none"]);
    place.write("bent.bvh", &sloping(1).replace("0 -20 0", "0 -70 0"));
    let said = "bent.bvh: the sole under the left foot is 70 degrees from level in frame 0, expected at most 45";
    place.run("card bent.bvh -o bent.toml --level-feet 0").fails(1, &[said]);
    assert!(!place.path("bent.toml").exists());
}
