//! Keyframe reduction within a measured error in the world.

use crate::{Clip, JointId, Skeleton, WorldPose};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

/// Largest deviation of written keys from the poses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Radians, of each joint's rotation in the world.
    pub angle: f64,
    /// Metres, of each joint's position in the world.
    pub length: f64,
}

impl Default for Tolerance {
    /// 0.01 degrees and 0.1 mm.
    fn default() -> Self {
        Self { angle: 0.01_f64.to_radians(), length: 1e-4 }
    }
}

/// Attempts with more and more keys, before all are kept.
const MAX_ATTEMPTS: usize = 12;
/// Attempts in a row whose error did not fall, before all keys are kept: more keys do not help where two neighbours are half
/// a turn apart.
const MAX_VAIN_ATTEMPTS: usize = 3;

/// Keys of one property of a joint.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Keys<const N: usize> {
    /// Frames, rising; a single one where the value is constant.
    pub(crate) frames: Vec<usize>,
    /// The value at each.
    pub(crate) values: Vec<[f64; N]>,
}

/// The keys of a joint.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct JointKeys {
    /// Rotations, as x, y, z, w.
    pub(crate) rotations: Keys<4>,
    /// Translations, in the units of the clip.
    pub(crate) translations: Keys<3>,
}

/// Reduces a clip to keys within a tolerance. Rotations of the first joint end with the last frame, so that a still clip
/// keeps its length.
pub(crate) fn reduce(skeleton: &Skeleton, clip: &Clip, tolerance: Tolerance) -> Vec<JointKeys> {
    let mut keys = fit_keys(skeleton, clip, tolerance);
    let last = clip.len().saturating_sub(1);
    if let Some(JointKeys { rotations, .. }) = keys.first_mut()
        && rotations.frames.last() != Some(&last)
    {
        rotations.frames.push(last);
        rotations.values.extend(rotations.values.last().copied());
    }
    keys
}

/// The keys of all joints of a clip.
fn fit_keys(skeleton: &Skeleton, clip: &Clip, tolerance: Tolerance) -> Vec<JointKeys> {
    // Distance of the farthest joint below each one at rest: a rotation moves it.
    let reach = skeleton.lengths_over(vec![0.0; skeleton.len()]);
    // A share of 0 keeps all keys.
    let keys = |share: f64| -> Vec<JointKeys> {
        let of_joint = |id: JointId| {
            let angle = tolerance.angle.min(tolerance.length / reach[id.index()].max(1e-9));
            let rotations =
                (0..clip.len()).filter_map(|frame| Some(clip.rotations(frame)?[id.index()]));
            JointKeys {
                rotations: fit_rotations(rotations.collect(), share * angle),
                translations: fit_translations(
                    clip.translations(id).collect(),
                    share * tolerance.length,
                ),
            }
        };
        skeleton.ids().map(of_joint).collect()
    };
    let mut share = 0.5;
    let (mut smallest_error, mut vain_attempts) = (f64::INFINITY, 0);
    let attempts = if tolerance.angle.min(tolerance.length) > 0.0 { MAX_ATTEMPTS } else { 0 };
    for _ in 0..attempts {
        let keys = keys(share);
        let error_ratio = error_ratio(skeleton, clip, &keys, tolerance);
        if error_ratio <= 1.0 {
            return keys;
        }
        let is_vain = error_ratio >= 0.999 * smallest_error;
        vain_attempts = if is_vain { vain_attempts + 1 } else { 0 };
        if vain_attempts == MAX_VAIN_ATTEMPTS {
            break;
        }
        smallest_error = smallest_error.min(error_ratio);
        share *= (0.8 / error_ratio).clamp(0.1, 0.7);
    }
    keys(0.0)
}

