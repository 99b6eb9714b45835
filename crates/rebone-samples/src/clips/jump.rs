//! A squat, then a jump forward with both feet.

use crate::Sample;
use crate::curve::{Curve, Knot, ease, quintic, wave};
use crate::foot::FootPlan;
use crate::plan::{HANGING, LOOSE, Plan};
use crate::posture::{SIGNS, play};

const SECONDS: f64 = 4.6;

/// When the feet leave the floor and when they are back on it, in seconds.
const FLIGHT: [f64; 2] = [2.05, 2.53];

/// Acceleration of free fall in cm/s².
const GRAVITY: f64 = 981.0;

/// Height of the hips joint at both ends of the flight, in cm.
const TAKE_OFF: f64 = 95.2;

/// How far the feet jump, in cm.
const LENGTH: f64 = 40.0;

/// Squats with the arms swung back, jumps, flies a parabola and lands in the knees.
pub fn jump() -> Sample {
    let plan = plan();
    let about = "A slow squat, then a jump forward: the hips fly a parabola under gravity.";
    play(("jump", about), (SECONDS, 60.0), &plan.feet.clone(), |t| {
        let mut posture = plan.at(t);
        posture.hips.y = height(t);
        posture.hips.z = forward(t) + 0.3 * wave(t, 3.7);
        let lift = lift(t);
        for foot in &mut posture.feet {
            foot.ankle.y += lift;
        }
        posture
    })
}

/// Runs through knots, by a quintic between each two, and rests outside.
fn through(knots: &[Knot], t: f64) -> f64 {
    let first = knots[0];
    if t <= first.time {
        return first.value[0];
    }
    let pair = knots.windows(2).find(|pair| t < pair[1].time);
    pair.map_or(knots[knots.len() - 1].value[0], |pair| quintic(pair[0], pair[1], t))
}

fn rest(time: f64, place: f64) -> Knot {
    Knot { time, value: [place, 0.0, 0.0] }
}

/// Height of the hips joint. Between two knots under gravity the quintic is the parabola.
fn height(t: f64) -> f64 {
    let [up, down] = FLIGHT;
    let speed = GRAVITY * (down - up) / 2.0;
    let knots = [
        rest(0.3, 95.4),
        rest(1.25, 60.0),
        rest(1.62, 58.0),
        Knot { time: up, value: [TAKE_OFF, speed, -GRAVITY] },
        Knot { time: down, value: [TAKE_OFF, -speed, -GRAVITY] },
        rest(down + 0.34, 66.0),
        rest(down + 1.35, 95.4),
    ];
    through(&knots, t)
}

/// How far forward the hips joint is: at an even speed while in flight.
fn forward(t: f64) -> f64 {
    let [up, down] = FLIGHT;
    let speed = 62.0;
    let leaves = 13.0;
    let knots = [
        rest(0.3, 3.0),
        rest(1.25, -12.0),
        rest(1.6, -11.0),
        Knot { time: up, value: [leaves, speed, 0.0] },
        Knot { time: down, value: [leaves + speed * (down - up), speed, 0.0] },
        rest(down + 0.42, LENGTH - 8.0),
        rest(down + 1.35, LENGTH + 3.0),
    ];
    through(&knots, t)
}

/// Height of the soles: they follow the hips as soon as the legs are straight, and are drawn up.
fn lift(t: f64) -> f64 {
    let [up, down] = FLIGHT;
    let (since, left) = (t - up, down - t);
    if since <= 0.0 || left <= 0.0 {
        return 0.0;
    }
    let rise = GRAVITY / 2.0 * since * left;
    rise * ease(since / 0.09) * ease(left / 0.105) + 5.0 * ease(since / 0.24) * ease(left / 0.24)
}

fn foot(sign: f64) -> FootPlan {
    let [up, down] = FLIGHT;
    let mut foot = FootPlan::standing(11.5 * sign, 0.0, 10.0 * sign, SECONDS);
    let aside = 11.5 * sign;
    foot.place = Curve::new([aside, 0.0, 0.0]).to(up, down, [aside, 0.0, LENGTH]);
    foot.heel_up = Curve::new([0.0])
        .to(up - 0.19, up + 0.1, [58.0])
        .to(up + 0.14, down - 0.02, [38.0])
        .to(down - 0.01, down + 0.13, [0.0]);
    foot.straight = Curve::new([0.0]).to(up, up + 0.16, [0.85]).to(down - 0.2, down, [0.0]);
    foot.planted = vec![(0.0, up - 0.19), (down + 0.13, SECONDS)];
    foot.lifted = vec![(up, down)];
    foot
}

fn plan() -> Plan {
    let [up, down] = FLIGHT;
    let mut plan = Plan::standing(SECONDS);
    plan.feet = SIGNS.map(foot);
    for arm in &mut plan.arms {
        arm.angles = Curve::new(HANGING)
            .to(0.4, 1.0, [40.0, 14.0, 12.0, 24.0, 20.0, 0.0])
            .to(0.95, 1.6, [-48.0, 16.0, 10.0, 18.0, 20.0, 6.0])
            .to(1.62, up + 0.12, [148.0, 20.0, 8.0, 24.0, 12.0, -4.0])
            .to(up + 0.14, down + 0.3, [48.0, 20.0, 12.0, 34.0, 24.0, 4.0])
            .to(down + 0.4, down + 1.4, HANGING);
        arm.hand = Curve::new(LOOSE)
            .to(1.1, 1.6, [0.6, 0.6, 0.64, 0.68, 0.7, 0.0])
            .to(1.8, 2.1, [0.1, 0.1, 0.1, 0.12, 0.15, 8.0])
            .to(2.5, 3.2, LOOSE);
    }
    plan.pelvis = plan
        .pelvis
        .to(0.35, 1.25, [0.0, 27.0, 0.0])
        .to(1.68, up + 0.02, [0.0, 2.0, 0.0])
        .to(down - 0.06, down + 0.3, [0.0, 26.0, 0.0])
        .to(down + 0.38, down + 1.3, [0.0, 3.0, 0.0]);
    plan.chest = plan
        .chest
        .to(0.35, 1.25, [0.0, 44.0, 0.0])
        .to(1.64, up + 0.04, [0.0, -6.0, 0.0])
        .to(up + 0.15, down + 0.3, [0.0, 40.0, 0.0])
        .to(down + 0.38, down + 1.3, [0.0, -1.0, 0.0]);
    plan.head = plan
        .head
        .to(0.4, 1.2, [0.0, 14.0, 0.0])
        .to(1.6, up, [0.0, -8.0, 0.0])
        .to(up + 0.2, down + 0.2, [0.0, 18.0, 0.0])
        .to(down + 0.4, down + 1.1, [0.0, 2.0, 0.0]);
    plan
}
