//! Corrections of a calibration that a person states without numbers.
//!
//! Each returns another anatomy, with a warning for joints that stay as they are;
//! [`Card::take_calibration`](crate::card::Card::take_calibration) and
//! [`Card::from_anatomy`](crate::card::Card::from_anatomy) write the corrected frames into a card.

mod level_feet;
mod mirror;

pub use level_feet::{level_feet, standing_frames};
pub use mirror::mirror;

use crate::body::{Anatomy, CalibrationSource, Correction};
use crate::calibrate::{with_frames, within_ten_degrees};
use crate::card::Card;
use crate::error::LineError;
use nalgebra::{UnitQuaternion, Vector3};
use rebone_skeleton::selector::select;
use rebone_skeleton::{Clip, JointId};
use std::collections::{BTreeMap, BTreeSet};

/// A corrected frame of a joint, with its standard deviations and its reason.
struct Frame {
    rotation: UnitQuaternion<f64>,
    sigma: Vector3<f64>,
    correction: Correction,
}

/// Applies corrected frames, but those of joints that the user states in `card`. `clip` is the clip that the anatomy was
/// read off.
fn apply(
    anatomy: &Anatomy,
    clip: &Clip,
    card: &Card,
    mut frames: BTreeMap<JointId, Frame>,
) -> Result<Anatomy, LineError> {
    let stated: BTreeSet<JointId> = card.stated_axes(&anatomy.skeleton)?;
    let kept: Vec<JointId> = frames.keys().filter(|id| stated.contains(id)).copied().collect();
    frames.retain(|joint, _| !stated.contains(joint));
    let rotations = frames.iter().map(|(&joint, frame)| (joint, frame.rotation)).collect();
    let mut corrected = with_frames(anatomy.clone(), clip, &rotations);
    corrected.take_supports(card.sole_height, card.trunk_radii);
    for (joint, frame) in &frames {
        corrected.sigmas[joint.index()] = frame.sigma;
        corrected.corrections.insert(*joint, frame.correction);
    }
    let is_judged =
        !matches!(corrected.calibration, CalibrationSource::Given | CalibrationSource::SameRig);
    if is_judged {
        corrected.confidence = within_ten_degrees(corrected.least_sure().1);
    }
    let reason = "not corrected, because lines of the card state their axes";
    warn(&mut corrected, reason, &kept);
    Ok(corrected)
}

/// Adds a warning of joints that stay as they are.
fn warn(anatomy: &mut Anatomy, reason: &str, joints: &[JointId]) {
    let names = joints.iter().map(|&joint| select(&anatomy.skeleton, joint));
    let names = names.collect::<Vec<_>>().join(", ");
    anatomy.warnings.extend((!joints.is_empty()).then(|| format!("{reason}: {names}")));
}
