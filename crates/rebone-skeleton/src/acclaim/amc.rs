//! The frames of an AMC.

use super::build::Asf;
use super::error::{ReadError, ReadErrorKind};
use super::words::{frame_number, number, words};
use crate::bvh::error::{Warning, quoted, unexpected};
use crate::bvh::lines::Lines;
use crate::bvh::read::MAX_JOINT_FRAMES;
use crate::{Clip, JointId, Pose};
use bstr::BStr;
use std::io::BufRead;

/// Seconds from one frame to the next, which an AMC does not state: those of the CMU library.
pub(crate) const FRAME_TIME: f64 = 1.0 / 120.0;

/// The frames to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Frames {
    All,
    #[cfg(feature = "disk")]
    First,
}

/// A whole AMC.
#[derive(Clone, Debug, PartialEq)]
pub struct Amc {
    /// The motion, at 120 frames a second: the file states no rate.
    pub clip: Clip,
    /// Parts that were skipped or assumed.
    pub warnings: Vec<Warning>,
}

/// Reads a whole AMC in memory, a motion of the skeleton `asf`.
///
/// # Errors
/// When it is no AMC of that skeleton that can be read one way only; the message holds the line, what was found and what
/// was expected.
pub fn parse_amc(bytes: &[u8], asf: &Asf) -> Result<Amc, ReadError> {
    Reader::new(bytes, asf)?.into_amc(Frames::All)
}

/// Reads an AMC frame by frame, in memory bounded by the skeleton and one line.
pub(crate) struct Reader<'a, R> {
    lines: Lines<R>,
    asf: &'a Asf,
    is_radians: bool,
    /// The number of the frame that is read, and its line; `None` at the end.
    frame: Option<(u64, usize)>,
    /// Line and numbers of the first two frames that do not follow each other, and how often frames do not.
    gap: Option<(usize, [u64; 2])>,
    gaps: usize,
    /// The joints that the frame has so far.
    seen: Vec<bool>,
    values: Vec<f64>,
    warnings: Vec<Warning>,
}

/// A line of a frame.
enum FrameLine {
    /// The number of the next frame.
    Next(u64),
    /// A bone.
    Bone,
    /// The file ends within this frame.
    Cut,
}

impl<'a, R: BufRead> Reader<'a, R> {
    /// Reads the lines before the first frame.
    ///
    /// # Errors
    /// When the text is no AMC, or has no frame.
    pub(crate) fn new(reader: R, asf: &'a Asf) -> Result<Self, ReadError> {
        let mut reader = Self {
            lines: Lines::new(reader),
            asf,
            is_radians: asf.is_radians,
            frame: None,
            gap: None,
            gaps: 0,
            seen: vec![false; asf.moves.len()],
            values: Vec::new(),
            warnings: Vec::new(),
        };
        reader.read_head()?;
        Ok(reader)
    }

    /// Overwrites `pose`, which is one of the skeleton, with the next frame; false when there is none.
    ///
    /// # Errors
    /// When the frame does not give each bone its values. There are no frames after an error.
    fn next_frame(&mut self, pose: &mut Pose) -> Result<bool, ReadError> {
        let Some((frame, _)) = self.frame.take() else { return Ok(false) };
        self.seen.fill(false);
        let next = loop {
            match self.frame_line(pose)? {
                Some(FrameLine::Bone) => {}
                Some(FrameLine::Next(number)) => break Some(number),
                Some(FrameLine::Cut) => return Ok(self.end_cut(frame)),
                None => break None,
            }
        };
        let missing =
            |(&seen, own): (&bool, &super::build::Movement)| !seen && !own.dofs.is_empty();
        let Some(missing) = self.seen.iter().zip(&self.asf.moves).position(missing) else {
            self.begin_frame(frame, next);
            return Ok(true);
        };
        if next.is_none() {
            return Ok(self.end_cut(frame));
        }
        let bone = quoted(&self.asf.skeleton()[JointId(missing)].name);
        Err(ReadErrorKind::MissingBone { frame, bone }.at(self.lines.number()))
    }

