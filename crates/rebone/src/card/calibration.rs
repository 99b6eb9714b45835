//! What a card says of the calibration: turns of joints, and anatomical frames in their axes.

use super::{Card, CardError, CardFault, PoseFrom};
use crate::body::{Anatomy, CalibrationSource, frame};
use nalgebra::{Unit, UnitQuaternion, Vector3};
use rebone_skeleton::selector::{resolve, select, shown};
use rebone_skeleton::{JointId, Pose, Skeleton};
use std::collections::{BTreeMap, BTreeSet};

/// Turns and frames that differ less are the same, radians.
const SAME: f64 = 1e-9;

/// Vectors shorter than this have no direction.
const LEAST: f64 = 1e-6;

/// What stands behind `confidence`.
const CONFIDENCE_REMARK: &str = "of the calibration; delete this when you have checked it";

/// A rotation that a card gives to a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct JointRotation {
    /// Selector of the joint.
    pub joint: String,
    /// The rotation.
    pub rotation: UnitQuaternion<f64>,
    /// The line of the card, counted from 1; 0 for a card that was not read.
    pub line: usize,
}

impl Card {
    /// The calibration pose that the card holds itself: the rest pose with joints turned.
    ///
    /// # Errors
    /// The first line that names a joint which is not there.
    pub fn posed(&self, skeleton: &Skeleton) -> Result<Option<Pose>, CardError> {
        if self.pose.is_empty() {
            return Ok(None);
        }
        let mut pose = skeleton.rest_pose();
        for turned in &self.pose {
            let joint = turned.resolve(skeleton)?;
            pose.rotations[joint.index()] *= turned.rotation;
        }
        Ok(Some(pose))
    }

    /// The anatomical frames that the card states, in the axes of their joints.
    ///
    /// # Errors
    /// The first line that names a joint which is not there, or a joint for the second time.
    pub fn joint_axes(
        &self,
        skeleton: &Skeleton,
    ) -> Result<BTreeMap<JointId, UnitQuaternion<f64>>, CardError> {
        let mut frames = BTreeMap::new();
        for frame in &self.axes {
            if frames.insert(frame.resolve(skeleton)?, frame.rotation).is_some() {
                let fault = CardFault::AxesTwice(shown(&frame.joint));
                return Err(CardError { line: frame.line, fault });
            }
        }
        Ok(frames)
    }

    /// Takes over up and facing and how a skeleton was calibrated, so that every other clip of it is calibrated the same
    /// way: its rest pose by its name, any other pose as turns, and frames that the pose alone does not
    /// give. Remarks say that all this is the program's guess, and how far a frame may be off.
    pub fn take_calibration(&mut self, anatomy: &Anatomy) {
        let skeleton = &anatomy.skeleton;
        [self.up, self.facing] = anatomy.signed_axes();
        let is_guess = anatomy.calibration != CalibrationSource::Given || anatomy.confidence < 1.0;
        self.confidence = is_guess.then_some((anatomy.confidence * 100.0).round() / 100.0);
        self.remarks.insert("confidence".to_owned(), CONFIDENCE_REMARK.to_owned());
        let said = |joint: JointId, rotation: UnitQuaternion<f64>| JointRotation {
            joint: select(skeleton, joint),
            rotation,
            line: 0,
        };
        let rest = skeleton.rest_pose();
        let turns = skeleton.ids().map(|id| {
            let index = id.index();
            (id, rest.rotations[index].inverse() * anatomy.calibration_rotations[index])
        });
        let turned = turns.filter(|(_, rotation)| rotation.angle() > SAME);
        self.pose = turned.map(|(id, rotation)| said(id, rotation)).collect();
        if self.pose.is_empty() {
            self.pose_from = Some(PoseFrom::Rest);
        }
        let posed =
            &anatomy.without_motion_evidence.as_deref().unwrap_or(anatomy).joint_from_anatomical;
        // Frames that were learned are said one by one: no pose of one skeleton gives them to the others.
        let no_pose = matches!(
            anatomy.calibration,
            CalibrationSource::Motion | CalibrationSource::Learned(_)
        );
        let frames = anatomy.framed().filter_map(|id| {
            let frame = anatomy.joint_from_anatomical[id.index()];
            let differs = no_pose || posed[id.index()].angle_to(&frame) > SAME;
            differs.then(|| (said(id, frame), anatomy.sigmas[id.index()].max().to_degrees()))
        });
        self.axes.clear();
        for (frame, sigma) in frames {
            self.remarks
                .insert(format!("axes.{}", frame.joint), format!("\u{b1}{sigma:.0} degrees"));
            self.axes.push(frame);
        }
        self.remarks.insert("pose".to_owned(), "found".to_owned());
    }

    /// Puts frames that somebody stated in the place of those of the same joints.
    ///
    /// # Errors
    /// The first line that names a joint which is not there.
    pub fn keep_axes(
        &mut self,
        skeleton: &Skeleton,
        stated: Vec<JointRotation>,
    ) -> Result<(), CardError> {
        let joints = stated.iter().map(|frame| frame.resolve(skeleton));
        let joints = joints.collect::<Result<BTreeSet<_>, _>>()?;
        let is_stated = |frame: &JointRotation| {
            resolve(skeleton, &frame.joint).is_ok_and(|j| joints.contains(&j))
        };
        let (gone, kept) = std::mem::take(&mut self.axes).into_iter().partition(is_stated);
        self.axes = kept;
        let gone: Vec<JointRotation> = gone;
        gone.iter().for_each(|frame| drop(self.remarks.remove(&format!("axes.{}", frame.joint))));
        self.axes.extend(stated);
        Ok(())
    }
}

impl JointRotation {
    fn resolve(&self, skeleton: &Skeleton) -> Result<JointId, CardError> {
        let line = self.line;
        resolve(skeleton, &self.joint).map_err(|error| CardError { line, fault: error.into() })
    }
}

/// The frame whose +Y is `y` and whose +X is as near to `x` as that allows; `None` where they are
/// no two directions.
pub(crate) fn frame_of(x: &Vector3<f64>, y: &Vector3<f64>) -> Option<UnitQuaternion<f64>> {
    let y = Unit::try_new(*y, LEAST)?;
    let across = x - y.into_inner() * y.dot(x);
    frame(&y, &across).filter(|_| across.norm() > LEAST)
}
