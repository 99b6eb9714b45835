//! Fingers and toes by shape, where names say nothing.

use super::assignment::RoleAssignment;
use super::tree;
use crate::body::{Finger, Role, Side};
use nalgebra::Vector3;
use rebone_skeleton::JointId;

/// Confidence of roles that follow from shape alone.
const SHAPE_CONFIDENCE: f64 = 0.65;

/// Confidence of the last of three fingers: the missing ones are unknown.
const LAST_FINGER_CONFIDENCE: f64 = 0.5;

impl RoleAssignment<'_> {
    /// Three to five lines of joints on a hand are fingers: the one that stands most apart in
    /// direction is the thumb, the others follow across the hand.
    pub(crate) fn unnamed_fingers(&mut self, side: Side) {
        let Some(hand) = self.limbs.arms[side.index()].end() else { return };
        if Finger::ALL.iter().any(|&finger| self.roles.joint(Role::Finger(side, finger)).is_some())
        {
            return;
        }
        let reach = self.skeleton.subtree_lengths();
        let mut lines = tree::finger_chains(self.skeleton, &reach, hand);
        self.drop_helpers(&mut lines, reach[hand.index()]);
        if !(3..=5).contains(&lines.len()) {
            return;
        }
        let bases: Vec<Vector3<f64>> = lines.iter().map(|line| self.base(hand, line)).collect();
        let Some(order) = finger_order(&bases) else { return };
        for (place, line) in order.into_iter().enumerate() {
            let is_doubtful = lines.len() == 3 && place == 2;
            let sure = if is_doubtful { LAST_FINGER_CONFIDENCE } else { SHAPE_CONFIDENCE };
            for &joint in &lines[line] {
                let role = Role::Finger(side, Finger::ALL[place]);
                self.assign(joint, role, sure, "by its place in the hand".into());
            }
        }
    }

    /// Takes away first joints in the place where a shorter finger begins: they move nothing.
    fn drop_helpers(&self, lines: &mut [Vec<JointId>], hand: f64) {
        let start = |line: &Vec<JointId>| (line.len(), self.skeleton[line[0]].rest_translation);
        let starts: Vec<(usize, Vector3<f64>)> = lines.iter().map(start).collect();
        for (line, (joints, place)) in lines.iter_mut().zip(&starts) {
            let is_there = |(count, other): &(usize, Vector3<f64>)| {
                count < joints && (other - place).norm() < 1e-3 * hand
            };
            if starts.iter().any(is_there) {
                line.remove(0);
            }
        }
    }

    /// The place of a finger's first two joints in the hand's frame, mean over the poses.
    fn base(&self, hand: JointId, line: &[JointId]) -> Vector3<f64> {
        let places = self.poses.iter().flat_map(|pose| {
            let at = |id: JointId| pose.positions[id.index()] - pose.positions[hand.index()];
            let hand_from_world = pose.rotations[hand.index()].inverse();
            line.iter().take(2).map(move |&id| hand_from_world * at(id))
        });
        let (sum, count) = places.fold((Vector3::zeros(), 0.0), |(s, n), p| (s + p, n + 1.0));
        sum / f64::max(count, 1.0)
    }

    /// The joint below an ankle that toes are children of; not a helper in the place of an end.
    pub(crate) fn unnamed_toes(&mut self, side: Side) {
        let Some(foot) = self.limbs.legs[side.index()].end() else { return };
        let reach = self.skeleton.subtree_lengths();
        let short = 1e-3 * reach[foot.index()];
        let length = |id: JointId| self.skeleton[id].rest_translation.norm();
        let ends = self.skeleton.end_sites_of(foot).any(|site| site.offset.norm() > short);
        let long = |&id: &JointId| length(id) > short;
        let children: Vec<JointId> = self.skeleton.children(foot).filter(long).collect();
        let goes_on = |id: &JointId| reach[id.index()] > short;
        let carrying: Vec<JointId> = children.iter().copied().filter(goes_on).collect();
        let toes = match (&children[..], &carrying[..]) {
            (_, &[toes]) => toes,
            (&[toes], []) if !ends => toes,
            _ => return,
        };
        if self.is_heel(toes, &reach) {
            return;
        }
        self.assign(toes, Role::Toes(side), SHAPE_CONFIDENCE, "the joint below the foot".into());
    }

    /// Returns whether a joint below an ankle is a heel: the foot turns back ahead there, by more than the stub that some
    /// programs end toes with.
    fn is_heel(&self, joint: JointId, reach: &[f64]) -> bool {
        let below = &self.skeleton[joint];
        let child = self.skeleton.longest_child(reach, joint);
        let site = || self.skeleton.end_sites_of(joint).next().map(|site| site.offset);
        let end = child.map(|child| self.skeleton[child].rest_translation).or_else(site);
        let turns = |end: Vector3<f64>| {
            below.rest_translation.dot(&(below.rest_rotation * end)) < 0.0
                && end.norm() > below.rest_translation.norm() / 2.0
        };
        end.is_some_and(turns)
    }
}

/// The lines in the order of fingers, thumb first, from where their bases are.
fn finger_order(bases: &[Vector3<f64>]) -> Option<Vec<usize>> {
    let along = bases.iter().sum::<Vector3<f64>>().try_normalize(1e-9)?;
    let off = |at: usize| bases[at].dot(&along) / bases[at].norm().max(1e-12);
    let thumb = (0..bases.len()).min_by(|&a, &b| off(a).total_cmp(&off(b)))?;
    let across = bases[thumb] - along * along.dot(&bases[thumb]);
    let mut order: Vec<usize> = (0..bases.len()).filter(|&at| at != thumb).collect();
    order.sort_by(|&a, &b| bases[b].dot(&across).total_cmp(&bases[a].dot(&across)));
    order.insert(0, thumb);
    Some(order)
}
