//! Rest poses that stand hunched.
//!
//! In standing poses, the line from the middle of the hips to that of the shoulders leans back by 4
//! degrees, spread by 4, in the rest poses of 25 rig classes; none leans forward by more than 2.
//! Single bones say less: their joints may be anywhere in the body, and they lean by up to 40 degrees.

use crate::body::Body;
use nalgebra::{UnitQuaternion, Vector3};
use rebone_skeleton::{JointId, WorldPose};

/// A trunk that leans forward by more is bent.
const STANDING_LEAN_RADIANS: f64 = 4_f64.to_radians();
/// No joint of the spine bends by more.
const MAX_BEND_RAD: f64 = 25_f64.to_radians();
/// Halvings of that until the bend is found.
const MAX_HALVINGS: usize = 40;

/// Returns the forward bend of each joint of the spine against the one below, radians: one angle for all, so
/// that without it the trunk were upright. 0 where it does not lean.
///
/// `pose` is in the inner world: +Y up, the body facing +Z.
pub(crate) fn bend_of_spine(body: &Body, pose: &WorldPose) -> f64 {
    let place = |id: JointId| pose.positions[id.index()];
    let middle = |[a, b]: [JointId; 2]| (place(a) + place(b)) / 2.0;
    let hips = middle(body.legs.each_ref().map(|leg| leg.upper));
    let shoulders = middle(body.arms.each_ref().map(|arm| arm.upper));
    let mut places = vec![hips];
    places.extend(body.trunk.iter().skip(1).map(|&id| place(id)));
    places.push(shoulders);
    let bones: Vec<Vector3<f64>> = places.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let lean = |bend: f64| {
        let line: Vector3<f64> =
            (0..).zip(&bones).map(|(k, bone)| bent(-f64::from(k) * bend) * bone).sum();
        libm::atan2(line.z, line.y)
    };
    if body.trunk.len() < 2 || lean(0.0) < STANDING_LEAN_RADIANS || lean(MAX_BEND_RAD) > 0.0 {
        return 0.0;
    }
    let (mut least, mut most) = (0.0, MAX_BEND_RAD);
    for _ in 0..MAX_HALVINGS {
        let between = (least + most) / 2.0;
        if lean(between) > 0.0 { least = between } else { most = between }
    }
    least
}

/// A turn forwards about the body's left, radians.
pub(crate) fn bent(by: f64) -> UnitQuaternion<f64> {
    UnitQuaternion::from_axis_angle(&Vector3::x_axis(), by)
}
