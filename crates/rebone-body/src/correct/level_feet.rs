//! Soles from a frame in which the feet stand flat on the floor.

use super::{Frame, apply};
use crate::body::{Anatomy, Correction, Side, SoleSource};
use crate::calibrate::{sole_height_in, standing_indices};
use crate::card::Card;
use crate::error::{AnalysisError, ValueError};
use crate::poses;
use nalgebra::{UnitQuaternion, UnitVector3, Vector3};
use rebone_skeleton::{Clip, JointId, WorldPose};
use std::collections::BTreeMap;

/// Largest angle between a sole and the floor that is corrected, degrees.
const MAX_TILT_DEGREES: f64 = 45.0;

/// Largest number of frames in which [`standing_frames`] looks for feet that stand.
const MAX_SEARCHED_FRAMES: usize = 2000;

/// Finds a frame of the clip for the left and one for the right foot in which it stands, counted from 0; `None` without
/// frames.
///
/// A foot stands in frames in which it is lowest and slowest. Of these the frame is taken in which foot and toes are
/// turned most as in all of them, so that a heel that is just lifting does not count.
///
/// ```
/// use rebone_body::card::Card;
/// use rebone_body::{Hints, analyse, correct};
///
/// let walk = rebone_samples::walk().motion;
/// let anatomy = analyse(&walk, &Hints::default())?;
/// let frames = correct::standing_frames(&anatomy, &walk.clip)?;
/// assert!(frames.iter().all(Option::is_some));
/// correct::level_feet(&anatomy, &walk.clip, frames, &Card::default())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the clip is of another skeleton.
pub fn standing_frames(
    anatomy: &Anatomy,
    clip: &Clip,
) -> Result<[Option<usize>; 2], AnalysisError> {
    clip.check_for(&anatomy.skeleton)?;
    let step = clip.len().div_ceil(MAX_SEARCHED_FRAMES).max(1);
    let worlds: Vec<WorldPose> = (0..clip.len())
        .step_by(step)
        .map(|frame| poses::world_of(&anatomy.skeleton, &poses::pose(clip, frame)))
        .collect();
    let up = UnitVector3::new_normalize(anatomy.upright_from_file.inverse() * Vector3::y());
    let frame = |side: Side| {
        let leg = &anatomy.body.legs[side.index()];
        let standing = standing_indices(leg, &worlds.iter().collect::<Vec<_>>(), up);
        let own_up =
            |index: usize, joint: JointId| worlds[index].rotations[joint.index()].inverse() * *up;
        let mean = |joint| (joint, standing.iter().map(|&index| own_up(index, joint)).sum());
        let means: Vec<(JointId, Vector3<f64>)> = leg.foot_and_toes().map(mean).collect();
        let off = |index: &usize| {
            let angles = means.iter().map(|(joint, mean)| own_up(*index, *joint).angle(mean));
            angles.fold(0.0, f64::max)
        };
        let nearest = standing.iter().min_by(|a, b| off(a).total_cmp(&off(b)).then(a.cmp(b)));
        nearest.map(|index| index * step)
    };
    Ok(Side::BOTH.map(frame))
}

/// Calibrates soles on frames of the clip in which the feet stand flat on the floor: `frames` has one for the left and one
/// for the right foot, counted from 0, where it stands.
///
/// Foot and toes are turned so that the sole is level there; their headings stay. The height of the soles is read off these
/// frames where the floor of the file is at zero. `clip` and `card` are those that the anatomy was analysed by: frames
/// and `sole_height` that the user states in the card stay, with a warning in the anatomy.
///
/// ```
/// use rebone_body::card::Card;
/// use rebone_body::{Hints, analyse, correct};
///
/// let walk = rebone_samples::walk().motion;
/// let anatomy = analyse(&walk, &Hints::default())?;
/// let level = correct::level_feet(&anatomy, &walk.clip, [Some(0); 2], &Card::default())?;
/// let text = Card::from_anatomy(&level, &Card::default())?.to_toml();
/// assert!(text.contains("# level in frame 0"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When there is no clip or no such frame; when a sole is more than 45 degrees from level there; when clip or card are of
/// another skeleton.
pub fn level_feet(
    anatomy: &Anatomy,
    clip: &Clip,
    frames: [Option<usize>; 2],
    card: &Card,
) -> Result<Anatomy, AnalysisError> {
    clip.check_for(&anatomy.skeleton)?;
    let mut level = BTreeMap::new();
    let standing = || Side::BOTH.into_iter().filter_map(|side| Some((side, frames[side.index()]?)));
    for (side, frame) in standing() {
        level.extend(level_foot(anatomy, clip, side, frame)?);
    }
    let mut corrected = apply(anatomy, clip, card, level)?;
    if standing().count() == 2 {
        state_soles(&mut corrected);
    }
    let is_stated = card.sole_height.is_some() && !card.is_generated("", "sole_height");
    if !is_stated && corrected.skin_soles.is_none() {
        read_height(&mut corrected, clip, frames);
    }
    Ok(corrected)
}

