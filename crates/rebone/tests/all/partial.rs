//! Helper joints, parts of the body, and the rig's own animation below them.

use nalgebra::{UnitQuaternion, Vector3};
use rebone::card::Card;
use rebone::skeleton::{Axis, Clip, Joint, JointId, Motion, Skeleton, forward_kinematics};
use rebone::{ClipInput, GroundMode, Hints, Options, Plan, align, analyse, retarget_clip};
use rebone_samples as samples;

fn sample(name: &str) -> Motion {
    let mut all = samples::clips().into_iter().chain(samples::rigs());
    all.find(|sample| sample.name == name).unwrap().motion
}

/// The rig with a helper on its root, two units beside the left hand, and a joint that hangs on the helper.
fn with_helper(rig: &Motion, axes: &[Axis]) -> Motion {
    let skeleton = &rig.skeleton;
    let rest = forward_kinematics(skeleton, &skeleton.rest_pose()).unwrap();
    let hand = rest.positions[skeleton.find("hand_l".into()).unwrap().index()];
    let joint = |name: &str, parent: usize, place: Vector3<f64>| Joint {
        name: name.into(),
        parent: Some(JointId(parent)),
        rest_translation: place,
        rest_rotation: UnitQuaternion::identity(),
        rotation_axes: Axis::ALL.to_vec(),
        translation_axes: axes.to_vec(),
    };
    let mut joints = skeleton.joints().to_vec();
    let place = hand - rest.positions[0] + Vector3::new(2.0, 0.0, 0.0);
    joints.push(joint("ik_hand_l", 0, place));
    joints.push(joint("ik_hand_l_tip", joints.len() - 1, Vector3::new(1.0, 0.0, 0.0)));
    let skeleton = Skeleton::new(joints, skeleton.end_sites().to_vec()).unwrap();
    let clip = Clip::new(&skeleton, rig.clip.frame_time);
    Motion { skeleton, clip }
}

fn plan_onto(source: &Motion, target: &Motion, card: &str, options: &Options) -> Plan {
    let card = Some(Card::parse(card).unwrap());
    let from = analyse(source, &Hints::default()).unwrap();
    let onto = analyse(target, &Hints { card, ..Hints::default() }).unwrap();
    align(&from, &onto, options)
}

#[test]
fn helpers_go_along_as_if_they_hung_there() {
    let walk = sample("walk");
    let rig = with_helper(&sample("ground-root"), &Axis::ALL);
    let rest = forward_kinematics(&rig.skeleton, &rig.skeleton.rest_pose()).unwrap();
    let id = |name: &str| rig.skeleton.find(name.into()).unwrap().index();
    let [hand, helper, tip] = ["hand_l", "ik_hand_l", "ik_hand_l_tip"].map(id);
    for (after, ground) in [("leftHand", GroundMode::Keep), ("hand_l", GroundMode::On)] {
        let options = Options { ground, ..Options::default() };
        let card = format!("[helpers]\nik_hand_l = \"{after}\"\n");
        let plan = plan_onto(&walk, &rig, &card, &options);
        let (clip, report) =
            retarget_clip(&plan, &ClipInput::new(&plan.source, &walk.clip)).unwrap();
        assert!(!report.warnings.iter().any(|warning| warning.contains("ik_hand_l")));
        for pose in clip.poses().step_by(40) {
            let world = forward_kinematics(&rig.skeleton, &pose).unwrap();
            let turn = world.rotations[hand] * rest.rotations[hand].inverse();
            for (joint, beside) in [(helper, 2.0), (tip, 3.0)] {
                let wanted = world.positions[hand] + turn * Vector3::new(beside, 0.0, 0.0);
                assert!((world.positions[joint] - wanted).norm() < 1e-9);
                assert!(world.rotations[joint].angle_to(&turn) < 1e-9);
            }
        }
    }
    let stuck = with_helper(&sample("ground-root"), &[]);
    let plan =
        plan_onto(&walk, &stuck, "[helpers]\nik_hand_l = \"leftHand\"\n", &Options::default());
    let (clip, report) = retarget_clip(&plan, &ClipInput::new(&plan.source, &walk.clip)).unwrap();
    assert!(
        report.warnings.iter().any(|warning| warning.starts_with("ik_hand_l has not all channels"))
    );
    assert_eq!(
        clip.pose(99).unwrap().translations[helper],
        stuck.skeleton.rest_pose().translations[helper]
    );
}

