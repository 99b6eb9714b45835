//! What is odd about a motion: what a capture system, an exporter or a bad key left in it.
//!
//! Jumps, spikes and teleports are large in themselves, and against the motion around them, so that a fast
//! motion is not a defect; stretches are measured against the whole clip.

use crate::{Clip, JointId, Skeleton, forward_kinematics};
use nalgebra::{UnitQuaternion, Vector3};

/// Something odd about a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Defect {
    /// What it is.
    pub kind: DefectKind,
    /// The joint.
    pub joint: JointId,
    /// The frame in which it is, or is most, counted from 0: of a jump the first one behind it.
    pub frame: usize,
    /// How much: radians of a jump or a spike; of a teleport parts of the rest pose's extent; of a stretch
    /// parts of the joint's local_median distance.
    pub amount: f64,
}

/// What may be odd.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DefectKind {
    /// A joint turns far from one frame to the next, and stays there.
    Jump,
    /// A joint turns far for one frame, and back.
    Spike,
    /// The root is somewhere else from one frame to the next.
    Teleport,
    /// A joint changes its distance from its parent.
    Stretch,
}

/// A change counts as odd when it is more than so many times the local_median change around it.
const OUTLIER_FACTOR: f64 = 8.0;
/// What is local_median is the median over so many frames before and as many behind.
const WINDOW_FRAMES: usize = 15;
/// The least turn of a jump, radians: 45 degrees.
const MIN_JUMP_RADIANS: f64 = 0.785;
/// The least turn of a spike, radians: 15 degrees.
const MIN_SPIKE_RADIANS: f64 = 0.262;
/// After a spike a joint is back to this part of it.
const RETURN_FRACTION: f64 = 0.25;
/// The least step of a teleport, parts of the rest pose's extent.
const MIN_TELEPORT_EXTENTS: f64 = 0.1;
/// The least stretch, parts of the local_median distance.
const MIN_STRETCH_FRACTION: f64 = 0.01;

/// All that is odd about a motion, by kind, frame and joint.
pub fn defects(skeleton: &Skeleton, clip: &Clip) -> Vec<Defect> {
    let mut found: Vec<Defect> = skeleton
        .ids()
        .flat_map(|joint| {
            jumps_and_spikes(clip, joint).into_iter().chain(stretch(skeleton, clip, joint))
        })
        .collect();
    found.extend(teleports(skeleton, clip));
    found.sort_by_key(|defect| (defect.kind, defect.frame, defect.joint));
    found
}

/// Jumps and spikes of a joint.
fn jumps_and_spikes(clip: &Clip, joint: JointId) -> Vec<Defect> {
    let at = |frame: usize| -> UnitQuaternion<f64> { clip.rotations(frame)[joint.index()] };
    let steps: Vec<f64> = (1..clip.len()).map(|k| at(k - 1).angle_to(&at(k))).collect();
    let is_odd = |step: usize, least: f64| {
        steps
            .get(step)
            .is_some_and(|&own| own > least && own > OUTLIER_FACTOR * local_median(&steps, step))
    };
    let mut found = Vec::new();
    let mut step = 0;
    while step < steps.len() {
        let amount = steps[step];
        let defect = |kind| Defect { kind, joint, frame: step + 1, amount };
        let returns =
            |k: usize| at(k).angle_to(&at(k + 2)) < RETURN_FRACTION * amount.min(steps[k + 1]);
        if is_odd(step, MIN_SPIKE_RADIANS) && is_odd(step + 1, MIN_SPIKE_RADIANS) && returns(step) {
            found.push(defect(DefectKind::Spike));
            step += 2;
            continue;
        }
        if is_odd(step, MIN_JUMP_RADIANS) {
            found.push(defect(DefectKind::Jump));
        }
        step += 1;
    }
    found
}

/// The median of the steps around one, without it and the next: the way back of a spike.
fn local_median(steps: &[f64], step: usize) -> f64 {
    let around = step.saturating_sub(WINDOW_FRAMES)..(step + WINDOW_FRAMES + 1).min(steps.len());
    let mut near: Vec<f64> = around.filter(|&k| k.abs_diff(step) > 1).map(|k| steps[k]).collect();
    near.sort_by(f64::total_cmp);
    near.get(near.len() / 2).copied().unwrap_or(f64::INFINITY)
}

