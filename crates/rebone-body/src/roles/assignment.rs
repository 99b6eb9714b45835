//! Everything between and beyond the limbs: trunk, neck, head, collars, hip bones, twist bones.

use super::by_name::{NameMeaning, Part};
use super::limbs;
use super::limbs::{Limb, Limbs};
use super::shape::tree;
use crate::body::{Assigned, Role, Roles, Side};
use rebone_skeleton::rotation::direction;
use rebone_skeleton::{JointId, Skeleton, WorldPose};

/// One skeleton while its roles are being given out.
pub(crate) struct RoleAssignment<'a> {
    pub(crate) skeleton: &'a Skeleton,
    pub(crate) readings: &'a [NameMeaning],
    pub(crate) poses: &'a [WorldPose],
    pub(crate) limbs: &'a Limbs,
    pub(crate) roles: Roles,
}

impl<'a> RoleAssignment<'a> {
    pub(crate) fn new(
        skeleton: &'a Skeleton,
        readings: &'a [NameMeaning],
        poses: &'a [WorldPose],
        limbs: &'a Limbs,
    ) -> Self {
        let roles = Roles { by_joint: vec![None; skeleton.len()] };
        Self { skeleton, readings, poses, limbs, roles }
    }

    /// Gives a role to a joint that has none yet.
    pub(crate) fn assign(&mut self, joint: JointId, role: Role, confidence: f64, reason: String) {
        let assigned = Assigned { role, confidence, reason, runner_up: None };
        self.roles.by_joint[joint.index()].get_or_insert(assigned);
    }

    pub(crate) fn is_free(&self, joint: JointId) -> bool {
        self.roles.by_joint[joint.index()].is_none()
    }

