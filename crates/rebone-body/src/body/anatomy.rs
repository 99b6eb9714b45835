//! An analysed skeleton.

use super::axes::{t_pose_frames, tip};
use super::calibration_source::{CalibrationSource, SoleSource};
use super::common_joints::CommonJoints;
use super::correction::Correction;
use super::joint_limits::{Ranges, SignedAxis};
use super::parts::{Body, Landmark};
use super::role::Roles;
use super::surface::{SharedSurface, StatedSurfaces};
use nalgebra::{UnitQuaternion, Vector3};
use rebone_skeleton::{Axis, JointId, Pose, Skeleton, SkinPoint, WorldPose};
use std::collections::BTreeMap;
use std::sync::Arc;

/// An analysed skeleton: which joints are the body, how its segments are oriented,
/// how large it is and what is up.
#[derive(Clone, Debug)]
pub struct Anatomy {
    /// The skeleton as the file has it.
    pub skeleton: Skeleton,
    /// The role of each joint.
    pub roles: Roles,
    /// The joints with roles as parts of a body.
    pub body: Body,
    /// Turns the file's axes so that up is +Y, by the shortest way.
    pub upright_from_file: UnitQuaternion<f64>,
    /// The question whether that axis is up, where the evidence is thin: a result has to be looked at.
    #[doc(hidden)]
    pub up_question: Option<String>,
    /// The turn about +Y, after that, which brings the rest pose's facing to +Z, in quarter turns;
    /// `None` where the rest pose does not say.
    pub facing: Option<f64>,
    /// 1.1 leg + 1.65 trunk lengths, in file units.
    pub stature: f64,
    /// `joint_from_anatomical`: the anatomical frame of each joint's segment in its own axes.
    pub joint_from_anatomical: Vec<UnitQuaternion<f64>>,
    /// The body in its plain T pose in the inner world: +Y up, facing +Z, metres of a 1.7 m body, the
    /// middle of the hips at the origin.
    pub t_pose: WorldPose,
    /// Local rotations of all joints in the calibration pose: what joints that play no part keep.
    pub calibration_rotations: Vec<UnitQuaternion<f64>>,
    /// Local rotations of all joints when the mesh was skinned; those of the rest pose where the file does not
    /// say otherwise.
    pub bind_rotations: Vec<UnitQuaternion<f64>>,
    /// Whether the card says that the calibration pose corrects that one.
    pub card_corrects_bind_pose: bool,
    /// Ranges of joints that the card states: lower and upper bounds of variables by name, degrees.
    pub limits: Vec<(JointId, Ranges)>,
    /// Helper joints that the card names, each with the joint that it goes along with.
    pub helpers: Vec<[JointId; 2]>,
    /// Metres per unit of the file's lengths, where its format, the user or the card states it.
    pub metres_per_file_unit: Option<f64>,
    /// Source of the anatomical frames.
    pub calibration: CalibrationSource,
    /// Source of the soles.
    #[doc(hidden)]
    pub soles: SoleSource,
    /// Vertices of the character's meshes.
    #[doc(hidden)]
    pub skin: Arc<[SkinPoint]>,
    /// Parts of these meshes that are left out though they are skin of the body, a sentence each.
    #[doc(hidden)]
    pub skin_lost: Vec<String>,
    /// Surfaces of segments that the card states.
    #[doc(hidden)]
    pub stated_surfaces: StatedSurfaces,
    /// The surface of the body, once it is asked for.
    pub(crate) surface: SharedSurface,
    /// Heel, ball and tip of the toes of both feet by the mesh, from the ankle in the T pose; `None` without a mesh.
    #[doc(hidden)]
    pub skin_soles: Option<[[Vector3<f64>; 3]; 2]>,
    /// Height of the lowest joint of a standing foot over the floor, metres of a 1.7 m body; `None` where the floor of the
    /// file is not at zero.
    #[doc(hidden)]
    pub sole_height: Option<f64>,
    /// Distances of seat, back and head from the skin where no mesh tells them, metres of a 1.7 m body.
    #[doc(hidden)]
    pub trunk_radii: [f64; 3],
    /// The frame of the clip that this height was read off, where a person named it.
    pub(crate) sole_height_frame: Option<usize>,
    /// Hands, left and right, whose frames a person states in a card: they count, not the knuckles.
    #[doc(hidden)]
    pub stated_hands: [bool; 2],
    /// Joints whose anatomical frames a person had corrected.
    pub(crate) corrections: BTreeMap<JointId, Correction>,
    /// Whether a zero pose with all limbs along one axis has corrected the frames.
    pub from_zero_pose: bool,
    /// The anatomy by its calibration alone, where other evidence has corrected it (soles from
    /// the motion, limbs from a straight zero pose): for a counterpart that is like it but lacks that
    /// evidence.
    pub without_motion_evidence: Option<Box<Anatomy>>,
    /// Standard deviations of each joint's anatomical frame about its own axes, radians.
    pub sigmas: Vec<Vector3<f64>>,
    /// What the files have in common that it was learned from, where it was.
    pub(crate) common: Option<CommonJoints>,
    /// Probability that the calibration is right to 10 degrees about each axis of each segment of trunk,
    /// head and limbs, taken alone: that of the least sure one. 1 where it was stated, unless
    /// the body does not stand straight in the stated pose.
    pub confidence: f64,
    /// Confidence in a stated pose in which the body does not stand straight, where frames rest on it.
    pub(crate) stated_pose_confidence: Option<f64>,
    /// Probability that arms and legs are what they are taken for, where no pose in which the body stands confirms it; else 1.
    pub(crate) limb_confidence: f64,
    /// Remarks on the calibration, a sentence each.
    pub warnings: Vec<String>,
}

