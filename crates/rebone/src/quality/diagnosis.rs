//! Diagnosis of a source: defects of its motion, in words.

use super::{Finding, Grade, Verdict};
use nalgebra::Vector3;
use rebone_body::body::Anatomy;
use rebone_body::calibrate::{RootUnit, root_unit};
use rebone_skeleton::{Clip, ClipError, Defect, DefectKind, JointId, Skeleton, defects};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Number of joints that a line names.
const MAX_EXAMPLES: usize = 3;
/// Speed of the root that no body has, in lengths of its longest chain of bones a second: the fastest sprint, 12.4 m/s of a
/// body of 1.7 m whose chain is half of its height.
const MAX_ROOT_LENGTHS_PER_SECOND: f64 = 15.0;
/// Log-odds against one unit above which positions of the root are remarked: 30 to 1.
const MIN_ROOT_UNIT_LOG_ODDS: f64 = 3.4;
/// Distance of the root from the origin, in lengths of its longest chain of bones: beyond, 32 bits do not resolve a tenth of it.
const MAX_ROOT_LENGTHS: f64 = 1e6;
/// Advice on positions of a root in another unit.
const SCALES_ROOT: &str = "--root-scale auto scales them";
/// Frame rates at which speeds say something; others are mostly slips.
const FRAME_RATES: RangeInclusive<f64> = 4.0..=1000.0;
/// Frames between a defect of the source and a finding that it may cause.
const MAX_FRAMES_APART: usize = 2;

/// Defects of a motion: what a capture system, an exporter or a wrong key left in it.
///
/// ```
/// use rebone::quality::Diagnosis;
/// let walk = rebone_samples::walk().motion;
/// let diagnosis = Diagnosis::new(&walk.skeleton, &walk.clip)?;
/// assert!(diagnosis.motion.is_empty());
/// # Ok::<(), rebone::skeleton::ClipError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Diagnosis {
    /// Defects in words, one line for all joints of a frame.
    pub motion: Vec<String>,
    /// Defects by kind, frame and joint.
    defects: Vec<MotionDefect>,
    /// Frame of each line, `None` for the whole clip, and its text without the frame.
    #[serde(skip)]
    lines: Vec<(Option<usize>, String)>,
    /// Remarks on the positions of the root in the whole clip.
    #[serde(skip)]
    of_root: Vec<String>,
    /// Frames in which the root jumps to another position.
    #[serde(skip)]
    teleports: Vec<usize>,
}

/// A defect of a motion.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct MotionDefect {
    /// Kind: `jump`, `spike`, `teleport` or `stretch`.
    kind: &'static str,
    /// Name of the joint.
    joint: String,
    /// Frame in which it is largest, counted from 0.
    frame: usize,
    /// Degrees of jumps and spikes; of teleports the distance over the body's extent; of stretches the change over the
    /// joint's median distance from its parent.
    amount: f64,
}

impl Diagnosis {
    /// Finds the defects of a motion.
    ///
    /// # Errors
    /// When the clip is no motion of the skeleton.
    pub fn new(skeleton: &Skeleton, clip: &Clip) -> Result<Self, ClipError> {
        let found = defects(skeleton, clip)?;
        let lines = lines(skeleton, &found);
        let teleports = found.iter().filter(|own| own.kind == DefectKind::Teleport);
        let own = Self {
            motion: lines.iter().map(in_words).collect(),
            defects: found.iter().map(|defect| MotionDefect::new(skeleton, defect)).collect(),
            teleports: teleports.map(|own| own.frame).collect(),
            lines,
            of_root: Vec::new(),
        };
        let remarks = [fast_root(skeleton, clip), far_root(skeleton, clip)];
        Ok(remarks.into_iter().flatten().fold(own, Self::with_remark))
    }

    /// Finds the defects of a motion of a body: also positions of the root that lift it, or slide its feet.
    ///
    /// # Errors
    /// When the clip is no motion of the skeleton.
    pub fn of(body: &Anatomy, clip: &Clip) -> Result<Self, ClipError> {
        let own = Self::new(&body.skeleton, clip)?;
        let RootUnit { factor, log_odds } = root_unit(body, clip);
        if !own.of_root.is_empty() || log_odds <= MIN_ROOT_UNIT_LOG_ODDS {
            return Ok(own);
        }
        Ok(own.with_remark(format!(
            "with positions of the root times {factor} its feet stand still near zero: they may not be in the unit of the \
             skeleton: {SCALES_ROOT}"
        )))
    }

    /// Finds the defects of a clip that was checked.
    pub(crate) fn of_checked(body: &Anatomy, clip: &Clip) -> Self {
        Self::of(body, clip).expect("the clip was checked where it came in")
    }

