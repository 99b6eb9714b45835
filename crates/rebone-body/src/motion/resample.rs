//! Resampling of clips.

use super::segments;
use crate::body::Anatomy;
use crate::poses;
use rebone_skeleton::{Clip, ClipError, WorldPose};

/// Resamples a clip to another frame time, in seconds. Nothing is blended where the body jumps; a leading pose
/// (`reference`) stays the frame before the motion's first.
///
/// # Errors
/// When the clip is no motion of the skeleton, or a leading pose without a frame; as for [`Clip::resampled`].
pub fn resampled(
    anatomy: &Anatomy,
    clip: &Clip,
    frame_time: f64,
    reference: bool,
) -> Result<Clip, ClipError> {
    clip.check_for(&anatomy.skeleton)?;
    let mut motion = clip.clone();
    motion.keep(usize::from(reference)..clip.len())?;
    let mut world = WorldPose::zeros(&anatomy.skeleton);
    let mut pose = anatomy.skeleton.rest_pose();
    let hips = |frame| {
        motion.read(frame, &mut pose);
        poses::update(&mut world, &anatomy.skeleton, &pose);
        let [left, right] = anatomy.hips().map(|hip| world.positions[hip.index()]);
        (left + right) * (0.5 * anatomy.metres_per_unit())
    };
    let hips: Vec<_> = (0..motion.len()).map(hips).collect();
    let cuts: Vec<usize> = segments(&hips, clip.frame_time, false)
        .iter()
        .skip(1)
        .map(|segment| segment.start)
        .collect();
    let motion = motion.resampled(frame_time, &cuts)?;
    if !reference {
        return Ok(motion);
    }
    let mut own = Clip::new(&anatomy.skeleton, frame_time);
    poses::push(&mut own, &poses::pose(clip, 0));
    motion.poses().for_each(|pose| poses::push(&mut own, &pose));
    Ok(own)
}