    pub(crate) fn reading(&self, joint: JointId) -> &'a NameMeaning {
        &self.readings[joint.index()]
    }

    pub(crate) fn name(&self, joint: JointId) -> String {
        self.skeleton[joint].name.to_string()
    }

    /// Gives all roles; `named`: whether the limbs were found by names.
    pub(crate) fn finish(mut self, named: bool) -> Roles {
        self.limbs();
        self.trunk();
        self.twists();
        for side in Side::BOTH {
            if self.fingers(side) {
                self.unnamed_fingers(side);
            }
            self.toes(side);
            if !named {
                self.unnamed_toes(side);
            }
        }
        self.face();
        self.roles
    }

    /// Arms and legs themselves.
    fn limbs(&mut self) {
        for side in Side::BOTH {
            let arm = [Role::UpperArm(side), Role::LowerArm(side), Role::Hand(side)];
            let leg = [Role::UpperLeg(side), Role::LowerLeg(side), Role::Foot(side)];
            self.limb(&self.limbs.arms[side.index()], arm);
            self.limb(&self.limbs.legs[side.index()], leg);
        }
    }

    fn limb(&mut self, limb: &Limb, roles: [Role; 3]) {
        for (at, (joint, role)) in limb.joints.iter().zip(roles).enumerate() {
            self.roles.by_joint[joint.index()] = Some(Assigned {
                role,
                confidence: limb.confidence[at],
                reason: limb.reasons[at].clone(),
                runner_up: limb.runners_up[at],
            });
        }
    }

    /// The lowest joint above both arms, and that above both legs.
    fn anchors(&self) -> (JointId, JointId) {
        let apex = |limbs: &[Limb; 2]| {
            self.skeleton.lowest_common_ancestor(limbs[0].joints[0], limbs[1].joints[0])
        };
        (apex(&self.limbs.arms), apex(&self.limbs.legs))
    }

    /// Hips, spine, collars, hip bones, head and neck.
    fn trunk(&mut self) {
        let (chest, hips) = self.anchors();
        let named = self.reading(hips).strength(Part::Hips) > 0.0;
        let sure = if named { 0.98 } else { 0.9 };
        self.assign(hips, Role::Hips, sure, "both thighs hang on it".into());
        let way = self.skeleton.path_between(hips, chest);
        let inner = way.into_iter().filter(|&id| id != hips);
        for joint in inner.collect::<Vec<_>>() {
            let named = self.reading(joint).strength(Part::Spine) > 0.0;
            let reason =
                if joint == chest { "both arms hang on it" } else { "between hips and arms" };
            self.assign(joint, Role::Spine, if named { 0.98 } else { 0.9 }, reason.into());
        }
        for side in Side::BOTH {
            self.collar(chest, side);
            self.hip_bones(hips, side);
        }
        self.head(chest);
    }

    /// One collar bone between chest and upper arm: the one called so, else the one that moves
    /// most, else the first that goes at least half as far outwards as any.
    fn collar(&mut self, chest: JointId, side: Side) {
        let upper = self.limbs.arms[side.index()].joints[0];
        let other = self.limbs.arms[1 - side.index()].joints[0];
        let inner = self.skeleton.strictly_between(chest, upper);
        let length = |id: JointId| {
            let next = inner.iter().skip_while(|&&other| other != id).nth(1).copied();
            let outwards = |pose: &WorldPose| {
                let at = |id: JointId| pose.positions[id.index()];
                let across = direction(&(at(upper) - at(other)))?;
                Some((at(next.unwrap_or(upper)) - at(id)).dot(&across))
            };
            self.poses.iter().filter_map(outwards).sum::<f64>()
        };
        let longest = inner.iter().map(|&id| length(id)).fold(0.0, f64::max);
        let rank = |id: JointId| {
            let reading = self.reading(id);
            let helper = reading.is_control || reading.end || reading.twist;
            let travel = tree::max_rotation(self.skeleton, self.poses, id);
            // A turn below a degree is noise of the capture.
            let travel = if travel > 0.02 { travel } else { 0.0 };
            (!helper, reading.strength(Part::Shoulder), travel, 2.0 * length(id) >= longest)
        };
        let mut best: Option<JointId> = None;
        for &id in &inner {
            if best
                .is_none_or(|known| rank(id).partial_cmp(&rank(known)).is_some_and(|o| o.is_gt()))
            {
                best = Some(id);
            }
        }
        let Some(best) = best else { return };
        let named = self.reading(best).strength(Part::Shoulder) > 0.0;
        let reason = format!("between the trunk and {}", self.name(upper));
        self.assign(best, Role::Shoulder(side), if named { 0.97 } else { 0.8 }, reason);
    }

    fn hip_bones(&mut self, hips: JointId, side: Side) {
        let upper = self.limbs.legs[side.index()].joints[0];
        for joint in self.skeleton.strictly_between(hips, upper) {
            let reason = format!("between the pelvis and {}", self.name(upper));
            self.assign(joint, Role::HipBone(side), 0.9, reason);
        }
    }

    /// Joints in line within a limb's bone, and leaves beside it that are called so.
    fn twists(&mut self) {
        for side in Side::BOTH {
            let arm = [Role::UpperArmTwist(side), Role::LowerArmTwist(side)];
            let leg = [Role::UpperLegTwist(side), Role::LowerLegTwist(side)];
            self.limb_twists(&self.limbs.arms[side.index()], arm);
            self.limb_twists(&self.limbs.legs[side.index()], leg);
        }
    }

    /// The joints between a limb's joint and the next, or to the end of a forearm without a hand.
    fn in_line(&self, from: JointId, to: Option<JointId>) -> Vec<JointId> {
        let end = || limbs::forearm_end(self.skeleton, self.readings, from);
        match to {
            Some(to) => self.skeleton.strictly_between(from, to),
            None => end().map_or(Vec::new(), |end| self.skeleton.path_between(from, end.joint)),
        }
    }

    fn limb_twists(&mut self, limb: &Limb, roles: [Role; 2]) {
        let (upper, lower) = (limb.joints[0], limb.joints[1]);
        for (from, to, role) in [(upper, Some(lower), roles[0]), (lower, limb.end(), roles[1])] {
            for joint in self.in_line(from, to) {
                let to = to.map_or("its end".into(), |to| self.name(to));
                let reason = format!("in line between {} and {to}", self.name(from));
                self.assign(joint, role, 0.9, reason);
            }
            let is_beyond = |joint| to.is_some_and(|to| self.skeleton.is_ancestor(to, joint));
            for joint in self.skeleton.descendants(from) {
                if self.reading(joint).twist && !is_beyond(joint) {
                    let reason = format!("named {}, beside {}", self.name(joint), self.name(from));
                    self.assign(joint, role, 0.9, reason);
                }
            }
        }
    }
}