    /// Adds a remark on positions of the root.
    fn with_remark(mut self, text: String) -> Self {
        self.motion.insert(self.of_root.len(), text.clone());
        self.of_root.push(text);
        self
    }
}

impl Verdict {
    /// Lists jumps, spikes and teleports of the source from frame `first` on, and marks each reason in whose frames there
    /// is one. `diagnosis` is of the clip that was evaluated, frame by frame.
    pub(crate) fn add_source_defects(&mut self, diagnosis: &Diagnosis, first: usize) {
        diagnosis.of_root.iter().for_each(|text| self.note(format!("the source: {text}")));
        let mut teleports = diagnosis.teleports.iter().filter(|frame| **frame >= first);
        if let Some(&frame) = teleports.next() {
            let more = match teleports.count() {
                0 => String::new(),
                count => format!(", and {count} times more"),
            };
            let mut finding = Finding::note(format!(
                "the source's root jumps to another place{more}: cut the clip there with --frames"
            ));
            finding.frames = Some([frame, frame]);
            self.add(finding);
        }
        let mut frames = Vec::new();
        for (frame, line) in &diagnosis.lines {
            let Some(frame) = frame.filter(|&frame| frame >= first) else { continue };
            let mut finding = Finding::note(line.clone());
            finding.frames = Some([frame, frame]);
            self.source_defects.push(finding);
            frames.push(frame);
        }
        for reason in &mut self.reasons {
            let Some([first, last]) = reason.frames else { continue };
            let near = first.saturating_sub(MAX_FRAMES_APART)..=last + MAX_FRAMES_APART;
            if reason.verdict > Grade::Pass && frames.iter().any(|frame| near.contains(frame)) {
                reason.text += ", where the source has a defect";
            }
        }
    }
}

/// Returns a remark where in most frames the root moves as fast as no body does: its positions are in another unit than the
/// bones.
fn fast_root(skeleton: &Skeleton, clip: &Clip) -> Option<String> {
    let length = skeleton.subtree_lengths().first().copied().unwrap_or(0.0);
    if clip.len() < 2 || length <= 0.0 || !FRAME_RATES.contains(&(1.0 / clip.frame_time)) {
        return None;
    }
    let places: Vec<_> = clip.translations(JointId(0)).collect();
    let step = |pair: &[Vector3<f64>]| (pair[1] - pair[0]).norm() / clip.frame_time / length;
    let mut speeds: Vec<f64> = places.windows(2).map(step).collect();
    speeds.sort_unstable_by(f64::total_cmp);
    let median = speeds[speeds.len() / 2];
    (median > MAX_ROOT_LENGTHS_PER_SECOND).then(|| {
        format!(
            "the root moves by {median:.0} times the length of the body's longest chain of bones a second, expected at most \
             {MAX_ROOT_LENGTHS_PER_SECOND:.0}: its positions are not in the unit of the skeleton: {SCALES_ROOT}"
        )
    })
}

/// Returns a remark where the root is so far from the origin that files with numbers of 32 bits lose the motion.
fn far_root(skeleton: &Skeleton, clip: &Clip) -> Option<String> {
    let length = skeleton.subtree_lengths().first().copied().unwrap_or(0.0);
    let farthest = clip.translations(JointId(0)).map(|place| place.amax()).fold(0.0, f64::max);
    (farthest > MAX_ROOT_LENGTHS * length).then(|| {
        format!(
            "the root is {farthest:.1e} units from the origin, a million times as far as a body is large: numbers of 32 bits \
             hold no motion there"
        )
    })
}

impl MotionDefect {
    fn new(skeleton: &Skeleton, defect: &Defect) -> Self {
        let is_angle = matches!(defect.kind, DefectKind::Jump | DefectKind::Spike);
        Self {
            kind: kind_name(defect.kind),
            joint: joint_name(skeleton, defect.joint),
            frame: defect.frame,
            amount: if is_angle { defect.amount.to_degrees() } else { defect.amount },
        }
    }
}

fn in_words((frame, text): &(Option<usize>, String)) -> String {
    frame.map_or_else(|| text.clone(), |frame| format!("frame {frame}, {text}"))
}

fn kind_name(kind: DefectKind) -> &'static str {
    match kind {
        DefectKind::Jump => "jump",
        DefectKind::Spike => "spike",
        DefectKind::Teleport => "teleport",
        DefectKind::Stretch => "stretch",
    }
}

fn joint_name(skeleton: &Skeleton, joint: JointId) -> String {
    skeleton[joint].name.to_string().replace(char::is_control, "\u{FFFD}")
}

