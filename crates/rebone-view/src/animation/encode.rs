//! Frames as GIF: each holds only what changed since the one before it.

use super::palette_of::Palette;
use super::scene::Scene;
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use std::borrow::Cow;

/// Number of a pixel that stays as it was.
const STAYS: u8 = 0;
/// Runs of frames that an estimate encodes, and their lengths.
const RUNS: usize = 3;
const RUN_FRAMES: usize = 4;

/// A file to which frames are added.
pub(super) struct Encoded {
    to: Encoder<Vec<u8>>,
    size: [u16; 2],
    /// Numbers of the colours of the last frame.
    last: Vec<u8>,
}

impl Encoded {
    fn new(scene: &Scene, palette: &Palette) -> Self {
        let size = scene.size();
        let to = Encoder::new(Vec::new(), size[0], size[1], &palette.bytes());
        let mut to = to.expect("memory takes every byte, and a palette has at most 256 colours");
        to.set_repeat(Repeat::Infinite).expect("memory takes every byte");
        Self { to, size, last: Vec::new() }
    }

    /// Encodes all frames; `delays` in hundredths of a second.
    pub(super) fn of(scene: &mut Scene, palette: &Palette, delays: &[u16]) -> Self {
        let mut own = Self::new(scene, palette);
        for (frame, delay) in delays.iter().enumerate() {
            own.push(numbers(scene, palette, frame), *delay);
        }
        own
    }

    /// Estimates the number of bytes of all frames from some of them.
    pub(super) fn estimate(scene: &mut Scene, palette: &Palette) -> f64 {
        let frames = scene.frames();
        if frames <= RUNS * RUN_FRAMES {
            return 0.0;
        }
        let (mut first, mut others) = (0, 0);
        for run in 0..RUNS {
            let begin = run * (frames - RUN_FRAMES) / (RUNS - 1);
            let mut own = Self::new(scene, palette);
            own.push(numbers(scene, palette, begin), 1);
            let before = own.to.get_ref().len();
            (1..RUN_FRAMES).for_each(|k| own.push(numbers(scene, palette, begin + k), 1));
            first = before.max(first);
            others += own.to.get_ref().len() - before;
        }
        first as f64 + others as f64 / (RUNS * (RUN_FRAMES - 1)) as f64 * (frames - 1) as f64
    }

    /// Adds a frame.
    fn push(&mut self, numbers: Vec<u8>, delay: u16) {
        let width = usize::from(self.size[0]);
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

    /// Ends the file.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.to.into_inner().expect("memory takes every byte")
    }
}

/// Draws a frame and returns the number of the colour of each pixel.
fn numbers(scene: &mut Scene, palette: &Palette, frame: usize) -> Vec<u8> {
    let pixels = scene.draw(frame).pixels().iter();
    pixels.map(|p| palette.number([p.red(), p.green(), p.blue()])).collect()
}
