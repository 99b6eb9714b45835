//! Recognises animals whose joints carry human names.

use super::by_name::NameMeaning;
use super::limbs::{Limb, Limbs};
use nalgebra::Vector3;
use rebone_skeleton::rotation::direction;
use rebone_skeleton::{JointId, Skeleton, WorldPose};

/// Shoulders that are apart less than this share of the trunk's length are no person's: people
/// measure 0.5 to 1.2, a dog 0.36.
const MIN_SHOULDER_WIDTH: f64 = 0.43;

/// The share of poses that must be on all fours: people crawl, but seldom for a whole clip.
const MIN_ON_FOURS_FRACTION: f64 = 0.8;

/// Returns the evidence for an animal, if it is enough: two of a tail, going on all fours, narrow shoulders.
pub(crate) fn evidence(
    skeleton: &Skeleton,
    readings: &[NameMeaning],
    poses: &[WorldPose],
    limbs: &Limbs,
) -> Option<Vec<String>> {
    let mut evidence = Vec::new();
    if let Some(tail) = tail(skeleton, readings, limbs) {
        evidence.push(format!("a tail below the trunk ({})", skeleton[tail].name));
    }
    let postures: Vec<Posture> = poses.iter().filter_map(|pose| posture(pose, limbs)).collect();
    let fours = postures.iter().filter(|posture| posture.all_fours).count();
    if !postures.is_empty() && fours as f64 > MIN_ON_FOURS_FRACTION * postures.len() as f64 {
        evidence.push("arms and legs stand side by side below a level trunk".into());
    }
    let mut widths: Vec<f64> = postures.iter().map(|posture| posture.width).collect();
    widths.sort_unstable_by(f64::total_cmp);
    if widths.get(widths.len() / 2).is_some_and(|&width| width < MIN_SHOULDER_WIDTH) {
        let width = widths[widths.len() / 2];
        evidence.push(format!("shoulders only {width:.2} of the trunk's length apart"));
    }
    (evidence.len() >= 2).then_some(evidence)
}

/// A tail below the trunk, not below the head.
fn tail(skeleton: &Skeleton, readings: &[NameMeaning], limbs: &Limbs) -> Option<JointId> {
    let thigh = limbs.legs[0].joints[0];
    let hips = skeleton.lowest_common_ancestor(thigh, limbs.legs[1].joints[0]);
    let hangs_low = |&id: &JointId| {
        let parent = skeleton[id].parent;
        parent.is_some_and(|parent| skeleton.is_ancestor(parent, hips))
    };
    skeleton.ids().filter(|id| readings[id.index()].tail).find(hangs_low)
}

/// Posture of a body in one pose.
struct Posture {
    /// The trunk is level against arms and legs, which are parallel.
    all_fours: bool,
    /// Distance of the shoulders, in trunk lengths.
    width: f64,
}

/// `None` where the trunk or a limb has no length.
fn posture(pose: &WorldPose, limbs: &Limbs) -> Option<Posture> {
    let at = |id: JointId| pose.positions[id.index()];
    let middle = |pair: &[Limb; 2]| (at(pair[0].joints[0]) + at(pair[1].joints[0])) / 2.0;
    let reach = |pair: &[Limb; 2]| -> Vector3<f64> {
        pair.iter().map(|limb| at(limb.joints[limb.joints.len() - 1]) - at(limb.joints[0])).sum()
    };
    let trunk = middle(&limbs.arms) - middle(&limbs.legs);
    let width = (at(limbs.arms[0].joints[0]) - at(limbs.arms[1].joints[0])).norm();
    let (up, arms, legs) =
        (direction(&trunk)?, direction(&reach(&limbs.arms))?, direction(&reach(&limbs.legs))?);
    let all_fours = up.dot(&arms).abs() < 0.5 && up.dot(&legs).abs() < 0.5 && arms.dot(&legs) > 0.7;
    Some(Posture { all_fours, width: width / trunk.norm() })
}
