//! The hierarchy section, word by word and without recursion.

use super::channel::channel_kind;
use super::error::{ReadErrorKind, Warning, quoted, unexpected};
use super::format::canonical_text;
use super::hierarchy::{Hierarchy, Translations};
use super::lines::{finite, split_name};
use super::nodes::{Nodes, Result};
use super::roots::{self, RootPart};
use super::rows::RowLayout;
use crate::Skeleton;
use bstr::ByteSlice;
use nalgebra::Vector3;

/// A hierarchy, the layout of its rows, and warnings.
pub(super) type ReadHierarchy = (Hierarchy, RowLayout, Vec<Warning>);

/// The longest hierarchy section.
const MAX_TEXT_BYTES: usize = 64 << 20;

/// The place where a hierarchy section ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SectionEnd {
    /// Not in this line.
    No,
    /// Behind this line, which has the word `MOTION`.
    Behind,
    /// Before this line, which has `Frames:`.
    Before,
}

/// Reads a hierarchy section, given line by line.
#[derive(Default)]
pub(super) struct Parser {
    started: bool,
    nodes: Nodes,
    text: Vec<u8>,
}

impl Parser {
    /// Takes the next line, and says whether it ends the section.
    pub(super) fn line(&mut self, number: usize, line: &[u8]) -> Result<SectionEnd> {
        self.nodes.line = number;
        let begins = |words| after_words(line, words).is_some();
        if self.nodes.is_closed() && (begins(&[b"Frames"]) || begins(&[b"Frame", b"Time"])) {
            self.nodes.warn("expected MOTION before this line: read as if it were there");
            return Ok(SectionEnd::Before);
        }
        let mut rest = line;
        loop {
            rest = rest.trim_ascii_start();
            if rest.is_empty() {
                self.keep(line)?;
                return Ok(SectionEnd::No);
            }
            let (word, behind) = split_token(rest);
            if word.eq_ignore_ascii_case(b"MOTION") {
                if !behind.trim_ascii().is_empty() {
                    return Err(unexpected(behind, "the end of the line behind MOTION"));
                }
                self.keep(line[..line.len() - rest.len()].trim_ascii_end())?;
                return Ok(SectionEnd::Behind);
            }
            rest = self.statement(rest)?;
        }
    }

    fn keep(&mut self, line: &[u8]) -> Result<()> {
        if self.text.len() + line.len() > MAX_TEXT_BYTES {
            return Err(ReadErrorKind::Limit { what: "a longer hierarchy", limit: MAX_TEXT_BYTES });
        }
        if !line.trim_ascii().is_empty() {
            self.text.extend_from_slice(line);
            self.text.push(b'\n');
        }
        Ok(())
    }