/// Defects in words, those of a kind and frame in one line; stretches of all frames together.
fn lines(skeleton: &Skeleton, found: &[Defect]) -> Vec<(Option<usize>, String)> {
    let mut groups: BTreeMap<(DefectKind, Option<usize>), Vec<&Defect>> = BTreeMap::new();
    for defect in found {
        let frame = (defect.kind != DefectKind::Stretch).then_some(defect.frame);
        groups.entry((defect.kind, frame)).or_default().push(defect);
    }
    let line = |((kind, frame), group)| (frame, line(skeleton, kind, frame, group));
    groups.into_iter().map(line).collect()
}

fn line(
    skeleton: &Skeleton,
    kind: DefectKind,
    frame: Option<usize>,
    mut group: Vec<&Defect>,
) -> String {
    group.sort_by(|a, b| b.amount.total_cmp(&a.amount));
    let example = |defect: &&Defect| {
        let (joint, amount) = (joint_name(skeleton, defect.joint), defect.amount);
        let percent = 100.0 * amount;
        match kind {
            DefectKind::Jump | DefectKind::Spike => {
                format!("{joint} by {:.0}°", amount.to_degrees())
            }
            DefectKind::Teleport => format!("{joint} by {percent:.0} % of the body's extent"),
            DefectKind::Stretch => format!("{joint} by {percent:.0} % (frame {})", defect.frame),
        }
    };
    let examples: Vec<String> = group.iter().take(MAX_EXAMPLES).map(example).collect();
    let rest = group.len().saturating_sub(MAX_EXAMPLES);
    let rest = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    let joints = examples.join(", ") + &rest;
    match (kind, frame) {
        (DefectKind::Stretch, _) => {
            format!("joints change their distance from their parents: {joints}")
        }
        (DefectKind::Jump, Some(1)) if group.len() > 1 => {
            format!("jump: {joints}; is frame 0 a reference pose?")
        }
        (kind, _) => format!("{}: {joints}", kind_name(kind)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::UnitQuaternion;
    use rebone_skeleton::Motion;

    /// Root positions in centimetres of a skeleton in metres, and the other way.
    #[test]
    fn a_root_in_another_unit_is_told() {
        let Motion { skeleton, clip } = rebone_samples::walk().motion;
        for (factor, is_told) in [(1.0, false), (3.0, false), (100.0, true), (0.01, false)] {
            let mut scaled = clip.clone();
            scaled.edit(|_, pose| pose.translations[0] *= factor).unwrap();
            let diagnosis = Diagnosis::new(&skeleton, &scaled).unwrap();
            let said = diagnosis.motion.iter().any(|line| line.contains("not in the unit"));
            assert_eq!(said, is_told, "{factor} {:?}", diagnosis.motion);
            let mut verdict = Verdict {
                verdict: Grade::Pass,
                score: 1.0,
                reasons: Vec::new(),
                source_defects: Vec::new(),
                metrics: Vec::new(),
                frames: 100,
            };
            verdict.add_source_defects(&diagnosis, 0);
            assert_eq!(verdict.verdict > Grade::Pass, is_told);
        }
    }

    #[test]
    fn a_defect_is_listed_and_marks_the_findings_around_it() {
        let Motion { skeleton, clip } = rebone_samples::walk().motion;
        let joint = JointId(skeleton.len() / 2);
        let mut spiked = Clip::new(&skeleton, clip.frame_time);
        let mut pose = skeleton.rest_pose();
        for frame in 0..clip.len() {
            clip.read(frame, &mut pose);
            if frame == 40 {
                let spike = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), 1.5);
                pose.rotations[joint.index()] *= spike;
            }
            spiked.push(&pose).unwrap();
        }
        let name = joint_name(&skeleton, joint);
        let diagnosis = Diagnosis::new(&skeleton, &spiked).unwrap();
        assert!(diagnosis.motion[0].starts_with("frame 40, spike"), "{:?}", diagnosis.motion);
        assert_eq!(diagnosis.defects[0].joint, name);
        let at = |frame| {
            let mut finding = Finding::note("x".to_owned());
            finding.frames = Some([frame, frame]);
            finding
        };
        let mut verdict = Verdict {
            verdict: Grade::Look,
            score: 1.0,
            reasons: vec![at(41), at(60)],
            source_defects: Vec::new(),
            metrics: Vec::new(),
            frames: 100,
        };
        verdict.add_source_defects(&diagnosis, 0);
        assert_eq!(verdict.reasons[0].text, "x, where the source has a defect");
        assert_eq!(verdict.reasons[1].text, "x");
        assert_eq!(verdict.source_defects[0].frames, Some([40, 40]));
    }
}
