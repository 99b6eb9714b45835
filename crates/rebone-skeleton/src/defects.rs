//! Defects of a motion: artefacts of a capture system, an exporter or a bad key.
//!
//! Jumps, spikes and teleports are large absolutely and against the motion around them, so that a fast motion is no
//! defect; stretches are measured against the whole clip.

use crate::{Clip, ClipError, JointId, Skeleton};
use nalgebra::{UnitQuaternion, Vector3};

/// A defect of a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Defect {
    /// Its kind.
    pub kind: DefectKind,
    /// The joint.
    pub joint: JointId,
    /// The frame where it is largest, counted from 0; of a jump the first frame after it.
    pub frame: usize,
    /// Radians of a jump or a spike; of a teleport the distance over the rest pose's extent; of a stretch the
    /// change over the joint's median distance.
    pub amount: f64,
}

/// Kinds of defects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DefectKind {
    /// A joint rotates far from one frame to the next, and stays.
    Jump,
    /// A joint rotates far for one frame, and back.
    Spike,
    /// The root jumps to another position.
    Teleport,
    /// A joint changes its distance from its parent.
    Stretch,
}

/// A defect exceeds the local median by this factor.
const OUTLIER_FACTOR: f64 = 8.0;
/// The local median is taken over as many frames before and after.
const WINDOW_FRAMES: usize = 15;
/// 45 degrees.
const MIN_JUMP_RADIANS: f64 = 0.785;
/// 15 degrees.
const MIN_SPIKE_RADIANS: f64 = 0.262;
/// After a spike a joint is closer to its rotation before than this fraction of the spike.
const RETURN_FRACTION: f64 = 0.25;
/// Step of the root over the diagonal of the rest pose's bounding box.
const MIN_TELEPORT_EXTENTS: f64 = 0.1;
/// Change of a joint's distance from its parent over the median distance.
const MIN_STRETCH_FRACTION: f64 = 0.01;

/// Finds the defects of a motion, sorted by kind, frame and joint.
///
/// ```
/// # std::env::set_current_dir("../../data/clips")?;
/// use rebone_skeleton::{DefectKind, Document, defects};
/// let mut motion = (*Document::open("walk.bvh", None)?.clip(None)?.motion).clone();
/// motion.clip.edit(|frame, pose| pose.translations[0].x += if frame < 40 { 0.0 } else { 90.0 })?;
/// let found = defects(&motion.skeleton, &motion.clip)?;
/// assert_eq!((found[0].kind, found[0].frame), (DefectKind::Teleport, 40));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the clip is no motion of the skeleton: see [`Clip::check_for`].
pub fn defects(skeleton: &Skeleton, clip: &Clip) -> Result<Vec<Defect>, ClipError> {
    clip.check_for(skeleton)?;
    let mut found: Vec<Defect> = skeleton
        .ids()
        .flat_map(|joint| {
            jumps_and_spikes(clip, joint).into_iter().chain(stretch(skeleton, clip, joint))
        })
        .collect();
    found.extend(teleports(skeleton, clip));
    found.sort_by_key(|defect| (defect.kind, defect.frame, defect.joint));
    Ok(found)
}

/// Finds jumps and spikes of a joint.
fn jumps_and_spikes(clip: &Clip, joint: JointId) -> Vec<Defect> {
    let rotations = (0..clip.len()).filter_map(|frame| clip.rotations(frame));
    let rotations: Vec<UnitQuaternion<f64>> = rotations.map(|own| own[joint.index()]).collect();
    let at = |frame: usize| rotations[frame];
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

/// Returns the median of the steps around one, without it and its neighbours: the return of a spike.
fn local_median(steps: &[f64], step: usize) -> f64 {
    let around = step.saturating_sub(WINDOW_FRAMES)..(step + WINDOW_FRAMES + 1).min(steps.len());
    let mut near: Vec<f64> = around.filter(|&k| k.abs_diff(step) > 1).map(|k| steps[k]).collect();
    near.sort_unstable_by(f64::total_cmp);
    near.get(near.len() / 2).copied().unwrap_or(f64::INFINITY)
}

/// Finds the largest change of the distance between a joint with translation channels and its parent.
fn stretch(skeleton: &Skeleton, clip: &Clip, joint: JointId) -> Option<Defect> {
    let own = &skeleton[joint];
    // Joints that carry the whole body place it in the file.
    if skeleton.carries_all(joint) || own.translation_axes.is_empty() || clip.is_empty() {
        return None;
    }
    let lengths: Vec<f64> = clip.translations(joint).map(|way| way.norm()).collect();
    let mut sorted = lengths.clone();
    sorted.sort_unstable_by(f64::total_cmp);
    let median = sorted[sorted.len() / 2];
    let off = |length: f64| (length - median).abs();
    let (frame, most) =
        lengths.iter().enumerate().max_by(|(_, a), (_, b)| off(**a).total_cmp(&off(**b)))?;
    let amount = off(*most) / median;
    let defect = Defect { kind: DefectKind::Stretch, joint, frame, amount };
    (median > 0.0 && amount > MIN_STRETCH_FRACTION).then_some(defect)
}

/// Finds jumps of the root's position.
fn teleports(skeleton: &Skeleton, clip: &Clip) -> Vec<Defect> {
    let root = JointId(0);
    let places: Vec<Vector3<f64>> = clip.translations(root).collect();
    let [low, high] = skeleton.rest_world().bounds();
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
        let clip = Clip::from_poses(&skeleton, 0.02, poses).unwrap();
        let found = defects(&skeleton, &clip).unwrap();
        found.iter().map(|defect| (defect.kind, defect.joint.index(), defect.frame)).collect()
    }

    #[test]
    fn what_is_odd_is_found_and_nothing_else() {
        let turn = |angle: f64| UnitQuaternion::from_scaled_axis(Vector3::new(angle, 0.0, 0.0));
        assert_eq!(found(|_, _| {}), []);
        let from = |k: usize, frame: usize, amount: f64| if k >= frame { amount } else { 0.0 };
        let spike = found(|k, p| p.rotations[1] *= turn(from(k, 20, 1.0) - from(k, 21, 1.0)));
        assert_eq!(spike, [(DefectKind::Spike, 1, 20)]);
        let jump = found(|k, p| p.rotations[1] *= turn(from(k, 20, 2.0)));
        assert_eq!(jump, [(DefectKind::Jump, 1, 20)]);
        let teleport = found(|k, p| p.translations[0].x += from(k, 30, 2.0));
        assert_eq!(teleport, [(DefectKind::Teleport, 0, 30)]);
        let stretch = found(|k, p| p.translations[2] *= 1.0 + 0.001 * k as f64);
        assert_eq!(stretch, [(DefectKind::Stretch, 2, 0)]);
        // q and −q are one rotation.
        let sign = |k: usize| if k.is_multiple_of(2) { -1.0 } else { 1.0 };
        let flip = |q: &UnitQuaternion<f64>, k| UnitQuaternion::new_unchecked(**q * sign(k));
        assert_eq!(found(|k, p| p.rotations[1] = flip(&p.rotations[1], k)), []);
    }
}
