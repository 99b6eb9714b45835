//! Poses written as BVH and read back.

use nalgebra::{UnitQuaternion, Vector3};
use proptest::prelude::*;
use rebone_skeleton::bvh::{self, Hierarchy, Translations, WriteError, WriteOptions, Writer};
use rebone_skeleton::{
    Axis, Clip, EndSite, Joint, JointId, Pose, Skeleton, bstr::BString, rotation,
};

/// Rotations are read back to this, in quaternion space.
const ROTATION: f64 = 1e-12;

fn text(hierarchy: &Hierarchy, clip: &Clip, decimals: Option<u8>) -> Vec<u8> {
    let options = WriteOptions { decimals, ..WriteOptions::default() };
    bvh::write_clip(Vec::new(), hierarchy, clip, options).unwrap()
}

fn apart(a: &UnitQuaternion<f64>, b: &UnitQuaternion<f64>) -> f64 {
    (a.coords - b.coords).norm().min((a.coords + b.coords).norm())
}

fn axes() -> impl Strategy<Value = Vec<Axis>> {
    (Just(Axis::ALL.to_vec()).prop_shuffle(), 0..4_usize).prop_map(|(mut axes, count)| {
        axes.truncate(count);
        axes
    })
}

prop_compose! {
    fn joint()(
        name in prop::collection::vec(prop::sample::select(b"aB_:. \x81\xe3".to_vec()), 0..8),
        parent in any::<prop::sample::Index>(),
        offset in prop::array::uniform3(prop_oneof![Just(0.0), -200.0..200.0]),
        translation_axes in axes(),
        rotation_axes in axes(),
        end_sites in 0..3_usize,
    ) -> (Joint, prop::sample::Index, usize) {
        let joint = Joint {
            name: BString::from([b"n", name.as_slice(), b"n"].concat()),
            parent: None,
            rest_translation: Vector3::from(offset),
            rest_rotation: UnitQuaternion::identity(),
            translation_axes,
            rotation_axes,
        };
        (joint, parent, end_sites)
    }
}

/// Up to 12 joints, in any order that has parents first.
fn skeleton() -> impl Strategy<Value = Skeleton> {
    prop::collection::vec(joint(), 1..12).prop_map(|drawn| {
        let (mut joints, mut end_sites): (Vec<Joint>, Vec<EndSite>) = Default::default();
        for (index, (mut joint, parent, count)) in drawn.into_iter().enumerate() {
            joint.parent = (index > 0).then(|| JointId(parent.index(index)));
            if index == 0 {
                joint.rotation_axes = vec![Axis::Z, Axis::X, Axis::Y];
            }
            let offset = joint.rest_translation;
            end_sites.extend(vec![EndSite { parent: JointId(index), offset }; count]);
            joints.push(joint);
        }
        Skeleton::new(joints, end_sites).unwrap()
    })
}

/// A pose that the channels can express, from numbers drawn anew for each joint.
fn pose(skeleton: &Skeleton, numbers: &mut impl Iterator<Item = f64>) -> Pose {
    let mut pose = skeleton.rest_pose();
    for (index, joint) in skeleton.joints().iter().enumerate() {
        for axis in &joint.translation_axes {
            pose.translations[index][axis.index()] = numbers.next().unwrap();
        }
        let angles: Vec<f64> = numbers.take(joint.rotation_axes.len()).collect();
        pose.rotations[index] = rotation::from_euler(&joint.rotation_axes, &angles);
    }
    pose
}

