//! Joints without a role that follow without a card: goals of inverse kinematics at hands and feet, and props that move.

use nalgebra::{UnitQuaternion, Vector3};
use rebone::card::Card;
use rebone::skeleton::{Axis, Clip, Joint, JointId, Motion, Skeleton, forward_kinematics};
use rebone::{ClipInput, ContactMode, Hints, Method, Options, align, analyse, retarget_clip};
use rebone_samples as samples;

fn sample(name: &str) -> Motion {
    let mut all = samples::clips().into_iter().chain(samples::rigs());
    all.find(|sample| sample.name == name).unwrap().motion
}

/// The motion with joints that can move and turn; each has a name, the name of its parent and its place.
fn with_joints(motion: &Motion, added: &[(&str, &str, Vector3<f64>)]) -> Motion {
    let mut joints = motion.skeleton.joints().to_vec();
    for (name, parent, place) in added {
        let parent = joints.iter().position(|joint| joint.name == *parent).map(JointId);
        joints.push(Joint {
            name: (*name).into(),
            parent,
            rest_translation: *place,
            rest_rotation: UnitQuaternion::identity(),
            rotation_axes: Axis::ALL.to_vec(),
            translation_axes: Axis::ALL.to_vec(),
        });
    }
    let skeleton = Skeleton::new(joints, motion.skeleton.end_sites().to_vec()).unwrap();
    let poses = motion.clip.poses().map(|mut pose| {
        for (.., place) in added {
            pose.rotations.push(UnitQuaternion::identity());
            pose.translations.push(*place);
        }
        pose
    });
    let clip = Clip::from_poses(&skeleton, motion.clip.frame_time, poses).unwrap();
    Motion { skeleton, clip }
}

fn place_at_rest(motion: &Motion, name: &str) -> Vector3<f64> {
    let rest = forward_kinematics(&motion.skeleton, &motion.skeleton.rest_pose()).unwrap();
    rest.positions[motion.skeleton.find(name.into()).unwrap().index()]
}

/// A rig with the goals of an engine on its root.
fn with_goals(rig: &Motion) -> Motion {
    let root = rig.skeleton[JointId(0)].name.to_string();
    let at = |name: &str| place_at_rest(rig, name) - rig.skeleton[JointId(0)].rest_translation;
    let gun = at("hand_r");
    with_joints(
        rig,
        &[
            ("ik_foot_root", root.as_str(), Vector3::zeros()),
            ("ik_foot_l", "ik_foot_root", at("foot_l")),
            ("ik_hand_root", root.as_str(), Vector3::zeros()),
            ("ik_hand_gun", "ik_hand_root", gun),
            ("ik_hand_l", "ik_hand_gun", at("hand_l") - gun),
            ("weapon_slot", root.as_str(), gun),
            ("ik_far", root.as_str(), gun + Vector3::new(0.0, 20.0, 0.0)),
        ],
    )
}

const PAIRS: [(&str, &str); 4] = [
    ("ik_foot_l", "foot_l"),
    ("ik_hand_gun", "hand_r"),
    ("ik_hand_l", "hand_l"),
    ("weapon_slot", "hand_r"),
];

#[test]
fn goals_of_inverse_kinematics_stay_at_hands_and_feet() {
    let (walk, rig) = (sample("walk"), with_goals(&sample("ground-root")));
    let [from, onto] = [&walk, &rig].map(|own| analyse(own, &Hints::default()).unwrap());
    let plan = align(&from, &onto, &Options::default());
    let (clip, report) = retarget_clip(&plan, &ClipInput::new(&plan.source, &walk.clip)).unwrap();
    let told: Vec<_> = report.helpers.iter().map(|(joint, of)| (&**joint, &**of)).collect();
    assert_eq!(told, PAIRS);
    for pose in clip.poses().step_by(23) {
        let world = forward_kinematics(&rig.skeleton, &pose).unwrap();
        for (helper, part) in PAIRS {
            let [helper, part] =
                [helper, part].map(|name| rig.skeleton.find(name.into()).unwrap().index());
            assert!((world.positions[helper] - world.positions[part]).norm() < 1e-9);
        }
    }
    // The card says so, and gives the same result.
    let text = Card::from_anatomy(&onto, &Card::default()).unwrap().to_toml();
    let lines = "[helpers]\nik_foot_l = \"leftFoot\"\nik_hand_gun = \"rightHand\"\nik_hand_l = \"leftHand\"\n\
                 weapon_slot = \"rightHand\"\n";
    assert!(text.contains(lines), "{text}");
    let card = Card::parse(lines).unwrap();
    let stated = analyse(&rig, &Hints { card: Some(card.clone()), ..Hints::default() }).unwrap();
    let plan = align(&from, &stated, &Options::default());
    let (again, report) = retarget_clip(&plan, &ClipInput::new(&plan.source, &walk.clip)).unwrap();
    assert!(report.helpers.is_empty() && again == clip);
    assert!(Card::from_anatomy(&stated, &card).unwrap().to_toml().contains(lines));
}

