//! The hierarchy section, word by word and without recursion.

use super::error::{ReadErrorKind, Warning, quoted};
use super::hierarchy::{Channel, ChannelKind, Hierarchy, Translations, channel_kind};
use super::lines::finite;
use super::text::canonical_text;
use crate::{EndSite, Joint, JointId, Skeleton};
use bstr::{BString, ByteSlice};
use nalgebra::{UnitQuaternion, Vector3};

type Result<T> = std::result::Result<T, ReadErrorKind>;

const MAX_DEPTH: usize = 1000;
const MAX_JOINTS: usize = 100_000;
const MAX_NAME: usize = 4096;
const MAX_TEXT: usize = 64 << 20;

/// What is open between a joint's or end site's first word and its closing brace.
struct Open {
    node: Node,
    /// The line of its first word.
    line: usize,
    /// Its opening brace was met.
    braced: bool,
    /// Its `OFFSET`.
    offset: Option<Vector3<f64>>,
    /// `CHANNELS` was met.
    channels: bool,
    /// Something hangs on it.
    children: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Node {
    Joint(usize),
    EndSite,
}

/// Reads a hierarchy section, given line by line.
#[derive(Default)]
pub(super) struct Parser {
    started: bool,
    joints: Vec<Joint>,
    end_sites: Vec<EndSite>,
    channels: Vec<Channel>,
    open: Vec<Open>,
    text: Vec<u8>,
    /// The text is malformed and will be written anew.
    malformed: bool,
    /// The first leaf joint called Site, and how many there are.
    sites: Option<(usize, usize)>,
    line: usize,
    warnings: Vec<Warning>,
}

impl Parser {
    /// Takes the next line; true when it has the word `MOTION`, which ends the section.
    pub(super) fn line(&mut self, number: usize, line: &[u8]) -> Result<bool> {
        self.line = number;
        let mut rest = line;
        loop {
            rest = rest.trim_ascii_start();
            let before = line.len() - rest.len();
            if rest.is_empty() {
                self.keep(line)?;
                return Ok(false);
            }
            let (word, _) = split_token(rest);
            if word.eq_ignore_ascii_case(b"MOTION") {
                self.keep(line[..before].trim_ascii_end())?;
                let rest = rest[word.len()..].trim_ascii();
                if !rest.is_empty() {
                    return Err(unexpected(rest, "the end of the line behind MOTION"));
                }
                return Ok(true);
            }
            rest = self.word(rest)?;
        }
    }

    fn keep(&mut self, line: &[u8]) -> Result<()> {
        if self.text.len() + line.len() > MAX_TEXT {
            return Err(ReadErrorKind::Limit { what: "a longer hierarchy", limit: MAX_TEXT });
        }
        if !line.trim_ascii().is_empty() {
            self.text.extend_from_slice(line);
            self.text.push(b'\n');
        }
        Ok(())
    }

