//! Pairs of like branches of the tree: what can be arms or legs.

use rebone_skeleton::{JointId, Skeleton};

/// Branches of a pair may differ by this share in length.
const MAX_LENGTH_DIFFERENCE: f64 = 0.15;

/// A pair reaches at least this far, measured by the longest pair: fingers and faces do not.
const MIN_REACH_RATIO: f64 = 0.35;

/// A limb has at least as many joints in line.
const MIN_LIMB_JOINTS: usize = 2;

/// As many pairs are tried: it bounds the search.
const MAX_PAIRS: usize = 6;

/// Two like branches of one joint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BranchPair {
    /// Their parent.
    pub(crate) junction: JointId,
    pub(crate) branches: [JointId; 2],
    /// The mean length of both, along the joints.
    reach: f64,
}

/// The longest pairs of like branches.
pub(crate) fn longest(skeleton: &Skeleton, reach: &[f64]) -> Vec<BranchPair> {
    let mut pairs = Vec::new();
    for junction in skeleton.ids() {
        let branches = skeleton.children(junction).map(|id| Branch::new(skeleton, reach, id));
        let branches: Vec<Branch> =
            branches.filter(|branch| branch.joints >= MIN_LIMB_JOINTS).collect();
        for (at, a) in branches.iter().enumerate() {
            for b in branches[at + 1..].iter().filter(|b| a.is_like(b)) {
                let reach = (a.length + b.length) / 2.0;
                pairs.push(BranchPair { junction, branches: [a.top, b.top], reach });
            }
        }
    }
    pairs.sort_by(|a: &BranchPair, b| b.reach.total_cmp(&a.reach));
    let longest = pairs.first().map_or(0.0, |pair| pair.reach);
    pairs.retain(|pair| pair.reach > MIN_REACH_RATIO * longest);
    pairs.truncate(MAX_PAIRS);
    pairs
}

/// The one branch beside another that is like it; `None` where several are.
pub(crate) fn like(skeleton: &Skeleton, reach: &[f64], branch: JointId) -> Option<JointId> {
    let own = Branch::new(skeleton, reach, branch);
    let beside = skeleton.children(skeleton[branch].parent?).filter(|&id| id != branch);
    let mut all = beside.filter(|&id| Branch::new(skeleton, reach, id).is_like(&own));
    let first = all.next()?;
    all.next().is_none().then_some(first)
}

/// Returns whether two branches of one joint are like each other.
pub(crate) fn are_like(skeleton: &Skeleton, reach: &[f64], a: JointId, b: JointId) -> bool {
    Branch::new(skeleton, reach, a).is_like(&Branch::new(skeleton, reach, b))
}

/// Features of a branch that are compared.
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
        let line = skeleton.longest_path(reach, top);
        let own = line.iter().map(|&id| skeleton[id].rest_translation.norm());
        let end = line.last().map(|last| reach[last.index()]);
        let mut segments: Vec<f64> = own.chain(end).collect();
        segments.sort_by(|a, b| b.total_cmp(a));
        let length = skeleton[top].rest_translation.norm() + reach[top.index()];
        Self { top, joints: line.len(), length, segments }
    }

    /// Both have about as many joints in line, are about as long, and so are their segments.
    fn is_like(&self, other: &Self) -> bool {
        let long = self.length.max(other.length);
        let segment = |of: &Self, k: usize| of.segments.get(k).copied().unwrap_or(0.0);
        let count = self.segments.len().max(other.segments.len());
        let differ: f64 = (0..count).map(|k| (segment(self, k) - segment(other, k)).abs()).sum();
        self.joints.abs_diff(other.joints) <= 1
            && (self.length - other.length).abs() <= MAX_LENGTH_DIFFERENCE * long
            && differ <= 2.0 * MAX_LENGTH_DIFFERENCE * long
    }
}

/// True where two pairs share a branch or one is within the other's.
pub(crate) fn overlap(skeleton: &Skeleton, a: &BranchPair, b: &BranchPair) -> bool {
    let within = |inner: &BranchPair, outer: &BranchPair| {
        outer.branches.iter().any(|&branch| skeleton.is_ancestor(branch, inner.junction))
    };
    a.branches.iter().any(|branch| b.branches.contains(branch)) || within(a, b) || within(b, a)
}

/// Counts branches of the pair's junction that carry neither this pair nor the other.
pub(crate) fn other_branches(skeleton: &Skeleton, pair: &BranchPair, other: &BranchPair) -> usize {
    let branches = skeleton.children(pair.junction);
    let is_loose = |id: &JointId| {
        !pair.branches.contains(id)
            && !other.branches.iter().any(|&branch| skeleton.is_ancestor(*id, branch))
    };
    branches.filter(is_loose).count()
}
