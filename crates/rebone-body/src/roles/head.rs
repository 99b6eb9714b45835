//! Head and neck.

use super::assignment::RoleAssignment;
use super::by_name::Part;
use super::shape::{branches, tree};
use crate::body::Role;
use rebone_skeleton::rotation::direction;
use rebone_skeleton::{JointId, WorldPose};

/// The ends of two branches that mirror each other are to the sides by at least this share of the branches' length, and their
/// sides differ by at most this share of their sum.
const MIN_ASIDE_SHARE: f64 = 0.1;
const MAX_MIRROR_DIFFERENCE: f64 = 0.3;

impl RoleAssignment<'_> {
    /// The head by name, else the end of the chain above the chest; the neck is what lies between.
    pub(super) fn head(&mut self, chest: JointId) {
        let Some((head, sure, reason)) = self.head_by_name().or_else(|| self.head_by_place(chest))
        else {
            return;
        };
        self.assign(head, Role::Head, sure, reason);
        for joint in self.skeleton.path_between(chest, head) {
            let named = self.reading(joint).strength(Part::Neck) > 0.0;
            let reason = "between chest and head".to_string();
            self.assign(joint, Role::Neck, if named { 0.97 } else { 0.85 }, reason);
        }
    }

    fn head_by_name(&self) -> Option<(JointId, f64, String)> {
        let mut best: Option<(JointId, f64)> = None;
        for joint in self.skeleton.ids().filter(|&id| self.is_free(id) && !self.is_in_limb(id)) {
            let strength = self.reading(joint).strength(Part::Head);
            if strength > best.map_or(0.0, |(_, known)| known) {
                best = Some((joint, strength));
            }
        }
        let (joint, strength) = best?;
        Some((joint, strength, format!("named {}", self.name(joint))))
    }

    /// True below an upper arm or thigh, and there.
    fn is_in_limb(&self, joint: JointId) -> bool {
        self.limb_tops().any(|top| self.skeleton.is_ancestor(top, joint))
    }

    /// Upper arms and thighs.
    fn limb_tops(&self) -> impl Iterator<Item = JointId> + '_ {
        self.limbs.arms.iter().chain(&self.limbs.legs).map(|limb| limb.joints[0])
    }

    /// The chest's longest chain of free joints that carries no arm, and its last joint. Branches that mirror each other are
    /// wings or eyes: no head, unless there is nothing else.
    fn head_by_place(&self, chest: JointId) -> Option<(JointId, f64, String)> {
        let mut barred: Vec<bool> = vec![false; self.skeleton.len()];
        self.limb_tops()
            .flat_map(|top| self.skeleton.path_to_root(top))
            .for_each(|id| barred[id.index()] = true);
        let is_sound = |id: JointId| {
            let reading = self.reading(id);
            let is_flesh = !reading.is_control && !reading.end && !reading.twist;
            is_flesh && self.is_free(id) && !barred[id.index()]
        };
        let reach = self.skeleton.subtree_lengths();
        let rest = self.poses.is_empty().then(|| self.skeleton.rest_world());
        let pose = self.poses.first().or(rest.as_ref())?;
        let is_single = |id: JointId| is_sound(id) && !self.is_mirrored(id, &reach, pose);
        let last =
            self.longest_from(chest, is_single).or_else(|| self.longest_from(chest, is_sound))?;
        let mut line = self.skeleton.strictly_between(chest, last);
        line.push(last);
        let head = self.head_in_line(&line)?;
        Some((head, 0.6, "end of the chain above the chest".into()))
    }

    /// The joint that is farthest from `top` along joints that all fulfil a condition.
    fn longest_from(&self, top: JointId, is_sound: impl Fn(JointId) -> bool) -> Option<JointId> {
        let mut lengths: Vec<Option<f64>> = vec![None; self.skeleton.len()];
        lengths[top.index()] = Some(0.0);
        let mut best: Option<(JointId, f64)> = None;
        for id in self.skeleton.ids() {
            let above = self.skeleton[id].parent.and_then(|parent| lengths[parent.index()]);
            let Some(above) = above.filter(|_| is_sound(id)) else { continue };
            let length = above + self.length(id);
            lengths[id.index()] = Some(length);
            if best.is_none_or(|(_, known)| length > known) {
                best = Some((id, length));
            }
        }
        best.map(|(id, _)| id)
    }

    /// Returns whether a branch beside this one is like it, on the other side of the body.
    fn is_mirrored(&self, branch: JointId, reach: &[f64], pose: &WorldPose) -> bool {
        let Some(parent) = self.skeleton[branch].parent else { return false };
        let at = |id: JointId| pose.positions[id.index()];
        let [left, right] = self.limbs.arms.each_ref().map(|arm| at(arm.joints[0]));
        let Some(across) = direction(&(left - right)) else { return false };
        let aside = |id: JointId| {
            let end = self.skeleton.longest_path(reach, id).last().map_or(at(id), |&end| at(end));
            (end - at(parent)).dot(&across)
        };
        let (own, length) = (aside(branch), self.length(branch) + reach[branch.index()]);
        let mirrors = |other: JointId| {
            let other = aside(other);
            own * other < 0.0 && (own + other).abs() < MAX_MIRROR_DIFFERENCE * (own - other).abs()
        };
        let mut beside = self.skeleton.children(parent).filter(|&id| id != branch);
        own.abs() > MIN_ASIDE_SHARE * length
            && beside.any(|other| {
                mirrors(other) && branches::are_like(self.skeleton, reach, branch, other)
            })
    }

    /// The head in a line of joints from the chest up: the first that carries several joints (eyes,
    /// jaw, hair), else the last; but not a crown, nor a joint in the place of the one before.
    fn head_in_line(&self, line: &[JointId]) -> Option<JointId> {
        let carries_face = |&&id: &&JointId| self.skeleton.children(id).count() > 1;
        let end = line.iter().position(|id| carries_face(&id)).map_or(line.len(), |at| at + 1);
        let mut line = &line[..end];
        let whole: f64 = line.iter().map(|&id| self.length(id)).sum();
        while let [.., neck, last] = *line {
            if self.length(last) > 1e-3 * whole && !self.is_crown(line, neck, last) {
                break;
            }
            line = &line[..line.len() - 1];
        }
        line.last().copied()
    }

    fn length(&self, id: JointId) -> f64 {
        self.skeleton[id].rest_translation.norm()
    }

    /// True for the skull's top: a skull is longer than a neck's joint, and shorter than the way from
    /// the chest to the head; it has nothing beyond, and never turns by itself.
    fn is_crown(&self, line: &[JointId], neck: JointId, last: JointId) -> bool {
        let long = line.len() > 2;
        let share = if long { 1.5 } else { 0.6 };
        let carries = self.skeleton.children(last).next().is_some();
        let ends = self.skeleton.end_sites_of(last).any(|site| site.offset.norm() > 0.0);
        let turns = tree::max_rotation(self.skeleton, self.poses, last) > 1e-6;
        let is_far = self.length(last) > share * self.length(neck);
        is_far && !turns && !carries && (long || !ends)
    }
}
