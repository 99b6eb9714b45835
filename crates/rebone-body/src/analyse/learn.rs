//! Learns the calibration of a skeleton from several clips of the same rig.
//!
//! Each clip is analysed by itself. Its frames are fused by precision, joint by joint: what stands in
//! a plain pose says more than what was read off a motion, and many motions say more than one.

use super::clip_estimate::ClipEstimate;
use super::consensus;
use super::{Hints, analyse};
use crate::body::{
    Anatomy, Body, CalibrationSource, CommonJoints, Role, Roles, SignedAxis, t_pose_frames,
};
use crate::calibrate::{Known, anatomy_of, fuse_rotations, mean, same_rig, within_ten_degrees};
use crate::card::Card;
use crate::error::AnalysisError;
use nalgebra::{UnitQuaternion, Vector3};
use rebone_skeleton::selector::select;
use rebone_skeleton::{JointId, Motion, Skeleton};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A frame that a file says and that is left out is named from this on, radians: 20 degrees.
const MIN_TOLD_RADIANS: f64 = std::f64::consts::PI / 9.0;

/// Learns the calibration of a rig from its clips.
///
/// It holds some numbers a joint and clip, so that clips can be read one after the other.
///
/// ```
/// use rebone_body::{Hints, Learner};
/// use rebone_samples as samples;
///
/// let [rig, clip] = [samples::walk().motion, samples::walk().motion];
/// let hints = Hints::default();
/// let mut learner = Learner::new(&rig, &hints)?;
/// learner.add(&clip)?;
/// let anatomy = learner.anatomy()?;
/// assert!(anatomy.confidence > 0.9);
/// # Ok::<(), rebone_body::AnalysisError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Learner<'a> {
    rig: &'a Motion,
    hints: &'a Hints,
    own: Anatomy,
    estimates: Vec<ClipEstimate>,
}

/// Joints whose frames of one file the others contradict, by the place of the file, each with the angle that it is off,
/// radians.
type LeftOut = BTreeMap<usize, Vec<(JointId, f64)>>;

/// Frames that all files say together.
struct FusedFrames {
    frames: BTreeMap<JointId, UnitQuaternion<f64>>,
    /// Standard deviations of all joints, radians.
    sigmas: Vec<Vector3<f64>>,
    left_out: LeftOut,
}

impl<'a> Learner<'a> {
    /// Begins with what the rig says itself. `hints` are of the rig; what their card says of roles and up
    /// holds for the clips as well, and its frames stay as they are.
    ///
    /// # Errors
    /// When the rig is not recognised, or the hints give the calibration pose.
    pub fn new(rig: &'a Motion, hints: &'a Hints) -> Result<Self, AnalysisError> {
        let card = hints.card.as_ref();
        let posed = |card: &Card| card.pose_from.is_some() || !card.pose.is_empty();
        if hints.pose.is_some() || card.is_some_and(posed) {
            return Err(AnalysisError::PoseGiven);
        }
        let own = analyse(rig, hints)?;
        let itself = own.skeleton.ids().map(|id| (id, id)).collect();
        let estimates = vec![ClipEstimate::new("file 1".to_owned(), &own, &itself)];
        Ok(Self { rig, hints, own, estimates })
    }

    /// Names the file of the rig in warnings.
    #[must_use]
    #[cfg(feature = "files")]
    pub(crate) fn named(mut self, name: String) -> Self {
        self.estimates[0].name = name;
        self
    }

    /// Adds what a clip says.
    ///
    /// # Errors
    /// When the clip is not recognised, or its skeleton is of another kind: the first joint in the order
    /// of the rig that differs.
    pub fn add(&mut self, clip: &Motion) -> Result<(), AnalysisError> {
        self.add_with(clip, Hints::default(), format!("file {}", self.estimates.len() + 1))
    }

    /// Adds what a clip says, with what its file says itself, under a name for warnings.
    pub(crate) fn add_with(
        &mut self,
        clip: &Motion,
        of_file: Hints,
        name: String,
    ) -> Result<(), AnalysisError> {
        let card = self.hints.card.as_ref().map(|card| Card {
            up: card.up,
            roles: card.roles.clone(),
            ..Card::default()
        });
        let anatomy = analyse(clip, &Hints { card, pose: None, ..of_file })?;
        let clip_of_rig = same_rig(&self.own, &anatomy).map_err(AnalysisError::OtherSkeleton)?;
        self.estimates.push(ClipEstimate::new(name, &anatomy, &clip_of_rig));
        Ok(())
    }

