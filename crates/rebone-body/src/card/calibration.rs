//! The calibration in a card: turns of joints, and anatomical axes.

use super::generated::entry_key;
use super::{Card, PoseFrom};
use crate::body::{Anatomy, CalibrationSource, Correction, JointEntry, SoleSource, frame};
use crate::error::LineError;
use nalgebra::{Unit, UnitQuaternion, Vector3};
use rebone_skeleton::selector::{resolve, select, shown};
use rebone_skeleton::{JointId, Pose, Skeleton};
use std::collections::{BTreeMap, BTreeSet};

/// Rotations that differ by less are equal, radians.
const EQUAL_ANGLE: f64 = 1e-9;

/// Separates the summary and the open question in the remark of a generated `up`.
const OPEN_QUESTION_PREFIX: &str = "; open: ";

/// Vectors that are shorter have no direction.
const MIN_LENGTH: f64 = 1e-6;

/// Comment after `confidence`.
const CONFIDENCE_REMARK: &str =
    "of the calibration; write confidence = 1 above when you have checked it";

/// Comment after `sole_height`.
const SOLE_REMARK: &str =
    "of the lowest joint of a standing foot over the floor, in the unit of the file";

/// Comment after `trunk_radii`.
const TRUNK_REMARK: &str = "of the middle of the hips, the chest joint and the head joint from the skin, in the unit of the file";

/// A rotation that a card states for a joint.
type JointRotation = JointEntry<UnitQuaternion<f64>>;

impl Card {
    /// The calibration pose that the card holds itself: the rest pose with joints turned.
    ///
    /// # Errors
    /// The first line that names a joint which is not there.
    pub fn posed(&self, skeleton: &Skeleton) -> Result<Option<Pose>, LineError> {
        if self.pose.is_empty() {
            return Ok(None);
        }
        let mut pose = skeleton.rest_pose();
        for (joint, turned) in self.by_joint(skeleton, "pose", &self.pose)? {
            pose.rotations[joint.index()] *= turned.value;
        }
        Ok(Some(pose))
    }