    /// Takes the statement that `text` begins with and returns what follows it.
    fn word<'a>(&mut self, text: &'a [u8]) -> Result<&'a [u8]> {
        if text[0] == b'{' {
            self.open_brace()?;
            return Ok(&text[1..]);
        }
        if text[0] == b'}' {
            self.close_brace()?;
            return Ok(&text[1..]);
        }
        let (word, rest) = split_token(text);
        if !self.started {
            return self.first_word(text);
        }
        if self.open.last().is_some_and(|open| !open.braced) {
            return Err(unexpected(word, "{ behind the name"));
        }
        match word.to_ascii_uppercase().as_slice() {
            b"ROOT" => self.joint(text, rest, true),
            b"JOINT" => self.joint(text, rest, false),
            b"END" => self.end_site(rest),
            b"OFFSET" => self.offset(rest),
            b"CHANNELS" => self.channels(rest),
            _ if word == text.trim_ascii_end() && !self.joints.is_empty() => {
                self.mend("a stray word alone on its line: passed over");
                Ok(rest)
            }
            _ if self.open.is_empty() && self.joints.is_empty() => {
                Err(unexpected(word, "ROOT and the name of the first joint"))
            }
            _ if self.open.is_empty() => Err(unexpected(word, "MOTION behind the hierarchy")),
            _ => Err(unexpected(word, "OFFSET, CHANNELS, JOINT, End Site, { or }")),
        }
    }

    fn first_word<'a>(&mut self, text: &'a [u8]) -> Result<&'a [u8]> {
        let (word, rest) = split_token(text);
        self.started = true;
        if word.eq_ignore_ascii_case(b"HIERARCHY") {
            return Ok(rest);
        }
        if word.eq_ignore_ascii_case(b"ROOT") {
            self.mend("found ROOT, expected HIERARCHY before it: read as if it were there");
            return Ok(text);
        }
        Err(ReadErrorKind::NotBvh { found: quoted(text) })
    }

    fn joint<'a>(&mut self, text: &[u8], rest: &'a [u8], is_root: bool) -> Result<&'a [u8]> {
        let (name, rest) = split_name(rest);
        let parent = match self.open.last() {
            None if !self.joints.is_empty() => {
                return Err(ReadErrorKind::SecondRoot { found: quoted(text) });
            }
            Some(_) if is_root => return Err(ReadErrorKind::SecondRoot { found: quoted(text) }),
            Some(Open { node: Node::EndSite, .. }) => {
                return Err(unexpected(text, "OFFSET or }, as nothing hangs on an end site"));
            }
            Some(Open { node: Node::Joint(parent), .. }) => Some(JointId(*parent)),
            None => None,
        };
        if parent.is_none() && !is_root {
            self.mend("the first joint is called JOINT, expected ROOT: read as the root");
        }
        for (what, found, limit) in [
            ("a longer name", name.len(), MAX_NAME),
            ("more joints", self.joints.len() + 1, MAX_JOINTS),
            ("joints nested more deeply", self.open.len() + 1, MAX_DEPTH),
        ] {
            if found > limit {
                return Err(ReadErrorKind::Limit { what, limit });
            }
        }
        if name.is_empty() {
            self.warn("a joint without a name");
        }
        self.push(Node::Joint(self.joints.len()));
        self.joints.push(Joint {
            name: BString::from(name),
            parent,
            rest_translation: Vector3::zeros(),
            rest_rotation: UnitQuaternion::identity(),
            translation_axes: Vec::new(),
            rotation_axes: Vec::new(),
        });
        Ok(rest)
    }

    fn end_site<'a>(&mut self, rest: &'a [u8]) -> Result<&'a [u8]> {
        let (name, rest) = split_name(rest);
        let (word, _) = split_token(name);
        if !word.eq_ignore_ascii_case(b"Site") {
            return Err(unexpected(name, "Site behind End"));
        }
        match self.open.last() {
            Some(Open { node: Node::Joint(_), .. }) => self.push(Node::EndSite),
            Some(_) => return Err(unexpected(b"End Site", "OFFSET or }")),
            None => return Err(unexpected(b"End Site", "ROOT, or MOTION behind the hierarchy")),
        }
        Ok(rest)
    }

    fn push(&mut self, node: Node) {
        if let Some(parent) = self.open.last_mut() {
            parent.children = true;
        }
        let line = self.line;
        let new =
            Open { node, line, braced: false, offset: None, channels: false, children: false };
        self.open.push(new);
    }

    fn open_brace(&mut self) -> Result<()> {
        match self.open.last_mut() {
            Some(open) if !open.braced => open.braced = true,
            _ if !self.started => return Err(ReadErrorKind::NotBvh { found: quoted(b"{") }),
            _ => return Err(unexpected(b"{", "a joint or an end site before the brace")),
        }
        Ok(())
    }

    fn close_brace(&mut self) -> Result<()> {
        match self.open.pop() {
            Some(open) if open.braced => self.close(&open),
            Some(_) => Err(unexpected(b"}", "{ behind the name")),
            None if self.joints.is_empty() => Err(unexpected(b"}", "HIERARCHY and ROOT")),
            None => {
                self.mend("a closing brace too many: passed over");
                Ok(())
            }
        }
    }

    /// Puts a complete joint or end site in its place.
    fn close(&mut self, open: &Open) -> Result<()> {
        match (open.node, open.offset) {
            (Node::EndSite, Some(offset)) => self.push_end_site(offset),
            (Node::EndSite, None) => self.mend("an end site without OFFSET: passed over"),
            (Node::Joint(index), Some(offset)) => {
                let joint = &mut self.joints[index];
                joint.rest_translation = offset;
                let is_site = joint.name.trim_ascii().eq_ignore_ascii_case(b"Site");
                let moves = joint.translation_axes.len() + joint.rotation_axes.len() > 0;
                if is_site && !moves && !open.children && joint.parent.is_some() {
                    self.joints.pop();
                    self.push_end_site(offset);
                    self.sites.get_or_insert((open.line, 0)).1 += 1;
                }
            }
            (Node::Joint(0), None) => self.mend("the root has no OFFSET: taken to be 0 0 0"),
            (Node::Joint(index), None) => {
                let joint = self.joints[index].name.to_string();
                return Err(ReadErrorKind::MissingOffset { joint });
            }
        }
        Ok(())
    }

    fn push_end_site(&mut self, offset: Vector3<f64>) {
        if let Some(Open { node: Node::Joint(parent), .. }) = self.open.last() {
            self.end_sites.push(EndSite { parent: JointId(*parent), offset });
        }
    }

    fn offset<'a>(&mut self, mut rest: &'a [u8]) -> Result<&'a [u8]> {
        let mut offset = Vector3::zeros();
        for coordinate in offset.iter_mut() {
            let (word, behind) = split_token(rest);
            if word.is_empty() {
                return Err(unexpected(rest.trim_ascii(), "three numbers behind OFFSET"));
            }
            *coordinate = finite(word)?;
            rest = behind;
        }
        let Some(open) = self.open.last_mut() else {
            return Err(unexpected(b"OFFSET", "ROOT"));
        };
        if open.offset.replace(offset).is_some() {
            self.mend("a second OFFSET in one joint: the last one is taken");
        }
        Ok(rest)
    }

    fn channels<'a>(&mut self, rest: &'a [u8]) -> Result<&'a [u8]> {
        let (count, rest) = split_token(rest);
        let declared = count.to_str().ok().and_then(|count| count.parse::<usize>().ok());
        let declared =
            declared.ok_or_else(|| unexpected(count, "the number of channels behind CHANNELS"))?;
        let Some(open) = self.open.last_mut() else {
            return Err(unexpected(b"CHANNELS", "ROOT"));
        };
        let joint = match open.node {
            Node::Joint(index) => index,
            Node::EndSite if declared == 0 => return Ok(rest),
            Node::EndSite => return Err(unexpected(b"CHANNELS", "no channels in an end site")),
        };
        if std::mem::replace(&mut open.channels, true) {
            return Err(unexpected(b"CHANNELS", "CHANNELS once in a joint"));
        }
        if open.children {
            return Err(unexpected(b"CHANNELS", "CHANNELS before the joint's children"));
        }
        self.channel_names(joint, declared, rest)
    }

    fn channel_names<'a>(
        &mut self,
        joint: usize,
        declared: usize,
        mut rest: &'a [u8],
    ) -> Result<&'a [u8]> {
        let mut found = 0;
        loop {
            let (word, behind) = split_token(rest);
            let Some((kind, axis)) = channel_kind(word) else {
                let may_end = word.is_empty() || found >= declared;
                return match (found == declared, may_end) {
                    (true, _) => Ok(rest),
                    (false, true) => Err(ReadErrorKind::ChannelCount { declared, found }),
                    (false, false) => Err(ReadErrorKind::UnknownChannel { found: quoted(word) }),
                };
            };
            let axes = match kind {
                ChannelKind::Translation => &mut self.joints[joint].translation_axes,
                ChannelKind::Rotation => &mut self.joints[joint].rotation_axes,
            };
            if axes.contains(&axis) {
                return Err(ReadErrorKind::RepeatedChannel { found: quoted(word) });
            }
            axes.push(axis);
            self.channels.push(Channel { joint: JointId(joint), kind, axis });
            found += 1;
            rest = behind;
        }
    }

    /// The hierarchy and the warnings, once `MOTION` was met.
    pub(super) fn finish(mut self) -> Result<(Hierarchy, Vec<Warning>)> {
        if !self.started || self.joints.is_empty() {
            return Err(unexpected(b"MOTION", "HIERARCHY and ROOT before it"));
        }
        if self.open.last().is_some_and(|open| !open.braced) {
            return Err(unexpected(b"MOTION", "{ behind the name"));
        }
        if !self.open.is_empty() {
            self.mend("closing braces are missing before MOTION: read as if they were there");
        }
        while let Some(open) = self.open.pop() {
            self.close(&open)?;
        }
        if let Some((line, count)) = self.sites {
            let message = format!("leaf joints called Site are read as end sites: {count}");
            self.warnings.push(Warning { line, message });
        }
        if self.channels.is_empty() {
            return Err(ReadErrorKind::NoChannels);
        }
        if self.malformed {
            self.text.clear();
        }
        let skeleton = Skeleton::new(self.joints, self.end_sites)
            .expect("the parser opens one root and puts children behind their parents");
        let text = match self.malformed {
            true => canonical_text(&skeleton, &self.channels),
            false => self.text,
        };
        let translations = Translations::Replace;
        Ok((Hierarchy { skeleton, channels: self.channels, translations, text }, self.warnings))
    }

    /// What is wrong when the file ends before `MOTION`.
    pub(super) fn unfinished(&self) -> ReadErrorKind {
        match self.started {
            true => ReadErrorKind::NoMotion,
            false => ReadErrorKind::NotBvh { found: "an empty file".into() },
        }
    }

    fn warn(&mut self, message: &str) {
        const MOST: usize = 100;
        if self.warnings.len() < MOST {
            self.warnings.push(Warning { line: self.line, message: message.into() });
        }
    }

    fn mend(&mut self, message: &str) {
        self.malformed = true;
        self.warn(message);
    }
}

/// The first word of `text`, which also ends before a brace, and what follows it.
fn split_token(text: &[u8]) -> (&[u8], &[u8]) {
    let text = text.trim_ascii_start();
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b"{}".contains(byte);
    text.split_at(text.iter().position(ends).unwrap_or(text.len()))
}

/// Splits the rest of a joint's first line into its name, which may hold blanks, and what begins
/// with an opening brace.
///
/// In Shift-JIS a brace can be the second byte of a character (katakana BO is 83 7B), so one behind
/// a byte above 7F counts only in text that is UTF-8.
fn split_name(rest: &[u8]) -> (&[u8], &[u8]) {
    let is_brace = |&at: &usize| {
        rest[at] == b'{' && (at == 0 || rest[at - 1].is_ascii() || rest.to_str().is_ok())
    };
    let at = (0..rest.len()).find(is_brace).unwrap_or(rest.len());
    (rest[..at].trim_ascii(), &rest[at..])
}

fn unexpected(found: &[u8], expected: &'static str) -> ReadErrorKind {
    let found = if found.is_empty() { "the end of the line".into() } else { quoted(found) };
    ReadErrorKind::Unexpected { found, expected }
}