fn fit_rotations(mut wanted: Vec<UnitQuaternion<f64>>, tolerance: f64) -> Keys<4> {
    for k in 1..wanted.len() {
        if wanted[k].coords.dot(&wanted[k - 1].coords) < 0.0 {
            wanted[k] = UnitQuaternion::new_unchecked(-wanted[k].into_inner());
        }
    }
    let off = |from: usize, to: usize, at: usize| {
        let part = (at - from) as f64 / (to - from) as f64;
        between(&wanted[from], &wanted[to], part).angle_to(&wanted[at])
    };
    let frames = key_frames(wanted.len(), tolerance, off, |a, b| wanted[a].angle_to(&wanted[b]));
    let values = frames.iter().map(|&frame| wanted[frame].coords.into());
    Keys { values: values.collect(), frames }
}

fn fit_translations(wanted: Vec<Vector3<f64>>, tolerance: f64) -> Keys<3> {
    let off = |from: usize, to: usize, at: usize| {
        let part = (at - from) as f64 / (to - from) as f64;
        (wanted[from].lerp(&wanted[to], part) - wanted[at]).norm()
    };
    let frames = key_frames(wanted.len(), tolerance, off, |a, b| (wanted[a] - wanted[b]).norm());
    let values = frames.iter().map(|&frame| wanted[frame].into());
    Keys { values: values.collect(), frames }
}

/// Chooses frames such that all others are within the tolerance of the interpolation between their neighbours. `off` is
/// the deviation of a frame from the interpolation between two others, `apart` the difference of two frames.
fn key_frames(
    count: usize,
    tolerance: f64,
    off: impl Fn(usize, usize, usize) -> f64,
    apart: impl Fn(usize, usize) -> f64,
) -> Vec<usize> {
    let Some(last) = count.checked_sub(1) else { return Vec::new() };
    if (1..count).all(|frame| apart(0, frame) <= tolerance) {
        return vec![0];
    }
    let fits = |from: usize, to: usize| (from + 1..to).all(|at| off(from, to, at) <= tolerance);
    let mut frames = vec![0];
    let mut from = 0;
    while from < last {
        let mut step = 1;
        while from + 2 * step <= last && fits(from, from + 2 * step) {
            step *= 2;
        }
        let mut add = step;
        while add > 0 {
            if from + step + add <= last && fits(from, from + step + add) {
                step += add;
            }
            add /= 2;
        }
        from += step;
        frames.push(from);
    }
    frames
}

/// Largest deviation of the keys from the clip over the tolerance: 1 where they just fit.
fn error_ratio(skeleton: &Skeleton, clip: &Clip, keys: &[JointKeys], tolerance: Tolerance) -> f64 {
    let mut wanted = (skeleton.rest_pose(), WorldPose::zeros(skeleton));
    let mut found = wanted.clone();
    let mut error_ratio = 0.0_f64;
    let mut cursors = vec![[0_usize; 2]; keys.len()];
    for frame in 0..clip.len() {
        clip.read(frame, &mut wanted.0);
        wanted.1.compute(skeleton, &wanted.0);
        for (joint, own) in keys.iter().enumerate() {
            let [turn, place] = &mut cursors[joint];
            found.0.rotations[joint] = own.rotations.turn(frame, turn);
            found.0.translations[joint] = own.translations.place(frame, place);
        }
        found.1.compute(skeleton, &found.0);
        for joint in 0..keys.len() {
            let angle = found.1.rotations[joint].angle_to(&wanted.1.rotations[joint]);
            let length = (found.1.positions[joint] - wanted.1.positions[joint]).norm();
            error_ratio = error_ratio.max(angle / tolerance.angle).max(length / tolerance.length);
        }
    }
    error_ratio
}

impl<const N: usize> Keys<N> {
    /// The key at or before a frame, and the position between it and the next, 0 to 1. `cursor` is the last answer: frames
    /// rise.
    fn interval(&self, frame: usize, cursor: &mut usize) -> (usize, Option<f64>) {
        while self.frames.get(*cursor + 1).is_some_and(|next| *next <= frame) {
            *cursor += 1;
        }
        let (from, next) = (self.frames[*cursor], self.frames.get(*cursor + 1));
        (*cursor, next.map(|next| (frame - from) as f64 / (next - from) as f64))
    }
}

