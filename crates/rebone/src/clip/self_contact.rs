//! Self-contact of a whole clip: where arms are near the body, they are turned.

use super::cycle::Extended;
use super::input::{ClipInput, cut_at_segments};
use super::parallel::{edit_frames, map_frames};
use crate::contacts::Contact;
use crate::frame::{ArmTurn, Retargeter};
use crate::report::KeptContact;
use crate::self_contact::{ContactSlack, Piece, TouchChoice};
use crate::surface::{BodyTransforms, SurfacePair};
use crate::watch::{Stopped, Watched};
use rebone_body::poses;
use rebone_skeleton::{Clip, WorldPose};
use std::ops::Range;

/// Turns of both arms in a frame; `None` far from any self-contact.
type Turns = Option<[ArmTurn; 2]>;

/// Turns the arms of a result so that self-contacts are the source's. Returns the self-contacts of the source. `floors` are
/// the heights of the floor of source and target, where it is level.
pub(super) fn keep_self_contacts(
    (retargeter, input, cycle): (&Retargeter, &ClipInput, Option<&Extended>),
    (pair, floors): (&SurfacePair, Option<[f64; 2]>),
    segments: &[Range<usize>],
    result: &mut Clip,
) -> Result<Vec<KeptContact>, Stopped> {
    let pass = SelfContactInput { retargeter, input, cycle, pair, floors, result };
    let (turns, contacts) = pass.find_turns(segments)?;
    if turns.iter().any(Option::is_some) {
        let watched = Watched::begin(input.watch, "self-contacts", result.len());
        edit_frames((retargeter, &watched), result, &|worker, frame, pose| {
            if let Some(turns) = &turns[frame] {
                worker.turn_arms(pose, turns);
            }
        })?;
    }
    Ok(contacts)
}

/// A result whose arms are to be turned, with its source.
struct SelfContactInput<'a> {
    retargeter: &'a Retargeter,
    input: &'a ClipInput<'a>,
    /// The clip, if it is an extended cycle.
    cycle: Option<&'a Extended>,
    pair: &'a SurfacePair,
    /// Heights of the floor of source and target, where it is level.
    floors: Option<[f64; 2]>,
    result: &'a Clip,
}

impl SelfContactInput<'_> {
    /// Finds the turns of both arms in each frame, and the self-contacts of the source.
    fn find_turns(
        &self,
        segments: &[Range<usize>],
    ) -> Result<(Vec<Turns>, Vec<KeptContact>), Stopped> {
        let (choice, contacts) = self.choose(segments)?;
        let is_active = self.for_frames(0..self.result.len(), |frame| {
            let shares = choice.shares(frame.index);
            let floor_alone = self.pair.is_floor_alone(shares.as_ref());
            if floor_alone && !self.pair.hands_may_sink(&frame.rigid_target(), self.floors) {
                return false;
            }
            let [source, target] = frame.bodies();
            self.pair.is_active([&source, &target], self.floors, shares)
        })?;
        let (turns, slacks) = self.turns(segments, &is_active, (&choice, &contacts))?;
        Ok((turns, KeptContact::of_hands(&contacts, &slacks)))
    }

    /// Detects the self-contacts of the source, and chooses those that count, by the given ones if there are any.
    fn choose(&self, segments: &[Range<usize>]) -> Result<(TouchChoice, Vec<Contact>), Stopped> {
        let frame_time = self.result.frame_time;
        let hands = self
            .for_frames(0..self.result.len(), |frame| self.pair.near_hands(0, &frame.source()))?;
        let mut detected = self.pair.find_contacts(&[0], &hands, segments, frame_time);
        if let Some(cycle) = self.cycle {
            detected = cut_at_segments(&cycle.repeat(detected), 0, segments);
        }
        let given = self.input.given_self_contacts(&self.retargeter.plan().options, segments);
        let is_guessed = self.pair.is_guessed();
        let both = (&detected[..], given.as_deref());
        let choice = TouchChoice::new(is_guessed, both, segments, frame_time);
        let mut contacts = given.unwrap_or(detected);
        contacts.sort_by_key(|own| (own.part, own.frames.start, own.on));
        Ok((choice, contacts))
    }

    /// Returns the turns of both arms in each frame, `None` in frames far from any self-contact, and the slack of each contact.
    fn turns(
        &self,
        segments: &[Range<usize>],
        is_active: &[bool],
        (choice, contacts): (&TouchChoice, &[Contact]),
    ) -> Result<(Vec<Turns>, Vec<ContactSlack>), Stopped> {
        let frame_time = self.result.frame_time;
        let mut turns = vec![None; self.result.len()];
        let mut slacks = vec![ContactSlack::default(); contacts.len()];
        let pieces = segments.iter().flat_map(|own| Piece::all_of(own, is_active, frame_time));
        for (piece, counts) in pieces.flat_map(|piece| piece.windows(frame_time)) {
            let bodies = self.for_frames(piece.frames.clone(), |frame| frame.bodies())?;
            let found = self.pair.arm_turns(&piece, &bodies, (self.floors, choice), frame_time);
            let found = found.into_iter().skip(counts.start - piece.frames.start);
            for (frame, (found, touches)) in counts.zip(found) {
                turns[frame] = Some(found);
                ContactSlack::add(&mut slacks, contacts, frame, &touches);
            }
        }
        Ok((turns, slacks))
    }

    /// Returns what a function gives for each frame, on all threads.
    fn for_frames<T: Clone + Send + Sync>(
        &self,
        frames: Range<usize>,
        of: impl Fn(&mut FrameReader) -> T + Sync,
    ) -> Result<Vec<T>, Stopped> {
        let watched = Watched::begin(self.input.watch, "self-contacts", frames.len());
        map_frames((self.retargeter, &watched), frames, &|worker, index| {
            of(&mut FrameReader { of: self, worker, index })
        })
    }
}

/// A frame of source and result, read as far as it is asked for.
struct FrameReader<'a> {
    of: &'a SelfContactInput<'a>,
    worker: &'a mut Retargeter,
    index: usize,
}

impl FrameReader<'_> {
    fn source(&mut self) -> BodyTransforms {
        let SelfContactInput { retargeter, input, pair, .. } = self.of;
        let plan = retargeter.plan();
        let pose = poses::pose(input.clip, input.first(&plan.options) + self.index);
        pair.transforms(&plan.source, 0, self.worker.read_source(&pose))
    }

    fn target_world(&mut self) -> &WorldPose {
        self.worker.read_target(&poses::pose(self.of.result, self.index))
    }

    /// The target, its hands without their fingers.
    fn rigid_target(&mut self) -> BodyTransforms {
        let SelfContactInput { retargeter, pair, .. } = self.of;
        pair.rigid_transforms(&retargeter.plan().target, 1, self.target_world())
    }

    fn bodies(&mut self) -> [BodyTransforms; 2] {
        let SelfContactInput { retargeter, pair, .. } = self.of;
        let source = self.source();
        let target = &retargeter.plan().target;
        let target = pair.transforms_beside(&source, target, self.target_world());
        [source, target]
    }
}
