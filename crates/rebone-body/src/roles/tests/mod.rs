//! Conventions as people write them, in a small notation: a line is a way down the tree, `{}` stands
//! for the side and makes two lines, `@x,y,z` after a name is the joint's place against its parent.

mod fingers;
mod nameless;
mod partly_named;
mod shape;

use super::*;
use crate::body::{Role, Side};
use nalgebra::{UnitQuaternion, Vector3};
use rebone_skeleton::{Joint, JointId, forward_kinematics};
use serde::Deserialize;

/// A convention: its words for left and right, its tree, and who plays what (`role=joint,joint`).
#[derive(Deserialize)]
struct Convention {
    name: String,
    sides: [String; 2],
    tree: String,
    cast: String,
}

#[derive(Deserialize)]
struct Conventions {
    convention: Vec<Convention>,
}

fn both(line: &str, sides: [&str; 2]) -> Vec<String> {
    if !line.contains("{}") {
        return vec![line.to_string()];
    }
    sides.iter().map(|side| line.replace("{}", side)).collect()
}

/// A skeleton of a trunk and lines of the left, each of which is there for the right as well, mirrored.
fn two_sided(trunk: &str, left: &[&str]) -> Skeleton {
    let right = |line: &str| {
        let words = line.split(" > ").map(|word| {
            let (name, offset) = word.split_once('@').unwrap_or((word, ""));
            let name = name.replace("Left", "Right");
            let flipped = offset.strip_prefix('-').map_or(format!("-{offset}"), str::to_string);
            if offset.is_empty() { name } else { format!("{name}@{flipped}") }
        });
        words.collect::<Vec<_>>().join(" > ")
    };
    let lines = left.iter().flat_map(|line| [line.to_string(), right(line)]);
    let tree: Vec<String> = std::iter::once(trunk.to_string()).chain(lines).collect();
    skeleton(&tree.join("\n"), ["", ""])
}

fn skeleton(tree: &str, sides: [&str; 2]) -> Skeleton {
    let mut joints: Vec<Joint> = Vec::new();
    for (at, line) in tree.lines().flat_map(|line| both(line.trim(), sides)).enumerate() {
        let mut above: Option<JointId> = None;
        for (place, word) in line.split(" > ").map(str::trim).enumerate() {
            let (name, offset) = word.split_once('@').unwrap_or((word, "0,1,0"));
            let known = joints.iter().position(|joint| joint.name == name);
            if place == 0 && (at > 0 || known.is_some()) {
                above = Some(JointId(known.unwrap_or_else(|| panic!("no joint {name}"))));
                continue;
            }
            let same = |joint: &Joint| joint.name == name && joint.parent == above;
            if let Some(known) = joints.iter().position(same) {
                above = Some(JointId(known));
                continue;
            }
            let numbers: Vec<f64> = offset.split(',').map(|n| n.parse().unwrap()).collect();
            joints.push(joint(name, above, Vector3::from_column_slice(&numbers)));
            above = Some(JointId(joints.len() - 1));
        }
    }
    Skeleton::new(joints, Vec::new()).unwrap()
}

fn joint(name: &str, parent: Option<JointId>, rest_translation: Vector3<f64>) -> Joint {
    Joint {
        name: name.into(),
        parent,
        rest_translation,
        rest_rotation: UnitQuaternion::identity(),
        translation_axes: Vec::new(),
        rotation_axes: Vec::new(),
    }
}

fn rest(skeleton: &Skeleton) -> Vec<WorldPose> {
    vec![forward_kinematics(skeleton, &skeleton.rest_pose()).unwrap()]
}

/// The names of all joints that play a role, parents first.
fn players(skeleton: &Skeleton, roles: &Roles, role: Role) -> Vec<String> {
    roles.joints(role).map(|id| skeleton[id].name.to_string()).collect()
}