    /// Joints with their rotations, without generated ones for which the user states another.
    fn by_joint<'a>(
        &self,
        skeleton: &Skeleton,
        section: &str,
        rotations: &'a [JointRotation],
    ) -> Result<Vec<(JointId, &'a JointRotation)>, LineError> {
        let by_joint = rotations.iter().map(|entry| Ok((resolve_entry(entry, skeleton)?, entry)));
        let mut by_joint = by_joint.collect::<Result<Vec<_>, LineError>>()?;
        let is_stated = |entry: &JointRotation| !self.is_generated(section, &entry.joint);
        let stated: BTreeSet<JointId> = by_joint
            .iter()
            .filter(|(_, entry)| is_stated(entry))
            .map(|(joint, _)| *joint)
            .collect();
        by_joint.retain(|(joint, entry)| is_stated(entry) || !stated.contains(joint));
        Ok(by_joint)
    }

    /// The anatomical frames that the card states, in the axes of their joints.
    ///
    /// # Errors
    /// The first line that names a joint which is not there, or a joint for the second time.
    pub fn joint_axes(
        &self,
        skeleton: &Skeleton,
    ) -> Result<BTreeMap<JointId, UnitQuaternion<f64>>, LineError> {
        let mut frames = BTreeMap::new();
        for (joint, frame) in self.by_joint(skeleton, "axes", &self.axes)? {
            if frames.insert(joint, frame.value).is_some() {
                let joint = shown(&frame.joint);
                let message = format!(
                    "joint {joint:?} has axes already, in another line: take one of them away"
                );
                return Err(LineError { line: frame.line, message });
            }
        }
        Ok(frames)
    }

    /// Returns whether the user states the frame of a joint, by its axes or by its turn in the calibration pose.
    pub(crate) fn states_frame(&self, skeleton: &Skeleton, joint: JointId) -> bool {
        [("axes", &self.axes), ("pose", &self.pose)].into_iter().any(|(section, entries)| {
            let own = entries.iter().filter(|entry| !self.is_generated(section, &entry.joint));
            own.into_iter().any(|entry| resolve_entry(entry, skeleton).is_ok_and(|at| at == joint))
        })
    }

    /// Returns whether the generated part takes the rest pose of the card's file for the calibration pose.
    pub(crate) fn is_of_rest_pose(&self) -> bool {
        self.pose_from == Some(PoseFrom::Rest) && self.generated.contains_key("pose_from")
    }

    /// The question that was left of a generated up.
    pub(crate) fn up_question(&self) -> Option<String> {
        let remark = self.generated.get("up")?;
        Some(remark.split_once(OPEN_QUESTION_PREFIX)?.1.to_owned())
    }

    /// The joints whose anatomical frames the user states.
    pub(crate) fn stated_axes(&self, skeleton: &Skeleton) -> Result<BTreeSet<JointId>, LineError> {
        let stated = self.axes.iter().filter(|entry| !self.is_generated("axes", &entry.joint));
        stated.map(|entry| resolve_entry(entry, skeleton)).collect()
    }

    /// Takes over up and facing and how a skeleton was calibrated, so that every other clip of it is calibrated the same
    /// way: its rest pose by its name, any other pose as turns, and frames that the pose alone does not
    /// give. Remarks say that all this is the program's guess, and how far a frame may be off.
    pub fn take_calibration(&mut self, anatomy: &Anatomy) {
        let skeleton = &anatomy.skeleton;
        [self.up, self.facing] = anatomy.signed_axes();
        let summary = format!("{:.2} {}", anatomy.confidence, calibration_summary(anatomy));
        for key in ["up", "facing", "pose_from"] {
            self.generated.insert(key.to_owned(), summary.clone());
        }
        if let Some(question) = &anatomy.up_question {
            self.generated
                .insert("up".to_owned(), format!("{summary}{OPEN_QUESTION_PREFIX}{question}"));
        }
        let is_guess = anatomy.calibration != CalibrationSource::Given || anatomy.confidence < 1.0;
        let has_mesh = anatomy.common.as_ref().is_some_and(|common| common.has_mesh);
        if anatomy.skin_soles.is_none() && !has_mesh {
            let in_units = |metres: f64| rounded(metres / anatomy.metres_per_unit());
            if let Some(height) = anatomy.sole_height {
                self.sole_height = Some(in_units(height));
                let corrected = anatomy.sole_height_frame.map(Correction::Level);
                let remark =
                    corrected.map_or(String::new(), |correction| format!("{correction}; "));
                self.generated.insert("sole_height".to_owned(), remark + SOLE_REMARK);
            }
            self.trunk_radii = Some(anatomy.trunk_radii.map(in_units));
            self.generated.insert("trunk_radii".to_owned(), TRUNK_REMARK.to_owned());
        }
        self.confidence = is_guess.then_some((anatomy.confidence * 100.0).round() / 100.0);
        self.generated.insert("confidence".to_owned(), CONFIDENCE_REMARK.to_owned());
        let said = |joint: JointId, rotation: UnitQuaternion<f64>| JointRotation {
            joint: select(skeleton, joint),
            value: rotation,
            line: 0,
        };
        let rest = skeleton.rest_pose();
        let turns = skeleton.ids().map(|id| {
            let index = id.index();
            (id, rest.rotations[index].inverse() * anatomy.calibration_rotations[index])
        });
        let turned = turns
            .filter(|(id, rotation)| anatomy.is_in_card(*id) && rotation.angle() > EQUAL_ANGLE);
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
        let framed = anatomy.framed().filter(|id| anatomy.is_in_card(*id));
        let frames = framed.filter_map(|id| {
            let frame = anatomy.joint_from_anatomical[id.index()];
            let correction = anatomy.corrections.get(&id);
            let differs =
                correction.is_some() || no_pose || posed[id.index()].angle_to(&frame) > EQUAL_ANGLE;
            let sigma = anatomy.sigmas[id.index()].max().to_degrees();
            let remark =
                correction.map_or_else(|| format!("\u{b1}{sigma:.0} degrees"), ToString::to_string);
            differs.then(|| (said(id, frame), remark))
        });
        self.axes.clear();
        for (frame, remark) in frames {
            self.generated.insert(entry_key("axes", &frame.joint), remark);
            self.axes.push(frame);
        }
        for turned in &self.pose {
            self.generated.insert(entry_key("pose", &turned.joint), String::new());
        }
    }

    /// Returns whether an entry is a correction that differs from that of `old`.
    pub(super) fn is_corrected_anew(&self, old: &Card, section: &str, key: &str) -> bool {
        let axes = |card: &Card| {
            card.axes.iter().find(|entry| entry.joint == key).map(|entry| entry.value)
        };
        let is_equal = match section {
            "axes" => {
                let angle = axes(self).zip(axes(old)).map(|(own, old)| own.angle_to(&old));
                angle.is_some_and(|angle| angle < EQUAL_ANGLE)
            }
            _ => self.sole_height == old.sole_height,
        };
        let comment = |card: &Card| card.generated.get(&entry_key(section, key)).cloned();
        self.is_corrected(section, key) && !(is_equal && comment(self) == comment(old))
    }

    /// Replaces the axes of joints by stated ones.
    ///
    /// # Errors
    /// The first line that names a joint which is not there.
    pub(super) fn keep_axes(
        &mut self,
        skeleton: &Skeleton,
        stated: Vec<JointRotation>,
    ) -> Result<(), LineError> {
        let joints = stated.iter().map(|frame| resolve_entry(frame, skeleton));
        let joints = joints.collect::<Result<BTreeSet<_>, _>>()?;
        let is_stated = |frame: &JointRotation| {
            resolve(skeleton, &frame.joint).is_ok_and(|j| joints.contains(&j))
        };
        let (gone, kept) = std::mem::take(&mut self.axes).into_iter().partition(is_stated);
        self.axes = kept;
        let gone: Vec<JointRotation> = gone;
        gone.iter().for_each(|frame| drop(self.generated.remove(&entry_key("axes", &frame.joint))));
        self.axes.extend(stated);
        Ok(())
    }
}

