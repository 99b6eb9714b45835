use super::*;
use crate::analyse::analyse;
use crate::body::{Finger, Role, Side};
use crate::card::Card;
use crate::error::AnalysisError;
use rebone_samples::{rigs, walk};
use rebone_skeleton::{Clip, JointId};

fn rig(name: &str) -> Motion {
    rigs().into_iter().find(|rig| rig.name == name).unwrap().motion
}

fn both(motions: [&Motion; 2], pairs: &[[JointId; 2]]) -> AnalysedPair {
    let unknown = Hints::default();
    analyse_pair(motions, [&unknown, &unknown], pairs).unwrap()
}

fn alone(motion: &Motion) -> Anatomy {
    analyse(motion, &Hints::default()).unwrap()
}

/// The joint of that name.
fn at(motion: &Motion, name: &str) -> JointId {
    rebone_skeleton::selector::resolve(&motion.skeleton, name).unwrap()
}

/// All joints of two bodies that play the same role, in the order of lists.
fn all_pairs(a: &Anatomy, b: &Anatomy) -> Vec<[JointId; 2]> {
    let of = |role: Role| a.roles.joints(role).zip(b.roles.joints(role)).map(<[JointId; 2]>::from);
    Role::all().into_iter().flat_map(of).collect()
}

/// Replaces the rest translation of one joint.
fn moved(motion: &Motion, joint: JointId, scale: f64) -> Motion {
    let skeleton = &motion.skeleton;
    let mut joints = skeleton.joints().to_vec();
    joints[joint.index()].rest_translation *= scale;
    let skeleton = Skeleton::new(joints, skeleton.end_sites().to_vec()).unwrap();
    let clip = Clip::from_poses(&skeleton, motion.clip.frame_time, [skeleton.rest_pose()]).unwrap();
    Motion { skeleton, clip }
}

#[test]
fn a_body_without_names_that_its_shape_does_not_tell_is_told() {
    let (walk, whole) = (walk().motion, rig("nameless"));
    let truth = alone(&whole);
    let pairs = all_pairs(&alone(&walk), &truth);
    // One arm half as long as the other: no pair of like branches.
    let forearm = truth.roles.joint(Role::LowerArm(Side::Left)).unwrap();
    let odd = moved(&moved(&whole, forearm, 0.3), JointId(forearm.index() + 1), 0.3);
    assert!(matches!(analyse(&odd, &Hints::default()), Err(AnalysisError::NoLimbs { .. })));
    let analysed = both([&walk, &odd], &pairs);
    let told = &analysed.anatomies[1];
    for id in odd.skeleton.ids() {
        assert_eq!(told.roles.of(id), truth.roles.of(id), "{}", odd.skeleton[id].name);
    }
    let hand = truth.roles.joint(Role::Hand(Side::Left)).unwrap();
    let hand = told.roles.by_joint[hand.index()].as_ref().unwrap();
    assert!(hand.confidence > 0.9 && hand.reason == "paired with LeftHand", "{hand:?}");
    assert_eq!((analysed.warnings, analysed.loose), (vec![], vec![]));
    // The other way round as well: then the source is told.
    let pairs: Vec<[JointId; 2]> = pairs.iter().map(|&[a, b]| [b, a]).collect();
    assert_eq!(both([&odd, &walk], &pairs).anatomies[0].roles, told.roles);
}

#[test]
fn arms_and_legs_alone_tell_the_rest() {
    let (walk, whole) = (walk().motion, rig("nameless"));
    let truth = alone(&whole);
    let forearm = truth.roles.joint(Role::LowerArm(Side::Left)).unwrap();
    let odd = moved(&moved(&whole, forearm, 0.3), JointId(forearm.index() + 1), 0.3);
    let mut pairs = all_pairs(&alone(&walk), &truth);
    pairs.retain(|pair| {
        let is_limb = |role: Role| {
            use Role::*;
            matches!(
                role,
                UpperArm(_) | LowerArm(_) | Hand(_) | UpperLeg(_) | LowerLeg(_) | Foot(_)
            )
        };
        truth.roles.of(pair[1]).is_some_and(is_limb)
    });
    assert_eq!(pairs.len(), 12);
    let analysed = both([&walk, &odd], &pairs);
    for role in [Role::Hips, Role::Spine, Role::Head, Role::Shoulder(Side::Right)] {
        let joints = |roles: &crate::body::Roles| roles.joints(role).collect::<Vec<_>>();
        let told = joints(&analysed.anatomies[1].roles);
        assert_eq!(told, joints(&truth.roles), "{}", role.name());
    }
    assert_eq!(analysed.warnings, Vec::<String>::new());
    let unknown = Hints::default();
    let error = analyse_pair([&walk, &odd], [&unknown, &unknown], &pairs[..5]).unwrap_err();
    let AnalysisError::Target(error) = error else { panic!("{error:?}") };
    assert!(error.is_no_humanoid(), "{error:?}");
}

