//! One cycle of a source, closed before it is retargeted.

use crate::body::Anatomy;
use crate::character::Character;
use crate::clip::{CycleBody, FrameMapping};
use crate::error::Error;
use crate::math::poses;
use crate::options::LoopRange;
use crate::report::CycleReport;

/// Widest seam that is called a cycle: metres of a 1.7 m body, degrees.
const MAX_SEAM_METRES: f64 = 0.15;
const MAX_SEAM_DEGREES: f64 = 45.0;

/// Cuts the source to a cycle and closes it. Returns the new mapping of its frames, the report with frames of the file, and
/// a warning where the seam is too wide to call it a cycle.
///
/// # Errors
/// When there is no cycle, or not these frames.
pub(super) fn cut_to_cycle(
    source: &mut Character,
    anatomy: &Anatomy,
    mapping: FrameMapping,
    range: LoopRange,
) -> Result<(FrameMapping, CycleReport, Option<String>), Error> {
    let body = CycleBody::new(anatomy);
    let count = source.clip().len();
    let [first, last] = match range {
        LoopRange::Frames { first, last } => [first, last].map(|frame| mapping.clip_frame(frame)),
        LoopRange::Auto => {
            let found = body.find(source.clip(), usize::from(mapping.leading_pose));
            let none = || {
                let path = source.path().display();
                Error::Conflict(format!(
                    "--loop: {path} has no cycle: it needs motion of at least a second; name frames with --loop A..B"
                ))
            };
            let found = found.ok_or_else(none)?;
            [found.start, found.end]
        }
    };
    // The frame after the last stands for the first, where a clip ends before it.
    let path = source.path().display().to_string();
    if last == count && body.whole_cycle(source.clip(), first).is_none_or(|own| own.end < count) {
        let end = mapping.file_frame(count.saturating_sub(1));
        return Err(Error::Conflict(format!(
            "--loop {range}: {path} ends at frame {end}, and frame {} does not follow on it; end at {end} at most",
            mapping.file_frame(first)
        )));
    }
    if last > count || first >= last || last - first < 3 {
        let end = mapping.file_frame(count.saturating_sub(1));
        return Err(Error::Conflict(format!(
            "--loop {range}: {path} has no such cycle: its frames are numbered {} to {end}, and a cycle needs three of them",
            mapping.first
        )));
    }
    let frames = [first, last].map(|frame| mapping.file_frame(frame));
    let mut clip = source.clip().clone();
    poses::keep(&mut clip, first..count.min(last + 1));
    let closed = if last == count { body.repeat_first(&mut clip) } else { body.close(&mut clip) };
    let report = CycleReport { frames, ..closed };
    source.set_clip(clip);
    let is_wide = report.seam_metres > MAX_SEAM_METRES || report.seam_degrees > MAX_SEAM_DEGREES;
    let warning = is_wide.then(|| {
        format!(
            "frames {} and {} of the source are {:.0} cm and {:.0}° apart: this is hardly a cycle",
            frames[0],
            frames[1],
            100.0 * report.seam_metres,
            report.seam_degrees
        )
    });
    Ok((FrameMapping { first: frames[0], leading_pose: false, ..mapping }, report, warning))
}
