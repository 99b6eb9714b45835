//! The names of roles in files and messages: those of VRM 1.0, lists under one name.

use super::role::{Finger, Role, Side};

impl Role {
    /// All roles, trunk first, left before right.
    pub fn all() -> Vec<Role> {
        let mut roles = vec![Role::Hips, Role::Spine, Role::Neck, Role::Head, Role::Jaw];
        roles.extend(Side::BOTH.map(Role::Eye));
        for side in Side::BOTH {
            roles.extend([
                Role::Shoulder(side),
                Role::UpperArm(side),
                Role::UpperArmTwist(side),
                Role::LowerArm(side),
                Role::LowerArmTwist(side),
                Role::Hand(side),
            ]);
            roles.extend(Finger::ALL.map(|finger| Role::Finger(side, finger)));
        }
        for side in Side::BOTH {
            roles.extend([
                Role::HipBone(side),
                Role::UpperLeg(side),
                Role::UpperLegTwist(side),
                Role::LowerLeg(side),
                Role::LowerLegTwist(side),
                Role::Foot(side),
                Role::Toes(side),
            ]);
        }
        roles
    }

    /// The role's name: "hips", "leftUpperArm", "rightIndex".
    pub fn name(self) -> String {
        let (side, part) = self.side_and_part();
        match side {
            None => part.into(),
            Some(Side::Left) => format!("left{part}"),
            Some(Side::Right) => format!("right{part}"),
        }
    }

    /// The role of that name.
    pub fn from_name(name: &str) -> Option<Role> {
        Role::all().into_iter().find(|role| role.name() == name)
    }

    /// True for roles that several joints may play.
    pub fn is_list(self) -> bool {
        matches!(
            self,
            Role::Spine
                | Role::Neck
                | Role::UpperArmTwist(_)
                | Role::LowerArmTwist(_)
                | Role::Finger(..)
                | Role::HipBone(_)
                | Role::UpperLegTwist(_)
                | Role::LowerLegTwist(_)
        )
    }

    fn side_and_part(self) -> (Option<Side>, &'static str) {
        match self {
            Role::Hips => (None, "hips"),
            Role::Spine => (None, "spine"),
            Role::Neck => (None, "neck"),
            Role::Head => (None, "head"),
            Role::Jaw => (None, "jaw"),
            Role::Eye(side) => (Some(side), "Eye"),
            Role::Shoulder(side) => (Some(side), "Shoulder"),
            Role::UpperArm(side) => (Some(side), "UpperArm"),
            Role::UpperArmTwist(side) => (Some(side), "UpperArmTwist"),
            Role::LowerArm(side) => (Some(side), "LowerArm"),
            Role::LowerArmTwist(side) => (Some(side), "LowerArmTwist"),
            Role::Hand(side) => (Some(side), "Hand"),
            Role::Finger(side, finger) => (Some(side), finger_name(finger)),
            Role::HipBone(side) => (Some(side), "HipBone"),
            Role::UpperLeg(side) => (Some(side), "UpperLeg"),
            Role::UpperLegTwist(side) => (Some(side), "UpperLegTwist"),
            Role::LowerLeg(side) => (Some(side), "LowerLeg"),
            Role::LowerLegTwist(side) => (Some(side), "LowerLegTwist"),
            Role::Foot(side) => (Some(side), "Foot"),
            Role::Toes(side) => (Some(side), "Toes"),
        }
    }
}

fn finger_name(finger: Finger) -> &'static str {
    match finger {
        Finger::Thumb => "Thumb",
        Finger::Index => "Index",
        Finger::Middle => "Middle",
        Finger::Ring => "Ring",
        Finger::Little => "Little",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for role in Role::all() {
            assert_eq!(Role::from_name(&role.name()), Some(role));
        }
        assert_eq!(Role::LowerArmTwist(Side::Left).name(), "leftLowerArmTwist");
        assert_eq!(Role::from_name("LeftHand"), None);
    }
}
