//! Given cards, a frame is alone: its pose depends on nothing but itself.

use crate::kit::carded::{Rig, pairs, poses_of, read, results, retargeter};
use crate::kit::generated_case::{MANY, config};
use proptest::prelude::*;
use proptest::sample::subsequence;
use rebone::skeleton::{Clip, Motion, Pose};
use rebone::{ClipInput, ContactMode, Options};
use std::thread;

/// In statures and radians.
const EXACT: f64 = 1e-9;

/// Some frames in any order.
fn batch() -> impl Strategy<Value = Vec<usize>> {
    subsequence((0..MANY).collect::<Vec<_>>(), 1..9).prop_shuffle()
}

/// The frames of a batch by so many threads, each with every so many-th.
fn by_threads(source: &Rig, target: &Rig, poses: &[Pose], threads: usize) -> Vec<Pose> {
    let retargeter = retargeter(&source.anatomy, &target.anatomy);
    let share = |first| {
        let mut own = retargeter.clone();
        move || poses_of(&mut own, poses.iter().skip(first).step_by(threads))
    };
    let shares: Vec<Vec<Pose>> = thread::scope(|scope| {
        let spawned: Vec<_> = (0..threads).map(|first| scope.spawn(share(first))).collect();
        spawned.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    (0..poses.len()).map(|k| shares[k % threads][k / threads].clone()).collect()
}

proptest! {
    #![proptest_config(config(150))]

    /// A file of some frames, in any order and at any frame rate, is understood by the card as the whole
    /// is, and gives the same poses to the bit, whoever works on them.
    #[test]
    fn a_frame_is_a_frame(
        pair in pairs(),
        batch in batch(),
        frame_time in 0.001..0.2,
        threads in 1..5usize,
    ) {
        let [source, target] = pair.rigs().map_err(TestCaseError::fail)?;
        let poses: Vec<Pose> = source.motion.clip.poses().collect();
        let expected = results(&source, &target, &poses);
        let expected: Vec<Pose> = batch.iter().map(|&k| expected[k].clone()).collect();
        let poses: Vec<Pose> = batch.iter().map(|&k| poses[k].clone()).collect();
        let skeleton = source.motion.skeleton.clone();
        let clip = Clip::from_poses(&skeleton, frame_time, poses.iter().cloned()).unwrap();
        let motion = Motion { skeleton, clip };
        let anatomy = read(&motion, &source.card).map_err(TestCaseError::fail)?;
        let alone = Options { contacts: ContactMode::Off, ..Options::default() };
        let plan = rebone::align(&anatomy, &target.anatomy, &alone);
        let (found, _) = rebone::retarget_clip(&plan, &ClipInput::new(&plan.source, &motion.clip)).unwrap();
        let found: Vec<Pose> = found.poses().collect();
        let apart = target.seen(&expected).apart(&target.seen(&found));
        prop_assert!(apart.worst() < EXACT, "{apart:?}");
        prop_assert!(found == by_threads(&source, &target, &poses, threads));
    }

    #[test]
    fn bones_keep_their_lengths(pair in pairs()) {
        let [source, target] = pair.rigs().map_err(TestCaseError::fail)?;
        let mut retargeter = retargeter(&source.anatomy, &target.anatomy);
        let skeleton = &target.motion.skeleton;
        for pose in poses_of(&mut retargeter, &source.few()) {
            let plan = retargeter.plan();
            for id in skeleton.ids().filter(|&id| plan.carried[id.index()] && id != plan.translation_joint) {
                let bone = pose.translations[id.index()].norm();
                let off = (bone - skeleton[id].rest_translation.norm()).abs();
                let off = off / target.anatomy.stature;
                prop_assert!(off < EXACT, "{} by {off:e}", skeleton[id].name);
            }
        }
    }
}