#[test]
fn fingers_beside_the_hand_go_along_with_it() {
    let (walk, rig) = (sample("walk"), sample("ground-root"));
    let id = |name: &str| rig.skeleton.find(name.into()).unwrap();
    let hand = id("hand_l");
    // The index finger hangs on the forearm, where the hand was.
    let mut joints = rig.skeleton.joints().to_vec();
    let index = id("index_01_l");
    joints[index.index()].parent = Some(id("lowerarm_l"));
    let offset = joints[hand.index()].rest_translation;
    joints[index.index()].rest_translation += offset;
    joints[index.index()].translation_axes = Axis::ALL.to_vec();
    let order = sorted(&joints);
    let skeleton = Skeleton::new(order, Vec::new()).unwrap();
    let moved = Motion { clip: Clip::new(&skeleton, 1.0 / 30.0), skeleton };
    // Beside a hand with fingers it may be a sleeve, and stays on the forearm.
    let card = "[roles]\nleftIndex = []\n";
    let finger = moved.skeleton.find("index_01_l".into()).unwrap();
    let follows = |plan: &Plan| plan.mapped().any(|joint| joint == finger);
    assert!(!follows(&plan_onto(&walk, &moved, card, &Options::default())));
    let fingers = ["Thumb", "Middle", "Ring", "Little"].map(|own| format!("left{own} = []\n"));
    let card = card.to_owned() + &fingers.concat();
    let plan = plan_onto(&walk, &moved, &card, &Options::default());
    assert!(follows(&plan));
    let (clip, _) = retarget_clip(&plan, &ClipInput::new(&plan.source, &walk.clip)).unwrap();
    let [hand, index] =
        ["hand_l", "index_01_l"].map(|name| moved.skeleton.find(name.into()).unwrap());
    let rest = forward_kinematics(&moved.skeleton, &moved.skeleton.rest_pose()).unwrap();
    let between = |world: &rebone::skeleton::WorldPose| {
        let back = world.rotations[hand.index()].inverse();
        back * (world.positions[index.index()] - world.positions[hand.index()])
    };
    for pose in clip.poses().step_by(40) {
        let world = forward_kinematics(&moved.skeleton, &pose).unwrap();
        assert!((between(&world) - between(&rest)).norm() < 1e-9);
    }
}

/// Joints in an order in which parents come first.
fn sorted(joints: &[Joint]) -> Vec<Joint> {
    let (mut order, mut place) = (Vec::<usize>::new(), vec![None; joints.len()]);
    while order.len() < joints.len() {
        for (at, joint) in joints.iter().enumerate() {
            let ready = joint.parent.is_none_or(|parent| place[parent.index()].is_some());
            if place[at].is_none() && ready {
                place[at] = Some(order.len());
                order.push(at);
            }
        }
    }
    let placed = |at: &usize| {
        let parent = joints[*at].parent.and_then(|parent| place[parent.index()]).map(JointId);
        Joint { parent, ..joints[*at].clone() }
    };
    order.iter().map(placed).collect()
}

#[test]
fn a_card_says_why_a_joint_cannot_follow() {
    let rig = with_helper(&sample("ground-root"), &Axis::ALL);
    let fault = |lines: &str| {
        let card = Card::parse(&format!("[helpers]\n{lines}")).unwrap();
        assert_eq!(Card::parse(&card.to_toml()).unwrap().helpers.len(), card.helpers.len());
        let hints = Hints { card: Some(card), ..Hints::default() };
        analyse(&rig, &hints).unwrap_err().to_string()
    };
    for (lines, line, why) in [
        ("hand_l = \"head\"", 2, "it is or carries a part of the body"),
        ("ik_hand_l = \"ik_hand_l_tip\"", 2, "that joint is itself, or hangs on it"),
        ("ik_hand_l = \"jaw\"", 2, "no joint plays that role"),
        ("ik_hand_l = \"leftHnd\"", 2, "there is no joint"),
        ("\"#55\" = \"head\"\nik_hand_l = \"head\"", 3, "already, in another line"),
    ] {
        let found = fault(lines);
        assert!(found.contains(&format!("line {line}:")) && found.contains(why), "{found}");
    }
    assert!(Card::parse("[helpers]\nik_hand_l = 3").unwrap_err().to_string().contains("a role or"));
}
