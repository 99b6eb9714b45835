//! Toes that only carry an axis: they have no tip and never bend.

use crate::body::{Body, Leg};
use crate::calibrate::calibration::MIN_MOTION_FRAMES;
use nalgebra::UnitQuaternion;
use rebone_skeleton::{Clip, JointId, Skeleton};

/// Toes that turn against the foot by less, over a whole clip, are still: noise of a capture is below a degree.
const MAX_STILL_RADIANS: f64 = 0.02;
/// Frames that differ by less are equal, radians.
const EQUAL_RADIANS: f64 = 1e-6;

/// Gives toes without a tip that keep one rotation on their foot the frame of the foot: whatever their axes are, they are straight.
/// The first frame does not count, which may be a reference pose. Toes whose tip shows where they point are left as they are.
pub(crate) fn straighten_still_toes(
    skeleton: &Skeleton,
    body: &Body,
    clip: &Clip,
    frames: &mut [UnitQuaternion<f64>],
) {
    if clip.len() < MIN_MOTION_FRAMES {
        return;
    }
    for leg in &body.legs {
        let Some(toes) = leg.toes.filter(|&toes| !has_tip(skeleton, toes)) else { continue };
        let Some(foot_from_toes) = still_rotation(skeleton, leg, toes, clip) else { continue };
        let frame = foot_from_toes.inverse() * frames[leg.foot.index()];
        if frame.angle_to(&frames[toes.index()]) > EQUAL_RADIANS {
            frames[toes.index()] = frame;
        }
    }
}

/// Returns whether end sites or children show where toes end.
fn has_tip(skeleton: &Skeleton, toes: JointId) -> bool {
    let length = skeleton.children(toes).map(|id| skeleton[id].rest_translation.norm());
    let sites = skeleton.end_sites_of(toes).map(|site| site.offset.norm());
    length.chain(sites).any(|length| length > 1e-9)
}

/// Returns the rotation of toes in the axes of the foot, if it stays the same.
fn still_rotation(
    skeleton: &Skeleton,
    leg: &Leg,
    toes: JointId,
    clip: &Clip,
) -> Option<UnitQuaternion<f64>> {
    let path: Vec<JointId> = skeleton.path_to_root(toes).take_while(|&id| id != leg.foot).collect();
    let rotation = |frame: usize| {
        let locals = clip.rotations(frame)?;
        let turns = path.iter().map(|id| locals[id.index()]);
        Some(turns.fold(UnitQuaternion::identity(), |below, own| own * below))
    };
    let last = rotation(clip.len() - 1)?;
    let is_still =
        |frame| rotation(frame).is_some_and(|own| own.angle_to(&last) < MAX_STILL_RADIANS);
    (1..clip.len()).all(is_still).then_some(last)
}
