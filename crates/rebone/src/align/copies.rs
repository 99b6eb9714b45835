//! Rotation copy, as other programs do it: each target joint turns as one source joint does.

use super::{ChainLink, Rule};
use crate::Transfer;
use crate::understand::{Anatomy, Side};
use nalgebra::UnitQuaternion;
use rebone_skeleton::{JointId, forward_kinematics};

/// World rotations of both skeletons in the poses that count as the same, in the inner world.
struct Poses {
    source: Vec<UnitQuaternion<f64>>,
    target: Vec<UnitQuaternion<f64>>,
}

impl Poses {
    /// The T poses, or the rest poses as the files have them.
    fn new(anatomies: [&Anatomy; 2], inner: [UnitQuaternion<f64>; 2], way: Transfer) -> Self {
        let rotations = |side: usize| match way {
            Transfer::Bind => {
                let skeleton = &anatomies[side].skeleton;
                let rest = forward_kinematics(skeleton, &skeleton.rest_pose()).rotations;
                rest.into_iter().map(|turn| inner[side] * turn).collect()
            }
            Transfer::Copy | Transfer::Ik => anatomies[side].t_pose.rotations.clone(),
        };
        Self { source: rotations(0), target: rotations(1) }
    }

    fn turn(&self, source: JointId, target: JointId) -> Rule {
        let post = self.source[source.index()].inverse() * self.target[target.index()];
        Rule::Turn { source, post }
    }
}

/// The rules of inverse kinematics as those of a copy: joints that would share the turns of others follow the
/// one that is nearest, or keep their rest.
pub(super) fn copies(
    [source, target]: [&Anatomy; 2],
    inner: [UnitQuaternion<f64>; 2],
    (rules, chains): (&[Rule], &[ChainLink]),
    way: Transfer,
) -> Vec<Rule> {
    let poses = Poses::new([source, target], inner, way);
    let of = |id: JointId| match rules[id.index()] {
        Rule::Copy(from) => Some(from),
        Rule::Chain(place) => paired(chains, place),
        Rule::Collar(side, from) => Some(from).filter(|_| has_collar(source, side)),
        Rule::Follow { source: [from, _], .. } => Some(from),
        Rule::Rest | Rule::Twist(_) | Rule::Above(_) | Rule::Turn { .. } => None,
    };
    let rule = |id: JointId| match (of(id), rules[id.index()]) {
        (Some(from), _) => poses.turn(from, id),
        (None, above @ Rule::Above(_)) => above,
        _ => Rule::Rest,
    };
    let mut copied: Vec<Rule> = target.skeleton.ids().map(rule).collect();
    // A bone with twist joints turns with the joint that moves it, not with its far end.
    for side in Side::BOTH {
        let limbs = |body: &crate::understand::Body| {
            let (arm, leg) = (&body.arms[side.index()], &body.legs[side.index()]);
            [arm.upper, arm.lower, leg.upper, leg.lower]
        };
        for (from, to) in limbs(&source.body).into_iter().zip(limbs(&target.body)) {
            copied[to.index()] = poses.turn(from, to);
        }
    }
    copied
}

/// The source joint that a place in the segments of all chains follows: of several the last.
fn paired(chains: &[ChainLink], place: usize) -> Option<JointId> {
    let chain = chains.iter().rfind(|chain| chain.first <= place)?;
    let segment = place - chain.first;
    if segment + 1 == chain.target.len() {
        return chain.source.last().copied();
    }
    if segment == 0 {
        return chain.source.first().copied();
    }
    let near = (1..chain.source.len()).rfind(|&pivot| chain.map.nearest(pivot) == Some(segment));
    near.map(|pivot| chain.source[pivot])
}

fn has_collar(anatomy: &Anatomy, side: Side) -> bool {
    anatomy.body.arms[side.index()].collar.is_some()
}
