//! A contact sheet: one or more motions over time.

use crate::error::ViewError;

use super::layout::sides;
use super::{Column, Figure, Placed, Sheet, ViewDirection};

/// Largest number of columns of a contact sheet.
const MAX_COLUMNS: usize = 255;

/// Distance between figures beside each other, metres.
const GAP_METRES: f64 = 0.12;
/// Views of a contact sheet, one row each.
const VIEWS: &[ViewDirection] = &[ViewDirection::Front, ViewDirection::Side];

/// Texts of a contact sheet.
#[derive(Clone, Debug)]
pub struct SheetOptions {
    /// Headline.
    pub title: String,
    /// Number of the first frame in its file, added to the labels of columns.
    pub first_frame: usize,
}

/// Frame and time of a column.
///
/// ```
/// use rebone_view::ShownFrame;
/// let shown = ShownFrame::spread(91, 1.0 / 30.0, 4);
/// assert_eq!(shown.iter().map(|shown| shown.frame).collect::<Vec<_>>(), [0, 30, 60, 90]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ShownFrame {
    /// Frame number of the first motion.
    pub frame: usize,
    /// Seconds since its first frame.
    pub seconds: f64,
}

impl ShownFrame {
    /// Spreads at most `columns` frames, and at most 255, evenly over a motion; `frame_time` in seconds.
    pub fn spread(frames: usize, frame_time: f64, columns: usize) -> Vec<Self> {
        let instant = |frame| Self { frame, seconds: frame as f64 * frame_time };
        shown(frames, columns.min(MAX_COLUMNS)).into_iter().map(instant).collect()
    }

    /// Returns the frame number of another motion at this time; the last one after its end.
    pub fn frame_of(&self, frames: usize, frame_time: f64) -> usize {
        let frame = if frame_time > 0.0 { (self.seconds / frame_time).round() } else { 0.0 };
        (frame as usize).min(frames.saturating_sub(1))
    }
}

/// Draws figures and encodes the sheet as PNG: beside each other where one has a skin, else over each other, the first at
/// the back.
///
/// Each column shows an instant, for which each figure has a frame. Figures without frames are left out;
/// points that are not finite are not drawn. [The crate's front page](crate) has an example.
///
/// # Errors
/// For more than 255 columns.
pub fn contact_sheet(
    figures: &[Figure],
    instants: &[ShownFrame],
    options: &SheetOptions,
) -> Result<Vec<u8>, ViewError> {
    if instants.len() > MAX_COLUMNS {
        return Err(ViewError::Columns { found: instants.len(), most: MAX_COLUMNS });
    }
    let drawn: Vec<&Figure> = figures.iter().filter(|figure| !figure.frames.is_empty()).collect();
    let column = |(index, instant): (usize, &ShownFrame)| {
        let number = instant.frame.saturating_add(options.first_frame).to_string();
        let frame = |figure: &Figure| index.min(figure.frames.len() - 1);
        Column {
            figures: placed(drawn.iter().map(|figure| figure.in_middle(frame(figure))).collect()),
            caption: [number, format!("{:.2} s", instant.seconds)],
            zoom: 1.0,
        }
    };
    let columns = match drawn.is_empty() {
        true => Vec::new(),
        false => instants.iter().enumerate().map(column).collect(),
    };
    let sheet = Sheet {
        title: options.title.clone(),
        legend: drawn,
        columns,
        captions: ["frame", "time"],
        views: VIEWS,
    };
    Ok(sheet.draw())
}

/// Places the figures of a column beside each other where one has a skin.
fn placed(mut figures: Vec<Placed>) -> Vec<Placed> {
    if figures.len() < 2 || figures.iter().all(|own| own.figure.skin.is_none()) {
        return figures;
    }
    let sides: Vec<[f64; 2]> = figures.iter().map(|own| sides(own, VIEWS)).collect();
    let width = |[left, right]: &[f64; 2]| right - left + GAP_METRES;
    let mut left = -sides.iter().map(width).sum::<f64>() / 2.0;
    for (own, sides) in figures.iter_mut().zip(&sides) {
        own.shift = left - sides[0] + GAP_METRES / 2.0;
        left += width(sides);
    }
    figures
}

/// Spreads frame numbers evenly, first and last included, none twice.
pub(super) fn shown(frames: usize, columns: usize) -> Vec<usize> {
    let Some(last) = frames.checked_sub(1) else { return Vec::new() };
    let steps = columns.saturating_sub(1).clamp(1, last.max(1));
    // Products of two numbers of frames.
    let place = |i: usize| (i as u128 * last as u128 + steps as u128 / 2) / steps as u128;
    (0..=steps.min(last)).map(|i| place(i) as usize).collect()
}
