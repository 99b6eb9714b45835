//! Remarks that a report gets at the end: frames counted from the begin of the source's file, and hints.

use crate::export::ResultFile;
use crate::options::{LeadingPose, Options};
use crate::quality::Verdict;
use crate::report::{CycleReport, Report};
use rebone_body::{Character, MIN_ROLE_CONFIDENCE};
use rebone_skeleton::Format;

/// Part of the warning that a leading pose was to be dropped and there is none.
///
/// ```
/// use rebone::{LeadingPose, NO_LEADING_POSE, Options, RetargetJob, open};
///
/// let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data");
/// let [walk, rig] = ["clips/walk.bvh", "rigs/toy-a-pose.bvh"].map(|name| open(format!("{data}/{name}")));
/// let options = Options { leading_pose: LeadingPose::Drop, ..Options::default() };
/// let result = rebone::retarget(&walk?, &rig?, &options)?;
/// assert!(result.report().warnings.iter().any(|own| own.contains(NO_LEADING_POSE)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const NO_LEADING_POSE: &str = "looks like motion, not like a reference pose: it was kept";

/// Least number of frames of a target that is taken for a motion, where the source has one frame.
const MIN_MOTION_FRAMES: usize = 10;

/// Notes a seam that is too wide for a cycle, in the verdict where there is one.
pub(super) fn note_seam(cycle: &CycleReport, report: &mut Report) {
    match &mut report.verdict {
        Some(verdict) => doubt_seam(cycle, verdict),
        None => report.warnings.extend(cycle.doubt()),
    }
}

/// Notes a seam that is too wide for a cycle.
pub(super) fn doubt_seam(cycle: &CycleReport, verdict: &mut Verdict) {
    cycle.doubt().into_iter().for_each(|text| verdict.note(text));
}

/// Warns of files in the wrong order, and of an empty clip.
pub(super) fn input_warnings(source: &Character, target: &Character) -> Vec<String> {
    order_warning(source, target).into_iter().chain(empty_clip_warning(source)).collect()
}

/// Warns of a motion that is given as target of a skeleton.
fn order_warning(source: &Character, target: &Character) -> Option<String> {
    let count = target.clip().len();
    (source.clip().len() == 1 && count >= MIN_MOTION_FRAMES).then(|| {
        format!("the source has 1 frame, the target {count}: are they in the wrong order?")
    })
}

/// Warns of an empty clip that is taken while others of its file move.
fn empty_clip_warning(source: &Character) -> Option<String> {
    let (index, clips) = (source.clip_index()?, source.document().clips());
    let (other, moving) = clips.iter().enumerate().find(|(_, clip)| !clip.is_empty)?;
    let own = clips.get(index).filter(|clip| clip.is_empty)?;
    Some(format!(
        "no joint moves in the clip {index} {:?}; --clip {other} takes {:?}",
        own.name, moving.name
    ))
}

/// Warns of a mesh and of an animation of the target's file that a result does not hold.
pub(super) fn lost_of_target(
    target: &Character,
    format: Format,
    result: &ResultFile,
) -> Option<String> {
    let name = &result.name;
    let is_gltf = matches!(format, Format::Glb | Format::Gltf | Format::Vrm);
    if is_gltf && target.loses_mesh() {
        return Some("joints and motion are written alone: meshes of FBX are not".to_owned());
    }
    let is_edited = is_gltf && !result.options.animation_only && target.document().gltf().is_some();
    (is_edited && target.clip_names().iter().any(|own| own == name)).then(|| {
        let path = target.path().display();
        format!("the animation {name:?} of {path} is not kept: the result has its name; --animation names another")
    })
}

/// Counts frames from the begin of the file, where the clip begins at its frame `first`.
pub(super) fn count_from(report: &mut Report, first: usize) {
    for stage in &mut report.stages {
        stage.worst_frame += first;
        stage.goals.iter_mut().for_each(|goal| goal.worst_frame += first);
    }
    for own in report.contacts.iter_mut().flat_map(|own| &mut own.contacts) {
        let frames = &mut own.contact.frames;
        *frames = frames.start + first..frames.end + first;
    }
    report.verdict.iter_mut().for_each(|own| own.count_from(first));
    for limit in &mut report.limits {
        limit.first_frame += first;
        limit.worst_frame += first;
    }
}

/// Warns of a leading pose, and of an uncertain floor.
pub(super) fn notes(report: &Report, options: &Options, first: usize) -> Vec<String> {
    let drop = options.leading_pose == LeadingPose::Drop;
    let mut notes = Vec::new();
    match (report.leading_pose, drop) {
        (true, false) => notes.push(format!(
            "frame {first} of the source looks like a reference pose, not like motion; leave it out \
             with --leading-pose drop"
        )),
        (false, true) => notes.push(format!(
            "frame {first} of the source {NO_LEADING_POSE}; if it is one, --frames {}.. leaves it out",
            first + 1
        )),
        _ => {}
    }
    if report.floor.is_some_and(|floor| floor.confidence < MIN_ROLE_CONFIDENCE) {
        notes.push(
            "not sure where the floor is: few frames bear on what was taken for it".to_owned(),
        );
    }
    notes
}
