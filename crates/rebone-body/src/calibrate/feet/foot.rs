//! The frame of a foot in a standing pose.

use crate::body::{Leg, end_of_foot};
use nalgebra::{UnitQuaternion, Vector3};
use rebone_skeleton::{JointId, Skeleton, WorldPose};

/// Ankle, ball and tip of the toes are in line below this (sine).
pub(crate) const MIN_BENT_SOLE_SINE: f64 = 0.12;

/// The knee of a leg that was turned as one piece bends by less.
const MAX_RIGID_BEND_RADIANS: f64 = 0.5_f64.to_radians();
/// Legs that are apart by more have turned their feet, where no toes show it: straight ones, and others.
const MIN_LEAN_RAD: f64 = 4_f64.to_radians();
const MIN_BENT_LEAN_RAD: f64 = 10_f64.to_radians();

/// The frame of a foot: flat on the ground and pointing to its ball, or rolled outwards as its leg.
///
/// In some T and A poses the foot is turned rigidly with a leg that stands apart (CMU: 20 degrees), in
/// others it is flat. Ankle, ball and toe tip lie in an upright plane of the foot, which shows it. Where they
/// lie in line, a leg that is 10 degrees apart or more is taken to have turned its foot; one that is
/// straight to half a degree was put there as one piece, from 4 degrees on.
pub(crate) fn standing_foot(
    skeleton: &Skeleton,
    leg: &Leg,
    pose: &WorldPose,
    sole_pitch: f64,
) -> UnitQuaternion<f64> {
    let place = |id: JointId| pose.positions[id.index()];
    let Some(ahead) = ball_or_tip(skeleton, leg, pose).map(|ball| ball - place(leg.foot)) else {
        return UnitQuaternion::identity();
    };
    let shin = place(leg.foot) - place(leg.lower);
    let lean = libm::atan2(shin.x, -shin.y);
    let toes = leg.toes.and_then(|toes| toes_ahead(skeleton, toes, pose));
    let thigh = place(leg.lower) - place(leg.upper);
    let least =
        if thigh.angle(&shin) < MAX_RIGID_BEND_RADIANS { MIN_LEAN_RAD } else { MIN_BENT_LEAN_RAD };
    let rolled = toes.and_then(|toes| plane_roll(&ahead, &toes)).unwrap_or(if lean.abs() < least {
        0.0
    } else {
        lean
    });
    let leans = (rolled - lean).abs() < rolled.abs();
    let roll = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), if leans { lean } else { 0.0 });
    let Some(heading) = flat_heading(&(roll.inverse() * ahead)) else { return roll };
    roll * heading * UnitQuaternion::from_axis_angle(&Vector3::x_axis(), -sole_pitch)
}

/// From the ball to the middle of the toes' ends.
pub(crate) fn toes_ahead(
    skeleton: &Skeleton,
    toes: JointId,
    pose: &WorldPose,
) -> Option<Vector3<f64>> {
    let (place, turn) = (pose.positions[toes.index()], pose.rotations[toes.index()]);
    let sites = skeleton.end_sites_of(toes).map(|site| turn * site.offset);
    let children = skeleton.children(toes).map(|child| pose.positions[child.index()] - place);
    let ends: Vec<_> = sites.chain(children).filter(|end| end.norm() > 1e-9).collect();
    (!ends.is_empty()).then(|| ends.iter().sum::<Vector3<f64>>() / ends.len() as f64)
}

/// Counts the end sites and children of a joint.
pub(crate) fn end_count(skeleton: &Skeleton, joint: JointId) -> usize {
    skeleton.end_sites_of(joint).count() + skeleton.children(joint).count()
}

