//! Values that no file holds: joints and frames that are not there, poses of other skeletons, numbers that are not finite.
//! They are errors that name what was expected, or have no result.

use nalgebra::{Isometry3, Quaternion, Unit, UnitQuaternion, Vector3};
use rebone_skeleton::gltf::{self, Container, NewAnimation, Tolerance};
use rebone_skeleton::rotation::{
    direction, from_euler, least_aligned_axis, mean, shortest_arc, swing_twist,
};
use rebone_skeleton::selector::{nearest, resolve, select, shown, words};
use rebone_skeleton::{
    Axis, Clip, ClipError, EndSite, Joint, JointId, Motion, Pose, Skeleton, WorldPose, bvh,
    defects, forward_kinematics,
};
use std::collections::BTreeSet;
use std::io::Cursor;

const NUMBERS: [f64; 8] =
    [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, f64::MIN_POSITIVE, 1e300, -1e300];

fn file(name: &str) -> Motion {
    let text = std::fs::read(format!("{}/../../data/{name}", env!("CARGO_MANIFEST_DIR")))
        .expect("values of the test fit");
    bvh::parse(&text).expect("values of the test fit").motion
}

fn walk() -> Motion {
    file("clips/walk.bvh")
}

/// A motion of another skeleton.
fn rig() -> Motion {
    file("rigs/toy-a-pose.bvh")
}

fn nan() -> UnitQuaternion<f64> {
    UnitQuaternion::new_unchecked(Quaternion::new(f64::NAN, 0.0, 0.0, 0.0))
}

/// Poses that are not of the walk's skeleton: too short, empty, with lists of two lengths.
fn other_poses() -> Vec<Pose> {
    let rest = walk().skeleton.rest_pose();
    let cut = |translations: usize, rotations: usize| Pose {
        translations: rest.translations[..translations].to_vec(),
        rotations: rest.rotations[..rotations].to_vec(),
    };
    let all = rest.rotations.len();
    vec![cut(0, 0), cut(1, 1), cut(all, all - 1), cut(all - 1, all)]
}

#[test]
fn joints_that_are_not_there_have_no_relatives() {
    let skeleton = walk().skeleton;
    let hips = JointId(0);
    let lengths = skeleton.subtree_lengths();
    for far in [skeleton.len(), usize::MAX].map(JointId) {
        assert!(skeleton.joint(far).is_none());
        assert_eq!(skeleton.children(far).count(), 0);
        assert_eq!(skeleton.end_sites_of(far).count(), 0);
        assert_eq!(skeleton.path_to_root(far).count(), 0);
        assert!(!skeleton.is_ancestor(hips, far) && !skeleton.is_ancestor(far, hips));
        assert!(skeleton.carries_all(far), "there is nothing above it");
        for [a, b] in [[far, hips], [hips, far], [far, far]] {
            assert_eq!(skeleton.lowest_common_ancestor(a, b), hips);
            assert!(skeleton.path_between(a, b).is_empty());
            assert!(skeleton.strictly_between(a, b).is_empty());
        }
        assert!(skeleton.descendants(far).is_empty());
        assert!(skeleton.longest_path(&lengths, far).is_empty());
        assert_eq!(skeleton.longest_child(&lengths, far), None);
        assert_eq!(select(&skeleton, far), format!("#{}", far.index()));
        assert!(far.below_root().index() > skeleton.len());
        let clip = walk().clip;
        assert_eq!(clip.bone(&skeleton, far), None);
        assert_eq!(clip.translations(far).count(), 0);
    }
    assert_eq!(skeleton.longest_path(&[], hips), [hips]);
    assert_eq!(skeleton.longest_path(&[f64::NAN; 99], hips), [hips]);
    assert_eq!(skeleton.longest_child(&lengths[..1], hips), None);
    assert_eq!(skeleton.find("".into()), None);
    for text in ["", "#", "#99999999999999999999", "/", "a/", &"x/".repeat(9999)] {
        assert!(resolve(&skeleton, text).is_err(), "{text}");
        assert!(shown(text).chars().count() <= 61);
        assert!(words(text).len() < 9999 + 1);
        assert!(nearest(text, ["Hips".to_owned()].into_iter()).len() <= 1);
    }
}

#[test]
fn joints_that_form_no_tree_are_no_skeleton() {
    let joint = |parent: Option<usize>| Joint {
        parent: parent.map(JointId),
        ..walk().skeleton[JointId(0)].clone()
    };
    for parents in
        [vec![], vec![Some(0)], vec![None, None], vec![None, Some(1)], vec![None, Some(usize::MAX)]]
    {
        let joints = parents.into_iter().map(joint).collect();
        assert!(Skeleton::new(joints, Vec::new()).is_err());
    }
    let site = EndSite { parent: JointId(usize::MAX), offset: Vector3::zeros() };
    assert!(Skeleton::new(vec![joint(None)], vec![site]).is_err());
}

