//! Anatomical frames read off a motion, for skeletons that never stand in a known pose.
//!
//! All results are `joint_from_anatomical`: the frame of a segment in its joint's own axes, constant
//! over time. Limbs: +Y is the bone, +X the axis that the elbow or knee bends about. Trunk and head:
//! +Y is up on average over upright frames.

use super::body::{Arm, Landmark};
use super::frames::{arm_in_t_pose, finger_in_t_pose, frame, turned_to};
use super::soles::standing_feet;
use super::{Body, Side};
use nalgebra::{Matrix3, SymmetricEigen, Unit, UnitQuaternion, Vector3};
use rebone_skeleton::{
    Axis, JointId, Skeleton, WorldPose, rotation, rotation::direction, rotation::shortest_arc,
};

/// Bends below this say nothing about the axis: sin² of 8 degrees.
const LEAST_BEND: f64 = 0.019_369;

/// A joint that turns less on the one above never turns, radians.
const STILL: f64 = 1e-6;

/// The axis that is up in a motion, from where the trunk stands over the hips and hips over the feet.
pub(crate) fn up_axis(body: &Body, frames: &[WorldPose]) -> Unit<Vector3<f64>> {
    let mut sum = Vector3::zeros();
    for pose in frames {
        let place = |id: JointId| pose.positions[id.index()];
        let middle = |a: JointId, b: JointId| (place(a) + place(b)) / 2.0;
        let hips = middle(body.legs[0].upper, body.legs[1].upper);
        let shoulders = middle(body.arms[0].upper, body.arms[1].upper);
        let feet = middle(body.legs[0].foot, body.legs[1].foot);
        sum += direction(&(shoulders - hips)).map_or(Vector3::zeros(), |d| *d);
        sum += direction(&(hips - feet)).map_or(Vector3::zeros(), |d| *d);
    }
    let axis = Axis::ALL[sum.iamax()].unit();
    if sum.dot(&axis) < 0.0 { -axis } else { axis }
}

/// `joint_from_anatomical` of each joint that a role's motion tells; `None` elsewhere.
pub(crate) fn frames_from_motion(
    skeleton: &Skeleton,
    body: &Body,
    frames: &[WorldPose],
    up: Unit<Vector3<f64>>,
) -> Vec<Option<UnitQuaternion<f64>>> {
    let mut found = vec![None; skeleton.len()];
    let upright = upright_frames(body, frames, up);
    trunk_frames(&mut found, skeleton, body, &upright, up);
    for side in Side::BOTH {
        let arm = &body.arms[side.index()];
        if let Some(collar) = arm.collar {
            let chest = found[body.chest().index()];
            let mean = carried(&upright, body.chest(), chest, collar);
            let points = chest.and_then(|chest| collar_points(&upright, body, chest, side));
            found[collar.index()] = mean.zip(points).map(|(mean, points)| {
                let straight = collar_in_t_pose(&points, side);
                mean * shortest_arc(&points, &straight).inverse()
            });
        }
        arm_frames(&mut found, skeleton, frames, arm, side);
        let leg = &body.legs[side.index()];
        for &joint in &leg.hip_bones {
            let pelvis = found[body.pelvis().index()];
            found[joint.index()] = carried(frames, body.pelvis(), pelvis, joint);
        }
        let places = [leg.upper.into(), leg.lower.into(), leg.foot.into()];
        limb(&mut found, skeleton, frames, places, [&leg.upper_twist, &leg.lower_twist]);
        for (joint, frame) in standing_feet(skeleton, leg, frames, up) {
            found[joint.index()] = Some(frame);
        }
    }
    found
}

/// The mean direction of a collar bone, in the frame of the chest.
fn collar_points(
    frames: &[&WorldPose],
    body: &Body,
    chest_frame: UnitQuaternion<f64>,
    side: Side,
) -> Option<Unit<Vector3<f64>>> {
    let arm = &body.arms[side.index()];
    let (chest, collar) = (body.chest().index(), arm.collar?);
    let points = |pose: &&WorldPose| {
        let place = |id: JointId| pose.positions[id.index()];
        (pose.rotations[chest] * chest_frame).inverse() * (place(arm.upper) - place(collar))
    };
    direction(&frames.iter().map(points).sum())
}

