//! Puts a result on the floor: where its floor is, over the whole clip, and a shift to height zero.

use crate::align::Plan;
use crate::understand::BODY_HEIGHT;
use nalgebra::{UnitQuaternion, Vector3};
use rebone_skeleton::{Clip, WorldPose, rotation::direction};
use serde::Serialize;

/// The floor that a clip of the target moves on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Floor {
    /// Its height in the target file's units, along the target's up axis.
    pub level: f64,
    /// Probability that this is the floor: high where most frames bear on it and few are below.
    pub confidence: f64,
}

/// Part of the frames that may be lower than the lowest part of the floor: noise, and mended data.
const OUTLIERS: f64 = 0.05;
/// Heights that count as one level, part of the stature.
const THICKNESS: f64 = 0.015;
/// Part of the frames on the floor at which it is as likely as not to be the floor.
const FEW: f64 = 0.1;

/// Finds the floor of a clip on the plan's target; `None` for a clip without frames.
///
/// The lowest support of each frame (heel, ball, toe tip, knee, seat, back, hand, elbow, head) has a
/// height. The floor is the median of the heights within a thickness of the 5th percentile.
pub fn floor(plan: &Plan, clip: &Clip) -> Option<Floor> {
    let mut world = WorldPose::zeros(plan.target.skeleton.len());
    let metres = plan.target.metres_per_unit();
    let mut pose = plan.target.skeleton.rest_pose();
    let lowest = (0..clip.len()).map(|frame| {
        clip.read(frame, &mut pose);
        world.update(&plan.target.skeleton, &pose);
        turn_and_scale(&mut world, &plan.inner_from_target, metres);
        plan.supports.lowest(&world)
    });
    let mut heights: Vec<f64> = lowest.filter(|height| height.is_finite()).collect();
    heights.sort_by(f64::total_cmp);
    let (level, share) = level(&heights, plan.path_scale)?;
    Some(Floor { level: level / metres, confidence: confidence(share) })
}

/// The level that most of the lowest heights are on, in order, and the part of them that are: the median of those
/// within a thickness, times `scale`, of the 5th percentile; `None` of none.
pub(crate) fn level(heights: &[f64], scale: f64) -> Option<(f64, f64)> {
    let percentile = *heights.get((heights.len() as f64 * OUTLIERS) as usize)?;
    let thickness = THICKNESS * BODY_HEIGHT * scale;
    let near = |level: f64| {
        let from = heights.partition_point(|&height| height < level - thickness);
        let to = heights.partition_point(|&height| height <= level + thickness);
        &heights[from..to]
    };
    let around = near(percentile);
    let level = around[around.len() / 2];
    Some((level, near(level).len() as f64 / heights.len() as f64))
}

/// Probability that a level is the floor on which so large a part of the frames bear.
pub(crate) fn confidence(share: f64) -> f64 {
    share / (share + FEW)
}

/// Moves a clip on the plan's target up by `rise` (in the file's units): the carrier, in all frames.
///
/// Helpers go along, nothing else changes. What the carrier's position channels cannot hold is left out: none, where
/// they do not reach upwards.
pub fn lift(plan: &Plan, clip: &mut Clip, rise: f64) {
    let skeleton = &plan.target.skeleton;
    let up = plan.inner_from_target.inverse() * Vector3::y();
    let above = skeleton.joint(plan.carrier).parent;
    let mut world = WorldPose::zeros(skeleton.len());
    clip.edit(|_, pose| {
        let turned = above.map_or(UnitQuaternion::identity(), |above| {
            let path = skeleton.path_to_root(above);
            path.fold(UnitQuaternion::identity(), |turned, id| pose.rotations[id.index()] * turned)
        });
        pose.translations[plan.carrier.index()] += turned.inverse() * up * rise;
        plan.carry_helpers(pose, &mut world);
    });
}

