//! Rotation copy: each target joint rotates as one source joint does.

use crate::align::chains::ChainLink;
use crate::align::rules::rule::Rule;
use crate::options::Method;
use nalgebra::UnitQuaternion;
use rebone_body::body::{Anatomy, Body, Role, Side};
use rebone_body::poses;
use rebone_skeleton::{JointId, Pose};

/// Largest difference of rotations since the T pose of joints in matching poses.
const MAX_DIFFERENCE_RADIANS: f64 = 0.15;

/// World rotations of both skeletons in matching poses, in the inner world.
struct Poses {
    source: Vec<UnitQuaternion<f64>>,
    target: Vec<UnitQuaternion<f64>>,
}

impl Poses {
    /// Chooses the matching poses: for copy the calibration poses if they match, else the T poses; for bind the rest
    /// poses of the files.
    fn new(anatomies: [&Anatomy; 2], inner: [UnitQuaternion<f64>; 2], method: Method) -> Self {
        let world_rotations = |side: usize, pose: &Pose| -> Vec<UnitQuaternion<f64>> {
            let world = poses::world_of(&anatomies[side].skeleton, pose);
            world.rotations.into_iter().map(|turn| inner[side] * turn).collect()
        };
        let is_bind =
            |anatomy: &Anatomy| method == Method::Bind && !anatomy.card_corrects_bind_pose;
        let counted = |side: usize| {
            let own = anatomies[side];
            let rotations =
                if is_bind(own) { &own.bind_rotations } else { &own.calibration_rotations };
            world_rotations(
                side,
                &Pose { rotations: rotations.clone(), ..own.skeleton.rest_pose() },
            )
        };
        let own = Self { source: counted(0), target: counted(1) };
        if method == Method::Bind || own.poses_match(anatomies) {
            return own;
        }
        let [source, target] = anatomies.map(|anatomy| anatomy.t_pose.rotations.clone());
        Self { source, target }
    }

    /// Returns whether trunk and limbs have equal rotations since the T pose on both.
    fn poses_match(&self, [source, target]: [&Anatomy; 2]) -> bool {
        let turn = |world_rotations: &[UnitQuaternion<f64>], anatomy: &Anatomy, joint: JointId| {
            world_rotations[joint.index()] * anatomy.t_pose.rotations[joint.index()].inverse()
        };
        let limb = |side: Side| {
            [Role::UpperArm(side), Role::LowerArm(side), Role::UpperLeg(side), Role::LowerLeg(side)]
        };
        let roles = Side::BOTH.into_iter().flat_map(limb).chain([Role::Head]);
        let roles = roles.filter_map(|role| source.roles.joint(role).zip(target.roles.joint(role)));
        let trunk = [
            (source.body.pelvis(), target.body.pelvis()),
            (source.body.chest(), target.body.chest()),
        ];
        roles.chain(trunk).all(|(from, to)| {
            let from = turn(&self.source, source, from);
            from.angle_to(&turn(&self.target, target, to)) < MAX_DIFFERENCE_RADIANS
        })
    }

    fn turn(&self, source: JointId, target: JointId) -> Rule {
        let post = self.source[source.index()].inverse() * self.target[target.index()];
        Rule::CopyRotation { source, post }
    }
}

/// Returns world rotations of source and target, in the inner world, in the matching poses of a method.
pub(crate) fn matching_poses(
    anatomies: [&Anatomy; 2],
    inner: [UnitQuaternion<f64>; 2],
    method: Method,
) -> [Vec<UnitQuaternion<f64>>; 2] {
    let Poses { source, target } = Poses::new(anatomies, inner, method);
    [source, target]
}

/// Converts rules of inverse kinematics to rotation copy: joints that would share rotations follow the nearest source
/// joint, or keep their rest pose.
pub(crate) fn rotation_copy_rules(
    [source, target]: [&Anatomy; 2],
    inner: [UnitQuaternion<f64>; 2],
    (rules, chains): (&[Rule], &[ChainLink]),
    method: Method,
) -> Vec<Rule> {
    let poses = Poses::new([source, target], inner, method);
    let of = |id: JointId| match rules[id.index()] {
        Rule::Copy(from) => Some(from),
        Rule::Chain(place) => paired(chains, place),
        Rule::Collar(side, from) => Some(from).filter(|_| has_collar(source, side)),
        Rule::RelativeToRole { source: [from, _], .. } => Some(from),
        Rule::KeepRest | Rule::Twist(_) | Rule::AncestorOfHips(_) | Rule::CopyRotation { .. } => {
            None
        }
    };
    let rule = |id: JointId| match (of(id), rules[id.index()]) {
        (Some(from), _) => poses.turn(from, id),
        (None, above @ Rule::AncestorOfHips(_)) => above,
        _ => Rule::KeepRest,
    };
    let mut copied: Vec<Rule> = target.skeleton.ids().map(rule).collect();
    // A bone with twist joints follows the joint at its begin, not at its far end.
    for side in Side::BOTH {
        let limbs = |body: &Body| {
            let (arm, leg) = (&body.arms[side.index()], &body.legs[side.index()]);
            [arm.upper, arm.lower, leg.upper, leg.lower]
        };
        for (from, to) in limbs(&source.body).into_iter().zip(limbs(&target.body)) {
            copied[to.index()] = poses.turn(from, to);
        }
    }
    copied
}

/// Returns the source joint of an index in the segments of all chains; of several the last.
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
