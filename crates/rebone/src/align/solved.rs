//! Target joints whose rotations the stages solve.

use rebone_body::body::{Anatomy, Side};

/// Marks the target joints that a stage solves: trunk, hip bones, both bones of each limb, and hands with two or more
/// knuckles in common. Only the top of the trunk is solved without rotation channels.
pub(crate) fn solved(source: &Anatomy, target: &Anatomy) -> Vec<bool> {
    let body = &target.body;
    let legs = body
        .legs
        .iter()
        .flat_map(|leg| [leg.upper, leg.lower].into_iter().chain(leg.hip_bones.iter().copied()));
    let arms = body.arms.iter().flat_map(|arm| [arm.upper, arm.lower]);
    let has_palm = |side: &Side| !paired_knuckles(source, target, *side).is_empty();
    let palms = Side::BOTH.into_iter().filter(has_palm);
    let hands = palms.filter_map(|side| body.arms[side.index()].hand);
    let mut solved = vec![false; target.skeleton.len()];
    for joint in body.trunk.iter().copied().chain(legs).chain(arms).chain(hands) {
        solved[joint.index()] = !target.skeleton[joint].rotation_axes.is_empty();
    }
    solved[body.trunk[body.trunk_top()].index()] = true;
    solved
}

/// Lists the fingers, thumb excluded, whose knuckles both hands of a side have; none if they are fewer than two, which
/// do not determine the rotation of a palm, or if a person states the frame of one of the hands.
pub(crate) fn paired_knuckles(source: &Anatomy, target: &Anatomy, side: Side) -> Vec<usize> {
    let [from, to] = [source, target].map(|anatomy| &anatomy.body.arms[side.index()]);
    let is_stated = [source, target].iter().any(|anatomy| anatomy.stated_hands[side.index()]);
    if is_stated || from.hand.is_none() || to.hand.is_none() {
        return Vec::new();
    }
    let is_paired = |k: &usize| !from.fingers[*k].is_empty() && !to.fingers[*k].is_empty();
    let fingers: Vec<usize> = (1..5).filter(is_paired).collect();
    if fingers.len() < 2 { Vec::new() } else { fingers }
}
