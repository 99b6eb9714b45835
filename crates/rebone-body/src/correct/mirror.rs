//! The calibration of one side, copied to the other.

use super::{Frame, apply, warn};
use crate::body::{Anatomy, Arm, Body, Correction, Landmark, Leg, Side, frame};
use crate::card::Card;
use crate::error::{AnalysisError, ValueError};
use crate::poses;
use nalgebra::{Unit, UnitQuaternion, Vector3};
use rebone_skeleton::rotation::{direction, shortest_arc};
use rebone_skeleton::{Clip, JointId, Pose, WorldPose};
use std::collections::BTreeMap;

/// Largest difference between the bones of one side and the mirror images of the other's, degrees.
const MAX_ASYMMETRY_DEGREES: f64 = 20.0;

/// Copies the anatomical frames of one side to the other, mirrored by the sagittal plane: collar bones, arms, hands, fingers,
/// legs, feet and toes.
///
/// The rest pose, the bind pose or the calibration pose shows which directions of both sides correspond: the most symmetric
/// one of them. Where bones are no exact mirror images in it, a frame keeps its place on its bone. `clip` and `card` are
/// those that the anatomy was analysed by: frames that the user states in the card stay, with a warning in the
/// anatomy, and so do soles that [`level_feet`](super::level_feet) has levelled in this anatomy.
///
/// ```
/// use rebone_body::body::Side;
/// use rebone_body::card::Card;
/// use rebone_body::{Hints, analyse, correct};
///
/// let walk = rebone_samples::walk().motion;
/// let anatomy = analyse(&walk, &Hints::default())?;
/// let mirrored = correct::mirror(&anatomy, &walk.clip, Side::Left, &Card::default())?;
/// assert!(mirrored.corrected().any(|joint| joint == anatomy.body.arms[1].lower));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When no pose is symmetric to 20 degrees; when clip or card are of another skeleton.
pub fn mirror(
    anatomy: &Anatomy,
    clip: &Clip,
    from: Side,
    card: &Card,
) -> Result<Anatomy, AnalysisError> {
    clip.check_for(&anatomy.skeleton)?;
    let to = if from == Side::Left { Side::Right } else { Side::Left };
    let (pairs, unpaired) = pairs(&anatomy.body, from, to);
    let plane = symmetric_pose(anatomy, &pairs)?;
    let is_level =
        |joint: JointId| matches!(anatomy.corrections.get(&joint), Some(Correction::Level(_)));
    let free = pairs.iter().filter(|[_, own]| !is_level(own.joint));
    let frames = free.filter_map(|[model, own]| {
        let rotation = plane.mirrored(anatomy, model, own)?;
        let sigma = anatomy.sigmas[model.joint.index()];
        let correction = Correction::MirroredFrom(from);
        Some((own.joint, Frame { rotation, sigma, correction }))
    });
    let frames: BTreeMap<JointId, Frame> = frames.collect();
    let mut corrected = apply(anatomy, clip, card, frames)?;
    let reason = "not mirrored, because the other side has no such joint";
    warn(&mut corrected, reason, &unpaired);
    Ok(corrected)
}

/// A joint of one side, and where its bone ends.
#[derive(Clone, Copy)]
struct Segment {
    name: &'static str,
    joint: JointId,
    end: Option<Landmark>,
}

/// Segments of an arm or a leg that are one part: joints of a list, or one joint at most.
type Part = Vec<Segment>;

/// Segments of both sides, part by part; those of the side that is copied come first. Also returns joints without a
/// counterpart.
fn pairs(body: &Body, from: Side, to: Side) -> (Vec<[Segment; 2]>, Vec<JointId>) {
    let parts = |side: Side| {
        let of_arm = parts_of_arm(&body.arms[side.index()]).into_iter();
        of_arm.chain(parts_of_leg(&body.legs[side.index()]))
    };
    let (mut pairs, mut unpaired) = (Vec::new(), Vec::new());
    for (model, own) in parts(from).zip(parts(to)) {
        let common = model.len().min(own.len());
        unpaired.extend(model[common..].iter().chain(&own[common..]).map(|own| own.joint));
        pairs.extend(model.into_iter().zip(own).map(|(model, own)| [model, own]));
    }
    (pairs, unpaired)
}

fn parts_of_arm(arm: &Arm) -> Vec<Part> {
    let bone = |name, joints: &[JointId], end: Landmark| -> Part {
        joints.iter().map(|&joint| Segment { name, joint, end: Some(end) }).collect()
    };
    let collar: Vec<JointId> = arm.collar.into_iter().collect();
    let hand = arm.hand.into_iter();
    let mut parts = vec![
        bone("collar bones", &collar, arm.upper.into()),
        bone("upper arms", &[arm.upper], arm.lower.into()),
        bone("upper arms", &arm.upper_twist, arm.lower.into()),
        bone("forearms", &[arm.lower], arm.wrist),
        bone("forearms", &arm.lower_twist, arm.wrist),
        hand.map(|joint| Segment { name: "hands", joint, end: None }).collect(),
    ];
    let finger = |joints: &Vec<JointId>| -> Part {
        let next = |k: usize| joints.get(k + 1).map(|&next| next.into());
        let segment = |(k, &joint)| Segment { name: "fingers", joint, end: next(k) };
        joints.iter().enumerate().map(segment).collect()
    };
    parts.extend(arm.fingers.iter().map(finger));
    parts
}

