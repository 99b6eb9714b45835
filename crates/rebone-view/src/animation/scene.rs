//! Scene of an animation: figures in lanes, their shadows, a floor with a grid, and names.

use super::camera::Camera;
use super::tubes;
use crate::palette::{BAND, FLOOR, GRID, PAPER, Rgb, SHADOW};
use crate::raster::Canvas;
use crate::sheet::{Figure, line};
use crate::text;
use nalgebra::Vector3;
use tiny_skia::{Color, Pixmap};

/// Largest width and height of a picture without its names, and least width, pixels, at size 1.
const MAX_WIDTH_PIXELS: f64 = 880.0;
const MAX_HEIGHT_PIXELS: f64 = 400.0;
const MIN_WIDTH_PIXELS: f64 = 240.0;
/// Largest scale.
const MAX_PIXELS_PER_METRE: f64 = 190.0;
/// Height of the names, pixels.
const NAMES_PIXELS: usize = 30;
/// Greatest distance to either side of the middle of a lane that is shown, and lowest and highest height, metres.
const MAX_SIDE_METRES: f64 = 1.8;
const HEIGHTS_METRES: [f64; 2] = [-1.2, 3.2];
/// Distance between bodies and the border of their lane, metres.
const MARGIN_METRES: f64 = 0.07;
/// Half the depth of the floor, and the distance between its grid lines, metres.
const FLOOR_METRES: f64 = 1.25;
const GRID_METRES: f64 = 0.5;
/// Most frames in which skins are measured.
const MEASURED_FRAMES: usize = 12;
/// Number of runs of frames in a sample, and frames of each.
const RUNS: usize = 5;
const RUN_FRAMES: usize = 3;
/// Room for the shadow of the last figure, metres.
const SHADOW_METRES: f64 = 0.35;
/// Opacity of shadows, 0 to 1.
const SHADOW_OPACITY: f32 = 0.55;

/// The figures of an animation, and all that is needed to draw a frame.
pub(super) struct Scene<'a> {
    figures: &'a [&'a Figure],
    frames: usize,
    camera: Camera,
    /// Middle of each lane, metres from the picture's left border.
    lanes: Vec<f64>,
    /// Pixels per metre, and the row of pixels of the floor at the middle of a lane.
    scale: f64,
    level: f64,
    bodies: Canvas,
    shadows: Canvas,
    /// Paper, floor and names, which all frames share.
    background: Pixmap,
    picture: Pixmap,
    /// True if skins exceed the limit of work: sticks are drawn instead.
    is_too_much: bool,
}

/// Pixels of runs of consecutive frames: run, frame, pixel.
pub(super) struct Sample {
    pub(super) runs: Vec<Vec<Vec<Rgb>>>,
    pub(super) size: [u16; 2],
}

