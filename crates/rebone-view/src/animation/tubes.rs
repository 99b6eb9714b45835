//! Stick figures as bodies: tubes with round ends, and a ball for the head.

use crate::palette::Rgb;
use crate::raster::{Canvas, Corner};
use crate::sheet::{BodySide, Figure};
use crate::skin::light;
use nalgebra::Vector3;

/// Radii of tubes, metres.
const RADIUS_METRES: f64 = 0.026;
const THIN_RADIUS_METRES: f64 = 0.011;
/// Radius of a head, at least and at most, metres.
const HEAD_METRES: [f64; 2] = [0.07, 0.13];
/// Sides around tubes and balls; steps of balls from pole to pole.
const SIDES: usize = 10;
const STEPS: usize = 6;

/// Draws the strokes of a figure. `places` are its points in the axes of the view, metres: right, up, towards the viewer;
/// `pixel` projects such a place onto the canvas.
pub(super) fn draw(
    figure: &Figure,
    places: &[Vector3<f64>],
    pixel: impl Fn(&Vector3<f64>) -> [f64; 2],
    canvas: &mut Canvas,
) {
    let mut draw = |corners: [(Vector3<f64>, Vector3<f64>); 3], colour: Rgb| {
        canvas.triangle(corners.map(|(place, normal)| {
            let [x, y] = pixel(&place);
            let light = light(normal);
            let colour = colour.map(|part| (f64::from(part) * light) as f32);
            Corner { place: [x as f32, y as f32, place.z as f32], colour }
        }));
    };
    for stroke in &figure.strokes {
        let radius = if stroke.thin { THIN_RADIUS_METRES } else { RADIUS_METRES };
        let colour = match stroke.side {
            BodySide::Left => figure.ink.left,
            BodySide::Middle => figure.ink.middle,
            BodySide::Right => figure.ink.right,
        };
        let [from, to] = stroke.ends.map(|end| places[end]);
        tube(from, to, radius, &mut |corners| draw(corners, colour));
        [from, to]
            .into_iter()
            .for_each(|end| ball(end, radius, &mut |corners| draw(corners, colour)));
    }
    if let Some([base, top]) = figure.skull.map(|ends| ends.map(|end| places[end])) {
        let [least, most] = HEAD_METRES;
        let radius = ((top - base).norm() / 2.0).clamp(least, most);
        ball((base + top) / 2.0, radius, &mut |corners| draw(corners, figure.ink.middle));
    }
}

/// A corner, metres in the axes of the view, and its unit normal.
type Lit = (Vector3<f64>, Vector3<f64>);

/// Draws the triangles of a tube; none where its ends are at one place.
fn tube(from: Vector3<f64>, to: Vector3<f64>, radius: f64, draw: &mut dyn FnMut([Lit; 3])) {
    let along = to - from;
    let other = if along.x.abs() < along.y.abs() { Vector3::x() } else { Vector3::y() };
    let (Some(a), Some(axis)) =
        (along.cross(&other).try_normalize(1e-9), along.try_normalize(1e-9))
    else {
        return;
    };
    let b = axis.cross(&a);
    let normal = |side: usize| {
        let angle = side as f64 / SIDES as f64 * std::f64::consts::TAU;
        a * libm::cos(angle) + b * libm::sin(angle)
    };
    for side in 0..SIDES {
        let [one, two] = [normal(side), normal((side + 1) % SIDES)];
        let corner = |end: Vector3<f64>, normal: Vector3<f64>| (end + normal * radius, normal);
        draw([corner(from, one), corner(from, two), corner(to, one)]);
        draw([corner(to, one), corner(from, two), corner(to, two)]);
    }
}

/// Draws the triangles of a ball.
fn ball(middle: Vector3<f64>, radius: f64, draw: &mut dyn FnMut([Lit; 3])) {
    let corner = |step: usize, side: usize| {
        let down = step as f64 / STEPS as f64 * std::f64::consts::PI;
        let around = side as f64 / SIDES as f64 * std::f64::consts::TAU;
        let normal = Vector3::new(
            libm::sin(down) * libm::cos(around),
            libm::cos(down),
            libm::sin(down) * libm::sin(around),
        );
        (middle + normal * radius, normal)
    };
    for step in 0..STEPS {
        for side in 0..SIDES {
            let corners = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(a, b)| corner(step + a, side + b));
            draw([corners[0], corners[1], corners[2]]);
            draw([corners[2], corners[1], corners[3]]);
        }
    }
}