/// Where a collar bone points in the T pose, in the frame of the chest, given where it points on average
/// in a motion.
///
/// In the rest poses of 45 files it points outwards, 3.5 degrees back, spread by 10 degrees; hanging
/// arms pull it down and reaching ones forward, by some 12 degrees: the two are averaged by precision.
fn collar_in_t_pose(mean: &Unit<Vector3<f64>>, side: Side) -> Unit<Vector3<f64>> {
    const USUAL: f64 = 144.0 / (144.0 + 100.0);
    let back = 3.5_f64.to_radians();
    let usual = Vector3::new(side.sign() * libm::cos(back), 0.0, -libm::sin(back));
    direction(&(usual * USUAL + mean.into_inner() * (1.0 - USUAL))).unwrap_or(*mean)
}

/// Both bones, twist joints, hand and fingers of an arm.
fn arm_frames(
    found: &mut [Option<UnitQuaternion<f64>>],
    skeleton: &Skeleton,
    frames: &[WorldPose],
    arm: &Arm,
    side: Side,
) {
    let places = [arm.upper.into(), arm.lower.into(), arm.wrist];
    limb(found, skeleton, frames, places, [&arm.upper_twist, &arm.lower_twist]);
    if let Some(hand) = arm.hand {
        let mean = carried(frames, arm.lower, found[arm.lower.index()], hand);
        found[hand.index()] = mean.map(|mean| hand_frame(skeleton, hand, &arm.fingers, mean));
        fingers(found, skeleton, frames, hand, arm, side);
    }
}

/// The frames in which the trunk stands within 25 degrees of up, or all where these are few.
fn upright_frames<'a>(
    body: &Body,
    frames: &'a [WorldPose],
    up: Unit<Vector3<f64>>,
) -> Vec<&'a WorldPose> {
    let lean = |pose: &WorldPose| {
        let place = |id: JointId| pose.positions[id.index()];
        let chord = place(body.arms[0].upper) + place(body.arms[1].upper)
            - place(body.legs[0].upper)
            - place(body.legs[1].upper);
        direction(&chord).map_or(f64::INFINITY, |chord| chord.angle(&up))
    };
    let upright: Vec<_> = frames.iter().filter(|pose| lean(pose) < 25_f64.to_radians()).collect();
    if upright.len() * 20 >= frames.len() && !upright.is_empty() {
        upright
    } else {
        frames.iter().collect()
    }
}

/// Trunk and neck. A joint that never turns on the one above is part of its segment: its frame is
/// that one's.
fn trunk_frames(
    found: &mut [Option<UnitQuaternion<f64>>],
    skeleton: &Skeleton,
    body: &Body,
    frames: &[&WorldPose],
    up: Unit<Vector3<f64>>,
) {
    let mut joints: Vec<JointId> = body.trunk.iter().chain(&body.neck).copied().collect();
    joints.sort_unstable();
    for joint in joints {
        let parent = skeleton.joint(joint).parent.filter(|parent| found[parent.index()].is_some());
        let still =
            parent.and_then(|parent| constant_turn(frames, parent, joint).zip(Some(parent)));
        found[joint.index()] = match still {
            Some((turn, parent)) => found[parent.index()].map(|frame| turn.inverse() * frame),
            None => trunk_frame(body, frames, joint, up),
        };
    }
}

/// `R_parent⁻¹ R_joint` where it is the same in all frames.
fn constant_turn(
    frames: &[&WorldPose],
    parent: JointId,
    joint: JointId,
) -> Option<UnitQuaternion<f64>> {
    let turn =
        |pose: &WorldPose| pose.rotations[parent.index()].inverse() * pose.rotations[joint.index()];
    let first = turn(frames.first()?);
    frames.iter().all(|pose| turn(pose).angle_to(&first) < STILL).then_some(first)
}