#[test]
fn every_convention_is_understood() {
    let text = include_str!("conventions.toml");
    let conventions: Conventions = toml_edit::de::from_str(text).unwrap();
    for convention in conventions.convention {
        let sides = convention.sides.each_ref().map(String::as_str);
        let skeleton = skeleton(&convention.tree, sides);
        let meanings: Vec<_> =
            skeleton.joints().iter().map(|joint| by_name::read(&joint.name)).collect();
        let limbs = limbs::by_name(&skeleton, &meanings);
        assert!(limbs.is_ok(), "{}: its words name no arms and legs: {limbs:?}", convention.name);
        let roles = assign_roles(&skeleton, &[])
            .unwrap_or_else(|error| panic!("{}: {error}", convention.name));
        for entry in convention.cast.lines() {
            let (role, joints) = entry.split_once('=').unwrap();
            let roles_and_joints: Vec<(String, String)> = match role.strip_prefix("{}") {
                None => vec![(role.into(), joints.into())],
                Some(part) => ["left", "right"]
                    .iter()
                    .zip(sides)
                    .map(|(side, word)| (format!("{side}{part}"), joints.replace("{}", word)))
                    .collect(),
            };
            for (role, joints) in roles_and_joints {
                let wanted: Vec<&str> = joints.split(',').filter(|name| !name.is_empty()).collect();
                let found = players(&skeleton, &roles, Role::from_name(&role).unwrap());
                assert_eq!(found, wanted, "{}: {role}", convention.name);
            }
        }
        for assigned in roles.by_joint.iter().flatten() {
            let low = assigned.confidence < 0.5 || assigned.confidence > 1.0;
            assert!(!low, "{}: {assigned:?}", convention.name);
        }
    }
}

#[test]
fn shift_jis_names_are_understood() {
    // 左腕 and 右ひじ as Shift-JIS.
    assert_eq!(by_name::read(b"\x8d\xb6\x98\x72").strength(by_name::Part::UpperArm), 0.95);
    assert_eq!(by_name::read(b"\x8d\xb6\x98\x72").side, Some(Side::Left));
    assert_eq!(by_name::read(b"\x89\x45\x82\xd0\x82\xb6").strength(by_name::Part::LowerArm), 0.95);
}

#[test]
fn what_is_missing_is_named() {
    let tree = "Hips > Spine > LeftShoulder > LeftArm > LeftHand
        Spine > RightArm > RightForeArm > RightHand
        Hips > LeftUpLeg > LeftLeg > LeftFoot";
    let error = assign_roles(&skeleton(tree, ["", ""]), &[]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no humanoid: no left forearm below a left upper arm (LeftShoulder); no right thigh"
    );
    let chain = skeleton("Hips > Head", ["", ""]);
    assert!(
        matches!(assign_roles(&chain, &rest(&chain)), Err(AnalysisError::NoLimbs { missing }) if missing.len() == 4)
    );
}

#[test]
fn the_collar_that_moves_most_is_the_collar() {
    let tree = "Hips > Spine > Neck > Head
        Spine > {}A > {}B > {}UpperArm > {}ForeArm > {}Hand
        Hips > {}UpLeg > {}Leg > {}Foot";
    let skeleton = skeleton(tree, ["Left", "Right"]);
    let mut raised = skeleton.rest_pose();
    let moved = skeleton.find("LeftB".into()).unwrap();
    raised.rotations[moved.index()] = UnitQuaternion::from_euler_angles(0.0, 0.0, 0.3);
    let poses =
        [skeleton.rest_pose(), raised].map(|pose| forward_kinematics(&skeleton, &pose).unwrap());
    let roles = assign_roles(&skeleton, &poses).unwrap();
    assert_eq!(roles.joint(Role::Shoulder(Side::Left)), Some(moved));
}