/// A stick in the left hand that slides and turns.
fn with_stick(motion: &Motion, hand: &str, size: f64) -> Motion {
    let place = Vector3::new(8.0, 0.0, 2.0) * size;
    let mut motion = with_joints(motion, &[("Stick", hand, place)]);
    let stick = motion.skeleton.find("Stick".into()).unwrap().index();
    let count = motion.clip.len();
    motion
        .clip
        .edit(|frame, pose| {
            let share = frame as f64 / count as f64;
            pose.translations[stick] = place + Vector3::new(0.0, 30.0 * share, -5.0 * share) * size;
            pose.rotations[stick] = UnitQuaternion::from_euler_angles(share, 0.0, 0.0);
        })
        .unwrap();
    motion
}

#[test]
fn a_prop_slides_as_the_source_s() {
    let walk = with_stick(&sample("walk"), "LeftHand", 1.0);
    let stick = walk.skeleton.find("Stick".into()).unwrap();
    let anatomy = analyse(&walk, &Hints::default()).unwrap();
    let options = Options { contacts: ContactMode::Off, ..Options::default() };
    let (clip, _) =
        retarget_clip(&align(&anatomy, &anatomy, &options), &ClipInput::new(&anatomy, &walk.clip))
            .unwrap();
    let pairs: Vec<_> = clip.translations(stick).zip(walk.clip.translations(stick)).collect();
    assert!(pairs.len() > 100);
    for (own, source) in pairs {
        assert!((own - source).norm() < 1e-9, "{own} {source}");
    }
    // A body of twice the size has a stick of twice the size.
    let double = doubled(&walk);
    let onto = analyse(&double, &Hints::default()).unwrap();
    let plan = align(&anatomy, &onto, &options);
    let (clip, _) = retarget_clip(&plan, &ClipInput::new(&plan.source, &walk.clip)).unwrap();
    for (own, source) in clip.translations(stick).zip(walk.clip.translations(stick)) {
        assert!((own - source * 2.0).norm() < 1e-6, "{own} {source}");
    }
    // Hair and props without position channels only turn.
    let mut joints = double.skeleton.joints().to_vec();
    joints[stick.index()].translation_axes.clear();
    let skeleton = Skeleton::new(joints, double.skeleton.end_sites().to_vec()).unwrap();
    let still = Motion { clip: Clip::new(&skeleton, 1.0 / 30.0), skeleton };
    let onto = analyse(&still, &Hints::default()).unwrap();
    for method in [Method::Ik, Method::Copy] {
        let plan = align(&anatomy, &onto, &Options { method, ..options.clone() });
        assert_eq!(plan.stretched(stick), None);
    }
}

fn doubled(motion: &Motion) -> Motion {
    let mut joints = motion.skeleton.joints().to_vec();
    joints.iter_mut().for_each(|joint| joint.rest_translation *= 2.0);
    let mut sites = motion.skeleton.end_sites().to_vec();
    sites.iter_mut().for_each(|site| site.offset *= 2.0);
    let skeleton = Skeleton::new(joints, sites).unwrap();
    let poses = motion.clip.poses().map(|mut pose| {
        pose.translations.iter_mut().for_each(|place| *place *= 2.0);
        pose
    });
    let clip = Clip::from_poses(&skeleton, motion.clip.frame_time, poses).unwrap();
    Motion { skeleton, clip }
}
