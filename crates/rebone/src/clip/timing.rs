//! Mapping between frames of a file and frames of a cut, resampled clip.

use crate::contacts::Contact;
use rebone_body::Character;
use rebone_body::body::Anatomy;
use rebone_body::calibrate::begins_with_reference;

/// Mapping between frames of a file and frames of a cut, resampled clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FrameMapping {
    /// The first frame of the file that is used.
    pub(crate) first: usize,
    /// Frames of the clip for one of the file.
    pub(crate) ratio: f64,
    /// Whether the first one is a leading pose, which stays the frame before the motion's first.
    pub(crate) leading_pose: bool,
}

impl FrameMapping {
    /// Counts the frames of a clip, the first of which is frame `first` of its file, at the file's rate.
    pub(crate) fn new(character: &Character, anatomy: &Anatomy, first: usize) -> Self {
        let leading_pose = begins_with_reference(anatomy, character.clip());
        Self { first, ratio: 1.0, leading_pose }
    }

    /// The number of the clip's first frame, counted from the begin of the file at the clip's rate.
    pub(crate) fn begin(&self) -> usize {
        (self.first as f64 * self.ratio).round() as usize
    }

    /// A frame of the clip for one of the file; 0 for those before the clip.
    pub(crate) fn clip_frame(&self, file_frame: usize) -> usize {
        let (frame, leading) =
            (file_frame.saturating_sub(self.first), usize::from(self.leading_pose));
        let moving = frame.saturating_sub(leading) as f64 * self.ratio;
        (moving.round() as usize).saturating_add(frame.min(leading))
    }

    /// A frame of the file for one of the clip.
    pub(crate) fn file_frame(&self, clip_frame: usize) -> usize {
        let leading = usize::from(self.leading_pose);
        let moving = clip_frame.saturating_sub(leading) as f64 / self.ratio;
        let frames = (moving.round() as usize).saturating_add(clip_frame.min(leading));
        self.first.saturating_add(frames)
    }

    /// Contacts by frames of the file as those of the clip; what ends before it is left out.
    pub(crate) fn contacts_of_clip(&self, contacts: Vec<Contact>) -> Vec<Contact> {
        let later = contacts.into_iter().filter(|contact| contact.frames.end > self.first);
        later.map(|contact| with_frames(contact, |frame| self.clip_frame(frame))).collect()
    }

    /// Contacts as a report has them, counted from [`begin`](Self::begin), as those of the file.
    pub(crate) fn contacts_of_file<'a>(
        &self,
        contacts: impl Iterator<Item = &'a Contact>,
    ) -> Vec<Contact> {
        let begin = self.begin();
        let file = |frame: usize| self.file_frame(frame.saturating_sub(begin));
        contacts.map(|contact| with_frames(contact.clone(), file)).collect()
    }
}

fn with_frames(contact: Contact, frame: impl Fn(usize) -> usize) -> Contact {
    let (start, end) = (frame(contact.frames.start), frame(contact.frames.end));
    Contact { frames: start..end.max(start.saturating_add(1)), ..contact }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contacts::{BodyPart, ContactKind};
    use rebone_body::body::Side;

    #[test]
    fn frames_of_a_file_may_be_any_number() {
        let contact = Contact {
            on: None,
            part: BodyPart::Foot(Side::Left),
            kind: ContactKind::Plant,
            frames: usize::MAX..usize::MAX,
            confidence: 1.0,
        };
        let mapping = FrameMapping { first: 3, ratio: 2.0, leading_pose: true };
        let own = mapping.contacts_of_clip(vec![contact]);
        assert!(own[0].frames.start > 1 << 60);
        assert!(mapping.contacts_of_file(own.iter())[0].frames.start > 1 << 60);
    }

    #[test]
    fn contacts_come_back_as_they_were() {
        let contact = |frames| Contact {
            on: None,
            part: BodyPart::Foot(Side::Left),
            kind: ContactKind::Plant,
            frames,
            confidence: 1.0,
        };
        for (first, ratio, leading_pose) in
            [(0, 1.0, false), (100, 2.0, false), (0, 4.0, true), (7, 3.5, true)]
        {
            let timing = FrameMapping { first, ratio, leading_pose };
            let all = vec![contact(first + 1..first + 5), contact(first + 9..first + 30)];
            let take = timing.contacts_of_clip(all.clone());
            if leading_pose {
                assert_eq!(take[0].frames.start, 1, "the motion begins behind its leading pose");
            }
            let told: Vec<Contact> = take
                .iter()
                .map(|own| with_frames(own.clone(), |frame| frame + timing.begin()))
                .collect();
            assert_eq!(timing.contacts_of_file(told.iter()), all);
        }
    }
}