#[test]
fn poses_of_another_skeleton_are_errors() {
    let Motion { skeleton, mut clip } = walk();
    let rig = rig();
    let before = clip.clone();
    for pose in other_poses() {
        assert!(matches!(clip.push(&pose), Err(ClipError::Pose { .. })));
        assert!(Clip::from_poses(&skeleton, 0.1, [pose.clone()]).is_err());
        assert!(
            clip.edit(|frame, own| if frame == 3 {
                own.clone_from(&pose)
            })
            .is_err()
        );
        assert!(forward_kinematics(&skeleton, &pose).is_err());
        let mut world = WorldPose::zeros(&skeleton);
        assert!(world.update(&skeleton, &pose).is_err());
        let ids: Vec<_> = skeleton.ids().collect();
        assert!(world.update_joints(&skeleton, &pose, &ids).is_err());
        assert_eq!(world, WorldPose::zeros(&skeleton));
        assert!(WorldPose::zeros(&rig.skeleton).update(&skeleton, &skeleton.rest_pose()).is_err());
        let foreign: Vec<_> = rig.skeleton.ids().chain(skeleton.ids()).collect();
        let mut some = WorldPose::zeros(&skeleton);
        some.update_joints(&skeleton, &skeleton.rest_pose(), &ids).unwrap();
        assert_eq!(some, skeleton.rest_world());
        some.update_joints(&skeleton, &skeleton.rest_pose(), &foreign).unwrap();
        assert_eq!(some, skeleton.rest_world());
        let message = pose.check_for(&skeleton).unwrap_err().to_string();
        assert!(message.contains(&format!("expected {}", skeleton.len())), "{message}");
        let root = Isometry3::translation(0.0, f64::NAN, 0.0);
        assert_eq!(pose.with_root(&root).rotations.len(), pose.rotations.len() + 1);
        let hierarchy = bvh::Hierarchy::from_skeleton(&skeleton);
        let mut writer =
            bvh::Writer::new(Vec::new(), &hierarchy, 0.1, 1, Default::default()).unwrap();
        assert!(writer.write_pose(&pose).is_err());
        assert!(writer.finish().is_err(), "the frame that was announced is missing");
    }
    assert!(clip.append(&rig.clip).is_err());
    let mut moved = skeleton.joints().to_vec();
    moved[3].translation_axes = Axis::ALL.to_vec();
    let moved = Skeleton::new(moved, Vec::new()).unwrap();
    assert!(matches!(clip.append(&Clip::new(&moved, 0.1)), Err(ClipError::MovingJoints(_))));
    assert_eq!(clip, before);
    let mut bad = skeleton.rest_pose();
    bad.rotations[2] = nan();
    assert!(bad.check_for(&skeleton).unwrap_err().to_string().contains("not finite"));
    let still = Clip::from_poses(&skeleton, 0.1, [bad]).unwrap();
    for clip in [&rig.clip, &still] {
        assert!(clip.check_for(&skeleton).is_err());
        assert!(defects(&skeleton, clip).is_err());
        let hierarchy = bvh::Hierarchy::from_skeleton(&skeleton);
        assert!(bvh::write_clip(Vec::new(), &hierarchy, clip, Default::default()).is_err());
    }
}

#[test]
fn frames_that_are_not_there_are_none() {
    let Motion { skeleton, mut clip } = walk();
    let (count, before) = (clip.len(), clip.clone());
    let mut pose = skeleton.rest_pose();
    for frame in [count, count + 1, usize::MAX] {
        assert!(!clip.read(frame, &mut pose));
        assert!(clip.pose(frame).is_none() && clip.rotations(frame).is_none());
        assert!(matches!(clip.set(frame, &pose), Err(ClipError::Frames { .. })));
    }
    assert_eq!(pose, skeleton.rest_pose());
    #[allow(clippy::reversed_empty_ranges)]
    for range in [0..count + 1, usize::MAX..usize::MAX, 5..2, 0..usize::MAX] {
        assert!(matches!(clip.keep(range), Err(ClipError::Frames { .. })));
    }
    assert_eq!(clip, before);
}

#[test]
fn frame_times_and_cuts_that_cannot_be_are_errors() {
    let Motion { skeleton, clip } = walk();
    for time in NUMBERS {
        let resampled = clip.resampled(time, &[]);
        assert_eq!(resampled.is_ok(), time == 1e300, "{time}");
        let mut own = clip.clone();
        own.frame_time = time;
        assert_eq!(own.check_for(&skeleton).is_ok(), time > 0.0 && time.is_finite(), "{time}");
        assert_eq!(own.resampled(0.1, &[]).is_ok(), time == f64::MIN_POSITIVE, "{time}");
        let hierarchy = bvh::Hierarchy::from_skeleton(&skeleton);
        let written = bvh::Writer::new(Vec::new(), &hierarchy, time, 0, Default::default());
        assert_eq!(written.is_ok(), time > 0.0 && time.is_finite());
        assert!(Clip::new(&skeleton, time).is_empty());
    }
    for cuts in [&[5, 5][..], &[9, 3], &[usize::MAX]] {
        assert!(matches!(clip.resampled(0.01, cuts), Err(ClipError::Cuts { .. })), "{cuts:?}");
    }
}

