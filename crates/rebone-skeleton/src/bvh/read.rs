//! The motion section, frame by frame, and whole files on top.

use super::error::{ReadError, ReadErrorKind, Warning, quoted};
use super::hierarchy::Hierarchy;
use super::lines::{Lines, finite};
use super::parse::{Parser, ReadHierarchy, SectionEnd, after_words};
use super::rows::{CutRows, RowLayout};
use crate::{Clip, Motion, Pose};
use bstr::ByteSlice;
use std::io::BufRead;

/// Joints times frames in memory where there are fewer channels than joints: else a small file could ask for any amount.
pub(crate) const MAX_JOINT_FRAMES: usize = 1 << 24;

/// A whole BVH file.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// The hierarchy section.
    pub hierarchy: Hierarchy,
    /// The hierarchy's skeleton and its motion.
    pub motion: Motion,
    /// Repairs, and parts that were skipped.
    pub warnings: Vec<Warning>,
}

/// Reads a whole BVH file in memory.
///
/// # Errors
/// When it is not a BVH that can be read one way only; the message holds the line, what was found and what was
/// expected.
pub fn parse(bytes: &[u8]) -> Result<Document, ReadError> {
    Reader::new(bytes)?.into_document()
}

/// Reads a BVH frame by frame, in memory bounded by the hierarchy and one frame or line.
///
/// The hierarchy and the first frame are read at once: they decide what position channels mean
/// ([`Hierarchy::translations`]).
pub struct Reader<R> {
    lines: Lines<R>,
    hierarchy: Hierarchy,
    warnings: Vec<Warning>,
    frame_time: f64,
    /// The line of `Frames:` and the number after it.
    declared: Option<(usize, u64)>,
    frames: u64,
    /// The places of the channels in a row.
    layout: RowLayout,
    /// The values of the last frame read, or of all that stand on one line.
    values: Vec<f64>,
    /// The values that were read before those.
    before: Vec<f64>,
    /// The values of one frame in the order of the channels, where rows have another.
    ordered: Vec<f64>,
    /// True once a frame was spread over several lines.
    is_spread: bool,
    /// Rows with too few values, each of which keeps the frame before.
    cut: Option<CutRows>,
    /// The number of frames at the end of `values` that were not returned yet.
    ready: usize,
    ended: bool,
}

impl<R: BufRead> Reader<R> {
    /// Reads the hierarchy, the head of the motion section and the first frame.
    ///
    /// # Errors
    /// When these are not those of a BVH file that can be read one way only, or there is no frame.
    pub fn new(reader: R) -> Result<Self, ReadError> {
        Self::of_root(reader, None)
    }

    /// Reads one root of a file with several, by its name or, as `#1`, by its number, counted from 0. Default: the one with
    /// the most joints, with a warning.
    ///
    /// # Errors
    /// As [`new`](Self::new), or when no root has the name, or several.
    pub fn of_root(reader: R, root: Option<&str>) -> Result<Self, ReadError> {
        let mut lines = Lines::new(reader);
        let (hierarchy, layout, warnings) = read_hierarchy(&mut lines, root)?;
        let mut reader = Self {
            lines,
            hierarchy,
            warnings,
            frame_time: 0.0,
            declared: None,
            frames: 0,
            layout,
            values: Vec::new(),
            before: Vec::new(),
            ordered: Vec::new(),
            is_spread: false,
            cut: None,
            ready: 0,
            ended: false,
        };
        reader.read_head()?;
        if !reader.read_values()? {
            return Err(ReadErrorKind::NoFrames.at(reader.lines.number()));
        }
        let Self { layout, values, hierarchy, ordered, .. } = &mut reader;
        let first = layout.values(&values[..layout.width], hierarchy, ordered).to_vec();
        hierarchy.decide_translations(&first);
        Ok(reader)
    }

    /// The hierarchy section.
    pub fn hierarchy(&self) -> &Hierarchy {
        &self.hierarchy
    }

    /// Seconds from one frame to the next: positive and finite.
    pub fn frame_time(&self) -> f64 {
        self.frame_time
    }

    /// Repairs and skipped parts so far. Complete once [`next_frame`](Self::next_frame) has
    /// said that there is none.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Overwrites `pose` with the next frame; false when there is none.
    ///
    /// # Errors
    /// When the frame has a value that is no finite number, or too many or too few values. There
    /// are no frames after an error.
    pub fn next_frame(&mut self, pose: &mut Pose) -> Result<bool, ReadError> {
        if self.ready == 0 && !self.read_values()? {
            return Ok(false);
        }
        let start = self.values.len() - self.ready * self.layout.width;
        let row = &self.values[start..][..self.layout.width];
        let values = self.layout.values(row, &self.hierarchy, &mut self.ordered);
        self.hierarchy.decode(values, pose);
        self.ready -= 1;
        Ok(true)
    }

