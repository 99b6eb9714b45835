//! Both bones of arms and legs: the bone is an OFFSET, how the frame is turned about it is fused from
//! several signs.
//!
//! The deviation of each cue was measured against the T and A poses of 18 conventions. Where arms hang,
//! they and the hands are turned inwards on average. The elbow bends about an axis that lies 0 to 35
//! degrees off the one of a T pose with palms down: in drawn rigs 0, in captured ones 11 to 35, as actors
//! hold their arms. That is no fault of the axis: the axis is what the frame means, and the drawn rig
//! that takes over the motion bends about its own.

use super::MotionCalibration;
use crate::body::{Landmark, Side, arm_in_t_pose, frame, hanging_leg, turned_to};
use crate::calibrate::fusion::angle_fusion::{AngleEstimate, fuse_angles};
use crate::calibrate::fusion::estimate::{Estimate, carried};
use nalgebra::{Matrix3, SymmetricEigen, Unit, UnitQuaternion, Vector3};
use rebone_skeleton::rotation::{direction, shortest_arc};
use rebone_skeleton::{JointId, WorldPose, rotation};

/// Least share of a clip's frames that is evidence.
const MIN_FRAME_SHARE: f64 = 0.05;

/// Bends below this say nothing about the axis: 8 degrees.
const MIN_BEND_RAD: f64 = 8_f64.to_radians();
/// No elbow or knee bends the wrong way by more: 17 and 11 degrees were met.
const MAX_OVEREXTENSION_RADIANS: f64 = 25_f64.to_radians();
/// Sideways deviation of a straight limb from a line, which turns the axis of small bends.
const STRAIGHTNESS_SIGMA: f64 = 5_f64.to_radians();

/// A bone within this of straight down hangs.
const MAX_HANGING_RADIANS: f64 = 35_f64.to_radians();
/// A bone within this of straight down is not raised.
const MAX_LOWERED_RADIANS: f64 = 107_f64.to_radians();
/// Factor on the deviation of arms that are not raised, over those that hang.
const LOWERED_SIGMA_FACTOR: f64 = 1.5;

/// Deviation of the frame of an arm's bone from that of a T pose with palms down, even where the axis that
/// the elbow bends about is known.
const T_POSE_ARM: f64 = 10_f64.to_radians();

/// Relation of a cue of twist to the T pose: the angle to be added to it, outwards seen
/// from the left arm, and its standard deviation.
#[derive(Clone, Copy)]
pub(crate) struct TwistCue {
    turn: f64,
    sigma: f64,
}

pub(crate) const fn sign(turn: f64, sigma: f64) -> TwistCue {
    TwistCue { turn: turn.to_radians(), sigma: sigma.to_radians() }
}

const UPPER_ARM_HINGE: TwistCue = sign(0.0, 10.0);
const FOREARM_HINGE: TwistCue = sign(0.0, 14.0);
const KNEE_HINGE: TwistCue = sign(0.0, 9.0);
const UPPER_ARM_HANGS: TwistCue = sign(18.0, 22.0);
const FOREARM_HANGS: TwistCue = sign(18.0, 21.0);
/// The mean of the forearm against a palm that was seen.
const FOREARM_ON_PALM: TwistCue = sign(0.0, 20.0);
/// Toes point ahead.
const FOOT_AHEAD: TwistCue = sign(0.0, 22.0);
/// The mean of a thigh against the pelvis, and of a shin against the thigh.
const ON_ABOVE: TwistCue = sign(0.0, 24.0);

impl TwistCue {
    /// One that needs nothing added.
    pub(crate) fn plain(sigma: f64) -> Self {
        Self { turn: 0.0, sigma }
    }
}

/// A frame by one sign.
pub(crate) type CueFrame = (UnitQuaternion<f64>, TwistCue);

