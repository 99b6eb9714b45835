//! Drawing of a sheet as PNG: header, rows, captions, figures.

use super::layout::{self, Layout};
use super::paint::{colour, line};
use super::{Figure, Placed, Sheet, ViewDirection, figure};
use crate::palette::{self, Rgb};
use crate::text;
use tiny_skia::{Color, Pixmap, Rect, Transform};

/// Widths in the legend: of the two strokes before a name, of the gap after it, of the names of the axes.
const LEGEND_STROKES_PIXELS: f32 = 34.0;
const LEGEND_GAP_PIXELS: f32 = 28.0;
const LEGEND_AXES_PIXELS: f32 = 140.0;

impl Sheet<'_> {
    /// Draws the sheet and encodes it as PNG.
    pub(crate) fn draw(&self) -> Vec<u8> {
        let layout = Layout::new(self);
        let [r, g, b] = palette::PAPER;
        let paper = Color::from_rgba8(r, g, b, 255);
        let mut paint = Pixmap::new(layout.width, layout.height).expect("a layout is never empty");
        paint.fill(paper);
        (0..self.views.len()).for_each(|row| self.row(&mut paint, &layout, row));
        let mut is_whole = true;
        for (column, shown) in self.columns.iter().enumerate() {
            self.caption(&mut paint, &layout, column);
            for (row, &view) in self.views.iter().enumerate() {
                let cell = layout.cell(row, column);
                let is_skin: Vec<bool> = shown
                    .figures
                    .iter()
                    .map(|own| figure::draw_skin(&mut paint, own, view, &cell))
                    .collect();
                is_whole &= shown
                    .figures
                    .iter()
                    .zip(&is_skin)
                    .all(|(own, is_skin)| *is_skin || own.figure.skin.is_none());
                let sticks =
                    |(own, is_skin): &(&Placed, &bool)| !**is_skin || !own.figure.axes.is_empty();
                let over = shown.figures.iter().zip(&is_skin).filter(sticks);
                let over: Vec<&Placed> = over.map(|(own, _)| own).collect();
                for own in over.iter().filter(|own| own.figure.skin.is_none()) {
                    figure::fill_surface(&mut paint, own, view, &cell);
                }
                let is_apart = shown.figures.iter().any(|own| own.shift != 0.0);
                for (depth, own) in over.iter().enumerate() {
                    let (depth, count) = if is_apart { (0, 1) } else { (depth, over.len()) };
                    let width = figure::stroke_width(depth, count);
                    figure::draw(&mut paint, own, view, &cell, width);
                }
            }
        }
        self.header(&mut paint, &layout, is_whole);
        encode(&paint)
    }

    /// Draws headline and legend.
    fn header(&self, paint: &mut Pixmap, layout: &Layout, is_whole: bool) {
        let left = layout::MARGIN_PIXELS;
        let room = layout.width as f32 - 2.0 * left;
        text::draw(paint, &text::shorten(&self.title, text::TITLE, room), left, 14.0, text::TITLE);
        let mut x = left;
        let labels = self.labels(room);
        for (figure, label) in self.legend.iter().zip(&labels) {
            for (shade, dx) in [(figure.ink.left, 0.0), (figure.ink.right, 12.0)] {
                legend_stroke(paint, layout, x + dx, shade);
            }
            x += LEGEND_STROKES_PIXELS;
            x += text::draw(paint, label, x, layout.legend, text::STRONG) + LEGEND_GAP_PIXELS;
        }
        if self.has_axes() {
            for (axis, name) in ["X", "Y", "Z"].into_iter().enumerate() {
                legend_stroke(paint, layout, x, palette::AXES[axis]);
                x += 20.0 + text::draw(paint, name, x + 20.0, layout.legend, text::STRONG) + 8.0;
            }
            x += 20.0;
        }
        let note = match is_whole {
            true => "left limbs dark, right limbs light",
            false => "a mesh is too large: sticks",
        };
        if x + text::width(note, text::SMALL) < layout.width as f32 {
            text::draw(paint, note, x, layout.legend + 2.0, text::SMALL);
        }
    }

    /// Returns the names of the figures, shortened so that the legend fits into `room` pixels: each name gets its
    /// share of the room that the others leave.
    pub(super) fn labels(&self, room: f32) -> Vec<String> {
        let axes = if self.has_axes() { LEGEND_AXES_PIXELS } else { 0.0 };
        let mut room =
            room - axes - self.legend.len() as f32 * (LEGEND_STROKES_PIXELS + LEGEND_GAP_PIXELS);
        let wide: Vec<f32> =
            self.legend.iter().map(|figure| text::width(&figure.label, text::STRONG)).collect();
        let label = |(index, figure): (usize, &&Figure)| {
            let later = &wide[index + 1..];
            let share = room / (later.len() + 1) as f32;
            let needed: f32 = later.iter().map(|wide| wide.min(share)).sum();
            let label = text::shorten(&figure.label, text::STRONG, room - needed);
            room -= text::width(&label, text::STRONG);
            label
        };
        self.legend.iter().enumerate().map(label).collect()
    }

    fn has_axes(&self) -> bool {
        self.legend.iter().any(|figure| !figure.axes.is_empty())
    }

    /// Draws the backgrounds of a row, the floor, the name of the view.
    fn row(&self, paint: &mut Pixmap, layout: &Layout, row: usize) {
        let has_floor = self.views[row] != ViewDirection::Top;
        for column in 0..self.columns.len() {
            let cell = layout.cell(row, column);
            let band = Rect::from_xywh(cell.left + 2.0, cell.top, cell.width - 4.0, cell.height);
            let band = band.expect("a cell has an extent");
            paint.fill_rect(band, &colour(palette::BAND), Transform::identity(), None);
            if has_floor && cell.level < cell.top + cell.height {
                let left = (cell.left + 2.0, cell.level);
                let right = (cell.left + cell.width - 2.0, cell.level);
                line(paint, left, right, palette::FLOOR, 2.0);
            }
        }
        if self.columns.is_empty() {
            return;
        }
        let cell = layout.cell(row, 0);
        let name = self.views[row].name();
        text::draw(paint, name, layout::MARGIN_PIXELS, cell.top + 4.0, text::STRONG);
        if has_floor {
            text::draw(paint, "floor", layout::MARGIN_PIXELS, cell.level - 11.0, text::SMALL);
        }
    }

    /// Draws the two lines below a column.
    fn caption(&self, paint: &mut Pixmap, layout: &Layout, column: usize) {
        let cell = layout.cell(self.views.len() - 1, column);
        let top = cell.top + cell.height + 6.0;
        let lines = self.columns[column].caption.iter().zip(self.captions);
        for ((line, name), (style, dy)) in lines.zip([(text::STRONG, 0.0), (text::SMALL, 22.0)]) {
            let line = text::shorten(line, style, cell.width - 16.0);
            let wide = text::width(&line, style);
            let (least, most) = (cell.left + 8.0, cell.left + cell.width - 8.0 - wide);
            let left = (cell.root - wide / 2.0).min(most).max(least);
            text::draw(paint, &line, left, top + dy, style);
            if column == 0 {
                let dy = if dy == 0.0 { 2.0 } else { dy };
                text::draw(paint, name, layout::MARGIN_PIXELS, top + dy, text::SMALL);
            }
        }
    }
}

/// Draws a sample of a colour in the legend.
fn legend_stroke(sheet: &mut Pixmap, layout: &Layout, x: f32, shade: Rgb) {
    let from = (x + 2.0, layout.legend + 17.0);
    line(sheet, from, (from.0 + 8.0, from.1 - 12.0), shade, 5.0);
}

/// Encodes a sheet as RGB PNG.
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