proptest! {
    #[test]
    fn what_is_written_reads_back(
        skeleton in skeleton(),
        numbers in prop::collection::vec(-1000.0..1000.0_f64, 1..100),
        frame_time in 1e-4..10.0_f64,
    ) {
        let mut numbers = numbers.iter().copied().cycle();
        let poses = (0..4).map(|_| pose(&skeleton, &mut numbers));
        let clip = Clip::from_poses(&skeleton, frame_time, poses).unwrap();
        let hierarchy = Hierarchy::from_skeleton(&skeleton);
        let again = bvh::parse(&text(&hierarchy, &clip, None)).unwrap();
        prop_assert_eq!(again.warnings, []);
        prop_assert_eq!(again.hierarchy.text(), hierarchy.text());
        prop_assert_eq!(again.motion.clip.frame_time, frame_time);
        // BVH is depth first: channels tell which joint is which.
        let mut order: Vec<usize> = Vec::new();
        let mut waiting = vec![JointId(0)];
        while let Some(id) = waiting.pop() {
            order.push(id.index());
            let mut children: Vec<JointId> = skeleton.children(id).collect();
            children.reverse();
            waiting.extend(children);
        }
        for (one, other) in clip.poses().zip(again.motion.clip.poses()) {
            for (place, &index) in order.iter().enumerate() {
                let joint = &again.motion.skeleton.joints()[place];
                prop_assert_eq!(&joint.name, &skeleton.joints()[index].name);
                prop_assert_eq!(joint.rest_translation, skeleton.joints()[index].rest_translation);
                if again.hierarchy.translations() == Translations::Replace {
                    prop_assert_eq!(one.translations[index], other.translations[place]);
                }
                prop_assert!(apart(&one.rotations[index], &other.rotations[place]) < ROTATION);
            }
        }
    }

    #[test]
    fn slow_motions_have_no_jumps(
        axes in Just(Axis::ALL.to_vec()).prop_shuffle(),
        start in prop::array::uniform3(-3.0..3.0_f64),
        speed in prop::array::uniform3(-0.02..0.02_f64),
    ) {
        let skeleton = one_joint(axes.clone());
        let hierarchy = Hierarchy::from_skeleton(&skeleton);
        // The middle angle stays away from gimbal lock, where no angles are continuous.
        let angles = |step: f64| {
            [0, 1, 2].map(|index| match index {
                1 => 1.3 * libm::sin(start[1] + step * speed[1]),
                _ => start[index] + step * speed[index],
            })
        };
        let pose = |step: i32| Pose {
            translations: vec![Vector3::zeros()],
            rotations: vec![rotation::from_euler(&axes, &angles(f64::from(step)))],
        };
        let clip = Clip::from_poses(&skeleton, 0.1, (0..500).map(pose)).unwrap();
        let text = String::from_utf8(text(&hierarchy, &clip, None)).unwrap();
        let frames: Vec<Vec<f64>> = text.lines().skip_while(|line| !line.starts_with("Frame Time"))
            .skip(1)
            .map(|line| line.split(' ').map(|word| word.parse().unwrap()).collect())
            .collect();
        prop_assert_eq!(frames.len(), 500);
        for (before, after) in frames.iter().zip(&frames[1..]) {
            for (before, after) in before.iter().zip(after) {
                // 1.3 * 0.02 rad is the most that an angle changes in a frame.
                prop_assert!((before - after).abs() < 1.6, "{before} to {after}");
            }
        }
    }
}

fn one_joint(rotation_axes: Vec<Axis>) -> Skeleton {
    let joint = Joint {
        name: "a".into(),
        parent: None,
        rest_translation: Vector3::zeros(),
        rest_rotation: UnitQuaternion::identity(),
        translation_axes: Vec::new(),
        rotation_axes,
    };
    Skeleton::new(vec![joint], Vec::new()).unwrap()
}

const SAMPLE: &str = "HIERARCHY\nROOT a\n{\n  OFFSET 0.10 1.000 -0.0\n  \
    CHANNELS 4 Zrotation Yposition Xrotation Yrotation\n  JOINT b:c d\n  {\n    OFFSET 0 5 0\n    \
    CHANNELS 2 Xposition Yposition\n  }\n}\nMOTION\nFrames: 2\nFrame Time: 0.04\n";

#[test]
fn the_text_stays_and_numbers_are_plain() {
    let motion = "-170 0.1 0 0 0.3 5\n-190 0.000000001 0 0 0 5\n";
    let document = bvh::parse(format!("{SAMPLE}{motion}").as_bytes()).unwrap();
    let written = text(&document.hierarchy, &document.motion.clip, None);
    let again = String::from_utf8(written).unwrap();
    assert!(again.starts_with(SAMPLE), "{again}");
    let lines: Vec<&str> = again.lines().collect();
    assert!(lines.last().unwrap().contains(" 0.000000001 "), "{again}");
    let fixed = text(&document.hierarchy, &document.motion.clip, Some(3));
    let fixed = String::from_utf8(fixed).unwrap();
    assert_eq!(
        fixed,
        format!(
            "{SAMPLE}-170.000 0.100 0.000 0.000 0.300 5.000\n-190.000 0.000 0.000 0.000 0.000 5.000\n"
        )
    );
}

