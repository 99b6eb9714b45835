//! A walk in a bent line.

use crate::Sample;
use crate::body::ADULT;
use crate::capture::HIPS_ABOVE;
use crate::curve::{Curve, wave};
use crate::foot::{Foot, FootPlan};
use crate::plan::{ArmPlan, HANGING, Plan};
use crate::posture::{Posture, SIGNS, play};
use crate::two_bone::turn;
use nalgebra::Vector3;

const SECONDS: f64 = 5.8;
const RATE: f64 = 60.0;

/// Seconds from one heel strike to the next, which is the other foot's.
const STEP_SECONDS: f64 = 0.54;

/// The first heel strike (the left foot's), in seconds.
const FIRST: f64 = 0.95;

/// The number of steps.
const STEPS: usize = 8;

/// Walks off, turns left, turns right and stops.
pub fn walk() -> Sample {
    let path = Path::new();
    let feet = feet(&path);
    let arms = SIGNS.map(|_| ArmPlan::hanging());
    let plan = Plan { feet: feet.clone(), arms, ..Plan::standing(SECONDS) };
    let about = "Walks off, turns left, turns right, stops; feet roll from heel to toe.";
    play(("walk", about), (SECONDS, RATE), &feet, |t| posture(&path, &plan, t))
}

/// Where the body goes.
struct Path {
    /// Degrees to the left of +Z.
    heading: Curve<1>,
    /// How much of a walk it is: 0 standing, 1 in full stride.
    stride: Curve<1>,
    /// Places on the floor, [`Path::FINE`] a second.
    places: Vec<Vector3<f64>>,
}

impl Path {
    /// Grid points a second: a multiple of the frame rate, so that frames lie on the grid.
    const FINE: f64 = 8.0 * RATE;

    /// Cm a second in full stride.
    const SPEED: f64 = 100.0;

    fn new() -> Self {
        let heading = Curve::new([0.0]).to(1.3, 2.6, [68.0]).to(2.8, 4.3, [-32.0]);
        let stride = Curve::new([0.0]).to(0.3, 1.3, [1.0]).to(4.0, 5.1, [0.0]);
        let mut place = Vector3::zeros();
        let places = (0..=(SECONDS * Self::FINE) as usize)
            .map(|index| {
                let middle = (index as f64 + 0.5) / Self::FINE;
                let speed = Self::SPEED * stride.value(middle) / Self::FINE;
                let here = place;
                place += turn(heading.value(middle), 0.0, 0.0) * Vector3::z() * speed;
                here
            })
            .collect();
        Self { heading, stride, places }
    }

    fn place(&self, t: f64) -> Vector3<f64> {
        let fine = (t.max(0.0) * Self::FINE).min((self.places.len() - 2) as f64);
        let index = fine.floor() as usize;
        self.places[index].lerp(&self.places[index + 1], fine - fine.floor())
    }
}

/// The steps of both feet: each plant is where the body passes in the middle of its stance.
fn feet(path: &Path) -> [FootPlan; 2] {
    let mut feet = SIGNS.map(|sign| FootPlan {
        planted: Vec::new(),
        ..FootPlan::standing(9.0 * sign, 0.0, 6.0 * sign, SECONDS)
    });
    let mut flat_since = [0.0; 2];
    for step in 0..STEPS {
        let side = step % 2;
        let strike = FIRST + STEP_SECONDS * step as f64;
        let passes = strike + 0.31;
        let yaw = path.heading.value(passes);
        let aside = turn(yaw, 0.0, 0.0) * Vector3::x() * (9.0 * SIGNS[side]);
        let place = path.place(passes) + aside;
        let foot = feet[side].clone();
        // The first and the last steps are shorter and roll less.
        let length = (place - foot.place.at(strike)).norm() / (2.0 * STEP_SECONDS * Path::SPEED);
        let strength = length.min(1.0);
        let (off, on) = (strike - 0.72, strike + 0.14);
        let toe_off = strike - 0.41;
        let half = strike - 0.2;
        feet[side] = FootPlan {
            place: lifted(foot.place, toe_off, strike, place, 4.5 * strength),
            yaw: foot.yaw.to(toe_off, strike, [yaw + 6.0 * SIGNS[side]]),
            heel_up: foot.heel_up.to(off, toe_off + 0.06, [52.0 * strength]).to(
                toe_off + 0.02,
                strike - 0.06,
                [0.0],
            ),
            toes_up: foot.toes_up.to(toe_off + 0.12, strike, [19.0 * strength]).to(
                strike,
                on,
                [0.0],
            ),
            straight: foot.straight.to(toe_off, half, [0.8]).to(half, strike, [0.0]),
            planted: [foot.planted, vec![(flat_since[side], off)]].concat(),
            lifted: [foot.lifted, vec![(toe_off, strike)]].concat(),
        };
        flat_since[side] = on;
    }
    for (foot, since) in feet.iter_mut().zip(flat_since) {
        foot.planted.push((since, SECONDS));
    }
    feet
}

