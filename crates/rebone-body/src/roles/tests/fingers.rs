//! Hands whose names say some of the fingers, another language, or nothing.

use super::{players, two_sided};
use crate::body::{Finger, Role, Side};
use crate::roles::assign_roles;
use rebone_skeleton::Skeleton;

const TRUNK: &str = "Hips@0,98,0 > Spine@0,12,0 > Chest@0,20,0 > Neck@0,22,1 > Head@0,10,2";
const ARM: &str =
    "Chest > LeftShoulder@4,15,0 > LeftArm@14,0,-2 > LeftForeArm@28,0,0 > LeftHand@25,0,0";
const LEG: &str =
    "Hips > LeftUpLeg@9,-5,0 > LeftLeg@1,-42,1 > LeftFoot@0,-41,-2 > LeftToeBase@0,-7,14";

/// Places of the three joints of each finger, thumb first.
const PLACES: [[&str; 3]; 5] = [
    ["3,-2,3", "3,0,2", "2,0,1"],
    ["9,0,3", "4,0,0", "2,0,0"],
    ["9,0,1", "4,0,0", "3,0,0"],
    ["9,0,-1", "4,0,0", "2,0,0"],
    ["8,0,-3", "3,0,0", "2,0,0"],
];

/// A body with these lines of joints on its hands: the finger that each stands as, and its names from the hand on.
fn hands(lines: &[(Finger, [&str; 3])]) -> Skeleton {
    let line = |(finger, names): &(Finger, [&str; 3])| {
        let joints = names.iter().zip(PLACES[*finger as usize]);
        let joints: Vec<String> =
            joints.map(|(name, place)| format!("Left{name}@{place}")).collect();
        format!("LeftHand > {}", joints.join(" > "))
    };
    let lines: Vec<String> = lines.iter().map(line).collect();
    let all: Vec<&str> = [ARM, LEG].into_iter().chain(lines.iter().map(String::as_str)).collect();
    two_sided(TRUNK, &all)
}

/// The first joint of each finger of the left hand, without poses.
fn found(skeleton: &Skeleton) -> [String; 5] {
    let roles = assign_roles(skeleton, &[]).unwrap();
    Finger::ALL.map(|finger| {
        let joints = players(skeleton, &roles, Role::Finger(Side::Left, finger));
        joints.first().map_or("-".into(), |name| name.replace("Left", ""))
    })
}

use Finger::{Index, Little, Middle, Ring, Thumb};

#[test]
fn fingers_without_names_are_found_in_the_rest_pose_alone() {
    let hand = hands(&[
        (Ring, ["_a", "_b", "_c"]),
        (Index, ["_d", "_e", "_f"]),
        (Little, ["_g", "_h", "_i"]),
        (Thumb, ["_j", "_k", "_l"]),
        (Middle, ["_m", "_n", "_o"]),
    ]);
    assert_eq!(found(&hand), ["_j", "_d", "_m", "_a", "_g"]);
}

#[test]
fn known_names_do_not_keep_the_others_from_being_found() {
    let hand = hands(&[
        (Little, ["_g", "_h", "_i"]),
        (Thumb, ["_j", "_k", "_l"]),
        (Index, ["_d", "_e", "_f"]),
        (Ring, ["Ring1", "Ring2", "Ring3"]),
        (Middle, ["Middle1", "Middle2", "Middle3"]),
    ]);
    assert_eq!(found(&hand), ["_j", "_d", "Middle1", "Ring1", "_g"]);
    let prop = hands(&[
        (Thumb, ["Thumb1", "Thumb2", "Thumb3"]),
        (Index, ["Index1", "Index2", "Index3"]),
        (Middle, ["Weapon1", "Weapon2", "Weapon3"]),
    ]);
    assert_eq!(found(&prop), ["Thumb1", "Index1", "-", "-", "-"]);
}

#[test]
fn numbers_along_a_chain_count_its_joints() {
    for names in [
        ["Finger1", "Finger2", "Finger3"],
        ["_finger_01", "_finger_02", "_finger_03"],
        ["Fingers.1", "Fingers.2", "Fingers.3"],
    ] {
        let beside = hands(&[(Thumb, ["Thumb1", "Thumb2", "Thumb3"]), (Middle, names)]);
        assert_eq!(found(&beside), ["Thumb1", "-", names[0], "-", "-"]);
        assert_eq!(found(&hands(&[(Middle, names)])), ["-", "-", names[0], "-", "-"]);
    }
    let one_numbered = hands(&[
        (Thumb, ["_j", "_k", "_l"]),
        (Index, ["_d", "_e", "_f"]),
        (Middle, ["_m", "_n", "_o"]),
        (Ring, ["_a", "_b", "_c"]),
        (Little, ["_finger1", "_finger2", "_finger3"]),
    ]);
    assert_eq!(found(&one_numbered), ["_j", "_d", "_m", "_a", "_finger1"]);
}

#[test]
fn numbers_of_fingers_are_kept() {
    let biped = hands(&[
        (Thumb, ["Finger0", "Finger01", "Finger02"]),
        (Index, ["Finger1", "Finger11", "Finger12"]),
    ]);
    assert_eq!(found(&biped), ["Finger0", "Finger1", "-", "-", "-"]);
    let makehuman = hands(&[
        (Thumb, ["_finger1-1", "_finger1-2", "_finger1-3"]),
        (Little, ["_finger5-1", "_finger5-2", "_finger5-3"]),
    ]);
    assert_eq!(found(&makehuman), ["_finger1-1", "-", "-", "-", "_finger5-1"]);
}

#[test]
fn fingers_behind_a_joint_of_the_palm_are_found() {
    let hand = hands(&[]);
    let line = |name: &str, place: [&str; 3]| {
        let joints = place.iter().enumerate().map(|(k, at)| format!("Left{name}{k}x@{at}"));
        format!("LeftPalm > {}", joints.collect::<Vec<_>>().join(" > "))
    };
    let lines: Vec<String> = ["_e", "_a", "_d", "_b", "_c"]
        .iter()
        .zip(PLACES)
        .map(|(name, at)| line(name, at))
        .collect();
    let all = [ARM, LEG, "LeftHand > LeftPalm@1,0,0"].into_iter();
    let all: Vec<&str> = all.chain(lines.iter().map(String::as_str)).collect();
    let palm = two_sided(TRUNK, &all);
    assert!(hand.len() < palm.len());
    assert_eq!(found(&palm), ["_e0x", "_a0x", "_d0x", "_b0x", "_c0x"]);
}

#[test]
fn wings_are_no_head() {
    let wing = "Chest > Left_a@3,10,-8 > Left_b@30,10,-5 > Left_c@30,5,0";
    let bare = TRUNK.replace("Neck", "_n").replace("Head", "_h");
    for wing in [wing.to_owned(), format!("Chest > _w@0,8,-8\n{}", wing.replace("Chest", "_w"))] {
        let lines: Vec<&str> = [ARM, LEG].into_iter().chain(wing.lines()).collect();
        let skeleton = two_sided(&bare, &lines);
        let roles = assign_roles(&skeleton, &[]).unwrap();
        assert_eq!(players(&skeleton, &roles, Role::Head), ["_h"]);
        assert_eq!(players(&skeleton, &roles, Role::Neck), ["_n"]);
    }
}
