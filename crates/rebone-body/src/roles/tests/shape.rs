//! Roles of bodies whose names say nothing.

use super::{joint, rest, skeleton, two_sided};
use crate::body::{Role, Side};
use crate::roles::assign_roles;
use nalgebra::{UnitQuaternion, Vector3};
use proptest::prelude::*;
use rebone_skeleton::{Joint, JointId, Skeleton, forward_kinematics};

/// A body in T-pose that faces +Z, with all joints in a fixed order.
fn body() -> Skeleton {
    let left = [
        "Spine1 > LeftShoulder@4,15,0 > LeftArm@14,0,0 > LeftForeArm@28,0,0 > LeftHand@25,0,0",
        "LeftHand > LeftHandThumb1@3,-1,3 > LeftHandThumb2@3,-1,2 > LeftHandThumb3@3,-1,1",
        "LeftHand > LeftHandIndex1@9,0,3 > LeftHandIndex2@4,0,0 > LeftHandIndex3@3,0,0",
        "LeftHand > LeftHandMiddle1@9,0,1 > LeftHandMiddle2@4,0,0 > LeftHandMiddle3@3,0,0",
        "LeftHand > LeftHandRing1@9,0,-1 > LeftHandRing2@4,0,0 > LeftHandRing3@3,0,0",
        "LeftHand > LeftHandPinky1@8,0,-3 > LeftHandPinky2@3,0,0 > LeftHandPinky3@2,0,0",
        "Hips > LeftUpLeg@9,-5,0 > LeftLeg@1,-42,1 > LeftFoot@0,-41,-2 > LeftToeBase@0,-7,14",
    ];
    let trunk = "Hips@0,98,0 > Spine@0,12,0 > Spine1@0,20,0 > Neck@0,22,1 > Head@0,10,2";
    two_sided(trunk, &left)
}

/// Reorders siblings, rotates, scales and removes names.
fn disguised(
    body: &Skeleton,
    keys: &[u32],
    turn: UnitQuaternion<f64>,
    scale: f64,
) -> (Skeleton, Vec<JointId>) {
    let mut order: Vec<JointId> = body.ids().collect();
    let depth = |id: JointId| body.path_to_root(id).count();
    order.sort_by_key(|&id| (depth(id), keys[id.index() % keys.len()]));
    let place = |id: JointId| JointId(order.iter().position(|&other| other == id).unwrap());
    let joints = order.iter().map(|&id| {
        let known = &body[id];
        joint("bone", known.parent.map(place), turn * known.rest_translation * scale)
    });
    (Skeleton::new(joints.collect(), Vec::new()).unwrap(), order)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Without names, whatever the order of siblings, the axes and the unit: the same roles.
    #[test]
    fn shape_alone_tells_all_roles(
        keys in prop::collection::vec(0u32..1000, 60),
        angles in prop::array::uniform3(-3.1..3.1f64),
        scale in 0.01..100.0f64,
    ) {
        let body = body();
        let named = assign_roles(&body, &rest(&body)).unwrap();
        let turn = UnitQuaternion::from_euler_angles(angles[0], angles[1], angles[2]);
        let (nameless, order) = disguised(&body, &keys, turn, scale);
        let guessed = assign_roles(&nameless, &rest(&nameless)).unwrap();
        for (place, &id) in order.iter().enumerate() {
            let guess = guessed.by_joint[place].as_ref();
            prop_assert_eq!(guess.map(|guess| guess.role), named.of(id), "{}", body[id].name);
            prop_assert!(guess.is_none_or(|guess| (0.5..0.95).contains(&guess.confidence)));
        }
    }
}

#[test]
fn twist_joints_of_nameless_limbs_are_those_that_never_bend() {
    let body = body();
    let arm = body.find("LeftArm".into()).unwrap();
    let mut joints = body.joints().to_vec();
    let at = joints.len();
    // Half of the left upper arm's and of the right upper arm's bone goes to a joint in line.
    for (side, sign) in [("Left", 1.0), ("Right", -1.0)] {
        let upper = body.find(format!("{side}Arm").as_str().into()).unwrap();
        joints.push(joint("half", Some(upper), Vector3::new(14.0 * sign, 0.0, 0.0)));
    }
    let mut order: Vec<usize> = (0..joints.len()).collect();
    for (half, side) in [(at, "Left"), (at + 1, "Right")] {
        let fore = body.find(format!("{side}ForeArm").as_str().into()).unwrap();
        joints[fore.index()].rest_translation /= 2.0;
        joints[fore.index()].parent = Some(JointId(half));
        order.retain(|&index| index != half);
        let place = order.iter().position(|&index| index == fore.index()).unwrap();
        order.insert(place, half);
    }
    let place = |old: usize| JointId(order.iter().position(|&index| index == old).unwrap());
    let renamed = order.iter().map(|&old| Joint {
        name: format!("j{old}").into(),
        parent: joints[old].parent.map(|parent| place(parent.index())),
        ..joints[old].clone()
    });
    let nameless = Skeleton::new(renamed.collect(), Vec::new()).unwrap();
    let mut bent = nameless.rest_pose();
    for name in ["LeftForeArm", "RightForeArm", "LeftArm", "RightArm", "LeftHand", "RightHand"] {
        let id = place(body.find(name.into()).unwrap().index());
        bent.rotations[id.index()] = UnitQuaternion::from_euler_angles(0.2, 0.9, 0.1);
    }
    let poses =
        [nameless.rest_pose(), bent].map(|pose| forward_kinematics(&nameless, &pose).unwrap());
    let roles = assign_roles(&nameless, &poses).unwrap();
    assert_eq!(roles.joint(Role::UpperArmTwist(Side::Left)), Some(place(at)));
    assert_eq!(roles.joint(Role::UpperArm(Side::Left)), Some(place(arm.index())));
}

/// A pelvis with hip bones below the root, and no fingers: a trunk with an arm is as long as a leg.
#[test]
fn a_trunk_and_a_leg_are_no_pair() {
    let side = |side: &str, sign: i32| {
        let at = |x: i32| x * sign;
        format!(
            "Spine1 > {side}Shoulder@{},13,2 > {side}Arm@{},0,-2 > {side}ForeArm@{},0,0 > \
             {side}Hand@{},0,0\n\
             Pelvis > {side}HipJoint@{},-2,0 > {side}UpLeg@{},-2,0 > {side}Leg@0,-42,1 > \
             {side}Foot@0,-42,-1 > {side}ToeBase@{},-6,14",
            at(3),
            at(14),
            at(28),
            at(26),
            at(5),
            at(5),
            at(1)
        )
    };
    let trunk = "Hips@0,98,0 > LowerBack@0,10,-1 > Spine@0,12,-1 > Spine1@0,13,0 > Neck@0,17,0 > \
                 Head@0,10,2\nHips > Pelvis@0,-2,0";
    let body = skeleton(&[trunk, &side("Left", 1), &side("Right", -1)].join("\n"), ["", ""]);
    let named = assign_roles(&body, &rest(&body)).unwrap();
    let keys: Vec<u32> = (0..60).collect();
    let (nameless, order) = disguised(&body, &keys, UnitQuaternion::identity(), 0.01);
    let guessed = assign_roles(&nameless, &rest(&nameless)).unwrap();
    for (place, &id) in order.iter().enumerate() {
        assert_eq!(guessed.of(JointId(place)), named.of(id), "{}", body[id].name);
    }
}