#[test]
fn rotations_of_any_numbers_have_a_result() {
    for x in NUMBERS {
        let vector = Vector3::new(x, 1.0, x);
        let unit = Unit::new_unchecked(vector);
        let turn = UnitQuaternion::new_unchecked(Quaternion::new(x, 1.0, 0.0, x));
        let _ = direction(&vector);
        assert_eq!(least_aligned_axis(&vector).norm(), 1.0);
        let _ = (shortest_arc(&unit, &Vector3::x_axis()), swing_twist(&turn, &unit));
        let middle = mean([turn, UnitQuaternion::identity()].into_iter());
        assert!(x.abs() < 1e299 || middle == UnitQuaternion::identity(), "{x}");
        let _ = from_euler(&Axis::ALL, &[x]);
    }
    assert_eq!(from_euler(&[], &[1.0, 2.0]), UnitQuaternion::identity());
}

#[test]
fn a_gltf_of_any_skeleton_takes_its_own_clips_alone() {
    let Motion { skeleton, clip } = walk();
    let rig = rig();
    let mapped = BTreeSet::from([JointId(usize::MAX)]);
    for number in NUMBERS {
        let file = gltf::Document::from_skeleton(&skeleton, number, &nan());
        assert_eq!(file.node(JointId(usize::MAX)), None);
        let tolerance = Tolerance { angle: number, length: number };
        let short = clip.resampled(0.5, &[]).unwrap();
        let own = NewAnimation { name: "", clip: &short, mapped: &mapped };
        let _ = file.with_animations(&[own], tolerance, Container::Glb);
        let _ = file.with_root("");
    }
    let file = gltf::Document::from_skeleton(&skeleton, 1.0, &UnitQuaternion::identity());
    let mut bad = clip.clone();
    bad.edit(|_, pose| pose.rotations[1] = nan()).unwrap();
    for clip in [&rig.clip, &bad, &Clip::new(&skeleton, 0.1)] {
        let own = NewAnimation { name: "x", clip, mapped: &mapped };
        let usual = Tolerance::default();
        let added = file.with_animation("x", clip.clone(), &mapped, usual, Container::Gltf);
        assert!(added.is_err());
        assert!(file.with_animations(&[own], Tolerance::default(), Container::Gltf).is_err());
    }
    let other = gltf::Document::vrm_animation(&rig.skeleton);
    let mut merger = file.merge_animations(Cursor::new(Vec::new())).unwrap();
    assert!(merger.add(&other, "other").is_err() || merger.write(&mut Vec::new()).is_ok());
    let rest = Isometry3::from_parts(nalgebra::Translation3::new(f64::NAN, 0.0, 0.0), nan());
    assert_eq!(skeleton.with_root("", &rest).len(), skeleton.len() + 1);
}

#[test]
fn meshes_take_any_pose() {
    let mesh = gltf::Document::from_skeleton(&walk().skeleton, 1.0, &nan()).skin_mesh();
    let mut places = vec![Vector3::zeros()];
    let odd = WorldPose { positions: vec![Vector3::repeat(f64::NAN)], rotations: Vec::new() };
    mesh.pose(&odd, &mut places);
    assert_eq!(mesh.influences(usize::MAX).count(), 0);
    assert!(places.is_empty() && mesh.mean_of_joints(&[[f32::NAN; 3]]).is_empty());
}

#[test]
fn flat_lists_that_are_no_whole_frames_are_errors() {
    let Motion { skeleton, clip } = walk();
    let (moving, translations, rotations) = clip.parts();
    assert_eq!(moving, [0]);
    let joints = skeleton.len();
    for [moves, turns] in [[0, joints], [1, 0], [1, joints - 1], [1, joints + 1], [2, joints]] {
        let lists = (translations[..moves].to_vec(), rotations[..turns].to_vec());
        let read = Clip::from_parts(&skeleton, 1.0, lists.0, lists.1);
        assert!(matches!(read, Err(ClipError::Parts { .. })), "{moves} {turns}");
    }
    for time in NUMBERS {
        let read = Clip::from_parts(&skeleton, time, vec![translations[0]], vec![nan(); joints]);
        assert!(read.unwrap().check_for(&skeleton).is_err());
    }
    assert!(Clip::from_parts(&skeleton, 1.0, Vec::new(), Vec::new()).unwrap().is_empty());
}
