//! Where the orientation of each target joint comes from before anything is solved.

use super::Plan;
use super::chains::ChainLink;
use super::chains::bones;
use super::twists::{TwistShare, twist_shares};
use crate::body::{Anatomy, Arm, Body, Pair, Role, Side};
use nalgebra::UnitQuaternion;
use rebone_skeleton::selector::select;
use rebone_skeleton::{JointId, Skeleton};

/// How the closed-form start turns one target joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// As in the calibration pose, against its parent.
    Rest,
    /// The anatomical frame of this source joint, in the world.
    Copy(JointId),
    /// This place in the segments of all chains: see [`ChainLink`](super::chains::ChainLink).
    Chain(usize),
    /// The frame of this source collar, or chest, then aimed at the shoulder's place.
    Collar(Side, JointId),
    /// The turn of a source joint against the role above it.
    Follow {
        /// The source joint, and the joint of the role above it.
        source: [JointId; 2],
        /// The joint of the same role on the target.
        above: JointId,
    },
    /// The frame of a source bone with a share of its axial turn.
    Twist(TwistShare),
    /// The world rotation of a source joint, and behind it what differs between the two joints in poses that
    /// count as the same: rotation copy.
    Turn {
        /// The source joint.
        source: JointId,
        /// `source⁻¹ target`, in those poses.
        post: UnitQuaternion<f64>,
    },
    /// The turn since calibration of this source joint above the body, and its path, scaled.
    Above(JointId),
}

/// One rule a target joint.
pub(crate) fn rules(source: &Anatomy, target: &Anatomy, chains: &[ChainLink]) -> Vec<Rule> {
    let mut rules = vec![Rule::Rest; target.skeleton.len()];
    for side in Side::BOTH {
        for (joint, rule) in limb_rules(&source.body, &target.body, side) {
            rules[joint.index()] = rule;
        }
    }
    let [in_line, beside] = twist_shares(source, target);
    in_line.into_iter().for_each(|(joint, share)| rules[joint.index()] = Rule::Twist(share));
    // Also bones whose twist joints are the same: there the chain has the last word.
    for chain in chains {
        let owned = chain.target.iter().enumerate().skip(usize::from(chain.hangs));
        owned.for_each(|(k, &joint)| rules[joint.index()] = Rule::Chain(chain.first + k));
    }
    follow_on_head(source, target, &mut rules);
    follow_above(source, target, &mut rules);
    follow_same_places(source, target, &mut rules);
    let alone = |(joint, _): &(JointId, TwistShare)| rules[joint.index()] == Rule::Rest;
    let beside: Vec<_> = beside.into_iter().filter(alone).collect();
    beside.into_iter().for_each(|(joint, share)| rules[joint.index()] = Rule::Twist(share));
    rules
}

/// Joints of the arm and the leg of a side that have one of their own on the source.
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
    pairs.map(|(&from, &to)| (to, Rule::Follow { source: [from, hand], above })).collect()
}

