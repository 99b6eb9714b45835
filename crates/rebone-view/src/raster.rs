//! Rasteriser of triangles with a depth buffer, anti-aliased by four samples a pixel.

use crate::palette::Rgb;
use tiny_skia::{Pixmap, PremultipliedColorU8};

/// Samples of a pixel along each side.
const SAMPLES: usize = 2;
/// Limit of samples and rows that triangles visit, per sample of the canvas; bodies stay below it.
const MAX_VISITS_PER_SAMPLE: usize = 50;
/// Limit of samples of a canvas.
const MAX_CANVAS_SAMPLES: usize = 1 << 25;

/// A corner of a triangle.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Corner {
    /// X to the right and Y down in pixels of the canvas, Z towards the viewer in any unit.
    pub(crate) place: [f32; 3],
    /// Red, green and blue, 0 to 255.
    pub(crate) colour: [f32; 3],
}

/// A rectangle of samples with colours and depths.
pub(crate) struct Canvas {
    width: usize,
    height: usize,
    depths: Vec<f32>,
    colours: Vec<Rgb>,
    /// Number of samples and rows that triangles may visit until the canvas is full.
    room: usize,
}

impl Canvas {
    /// Makes an empty canvas of `width` by `height` pixels; of no pixels where it would be too large.
    pub(crate) fn new(width: usize, height: usize) -> Self {
        let samples = width.saturating_mul(height).saturating_mul(SAMPLES * SAMPLES);
        let (width, height) = match samples > MAX_CANVAS_SAMPLES {
            true => (0, 0),
            false => (width * SAMPLES, height * SAMPLES),
        };
        let count = width * height;
        let mut canvas = Self { width, height, depths: Vec::new(), colours: Vec::new(), room: 0 };
        (canvas.depths, canvas.colours) = (vec![0.0; count], vec![[0; 3]; count]);
        canvas.clear();
        canvas
    }

    /// Removes all triangles.
    pub(crate) fn clear(&mut self) {
        self.depths.fill(f32::NEG_INFINITY);
        self.room = self.depths.len().saturating_mul(MAX_VISITS_PER_SAMPLE);
    }

    /// Returns whether the limit of work is reached: triangles after it are not drawn.
    pub(crate) fn is_full(&self) -> bool {
        self.room == 0
    }

    /// Draws a triangle of either winding where nothing is nearer; none whose corners are not finite.
    pub(crate) fn triangle(&mut self, corners: [Corner; 3]) {
        let [a, b, c] = corners.map(|corner| {
            let [x, y, z] = corner.place;
            [x * SAMPLES as f32, y * SAMPLES as f32, z]
        });
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        let is_finite = a.iter().chain(&b).chain(&c).all(|x| x.is_finite());
        if !is_finite || !area.is_normal() {
            return;
        }
        let ys = range([a[1], b[1], c[1]], self.height);
        // Shares of the corners b and c change by a constant from sample to sample.
        let steps = [
            [(c[1] - a[1]) / area, -(c[0] - a[0]) / area],
            [-(b[1] - a[1]) / area, (b[0] - a[0]) / area],
        ];
        for y in ys {
            let from = [0.5 - a[0], y as f32 + 0.5 - a[1]];
            let [of_b, of_c] = steps.map(|step| from[0] * step[0] + from[1] * step[1]);
            let first = [1.0 - of_b - of_c, of_b, of_c];
            let change = [-steps[0][0] - steps[1][0], steps[0][0], steps[1][0]];
            let xs = covered(first, change, self.width);
            self.room = self.room.saturating_sub(1 + xs.len());
            if self.room == 0 {
                return;
            }
            let sum = |shares: [f32; 3], of: [f32; 3]| {
                shares[0] * of[0] + shares[1] * of[1] + shares[2] * of[2]
            };
            let depths = [a[2], b[2], c[2]];
            let (depth, deeper) = (sum(first, depths), sum(change, depths));
            let parts = [0, 1, 2].map(|k| corners.map(|corner| corner.colour[k]));
            let [red, green, blue] = parts.map(|part| (sum(first, part) + 0.5, sum(change, part)));
            let row = y * self.width + xs.start..y * self.width + xs.end;
            let samples = self.depths[row.clone()].iter_mut().zip(&mut self.colours[row]);
            for (x, (nearest, colour)) in xs.zip(samples) {
                let x = x as f32;
                let depth = depth + x * deeper;
                if depth > *nearest {
                    *nearest = depth;
                    // Casts clamp to 0 to 255.
                    let part = |(first, change): (f32, f32)| (first + x * change) as u8;
                    *colour = [part(red), part(green), part(blue)];
                }
            }
        }
    }

