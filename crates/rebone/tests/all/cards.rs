//! A card holds what a clip taught of its skeleton: every other clip is understood the same way.

use nalgebra::{Isometry3, Unit, UnitQuaternion, Vector3};
use rebone::body::{Anatomy, CalibrationSource};
use rebone::card::{Card, PoseFrom};
use rebone::skeleton::{Clip, JointId, Motion, Pose, Skeleton, bvh};
use rebone::{AnalysisError, Hints, Learner, analyse};
use rebone_samples as samples;
use std::path::{Path, PathBuf};

/// The card of what was understood, as a text and read back.
fn card_of(anatomy: &Anatomy) -> Card {
    let mut card = Card::of(&anatomy.skeleton, &anatomy.roles);
    card.take_calibration(anatomy);
    Card::parse(&card.to_toml()).unwrap()
}

/// The same frames from a card and another part of the clip.
fn assert_same_calibration(name: &Path, motion: &Motion) {
    let Ok(whole) = analyse(motion, &Hints::default()) else { return };
    let hints = Hints { card: Some(card_of(&whole)), ..Hints::default() };
    let third = motion.clip.len() / 3;
    let mut tail = motion.clone();
    tail.clip.keep(third..motion.clip.len()).unwrap();
    let again = analyse(&tail, &hints).unwrap_or_else(|error| panic!("{name:?}: {error}"));
    for id in whole.framed() {
        let (a, b) =
            (whole.joint_from_anatomical[id.index()], again.joint_from_anatomical[id.index()]);
        assert!(a.angle_to(&b) < 1e-9, "{name:?}: {:?} {}", whole.roles.of(id), a.angle_to(&b));
    }
    for id in whole.skeleton.ids() {
        let (a, b) = (whole.t_pose.rotations[id.index()], again.t_pose.rotations[id.index()]);
        assert!(a.angle_to(&b) < 1e-9, "{name:?}: {id:?} in the T pose: {}", a.angle_to(&b));
    }
}

#[test]
fn samples_are_understood_alike_from_their_cards() {
    for sample in samples::clips() {
        assert_same_calibration(Path::new(sample.name), &sample.motion);
    }
}

#[test]
fn clips_of_the_corpus_are_understood_alike_from_their_cards() {
    let Some(folder) = std::env::var_os("REBONE_CORPUS").map(PathBuf::from) else {
        eprintln!("skipped: REBONE_CORPUS is not set");
        return;
    };
    let list =
        |folder: &Path| std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut by_motion = 0;
    for path in
        list(&folder.join("motions")).filter(|path| path.is_dir()).flat_map(|path| list(&path))
    {
        let Ok(document) = bvh::parse(&std::fs::read(&path).unwrap()) else { continue };
        assert_same_calibration(&path, &document.motion);
        let anatomy = analyse(&document.motion, &Hints::default());
        by_motion += usize::from(
            anatomy.is_ok_and(|anatomy| anatomy.calibration == CalibrationSource::Motion),
        );
    }
    assert!(by_motion > 5, "{by_motion}");
}

/// The same motion with the axes of each joint turned: no pose of it stands at rest any more.
fn in_other_axes(motion: &Motion) -> Motion {
    let ids: Vec<JointId> = motion.skeleton.ids().collect();
    let turn = |id: &JointId| {
        let k = id.index() as f64;
        UnitQuaternion::from_scaled_axis(Vector3::new((1.7 * k).sin(), (2.9 * k).cos(), 0.4) * 2.0)
    };
    let turns: Vec<_> = ids.iter().map(turn).collect();
    let above = |id: JointId| {
        motion.skeleton[id].parent.map_or_else(UnitQuaternion::identity, |p| turns[p.index()])
    };
    let mut joints = motion.skeleton.joints().to_vec();
    let mut ends = motion.skeleton.end_sites().to_vec();
    ends.iter_mut().for_each(|end| end.offset = turns[end.parent.index()].inverse() * end.offset);
    let mut poses: Vec<Pose> = motion.clip.poses().collect();
    for &id in &ids {
        let (k, above) = (id.index(), above(id).inverse());
        joints[k].rest_translation = above * joints[k].rest_translation;
        for pose in &mut poses {
            pose.rotations[k] = above * pose.rotations[k] * turns[k];
            pose.translations[k] = above * pose.translations[k];
        }
    }
    let skeleton = Skeleton::new(joints, ends).unwrap();
    let clip = Clip::from_poses(&skeleton, motion.clip.frame_time, poses).unwrap();
    Motion { skeleton, clip }
}

