//! The clip of a character: whether there is one, a part of it, another frame rate.

use super::Character;
use crate::body::Anatomy;
use crate::calibrate::begins_with_reference;
use crate::error::CharacterError;
use crate::motion::{resampled, with_feet_turned_back};

/// Maximum joints times frames that resampling makes of a shorter clip: 90 minutes of a body with fingers at 60
/// frames a second.
const MAX_RESAMPLED_POSES: f64 = 2e7;

impl Character {
    /// Checks that there is a clip.
    ///
    /// # Errors
    /// When the file has a skeleton alone.
    pub fn check_clip(&self) -> Result<(), CharacterError> {
        match self.clip().is_empty() {
            true => Err(CharacterError::NoClip { path: self.path().into() }),
            false => Ok(()),
        }
    }

    /// Checks that the file has a motion, as a source must: a clip that was selected, or one in which a joint moves.
    ///
    /// # Errors
    /// When it has no clip, or empty ones alone.
    pub fn check_motion(&self) -> Result<(), CharacterError> {
        self.check_clip()?;
        match self.is_rig() {
            true => Err(CharacterError::EmptyClips {
                path: self.path().into(),
                clips: self.clip_names(),
            }),
            false => Ok(()),
        }
    }

    /// Leaves frames `start` to `end`, `end` not included; default: to the last. Gives a warning where there are
    /// fewer.
    ///
    /// # Errors
    /// When there is none of them.
    pub fn cut(
        &mut self,
        (start, end): (usize, Option<usize>),
    ) -> Result<Option<String>, CharacterError> {
        let (count, path) = (self.clip().len(), self.path().to_owned());
        if start >= count {
            return Err(CharacterError::AfterEnd { path, start, count });
        }
        self.keep_frames(start..end.unwrap_or(count));
        let path = path.display();
        Ok(end.filter(|&end| end > count).map(|end| {
            format!(
                "the frames that are wanted end before {end}, but {path} has {count} frames: all to the last are \
                 taken"
            )
        }))
    }

    /// Brings the clip to a rate in frames per second. Returns the number of new frames per old frame.
    ///
    /// # Errors
    /// When the rate is no positive number, or there would be too many frames.
    pub fn resample(&mut self, anatomy: &Anatomy, rate: f64) -> Result<f64, CharacterError> {
        let (count, joints) = (self.clip().len(), self.skeleton().len() as f64);
        let frame_time = self.clip().frame_time;
        let ratio = rate * frame_time;
        let (before, after) = (count as f64 * joints, (count as f64 - 1.0) * ratio * joints);
        let fits = after <= MAX_RESAMPLED_POSES.max(2.0 * before);
        if !fits {
            return Err(CharacterError::TooLong {
                path: self.path().into(),
                count,
                frame_time,
                rate,
            });
        }
        let leading_pose = begins_with_reference(anatomy, self.clip());
        self.set_clip(resampled(anatomy, self.clip(), 1.0 / rate, leading_pose)?);
        Ok(ratio)
    }

    /// Turns feet that the clip turns over, sole up, back by 180 degrees about the line from ankle to ball, in the frames in
    /// which they are. Nothing happens with an anatomy of another skeleton.
    pub fn turn_feet_back(&mut self, anatomy: &Anatomy) {
        if let Some(clip) = with_feet_turned_back(anatomy, self.clip()) {
            self.set_clip(clip);
        }
    }
}
