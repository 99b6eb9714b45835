//! Clips and motions.

use crate::{JointId, Pose, Skeleton};
use nalgebra::{UnitQuaternion, Vector3};
use std::ops::Range;
use thiserror::Error;

/// Poses of one skeleton at a fixed frame time.
///
/// Long clips fill the memory, so a clip stores all rotations, and the translations of the root and of joints with
/// [`translation_axes`](crate::Joint::translation_axes), each of them frame by frame in one list. All other translations
/// are those of the rest pose.
///
/// ```
/// # std::env::set_current_dir("../../data/clips")?;
/// use rebone_skeleton::{Clip, Document};
/// let motion = Document::open("walk.bvh", None)?.clip(None)?.motion;
/// let mut clip: Clip = motion.clip.resampled(1.0 / 30.0, &[]);
/// clip.keep(0..30);
/// clip.edit(|frame, pose| pose.translations[0].z = 2.0 * frame as f64);
/// assert_eq!(clip.pose(29).translations[0].z, 58.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    /// Seconds from one frame to the next.
    pub frame_time: f64,
    rest: Vec<Vector3<f64>>,
    /// The joints whose translations are kept.
    moving: Vec<usize>,
    translations: Vec<Vector3<f64>>,
    rotations: Vec<UnitQuaternion<f64>>,
}

/// Why a clip is no motion of a skeleton.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ClipError {
    /// It has another number of joints.
    #[error("the clip is of another skeleton: found {found} joints, expected {expected}")]
    Joints {
        /// Joints of the clip.
        found: usize,
        /// Joints of the skeleton.
        expected: usize,
    },
    /// The frame time is no positive number.
    #[error("found a frame time of {0} s, expected a positive number")]
    FrameTime(f64),
    /// A rotation or translation is not finite.
    #[error("frame {frame}, joint {joint}: found a transform that is not finite, expected numbers")]
    NotFinite {
        /// The frame, counted from 0.
        frame: usize,
        /// The joint.
        joint: String,
    },
}

impl Clip {
    /// Checks that this is a motion of `skeleton` that can be computed with.
    ///
    /// # Errors
    /// When it has another number of joints, a frame time that is no positive number, or transforms that are not finite.
    pub fn check_for(&self, skeleton: &Skeleton) -> Result<(), ClipError> {
        let (found, expected) = (self.rest.len(), skeleton.len());
        if found != expected {
            return Err(ClipError::Joints { found, expected });
        }
        if !(self.frame_time > 0.0 && self.frame_time.is_finite()) {
            return Err(ClipError::FrameTime(self.frame_time));
        }
        let rotation =
            self.rotations.iter().position(|own| !own.coords.iter().all(|x| x.is_finite()));
        let translation =
            self.translations.iter().position(|own| !own.iter().all(|x| x.is_finite()));
        let moving = self.moving.len().max(1);
        let rotation = rotation.map(|index| (index / expected, index % expected));
        let translation = translation.map(|index| (index / moving, self.moving[index % moving]));
        match rotation.into_iter().chain(translation).min() {
            Some((frame, joint)) => {
                let joint = skeleton.joint(JointId(joint)).name.to_string();
                Err(ClipError::NotFinite { frame, joint })
            }
            None => Ok(()),
        }
    }

    /// A clip of `skeleton` without frames; `frame_time` is in seconds.
    pub fn new(skeleton: &Skeleton, frame_time: f64) -> Self {
        let joints = skeleton.joints().iter().enumerate();
        let moves = joints.filter(|(k, joint)| *k == 0 || !joint.translation_axes.is_empty());
        Self {
            frame_time,
            rest: skeleton.joints().iter().map(|joint| joint.rest_translation).collect(),
            moving: moves.map(|(k, _)| k).collect(),
            translations: Vec::new(),
            rotations: Vec::new(),
        }
    }

    /// A clip of these poses, as by [`new`](Self::new) and [`push`](Self::push).
    ///
    /// # Panics
    /// When a pose has not as many joints as the skeleton.
    pub fn from_poses(
        skeleton: &Skeleton,
        frame_time: f64,
        poses: impl IntoIterator<Item = Pose>,
    ) -> Self {
        let mut clip = Self::new(skeleton, frame_time);
        poses.into_iter().for_each(|pose| clip.push(&pose));
        clip
    }

    /// The number of frames.
    pub fn len(&self) -> usize {
        self.rotations.len() / self.rest.len()
    }

