//! A contact sheet: one or more motions over time.

use super::{Column, Sheet, Track, View};

/// What a contact sheet looks like.
#[derive(Clone, Debug)]
pub(crate) struct SheetOptions {
    /// The headline.
    pub(crate) title: String,
    /// Number of the first frame in its file, for the labels.
    pub(crate) first_frame: usize,
}

/// What is shown in a column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instant {
    /// The frame of the first track.
    pub(crate) frame: usize,
    /// Seconds since its first frame.
    pub(crate) seconds: f64,
}

impl Instant {
    /// So many instants at most, spread evenly over a motion.
    pub(crate) fn spread(frames: usize, frame_time: f64, columns: usize) -> Vec<Self> {
        let instant = |frame| Self { frame, seconds: frame as f64 * frame_time };
        shown(frames, columns).into_iter().map(instant).collect()
    }

    /// The frame of another motion that is shown then.
    pub(crate) fn frame_of(&self, frames: usize, frame_time: f64) -> usize {
        let frame = if frame_time > 0.0 { (self.seconds / frame_time).round() } else { 0.0 };
        (frame as usize).min(frames.saturating_sub(1))
    }
}

/// Draws the tracks over each other, the first at the back, and encodes the sheet as PNG.
///
/// Each column shows an instant, for which each track has a frame. Tracks without frames are left out;
/// points that are not finite are not drawn.
pub(crate) fn contact_sheet(
    tracks: &[Track],
    instants: &[Instant],
    options: &SheetOptions,
) -> Vec<u8> {
    let tracks: Vec<&Track> = tracks.iter().filter(|track| !track.frames.is_empty()).collect();
    let column = |(place, instant): (usize, &Instant)| {
        let number = (instant.frame + options.first_frame).to_string();
        let frame = |track: &Track| place.min(track.frames.len() - 1);
        Column {
            figures: tracks.iter().map(|&track| (track, frame(track))).collect(),
            caption: [number, format!("{:.2} s", instant.seconds)],
            zoom: 1.0,
        }
    };
    let columns = match tracks.is_empty() {
        true => Vec::new(),
        false => instants.iter().enumerate().map(column).collect(),
    };
    Sheet {
        title: options.title.clone(),
        tracks,
        columns,
        captions: ["frame", "time"],
        views: &[View::Front, View::Side],
    }
    .draw()
}

/// Frames spread evenly, first and last included, none twice.
pub(super) fn shown(frames: usize, columns: usize) -> Vec<usize> {
    let Some(last) = frames.checked_sub(1) else { return Vec::new() };
    let steps = columns.saturating_sub(1).clamp(1, last.max(1));
    (0..=steps.min(last)).map(|i| (i * last + steps / 2) / steps).collect()
}
