//! Drawing of one figure: strokes from back to front, a circle for the head.

use super::layout::{Cell, ViewDirection};
use super::paint::{colour, line};
use super::{BodySide, Figure, FigurePoint, FigureStroke, Placed};
use crate::palette::{AXES, JOINT, Rgb};
use crate::raster::Canvas;
use nalgebra::Vector3;
use tiny_skia::{FillRule, PathBuilder, Pixmap, Stroke, Transform};

/// Width of the stroke of an axis in pixels.
const AXIS_STROKE_PIXELS: f32 = 2.6;

/// Opacity of skins behind axes, 0 (clear) to 1.
const SKIN_OPACITY: f32 = 0.45;

/// Opacity of surfaces, 0 to 255.
const SURFACE_ALPHA: u8 = 60;

/// Returns the width of a stroke in pixels: figures at the back are wider, so that a rim stays visible.
pub(super) fn stroke_width(depth: usize, figures: usize) -> f32 {
    let widths: &[f32] = match figures {
        0 | 1 => &[5.0],
        2 => &[8.0, 3.6],
        _ => &[9.0, 6.0, 3.6, 2.0],
    };
    widths[depth.min(widths.len() - 1)]
}

/// Draws one frame of a figure into a cell, centred on its hips.
pub(super) fn draw(
    sheet: &mut Pixmap,
    placed: &Placed,
    view: ViewDirection,
    cell: &Cell,
    width: f32,
) {
    let figure = placed.figure;
    let points = &figure.frames[placed.frame];
    let projection = Projection::new(placed, view, cell);
    let mut strokes: Vec<(f64, &FigureStroke)> =
        figure.strokes.iter().map(|stroke| (depth(points, stroke, view), stroke)).collect();
    strokes.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (_, stroke) in strokes {
        let [from, to] = stroke.ends.map(|end| projection.pixel(points[end]));
        if let (Some(from), Some(to)) = (from, to) {
            let width = if stroke.thin { (width * 0.5).clamp(1.5, 3.0) } else { width };
            line(sheet, from, to, shade(figure, stroke.side), width);
        }
    }
    if let Some(ends) = figure.skull {
        head(sheet, figure, ends.map(|end| points[end]), &projection, width);
    }
    if !figure.axes.is_empty() {
        joints(sheet, figure, points, &projection, width);
        axes(sheet, figure, points, &projection);
    }
}

/// Draws the skin of a figure; returns false where it has none, or exceeds the limit of work.
pub(super) fn draw_skin(
    sheet: &mut Pixmap,
    placed: &Placed,
    view: ViewDirection,
    cell: &Cell,
) -> bool {
    let Some(skin) = &placed.figure.skin else { return false };
    let [right, up] = Projection::new(placed, view, cell).origin;
    let (left, top) = (cell.left.max(0.0).floor(), cell.top.max(0.0).floor());
    let mut canvas = Canvas::new(cell.width.ceil() as usize, cell.height.ceil() as usize);
    let mut places = skin.places(placed.frame);
    places.iter_mut().for_each(|place| *place = Vector3::from(view.project((*place).into())));
    let middle = [f64::from(cell.root - left), f64::from(cell.level - top)];
    let pixel = |place: &Vector3<f64>| {
        [middle[0] + (place.x - right) * cell.scale, middle[1] - (place.y - up) * cell.scale]
    };
    skin.draw(&places, pixel, &mut canvas);
    let opacity = if placed.figure.axes.is_empty() { 1.0 } else { SKIN_OPACITY };
    if !canvas.is_full() {
        canvas.draw_over(sheet, [left as usize, top as usize], opacity);
    }
    !canvas.is_full()
}

/// Fills the silhouette of the surface of a figure: the union of the convex hulls of its segments.
pub(super) fn fill_surface(sheet: &mut Pixmap, placed: &Placed, view: ViewDirection, cell: &Cell) {
    let figure = placed.figure;
    let points = &figure.frames[placed.frame];
    let projection = Projection::new(placed, view, cell);
    let mut path = PathBuilder::new();
    for segment in &figure.surface {
        let pixels = segment.iter().filter_map(|&point| projection.pixel(points[point]));
        let mut corners = convex_hull(pixels.collect()).into_iter();
        if let Some((x, y)) = corners.next() {
            path.move_to(x, y);
            corners.for_each(|(x, y)| path.line_to(x, y));
            path.close();
        }
    }
    let Some(path) = path.finish() else { return };
    let [r, g, b] = figure.ink.middle;
    let mut paint = colour(figure.ink.middle);
    paint.set_color_rgba8(r, g, b, SURFACE_ALPHA);
    sheet.fill_path(&path, &paint, FillRule::Winding, Transform::identity(), None);
}

/// Returns the corners of the convex hull of points, all hulls turning the same way round (Andrew's monotone chain).
fn convex_hull(mut points: Vec<(f32, f32)>) -> Vec<(f32, f32)> {
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut hull = chain(points.iter());
    hull.extend(chain(points.iter().rev()));
    hull
}

