//! Fingers, toes and the face.

use super::assignment::RoleAssignment;
use super::by_name::Part;
use crate::body::{Finger, Role, Side};
use rebone_skeleton::JointId;

impl RoleAssignment<'_> {
    /// The fingers of one hand, by name, all joints of each.
    ///
    /// Single joints that only end the hand ("LeftHandIndex1" and "LThumb" of CMU) are no fingers.
    pub(crate) fn fingers(&mut self, side: Side) {
        let Some(hand) = self.limbs.arms[side.index()].end() else { return };
        let below = self.skeleton.descendants(hand);
        let zero_based = below.iter().any(|&id| self.reading(id).finger_number == Some(0));
        let carried = self.fingers_below(&below, zero_based);
        let mut known: Vec<Option<Finger>> = vec![None; self.skeleton.len()];
        for &joint in &below {
            let parent = self.skeleton[joint].parent;
            let finger = self
                .finger_of(joint, zero_based)
                .or_else(|| known[parent?.index()])
                .or_else(|| one_finger(carried[joint.index()]));
            known[joint.index()] = finger.filter(|_| !self.is_aside(joint));
        }
        let named = |finger| {
            let is_it = |id: &&JointId| self.finger_of(**id, zero_based) == Some(finger);
            below.iter().filter(is_it).count()
        };
        let longest = Finger::ALL.into_iter().map(named).max().unwrap_or(0);
        let count = Finger::ALL.into_iter().filter(|&finger| named(finger) > 0).count();
        if longest < 2 && count < 3 {
            return;
        }
        for joint in below {
            let Some(finger) = known[joint.index()] else { continue };
            let reason = format!("named {}, below the hand", self.name(joint));
            self.assign(joint, Role::Finger(side, finger), 0.95, reason);
        }
    }

    fn is_aside(&self, joint: JointId) -> bool {
        let reading = self.reading(joint);
        reading.is_control || reading.twist
    }

    /// The finger that the name of a joint says.
    fn finger_of(&self, joint: JointId, zero_based: bool) -> Option<Finger> {
        let reading = self.reading(joint);
        let by_number = |number: u8| {
            let place = if zero_based { Some(number) } else { number.checked_sub(1) };
            Finger::ALL.get(usize::from(place?)).copied()
        };
        reading.finger.or_else(|| reading.finger_number.and_then(by_number))
    }

    /// Named fingers below each joint, by index in [`Finger::ALL`].
    fn fingers_below(&self, joints: &[JointId], zero_based: bool) -> Vec<[bool; 5]> {
        let mut carried = vec![[false; 5]; self.skeleton.len()];
        for &joint in joints.iter().rev() {
            let mut all = carried[joint.index()];
            if let Some(finger) = self.finger_of(joint, zero_based) {
                all[finger as usize] = true;
            }
            if let Some(parent) = self.skeleton[joint].parent {
                let above = &mut carried[parent.index()];
                above.iter_mut().zip(all).for_each(|(known, new)| *known |= new);
            }
        }
        carried
    }

    /// The ball of the foot: the only joint at its depth below the ankle that is called toes.
    pub(crate) fn toes(&mut self, side: Side) {
        let Some(foot) = self.limbs.legs[side.index()].end() else { return };
        let mut level = vec![foot];
        while !level.is_empty() {
            let children = level.iter().flat_map(|&id| self.skeleton.children(id));
            let next: Vec<JointId> = children.collect();
            let strength = |id: JointId| self.reading(id).strength(Part::Toes);
            let named: Vec<JointId> =
                next.iter().copied().filter(|&id| strength(id) > 0.0).collect();
            match named[..] {
                [] => level = next,
                [ball] => {
                    let reason = format!("named {}, below the foot", self.name(ball));
                    return self.assign(ball, Role::Toes(side), strength(ball).max(0.85), reason);
                }
                _ => return,
            }
        }
    }

    /// Eyes and jaw, below the head, by name.
    pub(crate) fn face(&mut self) {
        let Some(head) = self.roles.joint(Role::Head) else { return };
        for joint in self.skeleton.descendants(head) {
            let reading = self.reading(joint);
            let role = match reading.side {
                _ if reading.strength(Part::Jaw) > 0.0 => Role::Jaw,
                Some(side) if reading.strength(Part::Eye) > 0.0 => Role::Eye(side),
                _ => continue,
            };
            if self.roles.joint(role).is_none() {
                let reason = format!("named {}, below the head", self.name(joint));
                self.assign(joint, role, 0.95, reason);
            }
        }
    }
}

/// The only finger among some, the thumb aside where there is another.
fn one_finger(mut carried: [bool; 5]) -> Option<Finger> {
    if carried[1..].contains(&true) {
        carried[Finger::Thumb as usize] = false;
    }
    let mut fingers = Finger::ALL.into_iter().filter(|&finger| carried[finger as usize]);
    fingers.next().filter(|_| fingers.next().is_none())
}
