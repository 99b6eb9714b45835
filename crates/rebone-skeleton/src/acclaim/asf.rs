//! The text of an ASF, section by section.

use super::error::{ReadError, ReadErrorKind};
use super::words::{number, words};
use super::{AcclaimFile, recognise};
use crate::Axis;
use crate::bvh::error::{Warning, quoted, unexpected};
use crate::bvh::lines::Lines;
use crate::bvh::nodes::{MAX_NAME_BYTES, MAX_NODES, MAX_WARNINGS, check_limit};
use bstr::BString;
use nalgebra::Vector3;

type Result<T> = std::result::Result<T, ReadErrorKind>;

/// A degree of freedom: one number of a bone in each frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dof {
    /// Position along an axis of the bone.
    Translation(Axis),
    /// Angle about an axis of the bone.
    Rotation(Axis),
    /// Movement along the bone.
    Along,
}

/// A bone as the file has it; angles are in its unit.
#[derive(Debug, Default)]
pub(super) struct Bone {
    pub(super) name: BString,
    /// The line of its `begin`.
    pub(super) line: usize,
    pub(super) direction: Option<Vector3<f64>>,
    pub(super) length: Option<f64>,
    pub(super) axes: Option<Vector3<f64>>,
    /// The axes in the order in which rotations about them follow each other.
    pub(super) order: Vec<Axis>,
    pub(super) dofs: Vec<Dof>,
}

/// A line of the hierarchy.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) line: usize,
    pub(super) parent: BString,
    pub(super) children: Vec<BString>,
}

/// The root as the file has it.
#[derive(Debug, Default)]
pub(super) struct Root {
    pub(super) dofs: Option<Vec<Dof>>,
    /// The order of its orientation's angles.
    pub(super) order: Vec<Axis>,
    pub(super) position: Vector3<f64>,
    pub(super) orientation: Vector3<f64>,
    /// The line of a position or an orientation that is not zero.
    pub(super) moved: Option<usize>,
}

/// A section, begun by a keyword with a colon.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Section {
    /// None yet, or one that is not needed.
    #[default]
    Other,
    Units,
    Root,
    Bones,
    Hierarchy,
}

/// All that an ASF says.
#[derive(Debug, Default)]
pub(super) struct AsfText {
    section: Section,
    /// The bone between `begin` and `end`.
    open: Option<Bone>,
    /// True behind a `begin` of the hierarchy that has no `end` yet.
    is_hierarchy_open: bool,
    pub(super) is_radians: bool,
    pub(super) root: Root,
    pub(super) bones: Vec<Bone>,
    pub(super) links: Vec<Link>,
    /// Names in the links.
    linked: usize,
    pub(super) warnings: Vec<Warning>,
}

impl AsfText {
    /// Reads the sections. Returns them and the number of lines.
    pub(super) fn read(bytes: &[u8]) -> std::result::Result<(Self, usize), ReadError> {
        let mut text = Self::default();
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        let mut lines = Lines::new(bytes);
        let mut has_begun = false;
        while lines.advance()? {
            let number = lines.number();
            let line: Vec<&[u8]> = words(lines.current()).collect();
            let Some((&first, rest)) = line.split_first() else { continue };
            if first.starts_with(b":") {
                text.section = text.begin(number, first).map_err(|kind| kind.at(number))?;
                has_begun = true;
            } else if has_begun {
                text.line(number, first, rest).map_err(|kind| kind.at(number))?;
            } else {
                return Err(no_keyword(bytes, first).at(number));
            }
        }
        text.check_end(lines.number())?;
        Ok((text, lines.number()))
    }

    /// Checks that the text was not cut within a bone or the hierarchy.
    fn check_end(&self, last_line: usize) -> std::result::Result<(), ReadError> {
        let missing = |expected, line| Err(ReadErrorKind::MissingPart { expected }.at(line));
        match &self.open {
            Some(open) => missing("end behind the last bone", open.line),
            None if self.section == Section::Hierarchy && self.is_hierarchy_open => {
                missing("end behind the hierarchy", last_line)
            }
            None => Ok(()),
        }
    }

    fn begin(&mut self, number: usize, keyword: &[u8]) -> Result<Section> {
        if self.open.is_some() {
            return Err(unexpected(keyword, "end behind the bone").into());
        }
        Ok(match keyword.to_ascii_lowercase().as_slice() {
            b":units" => Section::Units,
            b":root" => Section::Root,
            b":bonedata" => Section::Bones,
            b":hierarchy" => Section::Hierarchy,
            b":version" | b":name" | b":documentation" | b":skin" => Section::Other,
            b":degrees" | b":radians" | b":fully-specified" => {
                return Err(ReadErrorKind::Motion { found: quoted(keyword) });
            }
            _ => {
                self.warn(
                    number,
                    format!("the section {} is not known: left out", quoted(keyword)),
                );
                Section::Other
            }
        })
    }

    fn line(&mut self, number: usize, first: &[u8], rest: &[&[u8]]) -> Result<()> {
        let key = first.to_ascii_lowercase();
        match self.section {
            Section::Other => Ok(()),
            Section::Units => self.unit(&key, rest),
            Section::Root => self.root_line(number, &key, rest),
            Section::Bones => self.bone_line(number, first, &key, rest),
            Section::Hierarchy if rest.is_empty() && [&b"begin"[..], b"end"].contains(&&*key) => {
                self.is_hierarchy_open = key == b"begin";
                Ok(())
            }
            Section::Hierarchy => self.link(number, first, rest),
        }
    }

