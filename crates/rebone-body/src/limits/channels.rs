//! Ranges of the channels of joints that have fewer than three.

use super::joint_range::JointRange;
use nalgebra::UnitQuaternion;
use rebone_skeleton::{Axis, Joint};

/// Returns the range of each channel within the joint's anatomical range, the others at rest.
///
/// Side angle and twist of a hinge follow from the rig: only the bend counts, and what the card states.
pub(crate) fn channel_ranges(ball: &JointRange, joint: &Joint) -> ([f64; 3], [f64; 3]) {
    let mut ranges = ([0.0; 3], [0.0; 3]);
    for (k, &axis) in joint.rotation_axes.iter().take(3).enumerate() {
        (ranges.0[k], ranges.1[k]) = range(ball, joint, axis);
    }
    ranges
}

/// Violations below this count as none, radians: what a card states is met to rounding.
const TOLERANCE_RADIANS: f64 = 1e-9;

/// Returns the angles around the one nearest to 0 that are inside; if none is, the one with the least violation.
fn range(ball: &JointRange, joint: &Joint, axis: Axis) -> (f64, f64) {
    let outside = |angle: f64| -> f64 {
        let turn = UnitQuaternion::from_axis_angle(&axis.unit(), angle);
        let x = ball.read(&(joint.rest_rotation * turn));
        let counts = |k: &usize| *k == 0 || ball.stated[*k];
        let off = |k: usize| (ball.lower[k] - x[k]).max(x[k] - ball.upper[k]).max(0.0);
        (0..3).filter(counts).map(off).fold(0.0, f64::max)
    };
    let middle = least_outside(&outside);
    let inside = |angle: f64| outside(angle) <= TOLERANCE_RADIANS;
    if !inside(middle) {
        return (middle, middle);
    }
    let end = |sign: f64| {
        let degree = |step: i32| middle + sign * f64::from(step).to_radians();
        let last = (0..=180).take_while(|&step| inside(degree(step))).last().unwrap_or(0);
        boundary(&inside, degree(last), sign * 1_f64.to_radians())
    };
    (end(-1.0), end(1.0))
}

/// Returns the angle with the least violation, the nearest to 0 of equals.
fn least_outside(outside: &impl Fn(f64) -> f64) -> f64 {
    let degrees = (0..=180).flat_map(|d| [d, -d]).map(|d| f64::from(d).to_radians());
    let best = degrees.fold((f64::INFINITY, 0.0), |best, angle| {
        let off = outside(angle);
        if off < best.0 { (off, angle) } else { best }
    });
    if best.0 <= TOLERANCE_RADIANS {
        return best.1;
    }
    // Between whole degrees, for narrow ranges: ternary search, 60 steps.
    let (mut low, mut high) = (best.1 - 1_f64.to_radians(), best.1 + 1_f64.to_radians());
    for _ in 0..60 {
        let third = (high - low) / 3.0;
        if outside(low + third) <= outside(high - third) { high -= third } else { low += third }
    }
    (low + high) / 2.0
}

/// Returns the last angle inside, between `last`, which is inside, and one step further.
fn boundary(inside: &impl Fn(f64) -> bool, last: f64, step: f64) -> f64 {
    let (mut good, mut bad) = (0.0, 1.0);
    for _ in 0..40 {
        let between = (good + bad) / 2.0;
        if inside(last + between * step) { good = between } else { bad = between }
    }
    last + good * step
}
