//! Choice of the rule of each target joint.

pub(crate) mod copies;
pub(crate) mod rule;
pub(crate) mod stretch;
pub(crate) mod twists;

use crate::align::chains::{ChainLink, distal};
use crate::align::rules::rule::Rule;
use crate::align::rules::twists::{TwistShare, twist_shares};
use crate::align::same_place::follow_same_places;
use rebone_body::body::{Anatomy, Arm, Body, Role, Side};
use rebone_skeleton::JointId;

/// Returns the rule of each target joint.
pub(crate) fn rules(source: &Anatomy, target: &Anatomy, chains: &[ChainLink]) -> Vec<Rule> {
    let mut rules = vec![Rule::KeepRest; target.skeleton.len()];
    for side in Side::BOTH {
        for (joint, rule) in limb_rules(&source.body, &target.body, side) {
            rules[joint.index()] = rule;
        }
    }
    let [in_line, beside] = twist_shares(source, target);
    in_line.into_iter().for_each(|(joint, share)| rules[joint.index()] = Rule::Twist(share));
    // Also bones whose twist joints are the same: there the chain has the last word.
    for chain in chains {
        let owned = chain.target.iter().enumerate().skip(usize::from(chain.is_attached));
        owned.for_each(|(k, &joint)| rules[joint.index()] = Rule::Chain(chain.first + k));
    }
    follow_on_head(source, target, &mut rules);
    follow_above(source, target, &mut rules);
    follow_same_places(source, target, &mut rules);
    let alone = |(joint, _): &(JointId, TwistShare)| rules[joint.index()] == Rule::KeepRest;
    let beside: Vec<_> = beside.into_iter().filter(alone).collect();
    beside.into_iter().for_each(|(joint, share)| rules[joint.index()] = Rule::Twist(share));
    rules
}

/// Returns rules of arm and leg joints of a side that have a counterpart on the source.
fn limb_rules(source: &Body, target: &Body, side: Side) -> Vec<(JointId, Rule)> {
    let (from, to) = (&source.arms[side.index()], &target.arms[side.index()]);
    let forearm = distal(from.lower, &from.lower_twist);
    let mut rules = vec![
        (to.upper, Rule::Copy(distal(from.upper, &from.upper_twist))),
        (to.lower, Rule::Copy(forearm)),
    ];
    // A body without collar bones holds its shoulders on the chest, as with bones that never move.
    let collar = from.collar.unwrap_or(source.chest());
    rules.extend(to.collar.map(|to| (to, Rule::Collar(side, collar))));
    rules.extend(to.hand.map(|to| (to, Rule::Copy(from.hand.unwrap_or(forearm)))));
    rules.extend(metacarpal_rules(from, to));
    let (from, to) = (&source.legs[side.index()], &target.legs[side.index()]);
    rules.extend([
        (to.upper, Rule::Copy(distal(from.upper, &from.upper_twist))),
        (to.lower, Rule::Copy(distal(from.lower, &from.lower_twist))),
        (to.foot, Rule::Copy(from.foot)),
    ]);
    rules.extend(from.toes.zip(to.toes).map(|(from, to)| (to, Rule::Copy(from))));
    if from.hip_bones.len() == to.hip_bones.len() {
        let pairs = from.hip_bones.iter().zip(&to.hip_bones);
        rules.extend(pairs.map(|(&from, &to)| (to, Rule::Copy(from))));
    }
    rules
}

/// Joints before a knuckle turn on the hand as the source's, where it has as many.
fn metacarpal_rules(from: &Arm, to: &Arm) -> Vec<(JointId, Rule)> {
    let Some((hand, above)) = from.hand.zip(to.hand) else { return Vec::new() };
    let same = from.metacarpals.iter().zip(&to.metacarpals).filter(|(a, b)| a.len() == b.len());
    let pairs = same.flat_map(|(from, to)| from.iter().zip(to));
    pairs.map(|(&from, &to)| (to, Rule::RelativeToRole { source: [from, hand], above })).collect()
}

/// Jaw and eyes rotate relative to the head as the source's.
fn follow_on_head(source: &Anatomy, target: &Anatomy, rules: &mut [Rule]) {
    let Some((from_head, above)) = source.body.head().zip(target.body.head()) else { return };
    for role in [Role::Jaw, Role::Eye(Side::Left), Role::Eye(Side::Right)] {
        if let Some((from, to)) = source.roles.joint(role).zip(target.roles.joint(role)) {
            rules[to.index()] = Rule::RelativeToRole { source: [from, from_head], above };
        }
    }
}

/// Joints above the body pair from the root down, where both skeletons have as many and they are as
/// far from the body, to a tenth.
fn follow_above(source: &Anatomy, target: &Anatomy, rules: &mut [Rule]) {
    let above = |anatomy: &Anatomy| -> Vec<(JointId, f64)> {
        let top = anatomy.body.trunk[anatomy.body.trunk_top()];
        let far = |id| (anatomy.place(id) - anatomy.place(top)).norm();
        anatomy.skeleton.path_to_root(top).skip(1).map(|id| (id, far(id))).collect()
    };
    let (from, to) = (above(source), above(target));
    let near = |(a, b): (f64, f64)| (a - b).abs() <= 0.1 * a.max(b) + 1e-4;
    if from.len() == to.len() && from.iter().zip(&to).all(|(a, b)| near((a.1, b.1))) {
        from.iter()
            .zip(&to)
            .for_each(|(from, to)| rules[to.0.index()] = Rule::AncestorOfHips(from.0));
    }
}
