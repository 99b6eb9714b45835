//! What a whole clip is taken with.

use crate::body::Anatomy;
use crate::calibrate::begins_with_reference;
use crate::contacts::Contact;
use crate::options::{LeadingPose, Options};
use rebone_skeleton::Clip;
use std::ops::Range;

/// A clip that is to be retargeted, and what is known of it.
#[derive(Clone, Copy, Debug)]
pub struct ClipInput<'a> {
    /// The clip, of the source's skeleton.
    pub clip: &'a Clip,
    /// Whether its first frame is a reference pose and no motion.
    pub reference: bool,
    /// Its contacts, by its frames; `None` where they are to be found.
    pub contacts: Option<&'a [Contact]>,
}

impl<'a> ClipInput<'a> {
    /// A clip of a source, of which nothing else is known.
    pub fn new(source: &Anatomy, clip: &'a Clip) -> Self {
        Self { clip, reference: begins_with_reference(source, clip), contacts: None }
    }

    /// The first frame that is retargeted: 1 where the first is a reference pose and to be left out.
    pub fn first(&self, options: &Options) -> usize {
        usize::from(self.reference && options.leading_pose == LeadingPose::Drop)
    }

    /// The frames that are retargeted.
    pub(crate) fn frames(&self, options: &Options) -> Range<usize> {
        self.first(options)..self.clip.len()
    }

    /// Whether the first of those is a reference pose.
    pub(crate) fn begins_with_reference(&self, options: &Options) -> bool {
        self.reference && self.first(options) == 0
    }

    /// The contacts that somebody gave, by the frames that are retargeted: what is in each piece.
    pub(crate) fn given(
        &self,
        options: &Options,
        segments: &[Range<usize>],
    ) -> Option<Vec<Contact>> {
        let first = self.first(options);
        let parts = |contact: &'_ Contact| {
            let contact = contact.clone();
            segments.iter().filter_map(move |segment| {
                let [start, end] = [contact.frames.start, contact.frames.end]
                    .map(|frame| frame.saturating_sub(first).clamp(segment.start, segment.end));
                (start < end).then(|| Contact { frames: start..end, ..contact.clone() })
            })
        };
        Some(self.contacts?.iter().flat_map(parts).collect())
    }
}
