//! A contact sheet: one or more motions over time, from the front and from the side, as a PNG.
//!
//! Plain points in, a picture out; where the points come from is the caller's business.

mod figure;

mod layout;

mod palette;

mod text;

pub(crate) use palette::{Ink, Rgb};

use layout::{Layout, View};
use tiny_skia::{Color, Paint, PathBuilder, Pixmap, Rect, Stroke, Transform};

/// A place in the inner world: metres of a 1.7 m body, +X to the body's left, +Y up, +Z forward.
pub(crate) type Point = [f64; 3];

/// Which limb a bone belongs to; left ones are drawn darker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// The body's own left.
    Left,
    /// Trunk and head.
    Middle,
    /// The body's own right.
    Right,
}

/// A stroke between two points of a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bone {
    /// Indices into a frame's points.
    pub(crate) ends: [usize; 2],
    /// Which limb it belongs to.
    pub(crate) side: Side,
    /// Fingers and the like.
    pub(crate) thin: bool,
}

/// One motion to draw.
#[derive(Clone, Debug)]
pub(crate) struct Track {
    /// What the header calls it.
    pub(crate) label: String,
    /// Its colours.
    pub(crate) ink: Ink,
    /// Seconds from one frame to the next.
    pub(crate) frame_time: f64,
    /// The points of each frame, all frames of the same length.
    pub(crate) frames: Vec<Vec<Point>>,
    /// The two points in the middle of which figures are centred: the hips.
    pub(crate) centre: [usize; 2],
    /// The strokes.
    pub(crate) bones: Vec<Bone>,
    /// Base and top of the skull, drawn as a circle.
    pub(crate) skull: Option<[usize; 2]>,
}

/// What a sheet looks like.
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
    let layout = Layout::new(&tracks, options);
    let [r, g, b] = palette::PAPER;
    let paper = Color::from_rgba8(r, g, b, 255);
    let mut sheet = Pixmap::new(layout.width, layout.height).expect("a layout is never empty");
    sheet.fill(paper);
    header(&mut sheet, &layout, &tracks, &options.title);
    for view in View::BOTH {
        row(&mut sheet, &layout, view);
    }
    for (column, instant) in layout.instants.iter().enumerate() {
        caption(&mut sheet, &layout, column, options.first_frame);
        for view in View::BOTH {
            for (depth, track) in tracks.iter().enumerate() {
                let cell = layout.cell(view, column);
                let width = figure::stroke_width(depth, tracks.len());
                figure::draw(&mut sheet, track, track.frame_at(*instant), view, &cell, width);
            }
        }
    }
    encode(&sheet)
}

impl Track {
    /// Where the middle of the body is in a frame.
    fn centre(&self, frame: usize) -> Point {
        let [a, b] = self.centre.map(|index| self.frames[frame][index]);
        std::array::from_fn(|axis| (a[axis] + b[axis]) / 2.0)
    }

    /// The frame shown at this many seconds.
    fn frame_at(&self, seconds: f64) -> usize {
        let frame = if self.frame_time > 0.0 { (seconds / self.frame_time).round() } else { 0.0 };
        (frame as usize).min(self.frames.len() - 1)
    }
}

/// The headline and what is drawn in which colour.
fn header(sheet: &mut Pixmap, layout: &Layout, tracks: &[&Track], title: &str) {
    let left = layout::MARGIN;
    let room = layout.width as f32 - 2.0 * left;
    text::draw(sheet, &text::shorten(title, text::TITLE, room), left, 14.0, text::TITLE);
    let mut x = left;
    for track in tracks {
        for (shade, dx) in [(track.ink.left, 0.0), (track.ink.right, 12.0)] {
            let from = (x + dx + 2.0, layout.legend + 17.0);
            line(sheet, from, (from.0 + 8.0, from.1 - 12.0), shade, 5.0);
        }
        let room = layout.width as f32 - x - 60.0;
        let label = text::shorten(&track.label, text::STRONG, room);
        x += 34.0;
        x += text::draw(sheet, &label, x, layout.legend, text::STRONG) + 28.0;
    }
    let note = "left limbs dark, right limbs light";
    if x + text::width(note, text::SMALL) < layout.width as f32 {
        text::draw(sheet, note, x, layout.legend + 2.0, text::SMALL);
    }
}

/// Bands behind every second column, the floor, the name of the view.
fn row(sheet: &mut Pixmap, layout: &Layout, view: View) {
    for column in 0..layout.instants.len() {
        let cell = layout.cell(view, column);
        let band = Rect::from_xywh(cell.left + 2.0, cell.top, cell.width - 4.0, cell.height);
        sheet.fill_rect(
            band.expect("a cell has an extent"),
            &paint(palette::BAND),
            Transform::identity(),
            None,
        );
        if cell.floor < cell.top + cell.height {
            let ends = ((cell.left + 2.0, cell.floor), (cell.left + cell.width - 2.0, cell.floor));
            line(sheet, ends.0, ends.1, palette::FLOOR, 2.0);
        }
    }
    if layout.instants.is_empty() {
        return;
    }
    let cell = layout.cell(view, 0);
    text::draw(sheet, view.name(), layout::MARGIN, cell.top + 4.0, text::STRONG);
    text::draw(sheet, "floor", layout::MARGIN, cell.floor - 11.0, text::SMALL);
}

/// Frame and time under a column.
fn caption(sheet: &mut Pixmap, layout: &Layout, column: usize, first_frame: usize) {
    let cell = layout.cell(View::Side, column);
    let middle = cell.root;
    let top = cell.top + cell.height + 6.0;
    let frame = (layout.shown[column] + first_frame).to_string();
    let time = format!("{:.2} s", layout.instants[column]);
    text::draw(sheet, &frame, middle - text::width(&frame, text::STRONG) / 2.0, top, text::STRONG);
    let left = middle - text::width(&time, text::SMALL) / 2.0;
    text::draw(sheet, &time, left, top + 22.0, text::SMALL);
    if column == 0 {
        text::draw(sheet, "frame", layout::MARGIN, top + 2.0, text::SMALL);
        text::draw(sheet, "time", layout::MARGIN, top + 22.0, text::SMALL);
    }
}

/// A straight stroke with round ends.
fn line(sheet: &mut Pixmap, from: (f32, f32), to: (f32, f32), colour: Rgb, width: f32) {
    let mut path = PathBuilder::new();
    path.move_to(from.0, from.1);
    path.line_to(to.0, to.1);
    let Some(path) = path.finish() else { return };
    let stroke = Stroke { width, line_cap: tiny_skia::LineCap::Round, ..Stroke::default() };
    sheet.stroke_path(&path, &paint(colour), &stroke, Transform::identity(), None);
}

/// A plain colour, anti-aliased.
fn paint([r, g, b]: Rgb) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(r, g, b, 255);
    paint
}

/// The sheet as an RGB PNG.
fn encode(sheet: &Pixmap) -> Vec<u8> {
    let rgb: Vec<u8> = sheet.pixels().iter().flat_map(|p| [p.red(), p.green(), p.blue()]).collect();
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, sheet.width(), sheet.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Balanced);
    let mut writer = encoder.write_header().expect("memory takes every byte");
    writer.write_image_data(&rgb).expect("the buffer has the size that the header states");
    writer.finish().expect("memory takes every byte");
    bytes
}

#[cfg(test)]
mod tests;