    /// The rig, calibrated as all of them say together. The order in which clips were added changes no bit, and of which of
    /// them the rig is changes nothing of its card.
    ///
    /// # Errors
    /// When the rig makes no body in that calibration.
    pub fn anatomy(&self) -> Result<Anatomy, AnalysisError> {
        let own = &self.own;
        let card = self.hints.card.as_ref();
        let common = self.common();
        let (roles, body) = consensus::roles(own, &self.estimates, &common.joints);
        let stated = card.map(|card| card.joint_axes(&own.skeleton)).transpose()?;
        let FusedFrames { frames, sigmas, left_out } =
            self.frames(&body, &roles, stated.unwrap_or_default());
        let mut pose = own.skeleton.rest_pose();
        pose.rotations = self.locals();
        let said_up = card.is_some_and(|card| card.up.is_some());
        let up = if said_up { self.estimates[0].up } else { consensus::up(&self.estimates) };
        let facing = consensus::facing(&self.estimates, &up);
        let said = card.and_then(|card| card.facing).map(SignedAxis::unit);
        let known = Known {
            up: Some(up),
            up_of_format: None,
            facing: said,
            pose: Some(pose),
            bound: None,
            skin: Arc::clone(&self.hints.skin),
            frames,
        };
        let mut anatomy = anatomy_of(&own.skeleton, roles, &self.rig.clip, &known)?;
        anatomy.take(own.metres_per_file_unit, &own.limits, &own.helpers, own.stated_surfaces);
        let unit = anatomy.metres_per_unit();
        let mut learned = Anatomy {
            up_question: if said_up { None } else { consensus::up_question(&self.estimates, &up) },
            facing: if said.is_some() { anatomy.facing } else { facing },
            sigmas,
            bind_rotations: own.bind_rotations.clone(),
            card_corrects_bind_pose: own.card_corrects_bind_pose,
            calibration: CalibrationSource::Learned(self.estimates.len()),
            sole_height: consensus::sole_height(&self.estimates).map(|height| height * unit),
            trunk_radii: consensus::trunk_radii(&self.estimates).map(|radius| radius * unit),
            common: Some(common),
            ..anatomy
        };
        learned.confidence = within_ten_degrees(learned.least_sure().1);
        learned.warnings.extend(consensus::other_ups(&self.estimates, &learned));
        learned.warnings.extend(self.odd_files(&left_out));
        Ok(learned)
    }

    /// Fuses the frames of the joints of a body. Those that are `stated` are exact.
    fn frames(
        &self,
        body: &Body,
        roles: &Roles,
        stated: BTreeMap<JointId, UnitQuaternion<f64>>,
    ) -> FusedFrames {
        let own = &self.own;
        let mut sigmas = own.sigmas.clone();
        let mut left_out = LeftOut::new();
        stated.keys().for_each(|id| sigmas[id.index()] = Vector3::zeros());
        let mut frames = stated;
        for (index, framed) in t_pose_frames(&own.skeleton, body).iter().enumerate() {
            let id = JointId(index);
            if framed.is_none() || frames.contains_key(&id) {
                continue;
            }
            let role: Option<Role> = roles.of(id);
            let reading = |(file, of): (usize, &ClipEstimate)| Some((file, of.frame(id, role)?));
            let readings: Vec<_> = self.estimates.iter().enumerate().filter_map(reading).collect();
            let fused = fuse_rotations(&readings.iter().map(|(_, own)| *own).collect::<Vec<_>>());
            for &(place, off) in fused.iter().flat_map(|fused| &fused.left_out) {
                left_out.entry(readings[place].0).or_default().push((id, off));
            }
            let (frame, sigma) = fused.map_or_else(
                || (own.joint_from_anatomical[index], sigmas[index]),
                |fused| fused.estimate,
            );
            frames.insert(id, frame);
            sigmas[index] = sigma;
        }
        FusedFrames { frames, sigmas, left_out }
    }

    /// The joints that all files have.
    fn common(&self) -> CommonJoints {
        let all: BTreeSet<JointId> = self.own.skeleton.ids().collect();
        let has = |id: &JointId| self.estimates.iter().all(|own| own.locals.contains_key(id));
        CommonJoints {
            joints: all.into_iter().filter(has).collect(),
            is_ordered: self.estimates.iter().all(|own| own.is_ordered),
            has_mesh: self.estimates.iter().any(|own| own.has_mesh),
        }
    }

    /// Warnings of each file, and of frames of files that others contradict.
    fn odd_files(&self, left_out: &LeftOut) -> Vec<String> {
        let skeleton: &Skeleton = &self.own.skeleton;
        let mut warnings = Vec::new();
        for (place, file) in self.estimates.iter().enumerate() {
            let name = &file.name;
            warnings.extend(file.warnings.iter().map(|warning| format!("{name}: {warning}")));
            let told = left_out.get(&place).into_iter().flatten();
            let told = told.filter(|(_, off)| *off > MIN_TOLD_RADIANS);
            let joints: Vec<String> = told
                .map(|(id, off)| {
                    format!("{} ({:.0} degrees off)", select(skeleton, *id), off.to_degrees())
                })
                .collect();
            if !joints.is_empty() {
                let joints = joints.join(", ");
                warnings.push(format!("{name}: the others say otherwise of {joints}: left out"));
            }
        }
        warnings.sort();
        warnings
    }

    /// Mean local rotations over the best calibration poses there are.
    fn locals(&self) -> Vec<UnitQuaternion<f64>> {
        let best = self.estimates.iter().map(|estimate| estimate.pose_quality).min();
        let joints = self.own.skeleton.ids();
        let local = |id: JointId| {
            let estimates =
                self.estimates.iter().filter(|estimate| Some(estimate.pose_quality) == best);
            let locals: Vec<_> = estimates.filter_map(|w| w.locals.get(&id).copied()).collect();
            mean(&locals).unwrap_or(self.own.calibration_rotations[id.index()])
        };
        joints.map(local).collect()
    }
}