    /// Reads all frames that are left.
    pub(crate) fn into_document(mut self) -> Result<Document, ReadError> {
        let mut clip = Clip::new(self.hierarchy.skeleton(), self.frame_time);
        let mut pose = self.hierarchy.skeleton().rest_pose();
        let joints = self.hierarchy.skeleton().len();
        let most = match self.hierarchy.channels().len() < joints {
            true => MAX_JOINT_FRAMES / joints,
            false => usize::MAX,
        };
        while self.next_frame(&mut pose)? {
            if clip.len() == most {
                let what = "more frames of joints that mostly have no channels";
                return Err(ReadErrorKind::Limit { what, limit: most }.at(self.lines.number()));
            }
            clip.push_own(&pose);
        }
        let motion = Motion { skeleton: self.hierarchy.skeleton().clone(), clip };
        Ok(Document { hierarchy: self.hierarchy, motion, warnings: self.warnings })
    }

    /// Reads `Frames:` and `Frame Time:`, in any order.
    fn read_head(&mut self) -> Result<(), ReadError> {
        self.frame_time = f64::NAN;
        while self.declared.is_none() || self.frame_time.is_nan() {
            let more = self.lines.advance_to_text()?;
            let number = self.lines.number();
            let line = if more { self.lines.current().trim_ascii() } else { b"" };
            if let Some(time) = after_words(line, &[b"Frame", b"Time"]) {
                let seconds = finite(time).ok().filter(|&time| time > 0.0);
                let wrong = || ReadErrorKind::FrameTime { found: quoted(line) }.at(number);
                self.frame_time = seconds.ok_or_else(wrong)?;
            } else if let Some(count) = after_words(line, &[b"Frames"]) {
                let count = whole_number(count).map_err(|kind| kind.at(number))?;
                self.declared = Some((number, count));
            } else if self.frame_time.is_nan() {
                let end = "the end of the file";
                let found = if more { quoted(line) } else { end.into() };
                return Err(ReadErrorKind::FrameTime { found }.at(number));
            } else {
                self.warn(number, "no line \"Frames:\" before the motion".into());
                self.lines.stay();
                break;
            }
        }
        Ok(())
    }

    /// Reads the values of the next frame, from one line or several; false when there is none.
    ///
    /// Up to the declared count, lines are added up until a frame is full; one line may hold all
    /// frames that are still to come. Behind it only whole frames count, and the first other line
    /// ends the motion. Where frames are lines, one with too few values keeps the frame before.
    fn read_values(&mut self) -> Result<bool, ReadError> {
        std::mem::swap(&mut self.values, &mut self.before);
        self.values.clear();
        let (mut start, mut lines) = (0, 0);
        while !self.ended && self.lines.advance_to_text()? {
            let number = self.lines.number();
            let before = self.values.len();
            start = if before == 0 { number } else { start };
            let result = self.lines.push_numbers(&mut self.values);
            self.ready = if result.is_ok() { self.complete_frames(before) } else { 0 };
            self.is_spread |= self.ready > 0 && before > 0;
            if self.ready == 0 && result.is_ok() && self.is_first_of_other_rows(before, lines) {
                self.ready = 1;
            }
            if self.ready > 0 {
                self.frames += self.ready as u64;
                return Ok(true);
            }
            let (found, expected) = (self.values.len(), self.layout.width);
            let declared = self.hierarchy.channels().len();
            lines += 1;
            if self.missing() == Some(0) {
                let what = if result.is_ok() { "another number of values" } else { "other text" };
                self.warn(number, format!("{what} behind the motion: not read from here on"));
                self.values.clear();
                break;
            }
            let error = match result {
                // The file was cut within a number.
                Err((ReadErrorKind::NotANumber { .. }, true))
                    if !self.lines.ended() && found < expected =>
                {
                    break;
                }
                Err((error, _)) => error.at(number),
                Ok(()) if found < expected => continue,
                Ok(()) if before == 0 => ReadErrorKind::FrameLength { found, expected }.at(number),
                Ok(()) if self.frames > 0 && !self.is_spread && before != declared => {
                    self.keep_frame_before(lines - 1, (start, before));
                    return Ok(true);
                }
                Ok(()) => ReadErrorKind::FrameLength { found: before, expected }.at(start),
            };
            self.ended = true;
            return Err(error);
        }
        if self.frames == 0 && self.is_first_of_other_rows(self.values.len(), 1) {
            (self.ready, self.frames) = (1, 1);
            return Ok(true);
        }
        self.end()?;
        Ok(false)
    }