/// Height of the body that lengths are measured against, in metres.
pub const BODY_HEIGHT: f64 = 1.7;

/// Thresholds in centimetres are those of a body of 1.8 m: one of them in metres of a 1.7 m body.
#[doc(hidden)]
pub const METRES_PER_CENTIMETRE: f64 = 0.01 * BODY_HEIGHT / 1.8;
/// Centimetres of a 1.8 m body for a metre of a 1.7 m body.
#[doc(hidden)]
pub const CENTIMETRES_PER_METRE: f64 = 180.0 / BODY_HEIGHT;

/// Usual distances of the middle of the hips, the chest joint and the head joint from the skin, metres of a 1.7 m body.
pub(crate) const TRUNK_RADII_METRES: [f64; 3] =
    [0.054 * BODY_HEIGHT, 0.054 * BODY_HEIGHT, 0.06 * BODY_HEIGHT];

/// A pose in which frames of the trunk may be off by more does not count as standing.
pub(crate) const MAX_STANDING_SIGMA: f64 = 15_f64.to_radians();

/// Radians: rotations that differ less are the same.
const MAX_ROUNDING_RADIANS: f64 = 1e-6;

impl Anatomy {
    /// Takes over what a card states: metres for one unit of the file, ranges of joints, helpers, and surfaces.
    pub(crate) fn take(
        &mut self,
        unit: Option<f64>,
        limits: &[(JointId, Ranges)],
        helpers: &[[JointId; 2]],
        surfaces: StatedSurfaces,
    ) {
        self.metres_per_file_unit = unit;
        self.limits = limits.to_vec();
        self.helpers = helpers.to_vec();
        self.stated_surfaces = surfaces;
        if let Some(plain) = &mut self.without_motion_evidence {
            plain.take(unit, limits, helpers, surfaces);
        }
    }

    /// Takes over which parts of the skin are left out.
    pub(crate) fn take_lost_skin(&mut self, lost: &[String]) {
        self.skin_lost = lost.to_vec();
        if let Some(plain) = &mut self.without_motion_evidence {
            plain.take_lost_skin(lost);
        }
    }

    /// Takes over which hands have a frame that a person states.
    pub(crate) fn take_stated_hands(&mut self, stated: [bool; 2]) {
        self.stated_hands = stated;
        if let Some(plain) = &mut self.without_motion_evidence {
            plain.take_stated_hands(stated);
        }
    }

    /// Takes over what a card states of soles and of seat, back and head, in file units. A card that states one of them
    /// leaves nothing to the clip.
    pub(crate) fn take_supports(
        &mut self,
        sole_height: Option<f64>,
        trunk_radii: Option<[f64; 3]>,
    ) {
        if let Some(height) = sole_height {
            self.take_sole_height(height);
        }
        if sole_height.is_some() || trunk_radii.is_some() {
            self.take_trunk_radii(trunk_radii);
        }
    }

