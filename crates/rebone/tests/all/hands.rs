//! Skeletons whose arms end with the forearm: as source, as target, and as both.

use crate::cut::cut;
use crate::motions::retarget_motions;
use rebone::analyse::Hints;
use rebone::body::{Anatomy, Arm};
use rebone::skeleton::{Clip, JointId, Motion, Pose, Skeleton, forward_kinematics};
use rebone::{LimbBlend, Options, analyse};
use rebone_samples::{rigs, walk, wave};

type V = nalgebra::Vector3<f64>;

/// What is left at the end of a forearm.
#[derive(Clone, Copy, PartialEq)]
enum Stump {
    EndSite,
    Leaf,
    Nothing,
}

/// The motion without all that hangs on the wrists.
fn without_hands(motion: &Motion, stump: Stump) -> Motion {
    let skeleton = &motion.skeleton;
    let anatomy = analyse(motion, &Hints::default()).expect("a sample is a body");
    let hands = anatomy.body.arms.map(|arm| arm.hand.expect("samples have hands"));
    let is_cut = |id: JointId| {
        hands
            .iter()
            .any(|&hand| skeleton.is_ancestor(hand, id) && !(stump == Stump::Leaf && hand == id))
    };
    let end = |hand: JointId| {
        let hand = &skeleton[hand];
        (hand.parent.expect("hands have forearms"), hand.rest_translation)
    };
    let ends = if stump == Stump::EndSite { hands.map(end).to_vec() } else { Vec::new() };
    let bare = cut(motion, is_cut, &ends);
    let mut joints = bare.skeleton.joints().to_vec();
    let names = hands.map(|hand| &skeleton[hand].name);
    let stumps = joints.iter_mut().filter(|joint| names.contains(&&joint.name));
    stumps.for_each(|joint| joint.name = "cut".into());
    let skeleton = Skeleton::new(joints, bare.skeleton.end_sites().to_vec()).unwrap();
    Motion { skeleton, ..bare }
}

/// Directions of upper arms and forearms of a frame, in the inner world.
fn bones(anatomy: &Anatomy, pose: &Pose, inner: nalgebra::UnitQuaternion<f64>) -> [V; 4] {
    let world = forward_kinematics(&anatomy.skeleton, pose).unwrap();
    let place = |id: JointId| world.positions[id.index()];
    let bones = anatomy.body.arms.each_ref().map(|arm: &Arm| {
        let elbow = place(arm.lower);
        [elbow - place(arm.upper), arm.wrist.place(&world, 1.0).unwrap() - elbow]
    });
    [bones[0][0], bones[0][1], bones[1][0], bones[1][1]].map(|bone| inner * bone)
}

/// The largest angle between a bone of the source and that of the answer, radians.
fn worst_angle(source: &Motion, target: &Motion) -> f64 {
    let done = retarget_motions(source, target, &Options::default()).expect("both are bodies");
    let plan = &done.plan;
    let mut worst: f64 = 0.0;
    for (from, to) in source.clip.poses().zip(done.clip.poses()) {
        let wanted = bones(&plan.source, &from, plan.inner_from_source);
        let actual = bones(&plan.target, &to, plan.inner_from_target);
        for (a, b) in wanted.iter().zip(&actual) {
            worst = worst.max(a.cross(b).norm().atan2(a.dot(b)));
        }
    }
    worst
}

/// Rigs whose elbows turn freely; the second has a twist joint in line in each forearm.
fn rig(name: &str) -> Motion {
    rigs().into_iter().find(|rig| rig.name == name).expect("it is one of the nine").motion
}

#[test]
fn forearms_are_met_without_hands_on_either_side() {
    let clip = short(wave().motion);
    for name in ["seven-spine", "twist-zup-cm"] {
        let whole = rig(name);
        for stump in [Stump::EndSite, Stump::Leaf] {
            let (bare_clip, bare_rig) = (without_hands(&clip, stump), without_hands(&whole, stump));
            for (source, target) in
                [(&clip, &bare_rig), (&bare_clip, &whole), (&bare_clip, &bare_rig)]
            {
                let worst = worst_angle(source, target);
                assert!(worst < 1e-9, "{name}: {worst} rad");
            }
        }
    }
}

/// Every tenth frame.
fn short(motion: Motion) -> Motion {
    let Motion { skeleton, clip } = motion;
    let clip = Clip::from_poses(&skeleton, clip.frame_time, clip.poses().step_by(10)).unwrap();
    Motion { skeleton, clip }
}

#[test]
fn position_puts_the_wrist_where_the_hand_would_be() {
    let clip = short(wave().motion);
    let whole = rig("seven-spine");
    let options = Options { arms: Some(LimbBlend(1.0)), ..Options::default() };
    let wrists = |target: &Motion| -> Vec<V> {
        let done = retarget_motions(&clip, target, &options).unwrap();
        let arms = &done.plan.target.body.arms;
        let worlds =
            done.clip.poses().map(|pose| forward_kinematics(&target.skeleton, &pose).unwrap());
        worlds
            .flat_map(|world| arms.each_ref().map(|arm| arm.wrist.place(&world, 1.0).unwrap()))
            .collect()
    };
    let (with, without) = (wrists(&whole), wrists(&without_hands(&whole, Stump::EndSite)));
    // The rig is 1.7 m tall, in metres or centimetres: well below a millionth of it.
    let size = with.iter().map(|place| place.norm()).fold(0.0, f64::max);
    for (a, b) in with.iter().zip(&without) {
        assert!((a - b).norm() < 1e-6 * size, "{a} {b}");
    }
}

#[test]
fn hands_of_the_target_go_straight_on_where_the_source_has_none() {
    let clip = short(without_hands(&walk().motion, Stump::EndSite));
    let done = retarget_motions(&clip, &rig("seven-spine"), &Options::default()).unwrap();
    let anatomy = &done.plan.target;
    for pose in done.clip.poses() {
        let world = forward_kinematics(&anatomy.skeleton, &pose).unwrap();
        for arm in &anatomy.body.arms {
            let axes = &anatomy.joint_from_anatomical;
            let frame = |id: JointId| world.rotations[id.index()] * axes[id.index()];
            let bend = frame(arm.lower).angle_to(&frame(arm.hand.unwrap()));
            assert!(bend < 1e-9, "{bend}");
        }
    }
    assert!(done.report.warnings.iter().any(|warning| warning.contains("source has no hands")));
}

#[test]
fn a_forearm_without_an_end_is_refused_by_name() {
    let bare = without_hands(&walk().motion, Stump::Nothing);
    let error = analyse(&bare, &Hints::default()).unwrap_err().to_string();
    assert!(error.contains("left forearm (LeftForeArm)"), "{error}");
}
