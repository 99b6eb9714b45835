//! Moving pictures: figures side by side over a floor, as GIF.

mod camera;
mod encode;
mod instants;
mod palette_of;
mod scene;
mod tubes;

use crate::error::ViewError;
use crate::sheet::{Figure, ShownFrame};
use encode::Encoded;
use palette_of::{Histogram, Palette};
use scene::Scene;

/// Largest number of frames of an animation.
const MAX_FRAMES: usize = 400;
/// Largest number of figures of an animation.
const MAX_FIGURES: usize = 8;
/// Limit of bytes: up to 10 seconds, for each second beyond, and of all.
const MAX_BYTES: f64 = 3_000_000.0;
const MAX_BYTES_PER_SECOND: f64 = 300_000.0;
const MAX_BYTES_OF_LONG: f64 = 9_000_000.0;
/// Share of the limit that the estimate from sampled frames may reach.
const ESTIMATE_SHARE: f64 = 0.92;
/// Factors of the picture's size to try, the best first.
const SIZES: [f64; 6] = [1.0, 0.85, 0.7, 0.55, 0.4, 0.3];
/// Size and tolerance of the last try, which has no limit.
const LAST: [f64; 2] = [SIZES[SIZES.len() - 1], LOOKS[LOOKS.len() - 1].1 as f64];
/// Number of colours, and tolerance in each channel of 0 to 255, to try with each size, the best first.
const LOOKS: [(usize, u8); 3] = [(160, 3), (160, 6), (128, 10)];

/// Draws figures beside each other as they move, and encodes the frames as GIF, which loops for ever.
///
/// Each figure starts in the middle of its lane. The camera stands still where the paths of the figures are short, else it
/// follows their mean. `instants` are those of the figures' frames, as [`ShownFrame::moving`] chooses them; each is shown until
/// the next one. Figures without frames are left out.
///
/// The limit of the file is 3 MB up to 10 seconds, and 300 kB more for each second beyond, up to 9 MB. The picture gets smaller
/// and its colours fewer until the file fits; the smallest one is written whatever its size.
///
/// ```
/// use rebone::{Hints, analyse};
/// use rebone_view::{Ink, MotionView, ShownFrame, animation, motion_figure};
///
/// let walk = rebone_samples::walk().motion;
/// let anatomy = analyse(&walk, &Hints::default())?;
/// let instants = ShownFrame::moving(40, walk.clip.frame_time);
/// let view =
///     MotionView { label: "walk.bvh", motion: &walk, anatomy: Some(&anatomy), skin: None };
/// let figure = motion_figure(&view, &instants, Ink::BLUE_GREY)?;
/// let gif = animation(&[figure], &instants)?;
/// assert!(gif.starts_with(b"GIF89a"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// For more than 400 instants or 8 figures.
pub fn animation(figures: &[Figure], instants: &[ShownFrame]) -> Result<Vec<u8>, ViewError> {
    if instants.len() > MAX_FRAMES {
        return Err(ViewError::Frames { found: instants.len(), most: MAX_FRAMES });
    }
    let drawn: Vec<&Figure> = figures.iter().filter(|figure| !figure.frames.is_empty()).collect();
    if drawn.len() > MAX_FIGURES {
        return Err(ViewError::Columns { found: drawn.len(), most: MAX_FIGURES });
    }
    let delays = instants::delays(instants);
    let most = most_bytes(&delays);
    let mut is_too_much = false;
    for size in SIZES {
        let mut scene = Scene::new(&drawn, delays.len(), size, is_too_much);
        let sample = scene.sample();
        for (colours, tolerance) in LOOKS {
            let is_last = [size, f64::from(tolerance)] == LAST;
            let palette = Palette::new(&Histogram::of(&sample.runs), colours);
            let look = (&palette, tolerance);
            let estimate = Encoded::estimate(&sample, look, delays.len());
            if estimate > most * ESTIMATE_SHARE && !is_last {
                continue;
            }
            let limit = if is_last { f64::INFINITY } else { most };
            if let Some(bytes) = Encoded::of(&mut scene, look, &delays, limit) {
                return Ok(bytes);
            }
        }
        is_too_much |= scene.is_too_much();
    }
    Ok(Vec::new())
}

/// Returns the limit of bytes of an animation, given the hundredths of a second of its frames.
fn most_bytes(delays: &[u16]) -> f64 {
    let seconds = delays.iter().map(|delay| f64::from(*delay)).sum::<f64>() / 100.0;
    (MAX_BYTES + (seconds - 10.0).max(0.0) * MAX_BYTES_PER_SECOND).min(MAX_BYTES_OF_LONG)
}

#[cfg(test)]
mod tests;