/// Moves a foot to `place` with its sole drawn up on the way.
fn lifted(foot: Curve<3>, from: f64, until: f64, place: Vector3<f64>, height: f64) -> Curve<3> {
    let middle = from + 0.45 * (until - from);
    let here = foot.at(from);
    let up = [here.x, height, here.z];
    foot.to(from, middle, up).to(from, until, [place.x, height, place.z]).to(
        middle,
        until,
        place.into(),
    )
}

/// Height of the hips joint: the wanted one, lowered smoothly to where both legs reach.
fn ride(posture: &Posture) -> f64 {
    const SOFT: f64 = 0.6;
    let leg = 0.992 * (ADULT.thigh + ADULT.shin);
    let reach = |(foot, sign): (&Foot, f64)| {
        let hip_joint = posture.pelvis * Vector3::new(sign * ADULT.hip, -HIPS_ABOVE, 0.0);
        let way = foot.ankle - posture.hips - hip_joint;
        foot.ankle.y - hip_joint.y + (leg * leg - way.x * way.x - way.z * way.z).max(0.0).sqrt()
    };
    let wanted = posture.hips.y;
    let over = posture.feet.iter().zip(SIGNS).map(reach);
    let over: f64 = over.map(|height| libm::exp((wanted - height) / SOFT)).sum();
    wanted - SOFT * libm::log(1.0 + over)
}

fn posture(path: &Path, plan: &Plan, t: f64) -> Posture {
    let idle = plan.at(t);
    let stride = path.stride.value(t);
    let cycle = 2.0 * STEP_SECONDS;
    // cos is 1 at the left heel strike, −1 at the right one; bob is 1 at both.
    let swing = |late: f64| stride * wave(t - FIRST - late + cycle / 4.0, cycle);
    let side = stride * wave(t - FIRST - 0.04, cycle);
    let bob = stride * wave(t - FIRST - 0.06 + STEP_SECONDS / 4.0, STEP_SECONDS);
    let heading = path.heading.value(t + 0.05);
    let ahead = path.heading.value(t + 0.3);
    let lean = 0.16 * (ahead - path.heading.value(t - 0.2)) * stride;
    let local = Vector3::new(
        2.3 * side,
        94.2 + 1.2 * (1.0 - stride) - 1.2 * bob,
        2.0 + 1.5 * (1.0 - stride),
    );
    let mut posture = Posture {
        hips: path.place(t) + turn(heading, 0.0, 0.0) * local,
        pelvis: turn(heading - 5.5 * swing(0.0), 4.0 + 0.8 * bob, 3.2 * side - 0.6 * lean),
        chest: turn(
            0.6 * heading + 0.4 * ahead + 6.5 * swing(0.02),
            1.0 + 2.0 * stride - 1.0 * bob,
            -2.2 * side - lean,
        ),
        head: turn(ahead + 1.0 * swing(0.05), 3.0 + 0.7 * bob, -0.4 * side - 0.3 * lean),
        ..idle
    };
    posture.hips.y = ride(&posture);
    for (arm, sign) in posture.arms.iter_mut().zip(SIGNS) {
        let forward = -sign * swing(0.04);
        let bent = -sign * swing(0.1);
        arm.angles[0] = HANGING[0] + stride * 3.0 + 23.0 * forward;
        arm.angles[1] += 1.5 * stride;
        arm.angles[3] += stride * 9.0 + 13.0 * bent;
        arm.angles[5] -= 5.0 * (-sign) * swing(0.16);
        arm.collar[1] = 3.0 * forward;
    }
    posture
}
