//! A rig whose nodes were saved in the middle of a motion, and whose mesh knows better.

use crate::motions::retarget_motions;
use rebone::body::CalibrationSource;
use rebone::skeleton::{Clip, Joint, Motion, Pose, Skeleton};
use rebone::{Hints, Options, analyse};
use rebone_samples as samples;

/// A rig that rests in a pose.
fn resting(rig: &Motion, pose: &Pose) -> Motion {
    let joints = rig
        .skeleton
        .ids()
        .zip(rig.skeleton.joints())
        .map(|(id, joint)| Joint { rest_rotation: pose.rotations[id.index()], ..joint.clone() });
    let skeleton = Skeleton::new(joints.collect(), rig.skeleton.end_sites().to_vec()).unwrap();
    let clip = Clip::new(&skeleton, rig.clip.frame_time);
    Motion { skeleton, clip }
}

#[test]
fn a_bind_pose_calibrates_where_the_nodes_are_in_mid_step() {
    let jump = samples::clips().into_iter().find(|clip| clip.name == "jump").unwrap().motion;
    for name in ["ground-root", "seven-spine", "toy-a-pose"] {
        let rig = samples::rigs().into_iter().find(|rig| rig.name == name).unwrap().motion;
        let plain = analyse(&rig, &Hints::default()).unwrap();
        let moved = retarget_motions(&jump, &rig, &Options::default()).unwrap().clip;
        for frame in [60, 130] {
            let saved = resting(&rig, &moved.pose(frame).unwrap());
            let bound = Some(rig.skeleton.rest_pose());
            let own = analyse(&saved, &Hints { bound, ..Hints::default() }).unwrap();
            assert_eq!(own.calibration, CalibrationSource::BindPose, "{name}");
            assert_eq!(own.bind_rotations, rig.skeleton.rest_pose().rotations);
            for id in plain.framed() {
                let frames = [&plain, &own].map(|own| own.joint_from_anatomical[id.index()]);
                assert!(frames[0].angle_to(&frames[1]) < 1e-9, "{name}, frame {frame}: {id:?}");
            }
        }
    }
}

#[test]
fn a_bind_pose_in_which_nobody_stands_says_nothing() {
    let rig = samples::rigs().remove(0).motion;
    let jump = samples::clips().into_iter().find(|clip| clip.name == "jump").unwrap().motion;
    let moved = retarget_motions(&jump, &rig, &Options::default()).unwrap().clip;
    let hints = Hints { bound: Some(moved.pose(130).unwrap()), ..Hints::default() };
    let own = analyse(&rig, &hints).unwrap();
    assert_eq!(own.calibration, CalibrationSource::RestPose);
}
