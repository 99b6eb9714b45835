//! One cycle of a source, closed before it is retargeted.

use crate::clip::{CycleBody, FrameMapping};
use crate::error::Error;
use crate::options::LoopRange;
use crate::report::CycleReport;
use rebone_body::Character;
use rebone_body::body::Anatomy;
use rebone_body::poses;

/// Cuts the source to a cycle and closes it. Returns the new mapping of its frames and the report with frames of the file.
///
/// # Errors
/// When there is no cycle, or not these frames.
pub(super) fn cut_to_cycle(
    source: &mut Character,
    anatomy: &Anatomy,
    mapping: FrameMapping,
    range: LoopRange,
) -> Result<(FrameMapping, CycleReport), Error> {
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
    Ok((FrameMapping { first: frames[0], leading_pose: false, ..mapping }, report))
}
