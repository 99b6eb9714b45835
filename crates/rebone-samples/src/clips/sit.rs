//! Down to the floor and up again.

use crate::curve::Curve;
use crate::foot::FootPlan;
use crate::plan::{ArmPlan, FLAT, HANGING, LOOSE, Plan, ReachPlan};
use crate::posture::{SIGNS, play};
use crate::{GroundTruthContact, Sample, SamplePart};

const SECONDS: f64 = 6.0;

/// Arms held out in front, for balance.
const AHEAD: [f64; 6] = [96.0, 16.0, 10.0, 24.0, 40.0, 0.0];

/// Squats, sits back on the floor with the hands behind, looks around and gets up.
pub fn sit() -> Sample {
    let plan = plan();
    let about = "Sits down on the floor, leans on the hands, gets up; feet planted throughout.";
    let mut sample = play(("sit", about), (SECONDS, 30.0), &plan.feet.clone(), |t| plan.at(t));
    let rests = [
        (SamplePart::LeftHand, (2.12, 3.35)),
        (SamplePart::RightHand, (2.12, 3.51)),
        (SamplePart::Seat, (2.05, 3.75)),
    ];
    let rests = rests.map(|(part, seconds)| GroundTruthContact::new(part, seconds, 30.0));
    sample.contacts.extend(rests);
    sample
}

fn plan() -> Plan {
    let mut plan = Plan::standing(SECONDS);
    plan.feet = SIGNS.map(|sign| FootPlan::standing(13.0 * sign, 0.0, 14.0 * sign, SECONDS));
    plan.arms = SIGNS.map(arm);
    plan.hips = Curve::new([0.0, 95.0, 3.0])
        .to(0.35, 1.5, [0.0, 37.0, -19.0])
        .to(1.35, 2.05, [0.0, 12.8, -43.0])
        .to(3.75, 4.55, [0.0, 37.0, -19.0])
        .to(4.4, 5.6, [0.0, 95.0, 3.0]);
    plan.pelvis = plan
        .pelvis
        .to(0.3, 1.3, [0.0, 30.0, 0.0])
        .to(1.3, 2.1, [0.0, -22.0, 0.0])
        .to(3.45, 4.35, [0.0, 32.0, 0.0])
        .to(4.5, 5.6, [0.0, 3.0, 0.0]);
    plan.chest = plan
        .chest
        .to(0.3, 1.3, [0.0, 46.0, 0.0])
        .to(1.3, 2.1, [0.0, -14.0, 0.0])
        .to(2.3, 2.8, [7.0, -13.0, 0.0])
        .to(2.8, 3.4, [-5.0, -12.0, 0.0])
        .to(3.45, 4.35, [0.0, 48.0, 0.0])
        .to(4.5, 5.6, [0.0, -1.0, 0.0]);
    plan.head = plan
        .head
        .to(0.3, 1.2, [0.0, 26.0, 0.0])
        .to(1.3, 2.1, [0.0, 2.0, 0.0])
        .to(2.15, 2.65, [34.0, 0.0, 2.0])
        .to(2.75, 3.35, [-26.0, -2.0, -2.0])
        .to(3.4, 4.1, [0.0, 24.0, 0.0])
        .to(4.6, 5.6, [0.0, 2.0, 0.0]);
    plan
}

fn arm(sign: f64) -> ArmPlan {
    let late = 0.08 * (1.0 - sign);
    ArmPlan {
        angles: Curve::new(HANGING)
            .to(0.35, 1.25, AHEAD)
            .to(1.2, 1.8, [-38.0, 24.0, 0.0, 10.0, 30.0, -30.0])
            .to(3.3 + late, 3.85 + late, [-22.0, 30.0, 0.0, 88.0, 20.0, -10.0])
            .to(3.8 + late, 4.4 + late, AHEAD)
            .to(4.55, 5.5, HANGING),
        hand: Curve::new(LOOSE).to(1.2, 1.7, FLAT).to(3.6 + late, 4.2, LOOSE),
        reach: Some(ReachPlan {
            weight: Curve::new([0.0]).to(1.4, 2.1, [1.0]).to(3.4 + late, 3.85 + late, [0.0]),
            wrist: Curve::new([27.0 * sign, 24.0, -48.0])
                .to(1.65, 2.12, [25.0 * sign, 4.2, -61.0])
                .to(3.35 + late, 3.75 + late, [27.0 * sign, 14.0, -57.0]),
            fingers: Curve::new([0.75 * sign, -0.12, -0.65]),
            thumb: Curve::new([0.65 * sign, 0.0, 0.75]),
            elbow: [0.35 * sign, 0.1, -1.0],
        }),
    }
}
