//! Clips and motions.

use crate::{ClipError, JointId, Pose, Skeleton};
use nalgebra::{UnitQuaternion, Vector3};
use std::ops::Range;

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
/// let mut clip: Clip = motion.clip.resampled(1.0 / 30.0, &[])?;
/// clip.keep(0..30)?;
/// clip.edit(|frame, pose| pose.translations[0].z = 2.0 * frame as f64)?;
/// assert_eq!(clip.pose(29).ok_or("a short clip")?.translations[0].z, 58.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Clip {
    /// Seconds from one frame to the next.
    pub frame_time: f64,
    rest: Vec<Vector3<f64>>,
    /// The joints that can move.
    moving: Vec<usize>,
    /// Of each of these, its translations frame by frame; none of a joint that has been at rest in all frames.
    tracks: Vec<Option<Vec<Vector3<f64>>>>,
    rotations: Vec<UnitQuaternion<f64>>,
}

impl PartialEq for Clip {
    fn eq(&self, other: &Self) -> bool {
        let is_same = |k: usize| match (&self.tracks[k], &other.tracks[k]) {
            (None, None) => true,
            _ => (0..self.len()).all(|frame| self.place(k, frame) == other.place(k, frame)),
        };
        self.frame_time == other.frame_time
            && self.moving == other.moving
            && self.rotations == other.rotations
            && self.rest == other.rest
            && (0..self.moving.len()).all(is_same)
    }
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
        check_frame_time(self.frame_time)?;
        let rotation =
            self.rotations.iter().position(|own| !own.coords.iter().all(|x| x.is_finite()));
        let rotation = rotation.map(|index| (index / expected, index % expected));
        let is_finite = |place: &Vector3<f64>| place.iter().all(|x| x.is_finite());
        let translations = (0..self.moving.len()).filter_map(|k| {
            let joint = self.moving[k];
            let frame = match &self.tracks[k] {
                Some(track) => track.iter().position(|place| !is_finite(place))?,
                None if is_finite(&self.rest[joint]) || self.is_empty() => return None,
                None => 0,
            };
            Some((frame, joint))
        });
        match rotation.into_iter().chain(translations).min() {
            Some((frame, joint)) => {
                let joint = skeleton[JointId(joint)].name.to_string();
                Err(ClipError::NotFinite { frame, joint })
            }
            None => Ok(()),
        }
    }

    /// A clip of `skeleton` without frames; `frame_time` is in seconds.
    pub fn new(skeleton: &Skeleton, frame_time: f64) -> Self {
        let joints = skeleton.joints().iter().enumerate();
        let moves = joints.filter(|(k, joint)| *k == 0 || !joint.translation_axes.is_empty());
        let moving: Vec<usize> = moves.map(|(k, _)| k).collect();
        let tracks = vec![None; moving.len()];
        let rest = skeleton.joints().iter().map(|joint| joint.rest_translation).collect();
        Self { frame_time, rest, moving, tracks, rotations: Vec::new() }
    }

    /// A clip of these poses, as by [`new`](Self::new) and [`push`](Self::push).
    ///
    /// # Errors
    /// When a pose has not as many joints as the skeleton.
    pub fn from_poses(
        skeleton: &Skeleton,
        frame_time: f64,
        poses: impl IntoIterator<Item = Pose>,
    ) -> Result<Self, ClipError> {
        let mut clip = Self::new(skeleton, frame_time);
        poses.into_iter().try_for_each(|pose| clip.push(&pose))?;
        Ok(clip)
    }

    /// A clip of `skeleton` from the lists that [`parts`](Self::parts) gives; `frame_time` is in seconds.
    ///
    /// # Errors
    /// When the lists are not as long as the same number of frames.
    pub fn from_parts(
        skeleton: &Skeleton,
        frame_time: f64,
        translations: Vec<Vector3<f64>>,
        rotations: Vec<UnitQuaternion<f64>>,
    ) -> Result<Self, ClipError> {
        let mut own = Self::new(skeleton, frame_time);
        let (joints, moving) = (own.rest.len(), own.moving.len());
        let frames = rotations.len() / joints;
        if rotations.len() != frames * joints || translations.len() != frames * moving {
            let found = [rotations.len(), translations.len()];
            return Err(ClipError::Parts { found, width: [joints, moving] });
        }
        for (index, place) in translations.into_iter().enumerate() {
            own.push_place(index % moving, index / moving, place);
        }
        Ok(Self { rotations, ..own })
    }

    /// The clip as flat lists: indices of the joints that can move, their translations frame by frame, and the rotations
    /// of all joints frame by frame.
    pub fn parts(&self) -> (&[usize], Vec<Vector3<f64>>, &[UnitQuaternion<f64>]) {
        let places = |frame| (0..self.moving.len()).map(move |k| self.place(k, frame));
        (&self.moving, (0..self.len()).flat_map(places).collect(), &self.rotations)
    }

    /// The translation of a joint that can move, by its place among them.
    fn place(&self, k: usize, frame: usize) -> Vector3<f64> {
        self.tracks[k].as_ref().map_or(self.rest[self.moving[k]], |track| track[frame])
    }

    /// Appends a translation to those of `frames` frames.
    fn push_place(&mut self, k: usize, frames: usize, place: Vector3<f64>) {
        if let Some(track) = self.track(k, frames, &place) {
            track.push(place);
        }
    }

    /// The track of a joint with `frames` frames, made where a translation is not that of the rest pose.
    fn track(
        &mut self,
        k: usize,
        frames: usize,
        place: &Vector3<f64>,
    ) -> Option<&mut Vec<Vector3<f64>>> {
        let rest = self.rest[self.moving[k]];
        // Zeros of both signs are told apart: a clip gives what it was given.
        let is_rest = place.iter().zip(&rest).all(|(a, b)| a.to_bits() == b.to_bits());
        if self.tracks[k].is_none() && !is_rest {
            self.tracks[k] = Some(vec![rest; frames]);
        }
        self.tracks[k].as_mut()
    }

    /// The number of frames.
    pub fn len(&self) -> usize {
        self.rotations.len() / self.rest.len()
    }

    /// Bytes that a frame takes in memory.
    pub fn bytes_per_frame(&self) -> usize {
        let tracks = self.tracks.iter().flatten().count();
        self.rest.len() * size_of::<UnitQuaternion<f64>>() + tracks * size_of::<Vector3<f64>>()
    }

    /// Returns whether there is no frame.
    pub fn is_empty(&self) -> bool {
        self.rotations.is_empty()
    }

    /// Appends a frame. Translations of joints that cannot move are taken to be those of the rest pose.
    ///
    /// # Errors
    /// When the pose has not as many joints as the skeleton; the clip stays as it was.
    pub fn push(&mut self, pose: &Pose) -> Result<(), ClipError> {
        pose.check_len(self.rest.len())?;
        self.push_own(pose);
        Ok(())
    }

    /// Appends a frame of the clip's own skeleton.
    pub(crate) fn push_own(&mut self, pose: &Pose) {
        let frames = self.len();
        for k in 0..self.moving.len() {
            self.push_place(k, frames, pose.translations[self.moving[k]]);
        }
        self.rotations.extend_from_slice(&pose.rotations);
    }

    /// Appends the frames of another clip of the same skeleton.
    ///
    /// # Errors
    /// When it has other joints, or others that can move; this clip stays as it was.
    pub fn append(&mut self, later: &Self) -> Result<(), ClipError> {
        let (found, expected) = (later.rest.len(), self.rest.len());
        if found != expected {
            return Err(ClipError::Joints { found, expected });
        }
        if self.moving != later.moving {
            let moving = self.moving.iter().map(|&joint| JointId(joint));
            return Err(ClipError::MovingJoints(moving.collect()));
        }
        let frames = self.len();
        for k in 0..self.moving.len() {
            for frame in 0..later.len() {
                self.push_place(k, frames + frame, later.place(k, frame));
            }
        }
        self.rotations.extend_from_slice(&later.rotations);
        Ok(())
    }

    /// Overwrites `pose` with a frame, counted from 0; without allocation where it has as many joints. Returns false,
    /// and leaves the pose as it was, where there is no such frame.
    pub fn read(&self, frame: usize, pose: &mut Pose) -> bool {
        let Some(rotations) = self.rotations(frame) else { return false };
        pose.rotations.clear();
        pose.rotations.extend_from_slice(rotations);
        pose.translations.clone_from(&self.rest);
        for (&joint, track) in self.moving.iter().zip(&self.tracks) {
            if let Some(track) = track {
                pose.translations[joint] = track[frame];
            }
        }
        true
    }

    /// The rotations of a frame, counted from 0, one a joint as in [`Pose::rotations`]; `None` where there is no such
    /// frame.
    pub fn rotations(&self, frame: usize) -> Option<&[UnitQuaternion<f64>]> {
        let joints = self.rest.len();
        (frame < self.len()).then(|| &self.rotations[frame * joints..][..joints])
    }

    /// The translation of a joint in its parent's frame, frame by frame, as in [`Pose::translations`]; of a joint that
    /// the clip does not have no frames.
    pub fn translations(&self, joint: JointId) -> impl Iterator<Item = Vector3<f64>> + '_ {
        let place = self.moving.iter().position(|&moving| moving == joint.index());
        self.rest.get(joint.index()).into_iter().flat_map(move |&rest| {
            (0..self.len()).map(move |frame| place.map_or(rest, |k| self.place(k, frame)))
        })
    }

    /// A frame, counted from 0; `None` where there is no such frame.
    pub fn pose(&self, frame: usize) -> Option<Pose> {
        let mut pose = Pose { translations: Vec::new(), rotations: Vec::new() };
        self.read(frame, &mut pose).then_some(pose)
    }

    /// All frames, each in memory of its own.
    pub fn poses(&self) -> impl DoubleEndedIterator<Item = Pose> + ExactSizeIterator + Clone + '_ {
        (0..self.len()).map(|frame| {
            let mut pose = Pose { translations: Vec::new(), rotations: Vec::new() };
            self.read(frame, &mut pose);
            pose
        })
    }

    /// Calls `change` on each frame: its number, counted from 0, and its pose.
    ///
    /// # Errors
    /// When `change` leaves a pose with another number of joints; that frame and those after it stay as they were.
    pub fn edit(&mut self, mut change: impl FnMut(usize, &mut Pose)) -> Result<(), ClipError> {
        let mut pose = Pose { translations: Vec::new(), rotations: Vec::new() };
        for frame in 0..self.len() {
            self.read(frame, &mut pose);
            change(frame, &mut pose);
            self.set(frame, &pose)?;
        }
        Ok(())
    }

    /// Overwrites a frame, counted from 0, with a pose. Translations of joints that cannot move are taken to be those of
    /// the rest pose.
    ///
    /// # Errors
    /// When there is no such frame, or the pose has not as many joints as the skeleton; the clip stays as it was.
    pub fn set(&mut self, frame: usize, pose: &Pose) -> Result<(), ClipError> {
        if frame >= self.len() {
            return Err(ClipError::Frames {
                found: frame..frame.saturating_add(1),
                frames: self.len(),
            });
        }
        pose.check_len(self.rest.len())?;
        let (joints, frames) = (self.rest.len(), self.len());
        self.rotations[frame * joints..][..joints].copy_from_slice(&pose.rotations);
        for k in 0..self.moving.len() {
            let place = pose.translations[self.moving[k]];
            if let Some(track) = self.track(k, frames, &place) {
                track[frame] = place;
            }
        }
        Ok(())
    }

    /// Resamples the motion at another frame time, in seconds. Rotations are slerped, translations follow the cubic of
    /// E. Catmull and R. Rom (A class of local interpolating splines, 1974). Nothing is blended across `cuts`, each the
    /// first frame of a segment, in rising order: between it and the frame before, the new segment has begun.
    ///
    /// # Errors
    /// When one of the frame times is no positive number or gives more frames than can be, or when cuts do not rise or
    /// lie beyond the clip.
    pub fn resampled(&self, frame_time: f64, cuts: &[usize]) -> Result<Self, ClipError> {
        let count = self.resampled_len(frame_time, cuts)?;
        let mut own = Self {
            frame_time,
            rest: self.rest.clone(),
            moving: self.moving.clone(),
            tracks: vec![None; self.moving.len()],
            rotations: Vec::new(),
        };
        let Some(last) = self.len().checked_sub(1) else { return Ok(own) };
        let (joints, moving) = (self.rest.len(), self.moving.len());
        let step = frame_time / self.frame_time;
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
            for k in 0..moving {
                let [a, b, c, d] = near.map(|frame| self.place(k, frame));
                let (t2, t3) = (t * t, t * t * t);
                let place = b
                    + ((c - a) * t
                        + (a * 2.0 - b * 5.0 + c * 4.0 - d) * t2
                        + (b * 3.0 - a - c * 3.0 + d) * t3)
                        / 2.0;
                own.push_place(k, frame, place);
            }
        }
        Ok(own)
    }

    /// Checks what [`resampled`](Self::resampled) is given, and computes the number of its frames.
    fn resampled_len(&self, frame_time: f64, cuts: &[usize]) -> Result<usize, ClipError> {
        check_frame_time(frame_time)?;
        check_frame_time(self.frame_time)?;
        let Some(last) = self.len().checked_sub(1) else { return Ok(0) };
        let rises = cuts.windows(2).all(|pair| pair[0] < pair[1]);
        if !rises || cuts.iter().any(|&cut| cut > last) {
            return Err(ClipError::Cuts { found: cuts.to_vec(), last });
        }
        let count = last as f64 / (frame_time / self.frame_time) + 1e-6;
        let fits = |count: &f64| *count < MAX_RESAMPLED_TRANSFORMS / self.rest.len() as f64;
        let count = Some(count).filter(fits).ok_or(ClipError::TooManyFrames(frame_time))?;
        Ok(count as usize + 1)
    }

    /// Removes all other frames.
    ///
    /// # Errors
    /// When the range goes beyond the clip, or ends before it starts; the clip stays as it was.
    pub fn keep(&mut self, frames: Range<usize>) -> Result<(), ClipError> {
        fn keep<T>(list: &mut Vec<T>, frames: &Range<usize>, width: usize) {
            list.truncate(frames.end * width);
            list.drain(..frames.start * width);
        }
        if frames.end > self.len() || frames.start > frames.end {
            return Err(ClipError::Frames { found: frames, frames: self.len() });
        }
        keep(&mut self.rotations, &frames, self.rest.len());
        self.tracks.iter_mut().flatten().for_each(|track| keep(track, &frames, 1));
        Ok(())
    }

    /// The vector from the parent to a joint at rest: `OFFSET`, or the translation of the first frame where the file
    /// animates a joint whose `OFFSET` is zero. `None` where the skeleton does not have the joint.
    pub fn bone(&self, skeleton: &Skeleton, joint: JointId) -> Option<Vector3<f64>> {
        let own = skeleton.joint(joint)?;
        let place = self.moving.iter().position(|&moving| moving == joint.index());
        let is_animated = !own.translation_axes.is_empty() && own.rest_translation.norm() < 1e-9;
        let first = place.filter(|_| is_animated && !self.is_empty()).map(|k| self.place(k, 0));
        Some(first.unwrap_or(own.rest_translation))
    }
}