    /// Whether there is no frame.
    pub fn is_empty(&self) -> bool {
        self.rotations.is_empty()
    }

    /// Appends a frame. Translations of joints that cannot move are taken to be those of the rest pose.
    ///
    /// # Panics
    /// When the pose has not as many joints as the skeleton.
    pub fn push(&mut self, pose: &Pose) {
        self.check(pose);
        self.translations.extend(self.moving.iter().map(|&joint| pose.translations[joint]));
        self.rotations.extend_from_slice(&pose.rotations);
    }

    /// Appends the frames of another clip of the same skeleton.
    ///
    /// # Panics
    /// When it has other joints, or others that can move.
    pub fn append(&mut self, later: &Self) {
        assert!(
            self.moving == later.moving && self.rest.len() == later.rest.len(),
            "frames of another skeleton"
        );
        self.translations.extend_from_slice(&later.translations);
        self.rotations.extend_from_slice(&later.rotations);
    }

    /// Overwrites `pose` with a frame, counted from 0; without allocation where it has as many joints.
    ///
    /// # Panics
    /// When there is no such frame.
    pub fn read(&self, frame: usize, pose: &mut Pose) {
        let moving = self.moving.len();
        pose.rotations.clear();
        pose.rotations.extend_from_slice(self.rotations(frame));
        pose.translations.clone_from(&self.rest);
        let translations = &self.translations[frame * moving..][..moving];
        for (&joint, translation) in self.moving.iter().zip(translations) {
            pose.translations[joint] = *translation;
        }
    }

    /// The rotations of a frame, counted from 0, one a joint as in [`Pose::rotations`].
    ///
    /// # Panics
    /// When there is no such frame.
    pub fn rotations(&self, frame: usize) -> &[UnitQuaternion<f64>] {
        let joints = self.rest.len();
        &self.rotations[frame * joints..][..joints]
    }