impl<'a> Scene<'a> {
    /// Fits figures into a picture; `size` is a factor of its largest one.
    pub(super) fn new(
        figures: &'a [&'a Figure],
        frames: usize,
        size: f64,
        is_too_much: bool,
    ) -> Self {
        let camera = Camera::new(figures, frames);
        let boxes: Vec<[f64; 4]> =
            (0..figures.len()).map(|index| measure(figures, &camera, index, frames)).collect();
        let floor = FLOOR_METRES * camera.pitch[1];
        let low = boxes.iter().map(|bounds| bounds[2]).fold(-floor, f64::min);
        let high = boxes.iter().map(|bounds| bounds[3]).fold(1.0, f64::max) + MARGIN_METRES;
        let wide: f64 =
            boxes.iter().map(|[left, right, ..]| right - left + 2.0 * MARGIN_METRES).sum();
        let scale = (MAX_WIDTH_PIXELS / wide.max(0.1)).min(MAX_HEIGHT_PIXELS / (high - low));
        let scale = scale.min(MAX_PIXELS_PER_METRE) * size;
        // The last shadow falls to the right.
        let wide = wide + SHADOW_METRES;
        let spare = ((MIN_WIDTH_PIXELS * size).max(160.0) / scale - wide).max(0.0);
        let mut left = spare / 2.0;
        let lanes = boxes.iter().map(|bounds| {
            let middle = left + MARGIN_METRES - bounds[0];
            left = middle + bounds[1] + MARGIN_METRES;
            middle
        });
        let lanes = lanes.collect();
        let width = ((wide + spare) * scale).ceil().max(1.0) as usize;
        let height = ((high - low) * scale).ceil().max(1.0) as usize;
        let (paper, names) = (color(PAPER), NAMES_PIXELS);
        let picture = Pixmap::new(width as u32, (height + names) as u32);
        let mut picture = picture.expect("a picture is never empty");
        picture.fill(paper);
        let [bodies, shadows] = [(), ()].map(|()| Canvas::new(width, height));
        let background = picture.clone();
        let level = high * scale;
        let mut scene = Self {
            figures,
            frames,
            camera,
            lanes,
            scale,
            level,
            bodies,
            shadows,
            background,
            picture,
            is_too_much,
        };
        scene.draw_background();
        scene
    }

    /// Width and height in pixels.
    pub(super) fn size(&self) -> [u16; 2] {
        [self.picture.width() as u16, self.picture.height() as u16]
    }

    /// Returns whether skins exceeded the limit of work in any frame so far.
    pub(super) fn is_too_much(&self) -> bool {
        self.is_too_much
    }

    /// Draws some runs of frames.
    pub(super) fn sample(&mut self) -> Sample {
        let count = self.frames.min(RUN_FRAMES);
        let begins = (0..RUNS).map(|run| (2 * run + 1) * (self.frames - count) / (2 * RUNS));
        let begins: Vec<usize> = begins.collect();
        let mut pixels = |frame: usize| -> Vec<Rgb> {
            let pixels = self.draw(frame).pixels().iter();
            pixels.map(|p| [p.red(), p.green(), p.blue()]).collect()
        };
        let run = |begin: usize| (begin..begin + count).map(&mut pixels).collect();
        let runs = begins.into_iter().map(run).collect();
        Sample { runs, size: self.size() }
    }

    /// Draws a frame.
    pub(super) fn draw(&mut self, frame: usize) -> &Pixmap {
        self.bodies.clear();
        self.shadows.clear();
        (0..self.figures.len()).for_each(|index| self.draw_figure(index, frame));
        if self.bodies.is_full() || self.shadows.is_full() {
            // Some triangles are missing: sticks are drawn in this frame and all later ones.
            let was_skinned = !std::mem::replace(&mut self.is_too_much, true);
            if was_skinned {
                self.background.fill(color(PAPER));
                self.draw_background();
                return self.draw(frame);
            }
        }
        self.picture = self.background.clone();
        self.draw_grid(frame);
        self.shadows.shade(&mut self.picture, SHADOW, SHADOW_OPACITY);
        self.bodies.draw_over(&mut self.picture, [0, 0], 1.0);
        &self.picture
    }

    fn draw_figure(&mut self, index: usize, frame: usize) {
        let figure = self.figures[index];
        let at = frame.min(figure.frames.len() - 1);
        let (camera, lane, scale, level) =
            (&self.camera, self.lanes[index], self.scale, self.level);
        let floor = FLOOR_METRES * camera.pitch[1];
        let pixel = |seen: &Vector3<f64>| [(lane + seen.x) * scale, level - seen.y * scale];
        let shadow = |seen: &Vector3<f64>| {
            let [right, up] = camera.shadow(seen);
            [(lane + right) * scale, level - up.clamp(-floor, floor) * scale]
        };
        match figure.skin.as_ref().filter(|_| !self.is_too_much) {
            Some(skin) => {
                let mut places = skin.places(at);
                let view =
                    |place: &mut Vector3<f64>| *place = camera.view(index, frame, (*place).into());
                places.iter_mut().for_each(view);
                skin.draw(&places, pixel, &mut self.bodies);
                skin.draw_flat(&places, shadow, &mut self.shadows);
            }
            None => {
                let points = figure.frames[at].iter();
                let places: Vec<_> =
                    points.map(|point| camera.view(index, frame, *point)).collect();
                tubes::draw(figure, &places, pixel, &mut self.bodies);
                tubes::draw(figure, &places, shadow, &mut self.shadows);
            }
        }
    }

    /// Draws floor and names.
    fn draw_background(&mut self) {
        let (width, floor) = (self.background.width(), FLOOR_METRES * self.camera.pitch[1]);
        let rows = [self.level - floor * self.scale, self.level + floor * self.scale];
        let last = self.background.height() as usize - NAMES_PIXELS;
        let rows = rows.map(|row| (row.round().max(0.0) as usize).min(last));
        let band = color(BAND).premultiply().to_color_u8();
        let pixels = self.background.pixels_mut();
        pixels[rows[0] * width as usize..rows[1] * width as usize].fill(band);
        let ends = self.lanes.windows(2).map(|two| (two[0] + two[1]) / 2.0 * self.scale);
        let ends: Vec<f64> = ends.chain([f64::from(width)]).collect();
        let mut left = 0.0;
        for (figure, right) in self.figures.iter().zip(ends) {
            let room = (right - left) as f32 - 12.0;
            let is_sticks = self.is_too_much && figure.skin.is_some();
            let note = if is_sticks { ": mesh too large" } else { "" };
            let name = text::shorten(&format!("{}{note}", figure.label), text::SMALL, room);
            let middle = (left + right) as f32 / 2.0 - text::width(&name, text::SMALL) / 2.0;
            let top = last as f32 + 7.0;
            text::draw(&mut self.background, &name, middle, top, text::SMALL);
            left = right;
        }
    }

    /// Draws the grid lines of the floor, which stand still in the world.
    fn draw_grid(&mut self, frame: usize) {
        let [x, z] = self.camera.floor.get(frame).copied().unwrap_or_default();
        let [level, up] = self.camera.pitch;
        let (turn, width) = (self.camera.turn, f64::from(self.picture.width()) / self.scale);
        // Lines are in metres to the right of the left border and towards the viewer.
        let first = self.lanes.first().copied().unwrap_or(width / 2.0);
        let reach = width + 2.0 * FLOOR_METRES;
        let count = (reach / GRID_METRES).ceil() as i32;
        for (axis, at) in [(0, x), (2, z)] {
            let begin = (at / GRID_METRES).round() * GRID_METRES - at;
            for k in -count..=count {
                let ends = [-reach, reach].map(|along| {
                    let mut place = Vector3::zeros();
                    place[axis] = begin + f64::from(k) * GRID_METRES;
                    place[2 - axis] = along;
                    let seen = turn * place;
                    [first + seen.x, seen.z * level - seen.y * up]
                });
                let bounds = [[0.0, width], [-FLOOR_METRES, FLOOR_METRES]];
                let Some(ends) = clipped(ends, bounds) else { continue };
                let pixel = |[right, near]: [f64; 2]| {
                    let y = self.level + near * up * self.scale;
                    ((right * self.scale) as f32, y as f32)
                };
                line(&mut self.picture, pixel(ends[0]), pixel(ends[1]), GRID, 1.0);
            }
        }
        let y = (self.level - FLOOR_METRES * up * self.scale) as f32;
        line(&mut self.picture, (0.0, y), ((width * self.scale) as f32, y), FLOOR, 1.0);
    }
}

