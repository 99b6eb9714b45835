//! Masks body regions: those outside keep the rig's own animation.

use crate::align::Plan;
use crate::options::BodyRegion;
use nalgebra::Vector3;
use rebone_body::body::Role;
use rebone_skeleton::{Clip, JointId, Pose, WorldPose};
use std::collections::BTreeSet;
use std::sync::Arc;

impl BodyRegion {
    /// Returns whether joints of a role belong to the region.
    pub(crate) fn holds(self, role: Role) -> bool {
        use Role::*;
        match self {
            Self::Upper => [Self::Trunk, Self::Head, Self::Arms].iter().any(|own| own.holds(role)),
            Self::Lower => [Self::Hips, Self::Legs].iter().any(|own| own.holds(role)),
            Self::Hips => role == Hips,
            Self::Trunk => role == Spine,
            Self::Head => matches!(role, Neck | Head | Jaw | Eye(_)),
            Self::Arms => {
                let arm = matches!(role, Shoulder(_) | UpperArm(_) | UpperArmTwist(_));
                arm || matches!(role, LowerArm(_) | LowerArmTwist(_)) || Self::Hands.holds(role)
            }
            Self::Hands => matches!(role, Hand(_) | Finger(..)),
            Self::Legs => {
                let leg = matches!(role, HipBone(_) | UpperLeg(_) | UpperLegTwist(_));
                leg || matches!(role, LowerLeg(_) | LowerLegTwist(_) | Foot(_) | Toes(_))
            }
        }
    }
}

/// Smallest change of a translation that counts as motion, units of the file.
const LEAST_MOVE: f64 = 1e-6;

/// Layers a result over the rig's own animation, or over its calibration pose.
#[derive(Clone, Debug)]
pub(crate) struct BodyMask {
    /// The joints that do not follow the motion.
    kept: BTreeSet<JointId>,
    base: Option<Arc<Clip>>,
    still: Pose,
    /// Scratch memory: the base at an instant, and its next frame.
    now: [Pose; 2],
    world: WorldPose,
}

impl BodyMask {
    /// Masks joints without a counterpart on the source and, if `only` is not empty, joints outside its regions.
    /// `base` is a clip of the target's skeleton; without it, masked joints keep the calibration pose.
    pub(crate) fn new(plan: &Plan, base: Option<Arc<Clip>>, only: &[BodyRegion]) -> Self {
        let mapped: BTreeSet<JointId> = plan.mapped().collect();
        let skeleton = &plan.target.skeleton;
        let helpers: BTreeSet<JointId> = plan.helpers.iter().map(|helper| helper.joint).collect();
        let role = |id| skeleton.path_to_root(id).find_map(|id| plan.target.roles.of(id));
        let is_in = |id| only.iter().any(|part| part.holds(role(id).unwrap_or(Role::Hips)));
        let is_kept = |id: &JointId| {
            let follows = mapped.contains(id) && (only.is_empty() || is_in(*id));
            !follows && !helpers.contains(id)
        };
        let still = plan.target.calibration_pose();
        Self {
            kept: skeleton.ids().filter(is_kept).collect(),
            base: base.filter(|base| !base.is_empty()),
            now: [still.clone(), still.clone()],
            still,
            world: WorldPose::zeros(skeleton),
        }
    }

    /// Returns whether a joint follows the motion.
    pub(crate) fn follows(&self, joint: JointId) -> bool {
        !self.kept.contains(&joint)
    }

    /// Returns the masked joints whose translations the base animates.
    pub(crate) fn moving(&self) -> impl Iterator<Item = JointId> + '_ {
        let rest = &self.still.translations;
        let base = self.base.iter();
        let kept = move |base: &'_ Arc<Clip>| -> Vec<JointId> {
            let moves = |id: &&JointId| {
                base.translations(**id).any(|place| (place - rest[id.index()]).norm() > LEAST_MOVE)
            };
            self.kept.iter().filter(moves).copied().collect()
        };
        base.flat_map(kept)
    }

    /// Applies the mask to a pose of the result at a time, in seconds since its first frame. The base loops.
    pub(crate) fn apply(&mut self, plan: &Plan, seconds: f64, pose: &mut Pose) {
        let [now, next] = &mut self.now;
        match &self.base {
            Some(base) => at(base, seconds, now, next),
            None => {
                now.rotations.copy_from_slice(&self.still.rotations);
                now.translations.copy_from_slice(&self.still.translations);
            }
        }
        for id in &self.kept {
            pose.rotations[id.index()] = now.rotations[id.index()];
            pose.translations[id.index()] = now.translations[id.index()];
        }
        plan.carry_helpers(pose, &mut self.world);
    }
}

