//! What is odd about files, and clean copies of them.

use crate::support::{Place, humanoid};

/// The numbers of a motion section.
fn numbers(text: &str) -> Vec<f64> {
    let motion = text.split("Frame Time:").nth(1).unwrap();
    motion.split_whitespace().skip(1).map(|word| word.parse().unwrap()).collect()
}

#[test]
fn defects_are_told_with_joint_and_frame() {
    let place = Place::new();
    let run = place.run("doctor walk.bvh");
    run.succeeds();
    assert!(
        run.stdout.contains("walk.bvh: 3 frames, ") && run.stdout.contains("no defects"),
        "{run:?}"
    );
    // The root turns round in the twentieth of forty frames, and the file declares too few.
    let text = humanoid("", 40).replace("Frames: 40", "Frames: 39");
    let (head, motion) = text.split_once("Frame Time: 0.0333333\n").unwrap();
    let still = motion.lines().next().unwrap();
    let turned = still.replacen("0 90 0 0 0 0", "0 90 0 0 170 0", 1);
    let lines: Vec<&str> = (0..40).map(|k| if k < 20 { still } else { turned.as_str() }).collect();
    place.write("odd.bvh", &format!("{head}Frame Time: 0.0333333\n{}\n", lines.join("\n")));
    let run = place.run("doctor odd.bvh walk.bvh");
    run.succeeds();
    for told in
        ["odd.bvh: 40 frames", "2 defects", "declares 39 frames", "frame 20, jump: Hips by 170°"]
    {
        assert!(run.stdout.contains(told), "no {told:?} in {}", run.stdout);
    }
    let json = place.run("doctor odd.bvh --json").stdout;
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value[0]["defects"][0]["frame"], 20);
    place.write("bad.bvh", "HIERARCHY\n");
    place.run("doctor bad.bvh walk.bvh").fails(3, &["bad.bvh:"]);
    place.run("doctor bad.bvh").fails(1, &["bad.bvh:"]);
}

#[test]
fn a_clean_copy_moves_as_the_file_does() {
    let place = Place::new();
    let messy = humanoid("", 5)
        .replace("JOINT LeftHand", "JOINT Left Hand")
        .replace("JOINT RightHand", "JOINT Left_Hand")
        .replace("Frames: 5", "Frames: 7")
        .replace('\n', "\r\n");
    place.write("messy.bvh", &messy);
    place.run("doctor messy.bvh --fix -o clean.bvh").succeeds();
    let clean = place.read("clean.bvh");
    assert!(
        clean.contains("JOINT Left_Hand\n") && clean.contains("JOINT Left_Hand_2\n"),
        "{clean}"
    );
    assert!(clean.contains("Frames: 5\n") && !clean.contains('\r'));
    let run = place.run("doctor clean.bvh");
    assert!(run.stdout.contains("no defects"), "{run:?}");
    let (before, after) = (numbers(&messy), numbers(&clean));
    assert_eq!(before.len(), after.len());
    assert!(before.iter().zip(&after).all(|(a, b)| (a - b).abs() < 1e-9));
    place.run("doctor messy.bvh walk.bvh --fix -o x.bvh").fails(2, &["one file"]);
    place.run("doctor messy.bvh --fix -o messy.bvh").fails(2, &["same file"]);
}