/// The card that is learned from clips, the first of which is the rig.
fn learned(rig: &Motion, clips: &[&Motion]) -> (Anatomy, String) {
    let hints = Hints::default();
    let mut learner = Learner::new(rig, &hints).unwrap();
    clips.iter().for_each(|clip| learner.add(clip).unwrap());
    let anatomy = learner.anatomy().unwrap();
    let mut card = Card::of(&anatomy.skeleton, &anatomy.roles);
    card.take_calibration(&anatomy);
    (anatomy, card.to_toml())
}

fn assert_holds(anatomy: &Anatomy, card: &str, motion: &Motion) {
    let hints = Hints { card: Some(Card::parse(card).unwrap()), ..Hints::default() };
    let found = analyse(motion, &hints).unwrap();
    for id in anatomy.framed() {
        let [a, b] = [anatomy, &found].map(|of| of.joint_from_anatomical[id.index()]);
        assert!(a.angle_to(&b) < 1e-9, "{:?}", anatomy.roles.of(id));
    }
}

#[test]
fn the_order_of_clips_changes_no_byte_and_the_card_holds_for_all() {
    let clips: Vec<Motion> =
        samples::clips().iter().map(|sample| in_other_axes(&sample.motion)).collect();
    let [rig, a, b, c] = [&clips[0], &clips[1], &clips[2], &clips[3]];
    let (anatomy, card) = learned(rig, &[a, b, c]);
    assert_eq!(anatomy.calibration, CalibrationSource::Learned(4));
    for order in [[a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]] {
        assert_eq!(learned(rig, &order).1, card);
    }
    for clip in [rig, a, b, c] {
        assert_holds(&anatomy, &card, clip);
    }
    let alone = analyse(rig, &Hints::default()).unwrap();
    assert_eq!(alone.calibration, CalibrationSource::Motion);
    assert!(anatomy.least_sure().1 <= alone.least_sure().1);
}

/// The motion on a skeleton with a joint more above the others.
fn below_a_root(motion: &Motion) -> Motion {
    let place = Isometry3::rotation(Vector3::x());
    let skeleton = motion.skeleton.with_root("RL_BoneRoot", &Isometry3::identity());
    let poses: Vec<Pose> = motion.clip.poses().map(|pose| pose.with_root(&place)).collect();
    let clip = Clip::from_poses(&skeleton, motion.clip.frame_time, poses).unwrap();
    Motion { skeleton, clip }
}

#[test]
fn a_card_holds_what_all_clips_have_whichever_is_the_first() {
    let clips: Vec<Motion> =
        samples::clips().iter().map(|sample| in_other_axes(&sample.motion)).collect();
    let other = below_a_root(&clips[0]);
    let learned_first = |rig: &Motion, clip: &Motion| {
        let (anatomy, _) = learned(rig, &[clip]);
        (Card::from_anatomy(&anatomy, &Card::default()).unwrap().to_toml(), anatomy)
    };
    let (card, anatomy) = learned_first(&other, &clips[1]);
    assert!(!card.contains("RL_BoneRoot"), "{card}");
    assert_eq!(learned_first(&clips[1], &other).0, card);
    assert_holds(&anatomy, &card, &other);
    analyse(&clips[1], &Hints { card: Some(Card::parse(&card).unwrap()), ..Hints::default() })
        .unwrap();
}

#[test]
fn a_clip_that_all_others_contradict_is_named_and_makes_nothing_less_sure() {
    let mut clips: Vec<Motion> =
        samples::clips().iter().map(|sample| in_other_axes(&sample.motion)).collect();
    let skeleton = &clips[3].skeleton;
    let [foot, toes] =
        ["RightFoot", "RightToeBase"].map(|name| skeleton.find(name.as_bytes().into()).unwrap());
    let ahead = Unit::new_normalize(skeleton[toes].rest_translation);
    let half = UnitQuaternion::from_axis_angle(&ahead, std::f64::consts::PI);
    let turned = clips[3].clip.poses().map(|mut pose| {
        pose.rotations[foot.index()] *= half;
        pose
    });
    clips[3].clip =
        Clip::from_poses(&clips[3].skeleton, clips[3].clip.frame_time, turned.collect::<Vec<_>>())
            .unwrap();
    let alone = |clip| analyse(clip, &Hints::default()).unwrap().confidence;
    for others in [&[0, 1][..], &[0], &[1]] {
        let rest: Vec<&Motion> = others.iter().map(|&k| &clips[k]).collect();
        let (anatomy, _) = learned(&clips[3], &rest);
        let surest = rest.iter().map(|clip| alone(clip)).fold(alone(&clips[3]), f64::max);
        assert!(anatomy.confidence >= surest - 1e-9, "{} < {surest}", anatomy.confidence);
        let is_told = |warning: &String| warning.contains("RightFoot (");
        assert!(anatomy.warnings.iter().any(is_told), "{:?}", anatomy.warnings);
    }
}