#[test]
fn pairs_turn_left_and_right_where_shape_guessed() {
    let (walk, nameless) = (walk().motion, rig("nameless"));
    let (source, truth) = (alone(&walk), alone(&nameless));
    let mirrored = |role: Role| {
        let name = role.name();
        let other = match name.strip_prefix("left") {
            Some(part) => format!("right{part}"),
            None => name.replace("right", "left"),
        };
        Role::from_name(&other).unwrap()
    };
    let of = |role: Role| source.roles.joints(role).zip(truth.roles.joints(mirrored(role)));
    let pairs: Vec<[JointId; 2]> =
        Role::all().into_iter().flat_map(of).map(<[JointId; 2]>::from).collect();
    let analysed = both([&walk, &nameless], &pairs);
    for id in nameless.skeleton.ids() {
        let told = analysed.anatomies[1].roles.of(id);
        assert_eq!(told, truth.roles.of(id).map(mirrored), "{}", nameless.skeleton[id].name);
    }
    assert_eq!(analysed.warnings, Vec::<String>::new());
}

#[test]
fn a_pair_makes_a_right_guess_surer() {
    let (walk, nameless) = (walk().motion, rig("nameless"));
    let (source, guessed) = (alone(&walk), alone(&nameless));
    let analysed = both([&walk, &nameless], &all_pairs(&source, &guessed));
    for (told, guess) in analysed.anatomies[1].roles.by_joint.iter().zip(&guessed.roles.by_joint) {
        let (told, guess) = (told.as_ref().unwrap(), guess.as_ref().unwrap());
        assert!(told.role == guess.role && told.confidence >= guess.confidence);
        assert!(told.confidence >= 0.84, "{told:?}");
    }
    assert_eq!(both([&walk, &nameless], &[]).anatomies[1].roles, guessed.roles);
}

#[test]
fn a_knuckle_tells_its_finger() {
    let (walk, nameless) = (walk().motion, rig("nameless"));
    let (source, truth) = (alone(&walk), alone(&nameless));
    let left = |finger| Role::Finger(Side::Left, finger);
    let knuckle = |anatomy: &Anatomy, finger| anatomy.roles.joint(left(finger)).unwrap();
    let pairs = [(Finger::Index, Finger::Little), (Finger::Little, Finger::Index)]
        .map(|(a, b)| [knuckle(&source, a), knuckle(&truth, b)]);
    let told = &both([&walk, &nameless], &pairs).anatomies[1];
    let joints = |of: &Anatomy, finger| of.roles.joints(left(finger)).collect::<Vec<_>>();
    assert_eq!(joints(told, Finger::Index), joints(&truth, Finger::Little));
    assert_eq!(joints(told, Finger::Little), joints(&truth, Finger::Index));
    assert_eq!(joints(told, Finger::Ring), joints(&truth, Finger::Ring));
}

#[test]
fn what_both_sides_know_is_no_evidence() {
    let (walk, other) = (walk().motion, rig("no-collar-no-neck"));
    let (source, target) = (alone(&walk), alone(&other));
    let joint = |of: &Anatomy, role| of.roles.joint(role).unwrap();
    let [left, right] = Side::BOTH.map(Role::UpperArm);
    let pair = [joint(&source, left), joint(&target, right)];
    let analysed = both([&walk, &other], &[pair]);
    assert_eq!(analysed.anatomies[1].roles, target.roles);
    let [warning] = &analysed.warnings[..] else { panic!("{:?}", analysed.warnings) };
    for part in ["LeftArm is leftUpperArm", "RightArm is rightUpperArm", "not used"] {
        assert!(warning.contains(part), "{warning}");
    }
    // Nobody can move the hips: they are where the thighs hang.
    let pair = [joint(&source, Role::Hips), at(&other, "#1")];
    let analysed = both([&walk, &other], &[pair]);
    assert!(analysed.warnings[0].contains("is hips"), "{:?}", analysed.warnings);
    assert_eq!(analysed.anatomies[1].roles, target.roles);
}

#[test]
fn a_card_is_surer_than_any_name() {
    let (walk, nameless) = (walk().motion, rig("nameless"));
    let (source, truth) = (alone(&walk), alone(&nameless));
    let toes = Role::Toes(Side::Left);
    let pair = [toes; 2].map(|role| source.roles.joint(role).zip(truth.roles.joint(role)).unwrap());
    let pair = [pair[0].0, pair[0].1];
    let card = Card::parse("[roles]\nleftToes = []\n").unwrap();
    let stated = Hints { card: Some(card), ..Hints::default() };
    let unknown = Hints::default();
    let analysed = analyse_pair([&walk, &nameless], [&unknown, &stated], &[pair]).unwrap();
    assert_eq!(analysed.anatomies[1].roles.joint(toes), None);
    assert!(analysed.warnings[0].contains("card"), "{:?}", analysed.warnings);
}
