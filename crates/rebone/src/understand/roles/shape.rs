//! Finds the limbs by shape where names say nothing.
//!
//! A body is a tree with two pairs of long branches that mirror each other. The pair that hangs
//! where another, single branch goes on (neck and head) or that ends in fingers are the arms. Within
//! a branch the two longest neighbouring segments are upper and lower limb, the joint between them
//! the one that bends most. Left and right follow from the trunk's direction and from where feet
//! and knees point.

use super::chain::{self, Chain};
use super::limbs::{Limb, Limbs};
use nalgebra::{Unit, Vector3};
use rebone_skeleton::{JointId, Skeleton, WorldPose, rotation::direction};

/// Branches of a pair may differ by this share in length.
const LIKENESS: f64 = 0.15;

/// A pair reaches at least this far, measured by the longest pair: fingers and faces do not.
const SHORTEST: f64 = 0.35;

/// A limb has at least as many joints in line.
const LEAST_JOINTS: usize = 3;

/// Two like branches of one joint.
#[derive(Clone, Copy, Debug)]
struct Pair {
    /// The joint they hang on.
    junction: JointId,
    branches: [JointId; 2],
    /// The mean length of both, along the joints.
    reach: f64,
}

/// The limbs that the shape tells, if there are two pairs.
pub(super) fn by_shape(skeleton: &Skeleton, poses: &[WorldPose]) -> Option<Limbs> {
    let reach = reaches(skeleton);
    let pairs = pairs(skeleton, &reach);
    let (arms, legs) = arms_and_legs(skeleton, &reach, &pairs)?;
    let chains = |pair: &Pair| pair.branches.map(|id| Chain::new(skeleton, poses, &reach, id));
    let arms = chain::limbs(poses, &chains(&arms), true)?;
    let legs = chain::limbs(poses, &chains(&legs), false)?;
    let (arms_sign, legs_sign, sure) = sides(skeleton, poses, &reach, &arms, &legs);
    let name = |pair: [[JointId; 3]; 2], sign: f64, what: &str| {
        let [a, b] = pair.map(|joints| limb(joints, sure, what));
        if sign < 0.0 { [b, a] } else { [a, b] }
    };
    Some(Limbs { arms: name(arms, arms_sign, "arms"), legs: name(legs, legs_sign, "legs") })
}

fn limb(joints: [JointId; 3], sure: f64, what: &str) -> Limb {
    let reason = |place: &str| format!("{place} of the pair of branches shaped like {what}");
    Limb {
        joints: joints.to_vec(),
        confidence: vec![sure; 3],
        reasons: ["base", "middle", "end"].map(reason).to_vec(),
        runners_up: vec![None; 3],
    }
}

/// How far the longest way down from each joint is, end sites included.
pub(super) fn reaches(skeleton: &Skeleton) -> Vec<f64> {
    let mut reach = vec![0.0_f64; skeleton.len()];
    for site in skeleton.end_sites() {
        let known = &mut reach[site.parent.index()];
        *known = known.max(site.offset.norm());
    }
    for id in skeleton.ids().rev() {
        let joint = skeleton.joint(id);
        if let Some(parent) = joint.parent {
            let through = joint.rest_translation.norm() + reach[id.index()];
            reach[parent.index()] = reach[parent.index()].max(through);
        }
    }
    reach
}

/// The two longest pairs of like branches of which none is within a branch of the other.
fn pairs(skeleton: &Skeleton, reach: &[f64]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for junction in skeleton.ids() {
        let branches = skeleton.children(junction).map(|id| Branch::new(skeleton, reach, id));
        let branches: Vec<Branch> =
            branches.filter(|branch| branch.joints >= LEAST_JOINTS).collect();
        for (at, a) in branches.iter().enumerate() {
            for b in branches[at + 1..].iter().filter(|b| a.is_like(b)) {
                let reach = (a.length + b.length) / 2.0;
                pairs.push(Pair { junction, branches: [a.top, b.top], reach });
            }
        }
    }
    pairs.sort_by(|a: &Pair, b| b.reach.total_cmp(&a.reach));
    let longest = pairs.first().map_or(0.0, |pair| pair.reach);
    let mut kept: Vec<Pair> = Vec::new();
    for pair in pairs {
        let clashes = |known: &Pair| {
            let above = |&branch: &JointId| skeleton.is_ancestor(branch, pair.junction);
            known.branches.iter().any(|branch| pair.branches.contains(branch) || above(branch))
        };
        if kept.len() < 2 && pair.reach > SHORTEST * longest && !kept.iter().any(clashes) {
            kept.push(pair);
        }
    }
    kept
}

