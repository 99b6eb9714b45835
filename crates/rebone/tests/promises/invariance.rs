//! What must not change a result, and what must change it in one way only.

use crate::support::*;
use nalgebra::{Quaternion, Unit, UnitQuaternion, Vector3};
use rebone::Options;
use rebone::skeleton::{Clip, Joint, JointId, Motion, Pose, Skeleton};
use rebone::understand::Anatomy;

/// In statures and radians.
const EXACT: f64 = 1e-9;
/// What the solver's pull leaves of a spine that the goals leave free, where its input is not the same
/// to the bit.
const SETTLED: f64 = 1e-8;

/// All pairs of a sample clip and a sample rig.
fn pairs() -> Vec<(Named, Named)> {
    let on_all = |clip: Named| {
        let copy = move || Named { name: clip.name.clone(), motion: clip.motion.clone() };
        rigs().into_iter().map(move |rig| (copy(), rig))
    };
    samples().into_iter().flat_map(on_all).collect()
}

/// The results for some poses of a clip, and the anatomies.
fn results(source: &Anatomy, target: &Anatomy, poses: &[&Pose]) -> Vec<Pose> {
    let mut retargeter = retargeter(source, target, &Options::default());
    poses.iter().map(|pose| pose_of(&mut retargeter, pose)).collect()
}

fn assert_same(what: &str, tolerance: f64, target: &Anatomy, expected: &[Pose], found: &[Pose]) {
    assert_eq!(expected.len(), found.len());
    for (frame, (expected, found)) in expected.iter().zip(found).enumerate() {
        let offs = offs(&target.skeleton, target.stature, expected, found);
        for (id, off) in target.skeleton.ids().zip(offs) {
            let name = &target.skeleton.joint(id).name;
            assert!(off.worst() < tolerance, "{what}, frame {frame}, {name}: {off:?}");
        }
    }
}

/// A motion with each pose changed.
fn changed(motion: &Motion, change: impl Fn(&mut Pose)) -> Motion {
    let mut motion = motion.clone();
    motion.clip.frames.iter_mut().for_each(change);
    motion
}

/// Turns the whole pose in its world, then moves it.
fn placed(pose: &mut Pose, turn: &UnitQuaternion<f64>, by: &Vector3<f64>) {
    pose.translations[0] = turn * pose.translations[0] + by;
    pose.rotations[0] = turn * pose.rotations[0];
}

/// The clips are Y up: turned about Y and moved, without another look at the skeleton.
#[test]
fn a_turned_and_moved_source_turns_and_moves_the_result() {
    for (clip, rig) in pairs() {
        let (from, to) = (anatomy(&clip.motion), anatomy(&rig.motion));
        let poses = thinned(&clip.motion.clip, 8);
        let turn = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), 2.1);
        let by = Vector3::new(130.0, 40.0, -75.0);
        let mut other: Vec<Pose> = poses.iter().map(|pose| (*pose).clone()).collect();
        other.iter_mut().for_each(|pose| placed(pose, &turn, &by));
        let mut retargeter = retargeter(&from, &to, &Options::default());
        let plan = retargeter.plan().clone();
        // The same in the target's file: its axes, its units, its path.
        let file_from_inner = plan.inner_from_target.inverse();
        let turn_there = {
            let inner = plan.inner_from_source * turn * plan.inner_from_source.inverse();
            file_from_inner * inner * plan.inner_from_target
        };
        let scale = plan.path_scale * from.metres_per_unit() / to.metres_per_unit();
        let by_there = file_from_inner * plan.inner_from_source * by * scale;
        for (pose, other) in poses.iter().zip(&other) {
            let expected = pose_of(&mut retargeter, pose);
            let found = pose_of(&mut retargeter, other);
            // World places and rotations; of the locals only the root's changes.
            let expected = rebone::skeleton::forward_kinematics(&to.skeleton, &expected);
            let found_world = rebone::skeleton::forward_kinematics(&to.skeleton, &found);
            let top = to.body.trunk[to.body.trunk_top()];
            for id in to.skeleton.ids().filter(|&id| to.skeleton.is_ancestor(top, id)) {
                let place = turn_there * expected.positions[id.index()] + by_there;
                let off = (place - found_world.positions[id.index()]).norm() / to.stature;
                let rotation = turn_there * expected.rotations[id.index()];
                let turned = angle(&rotation, &found_world.rotations[id.index()]);
                let name = &to.skeleton.joint(id).name;
                assert!(
                    off < EXACT && turned < SETTLED,
                    "{} on {} {name}: {off:e} {turned:e}",
                    clip.name,
                    rig.name
                );
            }
        }
    }
}

