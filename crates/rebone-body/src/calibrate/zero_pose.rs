//! Zero poses in which every bone of a limb lies on one axis.
//!
//! Such a rest pose (LAFAN1, Rokoko, Bandai Namco, Character Creator) is no standing pose, but it says
//! how the body was thought: trunk, arms and legs are straight in it, and where the joints' axes are
//! those of the body, elbows and knees bend about one of them.

use crate::body::{Body, Landmark, Side, frame, sideways, turned_to};
use nalgebra::{Unit, UnitQuaternion, Vector3};
use rebone_skeleton::rotation::direction;
use rebone_skeleton::{Axis, JointId, Skeleton};

/// Bones of a straight limb lie within this of each other.
const MAX_LIMB_BEND_RADIANS: f64 = 0.06;
/// Bones of a natural back lie within this of the trunk's axis: 25 degrees.
const MAX_BACK_BEND_RADIANS: f64 = 25.0 * std::f64::consts::PI / 180.0;
/// Axes of a body's joints lie within this of the body's own.
const MAX_AXIS_ERROR_RADIANS: f64 = 0.02;
/// The line from the pelvis to the head lies within this of the axis of a natural back: 3 degrees.
const MAX_CHORD_ERROR_RADIANS: f64 = 0.052;
/// An estimate of a joint of the trunk further than this from the straight body's frame is believed instead: 30 degrees.
const MIN_CONTRADICTION_RADIANS: f64 = std::f64::consts::FRAC_PI_6;
/// An estimate of a limb's bend axis further than this from an axis of its joints is believed instead: halfway to the next.
const MAX_BEND_AXIS_ERROR_RADIANS: f64 = std::f64::consts::FRAC_PI_4;

/// A rest pose whose trunk and limbs are straight along one axis.
#[derive(Clone, Debug)]
pub(crate) struct CollinearRestPose {
    /// The trunk's axis, in the axes of all joints (a rest pose without rotations).
    trunk: Unit<Vector3<f64>>,
    /// True where the bones of the trunk lie along it: else they have the bends of a natural back.
    is_trunk_straight: bool,
    /// Whether the joints' axes are the body's own: the lines of thighs and shoulders lie along them too.
    pub(crate) of_the_body: bool,
}

impl CollinearRestPose {
    /// `None` where the rest pose is no such pose.
    pub(crate) fn of(skeleton: &Skeleton, body: &Body) -> Option<Self> {
        let rest = skeleton.rest_world();
        let turned = skeleton.joints().iter().any(|joint| joint.rest_rotation.angle() > 1e-9);
        let place = |id: JointId| rest.positions[id.index()];
        let line = |from: JointId, to: JointId| direction(&(place(to) - place(from)));
        let mut path = body.trunk.clone();
        path.extend(&body.neck);
        let bones: Vec<_> = path.windows(2).filter_map(|pair| line(pair[0], pair[1])).collect();
        let chord = line(*path.first()?, *path.last()?)?;
        // Mirrored joints have the bones of one side along the axis' other direction.
        let is_along = |bone: &Unit<Vector3<f64>>, axis: &Unit<Vector3<f64>>| {
            bone.angle(axis).min(bone.angle(&-*axis)) < MAX_LIMB_BEND_RADIANS
        };
        let is_trunk_straight = bones.iter().all(|bone| is_along(bone, &chord));
        let trunk = if is_trunk_straight { chord } else { nearest_to(&chord)? };
        let bone = |from: JointId, to: Landmark| direction(&(to.at(&rest, 1.0) - place(from)));
        let legs =
            body.legs.iter().map(|leg| [line(leg.upper, leg.lower), line(leg.lower, leg.foot)]);
        let arms =
            body.arms.iter().map(|arm| [line(arm.upper, arm.lower), bone(arm.lower, arm.wrist)]);
        let limbs: Vec<_> = legs.chain(arms).flatten().collect();
        let is_back = bones.iter().all(|bone| bone.angle(&trunk) < MAX_BACK_BEND_RADIANS);
        let straight = (is_trunk_straight || is_back)
            && limbs.iter().all(|bone| bone.as_ref().is_some_and(|bone| is_along(bone, &trunk)));
        if turned || !straight {
            return None;
        }
        let thighs = line(body.legs[1].upper, body.legs[0].upper).filter(aligned);
        let girdle = body.arms.each_ref().map(|arm| arm.collar.unwrap_or(arm.upper));
        let shoulders = line(girdle[1], girdle[0]).filter(aligned);
        let of_the_body = aligned(&trunk) && thighs.is_some() && shoulders.is_some();
        Some(Self { trunk, is_trunk_straight, of_the_body })
    }

