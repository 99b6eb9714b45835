//! What is odd about a file, and a clean copy of it.

use crate::exit_code::Failure;
use crate::paths;
use rebone::Character;
use rebone::skeleton::bvh::{Hierarchy, WriteOptions, write_clip};
use rebone::skeleton::{Defect, DefectKind, EndSite, Joint, JointId, Skeleton, defects};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// So many joints are named of what they have in common.
const EXAMPLES: usize = 3;

/// What is odd about a file.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Checkup {
    file: String,
    frames: usize,
    joints: usize,
    /// What the reader mended or passed over.
    warnings: Vec<String>,
    /// What is odd about the motion, in words.
    motion: Vec<String>,
    defects: Vec<Found>,
}

/// A defect, for programs.
#[derive(Clone, Debug, Serialize)]
struct Found {
    kind: &'static str,
    joint: String,
    frame: usize,
    /// Degrees of jumps and spikes; parts of the body's extent or of the joint's distance of others.
    amount: f64,
}

impl Checkup {
    /// Looks at a file.
    pub(crate) fn new(loaded: &Character) -> Self {
        let skeleton = loaded.skeleton();
        let found = defects(loaded.motion());
        let warnings = loaded.warnings().iter();
        Self {
            file: loaded.path().display().to_string(),
            frames: loaded.clip().len(),
            joints: skeleton.len(),
            warnings: warnings.map(ToString::to_string).collect(),
            motion: lines(skeleton, &found),
            defects: found.iter().map(|defect| Found::new(skeleton, defect)).collect(),
        }
    }

    /// What was found, a line each, and a line that says so above them.
    pub(crate) fn lines(&self) -> Vec<String> {
        let Self { file, frames, joints, warnings, motion, .. } = self;
        let all = warnings.iter().chain(motion);
        let count = warnings.len() + motion.len();
        let odd = match count {
            0 => "nothing odd".to_owned(),
            1 => "1 odd thing".to_owned(),
            _ => format!("{count} odd things"),
        };
        let head = format!("{file}: {frames} frames, {joints} joints, {odd}");
        [head].into_iter().chain(all.map(|line| format!("  {line}"))).collect()
    }
}

impl Found {
    fn new(skeleton: &Skeleton, defect: &Defect) -> Self {
        let is_turn = matches!(defect.kind, DefectKind::Jump | DefectKind::Spike);
        Self {
            kind: word(defect.kind),
            joint: name(skeleton, defect.joint),
            frame: defect.frame,
            amount: if is_turn { defect.amount.to_degrees() } else { defect.amount },
        }
    }
}

fn word(kind: DefectKind) -> &'static str {
    match kind {
        DefectKind::Jump => "jump",
        DefectKind::Spike => "spike",
        DefectKind::Teleport => "teleport",
        DefectKind::Stretch => "stretch",
    }
}

fn name(skeleton: &Skeleton, joint: JointId) -> String {
    skeleton.joint(joint).name.to_string().replace(char::is_control, "\u{FFFD}")
}

/// Defects in words, what happens in one frame in one line.
fn lines(skeleton: &Skeleton, found: &[Defect]) -> Vec<String> {
    let mut groups: BTreeMap<(DefectKind, usize), Vec<&Defect>> = BTreeMap::new();
    for defect in found {
        let frame = if defect.kind == DefectKind::Stretch { 0 } else { defect.frame };
        groups.entry((defect.kind, frame)).or_default().push(defect);
    }
    groups.into_iter().map(|((kind, frame), group)| line(skeleton, kind, frame, group)).collect()
}

fn line(skeleton: &Skeleton, kind: DefectKind, frame: usize, mut group: Vec<&Defect>) -> String {
    group.sort_by(|a, b| b.amount.total_cmp(&a.amount));
    let told = group.iter().take(EXAMPLES).map(|defect| {
        let (joint, amount) = (name(skeleton, defect.joint), defect.amount);
        match kind {
            DefectKind::Jump | DefectKind::Spike => {
                format!("{joint} by {:.0}°", amount.to_degrees())
            }
            DefectKind::Teleport => {
                format!("{joint} by {:.0} % of the body's extent", 100.0 * amount)
            }
            DefectKind::Stretch => {
                format!("{joint} by {:.0} % (frame {})", 100.0 * amount, defect.frame)
            }
        }
    });
    let told: Vec<String> = told.collect();
    let more = group.len().saturating_sub(EXAMPLES);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let told = told.join(", ") + &more;
    match kind {
        DefectKind::Stretch => format!("joints change their distance from their parents: {told}"),
        DefectKind::Jump if frame == 1 && group.len() > 1 => {
            format!("frame 1, jump: {told}; is frame 0 a reference pose?")
        }
        kind => format!("frame {frame}, {}: {told}", word(kind)),
    }
}

/// Writes a clean copy: the same motion, under a hierarchy that all programs read.
pub(crate) fn clean(loaded: &Character, output: &Path) -> Result<(), Failure> {
    let skeleton = tidy(loaded.skeleton()).map_err(anyhow::Error::new)?;
    let hierarchy = Hierarchy::from_skeleton(&skeleton);
    let clip = loaded.clip();
    paths::write(output, |file| {
        Ok(write_clip(file, &hierarchy, clip, WriteOptions::default()).map(drop)?)
    })
}

/// The skeleton with names that are words, each once, and an end site below each last joint.
fn tidy(skeleton: &Skeleton) -> Result<Skeleton, rebone::skeleton::SkeletonError> {
    let mut taken = BTreeMap::new();
    let joints = skeleton.joints().iter().map(|joint| {
        let name = free(&word_of(&joint.name.to_string()), &mut taken);
        Joint { name: name.into(), ..joint.clone() }
    });
    let joints: Vec<Joint> = joints.collect();
    let is_last = |id: &JointId| {
        skeleton.children(*id).next().is_none() && skeleton.end_sites_of(*id).next().is_none()
    };
    let fresh = skeleton
        .ids()
        .filter(is_last)
        .map(|parent| EndSite { parent, offset: nalgebra::Vector3::zeros() });
    let sites = skeleton.end_sites().iter().cloned().chain(fresh).collect();
    Skeleton::new(joints, sites)
}

/// A name without blanks and other characters that programs trip over.
fn word_of(name: &str) -> String {
    let is_plain =
        |c: char| !c.is_whitespace() && !c.is_control() && !matches!(c, '{' | '}' | '\u{FFFD}');
    let word: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    if word.is_empty() { "joint".to_owned() } else { word }
}

/// A name that is not taken; `taken` holds for each name the number from which on others like it may be free.
fn free(name: &str, taken: &mut BTreeMap<String, usize>) -> String {
    let mut number = taken.get(name).copied().unwrap_or(1);
    let named = |number| if number == 1 { name.to_owned() } else { format!("{name}_{number}") };
    while taken.contains_key(&named(number)) {
        number += 1;
    }
    taken.insert(name.to_owned(), number + 1);
    let free = named(number);
    taken.entry(free.clone()).or_insert(2);
    free
}