#[test]
fn a_scaled_source_changes_nothing() {
    for (clip, rig) in pairs() {
        let to = anatomy(&rig.motion);
        let mut large =
            changed(&clip.motion, |pose| pose.translations.iter_mut().for_each(|t| *t *= 7.3));
        let mut joints = large.skeleton.joints().to_vec();
        let mut sites = large.skeleton.end_sites().to_vec();
        joints.iter_mut().for_each(|joint| joint.rest_translation *= 7.3);
        sites.iter_mut().for_each(|site| site.offset *= 7.3);
        large.skeleton = Skeleton::new(joints, sites).unwrap();
        let expected = results(&anatomy(&clip.motion), &to, &thinned(&clip.motion.clip, 8));
        let found = results(&anatomy(&large), &to, &thinned(&large.clip, 8));
        assert_same(&format!("{} on {}", clip.name, rig.name), SETTLED, &to, &expected, &found);
    }
}

/// Another frame rate, half the frames, a later start: the same poses, given the same anatomy; and the
/// same bits in another run and another order.
#[test]
fn a_frame_is_a_frame() {
    for (clip, rig) in pairs() {
        let (from, to) = (anatomy(&clip.motion), anatomy(&rig.motion));
        let poses = thinned(&clip.motion.clip, 16);
        let expected = results(&from, &to, &poses);
        let backwards: Vec<&Pose> = poses.iter().rev().copied().collect();
        let mut found = results(&from, &to, &backwards);
        found.reverse();
        let later = results(&from, &to, &poses[7..]);
        assert!(expected == found && expected[7..] == later, "{} on {}", clip.name, rig.name);
        let clip = Clip { frame_time: 0.5, frames: backwards.into_iter().cloned().collect() };
        let plan = rebone::align(&from, &to, &Options::default());
        let (other, _) = rebone::retarget_clip(&plan, &clip).unwrap();
        assert!(other.frames.iter().rev().eq(&expected));
    }
}

#[test]
fn the_sign_of_quaternions_changes_nothing() {
    for (clip, rig) in pairs() {
        let (from, to) = (anatomy(&clip.motion), anatomy(&rig.motion));
        let negated = |pose: &mut Pose| {
            for rotation in pose.rotations.iter_mut().step_by(2) {
                *rotation = UnitQuaternion::new_unchecked(-rotation.into_inner());
            }
        };
        let other = changed(&clip.motion, negated);
        let expected = results(&from, &to, &thinned(&clip.motion.clip, 8));
        let what = format!("{} on {}", clip.name, rig.name);
        for from in [from, anatomy(&other)] {
            let found = results(&from, &to, &thinned(&other.clip, 8));
            assert_same(&what, SETTLED, &to, &expected, &found);
        }
    }
}

