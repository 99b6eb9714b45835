//! Contacts of a part one after the other: those of a shuffling foot are one, and a foot goes on to the next without a jump.

use crate::contacts::detect::{CLOSE_DISPLACEMENT_METRES, PivotPath, Terrain, spread};
use crate::contacts::enforce::targets::contact_target::ContactTarget;
use crate::contacts::{Contact, ContactKind};
use crate::math::ease;
use nalgebra::Vector3;
use std::ops::Range;

/// Largest extent of a shuffling foot that does not leave the floor, metres: 12 cm at 1.8 m.
const MAX_SHUFFLE_METRES: f64 = 3.0 * CLOSE_DISPLACEMENT_METRES;

/// Largest vertical speed of an offset outside of its contact, metres a second: a foot that leaps off the ground does not follow
/// the difference of both soles.
const MAX_FADE_METRES_PER_SECOND: f64 = 1.5;
/// Speed up to which a foot may go from one contact to the next between two frames, metres a second.
const MAX_STEP_METRES_PER_SECOND: f64 = 3.0;
/// Time in each of two contacts over which a foot goes on to the next.
const JOIN_SECONDS: f64 = 0.04;

/// Merges adjacent contacts while the part stays within [`MAX_SHUFFLE_METRES`]: a shuffling foot has one target, which
/// moves as the source's.
pub(crate) fn merge_adjacent(contacts: &[&Contact], pivot: &PivotPath) -> Vec<Contact> {
    let mut all: Vec<Contact> = Vec::new();
    for &contact in contacts {
        let joined = all.last().map(|last| last.frames.start..contact.frames.end);
        let near = |frames: &Range<usize>| {
            spread(&pivot.path, &(frames.start - pivot.begin..frames.end - pivot.begin))
                < MAX_SHUFFLE_METRES
        };
        match (all.last_mut(), joined) {
            (Some(last), Some(joined))
                if last.frames.end == contact.frames.start && near(&joined) =>
            {
                last.frames = joined;
                last.confidence = last.confidence.min(contact.confidence);
                if last.kind == ContactKind::Slide {
                    last.kind = contact.kind;
                }
            }
            _ => all.push(contact.clone()),
        }
    }
    all
}

/// Limits the speed of the offsets of a contact along `up` before and after the frames `inside`.
pub(crate) fn limit_fade(
    offset: &mut [Vector3<f64>],
    inside: Range<usize>,
    up: &Vector3<f64>,
    frame_time: f64,
) {
    let (count, step) = (offset.len(), MAX_FADE_METRES_PER_SECOND * frame_time);
    let mut limit = |from: usize, to: usize| {
        let by = (offset[to] - offset[from]).dot(up);
        offset[to] += up * (by.clamp(-step, step) - by);
    };
    (0..inside.start).rev().for_each(|k| limit(k + 1, k));
    (inside.end.max(1)..count).for_each(|k| limit(k - 1, k));
}

/// Lets a part go on from each of its contacts to the next without a jump.
pub(crate) fn join_all(targets: &mut [ContactTarget], ground: &Terrain, frame_time: f64) {
    for k in 1..targets.len() {
        let (before, after) = targets.split_at_mut(k);
        if let (Some(before), Some(after)) = (before.last_mut(), after.first_mut()) {
            join([before, after], ground, frame_time);
        }
    }
}

/// Slides a part along the ground from one contact to the next: of the way between them what is beyond
/// [`MAX_STEP_METRES_PER_SECOND`], half at the end of the one and half at the begin of the other.
fn join([before, after]: [&mut ContactTarget; 2], ground: &Terrain, frame_time: f64) {
    let (end, begin) = (before.frames.end, after.frames.start);
    let at = |own: &ContactTarget, frame: usize| own.offset[frame - own.blend_frames.start];
    let way = ground.tangential(&(at(after, begin) - at(before, end - 1)));
    let between = MAX_STEP_METRES_PER_SECOND * frame_time * (begin + 1).saturating_sub(end) as f64;
    if way.norm() <= between || before.slides() || after.slides() {
        return;
    }
    let way = way * ((1.0 - between / way.norm()) / 2.0);
    let reach = (JOIN_SECONDS / frame_time).ceil().max(1.0) as usize;
    let room = |own: &ContactTarget| reach.min(own.frames.len() / 2) as f64 + 1.0;
    let (room_before, room_after) = (room(before), room(after));
    for (offset, frame) in before.offset.iter_mut().zip(before.blend_frames.clone()) {
        *offset += way * ease(1.0 - end.saturating_sub(frame) as f64 / room_before);
    }
    for (offset, frame) in after.offset.iter_mut().zip(after.blend_frames.clone()) {
        *offset -= way * ease(1.0 - (frame + 1).saturating_sub(begin) as f64 / room_after);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contacts::BodyPart;
    use rebone_body::body::Side;

    fn target(frames: Range<usize>, place: f64) -> ContactTarget {
        ContactTarget {
            part: BodyPart::Foot(Side::Left),
            blend_frames: frames.clone(),
            offset: vec![Vector3::x() * place; frames.len()],
            weight: vec![1.0; frames.len()],
            frames,
            kind: ContactKind::Plant,
            confidence: 1.0,
        }
    }

    /// Places of a foot in two contacts, the second of which begins behind the first.
    fn places(way: f64, frame_time: f64) -> Vec<f64> {
        let ground = Terrain { normal: Vector3::y_axis(), levels: vec![0.0], confidence: 1.0 };
        let mut targets = [target(0..20, 0.0), target(20..40, way)];
        join_all(&mut targets, &ground, frame_time);
        targets.iter().flat_map(|own| own.offset.iter().map(|offset| offset.x)).collect()
    }

    #[test]
    fn a_foot_goes_on_to_a_far_contact_without_a_jump_and_to_a_near_one_at_once() {
        let time = 1.0 / 120.0;
        let far = places(0.2, time);
        let fastest = far.windows(2).map(|pair| (pair[1] - pair[0]).abs() / time);
        assert!(fastest.fold(0.0, f64::max) < 2.0 * MAX_STEP_METRES_PER_SECOND);
        assert!(far[..14].iter().all(|x| *x == 0.0) && far[26..].iter().all(|x| *x == 0.2));
        let near = places(0.02, time);
        assert!(near[..20].iter().all(|x| *x == 0.0) && near[20..].iter().all(|x| *x == 0.02));
    }

    #[test]
    fn offsets_outside_of_a_contact_do_not_jump_up_or_down() {
        let time = 0.01;
        let mut offset: Vec<Vector3<f64>> =
            [0.03, 0.0, 0.0, -0.04, 0.0].map(|y| Vector3::new(1.0, y, 0.0)).into();
        limit_fade(&mut offset, 1..3, &Vector3::y(), time);
        let step = MAX_FADE_METRES_PER_SECOND * time;
        let expected = [step, 0.0, 0.0, -step, 0.0];
        assert!(offset.iter().zip(expected).all(|(own, y)| (own.y - y).abs() < 1e-12));
        assert!(offset.iter().all(|own| own.x == 1.0));
    }
}
