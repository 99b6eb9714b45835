//! Fingers, toes and the face.

use super::assignment::RoleAssignment;
use super::by_name::{NameMeaning, Part};
use super::shape::tree;
use crate::body::{Finger, Role, Side};
use rebone_skeleton::JointId;

/// Meaning of the numbers after "finger" on a hand.
#[derive(Clone, Copy, PartialEq)]
enum Numbering {
    /// They count the joints of a finger, or there are none.
    Phalanges,
    /// They count the fingers: the thumb is 0 or 1.
    Fingers { thumb: u8 },
}

impl RoleAssignment<'_> {
    /// The fingers of one hand, by name, all joints of each.
    ///
    /// Returns false where names say that the hand has none: single joints that only end it ("LeftHandIndex1" and "LThumb" of
    /// CMU) are no fingers.
    pub(crate) fn fingers(&mut self, side: Side) -> bool {
        let Some(hand) = self.limbs.arms[side.index()].end() else { return false };
        let below = self.skeleton.descendants(hand);
        let numbering = self.numbering(hand, &below);
        let carried = self.fingers_below(&below, numbering);
        let reach = self.skeleton.subtree_lengths();
        // Of several lines on one joint, those without a name are other fingers.
        let is_palm = |joint: JointId| {
            let named = carried[joint.index()].iter().filter(|is_there| **is_there).count();
            tree::finger_chains(self.skeleton, &reach, joint).len() > named.max(1)
        };
        let mut known: Vec<Option<Finger>> = vec![None; self.skeleton.len()];
        for &joint in &below {
            let parent = self.skeleton[joint].parent;
            let finger = self
                .finger_of(joint, numbering)
                .or_else(|| known[parent?.index()])
                .or_else(|| one_finger(carried[joint.index()]).filter(|_| !is_palm(joint)));
            known[joint.index()] = finger.filter(|_| !self.is_aside(joint));
        }
        let named = |finger| {
            let is_it = |id: &&JointId| self.finger_of(**id, numbering) == Some(finger);
            below.iter().filter(is_it).count()
        };
        let longest = Finger::ALL.into_iter().map(named).max().unwrap_or(0);
        let count = Finger::ALL.into_iter().filter(|&finger| named(finger) > 0).count();
        let lines = || tree::hand_lines(self.skeleton, &reach, hand).len();
        if longest < 2 && count < 3 && (count == 0 || lines() < 3) {
            return count == 0;
        }
        for joint in below {
            let Some(finger) = known[joint.index()] else { continue };
            let reason = format!("named {}, below the hand", self.name(joint));
            self.assign(joint, Role::Finger(side, finger), 0.95, reason);
        }
        true
    }

    pub(super) fn is_aside(&self, joint: JointId) -> bool {
        let reading = self.reading(joint);
        reading.is_control || reading.twist
    }

    /// Finds what the numbers on a hand count. One number along each line of joints, and several lines or a first joint of
    /// another kind ("Finger0 > Finger01"), count fingers; a line with several numbers, or lines that all have the same,
    /// count joints.
    fn numbering(&self, hand: JointId, below: &[JointId]) -> Numbering {
        let numbered = |&id: &JointId| {
            self.reading(id).finger.is_none() && self.reading(id).finger_number.is_some()
        };
        let number = |id: JointId| self.reading(id).finger_number;
        let mut lines = Vec::new();
        let mut counts_up = false;
        for joint in below.iter().copied().filter(numbered) {
            let mut path = self.skeleton.path_to_root(joint).skip(1);
            match path.by_ref().take_while(|&id| id != hand).find(numbered) {
                None => lines.push(number(joint)),
                Some(above) if number(above) != number(joint) => return Numbering::Phalanges,
                Some(above) => counts_up |= follows(self.reading(above), self.reading(joint)),
            }
        }
        let is_one = lines.iter().all(|line| *line == lines[0]);
        if is_one && (counts_up || lines.len() > 1) {
            return Numbering::Phalanges;
        }
        let is_zero_based = below.iter().any(|&id| number(id) == Some(0));
        Numbering::Fingers { thumb: u8::from(!is_zero_based) }
    }

    /// The finger that the name of a joint says.
    fn finger_of(&self, joint: JointId, numbering: Numbering) -> Option<Finger> {
        let reading = self.reading(joint);
        let by_number = |number: u8| match numbering {
            Numbering::Fingers { thumb } => {
                Finger::ALL.get(usize::from(number.checked_sub(thumb)?)).copied()
            }
            Numbering::Phalanges => None,
        };
        reading.finger.or_else(|| reading.finger_number.and_then(by_number))
    }

    /// Named fingers below each joint, by index in [`Finger::ALL`].
    fn fingers_below(&self, joints: &[JointId], numbering: Numbering) -> Vec<[bool; 5]> {
        let mut carried = vec![[false; 5]; self.skeleton.len()];
        for &joint in joints.iter().rev() {
            let mut all = carried[joint.index()];
            if let Some(finger) = self.finger_of(joint, numbering) {
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

/// Returns whether the number of a joint follows that of the one above, in as many digits: "02" after "01", not "01" after "0".
fn follows(above: &NameMeaning, below: &NameMeaning) -> bool {
    let numbers = above.phalanx.as_ref().zip(below.phalanx.as_ref());
    let next = |text: &str| text.parse::<u8>().ok()?.checked_add(1);
    numbers
        .is_some_and(|(a, b)| a.len() == b.len() && next(a).is_some() && next(a) == b.parse().ok())
}

/// The only finger among some, the thumb aside where there is another.
fn one_finger(mut carried: [bool; 5]) -> Option<Finger> {
    if carried[1..].contains(&true) {
        carried[Finger::Thumb as usize] = false;
    }
    let mut fingers = Finger::ALL.into_iter().filter(|&finger| carried[finger as usize]);
    fingers.next().filter(|_| fingers.next().is_none())
}