    /// Draws the canvas over a picture, with its left top corner at a pixel; `opacity` 0 to 1.
    pub(crate) fn draw_over(&self, picture: &mut Pixmap, [left, top]: [usize; 2], opacity: f32) {
        let (width, height) = (picture.width() as usize, picture.height() as usize);
        let pixels = picture.pixels_mut();
        for y in 0..(self.height / SAMPLES).min(height.saturating_sub(top)) {
            for x in 0..(self.width / SAMPLES).min(width.saturating_sub(left)) {
                let (sum, covered) = self.samples(x, y);
                if covered > 0.0 {
                    let pixel = &mut pixels[(top + y) * width + left + x];
                    *pixel = blended(*pixel, sum, covered, opacity);
                }
            }
        }
    }

    /// Blends one colour over a picture where there are triangles, whatever their colours; `opacity` 0 to 1.
    pub(crate) fn shade(&self, picture: &mut Pixmap, colour: Rgb, opacity: f32) {
        let (width, height) = (picture.width() as usize, picture.height() as usize);
        let pixels = picture.pixels_mut();
        for y in 0..(self.height / SAMPLES).min(height) {
            for x in 0..(self.width / SAMPLES).min(width) {
                let (_, covered) = self.samples(x, y);
                if covered > 0.0 {
                    let sum = colour.map(|part| f32::from(part) * covered);
                    let pixel = &mut pixels[y * width + x];
                    *pixel = blended(*pixel, sum, covered, opacity);
                }
            }
        }
    }

    /// Returns the sum of the colours of a pixel's samples and their number.
    fn samples(&self, x: usize, y: usize) -> ([f32; 3], f32) {
        let (mut sum, mut covered) = ([0.0; 3], 0.0);
        for row in 0..SAMPLES {
            let first = (y * SAMPLES + row) * self.width + x * SAMPLES;
            for at in first..first + SAMPLES {
                if self.depths[at] > f32::NEG_INFINITY {
                    covered += 1.0;
                    sum.iter_mut().zip(self.colours[at]).for_each(|(sum, x)| *sum += f32::from(x));
                }
            }
        }
        (sum, covered)
    }
}

/// Returns the samples between the least and the greatest coordinate, as far as the canvas has them.
fn range(values: [f32; 3], size: usize) -> std::ops::Range<usize> {
    let low = values.iter().fold(f32::MAX, |a, b| a.min(*b)).floor().max(0.0);
    let high = values.iter().fold(f32::MIN, |a, b| a.max(*b)).ceil().min(size as f32);
    if low < high { low as usize..high as usize } else { 0..0 }
}

/// Returns the samples of a row in which no share is below 0, given the shares at the first sample and their changes from one
/// to the next.
fn covered(first: [f32; 3], change: [f32; 3], width: usize) -> std::ops::Range<usize> {
    let (mut low, mut high) = (0.0_f32, width as f32 - 1.0);
    for (share, step) in first.into_iter().zip(change) {
        if step > 0.0 {
            low = low.max((-share / step).ceil());
        } else if step < 0.0 {
            high = high.min((-share / step).floor());
        } else if share < 0.0 {
            return 0..0;
        }
    }
    if low <= high { low as usize..high as usize + 1 } else { 0..0 }
}