    fn unit(&mut self, key: &[u8], rest: &[&[u8]]) -> Result<()> {
        if key == b"angle" {
            let unit = rest.first().copied().unwrap_or_default();
            self.is_radians = match unit.to_ascii_lowercase().as_slice() {
                b"deg" => false,
                b"rad" => true,
                _ => return Err(unexpected(unit, "deg or rad behind angle").into()),
            };
        }
        Ok(())
    }

    fn root_line(&mut self, number: usize, key: &[u8], rest: &[&[u8]]) -> Result<()> {
        match key {
            b"order" => {
                let dofs = dofs(rest)?;
                if dofs.contains(&Dof::Along) {
                    return Err(unexpected(b"L", "TX, TY, TZ, RX, RY and RZ behind order").into());
                }
                self.root.dofs = Some(dofs);
            }
            b"axis" => self.root.order = order(rest.last().copied().unwrap_or_default())?,
            b"position" | b"orientation" => {
                let numbers = three(rest, "three numbers, and the end of the line")?;
                if numbers != Vector3::zeros() {
                    self.root.moved.get_or_insert(number);
                }
                match key {
                    b"position" => self.root.position = numbers,
                    _ => self.root.orientation = numbers,
                }
            }
            _ => self.warn(number, format!("the root's line {} is left out", quoted(key))),
        }
        Ok(())
    }

    fn bone_line(&mut self, line: usize, first: &[u8], key: &[u8], rest: &[&[u8]]) -> Result<()> {
        let Some(bone) = &mut self.open else {
            if key != b"begin" {
                return Err(unexpected(first, "begin before a bone, or :hierarchy").into());
            }
            check_limit("more bones", self.bones.len() + 1, MAX_NODES)?;
            self.open = Some(Bone { line, ..Bone::default() });
            return Ok(());
        };
        match key {
            b"begin" => return Err(unexpected(first, "end behind the bone").into()),
            b"end" => self.bones.extend(self.open.take()),
            b"name" => {
                let name = rest.first().copied().unwrap_or_default();
                check_limit("a longer name", name.len(), MAX_NAME_BYTES)?;
                bone.name = name.into();
            }
            b"direction" => bone.direction = Some(three(rest, "three numbers behind direction")?),
            b"length" => bone.length = Some(length(rest.first().copied().unwrap_or_default())?),
            b"axis" => {
                const EXPECTED: &str = "three angles and their order behind axis: axis 0 0 20 XYZ";
                let Some((angles, [name])) = rest.split_at_checked(3) else {
                    let found = rest.get(3..).unwrap_or_default().join(&b' ');
                    return Err(unexpected(&found, EXPECTED).into());
                };
                bone.axes = Some(three(angles, EXPECTED)?);
                bone.order = order(name)?;
            }
            b"dof" => bone.dofs = dofs(rest)?,
            // Identities, limits in lines of their own, masses.
            _ => {}
        }
        Ok(())
    }

    fn link(&mut self, line: usize, parent: &[u8], children: &[&[u8]]) -> Result<()> {
        self.linked += children.len() + 1;
        check_limit("more bones in the hierarchy", self.linked, 2 * MAX_NODES)?;
        let children = children.iter().map(|&child| child.into()).collect();
        self.links.push(Link { line, parent: parent.into(), children });
        Ok(())
    }

    pub(super) fn warn(&mut self, line: usize, message: String) {
        if self.warnings.len() < MAX_WARNINGS {
            self.warnings.push(Warning { line, message });
        }
    }
}

/// The fault of a text that does not begin with a keyword.
fn no_keyword(text: &[u8], first: &[u8]) -> ReadErrorKind {
    if recognise(text) == Some(AcclaimFile::Amc) {
        return ReadErrorKind::Motion { found: quoted(first) };
    }
    unexpected(first, ":version, or another keyword of an Acclaim skeleton").into()
}

fn length(word: &[u8]) -> Result<f64> {
    let length = number(word)?;
    if length < 0.0 {
        return Err(unexpected(word, "a length of at least 0").into());
    }
    Ok(length)
}

/// Reads degrees of freedom, each of which may stand once.
fn dofs(words: &[&[u8]]) -> Result<Vec<Dof>> {
    let mut dofs = Vec::new();
    for word in words {
        let dof = match word.to_ascii_lowercase().as_slice() {
            [kind @ (b't' | b'r'), axis @ b'x'..=b'z'] => {
                let axis = Axis::ALL[usize::from(axis - b'x')];
                if *kind == b't' { Dof::Translation(axis) } else { Dof::Rotation(axis) }
            }
            b"l" => Dof::Along,
            _ => return Err(unexpected(word, "tx, ty, tz, rx, ry, rz or l").into()),
        };
        if dofs.contains(&dof) {
            return Err(unexpected(word, "each dof once").into());
        }
        dofs.push(dof);
    }
    Ok(dofs)
}

/// Reads an order of rotations: the three axes, each once.
fn order(word: &[u8]) -> Result<Vec<Axis>> {
    let axis = |letter: u8| match letter.to_ascii_lowercase() {
        letter @ b'x'..=b'z' => Some(Axis::ALL[usize::from(letter - b'x')]),
        _ => None,
    };
    let axes: Option<Vec<Axis>> = word.iter().map(|&letter| axis(letter)).collect();
    let has_all = |axes: &Vec<Axis>| {
        axes.len() == Axis::ALL.len() && Axis::ALL.iter().all(|axis| axes.contains(axis))
    };
    axes.filter(has_all).ok_or_else(|| unexpected(word, "an order of X, Y and Z: XYZ").into())
}

fn three(words: &[&[u8]], expected: &'static str) -> Result<Vector3<f64>> {
    let [x, y, z] = words else {
        return Err(unexpected(&words.join(&b' '), expected).into());
    };
    Ok(Vector3::new(number(x)?, number(y)?, number(z)?))
}