/// Samples a looping clip at a time, in seconds.
fn at(clip: &Clip, seconds: f64, pose: &mut Pose, next: &mut Pose) {
    let last = clip.len() - 1;
    let place = if last == 0 { 0.0 } else { (seconds / clip.frame_time).rem_euclid(last as f64) };
    let first = (place.floor() as usize).min(last);
    let share = place - first as f64;
    clip.read(first, pose);
    if share < 1e-9 || first == last {
        return;
    }
    clip.read(first + 1, next);
    for (own, other) in pose.rotations.iter_mut().zip(&next.rotations) {
        *own = own.try_slerp(other, share, 1e-12).unwrap_or(*own);
    }
    let lerp = |(own, other): (&mut Vector3<f64>, &Vector3<f64>)| *own = own.lerp(other, share);
    pose.translations.iter_mut().zip(&next.translations).for_each(lerp);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;
    use crate::{ClipInput, align, retarget_clip};
    use rebone_body::body::Side;
    use rebone_body::{Hints, analyse};
    use rebone_skeleton::Motion;

    #[test]
    fn parts_move_over_the_rigs_own_animation() {
        let [walk, wave] = [rebone_samples::walk(), rebone_samples::wave()].map(|own| own.motion);
        let rig = rebone_samples::rigs().into_iter().find(|rig| rig.name == "ground-root");
        let rig = rig.unwrap().motion;
        let onto_rig = |motion: &Motion| {
            let [source, target] =
                [motion, &rig].map(|motion| analyse(motion, &Hints::default()).unwrap());
            let plan = align(&source, &target, &Options::default());
            let (clip, _) = retarget_clip(&plan, &ClipInput::new(&source, &motion.clip)).unwrap();
            (clip, plan)
        };
        let (base, _) = onto_rig(&walk);
        let (whole, plan) = onto_rig(&wave);
        let mut overlay = BodyMask::new(&plan, Some(Arc::new(base.clone())), &[BodyRegion::Arms]);
        let period = (base.len() - 1) as f64 * base.frame_time;
        for (frame, seconds) in [(0, 0.0), (40, 0.5), (80, period + 0.25)] {
            let mut pose = whole.pose(frame).unwrap();
            overlay.apply(&plan, seconds, &mut pose);
            // Both rates are whole: the base has a frame at each of these instants.
            let own = base.pose(((seconds % period) / base.frame_time).round() as usize).unwrap();
            for id in rig.skeleton.ids() {
                let role = rig.skeleton.path_to_root(id).find_map(|id| plan.target.roles.of(id));
                let is_arm = role.is_some_and(|role| BodyRegion::Arms.holds(role));
                assert_eq!(overlay.follows(id), is_arm);
                let wanted = if is_arm { whole.pose(frame).unwrap() } else { own.clone() };
                let off = pose.rotations[id.index()].angle_to(&wanted.rotations[id.index()]);
                assert!(off < 1e-6, "frame {frame}, joint {id:?}: {off}");
                let off = pose.translations[id.index()] - wanted.translations[id.index()];
                assert!(off.norm() < 1e-6, "frame {frame}, joint {id:?}: {off}");
            }
        }
        // Between two frames of the base, and of a base of one frame.
        let mut pose = whole.pose(0).unwrap();
        overlay.apply(&plan, 1.5 * base.frame_time, &mut pose);
        let head = plan.target.roles.joint(Role::Head).unwrap().index();
        let [a, b] = [1, 2].map(|frame| base.pose(frame).unwrap().rotations[head]);
        assert!(pose.rotations[head].angle_to(&a.slerp(&b, 0.5)) < 1e-9);
        let mut one = base.clone();
        one.keep(7..8).unwrap();
        let mut held = BodyMask::new(&plan, Some(Arc::new(one)), &[BodyRegion::Arms]);
        held.apply(&plan, 123.4, &mut pose);
        assert_eq!(pose.rotations[head], base.pose(7).unwrap().rotations[head]);
        let mut still = BodyMask::new(&plan, None, &[BodyRegion::Upper]);
        let mut pose: Pose = whole.pose(50).unwrap();
        still.apply(&plan, 1.0, &mut pose);
        let leg = plan.target.roles.joint(Role::UpperLeg(Side::Left)).unwrap().index();
        assert_eq!(pose.rotations[leg], plan.target.calibration_rotations[leg]);
    }
}