#[test]
fn added_positions_are_differences() {
    let motion = "0 7 0 0 0 0\n0 7 0 0 0.5 -0.25\n";
    let document = bvh::parse(format!("{SAMPLE}{motion}").as_bytes()).unwrap();
    assert_eq!(document.hierarchy.translations(), Translations::Add);
    let written = text(&document.hierarchy, &document.motion.clip, None);
    assert_eq!(String::from_utf8(written).unwrap(), format!("{SAMPLE}{motion}"));
}

#[test]
fn names_that_cannot_stand_in_a_file_are_made_fit() {
    let mut joint = one_joint(vec![Axis::X]).joints()[0].clone();
    joint.name = " a\n{b".into();
    let skeleton = Skeleton::new(vec![joint], Vec::new()).unwrap();
    let hierarchy = Hierarchy::from_skeleton(&skeleton);
    let clip = Clip::from_poses(&skeleton, 1.0, [skeleton.rest_pose()]).unwrap();
    let again = bvh::parse(&text(&hierarchy, &clip, None)).unwrap();
    assert_eq!(again.motion.skeleton.joints()[0].name, "a__b");
}

#[test]
fn what_cannot_be_written_is_refused() {
    let skeleton = one_joint(vec![Axis::X]);
    let hierarchy = Hierarchy::from_skeleton(&skeleton);
    let writer =
        |frame_time| Writer::new(Vec::new(), &hierarchy, frame_time, 1, WriteOptions::default());
    for frame_time in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(writer(frame_time), Err(WriteError::FrameTime(_))));
    }
    assert!(matches!(
        writer(1.0).unwrap().finish(),
        Err(WriteError::FrameCount { declared: 1, found: 0 })
    ));
    let mut pose = skeleton.rest_pose();
    pose.translations[0].x = f64::NAN;
    let error = writer(1.0).unwrap().write_pose(&pose).unwrap_err();
    assert_eq!(error.to_string(), "frame 0, joint \"a\": found a number that is not finite");
    pose.translations.clear();
    assert!(matches!(writer(1.0).unwrap().write_pose(&pose), Err(WriteError::PoseLength { .. })));
}

#[test]
fn a_number_that_no_reader_takes_is_refused() {
    let text = b"HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation }
        MOTION\nFrames: 1\nFrame Time: 0.1\n9e11 0 0 0 0 0\n";
    let bvh::Document { hierarchy, mut motion, .. } = bvh::parse(text).unwrap();
    let again = self::text(&hierarchy, &motion.clip, None);
    assert!(bvh::parse(&again).is_ok());
    motion.clip.edit(|_, pose| pose.translations[0].x *= 2.0).unwrap();
    let error = bvh::write_clip(Vec::new(), &hierarchy, &motion.clip, WriteOptions::default());
    let message = error.unwrap_err().to_string();
    assert_eq!(message, "frame 0, joint \"a\": found 1.8e12, expected a number of at most 1e12");
}

#[test]
fn a_frame_is_read_back_with_the_decimals_of_the_file() {
    let text =
        b"HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 4 Xposition Zrotation Xrotation Yrotation }
        MOTION\nFrames: 1\nFrame Time: 0.1\n0.1234 12.345 -7.77 100.06\n";
    let bvh::Document { hierarchy, motion, .. } = bvh::parse(text).unwrap();
    let options = WriteOptions { decimals: Some(1), ..WriteOptions::default() };
    let mut writer = Writer::new(Vec::new(), &hierarchy, 0.1, 1, options).unwrap();
    writer.write_pose(&motion.clip.pose(0).unwrap()).unwrap();
    let mut found = hierarchy.skeleton().rest_pose();
    writer.read_back(&mut found);
    let written = bvh::parse(&writer.finish().unwrap()).unwrap();
    assert_eq!(Some(&found), written.motion.clip.pose(0).as_ref());
    assert_eq!(found.translations[0].x, 0.1);
}
