//! Cards that are learned from clips or written again: what counts, and what stays.

use crate::support::{Place, humanoid};

#[test]
fn a_card_is_learned_from_clips_in_any_order() {
    let place = Place::new();
    place.write("long.bvh", &humanoid("", 9));
    place.write("other.bvh", &humanoid("", 5));
    let run = place.run("card walk.bvh --learn long.bvh other.bvh -o a.toml");
    run.succeeds();
    assert!(run.stdout.starts_with("learned from 3 files, 17 frames; "), "{}", run.stdout);
    place.run("card walk.bvh -o b.toml --learn other.bvh long.bvh walk.bvh").succeeds();
    let card = place.read("a.toml");
    assert_eq!(place.read("b.toml"), card, "a file counts once");
    assert!(card.contains("# learned from 3 files, 17 frames; "), "{card}");
    assert!(card.contains("[axes]") && card.contains("\u{b1}"), "{card}");
    place.run("retarget long.bvh hero.bvh -o out.bvh --source-card a.toml").succeeds();
    place.run("card walk.bvh --learn other.bvh long.bvh -o a.toml").succeeds();
    assert_eq!(place.read("a.toml"), card, "over itself");
    let run = place.run("card walk.bvh -o a.toml");
    run.succeeds();
    assert_eq!(place.read("a.toml"), card, "what was learned stays");
    let kept = "kept the calibration that was learned from 3 files; --learn learns anew";
    assert!(run.stdout.starts_with(kept), "{}", run.stdout);
    place.run("card walk.bvh --card a.toml -o c.toml").succeeds();
    assert_eq!(place.read("c.toml"), card);
    place.run("card walk.bvh -o a.toml --pose-from rest").succeeds();
    let posed = place.read("a.toml");
    assert!(!posed.contains("learned") && !posed.contains("confidence = "), "{posed}");
    assert!(!posed.contains("[axes]\n") && posed.contains("pose_from = \"rest\""), "{posed}");
}

#[test]
fn files_that_do_not_agree_what_is_up_are_told() {
    let place = Place::new();
    place.write("zup.bvh", &humanoid("", 1).replace("\n0 90 0 0 0 0", "\n0 90 0 0 90 0"));
    let said = "warning: the files do not agree what is up: +Y is taken, 1 of 2 say otherwise";
    let run = place.run("card walk.bvh --learn zup.bvh -o a.toml");
    run.succeeds();
    assert!(run.stderr.contains(said), "{}", run.stderr);
    for line in ["card walk.bvh --learn hero.bvh", "card walk.bvh --learn zup.bvh --up y"] {
        let run = place.run(line);
        run.succeeds();
        assert_eq!(run.stderr, "");
    }
}

#[test]
fn a_pose_that_the_command_line_states_goes_before_that_of_the_card() {
    let place = Place::new();
    let pose = "# hero\n[pose]\nHips = [\n 0, 0,\n 3]\n[axes]\nHead = { x = \"+X\", y = \"+Y\" }\n";
    place.write("a.toml", pose);
    let run = place.run("card walk.bvh --card a.toml --pose-from rest");
    run.succeeds();
    assert!(!run.stdout.contains("[pose]") && run.stdout.contains("[axes]"), "{}", run.stdout);
    assert!(run.stdout.contains("pose_from = \"rest\"\n"), "{}", run.stdout);
    place.run("card walk.bvh -o a.toml --pose-from rest").succeeds();
    assert_eq!(place.read("a.toml"), run.stdout);
    assert!(run.stdout.starts_with("# hero\n"), "{}", run.stdout);
}