    /// The translation of a joint in its parent's frame, frame by frame, as in [`Pose::translations`].
    ///
    /// # Panics
    /// When there is no such joint.
    pub fn translations(&self, joint: JointId) -> impl Iterator<Item = Vector3<f64>> + '_ {
        let place = self.moving.iter().position(|&moving| moving == joint.index());
        let (rest, moving) = (self.rest[joint.index()], self.moving.len());
        (0..self.len())
            .map(move |frame| place.map_or(rest, |place| self.translations[frame * moving + place]))
    }

    /// A frame, counted from 0.
    ///
    /// # Panics
    /// When there is no such frame.
    pub fn pose(&self, frame: usize) -> Pose {
        let mut pose = Pose { translations: Vec::new(), rotations: Vec::new() };
        self.read(frame, &mut pose);
        pose
    }

    /// All frames, each in memory of its own.
    pub fn poses(&self) -> impl DoubleEndedIterator<Item = Pose> + ExactSizeIterator + Clone + '_ {
        (0..self.len()).map(|frame| self.pose(frame))
    }

    /// Calls `change` on each frame: its number, counted from 0, and its pose.
    ///
    /// # Panics
    /// When `change` leaves a pose with another number of joints.
    pub fn edit(&mut self, mut change: impl FnMut(usize, &mut Pose)) {
        let Some(last) = self.len().checked_sub(1) else { return };
        let mut pose = self.pose(last);
        for frame in 0..=last {
            self.read(frame, &mut pose);
            change(frame, &mut pose);
            self.check(&pose);
            let (joints, moving) = (self.rest.len(), self.moving.len());
            self.rotations[frame * joints..][..joints].copy_from_slice(&pose.rotations);
            for (k, &joint) in self.moving.iter().enumerate() {
                self.translations[frame * moving + k] = pose.translations[joint];
            }
        }
    }

    /// Resamples the motion at another frame time, in seconds. Rotations are slerped, translations follow the cubic of
    /// E. Catmull and R. Rom (A class of local interpolating splines, 1974). Nothing is blended across `cuts`, each the
    /// first frame of a segment, in rising order: between it and the frame before, the new segment has begun.
    ///
    /// # Panics
    /// When the frame time is not positive.
    pub fn resampled(&self, frame_time: f64, cuts: &[usize]) -> Self {
        assert!(frame_time > 0.0, "{frame_time} s a frame");
        let mut own = Self {
            frame_time,
            rest: self.rest.clone(),
            moving: self.moving.clone(),
            translations: Vec::new(),
            rotations: Vec::new(),
        };
        let Some(last) = self.len().checked_sub(1) else { return own };
        let (joints, moving) = (self.rest.len(), self.moving.len());
        let step = frame_time / self.frame_time;
        let count = (last as f64 / step + 1e-6) as usize + 1;
        for frame in 0..count {
            let place = (frame as f64 * step).min(last as f64);
            let later = cuts.partition_point(|&cut| cut as f64 <= (place - 1e-6).ceil());
            let piece = [
                later.checked_sub(1).map_or(0, |k| cuts[k]),
                cuts.get(later).map_or(last, |&next| next - 1),
            ];
            let place = place.max(piece[0] as f64);
            let from = (place as usize).min(piece[1].saturating_sub(1)).max(piece[0]);
            let t = place - from as f64;
            let near = [from.saturating_sub(1), from, from + 1, from + 2];
            let near = near.map(|frame| frame.clamp(piece[0], piece[1]));
            own.rotations.extend((0..joints).map(|joint| {
                let [a, b] = [near[1], near[2]].map(|k| self.rotations[k * joints + joint]);
                a.try_slerp(&b, t, 1e-9).unwrap_or(a)
            }));
            own.translations.extend((0..moving).map(|k| {
                let [a, b, c, d] = near.map(|frame| self.translations[frame * moving + k]);
                let (t2, t3) = (t * t, t * t * t);
                b + ((c - a) * t
                    + (a * 2.0 - b * 5.0 + c * 4.0 - d) * t2
                    + (b * 3.0 - a - c * 3.0 + d) * t3)
                    / 2.0
            }));
        }
        own
    }

    /// Removes all other frames.
    ///
    /// # Panics
    /// When the range goes beyond the clip.
    pub fn keep(&mut self, frames: Range<usize>) {
        fn keep<T>(list: &mut Vec<T>, frames: &Range<usize>, width: usize) {
            list.truncate(frames.end * width);
            list.drain(..frames.start * width);
        }
        assert!(frames.end <= self.len(), "{frames:?} of {} frames", self.len());
        keep(&mut self.rotations, &frames, self.rest.len());
        keep(&mut self.translations, &frames, self.moving.len());
    }

    /// The vector from the parent to a joint at rest: `OFFSET`, or the translation of the first frame where the file
    /// animates a joint whose `OFFSET` is zero.
    pub fn bone(&self, skeleton: &Skeleton, joint: JointId) -> Vector3<f64> {
        let own = skeleton.joint(joint);
        let place = self.moving.iter().position(|&moving| moving == joint.index());
        match place.and_then(|place| self.translations.get(place)) {
            Some(first)
                if !own.translation_axes.is_empty() && own.rest_translation.norm() < 1e-9 =>
            {
                *first
            }
            _ => own.rest_translation,
        }
    }

    fn check(&self, pose: &Pose) {
        let (expected, found) = (self.rest.len(), pose.rotations.len());
        assert!(
            found == expected && pose.translations.len() == expected,
            "a pose of {found} joints in a clip of {expected}"
        );
    }
}