/// Returns an opaque pixel with the colours of its covered samples over it.
fn blended(
    pixel: PremultipliedColorU8,
    sum: [f32; 3],
    covered: f32,
    opacity: f32,
) -> PremultipliedColorU8 {
    let share = covered / (SAMPLES * SAMPLES) as f32 * opacity;
    let old = [pixel.red(), pixel.green(), pixel.blue()];
    let [r, g, b] = std::array::from_fn(|k| {
        let new = sum[k] / covered;
        (f32::from(old[k]) * (1.0 - share) + new * share + 0.5) as u8
    });
    PremultipliedColorU8::from_rgba(r, g, b, 255).unwrap_or(pixel)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tiny_skia::Color;

    const RED: [f32; 3] = [255.0, 0.0, 0.0];
    const BLUE: [f32; 3] = [0.0, 0.0, 255.0];

    fn corners(places: [[f32; 3]; 3], colour: [f32; 3]) -> [Corner; 3] {
        places.map(|place| Corner { place, colour })
    }

    /// A triangle that covers a square of 8 pixels from 0, 0 on.
    fn cover(depth: f32, colour: [f32; 3]) -> [Corner; 3] {
        corners([[0.0, 0.0, depth], [16.0, 0.0, depth], [0.0, 16.0, depth]], colour)
    }

    fn picture(canvas: &Canvas) -> Vec<Rgb> {
        let mut picture = Pixmap::new(8, 8).unwrap();
        picture.fill(Color::WHITE);
        canvas.draw_over(&mut picture, [0, 0], 1.0);
        picture.pixels().iter().map(|p| [p.red(), p.green(), p.blue()]).collect()
    }

    #[test]
    fn the_nearer_triangle_is_seen_whatever_is_drawn_first() {
        for order in [[0, 1], [1, 0]] {
            let mut canvas = Canvas::new(8, 8);
            let both = [cover(1.0, RED), cover(2.0, BLUE)];
            order.into_iter().for_each(|k| canvas.triangle(both[k]));
            assert!(picture(&canvas).iter().all(|pixel| *pixel == [0, 0, 255]));
        }
    }

    #[test]
    fn half_covered_pixels_are_half_of_each_and_both_windings_are_seen() {
        let mut canvas = Canvas::new(8, 8);
        // A square from 2.5 to 5 pixels, in two triangles of different windings.
        let [a, b, c, d] = [[2.5, 2.0, 0.0], [5.0, 2.0, 0.0], [5.0, 4.0, 0.0], [2.5, 4.0, 0.0]];
        canvas.triangle(corners([a, b, c], RED));
        canvas.triangle(corners([a, d, c], RED));
        let pixels = picture(&canvas);
        for (x, expected) in [(1, 255), (2, 128), (3, 0), (4, 0), (5, 255)] {
            assert_eq!(pixels[2 * 8 + x], [255, expected, expected], "{x}");
        }
        assert_eq!(pixels[4 * 8 + 3], [255; 3]);
    }

    #[test]
    fn nothing_and_nonsense_leave_the_picture_as_it_is() {
        let mut canvas = Canvas::new(8, 8);
        let odd = [f32::NAN, f32::INFINITY, 1e30, -1e30];
        for x in odd {
            canvas.triangle(corners([[x, 0.0, 0.0], [x, x, 0.0], [0.0, x, x]], RED));
        }
        canvas.triangle(corners([[1.0, 1.0, 0.0]; 3], RED));
        canvas.triangle(corners([[-9.0, 1.0, 0.0], [-1.0, 1.0, 0.0], [-1.0, 5.0, 0.0]], RED));
        assert!(picture(&canvas).iter().all(|pixel| *pixel == [255; 3]) && !canvas.is_full());
        Canvas::new(usize::MAX, 3).triangle(cover(0.0, RED));
        Canvas::new(0, 0).triangle(cover(0.0, RED));
    }

    #[test]
    fn the_work_is_limited() {
        let mut canvas = Canvas::new(8, 8);
        (0..2 * MAX_VISITS_PER_SAMPLE).for_each(|_| canvas.triangle(cover(0.0, RED)));
        assert!(canvas.is_full());
        canvas.clear();
        assert!(!canvas.is_full() && picture(&canvas).iter().all(|pixel| *pixel == [255; 3]));
    }
}