impl MotionCalibration<'_> {
    pub(crate) fn arm(&mut self, side: Side) {
        let arm = &self.body.arms[side.index()];
        let places: [Landmark; 3] = [arm.upper.into(), arm.lower.into(), arm.wrist];
        let bones = [
            (arm.upper, &arm.upper_twist, UPPER_ARM_HINGE, UPPER_ARM_HANGS),
            (arm.lower, &arm.lower_twist, FOREARM_HINGE, FOREARM_HANGS),
        ];
        for (at, (first, twists, hinge, hangs)) in bones.into_iter().enumerate() {
            for &joint in [first].iter().chain(twists) {
                let ends = [places[at], places[at + 1]];
                let Some(bone) = self.bone_in(joint, ends) else { continue };
                let mut signs = Vec::new();
                signs.extend(self.hanging_cue(joint, &bone, ends, side, hangs));
                if let Some(hand) = arm.hand.filter(|_| at == 1) {
                    let palm = carried(self.frames, hand, self.frame(hand), joint);
                    signs.extend(palm.map(|palm| (turned_to(palm, &bone), FOREARM_ON_PALM)));
                }
                signs.extend(self.hinge(joint, &bone, places, hinge, &signs));
                let (frame, sigma) = fused(&bone, &signs, side);
                let sigma = Vector3::y() * libm::hypot(sigma.y, T_POSE_ARM);
                self.found[joint.index()] = Some((frame, sigma));
            }
        }
    }

    pub(crate) fn leg(&mut self, side: Side) {
        let leg = &self.body.legs[side.index()];
        for &joint in &leg.hip_bones {
            let pelvis = self.body.pelvis();
            let frame = carried(self.frames, pelvis, self.frame(pelvis), joint);
            self.found[joint.index()] =
                frame.zip(self.found[pelvis.index()].map(|(_, sigma)| sigma));
        }
        let places: [Landmark; 3] = [leg.upper.into(), leg.lower.into(), leg.foot.into()];
        let bones = [(leg.upper, &leg.upper_twist), (leg.lower, &leg.lower_twist)];
        for (at, (first, twists)) in bones.into_iter().enumerate() {
            for &joint in [first].iter().chain(twists) {
                let Some(bone) = self.bone_in(joint, [places[at], places[at + 1]]) else {
                    continue;
                };
                let mut signs = Vec::new();
                signs.extend(self.ahead(joint, &bone, side).map(|frame| (frame, FOOT_AHEAD)));
                let above = if at == 0 { self.body.pelvis() } else { leg.upper };
                let on_above = carried(self.frames, above, self.leg_above(above), joint);
                signs.extend(on_above.map(|frame| (turned_to(frame, &bone), ON_ABOVE)));
                signs.extend(self.hinge(joint, &bone, places, KNEE_HINGE, &signs));
                self.found[joint.index()] = Some(fused(&bone, &signs, side));
            }
        }
    }

    /// The frame of a leg that hangs from a joint above: that of a straight leg under the pelvis, or that
    /// of the thigh itself.
    fn leg_above(&self, above: JointId) -> Option<UnitQuaternion<f64>> {
        let own = self.frame(above)?;
        Some(if above == self.body.pelvis() { own * hanging_leg() } else { own })
    }

    /// The frame whose +X is the axis that the limb bends about.
    ///
    /// A limb that is never bent by more than any can be overstretched does not say which way it bends:
    /// the `other` signs do.
    fn hinge(
        &self,
        joint: JointId,
        bone: &Unit<Vector3<f64>>,
        limb: [Landmark; 3],
        usual: TwistCue,
        other: &[CueFrame],
    ) -> Option<CueFrame> {
        let bends = bend_axis(self.frames, joint, limb)?;
        let scatter = libm::hypot(usual.sigma, bends.dispersion / 2.0);
        let sigma = libm::hypot(scatter, STRAIGHTNESS_SIGMA / bends.usual);
        let about = |axis: Vector3<f64>| frame(bone, &axis);
        let found = about(bends.axis)?;
        let x = Vector3::x();
        let against: f64 = other
            .iter()
            .map(|(frame, sign)| (frame * x).dot(&(found * x)) / sign.sigma.powi(2))
            .sum();
        let turned = bends.largest < MAX_OVEREXTENSION_RADIANS && against < 0.0;
        let found = if turned { about(-bends.axis)? } else { found };
        Some((found, TwistCue { sigma, ..usual }))
    }

    /// The frame that the joint has where its bone hangs, if it were that of an arm lowered from the T
    /// pose and swung from there the shortest way; where it never hangs, in all frames in which it is not
    /// raised, which says less.
    pub(crate) fn hanging_cue(
        &self,
        joint: JointId,
        bone: &Unit<Vector3<f64>>,
        ends: [Landmark; 2],
        side: Side,
        sign: TwistCue,
    ) -> Option<CueFrame> {
        let frames = |most: f64| -> Vec<UnitQuaternion<f64>> {
            let seen = |pose| self.shortest_swing(pose, joint, bone, ends, side, most);
            self.frames.iter().filter_map(seen).collect()
        };
        let enough = MIN_FRAME_SHARE * self.frames.len() as f64;
        let hanging = frames(MAX_HANGING_RADIANS);
        if hanging.len() as f64 > enough {
            return Some((rotation::mean(hanging.into_iter()), sign));
        }
        let lowered = frames(MAX_LOWERED_RADIANS);
        let sigma = LOWERED_SIGMA_FACTOR * sign.sigma;
        (lowered.len() as f64 > enough)
            .then(|| (rotation::mean(lowered.into_iter()), TwistCue { sigma, ..sign }))
    }

    /// That frame in one pose; `None` where the bone is raised by more than `most` from straight down.
    fn shortest_swing(
        &self,
        pose: &WorldPose,
        joint: JointId,
        bone: &Unit<Vector3<f64>>,
        [start, stop]: [Landmark; 2],
        side: Side,
        most: f64,
    ) -> Option<UnitQuaternion<f64>> {
        let down = -Vector3::y_axis();
        let chest = self.body.chest();
        let chest = pose.rotations[chest.index()] * self.frame(chest)?;
        let along = direction(&(stop.at(pose, 1.0) - start.at(pose, 1.0)))?;
        if (chest.inverse() * along).angle(&down) > most {
            return None;
        }
        let let_down = UnitQuaternion::from_axis_angle(
            &Vector3::z_axis(),
            -side.sign() * std::f64::consts::FRAC_PI_2,
        ) * arm_in_t_pose(side);
        let own = pose.rotations[joint.index()];
        let along = Unit::new_unchecked(chest.inverse() * own * bone.into_inner());
        Some(own.inverse() * chest * shortest_arc(&down, &along) * let_down)
    }

    /// The frame of a leg's bone whose foot points straight ahead.
    fn ahead(
        &self,
        joint: JointId,
        bone: &Unit<Vector3<f64>>,
        side: Side,
    ) -> Option<UnitQuaternion<f64>> {
        let leg = &self.body.legs[side.index()];
        let toes = leg.toes?;
        let ahead = |pose: &WorldPose| {
            let foot = pose.positions[toes.index()] - pose.positions[leg.foot.index()];
            pose.rotations[joint.index()].inverse() * foot
        };
        let ahead: Vector3<f64> = self.frames.iter().map(ahead).sum();
        frame(bone, &ahead.cross(bone))
    }
}

