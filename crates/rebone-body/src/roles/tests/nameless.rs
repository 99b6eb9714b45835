//! Bodies without names: our samples, and rigs of one frame with twist joints, helpers, no hands.

use super::{rest, two_sided};
use crate::body::{Role, Roles, Side};
use crate::roles::assign_roles;
use nalgebra::{UnitQuaternion, Vector3};
use rebone_samples as samples;
use rebone_skeleton::{EndSite, Joint, JointId, Skeleton};

pub(super) fn bare(skeleton: &Skeleton, name: impl Fn(&Joint) -> String) -> Skeleton {
    let bare = |joint: &Joint| Joint { name: name(joint).as_str().into(), ..joint.clone() };
    let joints = skeleton.joints().iter().map(bare).collect();
    Skeleton::new(joints, skeleton.end_sites().to_vec()).unwrap()
}

fn nameless(skeleton: &Skeleton) -> Skeleton {
    bare(skeleton, |_| "bone".into())
}

/// A body in T-pose that faces +Z; the lines of arms and legs are for the left.
fn body(arm: &str, leg: &str) -> Skeleton {
    let trunk = "Hips@0,98,0 > Spine@0,12,0 > Chest@0,20,0 > Neck@0,22,1 > Head@0,10,2";
    let lines: Vec<&str> = [arm, leg].into_iter().flat_map(str::lines).map(str::trim).collect();
    two_sided(trunk, &lines)
}

const ARM: &str = "Chest > LeftShoulder@4,15,0 > LeftArm@14,0,-2 > LeftForeArm@28,0,0 > \
                   LeftHand@25,0,0";
const LEG: &str = "Hips > LeftUpLeg@9,-5,0 > LeftLeg@1,-42,1 > LeftFoot@0,-41,-2 > \
                   LeftToeBase@0,-7,14";

fn player(skeleton: &Skeleton, roles: &Roles, role: Role) -> String {
    roles.joint(role).map_or("-".into(), |id| skeleton[id].name.to_string())
}

fn limbs(skeleton: &Skeleton, roles: &Roles) -> String {
    let side = Side::Left;
    let arm = [Role::Shoulder(side), Role::UpperArm(side), Role::LowerArm(side), Role::Hand(side)];
    let leg = [Role::UpperLeg(side), Role::LowerLeg(side), Role::Foot(side), Role::Toes(side)];
    let names = arm.iter().chain(&leg).map(|&role| player(skeleton, roles, role));
    names.map(|name| name.replace("Left", "")).collect::<Vec<_>>().join(" ")
}

const ALL: &str = "Shoulder Arm ForeArm Hand UpLeg Leg Foot ToeBase";

/// The left limbs' joints, told from the rest pose alone, without names.
fn found(body: &Skeleton) -> String {
    let unnamed = nameless(body);
    limbs(body, &assign_roles(&unnamed, &rest(&unnamed)).unwrap())
}

/// All our rigs and the clips' body; which finger the third of three is, nobody can tell.
#[test]
fn samples_have_the_same_roles_without_names() {
    for sample in samples::rigs().into_iter().chain([samples::walk()]) {
        let named = &sample.motion.skeleton;
        let unnamed = nameless(named);
        let roles = assign_roles(named, &rest(named)).unwrap();
        let guessed = assign_roles(&unnamed, &rest(&unnamed)).unwrap();
        for id in named.ids() {
            let (role, guess) = (roles.of(id), guessed.of(id));
            let doubtful = guessed.by_joint[id.index()].as_ref();
            let doubtful = doubtful.is_some_and(|guess| guess.confidence <= 0.5);
            let name = &named[id].name;
            assert!(
                role == guess || doubtful,
                "{}: {name} is {role:?}, not {guess:?}",
                sample.name
            );
        }
    }
}

/// In a straight limb of one frame only lengths tell which joints twist.
#[test]
fn twist_joints_in_line_are_told_by_lengths() {
    let arm = "Chest > LeftShoulder@4,15,0 > LeftArm@14,0,-2 > LeftA@14,0,0 > LeftForeArm@14,0,0 > \
               LeftB@12.5,0,0 > LeftHand@12.5,0,0";
    let leg = "Hips > LeftUpLeg@9,-5,0 > LeftC@0,-21,0 > LeftLeg@0,-21,0 > LeftD@0,-20.5,0 > \
               LeftFoot@0,-20.5,0 > LeftToeBase@0,-7,14";
    for (arm, leg) in [(arm, LEG), (ARM, leg), (arm, leg)] {
        assert_eq!(found(&body(arm, leg)), ALL);
    }
    let thigh = "Hips > LeftUpLeg@9,-5,0 > LeftC@0,-21,0 > LeftLeg@0,-21,0 > LeftFoot@0,-41,0 > \
                 LeftToeBase@0,-7,14";
    assert_eq!(found(&body(ARM, thigh)), ALL);
}

