//! Collects joints and end sites while a hierarchy section is read.

use super::channel::{Channel, ChannelKind};
use super::error::{ReadErrorKind, Warning, quoted, unexpected};
use crate::scene::MAX_CHARACTERS;
use crate::{Axis, EndSite, Joint, JointId};
use bstr::BString;
use nalgebra::{UnitQuaternion, Vector3};

pub(super) type Result<T> = std::result::Result<T, ReadErrorKind>;

/// Limit of nesting, and so of walks over the joints.
pub(crate) const MAX_DEPTH: usize = 1000;
/// Limit of joints and end sites together.
pub(crate) const MAX_NODES: usize = 100_000;
/// The longest name.
pub(crate) const MAX_NAME_BYTES: usize = 4096;
/// The most warnings of one hierarchy.
pub(crate) const MAX_WARNINGS: usize = 100;

/// A joint or an end site between its first word and its closing brace.
struct OpenBlock {
    node: BlockKind,
    /// The line of its first word.
    line: usize,
    /// Its opening brace was met.
    braced: bool,
    /// Its `OFFSET`.
    offset: Option<Vector3<f64>>,
    /// `CHANNELS` was met.
    channels: bool,
    /// It has a child.
    children: bool,
}

#[derive(Clone, Copy)]
enum BlockKind {
    Joint(usize),
    EndSite,
}

/// The joints and end sites so far, and those that are still open.
#[derive(Default)]
pub(super) struct Nodes {
    pub(super) joints: Vec<Joint>,
    pub(super) end_sites: Vec<EndSite>,
    pub(super) channels: Vec<Channel>,
    /// The index of each root, and its line.
    pub(super) roots: Vec<(usize, usize)>,
    open: Vec<OpenBlock>,
    /// The line of the first leaf joint called Site, and how many there are.
    sites: Option<(usize, usize)>,
    /// The line of the first end site with another name than Site, and how many there are.
    named_ends: Option<(usize, usize)>,
    /// The line that is being read.
    pub(super) line: usize,
    /// A repair was made: the text is not fit to be written again.
    pub(super) malformed: bool,
    pub(super) warnings: Vec<Warning>,
}

impl Nodes {
    /// Returns whether the root was not met yet, or is closed.
    pub(super) fn is_outside(&self) -> bool {
        self.open.is_empty()
    }

    /// Returns whether the root was met, and is closed.
    pub(super) fn is_closed(&self) -> bool {
        self.open.is_empty() && !self.joints.is_empty()
    }

    /// Returns whether an opening brace must come next.
    pub(super) fn expects_brace(&self) -> bool {
        self.open.last().is_some_and(|open| !open.braced)
    }

    /// Begins a joint; `is_root` says with which word.
    pub(super) fn joint(&mut self, name: &[u8], is_root: bool) -> Result<()> {
        let parent = match self.open.last() {
            Some(OpenBlock { node: BlockKind::EndSite, .. }) => {
                return Err(unexpected(name, "OFFSET or }: an end site has no children"));
            }
            Some(OpenBlock { node: BlockKind::Joint(parent), .. }) if !is_root => {
                Some(JointId(*parent))
            }
            None if self.joints.is_empty() || is_root => None,
            _ => return Err(ReadErrorKind::SecondRoot { found: quoted(name) }),
        };
        if parent.is_none() && !is_root {
            self.repair("the first joint is called JOINT, expected ROOT: read as the root");
        }
        check_limit("a longer name", name.len(), MAX_NAME_BYTES)?;
        self.check_count()?;
        check_limit("joints nested more deeply", self.open.len() + 1, MAX_DEPTH)?;
        if name.is_empty() {
            self.warn("a joint without a name");
        }
        if parent.is_none() {
            check_limit("more roots", self.roots.len() + 1, MAX_CHARACTERS)?;
            self.roots.push((self.joints.len(), self.line));
        }
        self.push(BlockKind::Joint(self.joints.len()));
        self.joints.push(Joint {
            name: BString::from(name),
            parent,
            rest_translation: Vector3::zeros(),
            rest_rotation: UnitQuaternion::identity(),
            translation_axes: Vec::new(),
            rotation_axes: Vec::new(),
        });
        Ok(())
    }

    fn check_count(&self) -> Result<()> {
        check_limit(
            "more joints and end sites",
            self.joints.len() + self.end_sites.len() + 1,
            MAX_NODES,
        )
    }

    /// Begins an end site, which is called Site or has a name of its own.
    pub(super) fn end_site(&mut self, is_site: bool) -> Result<()> {
        self.check_count()?;
        if !is_site {
            self.malformed = true;
            self.named_ends.get_or_insert((self.line, 0)).1 += 1;
        }
        match self.open.last() {
            Some(OpenBlock { node: BlockKind::Joint(_), .. }) => self.push(BlockKind::EndSite),
            Some(_) => return Err(unexpected(b"End Site", "OFFSET or }")),
            None => return Err(unexpected(b"End Site", "ROOT, or MOTION behind the hierarchy")),
        }
        Ok(())
    }

    fn push(&mut self, node: BlockKind) {
        if let Some(parent) = self.open.last_mut() {
            parent.children = true;
        }
        let line = self.line;
        let new =
            OpenBlock { node, line, braced: false, offset: None, channels: false, children: false };
        self.open.push(new);
    }