/// Transforms of a resampled clip: a frame time of 1e-300 s is an error, not the end of memory.
const MAX_RESAMPLED_TRANSFORMS: f64 = 1e9;

fn check_frame_time(seconds: f64) -> Result<(), ClipError> {
    let is_time = seconds > 0.0 && seconds.is_finite();
    if is_time { Ok(()) } else { Err(ClipError::FrameTime(seconds)) }
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
            let mut clip = Clip::from_poses(&skeleton(), 0.1, poses.clone()).unwrap();
            prop_assert_eq!((clip.len(), clip.is_empty()), (poses.len(), poses.is_empty()));
            prop_assert!(clip.poses().eq(poses.iter().cloned()));
            let (moving, translations, rotations) = clip.parts();
            prop_assert_eq!(moving, [0, 2]);
            let parts = (translations.to_vec(), rotations.to_vec());
            let again = Clip::from_parts(&skeleton(), 0.1, parts.0.clone(), parts.1).unwrap();
            prop_assert_eq!(&again, &clip);
            let short = Clip::from_parts(&skeleton(), 0.1, parts.0, vec![other.rotations[0]]);
            prop_assert!(short.is_err());
            let mut read = other.clone();
            for (frame, pose) in poses.iter().enumerate() {
                clip.read(frame, &mut read);
                prop_assert_eq!(&read, pose);
                prop_assert_eq!(clip.rotations(frame).unwrap(), pose.rotations.as_slice());
            }
            let mut cut = cut.map(|index| index.index(poses.len() + 1));
            cut.sort();
            clip.keep(cut[0]..cut[1]).unwrap();
            prop_assert!(clip.poses().eq(poses[cut[0]..cut[1]].iter().cloned()));
            let mut twice = clip.clone();
            twice.append(&clip).unwrap();
            prop_assert!(twice.poses().eq(clip.poses().chain(clip.poses())));
            clip.edit(|frame, pose| {
                assert_eq!(pose, &poses[cut[0] + frame]);
                pose.clone_from(&other);
            }).unwrap();
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
        )
        .unwrap();
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
            let clip = Clip::from_poses(&skeleton(), 0.1, poses.clone()).unwrap();
            let fine = clip.resampled(0.1 / parts as f64, &[]).unwrap();
            prop_assert_eq!(fine.len(), (poses.len() - 1) * parts + 1);
            for (frame, pose) in poses.iter().enumerate() {
                let read = fine.pose(frame * parts).unwrap();
                for (a, b) in read.rotations.iter().zip(&pose.rotations) {
                    prop_assert!(a.angle_to(b) < 1e-6);
                }
                for (a, b) in read.translations.iter().zip(&pose.translations) {
                    prop_assert!((a - b).norm() < 1e-12);
                }
            }
            let slow = Clip { frame_time: 0.1 * parts as f64, ..clip.clone() };
            prop_assert_eq!(slow.resampled(slow.frame_time, &[]).unwrap().len(), clip.len());
        }
    }

    #[test]
    fn nothing_is_blended_across_a_cut() {
        let poses = (0..6).map(|k| {
            let mut pose = skeleton().rest_pose();
            pose.translations[0].x = f64::from(k) + if k < 3 { 0.0 } else { 100.0 };
            pose
        });
        let clip = Clip::from_poses(&skeleton(), 0.1, poses).unwrap();
        for cuts in [&[3][..], &[1, 3], &[3, 5]] {
            let fine = clip.resampled(0.025, cuts).unwrap();
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
        let kept = Clip::from_poses(&skeleton, 1.0, [pose]).unwrap().pose(0).unwrap().translations;
        let rest = skeleton.rest_pose().translations;
        assert_eq!(kept, [Vector3::repeat(7.0), rest[1], Vector3::repeat(7.0)]);
    }
}