    /// Mends frames that were estimated: the trunk is straight, or halfway to it, sides and bends are along one of the axes.
    pub(crate) fn correct(&self, body: &Body, frames: &mut [UnitQuaternion<f64>]) {
        for &joint in body.trunk.iter().chain(&body.neck) {
            let estimate = frames[joint.index()];
            let left = nearest_axis(&(estimate * Vector3::x()), &self.trunk);
            let is_head = body.head() == Some(joint);
            if let Some(corrected) = frame(&self.trunk, &left)
                && (is_head || corrected.angle_to(&estimate) < MIN_CONTRADICTION_RADIANS)
            {
                // The axes of a natural back are as sure as what the motion shows.
                let is_sure = is_head || self.is_trunk_straight;
                frames[joint.index()] = if is_sure { corrected } else { mean(estimate, corrected) };
            }
        }
        let [left_arm, right_arm] = body.arms.each_ref().map(|arm| {
            [&[arm.upper, arm.lower][..], arm.hand.as_slice(), &arm.upper_twist, &arm.lower_twist]
                .concat()
        });
        self.mend_limbs([left_arm, right_arm], frames);
        let [left_leg, right_leg] = body
            .legs
            .each_ref()
            .map(|leg| [&[leg.upper, leg.lower][..], &leg.upper_twist, &leg.lower_twist].concat());
        self.mend_limbs([left_leg, right_leg], frames);
        for side in Side::BOTH {
            let (arm, leg) = (&body.arms[side.index()], &body.legs[side.index()]);
            let foot = frames[leg.foot.index()];
            let left = nearest_axis(&(foot * Vector3::x()), &self.trunk);
            if let Some(up) = direction(&(foot * Vector3::y()))
                && let Some(corrected) = sideways(&left, &up)
            {
                frames[leg.foot.index()] = corrected;
                leg.toes.into_iter().for_each(|toes| frames[toes.index()] = corrected);
            }
            if let Some(collar) = arm.collar.filter(|_| self.is_trunk_straight) {
                let up = nearest_axis(&(frames[collar.index()] * Vector3::y()), &self.trunk);
                let bone = frames[arm.upper.index()] * Vector3::y();
                let out = *self.along(&bone) * side.sign();
                if let Some(corrected) = frame(&up, &out) {
                    frames[collar.index()] = corrected;
                }
            }
        }
    }

    /// The trunk's axis, in the direction that is nearer to `bone`.
    fn along(&self, bone: &Vector3<f64>) -> Unit<Vector3<f64>> {
        if self.trunk.dot(bone) < 0.0 { -self.trunk } else { self.trunk }
    }

    /// All joints of a straight limb share the axes of its first: the bone, and the axis of the bend. Each keeps +Y on its own
    /// bone, which is off the trunk's axis by what the file has rounded: results begin with frames and end with bones, and
    /// where both are one the solver has nothing to do.
    ///
    /// The joints of both sides bend about the same coordinate axis, one way or the other: the one that
    /// the estimates of both speak for.
    fn mend_limbs(&self, limbs: [Vec<JointId>; 2], frames: &mut [UnitQuaternion<f64>]) {
        let estimates = limbs.each_ref().map(|joints| frames[joints[0].index()]);
        let bends = estimates.map(|estimate| estimate * Vector3::x());
        let both: Vector3<f64> = bends.iter().map(|bend| bend.abs()).sum();
        let axis = nearest_axis(&both, &self.trunk);
        let off =
            bends.iter().map(|bend| libm::acos(axis.dot(bend).abs().min(1.0))).sum::<f64>() / 2.0;
        if off > MAX_BEND_AXIS_ERROR_RADIANS {
            return;
        }
        for ((joints, bend), estimate) in limbs.iter().zip(bends).zip(estimates) {
            let axis = if axis.dot(&bend) < 0.0 { -axis } else { axis };
            let bone = self.along(&(estimate * Vector3::y()));
            let Some(corrected) = frame(&bone, &axis) else { continue };
            for joint in joints {
                let own = Unit::new_unchecked(frames[joint.index()] * Vector3::y());
                let is_bone = own.angle(&bone) < MAX_LIMB_BEND_RADIANS;
                frames[joint.index()] =
                    if is_bone { turned_to(corrected, &own) } else { corrected };
            }
        }
    }
}

/// The rotation halfway between two.
fn mean(a: UnitQuaternion<f64>, b: UnitQuaternion<f64>) -> UnitQuaternion<f64> {
    let b = if a.coords.dot(&b.coords) < 0.0 { -b.into_inner() } else { b.into_inner() };
    UnitQuaternion::new_normalize(a.into_inner() + b)
}

/// True when a direction is along a coordinate axis.
fn aligned(direction: &Unit<Vector3<f64>>) -> bool {
    Axis::ALL.iter().any(|axis| {
        1.0 - direction.dot(&axis.unit()).abs()
            < MAX_AXIS_ERROR_RADIANS * MAX_AXIS_ERROR_RADIANS / 2.0
    })
}

/// The coordinate axes, either way.
fn signed_axes() -> impl Iterator<Item = Unit<Vector3<f64>>> {
    Axis::ALL.map(Axis::unit).into_iter().flat_map(|axis| [axis, -axis])
}

/// The coordinate axis, either way, that a direction lies along.
fn nearest_to(direction: &Unit<Vector3<f64>>) -> Option<Unit<Vector3<f64>>> {
    signed_axes().find(|axis| axis.angle(direction) < MAX_CHORD_ERROR_RADIANS)
}

/// The coordinate axis, either way, at right angles to `across` that is nearest to `v`.
fn nearest_axis(v: &Vector3<f64>, across: &Unit<Vector3<f64>>) -> Unit<Vector3<f64>> {
    let fit = |axis: &Unit<Vector3<f64>>| {
        if axis.dot(across).abs() > 0.5 { f64::NEG_INFINITY } else { axis.dot(v) }
    };
    signed_axes().max_by(|a, b| fit(a).total_cmp(&fit(b))).unwrap_or(*across)
}