/// How much a joint that has a place of its own changes its distance from its parent.
fn stretch(skeleton: &Skeleton, clip: &Clip, joint: JointId) -> Option<Defect> {
    let own = skeleton.joint(joint);
    // What carries all is the place of the body in its file.
    if skeleton.carries_all(joint) || own.translation_axes.is_empty() || clip.is_empty() {
        return None;
    }
    let lengths: Vec<f64> = clip.translations(joint).map(|way| way.norm()).collect();
    let mut sorted = lengths.clone();
    sorted.sort_by(f64::total_cmp);
    let median = sorted[sorted.len() / 2];
    let off = |length: f64| (length - median).abs();
    let (frame, most) =
        lengths.iter().enumerate().max_by(|(_, a), (_, b)| off(**a).total_cmp(&off(**b)))?;
    let amount = off(*most) / median;
    let defect = Defect { kind: DefectKind::Stretch, joint, frame, amount };
    (median > 0.0 && amount > MIN_STRETCH_FRACTION).then_some(defect)
}

/// Where the root is somewhere else at once.
fn teleports(skeleton: &Skeleton, clip: &Clip) -> Vec<Defect> {
    let root = JointId(0);
    let places: Vec<Vector3<f64>> = clip.translations(root).collect();
    let [low, high] = forward_kinematics(skeleton, &skeleton.rest_pose()).bounds();
    let extent = (high - low).norm();
    let steps: Vec<f64> =
        places.windows(2).map(|pair| (pair[1] - pair[0]).norm() / extent).collect();
    let is_odd = |step: &usize| {
        steps[*step] > MIN_TELEPORT_EXTENTS
            && steps[*step] > OUTLIER_FACTOR * local_median(&steps, *step)
    };
    let defect = |step: usize| Defect {
        kind: DefectKind::Teleport,
        joint: root,
        frame: step + 1,
        amount: steps[step],
    };
    if extent > 0.0 { (0..steps.len()).filter(is_odd).map(defect).collect() } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Axis, Joint};

    /// A root and a joint that swings by up to 0.05 radians a frame, changed by `change`.
    fn found(change: impl Fn(usize, &mut crate::Pose)) -> Vec<(DefectKind, usize, usize)> {
        let joint = |k: usize| Joint {
            name: format!("j{k}").into(),
            parent: (k > 0).then_some(JointId(0)),
            rest_translation: Vector3::y() * k as f64,
            rest_rotation: UnitQuaternion::identity(),
            translation_axes: Axis::ALL.to_vec(),
            rotation_axes: Axis::ALL.to_vec(),
        };
        let skeleton = Skeleton::new((0..3).map(joint).collect(), Vec::new()).unwrap();
        let poses = (0..60).map(|frame| {
            let mut pose = skeleton.rest_pose();
            let swing = 0.5 * (0.1 * frame as f64).sin();
            pose.rotations[1] = UnitQuaternion::from_scaled_axis(Vector3::x() * swing);
            pose.translations[0] = Vector3::z() * (0.01 * frame as f64);
            change(frame, &mut pose);
            pose
        });
        let clip = Clip::from_poses(&skeleton, 0.02, poses);
        let found = defects(&skeleton, &clip);
        found.iter().map(|defect| (defect.kind, defect.joint.index(), defect.frame)).collect()
    }

    #[test]
    fn what_is_odd_is_found_and_nothing_else() {
        let turn = |angle: f64| UnitQuaternion::from_scaled_axis(Vector3::new(angle, 0.0, 0.0));
        assert_eq!(found(|_, _| {}), []);
        assert_eq!(
            found(|k, p| if k == 20 {
                p.rotations[1] *= turn(1.0)
            }),
            [(DefectKind::Spike, 1, 20)]
        );
        assert_eq!(
            found(|k, p| if k >= 20 {
                p.rotations[1] *= turn(2.0)
            }),
            [(DefectKind::Jump, 1, 20)]
        );
        assert_eq!(
            found(|k, p| if k >= 30 {
                p.translations[0].x += 2.0
            }),
            [(DefectKind::Teleport, 0, 30)]
        );
        assert_eq!(
            found(|k, p| p.translations[2] *= 1.0 + 0.001 * k as f64),
            [(DefectKind::Stretch, 2, 0)]
        );
        // q and −q are one rotation.
        let minus =
            |q: &mut UnitQuaternion<f64>| *q = UnitQuaternion::new_unchecked(-q.into_inner());
        assert_eq!(
            found(|k, p| if k % 2 == 0 {
                minus(&mut p.rotations[1])
            }),
            []
        );
    }
}