/// Whether the position channels of the target's carrier can move it straight up.
pub fn can_lift(plan: &Plan) -> bool {
    let axes = &plan.target.skeleton.joint(plan.carrier).translation_axes;
    let up = plan.inner_from_target.inverse() * Vector3::y();
    let missing = rebone_skeleton::Axis::ALL.into_iter().filter(|axis| !axes.contains(axis));
    let is_root = plan.target.skeleton.joint(plan.carrier).parent.is_none();
    let along = |axis: rebone_skeleton::Axis| direction(&up).map_or(0.0, |up| up.dot(&axis.unit()));
    axes.len() == 3 || (is_root && missing.map(along).all(|part| part.abs() < 1e-9))
}

/// Brings a pose of a file into the inner world.
pub(crate) fn turn_and_scale(world: &mut WorldPose, turn: &UnitQuaternion<f64>, scale: f64) {
    world.positions.iter_mut().for_each(|place| *place = turn * *place * scale);
    world.rotations.iter_mut().for_each(|rotation| *rotation = turn * *rotation);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Hints, Options, align, retarget_clip, understand};
    use rebone_samples as samples;

    fn plan(clip: &samples::Sample, rig: &samples::Sample) -> Plan {
        let of = |sample: &samples::Sample| understand(&sample.motion, &Hints::default()).unwrap();
        align(&of(clip), &of(rig), &Options { ground: true, ..Options::default() })
    }

    #[test]
    fn grounded_clips_stand_at_zero_on_all_rigs_wherever_the_source_was() {
        let rigs = samples::rigs();
        for (clip, rig) in [samples::walk(), samples::jump(), samples::sit()].iter().zip(&rigs[1..])
        {
            let plan = plan(clip, rig);
            let (grounded, report) = retarget_clip(&plan, &clip.motion.clip).unwrap();
            let found = report.floor.unwrap();
            assert!(found.confidence > 0.7, "{} {}: {found:?}", clip.name, rig.name);
            let again = floor(&plan, &grounded).unwrap();
            assert!(again.level.abs() < 1e-9 * plan.target.stature, "{again:?}");

            let mut lifted = clip.motion.clip.clone();
            lifted.edit(|_, pose| pose.translations[0].y += 50.0);
            let (lifted, report) = retarget_clip(&plan, &lifted).unwrap();
            let other = report.floor.unwrap();
            assert!((other.confidence - found.confidence).abs() < 1e-9);
            assert!(other.level - found.level > 0.1 * plan.target.stature);
            for (a, b) in grounded.poses().zip(lifted.poses()) {
                for (a, b) in a.translations.iter().zip(&b.translations) {
                    assert!((a - b).norm() < 1e-9 * plan.target.stature);
                }
            }
        }
    }

    #[test]
    fn few_low_frames_are_no_floor() {
        let (walk, rig) = (samples::walk(), samples::rigs().swap_remove(0));
        let plan = plan(&walk, &rig);
        let (clip, _) = retarget_clip(&plan, &walk.motion.clip).unwrap();
        let skeleton = &plan.target.skeleton;
        let raised = |clip: &Clip, rise: &dyn Fn(usize) -> f64| {
            let poses = clip.poses().enumerate().map(|(frame, pose)| {
                let mut part = Clip::from_poses(skeleton, 1.0, [pose]);
                lift(&plan, &mut part, rise(frame) * plan.target.stature);
                part.pose(0)
            });
            Clip::from_poses(skeleton, 1.0, poses)
        };
        let few = clip.len() / 30;
        let clip = raised(&clip, &|frame| if frame < few { -0.4 } else { 0.0 });
        let level = floor(&plan, &clip).unwrap().level;
        assert!(level.abs() < 0.01 * plan.target.stature, "{level}");
        // A flight: no frame bears on what another bears on.
        let count = clip.len();
        let clip = raised(&clip, &|frame| 4.0 * frame as f64 / count as f64);
        assert!(floor(&plan, &clip).unwrap().confidence < 0.3);
    }
}
