//! Resampling of clips.

use crate::body::Anatomy;
use crate::contacts::segments;
use rebone_skeleton::{Clip, WorldPose};

/// Resamples a clip to another frame time, in seconds. Nothing is blended where the body jumps; a leading pose
/// (`reference`) stays the frame before the motion's first.
///
/// # Panics
/// When the clip is not of the skeleton, or the frame time not positive.
pub fn resampled(anatomy: &Anatomy, clip: &Clip, frame_time: f64, reference: bool) -> Clip {
    let mut motion = clip.clone();
    motion.keep(usize::from(reference)..clip.len());
    let mut world = WorldPose::zeros(anatomy.skeleton.len());
    let mut pose = anatomy.skeleton.rest_pose();
    let hips = |frame| {
        motion.read(frame, &mut pose);
        world.update(&anatomy.skeleton, &pose);
        let [left, right] = anatomy.hips().map(|hip| world.positions[hip.index()]);
        (left + right) * (0.5 * anatomy.metres_per_unit())
    };
    let hips: Vec<_> = (0..motion.len()).map(hips).collect();
    let cuts: Vec<usize> = segments(&hips, clip.frame_time, false)
        .iter()
        .skip(1)
        .map(|segment| segment.start)
        .collect();
    let motion = motion.resampled(frame_time, &cuts);
    if !reference {
        return motion;
    }
    let mut own = Clip::new(&anatomy.skeleton, frame_time);
    own.push(&clip.pose(0));
    motion.poses().for_each(|pose| own.push(&pose));
    own
}
