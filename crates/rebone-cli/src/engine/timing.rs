//! Frames of a file and of the clip that is made of it.

use rebone::Contact;

/// How frames of a file become those of a take: a part of them, at another rate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timing {
    /// The first frame of the file that is used.
    pub(crate) first: usize,
    /// How many frames there are for one of the file.
    pub(crate) ratio: f64,
    /// Whether the first one is a reference pose, which stays the frame before the motion's first.
    pub(crate) reference: bool,
}

impl Timing {
    /// The frame from which those of the take are counted, at its own rate.
    pub(crate) fn begin(&self) -> usize {
        (self.first as f64 * self.ratio).round() as usize
    }

    /// A frame of the file as one of the take; those before are its first.
    fn of_take(&self, frame: usize) -> usize {
        let (own, apart) = (frame.saturating_sub(self.first), usize::from(self.reference));
        let moving = own.saturating_sub(apart) as f64 * self.ratio;
        moving.round() as usize + own.min(apart)
    }

    /// A frame of the take as one of the file.
    fn of_file(&self, frame: usize) -> usize {
        let apart = usize::from(self.reference);
        let moving = frame.saturating_sub(apart) as f64 / self.ratio;
        self.first + moving.round() as usize + frame.min(apart)
    }

    /// Contacts by frames of the file as those of the take; what ends before it is left out.
    pub(crate) fn contacts_of_take(&self, contacts: Vec<Contact>) -> Vec<Contact> {
        let later = contacts.into_iter().filter(|own| own.frames.end > self.first);
        later.map(|own| with_frames(own, |frame| self.of_take(frame))).collect()
    }

    /// Contacts as a report has them, counted from [`begin`](Self::begin), as those of the file.
    pub(crate) fn contacts_of_file<'a>(
        &self,
        contacts: impl Iterator<Item = &'a Contact>,
    ) -> Vec<Contact> {
        let begin = self.begin();
        let file = |frame: usize| self.of_file(frame.saturating_sub(begin));
        contacts.map(|own| with_frames(own.clone(), file)).collect()
    }
}

fn with_frames(contact: Contact, frame: impl Fn(usize) -> usize) -> Contact {
    let (start, end) = (frame(contact.frames.start), frame(contact.frames.end));
    Contact { frames: start..end.max(start + 1), ..contact }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebone::understand::Side;
    use rebone::{BodyPart, ContactKind};

    #[test]
    fn contacts_come_back_as_they_were() {
        let contact = |frames| Contact {
            part: BodyPart::Foot(Side::Left),
            kind: ContactKind::Plant,
            frames,
            confidence: 1.0,
        };
        for (first, ratio, reference) in
            [(0, 1.0, false), (100, 2.0, false), (0, 4.0, true), (7, 3.5, true)]
        {
            let timing = Timing { first, ratio, reference };
            let all = vec![contact(first + 1..first + 5), contact(first + 9..first + 30)];
            let take = timing.contacts_of_take(all.clone());
            if reference {
                assert_eq!(take[0].frames.start, 1, "the motion begins behind its reference pose");
            }
            let told: Vec<Contact> = take
                .iter()
                .map(|own| with_frames(own.clone(), |frame| frame + timing.begin()))
                .collect();
            assert_eq!(timing.contacts_of_file(told.iter()), all);
        }
    }
}