/// A clip and the skeleton it is for.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// The skeleton.
    pub skeleton: Skeleton,
    /// The clip, indexed like the skeleton.
    pub clip: Clip,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Axis, Joint};
    use proptest::prelude::*;

    /// Three joints, of which the first and the last can move.
    fn skeleton() -> Skeleton {
        let joint = |k: usize, translation_axes| Joint {
            name: format!("j{k}").into(),
            parent: k.checked_sub(1).map(JointId),
            rest_translation: Vector3::new(k as f64, -0.5, 0.0),
            rest_rotation: UnitQuaternion::identity(),
            translation_axes,
            rotation_axes: Axis::ALL.to_vec(),
        };
        let joints = vec![joint(0, vec![]), joint(1, vec![]), joint(2, vec![Axis::Y])];
        Skeleton::new(joints, Vec::new()).unwrap()
    }

    prop_compose! {
        fn pose()(numbers in prop::array::uniform12(-9.0..9.0_f64)) -> Pose {
            let vector = |k: usize| Vector3::from_column_slice(&numbers[3 * k..][..3]);
            let mut translations = skeleton().rest_pose().translations;
            (translations[0], translations[2]) = (vector(0), vector(1));
            let turn = |k| UnitQuaternion::from_scaled_axis(vector(k));
            Pose { translations, rotations: vec![turn(2), turn(3), turn(1)] }
        }
    }

    proptest! {
        #[test]
        fn poses_come_out_as_they_went_in(
            poses in prop::collection::vec(pose(), 0..6),
            other in pose(),
            cut in any::<[prop::sample::Index; 2]>(),
        ) {
            let mut clip = Clip::from_poses(&skeleton(), 0.1, poses.clone());
            prop_assert_eq!((clip.len(), clip.is_empty()), (poses.len(), poses.is_empty()));
            prop_assert!(clip.poses().eq(poses.iter().cloned()));
            let mut read = other.clone();
            for (frame, pose) in poses.iter().enumerate() {
                clip.read(frame, &mut read);
                prop_assert_eq!(&read, pose);
                prop_assert_eq!(clip.rotations(frame), pose.rotations.as_slice());
            }
            let mut cut = cut.map(|index| index.index(poses.len() + 1));
            cut.sort();
            clip.keep(cut[0]..cut[1]);
            prop_assert!(clip.poses().eq(poses[cut[0]..cut[1]].iter().cloned()));
            let mut twice = clip.clone();
            twice.append(&clip);
            prop_assert!(twice.poses().eq(clip.poses().chain(clip.poses())));
            clip.edit(|frame, pose| {
                assert_eq!(pose, &poses[cut[0] + frame]);
                pose.clone_from(&other);
            });
            prop_assert!(clip.poses().all(|pose| pose == other) && clip.len() == cut[1] - cut[0]);
        }
    }

    #[test]
    fn translations_of_one_joint_are_those_of_the_poses() {
        let clip = Clip::from_poses(
            &skeleton(),
            0.1,
            (0..3).map(|k| {
                let mut pose = skeleton().rest_pose();
                pose.translations.iter_mut().for_each(|way| way.x += f64::from(k));
                pose
            }),
        );
        for joint in skeleton().ids() {
            let expected: Vec<_> =
                clip.poses().map(|pose| pose.translations[joint.index()]).collect();
            assert_eq!(clip.translations(joint).collect::<Vec<_>>(), expected);
        }
    }

    proptest! {
        #[test]
        fn resampled_frames_are_between_those_that_were(
            poses in prop::collection::vec(pose(), 2..6),
            parts in 1..5_usize,
        ) {
            let clip = Clip::from_poses(&skeleton(), 0.1, poses.clone());
            let fine = clip.resampled(0.1 / parts as f64, &[]);
            prop_assert_eq!(fine.len(), (poses.len() - 1) * parts + 1);
            for (frame, pose) in poses.iter().enumerate() {
                let read = fine.pose(frame * parts);
                for (a, b) in read.rotations.iter().zip(&pose.rotations) {
                    prop_assert!(a.angle_to(b) < 1e-6);
                }
                for (a, b) in read.translations.iter().zip(&pose.translations) {
                    prop_assert!((a - b).norm() < 1e-12);
                }
            }
            let slow = Clip { frame_time: 0.1 * parts as f64, ..clip.clone() };
            prop_assert_eq!(slow.resampled(slow.frame_time, &[]).len(), clip.len());
        }
    }

    #[test]
    fn nothing_is_blended_across_a_cut() {
        let poses = (0..6).map(|k| {
            let mut pose = skeleton().rest_pose();
            pose.translations[0].x = f64::from(k) + if k < 3 { 0.0 } else { 100.0 };
            pose
        });
        let clip = Clip::from_poses(&skeleton(), 0.1, poses);
        for cuts in [&[3][..], &[1, 3], &[3, 5]] {
            let fine = clip.resampled(0.025, cuts);
            let x: Vec<f64> = fine.translations(JointId(0)).map(|place| place.x).collect();
            assert_eq!(x.len(), 21);
            assert!(
                x[..9].iter().all(|&x| x <= 2.0) && x[9..].iter().all(|&x| x >= 103.0),
                "{x:?}"
            );
            assert!(x.windows(2).all(|pair| pair[1] >= pair[0]), "{x:?}");
        }
    }

    #[test]
    fn joints_that_cannot_move_rest() {
        let skeleton = skeleton();
        let mut pose = skeleton.rest_pose();
        pose.translations.fill(Vector3::repeat(7.0));
        let kept = Clip::from_poses(&skeleton, 1.0, [pose]).pose(0).translations;
        let rest = skeleton.rest_pose().translations;
        assert_eq!(kept, [Vector3::repeat(7.0), rest[1], Vector3::repeat(7.0)]);
    }
}