#[test]
fn what_a_card_states_is_not_learned() {
    let clips: Vec<Motion> =
        samples::clips().iter().map(|sample| in_other_axes(&sample.motion)).collect();
    let text = "facing = \"+X\"\n[axes]\nLeftArm = { x = \"+Y\", y = \"+X\" }\n";
    let card = Card::parse(text).unwrap();
    let arm = clips[0].skeleton.find(b"LeftArm".into()).unwrap();
    let stated = card.joint_axes(&clips[0].skeleton).unwrap()[&arm];
    let hints = Hints { card: Some(card), ..Hints::default() };
    let mut learner = Learner::new(&clips[0], &hints).unwrap();
    clips[1..].iter().for_each(|clip| learner.add(clip).unwrap());
    let anatomy = learner.anatomy().unwrap();
    assert!(anatomy.facing.is_some());
    assert!(anatomy.sigmas[arm.index()].max() == 0.0);
    assert!(anatomy.joint_from_anatomical[arm.index()].angle_to(&stated) < 1e-9);
}

#[test]
fn a_clip_of_another_kind_is_told_with_its_joint() {
    let rig = samples::walk().motion;
    let mut other = rig.clone();
    let mut joints = other.skeleton.joints().to_vec();
    let knee = other.skeleton.find(b"LeftLeg".into()).unwrap();
    joints[knee.index()].rest_translation.z += 0.5 * joints[knee.index()].rest_translation.norm();
    other.skeleton = Skeleton::new(joints, other.skeleton.end_sites().to_vec()).unwrap();
    let hints = Hints::default();
    let mut learner = Learner::new(&rig, &hints).unwrap();
    let error = learner.add(&other).unwrap_err().to_string();
    assert!(
        error.contains("its LeftLeg lies 2") && error.contains("expected less than 5"),
        "{error}"
    );
    let card = Card { pose_from: Some(PoseFrom::Rest), ..Card::default() };
    let hints = Hints { card: Some(card), ..Hints::default() };
    assert!(matches!(Learner::new(&rig, &hints), Err(AnalysisError::PoseGiven)));
}

/// The mean angle between the frames of two calibrations, radians.
fn apart(a: &[UnitQuaternion<f64>], b: &[UnitQuaternion<f64>]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.angle_to(b)).sum::<f64>() / a.len() as f64
}

#[test]
fn what_four_clips_say_together_is_nearer_to_each_than_they_are_to_each_other() {
    let Some(folder) = std::env::var_os("REBONE_CORPUS").map(PathBuf::from) else {
        eprintln!("skipped: REBONE_CORPUS is not set");
        return;
    };
    let folder = std::fs::read_dir(folder.join("motions").join("bandai-namco")).unwrap();
    let read = |path: PathBuf| bvh::parse(&std::fs::read(path).unwrap()).unwrap().motion;
    let clips: Vec<Motion> = folder.map(|entry| read(entry.unwrap().path())).collect();
    assert!(clips.len() > 3);
    let (anatomy, card) = learned(&clips[0], &clips[1..].iter().collect::<Vec<_>>());
    let framed: Vec<JointId> = anatomy.framed().collect();
    let frames = |anatomy: &Anatomy| -> Vec<_> {
        framed.iter().map(|id| anatomy.joint_from_anatomical[id.index()]).collect()
    };
    let alone: Vec<_> =
        clips.iter().map(|clip| frames(&analyse(clip, &Hints::default()).unwrap())).collect();
    for (k, own) in alone.iter().enumerate() {
        let others = alone.iter().enumerate().filter(|(other, _)| *other != k);
        let others: Vec<f64> = others.map(|(_, other)| apart(own, other)).collect();
        let others = others.iter().sum::<f64>() / others.len() as f64;
        let pooled = apart(own, &frames(&anatomy));
        eprintln!("{k}: {:.2} {:.2} degrees", pooled.to_degrees(), others.to_degrees());
        assert!(pooled <= others + 1e-9, "{k}: {pooled} {others}");
        assert_holds(&anatomy, &card, &clips[k]);
    }
}

#[test]
fn a_card_of_the_t_pose_says_the_same_as_the_rig() {
    let rigs = samples::rigs().into_iter().chain(samples::clips());
    for sample in rigs {
        let own = analyse(&sample.motion, &Hints::default()).unwrap();
        let mut posed = own.clone();
        posed.calibration_rotations = own.t_pose_locals();
        let text = card_of(&posed).to_toml();
        let hints = Hints { card: Some(Card::parse(&text).unwrap()), ..Hints::default() };
        let again = analyse(&sample.motion, &hints).unwrap();
        for id in own.framed() {
            let frames = [&own, &again].map(|own| own.joint_from_anatomical[id.index()]);
            let off = frames[0].angle_to(&frames[1]).to_degrees();
            assert!(off < 0.01, "{}, {}: {off} degrees", sample.name, own.skeleton[id].name);
        }
    }
}
