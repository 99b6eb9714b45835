//! A cycle between parts of the same cycle before and after it, so that what is done over time does not see its ends.

use super::CycleBody;
use crate::contacts::Contact;
use nalgebra::{UnitQuaternion, Vector3};
use rebone_body::poses;
use rebone_skeleton::{Clip, WorldPose};
use std::ops::Range;

/// Longest part of a cycle that is added before and after it, seconds.
const MAX_MARGIN_SECONDS: f64 = 2.0;

/// A cycle of a clip with margins.
#[derive(Clone, Debug)]
pub(in crate::clip) struct Extended {
    /// The margin before, the cycle with its repeated frame, the margin after.
    pub(in crate::clip) clip: Clip,
    /// Frames of the cycle.
    pub(in crate::clip) cycle: Range<usize>,
}

impl Extended {
    /// Extends a closed cycle, the last frame of which is the first, moved along the floor.
    pub(in crate::clip) fn new(body: &CycleBody, cycle: &Clip) -> Self {
        let length = cycle.len() - 1;
        let margin = ((MAX_MARGIN_SECONDS / cycle.frame_time) as usize).min(length);
        let [mut clip, mut after] = [cycle.clone(), cycle.clone()];
        poses::keep(&mut clip, length - margin..length);
        poses::append(&mut clip, cycle);
        poses::keep(&mut after, 1..margin + 1);
        poses::append(&mut clip, &after);
        let step = FloorMotion::over(body, cycle);
        let back = step.inverse();
        let mut world = WorldPose::zeros(&body.anatomy.skeleton);
        poses::edit(&mut clip, |frame, pose| {
            poses::update(&mut world, &body.anatomy.skeleton, pose);
            let motion = match frame {
                _ if frame < margin => &back,
                _ if frame > margin + length => &step,
                _ => return,
            };
            let joint = body.translation_joint.index();
            let rotation = motion.rotation * world.rotations[joint];
            let position = motion.rotation * world.positions[joint] + motion.translation;
            body.place(pose, &world, rotation, position);
        });
        Self { clip, cycle: margin..margin + length + 1 }
    }

    /// Cuts contacts to the cycle and repeats them over the margins.
    pub(in crate::clip) fn repeat(&self, contacts: Vec<Contact>) -> Vec<Contact> {
        let of_cycle: Vec<Contact> = contacts.into_iter().filter_map(|own| self.cut(own)).collect();
        self.extend(&of_cycle)
    }

    /// Contacts of the cycle, in all frames. The last frame of a cycle is its first: a contact to the last goes on in the one
    /// from the first.
    pub(super) fn extend(&self, contacts: &[Contact]) -> Vec<Contact> {
        let length = self.cycle.len() - 1;
        let mut all = Vec::new();
        for contact in within(contacts, length) {
            let is_of_parts = |other: &&Contact| other.has_parts_of(&contact);
            let next =
                within(contacts, length).find(|own| is_of_parts(&own) && own.frames.start == 0);
            let last =
                within(contacts, length).find(|own| is_of_parts(&own) && own.frames.end > length);
            let Range { start, end } = contact.frames;
            let mut joined = contact.clone();
            match (next, last) {
                _ if start == 0 && end > length => {
                    joined.frames = 0..self.clip.len();
                    all.push(joined);
                    continue;
                }
                // Part of the contact that crosses the seam: added with its begin.
                (_, Some(last)) if start == 0 && last.kind == contact.kind => continue,
                (Some(next), _) if end > length && next.kind == contact.kind => {
                    joined.frames = start..length + next.frames.end;
                    joined.confidence = contact.confidence.min(next.confidence);
                }
                (Some(_), _) if end > length => joined.frames = start..length,
                _ => {}
            }
            all.extend((0..3).filter_map(|copy| self.copy(&joined, copy)));
        }
        all.sort_by_key(|own| (own.part, own.on, own.frames.start));
        all
    }

    /// A contact of the cycle in the repetition before it (0), in it (1) or after it (2); `None` without a frame in the clip.
    fn copy(&self, contact: &Contact, repetition: usize) -> Option<Contact> {
        let length = self.cycle.len() - 1;
        let shifted =
            |frame: usize| (frame + self.cycle.start + repetition * length).saturating_sub(length);
        let frames =
            shifted(contact.frames.start)..shifted(contact.frames.end).min(self.clip.len());
        (!frames.is_empty()).then(|| Contact { frames, ..contact.clone() })
    }

    /// A contact of the extended clip, by frames of the cycle; `None` of one in the margins.
    pub(super) fn cut(&self, mut contact: Contact) -> Option<Contact> {
        let Range { start, end } = contact.frames;
        let [start, end] = [start, end]
            .map(|frame| frame.clamp(self.cycle.start, self.cycle.end) - self.cycle.start);
        contact.frames = start..end;
        (start < end).then_some(contact)
    }
}

/// Contacts of a cycle of a length, without the frames behind it.
fn within(contacts: &[Contact], length: usize) -> impl Iterator<Item = Contact> {
    let own = contacts.iter().map(move |contact| {
        let Range { start, end } = contact.frames;
        Contact { frames: start..end.min(length + 1), ..contact.clone() }
    });
    own.filter(|contact| !contact.frames.is_empty())
}

/// A rigid motion along the floor, in the axes and units of the file.
#[derive(Clone, Copy, Debug)]
struct FloorMotion {
    rotation: UnitQuaternion<f64>,
    translation: Vector3<f64>,
}

impl FloorMotion {
    /// From the first frame of a closed cycle to the last.
    fn over(body: &CycleBody, cycle: &Clip) -> Self {
        let skeleton = &body.anatomy.skeleton;
        let joint = body.translation_joint.index();
        let [first, last] = [0, cycle.len() - 1].map(|frame| {
            let mut world = WorldPose::zeros(skeleton);
            poses::update(&mut world, skeleton, &poses::pose(cycle, frame));
            (world.rotations[joint], world.positions[joint])
        });
        let rotation = last.0 * first.0.inverse();
        Self { rotation, translation: last.1 - rotation * first.1 }
    }

    fn inverse(&self) -> Self {
        let rotation = self.rotation.inverse();
        Self { rotation, translation: -(rotation * self.translation) }
    }
}