/// Jaw and eyes turn on the head as the source's.
fn follow_on_head(source: &Anatomy, target: &Anatomy, rules: &mut [Rule]) {
    let Some((from_head, above)) = source.body.head().zip(target.body.head()) else { return };
    for role in [Role::Jaw, Role::Eye(Side::Left), Role::Eye(Side::Right)] {
        if let Some((from, to)) = source.roles.joint(role).zip(target.roles.joint(role)) {
            rules[to.index()] = Rule::Follow { source: [from, from_head], above };
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
        from.iter().zip(&to).for_each(|(from, to)| rules[to.0.index()] = Rule::Above(from.0));
    }
}

/// The joint that carries a bone's far end: the last twist joint in line, else the joint itself.
pub(crate) fn distal(joint: JointId, twists: &[JointId]) -> JointId {
    twists.last().copied().unwrap_or(joint)
}

/// Joints without a rule that both skeletons have in the same place turn alike.
fn follow_same_places(source: &Anatomy, target: &Anatomy, rules: &mut [Rule]) {
    let [of_source, of_target] = [source, target].map(|anatomy| descendants(&anatomy.skeleton));
    let place = |id: JointId| Place::of(source, id, of_source[id.index()]);
    let free_source: Vec<_> = source.skeleton.ids().filter_map(place).collect();
    let mut taken = vec![false; free_source.len()];
    for id in target.skeleton.ids() {
        if rules[id.index()] != Rule::Rest {
            continue;
        }
        let Some(place) = Place::of(target, id, of_target[id.index()]) else { continue };
        let same = |k: &usize| !taken[*k] && free_source[*k].matches(&place);
        let name = &target.skeleton.joint(id).name;
        // Of several in one place: the one of that name, else the one that carries as many joints.
        let unlike = |k: &usize| {
            let other = &free_source[*k];
            (&source.skeleton.joint(other.joint).name != name, other.carries != place.carries)
        };
        if let Some(k) = (0..free_source.len()).filter(same).min_by_key(unlike) {
            taken[k] = true;
            let found = &free_source[k];
            rules[id.index()] =
                Rule::Follow { source: [found.joint, found.above], above: place.above };
        }
    }
}

impl Plan {
    /// Lets target joints without a role turn as the source joints that they are paired with. Gives a
    /// text for each pair that says nothing: where the joints do not hang on the same part of the body, or
    /// have another rule.
    pub fn follow(&mut self, pairs: &[Pair]) -> Vec<String> {
        let mut warnings = Vec::new();
        for &[from, to] in pairs {
            let known = self.rules[to.index()];
            let is_free = matches!(known, Rule::Rest | Rule::Follow { .. });
            let places = Place::of(&self.source, from, 0).zip(Place::of(&self.target, to, 0));
            match places.filter(|(a, b)| is_free && a.anchor == b.anchor) {
                Some((a, b)) => {
                    self.rules[to.index()] =
                        Rule::Follow { source: [from, a.above], above: b.above };
                }
                None if known == Rule::Above(from) => {}
                None => {
                    let from = select(&self.source.skeleton, from);
                    let to = select(&self.target.skeleton, to);
                    warnings.push(format!(
                        "the pair {from}, {to} says nothing: neither has a role, and they do not hang \
                         on the same part of the body"
                    ));
                }
            }
        }
        warnings
    }
}

/// How many joints are below each.
fn descendants(skeleton: &Skeleton) -> Vec<usize> {
    let mut below = vec![0; skeleton.len()];
    for (index, joint) in skeleton.joints().iter().enumerate().rev() {
        if let Some(parent) = joint.parent {
            below[parent.index()] += below[index] + 1;
        }
    }
    below
}

/// Where a joint that plays no part of its own sits: by the role above it.
struct Place {
    joint: JointId,
    above: JointId,
    anchor: Anchor,
    /// How many joints without a role are between.
    depth: usize,
    /// How many joints are below it.
    carries: usize,
    offset: nalgebra::Vector3<f64>,
}

/// A joint that both skeletons certainly have.
#[derive(Clone, Copy, PartialEq)]
enum Anchor {
    Pelvis,
    Chest,
    Role(Role),
}

impl Place {
    /// `None` for joints with a part of their own, and for those above the body.
    fn of(anatomy: &Anatomy, joint: JointId, carries: usize) -> Option<Self> {
        let is_finger = matches!(anatomy.roles.of(joint), Some(Role::Finger(..)));
        if anchor(anatomy, joint).is_some() || is_body(anatomy, joint) || is_finger {
            return None;
        }
        let path = || anatomy.skeleton.path_to_root(joint).skip(1);
        let (above, anchor) = path().find_map(|id| Some((id, anchor(anatomy, id)?)))?;
        let between = path().take_while(|&id| id != above);
        let depth = between.filter(|&id| anatomy.roles.of(id).is_none()).count();
        let offset = anatomy.place(joint) - anatomy.place(above);
        Some(Self { joint, above, anchor, depth, carries, offset })
    }

    /// Same role above, as many joints without a role between, and within a tenth of the distance (and of a
    /// millimetre) at the same place in the T pose.
    fn matches(&self, other: &Self) -> bool {
        let near = (self.offset - other.offset).norm()
            <= 0.1 * self.offset.norm().max(other.offset.norm()) + 1e-4;
        self.anchor == other.anchor && self.depth == other.depth && near
    }
}

/// Trunk, neck, and twist joints in line.
fn is_body(anatomy: &Anatomy, joint: JointId) -> bool {
    let body = &anatomy.body;
    let is_twist = bones(body).iter().any(|bone| bone.twists.contains(&joint));
    is_twist || body.trunk.contains(&joint) || body.neck.contains(&joint)
}

fn anchor(anatomy: &Anatomy, joint: JointId) -> Option<Anchor> {
    let body = &anatomy.body;
    if joint == body.pelvis() {
        return Some(Anchor::Pelvis);
    }
    if joint == body.chest() {
        return Some(Anchor::Chest);
    }
    match anatomy.roles.of(joint)? {
        Role::Spine | Role::Neck | Role::Hips => None,
        Role::UpperArmTwist(_)
        | Role::LowerArmTwist(_)
        | Role::UpperLegTwist(_)
        | Role::LowerLegTwist(_) => None,
        Role::Finger(..) => None,
        role => Some(Anchor::Role(role)),
    }
}
