//! Roles that files state: the table of humanoid bones of a VRM.

use super::pairs::follows;
use super::{Given, Role};
use rebone_skeleton::JointId;

/// The roles of bones by their names in VRM 1.0, as [`Hints::roles`](crate::Hints::roles) takes them. Hips,
/// spine and neck are left out: they are what lies between the others.
pub fn bones<'a>(named: impl IntoIterator<Item = (&'a str, JointId)>) -> Vec<Given> {
    let mut roles: Vec<Given> = Vec::new();
    for (name, joint) in named {
        let Some(role) = role(name).filter(|role| !follows(*role)) else { continue };
        match roles.iter_mut().find(|(known, _)| *known == role) {
            Some((_, joints)) if role.is_list() => joints.push(joint),
            Some(_) => {}
            None => roles.push((role, vec![joint])),
        }
    }
    // Joints of a finger from the palm on.
    roles.iter_mut().for_each(|(_, joints)| joints.sort());
    roles
}

/// The role of a bone: each joint of a finger has a name of its own in VRM.
fn role(bone: &str) -> Option<Role> {
    let parts = ["Metacarpal", "Proximal", "Intermediate", "Distal"];
    let finger = parts.iter().find_map(|part| bone.strip_suffix(part));
    Role::from_name(finger.unwrap_or(bone))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::understand::{Finger, Side};

    #[test]
    fn joints_of_a_finger_are_one_role() {
        let named = [("leftThumbDistal", 9), ("hips", 0), ("leftThumbMetacarpal", 7), ("jaw", 3)];
        let roles = bones(named.map(|(name, joint)| (name, JointId(joint))));
        let thumb = (Role::Finger(Side::Left, Finger::Thumb), vec![JointId(7), JointId(9)]);
        assert_eq!(roles, [thumb, (Role::Jaw, vec![JointId(3)])]);
        assert_eq!(bones([("leftWing", JointId(1))]), []);
    }
}