    /// Takes over the height of the lowest joint of a standing foot over the floor, in file units, as a card states it: it
    /// replaces what a mesh shows.
    fn take_sole_height(&mut self, height: f64) {
        self.skin_soles = None;
        self.sole_height = Some(height * self.metres_per_unit());
        if let Some(plain) = &mut self.without_motion_evidence {
            plain.take_sole_height(height);
        }
    }

    /// Takes over the distances of seat, back and head from the skin, in file units, as a card states them; the usual ones
    /// where it does not.
    fn take_trunk_radii(&mut self, radii: Option<[f64; 3]>) {
        let metres = radii.map(|radii| radii.map(|radius| radius * self.metres_per_unit()));
        self.trunk_radii = metres.unwrap_or(TRUNK_RADII_METRES);
        if let Some(plain) = &mut self.without_motion_evidence {
            plain.take_trunk_radii(radii);
        }
    }

    /// Metres per unit of the file's lengths: as stated, else the usual unit in which the body is 1.2 to 2.2 m tall, else
    /// such that it is 1.7 m tall.
    pub fn file_unit_metres(&self) -> f64 {
        let mut usual = [0.01, 1.0, 0.1, 0.0254].into_iter();
        let fits = |unit: &f64| (1.2..2.2).contains(&(self.stature * unit));
        self.metres_per_file_unit.or(usual.find(fits)).unwrap_or(self.metres_per_unit())
    }

    /// Whether it has the feet or limbs that a counterpart's mending began with, and not the evidence.
    fn lacks_evidence_of(&self, other: &Anatomy) -> bool {
        let motion = CalibrationSource::Motion;
        let soles = other.calibration != motion
            && other.soles == SoleSource::Motion
            && self.soles == SoleSource::LevelPose;
        let limbs = other.from_zero_pose
            && !self.from_zero_pose
            && [self.calibration, other.calibration] == [motion, motion];
        soles || limbs
    }

    /// Itself, or as its calibration alone says where a counterpart lacks the other evidence.
    #[doc(hidden)]
    pub fn beside(&self, other: &Anatomy) -> &Anatomy {
        self.without_motion_evidence
            .as_deref()
            .filter(|_| other.lacks_evidence_of(self))
            .unwrap_or(self)
    }

    /// World rotation of a joint's anatomical frame, given that of the joint.
    #[doc(hidden)]
    pub fn anatomical(
        &self,
        joint: JointId,
        joint_rotation: &UnitQuaternion<f64>,
    ) -> UnitQuaternion<f64> {
        joint_rotation * self.joint_from_anatomical[joint.index()]
    }

    /// Whether the body stands in what it was calibrated on, by the deviation of the pelvis.
    pub(crate) fn stands(&self) -> bool {
        self.sigmas[self.body.pelvis().index()].max() < MAX_STANDING_SIGMA
    }

    /// Turns the file's axes so that up is +Y and, where the rest pose says so, facing is +Z.
    pub fn inner_from_file(&self) -> UnitQuaternion<f64> {
        let turn = self.facing.unwrap_or(0.0);
        UnitQuaternion::from_axis_angle(&Vector3::y_axis(), turn) * self.upright_from_file
    }

    /// The file's axes that point up and that the rest pose faces along, where it says so.
    pub fn signed_axes(&self) -> [Option<SignedAxis>; 2] {
        let file_from_inner = self.inner_from_file().inverse();
        let find = |inner: Axis| {
            let direction = file_from_inner * inner.unit();
            let axis = Axis::ALL.into_iter().find(|axis| direction[axis.index()].abs() > 0.999)?;
            Some(SignedAxis { axis, negative: direction[axis.index()] < 0.0 })
        };
        [find(Axis::Y), self.facing.and_then(|_| find(Axis::Z))]
    }

    /// The joints whose anatomical frame is their own, not that of the joint above.
    pub fn framed(&self) -> impl Iterator<Item = JointId> {
        let frames = t_pose_frames(&self.skeleton, &self.body).into_iter();
        frames
            .enumerate()
            .filter_map(|(index, frame)| Some(JointId(index)).filter(|_| frame.is_some()))
    }