#[test]
fn the_next_best_joint_is_named() {
    let thigh = "Hips > LeftUpLeg@9,-5,0 > LeftC@0,-12,0 > LeftLeg@0,-30,0 > LeftFoot@0,-41,0 > \
                 LeftToeBase@0,-7,14";
    let body = body(ARM, thigh);
    let unnamed = nameless(&body);
    let roles = assign_roles(&unnamed, &rest(&unnamed)).unwrap();
    let hip = roles.joint(Role::UpperLeg(Side::Left)).unwrap();
    let hip = roles.by_joint[hip.index()].as_ref().unwrap();
    assert_eq!(hip.runner_up, body.find("LeftC".into()));
    assert!(hip.reason.contains("; not bone for the"), "{}", hip.reason);
    assert!((0.4..0.9).contains(&hip.confidence), "{hip:?}");
}

/// Helpers beside the toes, in their place or without anything beyond.
#[test]
fn toes_are_what_toes_hang_on() {
    let leg = format!(
        "{LEG} > LeftBigToe@1,-1,4\nLeftFoot > LeftShare@0,-7,14\nLeftLeg > LeftCalf@0,-20,0"
    );
    assert_eq!(found(&body(ARM, &leg)), ALL);
    let ends = body(ARM, &LEG.replace("ToeBase", "Helper"));
    let site = |name: &str| EndSite {
        parent: ends.find(name.into()).unwrap(),
        offset: Vector3::new(0.0, -7.0, 14.0),
    };
    let sites = ["LeftFoot", "RightFoot"].map(site).to_vec();
    let ends = Skeleton::new(ends.joints().to_vec(), sites).unwrap();
    assert_eq!(found(&ends), ALL.replace("ToeBase", "-"));
}

/// Twist leaves hang on forearms that end with an end site.
#[test]
fn arms_may_end_without_hands() {
    let arm =
        "Chest > LeftShoulder@4,15,0 > LeftArm@14,0,-2 > LeftForeArm@28,0,0 > LeftTwist@12,0,0";
    let body = body(arm, LEG);
    let site = |(name, x): (&str, f64)| EndSite {
        parent: body.find(name.into()).unwrap(),
        offset: Vector3::new(x, 0.0, 0.0),
    };
    let sites = [("LeftForeArm", 25.0), ("RightForeArm", -25.0)].map(site).to_vec();
    let body = Skeleton::new(body.joints().to_vec(), sites).unwrap();
    assert_eq!(found(&body), ALL.replace("Hand", "-"));
}

/// A body that is the same seen from behind is never sure, unless a foot or a name tells its front.
#[test]
fn left_and_right_are_never_made_up() {
    let arm = "Chest > LeftShoulder@4,15,0 > LeftArm@14,0,0 > LeftForeArm@28,0,0 > LeftHand@25,0,0";
    let leg = "Hips > LeftUpLeg@9,-5,0 > LeftLeg@1,-42,0 > LeftFoot@0,-41,0";
    let flat = body(arm, leg);
    let mut joints = flat.joints().to_vec();
    for joint in &mut joints {
        joint.rest_translation.z = 0.0;
    }
    let flat = Skeleton::new(joints, Vec::new()).unwrap();
    let unnamed = nameless(&flat);
    let guess = assign_roles(&unnamed, &rest(&unnamed)).unwrap();
    let [left, right] = Side::BOTH.map(|side| guess.joint(Role::Hand(side)).unwrap());
    let hand = guess.by_joint[left.index()].as_ref().unwrap();
    assert!(hand.confidence < 0.5 && hand.reason.ends_with("nothing tells left from right"));
    assert_eq!(hand.runner_up, Some(right));
    let sided = bare(&flat, |joint| {
        let name = joint.name.to_string();
        let side = ["Left", "Right"].into_iter().find(|side| name.contains(side));
        side.map_or("bone".into(), |side| format!("{side}Bone"))
    });
    assert_eq!(
        limbs(&flat, &assign_roles(&sided, &rest(&sided)).unwrap()),
        ALL.replace("ToeBase", "-")
    );
    assert_eq!(found(&body(arm, LEG)), ALL);
}

/// A body that sits tells its front by its knees and feet, wherever its trunk leans.
#[test]
fn the_front_is_told_in_any_posture() {
    let body = body(ARM, LEG);
    let unnamed = nameless(&body);
    let mut pose = unnamed.rest_pose();
    let turn = |name: &str, angle: f64| {
        let id: JointId = body.find(name.into()).unwrap();
        (id.index(), UnitQuaternion::from_euler_angles(angle, 0.0, 0.0))
    };
    let turns = [("Spine", 0.9), ("LeftUpLeg", -1.9), ("RightUpLeg", -1.9), ("LeftLeg", 1.2)];
    for (index, turn) in turns.map(|(name, angle)| turn(name, angle)) {
        pose.rotations[index] = turn;
    }
    let poses = [rebone_skeleton::forward_kinematics(&unnamed, &pose).unwrap()];
    assert_eq!(limbs(&body, &assign_roles(&unnamed, &poses).unwrap()), ALL);
}
