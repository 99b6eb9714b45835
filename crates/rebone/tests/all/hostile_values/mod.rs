//! Values that no file holds: clips of another skeleton, frame times and transforms that are no numbers. They are errors
//! that name what was expected.

mod characters;
mod motions;
mod results;

use crate::motions::retarget_motions;
use motions::{fails, hostile, plan, rig, walk};
use nalgebra::{Quaternion, UnitQuaternion};
use rebone::analyse::partial_roles;
use rebone::body::{Landmark, Role, Roles, Side};
use rebone::card::{Card, CardFile, calibration_summary, metres};
use rebone::contacts::{self, count_matches};
use rebone::correct::{level_feet, mirror, standing_frames};
use rebone::export::{RotationTable, clean_hierarchy};
use rebone::quality::{Diagnosis, evaluate};
use rebone::roles::{self, assign_other_roles, assign_roles};
use rebone::skeleton::{Clip, JointId};
use rebone::{
    BodyPart, ClipInput, Contact, ContactKind, Hints, JointRangeUse, Learner, LimitMode,
    LiveContacts, Options, Report, Retargeter, accepts_calibration, align, analyse, analyse_pair,
    compare_self_contacts, resampled, rest_difference, retarget_clip,
};

#[test]
fn a_clip_that_is_no_motion_of_its_skeleton_is_an_error() {
    let (hints, options, plan, rig) = (Hints::default(), Options::default(), plan(), rig());
    let well = walk();
    for (motion, said) in hostile() {
        fails(analyse(&motion, &hints), said);
        fails(analyse_pair([&motion, &rig], [&hints, &hints], &[]), said);
        fails(analyse_pair([&well, &motion], [&hints, &hints], &[]), said);
        fails(retarget_motions(&motion, &rig, &options), said);
        fails(retarget_motions(&well, &motion, &options), said);
        fails(retarget_clip(&plan, &ClipInput::new(&plan.source, &motion.clip)), said);
        fails(Learner::new(&motion, &hints).map(drop), said);
        let mut learner = Learner::new(&well, &hints).unwrap();
        fails(learner.add(&motion), said);
    }
}

/// Frame times that are positive, and no motion.
#[test]
fn the_least_and_the_greatest_frame_times_are_computed_with() {
    for time in [f64::MIN_POSITIVE, 1e-300, 1e-12, 1e12, 1e300] {
        let mut motion = walk();
        motion.clip.frame_time = time;
        let result = retarget_motions(&motion, &rig(), &Options::default()).unwrap();
        assert_eq!(result.clip.len(), 40);
        result.clip.check_for(&result.plan.target.skeleton).unwrap();
        compare_self_contacts(&result.plan, &motion.clip, &result.clip).unwrap();
        let empty = Clip::new(&motion.skeleton, time);
        assert!(
            retarget_clip(&result.plan, &ClipInput::new(&result.plan.source, &empty))
                .unwrap()
                .0
                .is_empty()
        );
    }
}

/// Joints that the walk's skeleton does not have.
const FAR: [JointId; 2] = [JointId(999), JointId(usize::MAX)];

#[test]
fn clips_of_a_plan_are_checked_by_all_that_take_both() {
    let plan = plan();
    let (well, rig) = (walk(), rig());
    let result = retarget_clip(&plan, &ClipInput::new(&plan.source, &well.clip)).unwrap().0;
    for (motion, said) in hostile() {
        fails(evaluate(&plan, &motion.clip, &result), said);
        fails(evaluate(&plan, &motion.clip, &rig.clip), said);
        fails(compare_self_contacts(&plan, &motion.clip, &result), said);
        fails(resampled(&plan.source, &motion.clip, 0.1, false), said);
        fails(Diagnosis::new(&motion.skeleton, &motion.clip), said);
        fails(Diagnosis::of(&plan.source, &motion.clip), said);
        let input = ClipInput::new(&plan.source, &motion.clip);
        assert!(input.first(&plan.options) <= 1);
        fails(retarget_clip(&plan, &input), said);
        fails(
            LiveContacts::new(&plan, motion.clip.frame_time)
                .and(retarget_clip(&plan, &input).map(drop)),
            said,
        );
    }
    for time in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(resampled(&plan.source, &well.clip, time, true).is_err());
        assert!(LiveContacts::new(&plan, time).is_err());
    }
    assert!(resampled(&plan.source, &Clip::new(&well.skeleton, 0.1), 0.1, true).is_err());
    for count in 0..4 {
        let mut short = well.clip.clone();
        short.keep(0..count).unwrap();
        #[allow(clippy::reversed_empty_ranges)]
        let frames = [0..usize::MAX, 7..3, usize::MAX..0];
        let contacts = frames.map(|frames| Contact {
            on: None,
            part: BodyPart::Seat,
            kind: ContactKind::Plant,
            frames,
            confidence: f64::NAN,
        });
        for [reference, is_cycle] in [[true, true], [false, true], [true, false]] {
            let input = ClipInput {
                reference,
                is_cycle,
                contacts: Some(&contacts),
                wants_root_path: true,
                ..ClipInput::new(&plan.source, &short)
            };
            let done = retarget_clip(&plan, &input);
            assert!(done.is_ok(), "{count} {reference} {is_cycle}");
        }
        assert!(count_matches(&contacts, &contacts, f64::NAN, &BodyPart::ALL)[0] <= 3);
        assert!(contacts::parse(&contacts::write(&contacts)).is_err());
    }
}