fn parts_of_leg(leg: &Leg) -> Vec<Part> {
    let bone = |name, joints: &[JointId], end: Option<JointId>| -> Part {
        let end = end.map(Landmark::from);
        joints.iter().map(|&joint| Segment { name, joint, end }).collect()
    };
    let toes: Vec<JointId> = leg.toes.into_iter().collect();
    vec![
        bone("hip bones", &leg.hip_bones, None),
        bone("thighs", &[leg.upper], Some(leg.lower)),
        bone("thighs", &leg.upper_twist, Some(leg.lower)),
        bone("shins", &[leg.lower], Some(leg.foot)),
        bone("shins", &leg.lower_twist, Some(leg.foot)),
        bone("feet", &[leg.foot], leg.toes),
        bone("toes", &toes, None),
    ]
}

/// A pose and its sagittal plane.
struct MirrorPose {
    world: WorldPose,
    /// Normal of the plane, to the left or the right.
    normal: Unit<Vector3<f64>>,
}

impl MirrorPose {
    fn new(anatomy: &Anatomy, rotations: &[UnitQuaternion<f64>]) -> Option<Self> {
        let rest = anatomy.skeleton.rest_pose();
        let pose = Pose { rotations: rotations.to_vec(), ..rest };
        let world = poses::world_of(&anatomy.skeleton, &pose);
        let across = |[left, right]: [JointId; 2]| {
            direction(&(world.positions[left.index()] - world.positions[right.index()]))
        };
        let [hips, shoulders] = [across(anatomy.hips())?, across(anatomy.shoulders())?];
        let normal = direction(&(*hips + *shoulders))?;
        Some(Self { world, normal })
    }

    fn reflected(&self, vector: &Vector3<f64>) -> Vector3<f64> {
        vector - self.normal.into_inner() * (2.0 * self.normal.dot(vector))
    }

    /// Directions of a pair of bones, that of the first one mirrored.
    fn bones(
        &self,
        anatomy: &Anatomy,
        [model, own]: [&Segment; 2],
    ) -> Option<[Unit<Vector3<f64>>; 2]> {
        let bone = |segment: &Segment| {
            let end = segment.end?.at(&self.world, 1.0);
            Some(end - self.world.positions[segment.joint.index()])
        };
        let least = anatomy.stature * MIN_BONE_OF_STATURE;
        let long = |bone: Vector3<f64>| direction(&bone).filter(|_| bone.norm() > least);
        Some([long(self.reflected(&bone(model)?))?, long(bone(own)?)?])
    }

    /// The largest angle between a bone and the mirror image of its counterpart, degrees, and its name; fingers do not count.
    fn asymmetry(&self, anatomy: &Anatomy, pairs: &[[Segment; 2]]) -> (f64, &'static str) {
        let limbs = pairs.iter().filter(|[model, _]| model.name != "fingers");
        let angles = limbs.filter_map(|[model, own]| {
            let [a, b] = self.bones(anatomy, [model, own])?;
            Some((a.angle(&b).to_degrees(), model.name))
        });
        angles.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((0.0, "bones"))
    }

    /// The frame of a segment's counterpart, in its own axes.
    fn mirrored(
        &self,
        anatomy: &Anatomy,
        model: &Segment,
        own: &Segment,
    ) -> Option<UnitQuaternion<f64>> {
        let index = model.joint.index();
        let world = anatomy.anatomical(model.joint, &self.world.rotations[index]);
        let [x, y] = [Vector3::x(), Vector3::y()].map(|axis| self.reflected(&(world * axis)));
        let mirrored = frame(&direction(&y)?, &-x)?;
        let bones = self.bones(anatomy, [model, own]);
        let turn = bones.map_or(UnitQuaternion::identity(), |[from, to]| shortest_arc(&from, &to));
        Some(self.world.rotations[own.joint.index()].inverse() * turn * mirrored)
    }
}

/// Bones that are shorter have no direction, as part of the stature.
const MIN_BONE_OF_STATURE: f64 = 1e-4;

/// The most symmetric one of rest pose, bind pose and calibration pose.
fn symmetric_pose(anatomy: &Anatomy, pairs: &[[Segment; 2]]) -> Result<MirrorPose, ValueError> {
    let rest = anatomy.skeleton.rest_pose().rotations;
    let candidates = [&rest, &anatomy.bind_rotations, &anatomy.calibration_rotations];
    let poses = candidates.into_iter().filter_map(|rotations| MirrorPose::new(anatomy, rotations));
    let judged = poses.map(|pose| (pose.asymmetry(anatomy, pairs), pose));
    let best = judged.min_by(|(a, _), (b, _)| a.0.total_cmp(&b.0));
    let fault = |found: String| {
        let expected = format!("expected at most {MAX_ASYMMETRY_DEGREES:.0}");
        ValueError(format!("{found} at rest and in the calibration pose, {expected}"))
    };
    match best {
        Some(((degrees, _), pose)) if degrees <= MAX_ASYMMETRY_DEGREES => Ok(pose),
        Some(((degrees, bones), _)) => Err(fault(format!(
            "the {bones} of both sides are {degrees:.0} degrees from mirror images"
        ))),
        None => Err(ValueError("hips and shoulders lie in one place, expected a width".to_owned())),
    }
}

#[cfg(test)]
mod tests;
