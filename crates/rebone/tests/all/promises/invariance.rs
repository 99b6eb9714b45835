//! What must not change a result, and what must change it in one way only, on rigs with hinges and odd
//! hierarchies. The kit holds the same and more on random bodies.

use crate::promises::support::*;
use nalgebra::{UnitQuaternion, Vector3};
use rebone::body::Anatomy;
use rebone::skeleton::{Clip, Motion, Pose, Skeleton};
use rebone::{ClipInput, ContactMode, Options};

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
fn results(source: &Anatomy, target: &Anatomy, poses: &[Pose]) -> Vec<Pose> {
    let mut retargeter = retargeter(source, target, &Options::default());
    poses.iter().map(|pose| pose_of(&mut retargeter, pose)).collect()
}

fn assert_same(what: &str, tolerance: f64, target: &Anatomy, expected: &[Pose], found: &[Pose]) {
    assert_eq!(expected.len(), found.len());
    for (frame, (expected, found)) in expected.iter().zip(found).enumerate() {
        let offs = offs(&target.skeleton, target.stature, expected, found);
        for (id, off) in target.skeleton.ids().zip(offs) {
            let name = &target.skeleton[id].name;
            assert!(off.worst() < tolerance, "{what}, frame {frame}, {name}: {off:?}");
        }
    }
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
        let mut other = poses.clone();
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
            let expected = rebone::skeleton::forward_kinematics(&to.skeleton, &expected).unwrap();
            let found_world = rebone::skeleton::forward_kinematics(&to.skeleton, &found).unwrap();
            let top = to.body.trunk[to.body.trunk_top()];
            for id in to.skeleton.ids().filter(|&id| to.skeleton.is_ancestor(top, id)) {
                let place = turn_there * expected.positions[id.index()] + by_there;
                let off = (place - found_world.positions[id.index()]).norm() / to.stature;
                let rotation = turn_there * expected.rotations[id.index()];
                let turned = angle(&rotation, &found_world.rotations[id.index()]);
                let name = &to.skeleton[id].name;
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
        let mut joints = clip.motion.skeleton.joints().to_vec();
        let mut sites = clip.motion.skeleton.end_sites().to_vec();
        joints.iter_mut().for_each(|joint| joint.rest_translation *= 7.3);
        sites.iter_mut().for_each(|site| site.offset *= 7.3);
        let skeleton = Skeleton::new(joints, sites).unwrap();
        let poses = clip.motion.clip.poses().map(|mut pose| {
            pose.translations.iter_mut().for_each(|t| *t *= 7.3);
            pose
        });
        let frame_time = clip.motion.clip.frame_time;
        let large =
            Motion { clip: Clip::from_poses(&skeleton, frame_time, poses).unwrap(), skeleton };
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
        let backwards: Vec<Pose> = poses.iter().rev().cloned().collect();
        let mut found = results(&from, &to, &backwards);
        found.reverse();
        let later = results(&from, &to, &poses[7..]);
        assert!(expected == found && expected[7..] == later, "{} on {}", clip.name, rig.name);
        let clip = Clip::from_poses(&clip.motion.skeleton, 0.5, backwards).unwrap();
        let alone = Options { contacts: ContactMode::Off, ..Options::default() };
        let plan = rebone::align(&from, &to, &alone);
        let (other, _) =
            rebone::retarget_clip(&plan, &ClipInput::new(&plan.source, &clip)).unwrap();
        assert!(other.poses().rev().eq(expected));
    }
}