/// Returns the pitch of both feet, upwards, in a pose that should stand on them, by the lines from the balls to the tips
/// of the toes.
///
/// In the rest poses of 40 files they are level to 1.6 degrees. Where both are pitched the same way by 2.5 to 9 degrees,
/// both feet are, by the lesser, as where straightened knees have turned them. A line that is pitched on one foot alone
/// is that of a tip that was put elsewhere (Geno: 5.6 and 1.6 degrees above soles that are both level), as a
/// steeper one is (10 and −13 degrees were met), and says nothing.
pub(crate) fn pitch_of_soles(skeleton: &Skeleton, legs: &[Leg; 2], pose: &WorldPose) -> f64 {
    let pitch_of = |leg: &Leg| {
        let toes = leg.toes.filter(|&toes| end_count(skeleton, toes) == 1)?;
        let ahead = toes_ahead(skeleton, toes, pose)?;
        Some(libm::asin((ahead.y / ahead.norm()).clamp(-1.0, 1.0)))
    };
    let [Some(left), Some(right)] = legs.each_ref().map(pitch_of) else { return 0.0 };
    let usual = 2.5_f64.to_radians()..9_f64.to_radians();
    let is_common = left * right > 0.0 && [left, right].iter().all(|p| usual.contains(&p.abs()));
    let lesser = if left.abs() < right.abs() { left } else { right };
    if is_common { lesser } else { 0.0 }
}

/// The place of the ball, else of the end of the foot.
pub(crate) fn ball_or_tip(
    skeleton: &Skeleton,
    leg: &Leg,
    pose: &WorldPose,
) -> Option<Vector3<f64>> {
    let ankle = pose.positions[leg.foot.index()];
    match leg.toes {
        Some(toes) => Some(pose.positions[toes.index()]),
        None => end_of_foot(skeleton, leg.foot, pose, 1.0)
            .filter(|end| (end - ankle).norm_squared() > 1e-18),
    }
}

/// Returns the outward rotation of the plane of ankle, ball and toe tip, radians; `None` where they are
/// nearly in line or the plane does not stand upright.
fn plane_roll(ahead: &Vector3<f64>, toes: &Vector3<f64>) -> Option<f64> {
    let normal = toes.cross(ahead);
    let upright = normal.x.abs() > 0.9 * normal.norm();
    let bent = normal.norm() > MIN_BENT_SOLE_SINE * ahead.norm() * toes.norm();
    (upright && bent).then(|| libm::asin((normal.y / normal.norm()).clamp(-1.0, 1.0)))
}

/// The frame of a flat foot that points along `toes`, whose height is left out.
fn flat_heading(toes: &Vector3<f64>) -> Option<UnitQuaternion<f64>> {
    let flat = Vector3::new(toes.x, 0.0, toes.z);
    let yaw = || libm::atan2(flat.x, flat.z);
    (flat.norm() > 0.3 * toes.norm())
        .then(|| UnitQuaternion::from_axis_angle(&Vector3::y_axis(), yaw()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::{Hints, analyse};

    #[test]
    fn soles_are_pitched_where_the_tips_of_both_feet_are() {
        let walk = rebone_samples::walk().motion;
        let anatomy = analyse(&walk, &Hints::default()).unwrap();
        let (skeleton, legs) = (&anatomy.skeleton, &anatomy.body.legs);
        for (left, right, expected) in [
            (-4.0, -6.0, -4.0),
            (6.0, 4.0, 4.0),
            (-1.6, -5.6, 0.0),
            (4.0, -4.0, 0.0),
            (-5.0, -12.0, 0.0),
            (1.0, 1.0, 0.0),
        ] {
            let mut pose = anatomy.t_pose.clone();
            for (leg, pitch) in legs.iter().zip([left, right]) {
                let toes = leg.toes.unwrap();
                let tip = toes_ahead(skeleton, toes, &pose).unwrap();
                let ahead = Vector3::new(0.0, libm::tan(f64::to_radians(pitch)), 1.0);
                let turn = UnitQuaternion::rotation_between(&tip, &ahead).unwrap();
                pose.rotations[toes.index()] = turn * pose.rotations[toes.index()];
            }
            let found = pitch_of_soles(skeleton, legs, &pose).to_degrees();
            assert!((found - expected).abs() < 1e-6, "{left} and {right} give {found}");
        }
    }
}
