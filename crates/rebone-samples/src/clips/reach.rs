//! Something is picked up with the right hand, looked at, handed over and put down with the left.

use crate::Sample;
use crate::curve::Curve;
use crate::plan::{ArmPlan, FLAT, HANGING, LOOSE, Plan, ReachPlan};
use crate::posture::play;

const SECONDS: f64 = 6.0;

/// A hand about to grasp.
const OPEN: [f64; 6] = [0.05, 0.14, 0.12, 0.14, 0.18, 9.0];

/// A hand around a thing as thick as a bottle.
const GRASP: [f64; 6] = [0.62, 0.55, 0.58, 0.62, 0.68, 2.0];

/// Reaches out, grasps, lifts, hands over and lets go.
pub fn reach() -> Sample {
    let plan = plan();
    let about = "Grasps something with the right hand, hands it over, puts it down with the left.";
    play(("reach", about), (SECONDS, 30.0), &plan.feet.clone(), |t| {
        let mut posture = plan.at(t);
        // Each finger closes and opens a little after the one before.
        for (arm, plan) in posture.arms.iter_mut().zip(&plan.arms) {
            for finger in 0..5 {
                let late = 0.035 * (finger as f64 - 1.0);
                arm.hand[finger] += plan.hand.at(t - late)[finger] - plan.hand.at(t)[finger];
            }
        }
        posture
    })
}

fn plan() -> Plan {
    let mut plan = Plan::standing(SECONDS);
    plan.arms = [left_arm(), right_arm()];
    plan.hips = plan
        .hips
        .to(0.3, 1.2, [-1.8, 94.0, 1.0])
        .to(1.6, 2.5, [0.0, 95.3, 2.8])
        .to(3.8, 4.7, [2.0, 94.0, 1.0])
        .to(4.9, 5.8, [0.0, 95.4, 3.0]);
    plan.pelvis = plan
        .pelvis
        .to(0.3, 1.2, [7.0, 10.0, -1.5])
        .to(1.6, 2.5, [0.0, 3.0, 0.0])
        .to(3.7, 4.7, [-7.0, 10.0, 1.5])
        .to(4.9, 5.8, [0.0, 3.0, 0.0]);
    plan.chest = plan
        .chest
        .to(0.3, 1.2, [17.0, 19.0, -3.0])
        .to(1.6, 2.5, [0.0, 3.0, 0.0])
        .to(3.7, 4.7, [-17.0, 19.0, 3.0])
        .to(4.9, 5.8, [0.0, -1.0, 0.0]);
    plan.head = plan
        .head
        .to(0.1, 0.6, [-14.0, 26.0, 0.0])
        .to(1.6, 2.4, [-2.0, 24.0, -3.0])
        .to(3.5, 4.2, [16.0, 26.0, 2.0])
        .to(5.1, 5.7, [0.0, 2.0, 0.0]);
    plan
}

fn right_arm() -> ArmPlan {
    ArmPlan {
        angles: Curve::new(HANGING),
        hand: Curve::new(LOOSE)
            .to(0.4, 1.0, OPEN)
            .to(1.2, 1.55, GRASP)
            .to(3.35, 3.7, OPEN)
            .to(4.0, 4.5, LOOSE),
        reach: Some(ReachPlan {
            weight: Curve::new([0.0]).to(0.3, 1.25, [1.0]).to(3.65, 4.6, [0.0]),
            wrist: Curve::new([-24.0, 107.0, 41.0]).to(1.6, 2.5, [-11.0, 122.0, 31.0]).to(
                3.5,
                3.9,
                [-16.0, 118.0, 29.0],
            ),
            fingers: Curve::new([0.1, -0.15, 1.0]).to(1.6, 2.4, [0.65, 0.3, 0.7]).to(
                3.5,
                3.9,
                [0.4, 0.0, 0.9],
            ),
            thumb: Curve::new([0.1, 1.0, 0.0]).to(1.7, 2.3, [-0.35, 0.9, 0.3]).to(
                2.4,
                3.0,
                [0.2, 1.0, 0.0],
            ),
            elbow: [-0.55, -1.0, -0.35],
        }),
    }
}

fn left_arm() -> ArmPlan {
    ArmPlan {
        angles: Curve::new(HANGING),
        hand: Curve::new(LOOSE)
            .to(2.2, 2.8, OPEN)
            .to(3.1, 3.4, GRASP)
            .to(4.75, 5.05, FLAT)
            .to(5.2, 5.7, LOOSE),
        reach: Some(ReachPlan {
            weight: Curve::new([0.0]).to(2.1, 3.05, [1.0]).to(4.95, 5.85, [0.0]),
            wrist: Curve::new([11.0, 116.0, 31.0]).to(3.6, 4.65, [27.0, 105.0, 42.0]).to(
                4.9,
                5.3,
                [26.0, 107.0, 36.0],
            ),
            fingers: Curve::new([-0.65, 0.2, 0.75]).to(3.6, 4.5, [0.0, -0.15, 1.0]),
            thumb: Curve::new([0.0, 1.0, 0.1]),
            elbow: [0.55, -1.0, -0.35],
        }),
    }
}