/// Up and left, averaged in the joint's own axes.
///
/// Up is halfway between the mean of the world's up, which leans with the actor, and the bone to the
/// next joint, which leans with the rig.
fn trunk_frame(
    body: &Body,
    frames: &[&WorldPose],
    joint: JointId,
    up: Unit<Vector3<f64>>,
) -> Option<UnitQuaternion<f64>> {
    let mut path = body.trunk.iter().chain(&body.neck).skip_while(|&&id| id != joint).skip(1);
    let next = path.next().copied();
    let mut sums = [Vector3::zeros(); 3];
    for pose in frames {
        let place = |id: JointId| pose.positions[id.index()];
        let across = |a: JointId, b: JointId| {
            direction(&(place(a) - place(b))).map_or(Vector3::zeros(), |d| *d)
        };
        let hips = || across(body.legs[0].upper, body.legs[1].upper);
        let shoulders = || across(body.arms[0].upper, body.arms[1].upper);
        let left = match joint {
            joint if joint == body.pelvis() => hips(),
            joint if joint == body.chest() => shoulders(),
            _ => hips() + shoulders(),
        };
        let bone = next.map_or(*up, |next| across(next, joint));
        let own = pose.rotations[joint.index()].inverse();
        for (sum, seen) in sums.iter_mut().zip([*up, bone, left]) {
            *sum += own * seen;
        }
    }
    let [mean_up, bone, left] = sums.map(|sum| direction(&sum));
    let between = mean_up?.into_inner() + bone.or(mean_up)?.into_inner();
    frame(&direction(&between).or(mean_up)?, &*left?)
}

/// The mean of `other`'s frame when it is what `joint`'s frame carries: `mean(R_joint⁻¹ R_other) F`.
pub(super) fn carried<P: std::borrow::Borrow<WorldPose>>(
    frames: &[P],
    other: JointId,
    other_frame: Option<UnitQuaternion<f64>>,
    joint: JointId,
) -> Option<UnitQuaternion<f64>> {
    let frame = other_frame?;
    Some(rotation::mean(frames.iter().map(|pose| {
        let rotations = &pose.borrow().rotations;
        rotations[joint.index()].inverse() * rotations[other.index()] * frame
    })))
}

/// Upper and lower bone of an arm or a leg: bone and bend axis, in the axes of the joints that move
/// them; the twist joints in line get the frame that their bone has in their own axes.
fn limb(
    found: &mut [Option<UnitQuaternion<f64>>],
    skeleton: &Skeleton,
    frames: &[WorldPose],
    [upper, lower, end]: [Landmark; 3],
    [upper_twist, lower_twist]: [&[JointId]; 2],
) {
    for (joints, start, stop) in [(upper_twist, upper, lower), (lower_twist, lower, end)] {
        for &joint in [start.joint].iter().chain(joints) {
            let bone = bone_in(skeleton, frames, joint, start, stop);
            let axis = bend_axis(frames, joint, [upper, lower, end]);
            found[joint.index()] =
                bone.and_then(|bone| frame(&bone, &axis.unwrap_or_else(|| any_across(&bone))));
        }
    }
}

fn any_across(bone: &Unit<Vector3<f64>>) -> Vector3<f64> {
    rotation::least_aligned_axis(bone)
}

/// The mean direction of the bone `start` to `stop` in the axes of `joint`.
fn bone_in(
    skeleton: &Skeleton,
    frames: &[WorldPose],
    joint: JointId,
    start: Landmark,
    stop: Landmark,
) -> Option<Unit<Vector3<f64>>> {
    let end = skeleton.joint(stop.joint);
    if stop == stop.joint.into() && end.parent == Some(joint) && joint == start.joint {
        return direction(&end.rest_translation)
            .or_else(|| mean_direction(frames, joint, start, stop));
    }
    mean_direction(frames, joint, start, stop)
}