/// A quadruped with human names, standing: Y up, Z forward.
fn dog(tail: &str) -> Skeleton {
    let tree = format!(
        "Hips@0,50,0 > Spine@0,0,20 > Spine1@0,0,20 > Neck@0,5,10 > Head@0,10,10
        Spine1 > LeftArm@6,0,0 > LeftForeArm@0,-20,0 > LeftHand@0,-20,0
        Spine1 > RightArm@-6,0,0 > RightForeArm@0,-20,0 > RightHand@0,-20,0
        Hips > LeftUpLeg@5,0,0 > LeftLeg@0,-22,0 > LeftFoot@0,-20,0
        Hips > RightUpLeg@-5,0,0 > RightLeg@0,-22,0 > RightFoot@0,-20,0
        Hips > {tail}@0,0,-10 > {tail}1@0,0,-10"
    );
    skeleton(&tree, ["", ""])
}

#[test]
fn animals_are_refused() {
    for (tail, reasons) in [("Tail", 3), ("Rump", 2)] {
        let dog = dog(tail);
        let Err(AnalysisError::Animal { evidence }) = assign_roles(&dog, &rest(&dog)) else {
            panic!("a dog taken for a person");
        };
        assert_eq!(evidence.len(), reasons);
    }
}

#[test]
fn a_person_on_all_fours_is_a_person() {
    let tree = "Hips@0,50,0 > Spine@0,0,25 > Spine1@0,0,20 > Neck@0,5,10 > Head@0,10,10
        Spine1 > {}20,0,0 > {}ForeArm@0,-25,0 > {}Hand@0,-25,0
        Hips > {}UpLeg@X9,0,0 > {}Leg@0,-40,0 > {}Foot@0,-10,0";
    let tree: String = tree
        .lines()
        .flat_map(|line| match line.contains("{}") {
            false => vec![line.to_string()],
            true => [("Left", ""), ("Right", "-")]
                .map(|(side, sign)| {
                    let line = line.replace("{}20", &format!("{side}Arm@{sign}20"));
                    line.replace("{}", side).replace('X', sign)
                })
                .to_vec(),
        })
        .collect::<Vec<_>>()
        .join("\n");
    let crawler = skeleton(&tree, ["", ""]);
    assert!(assign_roles(&crawler, &rest(&crawler)).is_ok());
}

#[test]
fn given_roles_are_kept_and_guide_the_rest() {
    let tree = "Hips > Spine > Neck > Head
        Spine > {}Arm > {}Blob > {}Paw
        Hips > {}UpLeg > {}Leg > {}Foot > {}ToeBase";
    let skeleton = skeleton(tree, ["Left", "Right"]);
    let guessed = assign_roles(&skeleton, &[]).unwrap();
    assert_eq!(players(&skeleton, &guessed, Role::Hand(Side::Left)), ["LeftPaw"]);
    assert_eq!(players(&skeleton, &guessed, Role::LowerArm(Side::Right)), ["RightBlob"]);
    let find = |name: &str| vec![skeleton.find(name.into()).unwrap()];
    let given = vec![
        (Role::LowerArm(Side::Left), find("LeftBlob")),
        (Role::Hand(Side::Left), find("LeftPaw")),
        (Role::LowerArm(Side::Right), find("RightBlob")),
        (Role::Hand(Side::Right), find("RightPaw")),
        (Role::Toes(Side::Left), vec![]),
    ];
    let roles = assign_other_roles(&skeleton, &[], &given).unwrap();
    assert_eq!(players(&skeleton, &roles, Role::LowerArm(Side::Left)), ["LeftBlob"]);
    assert_eq!(roles.by_joint[find("LeftPaw")[0].index()].as_ref().unwrap().reason, "card");
    assert_eq!(players(&skeleton, &roles, Role::Toes(Side::Left)), [""; 0]);
    assert_eq!(players(&skeleton, &roles, Role::Toes(Side::Right)), ["RightToeBase"]);
    let crossed = vec![(Role::LowerArm(Side::Left), find("RightBlob"))];
    assert!(assign_other_roles(&skeleton, &[], &[given, crossed].concat()).is_err());
}