    /// Takes an opening brace.
    pub(super) fn open_brace(&mut self) -> Result<()> {
        match self.open.last_mut() {
            Some(open) if !open.braced => open.braced = true,
            _ => return Err(unexpected(b"{", "ROOT, JOINT or End Site before the brace")),
        }
        Ok(())
    }

    /// Takes a closing brace.
    pub(super) fn close_brace(&mut self) -> Result<()> {
        match self.open.pop() {
            Some(open) if open.braced => self.close(&open),
            Some(_) => Err(unexpected(b"}", "{ behind the name")),
            None if self.joints.is_empty() => Err(unexpected(b"}", "ROOT")),
            None => {
                self.repair("a closing brace too many: passed over");
                Ok(())
            }
        }
    }

    /// Closes what is still open at the end of the section.
    pub(super) fn close_all(&mut self) -> Result<()> {
        if !self.open.is_empty() {
            self.repair("closing braces are missing before MOTION: read as if they were there");
        }
        while let Some(open) = self.open.pop() {
            self.close(&open)?;
        }
        if let Some((line, count)) = self.sites {
            let message = format!("leaf joints called Site are read as end sites: {count}");
            self.warnings.push(Warning { line, message });
        }
        if let Some((line, count)) = self.named_ends {
            let message = format!("ends with other names than Site are read as end sites: {count}");
            self.warnings.push(Warning { line, message });
        }
        Ok(())
    }

    /// Stores a complete joint or end site.
    fn close(&mut self, open: &OpenBlock) -> Result<()> {
        match (open.node, open.offset) {
            (BlockKind::EndSite, Some(offset)) => self.push_end_site(offset),
            (BlockKind::EndSite, None) => self.repair("an end site without OFFSET: passed over"),
            (BlockKind::Joint(index), Some(offset)) => {
                let joint = &mut self.joints[index];
                joint.rest_translation = offset;
                let is_site = joint.name.eq_ignore_ascii_case(b"Site");
                let moves = joint.translation_axes.len() + joint.rotation_axes.len() > 0;
                if is_site && !moves && !open.children && joint.parent.is_some() {
                    self.joints.pop();
                    self.push_end_site(offset);
                    self.sites.get_or_insert((open.line, 0)).1 += 1;
                }
            }
            (BlockKind::Joint(index), None) if self.joints[index].parent.is_none() => {
                self.repair("the root has no OFFSET: taken to be 0 0 0");
            }
            (BlockKind::Joint(index), None) => {
                let joint = quoted(&self.joints[index].name);
                return Err(ReadErrorKind::MissingOffset { joint });
            }
        }
        Ok(())
    }

    fn push_end_site(&mut self, offset: Vector3<f64>) {
        if let Some(OpenBlock { node: BlockKind::Joint(parent), .. }) = self.open.last() {
            self.end_sites.push(EndSite { parent: JointId(*parent), offset });
        }
    }

    /// Takes the `OFFSET` of what was opened last.
    pub(super) fn offset(&mut self, offset: Vector3<f64>) -> Result<()> {
        let Some(open) = self.open.last_mut() else {
            return Err(unexpected(b"OFFSET", "ROOT"));
        };
        if open.offset.replace(offset).is_some() {
            self.repair("a second OFFSET in one joint: the last one is taken");
        }
        Ok(())
    }

    /// Finds the joint that a line of `count` channels is for; `None` for an end site.
    pub(super) fn begin_channels(&mut self, count: usize) -> Result<Option<JointId>> {
        let Some(open) = self.open.last_mut() else {
            return Err(unexpected(b"CHANNELS", "ROOT"));
        };
        let joint = match open.node {
            BlockKind::Joint(index) => JointId(index),
            BlockKind::EndSite if count == 0 => return Ok(None),
            BlockKind::EndSite => {
                return Err(unexpected(b"CHANNELS", "no channels in an end site"));
            }
        };
        if std::mem::replace(&mut open.channels, true) {
            return Err(unexpected(b"CHANNELS", "CHANNELS once in a joint"));
        }
        if open.children {
            return Err(unexpected(b"CHANNELS", "CHANNELS before the joint's children"));
        }
        Ok(Some(joint))
    }

    /// Adds a channel to a joint; false when the joint has it already.
    pub(super) fn channel(&mut self, id: JointId, kind: ChannelKind, axis: Axis) -> bool {
        let joint = &mut self.joints[id.index()];
        let axes = match kind {
            ChannelKind::Translation => &mut joint.translation_axes,
            ChannelKind::Rotation => &mut joint.rotation_axes,
        };
        if axes.contains(&axis) {
            return false;
        }
        axes.push(axis);
        self.channels.push(Channel { joint: id, kind, axis });
        true
    }

    /// Warns of a flaw that leaves the text usable.
    pub(super) fn warn(&mut self, message: &str) {
        if self.warnings.len() < MAX_WARNINGS {
            self.warnings.push(Warning { line: self.line, message: message.into() });
        }
    }

    /// Warns of a repair.
    pub(super) fn repair(&mut self, message: &str) {
        self.malformed = true;
        self.warn(message);
    }
}

/// Refuses a number above `limit`.
pub(crate) fn check_limit(what: &'static str, found: usize, limit: usize) -> Result<()> {
    if found > limit { Err(ReadErrorKind::Limit { what, limit }) } else { Ok(()) }
}