    /// Reads all frames that are left, or the first of them.
    pub(crate) fn into_amc(mut self, frames: Frames) -> Result<Amc, ReadError> {
        let skeleton = self.asf.skeleton();
        let mut clip = Clip::new(skeleton, FRAME_TIME);
        let mut pose = skeleton.rest_pose();
        let values: usize = self.asf.moves.iter().map(|own| own.dofs.len()).sum();
        let joints = skeleton.len();
        let limit = if values < joints { MAX_JOINT_FRAMES / joints } else { usize::MAX };
        while self.next_frame(&mut pose)? {
            if clip.len() == limit {
                let what = "more frames of bones that mostly have no dof";
                let kind = crate::bvh::ReadErrorKind::Limit { what, limit };
                return Err(ReadErrorKind::from(kind).at(self.lines.number()));
            }
            clip.push_own(&pose);
            if frames != Frames::All {
                break;
            }
        }
        if clip.is_empty() {
            return Err(ReadErrorKind::NoFrames.at(self.lines.number()));
        }
        Ok(Amc { clip, warnings: self.warnings })
    }

    fn read_head(&mut self) -> Result<(), ReadError> {
        while self.lines.advance_to_text()? {
            let line = self.lines.number();
            let text = self.lines.current();
            let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
            let words: Vec<&[u8]> = words(text).collect();
            let Some(&first) = words.first() else { continue };
            if let Some(number) = frame_number(&words) {
                let rate = "the file states no frame rate: read as 120 frames a second, that of the CMU library";
                self.warnings.push(Warning { line, message: rate.to_owned() });
                self.frame = Some((number, line));
                return Ok(());
            }
            match first.to_ascii_lowercase().as_slice() {
                b":degrees" => self.is_radians = false,
                b":radians" => self.is_radians = true,
                b":fully-specified" => {}
                [b':', ..] => {
                    let message = format!("the keyword {} is not known: left out", quoted(first));
                    self.warn(line, message);
                }
                _ => {
                    let expected = "the number of the first frame, alone on its line";
                    return Err(ReadErrorKind::from(unexpected(first, expected)).at(line));
                }
            }
        }
        Err(ReadErrorKind::NoFrames.at(self.lines.number()))
    }

    /// Takes the next line of a frame; `None` at the end of the file.
    fn frame_line(&mut self, pose: &mut Pose) -> Result<Option<FrameLine>, ReadError> {
        while self.lines.advance_to_text()? {
            let words: Vec<&[u8]> = words(self.lines.current()).collect();
            if words.is_empty() {
                continue;
            }
            if let Some(frame) = frame_number(&words) {
                return Ok(Some(FrameLine::Next(frame)));
            }
            let (number, has_end) = (self.lines.number(), self.lines.ended());
            return match self.bone(pose) {
                Ok(()) => Ok(Some(FrameLine::Bone)),
                Err(kind) if is_cut(&kind, has_end) && !self.lines.advance_to_text()? => {
                    Ok(Some(FrameLine::Cut))
                }
                Err(kind) => Err(kind.at(number)),
            };
        }
        Ok(None)
    }

    /// Poses the joint of the bone whose line was read last.
    fn bone(&mut self, pose: &mut Pose) -> Result<(), ReadErrorKind> {
        let mut words = words(self.lines.current());
        let name = words.next().unwrap_or_default();
        let advice = ": is it the skeleton of this motion?";
        let unknown = || ReadErrorKind::UnknownBone { bone: quoted(name), advice };
        let joint = *self.asf.joints.get(BStr::new(name)).ok_or_else(unknown)?;
        let Some(joint) = joint else { return Ok(()) };
        let own = &self.asf.moves[joint.index()];
        self.values.clear();
        for word in words {
            self.values.push(number(word)?);
        }
        let (found, expected) = (self.values.len(), own.dofs.len());
        if found != expected {
            return Err(ReadErrorKind::ValueCount { bone: quoted(name), found, expected });
        }
        if std::mem::replace(&mut self.seen[joint.index()], true) {
            return Err(ReadErrorKind::RepeatedBone { bone: quoted(name), place: "in a frame" });
        }
        let (rotation, offset) = own.transform(&self.values, self.is_radians);
        pose.rotations[joint.index()] = rotation;
        pose.translations[joint.index()] = self.asf.skeleton()[joint].rest_translation + offset;
        Ok(())
    }

    /// Begins the frame behind a complete one.
    fn begin_frame(&mut self, frame: u64, next: Option<u64>) {
        let line = self.lines.number();
        self.frame = next.map(|next| (next, line));
        if let Some(next) = next.filter(|&next| frame.checked_add(1) != Some(next)) {
            self.gap.get_or_insert((line, [frame, next]));
            self.gaps += 1;
        }
        if next.is_none() {
            self.end();
        }
    }

    /// Leaves out the last frame, in which the file ends. Returns that there is no frame.
    fn end_cut(&mut self, frame: u64) -> bool {
        let message = format!("the last frame, {frame}, is cut: it is left out");
        self.warn(self.lines.number(), message);
        self.end();
        false
    }