fn mean_direction(
    frames: &[WorldPose],
    joint: JointId,
    start: Landmark,
    stop: Landmark,
) -> Option<Unit<Vector3<f64>>> {
    let sum: Vector3<f64> = frames
        .iter()
        .map(|pose| {
            let bone = stop.place(pose, 1.0) - start.place(pose, 1.0);
            pose.rotations[joint.index()].inverse() * bone
        })
        .sum();
    direction(&sum)
}

/// The axis that a limb bends about in the axes of `joint`, signed so that bending is positive.
///
/// The bend normal `n = u × f` of upper and lower bone weighs each frame by sin² of its bend in
/// `M = Σ n nᵀ`; the axis is the top eigenvector `a`, its sign that of `Σ (n·a)³`. `None` where the
/// limb never bends by 8 degrees.
pub(crate) fn bend_axis(
    frames: &[WorldPose],
    joint: JointId,
    [upper, lower, end]: [Landmark; 3],
) -> Option<Vector3<f64>> {
    let normal = |pose: &WorldPose| {
        let place = |landmark: Landmark| landmark.place(pose, 1.0);
        let u = direction(&(place(lower) - place(upper)))?;
        let f = direction(&(place(end) - place(lower)))?;
        Some(pose.rotations[joint.index()].inverse() * u.cross(&f))
    };
    let normals = || frames.iter().filter_map(normal);
    let moments: Matrix3<f64> = normals().map(|n| n * n.transpose()).sum();
    let strongest = normals().map(|n| n.norm_squared()).fold(0.0, f64::max);
    if strongest < LEAST_BEND {
        return None;
    }
    let eigen = SymmetricEigen::new(moments);
    let axis: Vector3<f64> = eigen.eigenvectors.column(eigen.eigenvalues.imax()).into_owned();
    let skew: f64 = normals().map(|n| n.dot(&axis).powi(3)).sum();
    Some(axis * skew.signum())
}

/// The hand's frame with its +Y along the hand; the roll is the mean roll against the forearm.
fn hand_frame(
    skeleton: &Skeleton,
    hand: JointId,
    fingers: &[Vec<JointId>; 5],
    mean: UnitQuaternion<f64>,
) -> UnitQuaternion<f64> {
    let outer: Vec<_> = fingers[1..]
        .iter()
        .filter_map(|finger| finger.first())
        .map(|&id| skeleton.joint(id))
        .filter(|joint| joint.parent == Some(hand))
        .map(|joint| joint.rest_translation)
        .collect();
    let (Some(first), Some(last)) = (outer.first(), outer.last()) else { return mean };
    if outer.len() < 2 {
        return mean;
    }
    let along = direction(&outer.iter().sum::<Vector3<f64>>());
    let toward_thumb = first - last;
    let palm = along.and_then(|along| frame(&along, &(along.cross(&toward_thumb))));
    palm.unwrap_or(mean)
}

/// A finger's bone is an OFFSET; it bends about the axis across the palm, on average over the frames.
fn fingers(
    found: &mut [Option<UnitQuaternion<f64>>],
    skeleton: &Skeleton,
    frames: &[WorldPose],
    hand: JointId,
    arm: &Arm,
    side: Side,
) {
    let own = found[hand.index()];
    let straight = own.map(|own| own * (arm_in_t_pose(side).inverse() * finger_in_t_pose(side)));
    for finger in &arm.fingers {
        for (place, &joint) in finger.iter().enumerate() {
            let next = finger.get(place + 1).map(|&next| skeleton.joint(next).rest_translation);
            let end = next.or_else(|| skeleton.end_sites_of(joint).next().map(|site| site.offset));
            let along = end.and_then(|end| direction(&end));
            let mean = carried(frames, hand, straight, joint);
            found[joint.index()] = match (mean, along) {
                (Some(mean), Some(along)) => Some(turned_to(mean, &along)),
                (mean, _) => mean,
            };
        }
    }
}