impl Keys<4> {
    pub(crate) fn turn(&self, frame: usize, cursor: &mut usize) -> UnitQuaternion<f64> {
        let (key, part) = self.interval(frame, cursor);
        let turn = |key: usize| rotation_of(&self.values[key]);
        part.map_or_else(|| turn(key), |part| between(&turn(key), &turn(key + 1), part))
    }
}

impl Keys<3> {
    pub(crate) fn place(&self, frame: usize, cursor: &mut usize) -> Vector3<f64> {
        let (key, part) = self.interval(frame, cursor);
        let place = |key: usize| Vector3::from(self.values[key]);
        part.map_or_else(|| place(key), |part| place(key).lerp(&place(key + 1), part))
    }
}

/// The rotation that a key holds, as x, y, z, w.
pub(crate) fn rotation_of(key: &[f64; 4]) -> UnitQuaternion<f64> {
    let [x, y, z, w] = *key;
    UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z))
}

fn between(from: &UnitQuaternion<f64>, to: &UnitQuaternion<f64>, part: f64) -> UnitQuaternion<f64> {
    from.try_slerp(to, part, 1e-12).unwrap_or(*from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Axis, Joint, Pose};
    use bstr::BString;
    use proptest::prelude::*;

    fn arm() -> Skeleton {
        let joint = |k: usize| Joint {
            name: BString::from(k.to_string()),
            parent: k.checked_sub(1).map(JointId),
            rest_translation: Vector3::new(0.3, 0.0, 0.0),
            rest_rotation: UnitQuaternion::identity(),
            translation_axes: if k == 0 { Axis::ALL.to_vec() } else { Vec::new() },
            rotation_axes: Axis::ALL.to_vec(),
        };
        Skeleton::new((0..4).map(joint).collect(), Vec::new()).unwrap()
    }

    fn clip(poses: usize, at: impl Fn(usize) -> Pose) -> Clip {
        Clip::from_poses(&arm(), 1.0 / 30.0, (0..poses).map(at)).unwrap()
    }

    #[test]
    fn what_moves_evenly_has_two_keys_and_what_rests_one() {
        let clip = clip(50, |frame| {
            let mut pose = arm().rest_pose();
            let angle = 0.02 * frame as f64;
            pose.rotations[1] = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), angle);
            pose
        });
        let keys = reduce(&arm(), &clip, Tolerance::default());
        assert_eq!(keys[1].rotations.frames, [0, 49]);
        assert_eq!((keys[2].rotations.frames.len(), keys[0].translations.frames.len()), (1, 1));
    }

    proptest! {
        #[test]
        fn errors_are_within_the_tolerance(
            waves in prop::array::uniform9(-1.0..1.0_f64),
            noise in 0.0..1e-3_f64,
            length in 1e-5..1e-2_f64,
        ) {
            let clip = clip(80, |frame| {
                let mut pose = arm().rest_pose();
                let t = frame as f64;
                for joint in 0..3 {
                    let [a, b, c] = [0, 1, 2].map(|k| waves[3 * joint + k]);
                    let rough = noise * (7.1 * t + joint as f64).sin();
                    let axis = Vector3::new(a, b, c) * (t * 0.2 * a).sin();
                    pose.rotations[joint] = UnitQuaternion::from_scaled_axis(axis.add_scalar(rough));
                }
                pose.translations[0].x += t * waves[0] * 0.01;
                pose
            });
            let tolerance = Tolerance { angle: 2.0 * length, length };
            let keys = reduce(&arm(), &clip, tolerance);
            prop_assert!(error_ratio(&arm(), &clip, &keys, tolerance) <= 1.0);
            for own in &keys {
                prop_assert!(own.rotations.frames.windows(2).all(|pair| pair[0] < pair[1]));
                prop_assert_eq!(own.rotations.frames.len(), own.rotations.values.len());
            }
        }
    }
}