/// Puts a joint that never moves into the middle of the bone that ends in `joint`.
fn with_still_joint(motion: &Motion, joint: JointId) -> Motion {
    let (skeleton, at) = (&motion.skeleton, joint.index());
    let shift = |id: JointId| JointId(if id.index() >= at { id.index() + 1 } else { id.index() });
    let mut joints: Vec<Joint> = Vec::new();
    for id in skeleton.ids() {
        let old = skeleton.joint(id);
        let mut new = Joint { parent: old.parent.map(shift), ..old.clone() };
        if id == joint {
            let half = old.rest_translation / 2.0;
            joints.push(Joint {
                name: "Spine1b".into(),
                parent: new.parent,
                rest_translation: half,
                ..old.clone()
            });
            new.parent = Some(joint);
            new.rest_translation = half;
        }
        joints.push(new);
    }
    let sites = skeleton
        .end_sites()
        .iter()
        .map(|site| rebone::skeleton::EndSite { parent: shift(site.parent), ..site.clone() });
    let pose = |pose: &Pose| {
        let mut pose = pose.clone();
        let half = pose.translations[at] / 2.0;
        pose.translations[at] = half;
        pose.translations.insert(at, half);
        pose.rotations.insert(at, UnitQuaternion::identity());
        pose
    };
    let frames = motion.clip.frames.iter().map(pose).collect();
    Motion {
        skeleton: Skeleton::new(joints, sites.collect()).unwrap(),
        clip: Clip { frames, ..motion.clip },
    }
}

#[test]
fn joints_that_never_move_change_nothing() {
    for (clip, rig) in pairs() {
        let (from, to) = (anatomy(&clip.motion), anatomy(&rig.motion));
        let expected = results(&from, &to, &thinned(&clip.motion.clip, 8));
        for &joint in &from.body.trunk[1..] {
            let other = with_still_joint(&clip.motion, joint);
            let what =
                format!("{} on {} above {}", clip.name, rig.name, from.skeleton.joint(joint).name);
            let found = results(&anatomy(&other), &to, &thinned(&other.clip, 8));
            assert_same(&what, SETTLED, &to, &expected, &found);
        }
    }
}

/// The body seen in a mirror that swaps left and right (X): each joint plays the part of its partner.
fn mirrored(motion: &Motion) -> Motion {
    let skeleton = &motion.skeleton;
    let swapped = |name: &str| {
        if name.contains("Left") {
            name.replace("Left", "Right")
        } else {
            name.replace("Right", "Left")
        }
    };
    let flip = |v: &Vector3<f64>| Vector3::new(-v.x, v.y, v.z);
    let mut joints = skeleton.joints().to_vec();
    let mut sites = skeleton.end_sites().to_vec();
    joints.iter_mut().for_each(|joint| {
        joint.rest_translation = flip(&joint.rest_translation);
        joint.name = swapped(&joint.name.to_string()).into();
    });
    sites.iter_mut().for_each(|site| site.offset = flip(&site.offset));
    let pose = |pose: &Pose| Pose {
        translations: pose.translations.iter().map(flip).collect(),
        rotations: pose.rotations.iter().map(mirrored_rotation).collect(),
    };
    let frames = motion.clip.frames.iter().map(pose).collect();
    Motion { skeleton: Skeleton::new(joints, sites).unwrap(), clip: Clip { frames, ..motion.clip } }
}

/// `M R M` with `M` the mirror in X.
fn mirrored_rotation(rotation: &UnitQuaternion<f64>) -> UnitQuaternion<f64> {
    Unit::new_unchecked(Quaternion::new(rotation.w, rotation.i, -rotation.j, -rotation.k))
}

/// The clips' skeleton mirrors itself: its mirrored motion is that of the mirrored joints.
#[test]
fn a_mirrored_source_mirrors_the_result() {
    // Rigs that are symmetric in X and say their sides by name are mirrored as sources are.
    for clip in samples() {
        for target in samples().into_iter().take(1) {
            let rig = Motion {
                clip: Clip {
                    frames: vec![target.motion.skeleton.rest_pose()],
                    ..target.motion.clip.clone()
                },
                ..target.motion.clone()
            };
            let (to, to_mirrored) = (anatomy(&rig), anatomy(&mirrored(&rig)));
            let expected = results(&anatomy(&clip.motion), &to, &thinned(&clip.motion.clip, 8));
            let other = mirrored(&clip.motion);
            let found = results(&anatomy(&other), &to_mirrored, &thinned(&other.clip, 8));
            let back = Motion {
                skeleton: mirrored(&rig).skeleton,
                clip: Clip { frame_time: 1.0, frames: found },
            };
            assert_same(&clip.name, EXACT, &to, &expected, &mirrored(&back).clip.frames);
        }
    }
}
