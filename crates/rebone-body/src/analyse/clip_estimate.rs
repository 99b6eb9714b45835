//! Estimates of a rig from one file.

use crate::body::{Anatomy, Assigned, CalibrationSource, Role};
use crate::calibrate::Estimate;
use nalgebra::{Unit, UnitQuaternion, Vector3};
use rebone_skeleton::JointId;
use std::collections::BTreeMap;

/// Estimates from one file, by the joints of the rig.
#[derive(Clone, Debug)]
pub(super) struct ClipEstimate {
    /// The file in warnings.
    pub(super) name: String,
    /// Roles of joints.
    pub(super) roles: BTreeMap<JointId, Assigned>,
    /// Frames of joints that it knows.
    frames: BTreeMap<JointId, Estimate>,
    /// Local rotations of its calibration pose, of the joints that it has.
    pub(super) locals: BTreeMap<JointId, UnitQuaternion<f64>>,
    /// True where it lists its joints as the rig does.
    pub(super) is_ordered: bool,
    /// True where a mesh shows its soles.
    pub(super) has_mesh: bool,
    /// Quality of its calibration pose.
    pub(super) pose_quality: PoseQuality,
    /// Up, in the axes of its file.
    pub(super) up: Unit<Vector3<f64>>,
    /// The question that is left of up, where there is one.
    pub(super) up_question: Option<String>,
    /// Facing of its rest pose, where that says it.
    pub(super) facing: Option<f64>,
    /// Standard deviation of up, radians.
    pub(super) sigma: f64,
    /// Metres of a 1.7 m body for a unit of its file.
    pub(super) metres_per_unit: f64,
    /// Height of the lowest joint of a standing foot over the floor in file units, where its floor is at zero.
    pub(super) sole_height: Option<f64>,
    /// Distances of seat, back and head from the skin, likewise.
    pub(super) trunk_radii: Option<[f64; 3]>,
    /// Remarks on its calibration.
    pub(super) warnings: Vec<String>,
}

/// Quality of a calibration pose, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PoseQuality {
    /// The body stands.
    Standing,
    /// It is the mean of a motion.
    MeanOfMotion,
    /// The body does not stand.
    NotStanding,
}

impl ClipEstimate {
    pub(super) fn new(
        name: String,
        anatomy: &Anatomy,
        own_of_rig: &BTreeMap<JointId, JointId>,
    ) -> Self {
        let pose_quality = match anatomy.calibration {
            CalibrationSource::Motion => PoseQuality::MeanOfMotion,
            _ if anatomy.stands() => PoseQuality::Standing,
            _ => PoseQuality::NotStanding,
        };
        let framed: Vec<JointId> = anatomy.framed().collect();
        let reading = |(&id, own): (&JointId, &JointId)| {
            let frame = (anatomy.joint_from_anatomical[own.index()], anatomy.sigmas[own.index()]);
            // Frames that nothing was found of have no deviation at all.
            (framed.contains(own) && frame.1.max() > 0.0).then_some((id, frame))
        };
        let rig_of_own: BTreeMap<JointId, JointId> =
            own_of_rig.iter().map(|(&id, &own)| (own, id)).collect();
        let role = |(&id, own): (&JointId, &JointId)| {
            let role = anatomy.roles.by_joint[own.index()].clone()?;
            let runner_up = role.runner_up.and_then(|own| rig_of_own.get(&own).copied());
            Some((id, Assigned { runner_up, ..role }))
        };
        let locals =
            own_of_rig.iter().map(|(&id, own)| (id, anatomy.calibration_rotations[own.index()]));
        let unit = anatomy.metres_per_unit();
        Self {
            name,
            roles: own_of_rig.iter().filter_map(role).collect(),
            frames: own_of_rig.iter().filter_map(reading).collect(),
            locals: locals.collect(),
            is_ordered: own_of_rig.values().is_sorted(),
            has_mesh: anatomy.skin_soles.is_some(),
            pose_quality,
            up: anatomy.upright_from_file.inverse() * Vector3::y_axis(),
            up_question: anatomy.up_question.clone(),
            facing: anatomy.facing.filter(|_| anatomy.stands()),
            sigma: anatomy.sigmas[anatomy.body.pelvis().index()].max(),
            metres_per_unit: unit,
            sole_height: anatomy.sole_height.map(|height| height / unit),
            trunk_radii: anatomy.sole_height.map(|_| anatomy.trunk_radii.map(|own| own / unit)),
            warnings: anatomy.warnings.clone(),
        }
    }

    /// The frame of a joint, where it plays that role here as well.
    pub(super) fn frame(&self, joint: JointId, role: Option<Role>) -> Option<Estimate> {
        let own = self.roles.get(&joint).map(|own| own.role);
        self.frames.get(&joint).copied().filter(|_| own == role)
    }
}