    /// The joints whose frames [`correct`](crate::correct) has corrected in this anatomy.
    pub fn corrected(&self) -> impl Iterator<Item = JointId> {
        self.corrections.keys().copied()
    }

    /// Lowest confidence of roles and calibration: a probability.
    pub fn least_confidence(&self) -> f64 {
        let roles = self.roles.by_joint.iter().flatten().map(|assigned| assigned.confidence);
        roles.fold(self.confidence.min(1.0), f64::min)
    }

    /// The joint of trunk, head and limbs whose frame may be off the most, and by how much: a standard
    /// deviation, radians.
    pub fn least_sure(&self) -> (JointId, f64) {
        let sigma = |id: JointId| self.sigmas[id.index()].max();
        self.judged()
            .map(|id| (id, sigma(id)))
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .unwrap_or((JointId(0), 0.0))
    }

    /// The joints that a calibration is judged by: trunk, head and limbs.
    #[doc(hidden)]
    pub fn judged(&self) -> impl Iterator<Item = JointId> {
        let body = &self.body;
        let all = body.trunk.iter().copied().chain(body.head()).chain(body.limbs());
        all.filter(|id| self.is_in_card(*id))
    }

    /// Whether a card names the joint: one that was learned from several files is for all of them.
    pub(crate) fn is_in_card(&self, joint: JointId) -> bool {
        self.common.as_ref().is_none_or(|common| common.joints.contains(&joint))
    }

    /// Local rotations of all joints in the T pose, which stands in the file's axes; those of the rest pose where
    /// they differ by rounding only.
    pub fn t_pose_locals(&self) -> Vec<UnitQuaternion<f64>> {
        let world = &self.t_pose.rotations;
        let local = |id: JointId| {
            let joint = &self.skeleton[id];
            let parent = joint.parent.map(|parent| world[parent.index()]);
            let parent = parent.unwrap_or_else(|| self.inner_from_file());
            let local = parent.inverse() * world[id.index()];
            match local.angle_to(&joint.rest_rotation) < MAX_ROUNDING_RADIANS {
                true => joint.rest_rotation,
                false => local,
            }
        };
        self.skeleton.ids().map(local).collect()
    }

    /// The calibration pose: its rotations, with the translations of the rest pose.
    pub fn calibration_pose(&self) -> Pose {
        Pose { rotations: self.calibration_rotations.clone(), ..self.skeleton.rest_pose() }
    }

    /// Metres of a 1.7 m body for one unit of the file.
    pub fn metres_per_unit(&self) -> f64 {
        BODY_HEIGHT / self.stature
    }

    /// Place of a joint in the T pose.
    #[doc(hidden)]
    pub fn place(&self, joint: JointId) -> Vector3<f64> {
        self.t_pose.positions[joint.index()]
    }

    /// Place of a landmark in the T pose.
    #[doc(hidden)]
    pub fn point(&self, landmark: Landmark) -> Vector3<f64> {
        landmark.at(&self.t_pose, self.metres_per_unit())
    }

    /// The point halfway between two joints in the T pose.
    #[doc(hidden)]
    pub fn middle(&self, [a, b]: [JointId; 2]) -> Vector3<f64> {
        (self.place(a) + self.place(b)) / 2.0
    }

    /// The thigh joints, left and right.
    pub fn hips(&self) -> [JointId; 2] {
        self.body.legs.each_ref().map(|leg| leg.upper)
    }

    /// The upper arm joints, left and right.
    pub fn shoulders(&self) -> [JointId; 2] {
        self.body.arms.each_ref().map(|arm| arm.upper)
    }
}

/// The place of a leaf's end in the T pose.
pub(crate) fn tip_of(anatomy: &Anatomy, joint: JointId) -> Option<Vector3<f64>> {
    tip(&anatomy.skeleton, joint, &anatomy.t_pose, anatomy.metres_per_unit())
}

/// The place of a finger's tip in the T pose.
#[doc(hidden)]
pub fn finger_tip(anatomy: &Anatomy, finger: &[JointId]) -> Option<Vector3<f64>> {
    finger
        .last()
        .and_then(|&last| tip(&anatomy.skeleton, last, &anatomy.t_pose, anatomy.metres_per_unit()))
}
