//! A clip to retarget, with its leading pose and given contacts.

use crate::contacts::Contact;
use crate::options::{LeadingPose, Options};
use crate::report::KeptContact;
use crate::watch::Watch;
use rebone_body::body::Anatomy;
use rebone_body::calibrate::begins_with_reference;
use rebone_skeleton::Clip;
use std::fmt;
use std::ops::Range;

/// A clip to retarget, and what is known about it.
#[derive(Clone, Copy)]
pub struct ClipInput<'a> {
    /// The clip, of the source's skeleton.
    pub clip: &'a Clip,
    /// Whether its first frame is a leading pose (T pose or similar) and no motion.
    pub reference: bool,
    /// Its contacts, by its frames; `None` to detect them.
    pub contacts: Option<&'a [Contact]>,
    /// Whether the target is a character whose own floor [`GroundMode::Auto`](crate::GroundMode::Auto) may move the
    /// result to.
    pub has_rig_floor: bool,
    /// Whether the report has the [`RootPath`](crate::RootPath) of a result whose root motion stays in the world.
    pub wants_root_path: bool,
    /// Whether its last frame repeats the first, moved along the floor, as that of the result then does.
    pub is_cycle: bool,
    /// True if the source's file has motion, so that a result in which nothing moves is wrong whatever the clip.
    pub expects_motion: bool,
    /// Function that is told the progress of the work, from all threads: the step (`solve`, `contacts`, `self-contacts`,
    /// `energies`, `verdict`), how many of its frames or windows are done, and all of them. The work stops when it returns
    /// false. The result is equal to the bit with and without one.
    pub watch: Option<&'a Watch<'a>>,
}

impl fmt::Debug for ClipInput<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { clip, reference, contacts, has_rig_floor, wants_root_path, .. } = self;
        let Self { is_cycle, expects_motion, watch, .. } = self;
        f.debug_struct("ClipInput")
            .field("clip", clip)
            .field("reference", reference)
            .field("contacts", contacts)
            .field("has_rig_floor", has_rig_floor)
            .field("wants_root_path", wants_root_path)
            .field("is_cycle", is_cycle)
            .field("expects_motion", expects_motion)
            .field("is_watched", &watch.is_some())
            .finish()
    }
}

impl<'a> ClipInput<'a> {
    /// Wraps a clip of a source: detects a leading pose.
    pub fn new(source: &Anatomy, clip: &'a Clip) -> Self {
        Self {
            clip,
            reference: begins_with_reference(source, clip),
            contacts: None,
            has_rig_floor: false,
            wants_root_path: false,
            is_cycle: false,
            expects_motion: false,
            watch: None,
        }
    }

    /// Returns the first frame to retarget: 1 to drop a leading pose, else 0.
    pub fn first(&self, options: &Options) -> usize {
        usize::from(self.reference && options.leading_pose == LeadingPose::Drop)
    }

    /// Returns the frames to retarget.
    pub(crate) fn frames(&self, options: &Options) -> Range<usize> {
        self.first(options)..self.clip.len()
    }

    /// Returns whether the first of these frames is a leading pose.
    pub(crate) fn begins_with_reference(&self, options: &Options) -> bool {
        self.reference && self.first(options) == 0
    }

    /// Returns the given contacts with the ground, by the frames to retarget, cut at the segments.
    pub(crate) fn given(
        &self,
        options: &Options,
        segments: &[Range<usize>],
    ) -> Option<Vec<Contact>> {
        self.given_of(options, segments, |contact| contact.on.is_none())
    }

    /// Returns the given self-contacts, by the frames to retarget, cut at the segments; `None` where no contact is one.
    pub(crate) fn given_self_contacts(
        &self,
        options: &Options,
        segments: &[Range<usize>],
    ) -> Option<Vec<Contact>> {
        let is_self_contact = |contact: &Contact| contact.on.is_some();
        self.contacts.filter(|all| all.iter().any(is_self_contact))?;
        self.given_of(options, segments, is_self_contact)
    }

    /// Warns of given self-contacts that are not kept, given what is told of all.
    pub(crate) fn lost_self_contacts(
        &self,
        options: &Options,
        segments: &[Range<usize>],
        told: &[KeptContact],
    ) -> Option<String> {
        let given = self.given_self_contacts(options, segments)?;
        let wanted = given.iter().filter(|own| own.is_likely()).count();
        let kept = told.iter().filter(|own| own.contact.is_likely() && own.slack.is_some()).count();
        (kept < wanted).then(|| {
            format!(
                "{} of {wanted} given self-contacts are not kept: --no-self-contact leaves them out, the target has no mesh that fits \
                 its skeleton, the place is more than 50 cm away, or another part is nearer",
                wanted - kept
            )
        })
    }

    fn given_of(
        &self,
        options: &Options,
        segments: &[Range<usize>],
        is_wanted: impl Fn(&Contact) -> bool,
    ) -> Option<Vec<Contact>> {
        let wanted: Vec<Contact> =
            self.contacts?.iter().filter(|contact| is_wanted(contact)).cloned().collect();
        Some(cut_at_segments(&wanted, self.first(options), segments))
    }
}

/// Contacts by frames from `first` on, each cut at the bounds of segments.
pub(super) fn cut_at_segments(
    contacts: &[Contact],
    first: usize,
    segments: &[Range<usize>],
) -> Vec<Contact> {
    let parts = |contact: &'_ Contact| {
        let contact = contact.clone();
        segments.iter().filter_map(move |segment| {
            let [start, end] = [contact.frames.start, contact.frames.end]
                .map(|frame| frame.saturating_sub(first).clamp(segment.start, segment.end));
            (start < end).then(|| Contact { frames: start..end, ..contact.clone() })
        })
    };
    contacts.iter().flat_map(parts).collect()
}
