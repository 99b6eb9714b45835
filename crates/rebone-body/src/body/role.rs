//! Anatomical roles of joints.

use rebone_skeleton::JointId;
use serde::Deserialize;
use std::fmt;

/// A side of the body, its own: the left hand is the hand that the person calls left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// The body's left, +X in the inner world.
    Left,
    /// The body's right.
    Right,
}

impl Side {
    /// Both sides, left first.
    pub const BOTH: [Side; 2] = [Side::Left, Side::Right];

    /// 0 for left, 1 for right.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The opposite side.
    #[doc(hidden)]
    pub fn other(self) -> Self {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }

    /// +1 for left, −1 for right: the sign of the body's X axis.
    pub fn sign(self) -> f64 {
        match self {
            Side::Left => 1.0,
            Side::Right => -1.0,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        to.write_str(match self {
            Side::Left => "left",
            Side::Right => "right",
        })
    }
}

/// A finger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Finger {
    Thumb,
    Index,
    Middle,
    Ring,
    Little,
}

impl Finger {
    /// All fingers, thumb first.
    pub const ALL: [Finger; 5] =
        [Finger::Thumb, Finger::Index, Finger::Middle, Finger::Ring, Finger::Little];
}

/// Anatomical role of a joint, after the VRM 1.0 humanoid bones.
///
/// Some roles are played by a list of joints of any length: `Spine`, `Neck`, the twist roles, the
/// fingers (all joints of the finger, metacarpal first).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// The joint whose segment is the pelvis: both thighs are its children, directly or by hip bones.
    Hips,
    /// The joints between pelvis and neck, the one that carries the arms included. A list.
    Spine,
    /// The joints between the trunk and the head. A list.
    Neck,
    /// The joint that turns the skull.
    Head,
    /// The lower jaw.
    Jaw,
    /// An eye.
    Eye(Side),
    /// The collar bone.
    Shoulder(Side),
    /// The joint that moves the upper arm.
    UpperArm(Side),
    /// Joints that share the upper arm's axial turn, in line or as leaves. A list.
    UpperArmTwist(Side),
    /// The elbow: moves the forearm.
    LowerArm(Side),
    /// Joints that share the forearm's axial turn, in line or as leaves. A list.
    LowerArmTwist(Side),
    /// The wrist: moves the hand.
    Hand(Side),
    /// All joints of a finger from the hand to the tip, metacarpal first. A list.
    Finger(Side, Finger),
    /// A joint between pelvis and thigh.
    HipBone(Side),
    /// The joint that moves the thigh.
    UpperLeg(Side),
    /// Joints that share the thigh's axial turn. A list.
    UpperLegTwist(Side),
    /// The knee: moves the shin.
    LowerLeg(Side),
    /// Joints that share the shin's axial turn. A list.
    LowerLegTwist(Side),
    /// The ankle: moves the foot.
    Foot(Side),
    /// The ball of the foot: moves the toes.
    Toes(Side),
}

/// A role and the joints that play it; none: no joint does.
pub(crate) type StatedRole = (Role, Vec<JointId>);

/// Whether a role follows from the tree between others, so that it cannot be stated.
pub(crate) fn follows(role: Role) -> bool {
    matches!(role, Role::Hips | Role::Spine | Role::Neck | Role::HipBone(_))
}

/// A role given to a joint, and how sure we are.
#[derive(Clone, Debug, PartialEq)]
pub struct Assigned {
    /// The role.
    pub role: Role,
    /// Probability that it is right, 0 to 1.
    pub confidence: f64,
    /// Why, in a few words for people.
    pub reason: String,
    /// The next best joint for that role, where there is one.
    pub runner_up: Option<JointId>,
}

/// The role of each joint of one skeleton.
#[derive(Clone, Debug, PartialEq)]
pub struct Roles {
    /// Indexed by joint; `None` for joints that play no part in the body.
    pub by_joint: Vec<Option<Assigned>>,
}

impl Roles {
    /// Says why the joints that were given these roles play them.
    pub(crate) fn state_reason(&mut self, given: &[StatedRole], reason: &str) {
        for joint in given.iter().flat_map(|(_, joints)| joints) {
            if let Some(own) = &mut self.by_joint[joint.index()] {
                own.reason = reason.to_owned();
            }
        }
    }

    /// The role of a joint; `None` where it has none, or is not there.
    pub fn of(&self, joint: JointId) -> Option<Role> {
        self.by_joint.get(joint.index())?.as_ref().map(|assigned| assigned.role)
    }

    /// The first joint with that role, parents first.
    pub fn joint(&self, role: Role) -> Option<JointId> {
        self.joints(role).next()
    }

    /// All joints with that role, parents first.
    pub fn joints(&self, role: Role) -> impl Iterator<Item = JointId> + '_ {
        let ids = (0..self.by_joint.len()).map(JointId);
        ids.filter(move |&id| self.of(id) == Some(role))
    }
}
