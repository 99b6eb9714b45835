//! The frame of a foot in a standing pose.

use super::soles::MIN_BENT_SOLE_SINE;
use crate::body::{Leg, end_of_foot};
use nalgebra::{UnitQuaternion, Vector3};
use rebone_skeleton::{JointId, Skeleton, WorldPose};

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
    let one_tip = leg.toes.is_some_and(|toes| end_count(skeleton, toes) == 1);
    let pitch = toes.filter(|_| one_tip).map_or(0.0, |toes| sole_pitch(&toes));
    roll * heading * UnitQuaternion::from_axis_angle(&Vector3::x_axis(), -pitch)
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

/// Returns the pitch of a foot, upwards, in a pose that should stand on it, by the line from the ball to the tip
/// of the toes.
///
/// In the rest poses of 40 files it is level to 1.6 degrees. A pitch up to 9 degrees is one of the whole
/// foot, as where straightened knees have turned it; where the line is steeper, the tip was put
/// elsewhere (10 and −13 degrees were met) and says nothing.
fn sole_pitch(toes: &Vector3<f64>) -> f64 {
    let pitch = libm::asin((toes.y / toes.norm()).clamp(-1.0, 1.0));
    let usual = 2.5_f64.to_radians()..9_f64.to_radians();
    if usual.contains(&pitch.abs()) { pitch } else { 0.0 }
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
