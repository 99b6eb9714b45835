//! Encoding of frames as GIF: each holds only the pixels that changed since the last one by more than a tolerance.

use super::palette_of::Palette;
use super::scene::{Sample, Scene};
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use std::borrow::Cow;
use tiny_skia::Pixmap;

/// Palette number of a pixel that keeps its last colour.
const STAYS: u8 = 0;

/// A GIF in memory to which frames are added.
pub(super) struct Encoded<'a> {
    to: Encoder<Vec<u8>>,
    palette: &'a Palette,
    /// Difference of colours, 0 to 255 in each channel, up to which a pixel keeps its last colour; half of it for taking the
    /// colour of the pixel to its left.
    tolerance: u8,
    size: [u16; 2],
    /// Palette number of each pixel after the last frame; empty before the first.
    last: Vec<u8>,
}

impl<'a> Encoded<'a> {
    fn new(size: [u16; 2], (palette, tolerance): (&'a Palette, u8)) -> Self {
        let to = Encoder::new(Vec::new(), size[0], size[1], &palette.bytes());
        let mut to = to.expect("memory takes every byte, and a palette has at most 256 colours");
        to.set_repeat(Repeat::Infinite).expect("memory takes every byte");
        Self { to, palette, tolerance, size, last: Vec::new() }
    }

    /// Encodes all frames; `None` where they need more than `most` bytes. `delays` in hundredths of a second.
    pub(super) fn of(
        scene: &mut Scene,
        look: (&'a Palette, u8),
        delays: &[u16],
        most: f64,
    ) -> Option<Vec<u8>> {
        let mut encoded = Self::new(scene.size(), look);
        for (frame, delay) in delays.iter().enumerate() {
            encoded.push(numbers(scene.draw(frame), look.0), *delay);
            if encoded.to.get_ref().len() as f64 > most {
                return None;
            }
        }
        Some(encoded.to.into_inner().expect("memory takes every byte"))
    }

    /// Estimates the number of bytes of a number of frames from runs of some of them.
    pub(super) fn estimate(sample: &Sample, look: (&'a Palette, u8), frames: usize) -> f64 {
        let (mut first, mut others, mut count) = (0, 0, 0);
        for run in &sample.runs {
            let mut encoded = Self::new(sample.size, look);
            let mut before = 0;
            for pixels in run {
                encoded.push(pixels.iter().map(|colour| look.0.number(*colour)).collect(), 1);
                before = if before == 0 { encoded.to.get_ref().len() } else { before };
            }
            first = before.max(first);
            others += encoded.to.get_ref().len() - before;
            count += run.len().saturating_sub(1);
        }
        first as f64 + others as f64 / count.max(1) as f64 * frames.saturating_sub(1) as f64
    }

    /// Adds a frame of palette numbers, shown for `delay` hundredths of a second.
    fn push(&mut self, mut numbers: Vec<u8>, delay: u16) {
        let width = usize::from(self.size[0]);
        numbers.chunks_mut(width).enumerate().for_each(|(y, row)| self.simplify(row, y * width));
        let [xs, ys] = self.changed(&numbers);
        let mut buffer = Vec::with_capacity(xs.len() * ys.len());
        for y in ys.clone() {
            let row = y * width + xs.start..y * width + xs.end;
            match self.last.get(row.clone()) {
                None => buffer.extend_from_slice(&numbers[row]),
                Some(last) => {
                    let pairs = numbers[row].iter().zip(last);
                    buffer.extend(pairs.map(|(new, old)| if new == old { STAYS } else { *new }));
                }
            }
        }
        let frame = Frame {
            delay,
            dispose: DisposalMethod::Keep,
            transparent: Some(STAYS),
            left: xs.start as u16,
            top: ys.start as u16,
            width: xs.len() as u16,
            height: ys.len() as u16,
            buffer: Cow::Owned(buffer),
            ..Frame::default()
        };
        self.to.write_frame(&frame).expect("memory takes every byte, and the frame is inside");
        self.last = numbers;
    }

    /// Replaces the number of each pixel of a row by that of the last frame, or of the pixel to the left, where their colours are
    /// alike: equal numbers in a row compress well. `first` is the index of the row's first pixel.
    fn simplify(&self, row: &mut [u8], first: usize) {
        let mut left = None;
        for (x, number) in row.iter_mut().enumerate() {
            if self.palette.is_ground(*number) {
                left = Some(*number);
                continue;
            }
            let last = self.last.get(first + x).copied();
            let is_alike =
                |other: &u8, tolerance| self.palette.are_alike(*other, *number, tolerance);
            // Streaks along a row are seen more than pixels that lag behind by a frame: half the tolerance.
            let last = last.filter(|other| is_alike(other, self.tolerance));
            let left_alike = left.filter(|other| is_alike(other, self.tolerance / 2));
            *number = last.or(left_alike).unwrap_or(*number);
            left = Some(*number);
        }
    }

    /// Returns the columns and rows around all pixels that differ from the last frame; at least one of each.
    fn changed(&self, numbers: &[u8]) -> [std::ops::Range<usize>; 2] {
        let [width, height] = self.size.map(usize::from);
        if self.last.is_empty() {
            return [0..width, 0..height];
        }
        let (mut xs, mut ys) = ([width, 0], [height, 0]);
        for (at, _) in numbers.iter().zip(&self.last).enumerate().filter(|(_, (a, b))| a != b) {
            let (x, y) = (at % width, at / width);
            xs = [xs[0].min(x), xs[1].max(x + 1)];
            ys = [ys[0].min(y), ys[1].max(y + 1)];
        }
        if xs[0] < xs[1] { [xs[0]..xs[1], ys[0]..ys[1]] } else { [0..1, 0..1] }
    }
}

/// Returns the palette number of each pixel.
fn numbers(picture: &Pixmap, palette: &Palette) -> Vec<u8> {
    let pixels = picture.pixels().iter();
    pixels.map(|p| palette.number([p.red(), p.green(), p.blue()])).collect()
}
