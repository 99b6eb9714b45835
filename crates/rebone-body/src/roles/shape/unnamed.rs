//! Fingers and toes by shape, where names say nothing.

use crate::body::{Finger, Role, Side};
use crate::roles::assignment::RoleAssignment;
use crate::roles::shape::tree;
use nalgebra::Vector3;
use rebone_skeleton::JointId;

/// Confidence of roles that follow from shape alone.
const SHAPE_CONFIDENCE: f64 = 0.65;

/// Confidence of the last of three fingers and of a chain for all: which fingers are missing is unknown.
const LAST_FINGER_CONFIDENCE: f64 = 0.5;

/// Reach of a line of joints over those of the named fingers beside it, so that it is a finger: the shortest and the longest.
const FINGER_REACHES: [f64; 2] = [0.5, 1.5];

impl RoleAssignment<'_> {
    /// Three to five lines of joints on a hand are fingers: the one that stands most apart in direction is the thumb, the
    /// others follow across the hand. A name precedes that. Of two, the other is the chain for all fingers, as is a single
    /// one that is called a finger.
    pub(crate) fn unnamed_fingers(&mut self, side: Side) {
        let Some(hand) = self.limbs.arms[side.index()].end() else { return };
        let reach = self.skeleton.subtree_lengths();
        let mut lines = tree::hand_lines(self.skeleton, &reach, hand);
        // A helper may stand before the first joint of a finger.
        lines.retain(|line| line.iter().filter(|&&id| !self.is_aside(id)).count() >= 2);
        // Of one joint alone, a name says that it is a finger.
        let is_single = |id: &JointId| {
            matches!(self.roles.of(*id), Some(Role::Finger(..)))
                && !lines.iter().any(|line| self.skeleton.is_ancestor(*id, line[0]))
        };
        let single: Vec<_> =
            self.skeleton.children(hand).filter(is_single).map(|id| vec![id]).collect();
        lines.extend(single);
        self.drop_helpers(&mut lines, reach[hand.index()]);
        let mut named = self.named_lines(&lines);
        if named.iter().any(Option::is_some) {
            self.keep_like_fingers(hand, &mut lines);
            named = self.named_lines(&lines);
        }
        let order = match lines.len() {
            1 if self.is_called_finger(&lines[0]) => Some(vec![0]),
            2 if lines.iter().all(|line| self.is_long(line)) => {
                self.finger_order(hand, &lines, &named)
            }
            3..=5 => self.finger_order(hand, &lines, &named),
            _ => None,
        };
        let Some(order) = order else { return };
        let is_doubtful = |place: usize| match lines.len() {
            2 => place == 1 && named.iter().all(Option::is_none),
            count => count == 3 && place == 2,
        };
        for (place, finger) in fill(&order, &named) {
            let line = &lines[order[place]];
            let sure = if is_doubtful(place) { LAST_FINGER_CONFIDENCE } else { SHAPE_CONFIDENCE };
            for &joint in line {
                self.assign(
                    joint,
                    Role::Finger(side, finger),
                    sure,
                    "by its place in the hand".into(),
                );
            }
        }
    }

    /// The finger of each line that has one by name.
    fn named_lines(&self, lines: &[Vec<JointId>]) -> Vec<Option<Finger>> {
        let finger = |&id: &JointId| match self.roles.of(id) {
            Some(Role::Finger(_, finger)) => Some(finger),
            _ => None,
        };
        lines.iter().map(|line| line.iter().find_map(finger)).collect()
    }

    /// Takes away lines without a role that are far shorter or longer than the named fingers: props. The thumb does not say
    /// how long fingers are.
    fn keep_like_fingers(&self, hand: JointId, lines: &mut Vec<Vec<JointId>>) {
        let rest = self.skeleton.rest_world();
        let reach = |line: &Vec<JointId>| {
            let ends =
                line.iter().map(|id| rest.positions[id.index()] - rest.positions[hand.index()]);
            ends.map(|end| end.norm()).fold(0.0, f64::max)
        };
        let named = self.named_lines(lines);
        let is_long = |finger: &Option<Finger>| finger.is_some_and(|own| own != Finger::Thumb);
        let fingers = lines.iter().zip(&named).filter(|(_, finger)| is_long(finger));
        let reaches: Vec<f64> = fingers.map(|(line, _)| reach(line)).collect();
        if reaches.is_empty() {
            return;
        }
        let shortest = reaches.iter().copied().fold(f64::INFINITY, f64::min) * FINGER_REACHES[0];
        let longest = reaches.iter().copied().fold(0.0, f64::max) * FINGER_REACHES[1];
        let mut named = named.into_iter();
        lines.retain(|line| {
            named.next().flatten().is_some() || (shortest..=longest).contains(&reach(line))
        });
    }

    fn is_called_finger(&self, line: &[JointId]) -> bool {
        self.reading(line[0]).is_some_finger
    }

    /// Returns whether a line has two joints or more that do not only end it.
    fn is_long(&self, line: &[JointId]) -> bool {
        line.iter().filter(|&&id| !self.reading(id).end).count() >= 2
    }

    /// The lines in the order of fingers, thumb first, from where their bases are and which are named.
    fn finger_order(
        &self,
        hand: JointId,
        lines: &[Vec<JointId>],
        named: &[Option<Finger>],
    ) -> Option<Vec<usize>> {
        let bases: Vec<Vector3<f64>> = lines.iter().map(|line| self.base(hand, line)).collect();
        finger_order(&bases, named)
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

    /// The place of a finger's first two joints in the hand's frame, mean over the poses, or of the rest pose.
    fn base(&self, hand: JointId, line: &[JointId]) -> Vector3<f64> {
        let rest = self.poses.is_empty().then(|| self.skeleton.rest_world());
        let places = self.poses.iter().chain(&rest).flat_map(|pose| {
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

/// The lines in the order of fingers, thumb first, from where their bases are and which are named. `None` where names
/// contradict any such order.
fn finger_order(bases: &[Vector3<f64>], named: &[Option<Finger>]) -> Option<Vec<usize>> {
    let along = bases.iter().sum::<Vector3<f64>>().try_normalize(1e-9)?;
    let off = |at: usize| bases[at].dot(&along) / bases[at].norm().max(1e-12);
    let all = || 0..bases.len();
    let is_unnamed = |at: &usize| named[*at].is_none();
    let said = all().find(|&at| named[at] == Some(Finger::Thumb));
    let most_apart = || all().filter(is_unnamed).min_by(|&a, &b| off(a).total_cmp(&off(b)));
    let thumb = said.or_else(most_apart)?;
    let across = bases[thumb] - along * along.dot(&bases[thumb]);
    let mut order: Vec<usize> = all().filter(|&at| at != thumb).collect();
    order.sort_by(|&a, &b| bases[b].dot(&across).total_cmp(&bases[a].dot(&across)));
    order.insert(0, thumb);
    order.iter().filter_map(|&at| named[at]).is_sorted_by(|a, b| a < b).then_some(order)
}

/// The fingers of the unnamed lines of an order, by place in it: those that follow the one before, up to the next that is
/// named. Of two lines the second is the chain for all fingers, which is called as the middle one.
fn fill(order: &[usize], named: &[Option<Finger>]) -> Vec<(usize, Finger)> {
    let is_named = |finger: Finger| order.iter().any(|&at| named[at] == Some(finger));
    let mut found = Vec::new();
    let mut next = 0;
    for (place, &line) in order.iter().enumerate() {
        if let Some(finger) = named[line] {
            next = finger as usize + 1;
            continue;
        }
        let is_mitten = order.len() == 1 || order.len() == 2 && place == 1;
        let free = if is_mitten { Some(Finger::Middle) } else { Finger::ALL.get(next).copied() };
        let Some(finger) = free.filter(|&finger| !is_named(finger)) else { continue };
        next = finger as usize + 1;
        found.push((place, finger));
    }
    found
}