#[test]
fn poses_of_a_stream_are_checked_frame_by_frame() {
    let plan = plan();
    let mut retargeter = Retargeter::new(plan.clone()).unwrap();
    let mut live = LiveContacts::new(&plan, 1e-300).unwrap().with_blend(f64::NAN);
    let other = analyse(&rig(), &Hints::default()).unwrap();
    let mut of_other =
        LiveContacts::new(&align(&other, &other, &Options::default()), f64::MIN_POSITIVE).unwrap();
    let (source, target) = (walk().skeleton.rest_pose(), rig().skeleton.rest_pose());
    let mut nan = source.clone();
    nan.translations[0].x = f64::NAN;
    let mut short = source.clone();
    short.rotations.pop();
    let mut into = target.clone();
    for (pose, said) in [(nan, "not finite"), (short, "the pose is of another skeleton")] {
        fails(retargeter.frame(&pose, &mut into), said);
        fails(live.frame(&mut retargeter, &pose, &mut into), said);
    }
    assert_eq!(into, target);
    into.translations.clear();
    fails(retargeter.frame(&source, &mut into), "found 0 joints");
    fails(live.frame(&mut retargeter, &source, &mut into), "found 0 joints");
    into.clone_from(&target);
    fails(of_other.frame(&mut retargeter, &source, &mut into), "of another skeleton");
    live.frame(&mut retargeter, &source, &mut into).unwrap();
    live.reset();
}

#[test]
fn hints_and_pairs_of_another_skeleton_are_errors() {
    let (walk, rig) = (walk(), rig());
    let hints = Hints::default();
    let mut nan = walk.skeleton.rest_pose();
    nan.rotations[0] = UnitQuaternion::new_unchecked(Quaternion::new(f64::NAN, 0.0, 0.0, 0.0));
    let mut wrong = Vec::new();
    for pose in [nan, rig.skeleton.rest_pose()] {
        wrong.push(Hints { pose: Some(pose.clone()), ..hints.clone() });
        wrong.push(Hints { bound: Some(pose), ..hints.clone() });
    }
    for joint in FAR {
        wrong.push(Hints { roles: vec![(Role::Head, vec![joint])], ..hints.clone() });
        for pair in [[joint, JointId(0)], [JointId(0), joint]] {
            fails(
                analyse_pair([&walk, &rig], [&hints, &hints], &[pair]),
                "expected one of the skeleton's",
            );
        }
        let given = [(Role::Head, vec![joint])];
        fails(assign_other_roles(&walk.skeleton, &[], &given), "expected one of the skeleton's");
    }
    for unit in [f64::NAN, 0.0, -1.0, f64::INFINITY] {
        wrong.push(Hints { unit: Some(unit), ..hints.clone() });
    }
    for hints in &wrong {
        assert!(analyse(&walk, hints).is_err(), "{hints:?}");
        assert!(partial_roles(&walk.skeleton, hints).is_err());
        assert!(Learner::new(&walk, hints).is_err());
    }
    let mut world = walk.skeleton.rest_world();
    world.positions[0].x = f64::NAN;
    for pose in [world, rig.skeleton.rest_world()] {
        assert!(assign_roles(&walk.skeleton, &[pose]).is_err());
    }
    assert!(roles::bones([("head", FAR[1])]).iter().all(|own| own.1 == [FAR[1]]));
}