/// The frame along a bone, turned about it as all signs say together.
pub(crate) fn fused(bone: &Unit<Vector3<f64>>, signs: &[CueFrame], side: Side) -> Estimate {
    let any = frame(bone, &rotation::least_aligned_axis(bone)).unwrap_or_default();
    let evidence = signs.iter().map(|(estimate, sign)| {
        let x = any.inverse() * estimate * Vector3::x();
        // A turn about +Y takes +X to (cos, 0, −sin).
        let angle = libm::atan2(-x.z, x.x) + side.sign() * sign.turn;
        AngleEstimate { angle, sigma: sign.sigma }
    });
    let unknown = AngleEstimate { angle: 0.0, sigma: std::f64::consts::PI };
    let about = fuse_angles(&evidence.collect::<Vec<_>>()).unwrap_or(unknown);
    let turn = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), about.angle);
    (any * turn, Vector3::y() * about.sigma)
}

/// Bending of a limb.
struct HingeStats {
    /// The axis in the axes of a joint, signed so that bending is positive.
    axis: Vector3<f64>,
    /// Deviation of single bends from it, radians.
    dispersion: f64,
    /// The largest bend about it, radians.
    largest: f64,
    /// The root mean square of the bends' sines, each frame weighed by its own.
    usual: f64,
}

/// The axis that a limb bends about.
///
/// The bend normal `n = u × f` of upper and lower bone weighs each frame by sin² of its bend in
/// `M = Σ n nᵀ`; the axis is the top eigenvector `a`, its sign that of `Σ (n·a)³`. `None` where the
/// limb never bends by 8 degrees.
fn bend_axis(
    frames: &[WorldPose],
    joint: JointId,
    [upper, lower, end]: [Landmark; 3],
) -> Option<HingeStats> {
    let normal = |pose: &WorldPose| {
        let place = |landmark: Landmark| landmark.at(pose, 1.0);
        let u = direction(&(place(lower) - place(upper)))?;
        let f = direction(&(place(end) - place(lower)))?;
        let normal = pose.rotations[joint.index()].inverse() * u.cross(&f);
        Some((normal, u.angle(&f)))
    };
    let normals: Vec<(Vector3<f64>, f64)> = frames.iter().filter_map(normal).collect();
    let moments: Matrix3<f64> = normals.iter().map(|(n, _)| n * n.transpose()).sum();
    let strongest = normals.iter().map(|(_, bend)| *bend).fold(0.0, f64::max);
    if strongest < MIN_BEND_RAD {
        return None;
    }
    let eigen = SymmetricEigen::new(moments);
    let axis: Vector3<f64> = eigen.eigenvectors.column(eigen.eigenvalues.imax()).into_owned();
    let skew: f64 = normals.iter().map(|(n, _)| n.dot(&axis).powi(3)).sum();
    let axis = axis * skew.signum();
    let off = |n: &Vector3<f64>| libm::acos((n.dot(&axis).abs() / n.norm().max(1e-12)).min(1.0));
    let scatter: f64 = normals.iter().map(|(n, _)| n.norm_squared() * off(n).powi(2)).sum();
    let positive = normals.iter().filter(|(n, _)| n.dot(&axis) > 0.0);
    let quartic: f64 = normals.iter().map(|(n, _)| n.norm_squared().powi(2)).sum();
    Some(HingeStats {
        axis,
        dispersion: (scatter / moments.trace()).sqrt(),
        largest: positive.map(|(_, bend)| *bend).fold(0.0, f64::max),
        usual: (quartic / moments.trace()).sqrt(),
    })
}
