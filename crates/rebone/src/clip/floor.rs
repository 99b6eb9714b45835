//! Puts a result on the floor: shifts it to height zero.

use crate::align::Plan;
use nalgebra::{UnitQuaternion, Vector3};
use rebone_body::poses;
use rebone_skeleton::{Clip, WorldPose};

/// Raises a clip of the plan's target by `rise`, in units of the file: its translation joint, in all frames.
///
/// Helpers follow; nothing else changes. Components that the translation joint has no position channels for are lost.
pub(crate) fn lift(plan: &Plan, clip: &mut Clip, rise: f64) {
    let skeleton = &plan.target.skeleton;
    let up = plan.inner_from_target.inverse() * Vector3::y();
    let above = skeleton[plan.translation_joint].parent;
    let mut world = WorldPose::zeros(skeleton);
    poses::edit(clip, |_, pose| {
        let turned = above.map_or(UnitQuaternion::identity(), |above| {
            let path = skeleton.path_to_root(above);
            path.fold(UnitQuaternion::identity(), |turned, id| pose.rotations[id.index()] * turned)
        });
        pose.translations[plan.translation_joint.index()] += turned.inverse() * up * rise;
        plan.carry_helpers(pose, &mut world);
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clip::{ClipInput, retarget_clip};
    use crate::contacts::floor;
    use crate::options::{GroundMode, Options};
    use crate::{align, analyse};
    use rebone_body::analyse::Hints;
    use rebone_samples as samples;

    fn plan(clip: &samples::Sample, rig: &samples::Sample) -> Plan {
        let of = |sample: &samples::Sample| analyse(&sample.motion, &Hints::default()).unwrap();
        align(&of(clip), &of(rig), &Options { ground: GroundMode::On, ..Options::default() })
    }

    #[test]
    fn grounded_clips_stand_at_zero_on_all_rigs_wherever_the_source_was() {
        let rigs = samples::rigs();
        for (clip, rig) in [samples::walk(), samples::jump(), samples::sit()].iter().zip(&rigs[1..])
        {
            let plan = plan(clip, rig);
            let (root_motion_joints, report) =
                retarget_clip(&plan, &ClipInput::new(&plan.source, &clip.motion.clip)).unwrap();
            let found = report.floor.unwrap();
            assert!(found.confidence > 0.7, "{} {}: {found:?}", clip.name, rig.name);
            let again = floor(&plan, &root_motion_joints).unwrap();
            assert!(again.level.abs() < 1e-9 * plan.target.stature, "{again:?}");

            let mut lifted = clip.motion.clip.clone();
            lifted.edit(|_, pose| pose.translations[0].y += 50.0).unwrap();
            let (lifted, report) =
                retarget_clip(&plan, &ClipInput::new(&plan.source, &lifted)).unwrap();
            let other = report.floor.unwrap();
            assert!((other.confidence - found.confidence).abs() < 1e-9);
            assert!(other.level - found.level > 0.1 * plan.target.stature);
            for (a, b) in root_motion_joints.poses().zip(lifted.poses()) {
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
        let (clip, _) =
            retarget_clip(&plan, &ClipInput::new(&plan.source, &walk.motion.clip)).unwrap();
        let skeleton = &plan.target.skeleton;
        let raised = |clip: &Clip, rise: &dyn Fn(usize) -> f64| {
            let poses = clip.poses().enumerate().map(|(frame, pose)| {
                let mut part = Clip::from_poses(skeleton, 1.0, [pose]).unwrap();
                lift(&plan, &mut part, rise(frame) * plan.target.stature);
                part.pose(0).unwrap()
            });
            Clip::from_poses(skeleton, 1.0, poses).unwrap()
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