/// Returns the frames in which skins are measured, spread evenly over an animation.
fn measured(frames: usize) -> impl Iterator<Item = usize> {
    let count = frames.min(MEASURED_FRAMES);
    (0..count).map(move |k| k * frames.saturating_sub(1) / count.saturating_sub(1).max(1))
}

/// Returns the bounds of a figure over the animation, metres from the middle of its lane: left, right, low, high.
fn measure(figures: &[&Figure], camera: &Camera, index: usize, frames: usize) -> [f64; 4] {
    let figure = figures[index];
    let mut found: [f64; 4] = [-0.25, 0.25, 0.0, 1.0];
    let mut include = |frame: usize, point: [f64; 3]| {
        let seen = camera.view(index, frame, point);
        // `min` and `max` ignore NaN.
        found = [
            found[0].min(seen.x),
            found[1].max(seen.x),
            found[2].min(seen.y),
            found[3].max(seen.y),
        ];
    };
    let last = figure.frames.len() - 1;
    let ends: Vec<usize> = figure
        .strokes
        .iter()
        .flat_map(|stroke| stroke.ends)
        .chain(figure.skull.into_iter().flatten())
        .collect();
    for frame in 0..frames {
        ends.iter().for_each(|end| include(frame, figure.frames[frame.min(last)][*end]));
    }
    for frame in measured(frames) {
        let places = figure.skin.iter().flat_map(|skin| skin.places(frame.min(last)));
        places.for_each(|place| include(frame, place.into()));
    }
    let [low, high] = HEIGHTS_METRES;
    let [left, right] = [found[0], found[1]].map(|x| x.clamp(-MAX_SIDE_METRES, MAX_SIDE_METRES));
    [left, right, found[2].max(low), found[3].min(high)]
}

/// Returns the part of a line inside of bounds of both coordinates; `None` where it is outside.
fn clipped([from, to]: [[f64; 2]; 2], bounds: [[f64; 2]; 2]) -> Option<[[f64; 2]; 2]> {
    let mut shares = [0.0_f64, 1.0_f64];
    for (axis, [low, high]) in bounds.into_iter().enumerate() {
        let (start, way) = (from[axis], to[axis] - from[axis]);
        if way.abs() < 1e-9 {
            if start < low || start > high {
                return None;
            }
            continue;
        }
        let ends = [(low - start) / way, (high - start) / way];
        shares = [shares[0].max(ends[0].min(ends[1])), shares[1].min(ends[0].max(ends[1]))];
    }
    let at = |share: f64| [0, 1].map(|axis| from[axis] + share * (to[axis] - from[axis]));
    (shares[0] < shares[1]).then(|| shares.map(at))
}

fn color([r, g, b]: Rgb) -> Color {
    Color::from_rgba8(r, g, b, 255)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_at_the_bounds() {
        let bounds = [[0.0, 4.0], [-1.0, 1.0]];
        assert_eq!(clipped([[-4.0, 0.0], [8.0, 0.0]], bounds), Some([[0.0, 0.0], [4.0, 0.0]]));
        assert_eq!(clipped([[2.0, -9.0], [2.0, 9.0]], bounds), Some([[2.0, -1.0], [2.0, 1.0]]));
        assert_eq!(clipped([[-4.0, 2.0], [8.0, 2.0]], bounds), None);
        assert_eq!(clipped([[0.0, f64::NAN], [1.0, f64::NAN]], bounds).map(|_| ()), Some(()));
    }
}