    /// Takes the statement that `text` begins with and returns what follows it.
    fn statement<'a>(&mut self, text: &'a [u8]) -> Result<&'a [u8]> {
        if !self.started {
            return self.first_word(text);
        }
        if text[0] == b'{' {
            return self.nodes.open_brace().map(|()| &text[1..]);
        }
        if text[0] == b'}' {
            return self.nodes.close_brace().map(|()| &text[1..]);
        }
        let (word, rest) = split_token(text);
        if self.nodes.expects_brace() {
            return Err(unexpected(word, "{ behind the name"));
        }
        let outside = self.nodes.is_outside();
        match word.to_ascii_uppercase().as_slice() {
            b"ROOT" => self.joint(rest, true),
            b"JOINT" => self.joint(rest, false),
            b"END" => self.end_site(rest),
            b"OFFSET" => self.offset(rest),
            b"CHANNELS" => self.channels(rest),
            _ if self.nodes.joints.is_empty() => {
                Err(unexpected(word, "ROOT and the name of the first joint"))
            }
            _ if word == text.trim_ascii_end() => {
                self.nodes.repair("a stray word alone on its line: passed over");
                Ok(rest)
            }
            _ if outside => Err(unexpected(word, "MOTION behind the hierarchy")),
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
            self.nodes.repair("found ROOT, expected HIERARCHY before it: read as if it were there");
            return Ok(text);
        }
        Err(ReadErrorKind::NotBvh { found: quoted(text) })
    }

    fn joint<'a>(&mut self, rest: &'a [u8], is_root: bool) -> Result<&'a [u8]> {
        let (name, rest) = split_name(rest);
        self.nodes.joint(name, is_root)?;
        Ok(rest)
    }

    fn end_site<'a>(&mut self, rest: &'a [u8]) -> Result<&'a [u8]> {
        let (name, rest) = split_name(rest);
        let (word, _) = split_token(name);
        self.nodes.end_site(word.eq_ignore_ascii_case(b"Site"))?;
        Ok(rest)
    }

    fn offset<'a>(&mut self, mut rest: &'a [u8]) -> Result<&'a [u8]> {
        let mut offset = Vector3::zeros();
        for coordinate in offset.iter_mut() {
            let (word, behind) = split_token(rest);
            if word.is_empty() {
                return Err(unexpected(rest, "three numbers behind OFFSET"));
            }
            *coordinate = finite(word)?;
            rest = behind;
        }
        self.nodes.offset(offset)?;
        Ok(rest)
    }

    fn channels<'a>(&mut self, rest: &'a [u8]) -> Result<&'a [u8]> {
        let (count, mut rest) = split_token(rest);
        let declared = count.to_str().ok().and_then(|count| count.parse::<usize>().ok());
        let declared =
            declared.ok_or_else(|| unexpected(count, "the number of channels behind CHANNELS"))?;
        let Some(joint) = self.nodes.begin_channels(declared)? else { return Ok(rest) };
        for found in 0.. {
            let (word, behind) = split_token(rest);
            match channel_kind(word) {
                Some((kind, axis)) if self.nodes.channel(joint, kind, axis) => rest = behind,
                Some(_) => return Err(ReadErrorKind::RepeatedChannel { found: quoted(word) }),
                None if found == declared => break,
                None if word.is_empty() || found > declared => {
                    return Err(ReadErrorKind::ChannelCount { declared, found });
                }
                None => return Err(ReadErrorKind::UnknownChannel { found: quoted(word) }),
            }
        }
        Ok(rest)
    }

    /// The hierarchy below the wanted root, the layout of its rows, and the warnings, once `MOTION` was met.
    pub(super) fn finish(mut self, root: Option<&str>) -> Result<ReadHierarchy> {
        if self.nodes.joints.is_empty() {
            return Err(unexpected(b"MOTION", "HIERARCHY and ROOT before it"));
        }
        if self.nodes.expects_brace() {
            return Err(unexpected(b"MOTION", "{ behind the name"));
        }
        self.nodes.close_all()?;
        let RootPart { joints, end_sites, channels, layout } = roots::part(&mut self.nodes, root)?;
        let Nodes { malformed, warnings, .. } = self.nodes;
        if channels.is_empty() {
            return Err(ReadErrorKind::NoChannels);
        }
        let skeleton = Skeleton::new(joints, end_sites)
            .expect("there is one root, and children are met behind their parents");
        let is_own = !malformed && layout.is_none();
        let text = if is_own { self.text } else { canonical_text(&skeleton, &channels) };
        let translations = Translations::Replace;
        let hierarchy = Hierarchy { skeleton, channels, translations, text };
        let layout = layout.unwrap_or_else(|| RowLayout::declared(&hierarchy));
        Ok((hierarchy, layout, warnings))
    }

    /// The error for a file that ends before `MOTION`.
    pub(super) fn unfinished(&self) -> ReadErrorKind {
        match self.started {
            true => ReadErrorKind::NoMotion,
            false => ReadErrorKind::NotBvh { found: "an empty file".into() },
        }
    }
}

/// Returns the text after `words` and a colon in `line`, if it begins with them, in any case.
pub(super) fn after_words<'a>(line: &'a [u8], words: &[&[u8]]) -> Option<&'a [u8]> {
    let mut rest = line;
    for word in words {
        let (start, behind) = rest.trim_ascii_start().split_at_checked(word.len())?;
        if !start.eq_ignore_ascii_case(word) {
            return None;
        }
        rest = behind;
    }
    let rest = rest.trim_ascii_start();
    Some(rest.strip_prefix(b":").unwrap_or(rest).trim_ascii())
}

/// The first word of `text`, which also ends before a brace, and what follows it.
fn split_token(text: &[u8]) -> (&[u8], &[u8]) {
    let text = text.trim_ascii_start();
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b"{}".contains(byte);
    text.split_at(text.iter().position(ends).unwrap_or(text.len()))
}
