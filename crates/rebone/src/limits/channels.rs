//! What is left of a joint's box when it has fewer than three channels.

use super::Coordinates;
use nalgebra::UnitQuaternion;
use rebone_skeleton::{Axis, Joint};

/// The range of each channel that stays inside the joint's anatomical box, the others at rest.
///
/// The side angle and the twist of a hinge are the rig's own: only the bend counts, and what the card
/// states.
pub(super) fn channel_ranges(ball: &Coordinates, joint: &Joint) -> ([f64; 3], [f64; 3]) {
    let mut ranges = ([0.0; 3], [0.0; 3]);
    for (k, &axis) in joint.rotation_axes.iter().take(3).enumerate() {
        (ranges.0[k], ranges.1[k]) = range(ball, joint, axis);
    }
    ranges
}

fn range(ball: &Coordinates, joint: &Joint, axis: Axis) -> (f64, f64) {
    let inside = |angle: f64| {
        let turn = UnitQuaternion::from_axis_angle(&axis.unit(), angle);
        let x = ball.read(&(joint.rest_rotation * turn));
        let counts = |k: &usize| *k == 0 || ball.stated[*k];
        (0..3).filter(counts).all(|k| ball.lower[k] <= x[k] && x[k] <= ball.upper[k])
    };
    let is_inside = |degrees: i32| inside(f64::from(degrees).to_radians());
    let middle = (0..=180).flat_map(|d| [d, -d]).find(|&degrees| is_inside(degrees));
    let Some(middle) = middle else {
        return (-std::f64::consts::PI, std::f64::consts::PI);
    };
    let end = |sign: i32| {
        let steps = (0..=180).take_while(|step| is_inside(middle + sign * step));
        let last = f64::from(middle + sign * steps.last().unwrap_or(0)).to_radians();
        border(&inside, last, f64::from(sign).to_radians())
    };
    (end(-1), end(1))
}

/// The last angle inside, between `last`, which is, and a step further.
fn border(inside: &impl Fn(f64) -> bool, last: f64, step: f64) -> f64 {
    let (mut good, mut bad) = (0.0, 1.0);
    for _ in 0..40 {
        let between = (good + bad) / 2.0;
        if inside(last + between * step) { good = between } else { bad = between }
    }
    last + good * step
}