/// What is compared of a branch.
struct Branch {
    top: JointId,
    /// Joints in line.
    joints: usize,
    /// From the joint above to the farthest end.
    length: f64,
    /// Of its segments, longest first: a trunk with an arm may be as long as a leg.
    segments: Vec<f64>,
}

impl Branch {
    fn new(skeleton: &Skeleton, reach: &[f64], top: JointId) -> Self {
        let line = chain::spine(skeleton, reach, top);
        let own = line.iter().map(|&id| skeleton.joint(id).rest_translation.norm());
        let end = line.last().map(|last| reach[last.index()]);
        let mut segments: Vec<f64> = own.chain(end).collect();
        segments.sort_by(|a, b| b.total_cmp(a));
        let length = skeleton.joint(top).rest_translation.norm() + reach[top.index()];
        Self { top, joints: line.len(), length, segments }
    }

    /// Both have about as many joints in line, are about as long, and so are their segments.
    fn is_like(&self, other: &Self) -> bool {
        let long = self.length.max(other.length);
        let segment = |of: &Self, k: usize| of.segments.get(k).copied().unwrap_or(0.0);
        let count = self.segments.len().max(other.segments.len());
        let differ: f64 = (0..count).map(|k| (segment(self, k) - segment(other, k)).abs()).sum();
        self.joints.abs_diff(other.joints) <= 1
            && (self.length - other.length).abs() <= LIKENESS * long
            && differ <= 2.0 * LIKENESS * long
    }
}

/// The two pairs that are most likely arms and legs.
fn arms_and_legs(skeleton: &Skeleton, reach: &[f64], pairs: &[Pair]) -> Option<(Pair, Pair)> {
    let [first, second, ..] = pairs else { return None };
    let votes = |pair: &Pair, other: &Pair| {
        let head = loose_branches(skeleton, pair, other);
        let fingers = pair.branches.iter().all(|&id| chain::has_fingers(skeleton, reach, id));
        3.0 * f64::from(head > 0) + 2.0 * f64::from(fingers) - pair.reach / first.reach
    };
    if votes(first, second) > votes(second, first) {
        return Some((*first, *second));
    }
    Some((*second, *first))
}

/// How many branches of the pair's junction carry neither this pair nor the other.
fn loose_branches(skeleton: &Skeleton, pair: &Pair, other: &Pair) -> usize {
    let branches = skeleton.children(pair.junction);
    let is_loose = |id: &JointId| {
        !pair.branches.contains(id)
            && !other.branches.iter().any(|&branch| skeleton.is_ancestor(*id, branch))
    };
    branches.filter(is_loose).count()
}

/// Which of each pair is left: +1 for the first, −1 for the second, and how sure we are.
///
/// Left is up (along the trunk) times forward (where feet and knees point).
fn sides(
    skeleton: &Skeleton,
    poses: &[WorldPose],
    reach: &[f64],
    arms: &[[JointId; 3]; 2],
    legs: &[[JointId; 3]; 2],
) -> (f64, f64, f64) {
    let mut sums = [0.0_f64; 2];
    let mut weights = [0.0_f64; 2];
    for pose in poses {
        let at = |id: JointId| pose.positions[id.index()];
        let middle = |pair: &[[JointId; 3]; 2]| (at(pair[0][0]) + at(pair[1][0])) / 2.0;
        let Some(up) = direction(&(middle(arms) - middle(legs))) else { continue };
        let points = |leg: &[JointId; 3]| {
            let tip = chain::tip(skeleton, pose, reach, leg[2]) - at(leg[2]);
            knee_bend(leg.map(at)) + direction(&tip).map_or(Vector3::zeros(), Unit::into_inner)
        };
        let left = up.cross(&(points(&legs[0]) + points(&legs[1])));
        for (place, pair) in [arms, legs].into_iter().enumerate() {
            let across = (at(pair[0][0]) - at(pair[1][0])).dot(&left);
            sums[place] += across;
            weights[place] += across.abs();
        }
    }
    if weights.contains(&0.0) {
        return (1.0, 1.0, 0.45);
    }
    let agreement = f64::min(sums[0].abs() / weights[0], sums[1].abs() / weights[1]);
    (sums[0], sums[1], 0.5 + 0.35 * agreement)
}

/// Where the knee points, longer the more it is bent: 0 for a straight leg, up to about 1.
fn knee_bend([hip, knee, ankle]: [Vector3<f64>; 3]) -> Vector3<f64> {
    let Some(along) = direction(&(ankle - hip)) else { return Vector3::zeros() };
    let (thigh, shin) = (knee - hip, ankle - knee);
    (thigh - *along * along.dot(&thigh)) * 2.0 / (thigh.norm() + shin.norm())
}
