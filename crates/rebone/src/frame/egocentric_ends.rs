//! Hands and feet of the target by their egocentric coordinates on the source.

use super::source_pose::SourcePose;
use super::stages::Stages;
use super::target_pose::TargetPose;
use crate::align::{Group, Plan};
use crate::egocentric::EgocentricMap;
use rebone_body::body::Limb;

/// Moves hands and feet of a posed target to where their egocentric coordinates have them, each limb alone. The surface
/// that they refer to is that of the pose before; hands and feet keep their rotations in the world.
pub(super) fn place_ends(
    plan: &Plan,
    map: &EgocentricMap,
    source_pose: &SourcePose,
    target_pose: &mut TargetPose,
    stages: &mut Stages,
) {
    let wanted = map.wanted_ends(&source_pose.world, &target_pose.world);
    for (limb, wanted) in Limb::ALL.into_iter().zip(wanted) {
        let tip = limb.tip(&plan.target);
        let held = tip.map(|tip| (tip, target_pose.world.rotations[tip.index()]));
        stages.place_end(plan, target_pose, limb, wanted);
        target_pose.update_group(plan, Group::of_limb(limb).place());
        if let Some((tip, rotation)) = held {
            target_pose.set_world_rotation(plan, tip, &rotation);
        }
    }
    target_pose.update_all(plan);
}
