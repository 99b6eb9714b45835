//! Roles that files state: the table of humanoid bones of a VRM.

use crate::body::{Role, StatedRole, follows};
use rebone_skeleton::JointId;

/// The roles of bones by their names in VRM 1.0, as [`Hints::roles`](crate::analyse::Hints::roles) takes them. Hips,
/// spine and neck are left out: they are what lies between the others.
pub fn bones<'a>(named: impl IntoIterator<Item = (&'a str, JointId)>) -> Vec<(Role, Vec<JointId>)> {
    let mut roles: Vec<StatedRole> = Vec::new();
    for (name, joint) in named {
        let role = role_of_bone(name).map(|(role, _)| role);
        let Some(role) = role.filter(|role| !follows(*role)) else { continue };
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

/// The role of a bone, and what its name says besides: each joint of a finger has one of its own in VRM.
#[doc(hidden)]
pub fn role_of_bone(bone: &str) -> Option<(Role, &str)> {
    let parts = ["Metacarpal", "Proximal", "Intermediate", "Distal"];
    let part = parts.into_iter().find(|part| bone.ends_with(part)).unwrap_or_default();
    Some((Role::from_name(&bone[..bone.len() - part.len()])?, part))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::{Finger, Side};

    #[test]
    fn joints_of_a_finger_are_one_role() {
        let named = [("leftThumbDistal", 9), ("hips", 0), ("leftThumbMetacarpal", 7), ("jaw", 3)];
        let roles = bones(named.map(|(name, joint)| (name, JointId(joint))));
        let thumb = (Role::Finger(Side::Left, Finger::Thumb), vec![JointId(7), JointId(9)]);
        assert_eq!(roles, [thumb, (Role::Jaw, vec![JointId(3)])]);
        assert_eq!(bones([("leftWing", JointId(1))]), []);
    }
}