/// Returns one side of a convex hull without its last point, given points in their order across.
fn chain<'a>(points: impl Iterator<Item = &'a (f32, f32)>) -> Vec<(f32, f32)> {
    let mut side: Vec<(f32, f32)> = Vec::new();
    for &(x, y) in points {
        while let [.., a, b] = side[..] {
            if (b.0 - a.0) * (y - a.1) - (b.1 - a.1) * (x - a.0) > 0.0 {
                break;
            }
            side.pop();
        }
        side.push((x, y));
    }
    side.pop();
    side
}

/// Draws a dot on each joint and each end.
fn joints(
    sheet: &mut Pixmap,
    figure: &Figure,
    points: &[FigurePoint],
    projection: &Projection,
    width: f32,
) {
    for stroke in &figure.strokes {
        let width = if stroke.thin { width * 0.4 } else { width * 0.7 };
        for at in stroke.ends.iter().filter_map(|&end| projection.pixel(points[end])) {
            dot(sheet, at, width / 2.0, JOINT);
        }
    }
}

/// Draws axes of segments, those pointing to the viewer last; one pointing exactly there is a dot.
fn axes(sheet: &mut Pixmap, figure: &Figure, points: &[FigurePoint], projection: &Projection) {
    let depth = |end: usize| projection.view.project(points[end])[2];
    for &[origin, x, y, z] in &figure.axes {
        let mut ends = [(x, AXES[0]), (y, AXES[1]), (z, AXES[2])];
        ends.sort_by(|a, b| depth(a.0).total_cmp(&depth(b.0)));
        let Some(from) = projection.pixel(points[origin]) else { continue };
        for (end, shade) in ends {
            let Some(to) = projection.pixel(points[end]) else { continue };
            line(sheet, from, to, shade, AXIS_STROKE_PIXELS);
            if depth(end) > depth(origin) {
                dot(sheet, to, AXIS_STROKE_PIXELS / 2.0, shade);
            }
        }
    }
}

fn dot(sheet: &mut Pixmap, (x, y): (f32, f32), radius: f32, shade: Rgb) {
    let Some(circle) = PathBuilder::from_circle(x, y, radius) else { return };
    sheet.fill_path(&circle, &colour(shade), FillRule::Winding, Transform::identity(), None);
}

/// Returns twice the position of a stroke's midpoint towards the viewer, in metres.
fn depth(points: &[FigurePoint], stroke: &FigureStroke, view: ViewDirection) -> f64 {
    stroke.ends.iter().map(|&end| view.project(points[end])[2]).sum()
}

fn shade(figure: &Figure, side: BodySide) -> Rgb {
    match side {
        BodySide::Left => figure.ink.left,
        BodySide::Middle => figure.ink.middle,
        BodySide::Right => figure.ink.right,
    }
}

/// Draws a circle between base and top of the skull, of the size of a head at least and at most.
fn head(
    sheet: &mut Pixmap,
    figure: &Figure,
    ends: [FigurePoint; 2],
    projection: &Projection,
    width: f32,
) {
    let [base, top] = ends;
    let length = base.iter().zip(top).map(|(a, b)| (b - a) * (b - a)).sum::<f64>().sqrt();
    let middle = std::array::from_fn(|axis| (base[axis] + top[axis]) / 2.0);
    let Some(centre) = projection.pixel(middle) else { return };
    let radius = (length / 2.0).clamp(0.06, 0.13) * projection.cell.scale;
    let Some(circle) = PathBuilder::from_circle(centre.0, centre.1, radius as f32) else { return };
    let stroke = Stroke { width: width * 0.8, ..Stroke::default() };
    sheet.stroke_path(&circle, &colour(figure.ink.middle), &stroke, Transform::identity(), None);
}

/// Projection from metres to pixels.
struct Projection<'a> {
    view: ViewDirection,
    cell: &'a Cell,
    /// Position, to the right and up in metres, that is drawn at the cell's root and level.
    origin: [f64; 2],
}

impl<'a> Projection<'a> {
    fn new(placed: &Placed, view: ViewDirection, cell: &'a Cell) -> Self {
        let [right, up] = view.origin(placed.figure.centre(placed.frame));
        Self { view, cell, origin: [right - placed.shift, up] }
    }

    /// Projects a point; `None` where it is not finite or far outside of the cell.
    fn pixel(&self, point: FigurePoint) -> Option<(f32, f32)> {
        let [right, up, _] = self.view.project(point);
        let x = f64::from(self.cell.root);
        let x = x + (right - self.origin[0]) * self.cell.scale;
        let y = f64::from(self.cell.level) - (up - self.origin[1]) * self.cell.scale;
        (x.abs() < 1e4 && y.abs() < 1e4).then_some((x as f32, y as f32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hull_has_the_outermost_points_in_one_turn() {
        let square = [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)];
        let inner = [(1.0, 1.0), (1.0, 0.0), (0.5, 1.5)];
        let hull = convex_hull(inner.into_iter().chain(square).collect());
        assert_eq!(hull, square);
        assert!(convex_hull(vec![(1.0, 1.0); 3]).len() < 3);
        assert!(convex_hull(Vec::new()).is_empty());
    }
}
