//! Twist joints of the target: shares of a bone's axial rotation.

use crate::align::chains::{Bone, bones, distal};
use nalgebra::{Unit, UnitQuaternion, Vector3};
use rebone_body::body::{Anatomy, Role, Side};
use rebone_body::limits::thigh_mid_swing;
use rebone_skeleton::JointId;
use rebone_skeleton::rotation::swing_twist;

/// A share of a bone's axial rotation: the rotation of one twist joint.
///
/// The axial turn is the twist about the bone of the turn of a source segment against another, split
/// into swing and twist: since the T pose, as engines take it, but of a thigh with its swing from the
/// middle of where thighs point: kicks come near the half turn at which the twist jumps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TwistShare {
    /// The source joint whose segment is rotated.
    pub(crate) base: JointId,
    /// The source segments whose relative rotation is shared.
    pub(crate) between: [JointId; 2],
    /// `F_to⁻¹ F_from` where the swing is zero.
    to_zero: UnitQuaternion<f64>,
    /// The bone in the axes of the first of `between`.
    bone: Unit<Vector3<f64>>,
    /// Share of the axial rotation that is added to the base.
    pub(crate) share: f64,
}

impl TwistShare {
    /// Returns the anatomical rotation of the joint from those of the source's joints.
    pub(crate) fn frame(&self, frames: &[UnitQuaternion<f64>]) -> UnitQuaternion<f64> {
        let [from, to] = self.between.map(|joint| frames[joint.index()]);
        let turned = from.inverse() * to * self.to_zero;
        let angle = swing_twist(&turned, &self.bone).1.scaled_axis().dot(&self.bone);
        frames[self.base.index()]
            * UnitQuaternion::from_axis_angle(&Vector3::y_axis(), self.share * angle)
    }
}

/// One limb bone of both bodies.
///
/// An upper bone turns against the trunk: its joint carries none of the axial turn, the last twist
/// joint in line all of it. A lower bone's end turns against its joint, which carries none: the twist
/// joints carry the part that is their place along the bone, the end the rest.
struct LimbBone<'a> {
    source: &'a Anatomy,
    target: &'a Anatomy,
    base: JointId,
    between: [JointId; 2],
    bone: Bone<'a>,
    role: Role,
}

impl LimbBone<'_> {
    fn share(&self, share: f64) -> TwistShare {
        let t_pose = |joint: JointId| {
            self.source.anatomical(joint, &self.source.t_pose.rotations[joint.index()])
        };
        let [from, to] = self.between.map(t_pose);
        let to = match self.role {
            Role::UpperLegTwist(side) => thigh_mid_swing(side, to),
            _ => to,
        };
        let base = if is_upper(self.role) { to } else { from };
        TwistShare {
            base: self.base,
            between: self.between,
            to_zero: to.inverse() * from,
            bone: from.inverse() * base * Vector3::y_axis(),
            share: if is_upper(self.role) { share - 1.0 } else { share },
        }
    }

    fn place(&self, joint: JointId) -> f64 {
        self.bone.along(self.target, joint)
    }

    /// Returns the shares of the bone's joint and of the twist joints in line.
    fn in_line(&self) -> Vec<(JointId, TwistShare)> {
        let Some(&last) = self.bone.twists.last() else { return Vec::new() };
        let share = |id: JointId| match is_upper(self.role) {
            true if id == last => 1.0,
            true => self.place(id) / self.place(last).max(1e-9),
            false => self.place(id),
        };
        let twists = self.bone.twists.iter().map(|&id| (id, self.share(share(id))));
        [(self.bone.start, self.share(0.0))].into_iter().chain(twists).collect()
    }

    /// Returns the shares of joints next to the bone, by their position along it.
    fn beside(&self) -> Vec<(JointId, TwistShare)> {
        let leaves = self.target.roles.joints(self.role);
        let leaves = leaves.filter(|id| !self.bone.twists.contains(id));
        leaves.map(|id| (id, self.share(self.place(id)))).collect()
    }
}

/// Whether these are the twist joints of an upper arm or a thigh.
fn is_upper(role: Role) -> bool {
    matches!(role, Role::UpperArmTwist(_) | Role::UpperLegTwist(_))
}

/// The shares of the twist joints in line and of those beside a bone.
pub(crate) fn twist_shares(source: &Anatomy, target: &Anatomy) -> [Vec<(JointId, TwistShare)>; 2] {
    let mut shares = [Vec::new(), Vec::new()];
    let turns = turns(source);
    for ((from, to), turn) in bones(&source.body).iter().zip(bones(&target.body)).zip(turns) {
        let Some((role, between)) = turn else { continue };
        let base = if is_upper(role) { between[1] } else { from.start };
        let bone = LimbBone { source, target, base, between, bone: to, role };
        shares[0].extend(bone.in_line());
        shares[1].extend(bone.beside());
    }
    shares
}

/// The role of a bone's twist joints, and the source's segments between which it turns.
type Turn = (Role, [JointId; 2]);

/// In the order of [`bones`]; `None` for a forearm without a hand.
fn turns(source: &Anatomy) -> Vec<Option<Turn>> {
    let body = &source.body;
    let arms = Side::BOTH.into_iter().zip(&body.arms).flat_map(|(side, arm)| {
        let trunk = arm.collar.unwrap_or(body.chest());
        let upper = [trunk, distal(arm.upper, &arm.upper_twist)];
        [
            Some((Role::UpperArmTwist(side), upper)),
            arm.hand.map(|hand| (Role::LowerArmTwist(side), [arm.lower, hand])),
        ]
    });
    let legs = Side::BOTH.into_iter().zip(&body.legs).flat_map(|(side, leg)| {
        let upper = [body.pelvis(), distal(leg.upper, &leg.upper_twist)];
        [
            Some((Role::UpperLegTwist(side), upper)),
            Some((Role::LowerLegTwist(side), [leg.lower, leg.foot])),
        ]
    });
    arms.chain(legs).collect()
}
