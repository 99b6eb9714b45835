//! Without cards: what is worked out of a motion is the same in each part of it.

use crate::kit::edit::{Edit, edited, sides};
use crate::kit::generated_case::{cases, config, samples};
use crate::kit::known::riddle;
use crate::kit::test_rig::{TestRig, Turned};
use nalgebra::Vector3;
use proptest::prelude::*;
use rebone::body::{Anatomy, Role};
use rebone::skeleton::{Clip, JointId, Motion, WorldPose};
use rebone::{Hints, analyse};
use std::ops::Range;
use std::sync::LazyLock;

/// The least part of a clip that is looked at, in seconds.
const MIN_WINDOW_SECONDS: f64 = 2.0;
/// How far frames of two windows may be apart, in standard deviations of both.
const SIGMAS: f64 = 3.0;

static CLIPS: LazyLock<Vec<(TestRig, f64)>> = LazyLock::new(|| {
    samples().map(|clip| (TestRig::of(&clip.motion), clip.motion.clip.frame_time)).collect()
});

/// A part of a clip: where it starts and how long it is, as shares of what is possible, and of how many
/// frames one is taken.
type Window = (f64, f64, usize);

fn windows() -> impl Strategy<Value = Window> {
    (0.0..1.0, 0.0..1.0, 1..4usize)
}

/// The frames of a part of a test rig, without its rest pose.
fn frames(test_rig: &TestRig, time: f64, (start, length, _): Window) -> Range<usize> {
    let count = (test_rig.frames.len() - 1) as f64;
    let least = MIN_WINDOW_SECONDS / time;
    let length = least + (count - least) * length;
    let start = 1.0 + start * (count - length);
    start as usize..(start + length) as usize
}

/// Returns whether the hips are over the feet half of the time. Somebody who sits on the floor with straight legs
/// is somebody who bows, seen from another side: then nothing tells what is up.
fn stands(test_rig: &TestRig, frames: Range<usize>) -> bool {
    let up = test_rig.world * Vector3::y();
    let [hips, feet] = ["UpLeg", "Foot"].map(|part| sides(part).map(|key| test_rig.find(&key)));
    let middle = |pose: &WorldPose, of: [Option<usize>; 2]| -> Vector3<f64> {
        of.into_iter().flatten().map(|k| pose.positions[k]).sum()
    };
    let over = |pose: &&WorldPose| (middle(pose, hips) - middle(pose, feet)).angle(&up) < 0.8;
    2 * test_rig.frames[frames.clone()].iter().filter(over).count() > frames.len()
}

/// The anatomy of a part of a test rig's file, with nothing else given.
fn part(test_rig: &TestRig, time: f64, window: Window) -> Result<Anatomy, String> {
    let Motion { skeleton, clip } = test_rig.file(frames(test_rig, time, window))?;
    let poses = clip.poses().step_by(window.2);
    let clip = Clip::from_poses(&skeleton, time * window.2 as f64, poses).unwrap();
    let motion = Motion { skeleton, clip };
    analyse(&motion, &Hints::default()).map_err(|error| error.to_string())
}

/// How far the frames of a joint are apart about its axes, in standard deviations of both.
fn sigmas_apart(a: &Anatomy, b: &Anatomy, id: JointId) -> f64 {
    let k = id.index();
    let off = (a.joint_from_anatomical[k].inverse() * b.joint_from_anatomical[k]).scaled_axis();
    let sigma = |axis: usize| a.sigmas[k][axis].hypot(b.sigmas[k][axis]).max(1e-6);
    (0..3).map(|axis| off[axis].abs() / sigma(axis)).fold(0.0, f64::max)
}

proptest! {
    #![proptest_config(config(100))]

    /// Roles, up and facing are the same, and frames within their uncertainty; fingers aside, which have
    /// none of their own.
    #[test]
    fn parts_of_a_clip_are_understood_alike(
        case in cases(2, 2),
        turned in prop_oneof![Just(Turned::AlongBones), any::<u8>().prop_map(Turned::AtRandom)],
        windows in [windows(), windows()],
    ) {
        let own = case.source.iter().filter(|edit| !matches!(edit, Edit::Turn(_))).cloned();
        let edits: Vec<Edit> = own.chain([Edit::Turn(turned)]).collect();
        prop_assume!(riddle(&edits).is_none());
        let (clip, time) = &CLIPS[case.clip];
        let test_rig = edited(&edited(clip, &case.body), &edits);
        prop_assume!(windows.iter().all(|&window| stands(&test_rig, frames(&test_rig, *time, window))));
        let parts = windows.map(|window| part(&test_rig, *time, window).map_err(TestCaseError::fail));
        let [a, b] = parts;
        let (a, b) = (a?, b?);
        prop_assert!(a.skeleton.ids().all(|id| a.roles.of(id) == b.roles.of(id)), "roles");
        prop_assert!(a.upright_from_file.angle_to(&b.upright_from_file) < 1e-9, "up");
        prop_assert_eq!(a.facing, b.facing);
        let is_finger = |id: &JointId| matches!(a.roles.of(*id), Some(Role::Finger(..)));
        for id in a.framed().filter(|id| !is_finger(id)) {
            let off = sigmas_apart(&a, &b, id);
            prop_assert!(off < SIGMAS, "{}: {off} sigma", a.skeleton[id].name);
        }
    }
}
