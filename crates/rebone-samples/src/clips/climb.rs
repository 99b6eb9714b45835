//! Two steps up, and there the feet come to stand side by side.

use crate::Sample;
use crate::curve::Curve;
use crate::foot::FootPlan;
use crate::plan::{HANGING, Plan};
use crate::posture::play;

const SECONDS: f64 = 5.0;

/// Height and depth of a step in cm.
const HEIGHT: f64 = 18.0;
const DEPTH: f64 = 31.0;

/// When feet are off the floor, in seconds: the left, the right, the left again.
const LIFTED: [(f64, f64); 3] = [(0.6, 1.25), (1.85, 2.75), (3.25, 4.0)];

/// How long before it is lifted a heel begins to rise, seconds.
const ROLLS: f64 = 0.3;

/// Climbs two steps and stands on the second.
pub fn climb() -> Sample {
    let plan = plan();
    let about = "Climbs two steps of 18 cm, the left foot first, and stands on the second.";
    play(("climb", about), (SECONDS, 60.0), &plan.feet.clone(), |t| plan.at(t))
}

/// A foot that comes to stand on steps of some numbers, one after the other.
fn foot(sign: f64, steps: &[(f64, (f64, f64))]) -> FootPlan {
    let aside = 10.5 * sign;
    let mut foot = FootPlan::standing(aside, 0.0, 7.0 * sign, SECONDS);
    let (mut last, mut stands) = (0.0, 0.0);
    foot.planted.clear();
    for &(step, (from, until)) in steps {
        let whole = until - from;
        let [high, there] = [step * HEIGHT + 7.0, step * DEPTH];
        // Up before the edge, over it, and down on it.
        foot.place = foot
            .place
            .to(from, from + 0.5 * whole, [aside, high, last * DEPTH])
            .to(from + 0.2 * whole, until - 0.1 * whole, [aside, high, there])
            .to(from + 0.55 * whole, until, [aside, step * HEIGHT, there]);
        let rolls = if stands > 0.0 || sign < 0.0 { ROLLS } else { 0.0 };
        if rolls > 0.0 {
            foot.heel_up = foot.heel_up.to(from - rolls, from + 0.1, [36.0]).to(
                from + 0.1,
                until - 0.15,
                [0.0],
            );
            foot.straight = foot.straight.to(from + 0.1, from + 0.35, [0.8]).to(
                until - 0.4,
                until - 0.1,
                [0.0],
            );
        }
        foot.planted.push((stands, from - rolls));
        foot.lifted.push((from, until));
        (last, stands) = (step, until);
    }
    foot.planted.push((stands, SECONDS));
    foot
}

fn plan() -> Plan {
    let mut plan = Plan::standing(SECONDS);
    let [first, second, third] = LIFTED;
    plan.feet = [foot(1.0, &[(1.0, first), (2.0, third)]), foot(-1.0, &[(2.0, second)])];
    // Over the foot that bears, leaning into each step.
    plan.hips = plan
        .hips
        .to(0.1, 0.6, [-3.0, 94.6, 3.0])
        .to(0.9, 1.75, [3.0, 92.0, 20.0])
        .to(1.6, 2.4, [3.5, 93.0 + HEIGHT, 33.0])
        .to(2.5, 3.2, [-3.0, 92.0 + HEIGHT, 50.0])
        .to(3.05, 3.8, [-3.0, 94.8 + 2.0 * HEIGHT, 63.0])
        .to(3.9, 4.6, [0.0, 95.4 + 2.0 * HEIGHT, 65.0]);
    plan.pelvis = plan
        .pelvis
        .to(0.4, 1.3, [-4.0, 9.0, 2.0])
        .to(1.5, 2.7, [5.0, 9.0, -2.0])
        .to(2.9, 3.8, [-2.0, 6.0, 1.0])
        .to(3.9, 4.6, [0.0, 3.0, 0.0]);
    plan.chest = plan
        .chest
        .to(0.4, 1.3, [5.0, 14.0, 0.0])
        .to(1.5, 2.7, [-5.0, 14.0, 0.0])
        .to(2.9, 3.8, [2.0, 8.0, 0.0])
        .to(3.9, 4.6, [0.0, -1.0, 0.0]);
    plan.head = plan.head.to(0.2, 0.8, [0.0, 22.0, 0.0]).to(3.4, 4.3, [0.0, 2.0, 0.0]);
    let swung = |ahead: f64| [HANGING[0] + ahead, 10.0, 14.0, 20.0 + 0.5 * ahead, 14.0, 4.0];
    for (arm, sign) in plan.arms.iter_mut().zip([1.0, -1.0]) {
        arm.angles = Curve::new(HANGING)
            .to(0.5, 1.3, swung(-14.0 * sign))
            .to(1.6, 2.7, swung(16.0 * sign))
            .to(2.9, 3.8, swung(-6.0 * sign))
            .to(3.8, 4.7, HANGING);
    }
    plan
}