fn resolve_entry(entry: &JointRotation, skeleton: &Skeleton) -> Result<JointId, LineError> {
    let line = entry.line;
    resolve(skeleton, &entry.joint).map_err(|error| LineError { line, message: error.to_string() })
}

/// Says where the anatomical axes were read off: `calibrated on its rest pose`.
pub fn calibration_summary(anatomy: &Anatomy) -> String {
    let is_repaired =
        anatomy.soles == SoleSource::Motion && anatomy.calibration != CalibrationSource::Motion;
    let soles = if is_repaired { ", its soles on its motion" } else { "" };
    let frames = match anatomy.calibration {
        CalibrationSource::RestPose => "calibrated on its rest pose".to_owned(),
        CalibrationSource::BindPose => "calibrated on its bind pose".to_owned(),
        CalibrationSource::Frame(frame) => format!("calibrated on its frame {frame}"),
        CalibrationSource::Given => "calibrated on the given pose".to_owned(),
        CalibrationSource::Motion => "calibrated on its motion".to_owned(),
        CalibrationSource::Learned(files) => match files {
            1 => "learned from 1 file".to_owned(),
            files => format!("learned from {files} files"),
        },
        CalibrationSource::SameRig => {
            "calibrated as the other file, which is of the same rig".to_owned()
        }
    };
    frames + soles
}

/// The frame whose +Y is `y` and whose +X is as near to `x` as that allows; `None` where they are
/// no two directions.
pub(crate) fn frame_of(x: &Vector3<f64>, y: &Vector3<f64>) -> Option<UnitQuaternion<f64>> {
    let y = Unit::try_new(*y, MIN_LENGTH)?;
    let across = x - y.into_inner() * y.dot(x);
    frame(&y, &across).filter(|_| across.norm() > MIN_LENGTH)
}

/// Returns a length with nine digits.
fn rounded(length: f64) -> f64 {
    format!("{length:.8e}").parse().unwrap_or(length)
}

#[cfg(test)]
mod tests {
    use crate::analyse::{Hints, analyse};
    use crate::card::Card;

    #[test]
    fn an_uncertain_up_stays_a_question_until_it_is_stated() {
        let walk = rebone_samples::walk().motion;
        let mut anatomy = analyse(&walk, &Hints::default()).unwrap();
        assert_eq!(anatomy.up_question, None);
        let question = "is +Y up? usual is +Z: state it with --up".to_owned();
        anatomy.up_question = Some(question.clone());
        let mut card = Card::default();
        card.take_calibration(&anatomy);
        let text = card.to_toml();
        for (text, expected) in
            [(text.clone(), Some(question)), (format!("up = \"+Y\"\n{text}"), None)]
        {
            let card = Some(Card::parse(&text).unwrap());
            let again = analyse(&walk, &Hints { card, ..Hints::default() }).unwrap();
            assert_eq!(again.up_question, expected, "{text}");
        }
    }
}
