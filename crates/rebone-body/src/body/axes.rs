//! Anatomical frames of a plain T pose, and rotations built from directions.
//!
//! An anatomical frame is right-handed. Trunk, head, collar bones and feet: +X to the body's left, +Y
//! up, +Z forward. Limbs, hands and fingers: +Y along the bone away from the trunk, +X the axis about
//! which the next joint bends, so that bending turns +Y towards +Z.

use super::parts::Body;
use super::role::Side;
use nalgebra::{Matrix3, Rotation3, Unit, UnitQuaternion, Vector3};
use rebone_skeleton::rotation::{direction, shortest_arc};
use rebone_skeleton::{JointId, Skeleton, WorldPose};

/// The anatomical frame of a straight arm that points out to the side, palm down.
pub(crate) fn arm_in_t_pose(side: Side) -> UnitQuaternion<f64> {
    let sign = side.sign();
    from_columns(Vector3::new(0.0, -sign, 0.0), Vector3::new(sign, 0.0, 0.0), Vector3::z())
}

/// The anatomical frame of a straight leg that points down.
pub(crate) fn hanging_leg() -> UnitQuaternion<f64> {
    from_columns(Vector3::x(), -Vector3::y(), -Vector3::z())
}

/// The anatomical frame of a straight finger of a hand that points out to the side, palm down.
pub(crate) fn finger_in_t_pose(side: Side) -> UnitQuaternion<f64> {
    let sign = side.sign();
    from_columns(Vector3::new(0.0, 0.0, -sign), Vector3::new(sign, 0.0, 0.0), -Vector3::y())
}

fn from_columns(x: Vector3<f64>, y: Vector3<f64>, z: Vector3<f64>) -> UnitQuaternion<f64> {
    let matrix = Rotation3::from_matrix_unchecked(Matrix3::from_columns(&[x, y, z]));
    UnitQuaternion::from_rotation_matrix(&matrix)
}

/// The rotation whose +Y is `along` and whose +X is as near to `across` as that allows.
pub(crate) fn frame(
    along: &Unit<Vector3<f64>>,
    across: &Vector3<f64>,
) -> Option<UnitQuaternion<f64>> {
    let x = direction(&(across - along.into_inner() * along.dot(across)))?;
    Some(from_columns(*x, **along, x.cross(along)))
}

/// The rotation whose +X is `left` and whose +Y is as near to `up` as that allows.
pub(crate) fn sideways(left: &Vector3<f64>, up: &Vector3<f64>) -> Option<UnitQuaternion<f64>> {
    let left = direction(left)?;
    let up = direction(&(up - left.into_inner() * up.dot(&left)))?;
    frame(&up, &left)
}

/// `frame` turned by the shortest way so that its +Y is `along`.
pub(crate) fn turned_to(
    frame: UnitQuaternion<f64>,
    along: &Unit<Vector3<f64>>,
) -> UnitQuaternion<f64> {
    shortest_arc(&Unit::new_unchecked(frame * Vector3::y()), along) * frame
}

/// Fills gaps with the frame of the joint above, or `root` where nothing is above.
pub(crate) fn inherit(
    skeleton: &Skeleton,
    found: &[Option<UnitQuaternion<f64>>],
    root: UnitQuaternion<f64>,
) -> Vec<UnitQuaternion<f64>> {
    let mut frames: Vec<UnitQuaternion<f64>> = Vec::with_capacity(found.len());
    for (joint, own) in skeleton.joints().iter().zip(found) {
        let above = joint.parent.map_or(root, |parent| frames[parent.index()]);
        frames.push(own.unwrap_or(above));
    }
    frames
}

/// The world place of the end of a leaf: its farthest end site of any length, else its farthest child.
///
/// `unit` is the length of the file's unit in that of `pose`.
#[doc(hidden)]
pub fn tip(
    skeleton: &Skeleton,
    joint: JointId,
    pose: &WorldPose,
    unit: f64,
) -> Option<Vector3<f64>> {
    end_of(skeleton, joint, pose, unit, |_| true)
}

/// Like `end_of`; reads only children that count.
pub(crate) fn end_of(
    skeleton: &Skeleton,
    joint: JointId,
    pose: &WorldPose,
    unit: f64,
    counts: impl Fn(JointId) -> bool,
) -> Option<Vector3<f64>> {
    let (place, turn) = (pose.positions[joint.index()], pose.rotations[joint.index()]);
    let farther = |a: &Vector3<f64>, b: &Vector3<f64>| {
        (a - place).norm_squared().total_cmp(&(b - place).norm_squared())
    };
    let sites = skeleton.end_sites_of(joint).filter(|site| site.offset.norm() > 1e-9);
    let site = sites.map(|site| place + turn * site.offset * unit).max_by(farther);
    let children = skeleton.children(joint).filter(|&child| counts(child));
    site.or_else(|| children.map(|child| pose.positions[child.index()]).max_by(farther))
}

/// The anatomical frames of a plain T pose; `None` for joints that play no part.
pub(crate) fn t_pose_frames(skeleton: &Skeleton, body: &Body) -> Vec<Option<UnitQuaternion<f64>>> {
    let mut frames = vec![None; skeleton.len()];
    let mut set = |joint: &JointId, frame| frames[joint.index()] = Some(frame);
    body.trunk.iter().chain(&body.neck).for_each(|joint| set(joint, UnitQuaternion::identity()));
    for side in Side::BOTH {
        let (arm, leg) = (&body.arms[side.index()], &body.legs[side.index()]);
        arm.collar.iter().for_each(|joint| set(joint, UnitQuaternion::identity()));
        let bones = [&arm.upper, &arm.lower].into_iter();
        bones
            .chain(&arm.hand)
            .chain(&arm.upper_twist)
            .chain(&arm.lower_twist)
            .for_each(|joint| set(joint, arm_in_t_pose(side)));
        arm.fingers.iter().flatten().for_each(|joint| set(joint, finger_in_t_pose(side)));
        leg.hip_bones.iter().for_each(|joint| set(joint, UnitQuaternion::identity()));
        let bones = [&leg.upper, &leg.lower].into_iter();
        bones
            .chain(&leg.upper_twist)
            .chain(&leg.lower_twist)
            .for_each(|joint| set(joint, hanging_leg()));
        [leg.foot].iter().chain(&leg.toes).for_each(|joint| set(joint, UnitQuaternion::identity()));
    }
    frames
}

/// Brings a pose of a file into the inner world.
#[doc(hidden)]
pub fn turn_and_scale(world: &mut WorldPose, turn: &UnitQuaternion<f64>, scale: f64) {
    world.positions.iter_mut().for_each(|place| *place = turn * *place * scale);
    world.rotations.iter_mut().for_each(|rotation| *rotation = turn * *rotation);
}