    /// Returns whether the rows of the motion are of another layout than declared, of which the first one is complete, and
    /// takes that layout. `before` values and `lines` were read before the current line.
    fn is_first_of_other_rows(&mut self, before: usize, lines: usize) -> bool {
        if self.frames > 0 || !self.layout.is_declared() {
            return false;
        }
        let (found, expected) = (self.values.len(), self.layout.width);
        let (wide, narrow) = (
            RowLayout::six_values_a_joint(&self.hierarchy),
            RowLayout::rotations_below_root(&self.hierarchy),
        );
        let is_of = |layout: &RowLayout, count: usize| layout.width == count;
        let (layout, read_as) = match (wide, narrow) {
            (Some(wide), _) if before == 0 && is_of(&wide, found) => {
                (wide, "six a joint, of which positions without a channel are left out")
            }
            // The second line is a row as well, or there is none.
            (_, Some(narrow))
                if lines == 1
                    && is_of(&narrow, before)
                    && (found == before || found == 2 * before && found > expected) =>
            {
                (narrow, "without positions below the root, which are those of OFFSET")
            }
            _ => return false,
        };
        if found > layout.width {
            self.values.truncate(before);
            self.lines.stay();
        }
        let message = format!(
            "found rows of {} values, expected {expected}: read as {read_as}",
            layout.width
        );
        self.warn(self.lines.number(), message);
        self.layout = layout;
        true
    }

    /// Keeps the frame before in place of rows with too few values: `(line, found)` are the line of the first of them, and
    /// their values. The current line is the next row.
    fn keep_frame_before(&mut self, rows: usize, (line, found): (usize, usize)) {
        let expected = self.layout.width;
        let last = self.before.len() - expected;
        self.values.clear();
        for _ in 0..rows {
            self.values.extend_from_slice(&self.before[last..]);
        }
        self.ready = rows;
        self.frames += rows as u64;
        self.cut.get_or_insert(CutRows { line, found, count: 0 }).count += rows as u64;
        self.lines.stay();
    }

    /// The number of declared frames that are still to come, if a count is declared.
    fn missing(&self) -> Option<u64> {
        self.declared.map(|(_, declared)| declared.saturating_sub(self.frames))
    }

    /// The number of frames in `values`: the next one, or all that are still to come from one line.
    fn complete_frames(&self, before: usize) -> usize {
        let (found, expected) = (self.values.len(), self.layout.width);
        let count = found / expected;
        let is_rest = before == 0 && self.missing() == Some(count as u64);
        if found == expected || is_rest && found.is_multiple_of(expected) { count } else { 0 }
    }

    /// Warns of a motion that does not end as declared, once.
    fn end(&mut self) -> Result<(), ReadError> {
        if std::mem::replace(&mut self.ended, true) {
            return Ok(());
        }
        if !self.values.is_empty() {
            let (found, expected) = (self.values.len(), self.layout.width);
            let message = format!(
                "the last frame is cut, {found} values instead of {expected}: it is left out"
            );
            self.warn(self.lines.number(), message);
        }
        if let Some(CutRows { line, found, count }) = self.cut.take() {
            let expected = self.layout.width;
            if 2 * count >= self.frames {
                return Err(ReadErrorKind::FrameLength { found, expected }.at(line));
            }
            let rows = if count == 1 { "row has" } else { "rows have" };
            let message =
                format!("{count} {rows} fewer values than {expected}: the frame before is kept");
            self.warn(line, message);
        }
        if let Some((line, declared)) = self.declared
            && declared != self.frames
        {
            let message =
                format!("declares {declared} frames, has {}: what is there is read", self.frames);
            self.warn(line, message);
        }
        Ok(())
    }

    fn warn(&mut self, line: usize, message: String) {
        self.warnings.push(Warning { line, message });
    }
}

fn read_hierarchy<R: BufRead>(
    lines: &mut Lines<R>,
    root: Option<&str>,
) -> Result<ReadHierarchy, ReadError> {
    let mut parser = Parser::default();
    while lines.advance()? {
        let number = lines.number();
        let line = lines.current();
        let line = if number == 1 { line.trim_start_with(|c| c == '\u{feff}') } else { line };
        let end = parser.line(number, line).map_err(|kind| kind.at(number))?;
        if end == SectionEnd::Before {
            lines.stay();
        }
        if end != SectionEnd::No {
            return parser.finish(root).map_err(|kind| kind.at(number));
        }
    }
    Err(parser.unfinished().at(lines.number()))
}

fn whole_number(text: &[u8]) -> Result<u64, ReadErrorKind> {
    let number = finite(text).ok().filter(|number| *number >= 0.0 && number.fract() == 0.0);
    number.map(|number| number as u64).ok_or_else(|| ReadErrorKind::Unexpected {
        found: quoted(text),
        expected: "the number of frames behind \"Frames:\"",
    })
}