/// Frames of foot and toes, level in one frame of the clip.
fn level_foot(
    anatomy: &Anatomy,
    clip: &Clip,
    side: Side,
    frame: usize,
) -> Result<Vec<(JointId, Frame)>, ValueError> {
    let count = clip.len();
    if frame >= count {
        let expected = "expected one in which the feet stand flat on the floor";
        return Err(ValueError(format!("no frame {frame}, the clip has {count}: {expected}")));
    }
    let world = poses::world_of(&anatomy.skeleton, &poses::pose(clip, frame));
    let leg = &anatomy.body.legs[side.index()];
    let level = leg.foot_and_toes().map(|joint| {
        let (rotation, tilt) = level_frame(anatomy, &world, joint);
        let degrees = tilt.to_degrees();
        if degrees > MAX_TILT_DEGREES {
            let part = if joint == leg.foot { "foot" } else { "toes" };
            return Err(ValueError(format!(
                "the sole under the {side} {part} is {degrees:.0} degrees from level in frame {frame}, expected at most \
                 {MAX_TILT_DEGREES:.0}: name a frame in which the foot stands flat"
            )));
        }
        let pitch = SoleSource::Pose.pitch_sigma();
        let own = anatomy.sigmas[joint.index()];
        let sigma = Vector3::new(own.x.min(pitch), own.y, own.z.min(pitch));
        let correction = Correction::Level(frame);
        Ok((joint, Frame { rotation, sigma, correction }))
    });
    level.collect()
}

/// The frame of a joint that is level in a pose, with its heading, in its own axes; and how far it was from level, radians.
fn level_frame(anatomy: &Anatomy, world: &WorldPose, joint: JointId) -> (UnitQuaternion<f64>, f64) {
    let turn = anatomy.upright_from_file * world.rotations[joint.index()];
    let own = anatomy.anatomical(joint, &turn);
    let tilt = (own * Vector3::y()).angle(&Vector3::y());
    let ahead = own * Vector3::z();
    let heading = libm::atan2(ahead.x, ahead.z);
    let level = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), heading);
    (turn.inverse() * level, tilt)
}

/// Takes the soles for those of a pose that stands on them, as a person said.
fn state_soles(anatomy: &mut Anatomy) {
    anatomy.soles = SoleSource::Pose;
    if let Some(plain) = &mut anatomy.without_motion_evidence {
        state_soles(plain);
    }
}

/// Reads the height of the soles off the frames, the mean of both feet.
fn read_height(anatomy: &mut Anatomy, clip: &Clip, frames: [Option<usize>; 2]) {
    let heights: Vec<(f64, usize)> = Side::BOTH
        .into_iter()
        .filter_map(|side| {
            let frame = frames[side.index()]?;
            let height = sole_height_in(anatomy, &poses::pose(clip, frame), side)?;
            Some((height, frame))
        })
        .collect();
    let Some((_, frame)) = heights.first().copied() else { return };
    let mean = heights.iter().map(|(height, _)| height).sum::<f64>() / heights.len() as f64;
    anatomy.sole_height = Some(mean);
    anatomy.sole_height_frame = Some(frame);
}

#[cfg(test)]
mod tests;
