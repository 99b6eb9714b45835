//! A greeting with the right hand, then the left points out something.

use crate::Sample;
use crate::curve::{Curve, wave as sine};
use crate::plan::{FLAT, HANGING, LOOSE, Plan};
use crate::posture::play;

const SECONDS: f64 = 5.4;

/// Waves with the right hand, then points to the left with the left index finger.
pub fn wave() -> Sample {
    let plan = plan();
    let about = "Waves with the right hand, then points with the left; feet planted throughout.";
    play(("wave", about), (SECONDS, 30.0), &plan.feet.clone(), |t| {
        let mut posture = plan.at(t);
        let swing = waving().value(t) * sine(t - 0.9, 0.52);
        let arm = &mut posture.arms[1].angles;
        arm[3] += 21.0 * swing;
        arm[2] += 5.0 * swing;
        arm[5] += 9.0 * waving().value(t) * sine(t - 1.02, 0.52);
        posture
    })
}

/// How strongly the hand is waved: 0 to 1.
fn waving() -> Curve<1> {
    Curve::new([0.0]).to(0.7, 1.3, [1.0]).to(2.1, 2.7, [0.0])
}

fn plan() -> Plan {
    let mut plan = Plan::standing(SECONDS);
    let raised = [62.0, 58.0, -22.0, 82.0, 25.0, -6.0];
    let pointing = [72.0, 34.0, 4.0, 9.0, 62.0, -4.0];
    let point_hand = [0.72, -0.02, 0.86, 0.93, 0.96, 0.0];
    let [left, right] = &mut plan.arms;
    right.angles = Curve::new(HANGING).to(0.25, 1.05, raised).to(2.25, 3.15, HANGING);
    right.hand = Curve::new(LOOSE).to(0.4, 0.9, FLAT).to(2.4, 3.0, LOOSE);
    left.angles = Curve::new(HANGING)
        .to(2.75, 3.35, pointing)
        .to(3.7, 3.95, [76.0, 36.0, 4.0, 16.0, 62.0, -4.0])
        .to(3.95, 4.2, pointing)
        .to(4.35, 5.2, HANGING);
    left.hand = Curve::new(LOOSE).to(2.75, 3.2, point_hand).to(4.4, 5.0, LOOSE);
    plan.hips = plan.hips.to(0.3, 1.1, [2.6, 95.1, 3.2]).to(2.5, 3.3, [-2.4, 95.1, 2.6]).to(
        4.4,
        5.2,
        [0.0, 95.4, 3.0],
    );
    plan.pelvis = plan.pelvis.to(0.3, 1.1, [-3.0, 3.0, 2.5]).to(2.5, 3.2, [8.0, 3.0, -2.5]).to(
        4.4,
        5.2,
        [0.0, 3.0, 0.0],
    );
    plan.chest = plan.chest.to(0.25, 1.0, [-5.0, -3.0, -3.0]).to(2.45, 3.2, [24.0, 0.0, 2.0]).to(
        4.35,
        5.15,
        [0.0, -1.0, 0.0],
    );
    plan.head = plan.head.to(0.2, 0.8, [-4.0, -2.0, 4.0]).to(2.3, 2.85, [40.0, 0.0, -2.0]).to(
        4.3,
        4.9,
        [0.0, 2.0, 0.0],
    );
    plan
}
