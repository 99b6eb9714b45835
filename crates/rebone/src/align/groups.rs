//! Groups of target joints that are posed together.

use rebone_body::body::{Anatomy, Limb, Role, Side};
use rebone_skeleton::JointId;

/// Groups of joints, in the order in which they are posed. Public for tests and benches only.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// Root, trunk and the joints between them.
    Body,
    /// Collar bone of a side.
    Girdle(Side),
    /// Upper arm and forearm of a side, twist joints included.
    Arm(Side),
    /// Thigh and shin of a side.
    Leg(Side),
    /// Hand of a side.
    Palm(Side),
    /// Fingers of a side.
    Fingers(Side),
    /// Foot and toes of a side.
    Foot(Side),
    /// Neck and head.
    Head,
    /// Everything else.
    Rest,
}

impl Group {
    /// Returns the group of a limb's bones.
    pub(crate) fn of_limb(limb: Limb) -> Self {
        match limb {
            Limb::Leg(side) => Self::Leg(side),
            Limb::Arm(side) => Self::Arm(side),
        }
    }

    /// All groups in the order in which they are posed.
    pub const ORDER: [Group; 15] = {
        use Side::{Left, Right};
        [
            Group::Body,
            Group::Girdle(Left),
            Group::Girdle(Right),
            Group::Arm(Left),
            Group::Arm(Right),
            Group::Leg(Left),
            Group::Leg(Right),
            Group::Palm(Left),
            Group::Palm(Right),
            Group::Fingers(Left),
            Group::Fingers(Right),
            Group::Foot(Left),
            Group::Foot(Right),
            Group::Head,
            Group::Rest,
        ]
    };

    /// Returns its index in that order.
    pub(crate) fn place(self) -> usize {
        Self::ORDER.iter().take_while(|&&other| other != self).count()
    }
}

/// Returns the group of each joint; public for tests only. A joint without a role belongs to the earliest group below it.
#[doc(hidden)]
pub fn groups(target: &Anatomy) -> Vec<Group> {
    let mut groups: Vec<Group> = target.skeleton.ids().map(|id| own(target, id)).collect();
    for (index, joint) in target.skeleton.joints().iter().enumerate().rev() {
        if let Some(parent) = joint.parent {
            groups[parent.index()] = groups[parent.index()].min(groups[index]);
        }
    }
    groups
}

fn own(target: &Anatomy, joint: JointId) -> Group {
    let body = &target.body;
    if body.trunk.contains(&joint) {
        return Group::Body;
    }
    if body.neck.contains(&joint) {
        return Group::Head;
    }
    for side in Side::BOTH {
        let (arm, leg) = (&body.arms[side.index()], &body.legs[side.index()]);
        if arm.upper_twist.iter().chain(&arm.lower_twist).any(|&twist| twist == joint) {
            return Group::Arm(side);
        }
        if leg.hip_bones.contains(&joint) {
            return Group::Body;
        }
        if leg.upper_twist.iter().chain(&leg.lower_twist).any(|&twist| twist == joint) {
            return Group::Leg(side);
        }
    }
    match target.roles.of(joint) {
        Some(Role::Shoulder(side)) => Group::Girdle(side),
        Some(Role::UpperArm(side) | Role::LowerArm(side) | Role::LowerArmTwist(side)) => {
            Group::Arm(side)
        }
        Some(Role::UpperLeg(side) | Role::LowerLeg(side)) => Group::Leg(side),
        Some(Role::Hand(side)) => Group::Palm(side),
        Some(Role::Finger(side, _)) => Group::Fingers(side),
        Some(Role::Foot(side) | Role::Toes(side)) => Group::Foot(side),
        _ => Group::Rest,
    }
}
