//! Bodies of which some joints have names that say nothing.

use super::nameless::bare;
use super::{rest, two_sided};
use crate::body::{Role, Roles, Side};
use crate::roles::assign_roles;
use crate::roles::by_name::{self, NameMeaning};
use crate::roles::limbs::{self, candidates};
use rebone_samples as samples;
use rebone_skeleton::{JointId, Skeleton};
use std::cell::Cell;

fn limb_roles(side: Side) -> [Role; 6] {
    use Role::{Foot, Hand, LowerArm, LowerLeg, UpperArm, UpperLeg};
    [UpperArm(side), LowerArm(side), Hand(side), UpperLeg(side), LowerLeg(side), Foot(side)]
}

fn limb_joints(roles: &Roles) -> Vec<Option<JointId>> {
    Side::BOTH.into_iter().flat_map(limb_roles).map(|role| roles.joint(role)).collect()
}

fn without_names(skeleton: &Skeleton, unnamed: &[JointId]) -> Skeleton {
    let index = Cell::new(0);
    bare(skeleton, |joint| {
        let at = index.replace(index.get() + 1);
        if unnamed.contains(&JointId(at)) { format!("Foo{at}") } else { joint.name.to_string() }
    })
}

/// Joints of limbs, by place in a limb of each side, that no other joint could be by its name: collars and upper arms are both
/// called shoulder, and parts of a forearm are numbered.
fn unmistakable(skeleton: &Skeleton, roles: &Roles) -> Vec<Vec<JointId>> {
    let readings: Vec<NameMeaning> =
        skeleton.joints().iter().map(|joint| by_name::read(&joint.name)).collect();
    let parts = limbs::ARM.parts.into_iter().chain(limbs::LEG.parts);
    let of = |(at, part)| {
        let only = |side: Side| {
            let joint = roles.joint(limb_roles(side)[at])?;
            let named = candidates(&readings, part, Some(side));
            named.iter().all(|(id, _)| *id == joint).then_some(joint)
        };
        Side::BOTH.into_iter().filter_map(only).collect()
    };
    parts.enumerate().map(of).collect()
}

/// Checks that a body has the same limbs if some of its joints have no name.
fn check(sample: &samples::Sample, unnamed: &[JointId], wanted: &Roles) {
    let skeleton = &sample.motion.skeleton;
    let other = without_names(skeleton, unnamed);
    let found = assign_roles(&other, &rest(&other)).map(|roles| limb_joints(&roles));
    // A hand that nothing hangs from is the end of its forearm.
    let ends_forearm = |id: Option<JointId>| {
        id.is_some_and(|id| unnamed.contains(&id) && skeleton.children(id).next().is_none())
    };
    let are_same = |found: &Vec<Option<JointId>>| {
        let mut both = found.iter().zip(limb_joints(wanted));
        both.all(|(a, b)| *a == b || a.is_none() && ends_forearm(b))
    };
    let names: Vec<String> = unnamed.iter().map(|id| skeleton[*id].name.to_string()).collect();
    let is_same = found.as_ref().is_ok_and(are_same);
    assert!(is_same, "{} without {names:?}: {found:?} for {:?}", sample.name, limb_joints(wanted));
}

#[test]
fn joints_without_names_are_found_by_those_around_them() {
    let mut checked = 0;
    for sample in samples::rigs().into_iter().chain([samples::walk()]) {
        let skeleton = &sample.motion.skeleton;
        let wanted = assign_roles(skeleton, &rest(skeleton)).unwrap();
        for sides in unmistakable(skeleton, &wanted) {
            check(&sample, &sides, &wanted);
            sides.iter().for_each(|joint| check(&sample, &[*joint], &wanted));
            checked += sides.len();
        }
    }
    assert!(checked > 60, "{checked}");
}

/// A body whose joints stand where those of people do; the lines are for the left.
fn body(arm: &str, leg: &str) -> Skeleton {
    let trunk = "Hips@0,98,0 > Spine@0,12,0 > Chest@0,20,0 > Neck@0,22,1 > Head@0,10,2";
    two_sided(trunk, &[arm, leg])
}

const ARM: &str =
    "Chest > LeftCollar@4,15,0 > LeftArm@14,0,-2 > LeftForeArm@28,0,0 > LeftHand@25,0,0";
const LEG: &str =
    "Hips > LeftThigh@9,-5,0 > LeftShin@1,-42,1 > LeftFoot@0,-41,-2 > LeftToe@0,-7,14";

#[test]
fn the_middle_of_all_four_limbs_is_found_between_its_ends() {
    let skeleton = body(&ARM.replace("ForeArm", "Knob"), &LEG.replace("Shin", "Knot"));
    let roles = assign_roles(&skeleton, &rest(&skeleton)).unwrap();
    let found = |role| roles.by_joint.iter().flatten().find(|known| known.role == role).unwrap();
    let name = |role| skeleton[roles.joint(role).unwrap()].name.to_string();
    assert_eq!(name(Role::LowerArm(Side::Left)), "LeftKnob");
    assert_eq!(name(Role::LowerLeg(Side::Right)), "RightKnot");
    // Shape says the same, and is surer.
    let shin = found(Role::LowerLeg(Side::Left));
    assert!((0.6..=0.9).contains(&shin.confidence), "{shin:?}");
    assert!(found(Role::Foot(Side::Left)).confidence > 0.9);
}

#[test]
fn a_collar_that_is_called_shoulder_is_no_upper_arm() {
    let skeleton = body(&ARM.replace("LeftArm", "LeftKnob").replace("Collar", "Shoulder"), LEG);
    let roles = assign_roles(&skeleton, &rest(&skeleton)).unwrap();
    for side in ["Left", "Right"] {
        let knob = skeleton.find(format!("{side}Knob").as_str().into()).unwrap();
        let found = roles.by_joint[knob.index()].as_ref().unwrap();
        let shoulder = skeleton.find(format!("{side}Shoulder").as_str().into());
        assert!(matches!(found.role, Role::UpperArm(_)) && found.runner_up == shoulder);
    }
}

#[test]
fn a_name_that_means_something_else_is_not_overruled() {
    let whole = body(ARM, LEG);
    assert!(assign_roles(&whole, &rest(&whole)).is_ok());
    for other in ["LeftThumb1", "IK_Leg", "RightToe", "LeftJaw"] {
        let other = bare(&whole, |joint| joint.name.to_string().replace("LeftShin", other));
        assert!(assign_roles(&other, &rest(&other)).is_err(), "{other:?}");
    }
}

#[test]
fn a_hand_that_is_named_belongs_to_an_arm_whose_other_side_has_none() {
    let whole = body(ARM, LEG);
    let unnamed = |name: &str| match name {
        "RightHand" => "RightNub".to_owned(),
        "LeftArm" => "Knob".to_owned(),
        _ => name.to_owned(),
    };
    let skeleton = bare(&whole, |joint| unnamed(&joint.name.to_string()));
    let roles = assign_roles(&skeleton, &rest(&skeleton)).unwrap();
    assert_eq!(roles.joint(Role::Hand(Side::Left)), skeleton.find("LeftHand".into()));
    assert_eq!(roles.joint(Role::UpperArm(Side::Left)), skeleton.find("Knob".into()));
}
