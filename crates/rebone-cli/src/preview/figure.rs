//! One figure: strokes from back to front, a circle for the head.

use super::layout::{Cell, View};
use super::palette::{AXES, JOINT, Rgb};
use super::sheet::{colour, line};
use super::{Bone, Point, Side, Track};
use tiny_skia::{PathBuilder, Pixmap, Stroke, Transform};

/// Pixels of the stroke of an axis.
const AXIS: f32 = 2.6;

/// Pixels of a stroke: tracks at the back are wider, so that what lies over them leaves a rim.
pub(super) fn stroke_width(depth: usize, tracks: usize) -> f32 {
    let widths: &[f32] = match tracks {
        0 | 1 => &[5.0],
        2 => &[8.0, 3.6],
        _ => &[9.0, 6.0, 3.6, 2.0],
    };
    widths[depth.min(widths.len() - 1)]
}

/// Draws one frame of a track into a cell, centred on the track's hips.
pub(super) fn draw(
    sheet: &mut Pixmap,
    track: &Track,
    frame: usize,
    view: View,
    cell: &Cell,
    width: f32,
) {
    let points = &track.frames[frame];
    let place = Place { view, cell, origin: view.origin(track.centre(frame)) };
    let mut bones: Vec<(f64, &Bone)> =
        track.bones.iter().map(|bone| (depth(points, bone, view), bone)).collect();
    bones.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (_, bone) in bones {
        let [from, to] = bone.ends.map(|end| place.pixel(points[end]));
        if let (Some(from), Some(to)) = (from, to) {
            let width = if bone.thin { (width * 0.5).max(1.5) } else { width };
            line(sheet, from, to, shade(track, bone.side), width);
        }
    }
    if let Some(ends) = track.skull {
        head(sheet, track, ends.map(|end| points[end]), &place, width);
    }
    if !track.axes.is_empty() {
        joints(sheet, track, points, &place, width);
        axes(sheet, track, points, &place);
    }
}

/// A dot on each joint and each end.
fn joints(sheet: &mut Pixmap, track: &Track, points: &[Point], place: &Place, width: f32) {
    for bone in &track.bones {
        let width = if bone.thin { width * 0.4 } else { width * 0.7 };
        for at in bone.ends.iter().filter_map(|&end| place.pixel(points[end])) {
            dot(sheet, at, width / 2.0, JOINT);
        }
    }
}

/// The axes of segments, those on top that point to the viewer; a dot where one does so exactly.
fn axes(sheet: &mut Pixmap, track: &Track, points: &[Point], place: &Place) {
    let depth = |end: usize| place.view.project(points[end])[2];
    for &[origin, x, y, z] in &track.axes {
        let mut ends = [(x, AXES[0]), (y, AXES[1]), (z, AXES[2])];
        ends.sort_by(|a, b| depth(a.0).total_cmp(&depth(b.0)));
        let Some(from) = place.pixel(points[origin]) else { continue };
        for (end, shade) in ends {
            let Some(to) = place.pixel(points[end]) else { continue };
            line(sheet, from, to, shade, AXIS);
            if depth(end) > depth(origin) {
                dot(sheet, to, AXIS / 2.0, shade);
            }
        }
    }
}

fn dot(sheet: &mut Pixmap, (x, y): (f32, f32), radius: f32, shade: Rgb) {
    let Some(circle) = PathBuilder::from_circle(x, y, radius) else { return };
    let rule = tiny_skia::FillRule::Winding;
    sheet.fill_path(&circle, &colour(shade), rule, Transform::identity(), None);
}

/// How near a bone is to the viewer: its middle.
fn depth(points: &[Point], bone: &Bone, view: View) -> f64 {
    bone.ends.iter().map(|&end| view.project(points[end])[2]).sum()
}

fn shade(track: &Track, side: Side) -> Rgb {
    match side {
        Side::Left => track.ink.left,
        Side::Middle => track.ink.middle,
        Side::Right => track.ink.right,
    }
}

/// A ring between base and top of the skull, as big as a head can be.
fn head(sheet: &mut Pixmap, track: &Track, ends: [Point; 2], place: &Place, width: f32) {
    let [base, top] = ends;
    let length = base.iter().zip(top).map(|(a, b)| (b - a) * (b - a)).sum::<f64>().sqrt();
    let middle = std::array::from_fn(|axis| (base[axis] + top[axis]) / 2.0);
    let Some(centre) = place.pixel(middle) else { return };
    let radius = (length / 2.0).clamp(0.06, 0.13) * place.cell.scale;
    let Some(circle) = PathBuilder::from_circle(centre.0, centre.1, radius as f32) else { return };
    let stroke = Stroke { width: width * 0.8, ..Stroke::default() };
    sheet.stroke_path(&circle, &colour(track.ink.middle), &stroke, Transform::identity(), None);
}

/// From metres to pixels.
struct Place<'a> {
    view: View,
    cell: &'a Cell,
    /// What is at the cell's root and level, to the right and up.
    origin: [f64; 2],
}

impl Place<'_> {
    /// `None` for what is no place, or far outside of the cell.
    fn pixel(&self, point: Point) -> Option<(f32, f32)> {
        let [right, up, _] = self.view.project(point);
        let x = f64::from(self.cell.root);
        let x = x + (right - self.origin[0]) * self.cell.scale;
        let y = f64::from(self.cell.level) - (up - self.origin[1]) * self.cell.scale;
        (x.abs() < 1e4 && y.abs() < 1e4).then_some((x as f32, y as f32))
    }
}