#[test]
fn a_card_does_not_make_a_guess_sure() {
    let place = Place::new();
    place.write("odd.bvh", &humanoid("", 1).replace("OFFSET 0 -40 0", "OFFSET 30 10 25"));
    place.run("card odd.bvh -o odd.toml").succeeds();
    let card = place.read("odd.toml");
    let line = card.lines().find(|line| line.starts_with("confidence = ")).unwrap();
    let sure: f64 = line["confidence = ".len()..].split(' ').next().unwrap().parse().unwrap();
    assert!(sure < 0.26, "{line}");
    let told = format!("{:.0} % sure", 100.0 * sure);
    let run = place.run("inspect odd.bvh --card odd.toml");
    assert!(run.stdout.contains(&told), "no {told} in {}", run.stdout);
    place.run("card odd.bvh --card odd.toml -o again.toml").succeeds();
    assert_eq!(place.read("again.toml"), card);
    let retarget = "retarget odd.bvh hero.bvh --source-card odd.toml -o";
    place.run(&format!("{retarget} a.bvh")).succeeds();
    place.write("odd.toml", &card.replace(&format!("{line}\n"), ""));
    let run = place.run("inspect odd.bvh --card odd.toml");
    assert!(!run.stdout.contains(&told), "{}", run.stdout);
    place.run(&format!("{retarget} b.bvh")).succeeds();
    assert_eq!(place.read("a.bvh"), place.read("b.bvh"));
    place.write("odd.toml", "confidence = 2\n");
    place.run("inspect odd.bvh --card odd.toml").fails(1, &["odd.toml:1: ", "from 0 to 1"]);
}

#[test]
fn axes_of_the_user_replace_generated_ones_under_whatever_name() {
    let place = Place::new();
    place.write("long.bvh", &humanoid("", 9));
    place.run("card walk.bvh --learn long.bvh -o a.toml").succeeds();
    let card = place.read("a.toml");
    let axes = "[axes]\n\"LeftShoulder/LeftArm\" = { x = \"+Y\", y = \"+X\" }\n";
    let old = card.lines().find(|line| line.starts_with("LeftArm = { x")).unwrap();
    place.write("a.toml", &format!("{card}\n{axes}LeftArm = {{ x = \"+Y\", y = \"+X\" }}\n"));
    let run = place.run("inspect walk.bvh --card a.toml");
    run.fails(1, &["a.toml:", "\"LeftArm\" has axes already"]);
    place.write("a.toml", &format!("{card}\n{axes}"));
    place.run("inspect walk.bvh --card a.toml").succeeds();
    place.run("card walk.bvh --learn long.bvh -o a.toml").succeeds();
    let card = place.read("a.toml");
    assert!(card.contains(axes) && !card.contains(old), "{card}");
    assert!(card.find(axes) < card.find("\n[generated]"), "{card}");
    place.run("inspect walk.bvh --card a.toml").succeeds();
}

#[test]
fn what_cannot_be_learned_from_is_named() {
    let place = Place::new();
    place.write("odd.bvh", &humanoid("", 3).replace("OFFSET 0 -40 0", "OFFSET 30 -40 0"));
    place.write("broken.bvh", "HIERARCHY\n");
    let before = place.files();
    let run = place.run("card walk.bvh --learn odd.bvh -o a.toml");
    run.fails(1, &["cannot learn from odd.bvh: ", "LeftLeg lies 37 degrees off", "help: "]);
    place.run("card walk.bvh --learn broken.bvh -o a.toml").fails(1, &["broken.bvh"]);
    place.run("card walk.bvh --learn none.bvh -o a.toml").fails(1, &["none.bvh"]);
    place
        .run("card walk.bvh --learn hero.bvh -o hero.bvh")
        .fails(2, &["an input is never changed"]);
    assert_eq!(place.files(), before);
    place.write("posed.toml", "pose_from = \"rest\"\n");
    let run = place.run("card walk.bvh --learn hero.bvh --card posed.toml");
    run.fails(1, &["posed.toml: ", "nothing is left to learn", "help: delete [pose]"]);
    let run = place.run("card walk.bvh --learn odd.bvh hero.bvh none.bvh broken.bvh -o a.toml");
    run.fails(1, &["3 clips", "odd.bvh: ", "none.bvh: ", "broken.bvh", "help: leave them out"]);
}