#[test]
fn joints_that_are_not_there_have_no_role_range_or_place() {
    let plan = plan();
    let (source, target) = (plan.source.clone(), plan.target.clone());
    let identity = UnitQuaternion::identity();
    for joint in FAR {
        assert_eq!(source.roles.of(joint), None);
        for mode in [LimitMode::Source, LimitMode::Strict] {
            assert_eq!(JointRangeUse::of(&target, joint, &identity, mode), None);
        }
        assert_eq!(plan.stretched(joint), None);
        assert_eq!(Landmark::from(joint).place(&source.t_pose, 1.0), None);
        let pairs = [[joint, JointId(0)], [JointId(0), joint], [joint; 2]];
        let warnings = plan.clone().follow(&pairs);
        assert_eq!(warnings.len(), 3);
        assert!(warnings[0].contains("expected joints of the two skeletons"), "{}", warnings[0]);
    }
    assert_eq!(source.roles.joint(Role::Jaw), source.roles.joints(Role::Jaw).next());
    // Roles of another skeleton.
    let few = Roles { by_joint: source.roles.by_joint[..3].to_vec() };
    for roles in [&few, &target.roles] {
        let _ = Card::of(&source.skeleton, roles).to_toml();
        let _ = Card::draft(&source.skeleton, roles, "\n\"");
        let _ = Card::attaching_roles(&source.skeleton, roles);
    }
    let [one, two] = [&source, &target].map(|own| own.skeleton.rest_world());
    assert_eq!(rest_difference([&one.positions[..1], &two.positions], [&[], &[]]), None);
    assert_eq!(rest_difference([&[], &[]], [&[], &[identity]]), None);
}

#[test]
fn cards_of_another_skeleton_are_errors_or_name_its_joints() {
    let plan = plan();
    let card = Card::from_anatomy(&plan.source, &Card::default()).unwrap();
    let posed = Card::from_anatomy_in_t_pose(&plan.source, &card).unwrap();
    let other = clean_hierarchy(&rig().skeleton).unwrap().skeleton().clone();
    for card in [&card, &posed] {
        let text = card.to_toml();
        let again = Card::parse(&text).unwrap();
        let _ = again.resolve_roles(&other).map(drop);
        let _ = again.joint_axes(&other).map(drop);
        let _ = again.joint_limits(&other).map(drop);
        let _ = again.posed(&other).map(drop);
        let mut taken = again.clone();
        taken.take_calibration(&plan.target);
        assert!(!calibration_summary(&plan.target).is_empty());
        assert!(CardFile::parse(&text).unwrap().update(&taken).is_ok());
    }
    for text in ["", "-1", "0", "NaN", "inf", "1e999", "x"] {
        assert!(metres(text).is_err(), "{text}");
        assert_eq!(Role::from_name(text), None);
    }
    assert!(accepts_calibration(&plan.source) || plan.source.confidence < 0.5);
    assert!(RotationTable::new(&plan).is_none(), "a plan of inverse kinematics is no table");
    assert_eq!(Report::new(&plan).frames, 0);
}

#[test]
fn corrections_of_another_clip_card_or_frame_are_errors() {
    let (anatomy, well, card) = (plan().source, walk().clip, Card::default());
    for (motion, said) in hostile() {
        fails(level_feet(&anatomy, &motion.clip, [Some(0); 2], &card), said);
        fails(standing_frames(&anatomy, &motion.clip), said);
        fails(mirror(&anatomy, &motion.clip, Side::Left, &card), said);
    }
    for frame in [40, usize::MAX] {
        fails(level_feet(&anatomy, &well, [None, Some(frame)], &card), "no frame");
    }
    let other = Card::parse("[axes]\nnobody = { x = \"+X\", y = \"+Y\" }\n").unwrap();
    fails(level_feet(&anatomy, &well, [None; 2], &other), "nobody");
    fails(mirror(&anatomy, &well, Side::Right, &other), "nobody");
    for height in [f64::NAN, f64::INFINITY, -1e300, 1e300] {
        let card = Card { sole_height: Some(height), ..Card::default() };
        assert!(level_feet(&anatomy, &well, [Some(0); 2], &card).is_ok());
        assert!(mirror(&anatomy, &well, Side::Left, &card).is_ok());
    }
}
