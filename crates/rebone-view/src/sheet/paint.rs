//! Lines and paints of one colour.

use crate::palette::Rgb;
use tiny_skia::{Paint, PathBuilder, Pixmap, Stroke, Transform};

/// Draws a straight line with round ends.
pub(crate) fn line(sheet: &mut Pixmap, from: (f32, f32), to: (f32, f32), shade: Rgb, width: f32) {
    let mut path = PathBuilder::new();
    path.move_to(from.0, from.1);
    path.line_to(to.0, to.1);
    let Some(path) = path.finish() else { return };
    let stroke = Stroke { width, line_cap: tiny_skia::LineCap::Round, ..Stroke::default() };
    sheet.stroke_path(&path, &colour(shade), &stroke, Transform::identity(), None);
}

/// Returns an anti-aliased paint of one colour.
pub(super) fn colour([r, g, b]: Rgb) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(r, g, b, 255);
    paint
}