#[test]
fn frames_and_facing_that_are_stated_are_not_learned() {
    let place = Place::new();
    place.write("long.bvh", &humanoid("", 9));
    let sure = |run: crate::support::Run| {
        run.succeeds();
        run.stdout.lines().find(|line| line.starts_with("# learned")).unwrap().to_owned()
    };
    let alone = sure(place.run("card walk.bvh --learn long.bvh"));
    let frame = "facing = \"-Z\"\n[axes]\nLeftArm = { x = \"+Y\", y = \"+X\" }\n";
    place.write("a.toml", frame);
    let stated = sure(place.run("card walk.bvh --learn long.bvh --card a.toml"));
    assert_eq!(stated.split(" ~").next(), alone.split(" ~").next());
    let one = sure(place.run("card walk.bvh --learn walk.bvh --card a.toml"));
    assert!(one.starts_with("# learned from 1 file, 3 frames; "), "{one}");
}

#[test]
fn roles_of_a_card_that_make_no_body_name_the_card() {
    let place = Place::new();
    place.write("a.toml", "[roles]\nleftFoot = \"RightFoot\"\n");
    place.run("inspect walk.bvh --card a.toml").fails(1, &["walk.bvh with the roles of a.toml"]);
    place.write("a.toml", "[roles]\nleftToes = []\nhips = \"Head\"\n");
    place.run("inspect walk.bvh --card a.toml").fails(1, &["a.toml"]);
}

#[test]
fn what_people_wrote_in_a_card_stays() {
    let place = Place::new();
    place.run("card walk.bvh -o a.toml").succeeds();
    let card = place.read("a.toml");
    let mine = "# hero\n\nunit = \"cm\"\nfacing = \"-Z\"  # backwards\n\n[roles]\n# not the hat\n\
                head = \"Head\"\nleftToes = []  # none\n\n[limits]\nLeftLeg = { swing_x = [0, 90] }\n# mine\n";
    let part = card.find("\n[generated]").unwrap();
    place.write("a.toml", &format!("{mine}{}", &card[part..]));
    place.run("card walk.bvh -o a.toml").succeeds();
    let updated = place.read("a.toml");
    assert!(updated.starts_with(&format!("{mine}\n[generated]")), "{updated}");
    for gone in ["head = ", "leftToes = ", "facing = "] {
        assert_eq!(updated.matches(gone).count(), 1, "{updated}");
    }
    place.run("card walk.bvh -o a.toml").succeeds();
    assert_eq!(place.read("a.toml"), updated);
    place.write("a.toml", mine);
    place.run("card walk.bvh -o a.toml").succeeds();
    assert_eq!(place.read("a.toml"), updated, "a part that was deleted is found anew");
    place.write("long.bvh", &humanoid("", 9));
    place.run("card walk.bvh --learn long.bvh -o a.toml").succeeds();
    let learned = place.read("a.toml");
    assert!(learned.starts_with(&format!("{mine}\n[generated]")), "{learned}");
    assert!(learned.contains("\n# learned from 2 files"), "{learned}");
    place.run("card walk.bvh -o a.toml --unit inch").succeeds();
    assert!(place.read("a.toml").contains("unit = 0.0254"), "the command line goes before");
    place.run("inspect walk.bvh --card a.toml").succeeds();
}

#[test]
fn a_card_that_cannot_be_read_is_not_written_over() {
    let place = Place::new();
    for (text, said) in [
        ("up = \"+Y\"\nroles\n", "a.toml:2: "),
        ("\n[roles]\nleftHnad = \"LeftHand\"\n", "a.toml:3: "),
        ("generated = { up = \"+Y\" }\n", "a.toml:1: "),
        ("[roles]\nhead = \"Hed\"\n", "a.toml:2: there is no joint \"Hed\""),
    ] {
        place.write("a.toml", text);
        place.run("card walk.bvh -o a.toml").fails(1, &[said]);
        assert_eq!(place.read("a.toml"), text);
    }
    place.write("b.toml", "");
    let run = place.run("card walk.bvh --card b.toml -o a.toml");
    run.fails(2, &["a.toml exists already", "help: "]);
    place.run("card walk.bvh -o b.toml").succeeds();
    assert_eq!(
        place.read("b.toml").lines().last(),
        place.run("card walk.bvh").stdout.lines().last()
    );
}