    /// Warns of frames that do not follow each other, once.
    fn end(&mut self) {
        if let Some((line, [before, next])) = self.gap.take() {
            let more = self.gaps - 1;
            let more = if more > 0 { format!(", and {more} more like it") } else { String::new() };
            let message = format!(
                "frame {next} follows frame {before}{more}: frames are read as if none were missing"
            );
            self.warn(line, message);
        }
    }

    fn warn(&mut self, line: usize, message: String) {
        self.warnings.push(Warning { line, message });
    }
}

/// Returns whether a file that was cut within its last line can have this fault there.
fn is_cut(kind: &ReadErrorKind, has_end: bool) -> bool {
    use crate::bvh::ReadErrorKind::NotANumber;
    match kind {
        ReadErrorKind::ValueCount { found, expected, .. } => found < expected,
        ReadErrorKind::UnknownBone { .. } | ReadErrorKind::Text(NotANumber { .. }) => !has_end,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::acclaim::build::tests::LEG;
    use crate::acclaim::parse_asf;
    use crate::{bvh, forward_kinematics};
    use proptest::prelude::*;

    const STEPS: &str = "#!OML:ASF leg.ASF
:FULLY-SPECIFIED
:DEGREES
1
root 0 9 0 0 0 0
thigh 10 0 0
shin 20
2
root 1 9 0 0 5 0
thigh 30 0 0
shin 40.5
3
root 2 9 0 0 5 0
thigh 50 0 0
shin 60
";

    fn leg() -> Asf {
        parse_asf(LEG.as_bytes()).unwrap()
    }

    fn messages(amc: &str) -> (usize, Vec<String>) {
        let Amc { clip, warnings } = parse_amc(amc.as_bytes(), &leg()).unwrap();
        (clip.len(), warnings.iter().skip(1).map(ToString::to_string).collect())
    }

    #[test]
    fn frames_are_read_at_the_usual_rate_which_is_said() {
        let amc = parse_amc(STEPS.as_bytes(), &leg()).unwrap();
        assert_eq!((amc.clip.len(), amc.clip.frame_time), (3, 1.0 / 120.0));
        let [warning] = amc.warnings.as_slice() else { panic!("{:?}", amc.warnings) };
        assert!(warning.line == 4 && warning.message.contains("120 frames a second"), "{warning}");
        let first = Reader::new(STEPS.as_bytes(), &leg()).unwrap().into_amc(Frames::First).unwrap();
        assert_eq!((first.clip.len(), first.clip.pose(0)), (1, amc.clip.pose(0)));
        let x: Vec<f64> = amc.clip.translations(JointId(0)).map(|place| place.x).collect();
        assert_eq!(x, [0.0, 1.0, 2.0]);
        let windows = STEPS.replace('\n', "\r\n");
        assert_eq!(parse_amc(windows.as_bytes(), &leg()).unwrap(), amc);
    }

    #[test]
    fn a_file_that_was_cut_keeps_its_whole_frames() {
        let asf = leg();
        let whole = parse_amc(STEPS.as_bytes(), &asf).unwrap().clip;
        let frames: Vec<usize> = STEPS.match_indices("\nshin").map(|(at, _)| at + 7).collect();
        for end in 0..STEPS.len() {
            let read = parse_amc(&STEPS.as_bytes()[..end], &asf);
            let complete = frames.iter().filter(|&&frame| frame <= end).count();
            let Ok(read) = read else {
                assert_eq!(complete, 0, "cut at {end}");
                continue;
            };
            assert_eq!(read.clip.len(), complete, "cut at {end}");
            for frame in 0..complete.saturating_sub(1) {
                assert_eq!(read.clip.pose(frame), whole.pose(frame));
            }
        }
        let (frames, warnings) = messages(STEPS.trim_end_matches("shin 60\n"));
        assert_eq!((frames, warnings.len()), (2, 1));
        assert!(warnings[0].contains("the last frame, 3, is cut: it is left out"), "{warnings:?}");
    }

    #[test]
    fn frames_that_are_missing_are_told_once() {
        let amc = STEPS.replace("\n2\n", "\n5\n").replace("\n3\n", "\n9\n");
        let (frames, warnings) = messages(&amc);
        assert_eq!((frames, warnings.len()), (3, 1));
        let said = "line 8: frame 5 follows frame 1, and 1 more like it: ";
        assert!(warnings[0].starts_with(said), "{warnings:?}");
    }

    #[test]
    fn bones_without_a_dof_may_be_left_out() {
        let still = LEG.replace("    dof rx\n", "");
        let asf = parse_asf(still.as_bytes()).unwrap();
        let without: String = STEPS
            .lines()
            .filter(|line| !line.starts_with("shin"))
            .map(|line| format!("{line}\n"))
            .collect();
        assert_eq!(parse_amc(without.as_bytes(), &asf).unwrap().clip.len(), 3);
        let error = parse_amc(without.as_bytes(), &leg()).unwrap_err().to_string();
        assert_eq!(
            error,
            "line 7: frame 1 has no bone \"shin\", expected all bones with a dof in each frame"
        );
    }

    #[test]
    fn faults_name_line_found_and_expected() {
        for (from, to, message) in [
            ("thigh 30 0 0", "thigh 30 0", "line 10: bone \"thigh\": found 2 values, expected 3"),
            ("thigh 30 0 0", "thigh 30 0 x", "line 10: found \"x\", expected a number"),
            ("thigh 30 0 0", "thigh 30 0 inf", "line 10: found \"inf\", expected a finite number"),
            (
                "thigh 30 0 0",
                "foot 30",
                "line 10: found bone \"foot\", expected one of the skeleton: is it",
            ),
            (
                "shin 40.5\n",
                "shin 40.5\nshin 1\n",
                "line 12: found bone \"shin\" for the second time",
            ),
            ("1\nroot", "root", "line 4: found \"root\", expected the number of the first frame"),
        ] {
            let error = parse_amc(STEPS.replacen(from, to, 1).as_bytes(), &leg()).unwrap_err();
            assert!(error.to_string().starts_with(message), "{error}");
        }
        for text in ["", "# nothing\n", ":DEGREES\n"] {
            let error = parse_amc(text.as_bytes(), &leg()).unwrap_err().to_string();
            assert!(error.contains("no frames"), "{error}");
        }
    }

    #[test]
    fn small_files_do_not_fill_the_memory() {
        let mut asf = String::from(":root\norder TX\n:bonedata\n");
        let names: Vec<String> = (0..5000).map(|bone| format!("b{bone}")).collect();
        for name in &names {
            asf += &format!("begin\nname {name}\ndirection 0 1 0\nlength 1\nend\n");
        }
        asf += &format!(":hierarchy\nroot {}\n", names.join(" "));
        let asf = parse_asf(asf.as_bytes()).unwrap();
        let error = parse_amc("1\nroot 0\n".repeat(5000).as_bytes(), &asf).unwrap_err().to_string();
        assert!(error.contains("more frames of bones that mostly have no dof"), "{error}");
    }

    proptest! {
        /// Whatever is changed in the texts, poses are finite, and what is written as BVH is read back.
        #[test]
        fn broken_texts_are_read_or_refused(
            edits in prop::collection::vec(
                (any::<bool>(), any::<prop::sample::Index>(), 0..9_usize, prop::sample::select(vec![
                    "", " ", "\n", "0", "1e12", "-7.5", "root", "thigh", "begin\n", "end\n", ":root\n", ":hierarchy\n",
                    "dof l tx\n", "axis 1 2 3 ZYX\n", "length 0\n", "#", "\u{7f}", "9\n",
                ])),
                1..8,
            ),
        ) {
            let mut texts = [LEG.as_bytes().to_vec(), STEPS.as_bytes().to_vec()];
            for (is_asf, at, length, word) in edits {
                let text = &mut texts[usize::from(!is_asf)];
                let at = at.index(text.len() + 1);
                let end = (at + length).min(text.len());
                text.splice(at..end, word.bytes());
            }
            let Ok(asf) = parse_asf(&texts[0]) else { return Ok(()) };
            let Ok(amc) = parse_amc(&texts[1], &asf) else { return Ok(()) };
            prop_assert!(amc.clip.check_for(asf.skeleton()).is_ok());
            for pose in amc.clip.poses() {
                prop_assert!(forward_kinematics(asf.skeleton(), &pose).is_ok());
            }
            let hierarchy = bvh::Hierarchy::from_skeleton(asf.skeleton());
            let options = bvh::WriteOptions::default();
            if !hierarchy.channels().is_empty()
                && let Ok(text) = bvh::write_clip(Vec::new(), &hierarchy, &amc.clip, options)
            {
                prop_assert_eq!(bvh::parse(&text).unwrap().motion.clip.len(), amc.clip.len());
            }
        }
    }
}
