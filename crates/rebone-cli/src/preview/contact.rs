//! A contact sheet: one or more motions over time.

use super::{Column, Sheet, Track, View};

/// What a contact sheet looks like.
#[derive(Clone, Debug)]
pub(crate) struct SheetOptions {
    /// The headline.
    pub(crate) title: String,
    /// How many instants to show.
    pub(crate) columns: usize,
    /// Number of the first frame in its file, for the labels.
    pub(crate) first_frame: usize,
}

/// Draws the tracks over each other, the first at the back, and encodes the sheet as PNG.
///
/// The columns are spread evenly over the first track's duration; other tracks are shown at the
/// same seconds. Tracks without frames are left out; points that are not finite are not drawn.
pub(crate) fn contact_sheet(tracks: &[Track], options: &SheetOptions) -> Vec<u8> {
    let tracks: Vec<&Track> = tracks.iter().filter(|track| !track.frames.is_empty()).collect();
    let columns = tracks.first().map_or(Vec::new(), |first| {
        let shown = shown(first.frames.len(), options.columns);
        let column = |frame: usize| {
            let seconds = frame as f64 * first.frame_time;
            let number = (frame + options.first_frame).to_string();
            Column {
                figures: tracks.iter().map(|&track| (track, track.frame_at(seconds))).collect(),
                caption: [number, format!("{seconds:.2} s")],
                zoom: 1.0,
            }
        };
        shown.into_iter().map(column).collect()
    });
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
    let last = frames - 1;
    let steps = columns.saturating_sub(1).clamp(1, last.max(1));
    (0..=steps.min(last)).map(|i| (i * last + steps / 2) / steps).collect()
}
