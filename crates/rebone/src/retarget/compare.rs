//! Compares a result with its source: plan, clip and rate of both.

use super::cycle::cut_to_cycle;
use super::notes::doubt_seam;
use crate::align::Plan;
use crate::clip::FrameMapping;
use crate::error::{Error, RetargetError};
use crate::options::LoopRange;
use crate::quality::{Evaluation, evaluate_motion};
use crate::report::CycleReport;
use bstr::BStr;
use rebone_body::body::Anatomy;
use rebone_body::poses;
use rebone_body::{Character, CharacterError};
use rebone_skeleton::{Clip, JointId, Skeleton, WorldPose};
use std::collections::BTreeMap;

/// Largest relative difference of frame times that count as equal.
const MAX_RATE_DIFFERENCE: f64 = 1e-3;

/// Names of the clips of a result, and the one of them that has the name of the source's clip.
///
/// # Errors
/// When the result cannot be read.
#[cfg(feature = "disk")]
pub fn clip_of_result(
    result: &std::path::Path,
    source: &Character,
) -> Result<(Vec<String>, Option<String>), rebone_skeleton::FileError> {
    let clips = rebone_skeleton::Document::clips_at(result, None)?;
    let names: Vec<String> = clips.into_iter().map(|clip| clip.name).collect();
    let name = Some(source.clip_name()).filter(|name| names.contains(name));
    Ok((names, name))
}

/// A source and a result at one rate, with the plan that compares them.
#[derive(Clone, Debug)]
pub struct ComparedPair {
    /// Source and result: their clips are compared frame by frame.
    pub characters: [Character; 2],
    /// The correspondence of the two bodies.
    pub plan: Plan,
    /// Frames of the compared source per frame of its file.
    pub ratio: f64,
    /// Number of the first compared frame, counted from the begin of the source's file at the compared rate.
    pub begin: usize,
    /// The cycle of the source, where the result is one.
    pub cycle: Option<CycleReport>,
    /// Frames that are not there, motion that cannot be carried over, pairs that were not used.
    pub warnings: Vec<String>,
}

impl ComparedPair {
    /// Prepares the comparison of a source and a result: see [`Pair::compare`](crate::Pair::compare).
    pub(super) fn new(
        [mut source, mut result]: [Character; 2],
        anatomies: [&Anatomy; 2],
        (plan, of_plan): (Plan, Vec<String>),
        frames: (usize, Option<usize>),
        cycle: Option<LoopRange>,
    ) -> Result<Self, Error> {
        source.check_motion()?;
        result.check_clip()?;
        for (anatomy, character) in anatomies.into_iter().zip([&source, &result]) {
            character.clip().check_for(&anatomy.skeleton)?;
        }
        let mut warnings: Vec<String> = source.cut(frames)?.into_iter().collect();
        source.turn_feet_back(anatomies[0]);
        warnings.extend(of_plan);
        let [from, to] = anatomies;
        let mut mapping = FrameMapping::new(&source, from, frames.0);
        mapping.ratio = match_rates([&mut source, &mut result], [from, to])?;
        let mut closed = None;
        if let Some(range) = cycle {
            let (cut, report) = cut_to_cycle(&mut source, from, mapping, range)?;
            (mapping, closed) = (cut, Some(report));
        }
        let (ratio, begin) = (mapping.ratio, mapping.begin());
        Ok(Self { characters: [source, result], plan, ratio, begin, cycle: closed, warnings })
    }

    /// Grades the result; its frames are counted from 0.
    ///
    /// # Errors
    /// When the clips are no motions of the plan's skeletons, or there is no motion to grade.
    pub fn evaluate(&self) -> Result<Evaluation, RetargetError> {
        let [source, result] = &self.characters;
        let mut evaluation = evaluate_motion(&self.plan, [source.clip(), result.clip()])?;
        if let Some(cycle) = &self.cycle {
            doubt_seam(cycle, &mut evaluation.verdict);
        }
        Ok(evaluation)
    }
}

/// The rig of a result with the motion of the result, by names of joints: what its file does not hold (mesh, bind pose, rest
/// rotations) is that of the rig. A result is in the axes of the rig's joints, as rebone writes it; joints that it lacks
/// rest, and those above the rig's are taken into its top joint.
///
/// # Errors
/// When the anatomy is not of the rig, or the result lacks joints that the body of the rig needs, or several have one name.
pub(super) fn on_rig(
    rig: &Character,
    anatomy: &Anatomy,
    result: &Character,
) -> Result<Character, Error> {
    if anatomy.skeleton != *rig.skeleton() {
        let path = rig.path().display();
        return Err(Error::Conflict(format!(
            "the anatomy is of another skeleton than that of {path}"
        )));
    }
    if rig.skeleton() == result.skeleton() {
        return Ok(rig.with_motion(result.clip().clone())?);
    }
    let (to, from) = (rig.skeleton(), result.skeleton());
    let joint_of = joints_by_name(to, from);
    let lacks = anatomy.judged().find(|joint| joint_of[joint.index()].is_none());
    if let Some(joint) = lacks {
        let [file, rig] = [result, rig].map(|own| own.path().display().to_string());
        let name = &to[joint].name;
        return Err(Error::Conflict(format!(
            "{file} has no joint {name:?}, or several, which {rig} has: it is no result of that rig"
        )));
    }
    let mut pose = to.rest_pose();
    let mut own = from.rest_pose();
    let mut world = WorldPose::zeros(from);
    let mut clip = Clip::new(to, result.clip().frame_time);
    for frame in 0..result.clip().len() {
        result.clip().read(frame, &mut own);
        poses::update(&mut world, from, &own);
        for joint in to.ids() {
            let Some(other) = joint_of[joint.index()] else { continue };
            let (k, from) = (joint.index(), other.index());
            (pose.translations[k], pose.rotations[k]) = match to[joint].parent {
                Some(_) => (own.translations[from], own.rotations[from]),
                None => (world.positions[from], world.rotations[from]),
            };
        }
        poses::push(&mut clip, &pose);
    }
    Ok(rig.with_motion(clip)?)
}

/// The joint of `from` with the name of each joint of `to`, where one alone has it.
fn joints_by_name(to: &Skeleton, from: &Skeleton) -> Vec<Option<JointId>> {
    let mut by_name: BTreeMap<&BStr, Option<JointId>> = BTreeMap::new();
    for joint in from.ids() {
        let known = by_name.entry(from[joint].name.as_ref());
        known.and_modify(|own| *own = None).or_insert(Some(joint));
    }
    to.ids().map(|joint| by_name.get::<BStr>(to[joint].name.as_ref()).copied().flatten()).collect()
}

/// Brings a source to the rate of its result, as a retarget does. Returns the number of new frames of the source per old
/// frame. Of a clip that is too long for that, the result is brought to the rate of the source.
///
/// # Errors
/// When a clip cannot be resampled.
pub(crate) fn match_rates(
    [source, result]: [&mut Character; 2],
    [source_anatomy, result_anatomy]: [&Anatomy; 2],
) -> Result<f64, Error> {
    let times = [&*source, &*result].map(|character| character.clip().frame_time);
    if (times[1] / times[0] - 1.0).abs() < MAX_RATE_DIFFERENCE {
        return Ok(1.0);
    }
    match source.resample(source_anatomy, 1.0 / times[1]) {
        Err(CharacterError::TooLong { .. }) => {
            result.resample(result_anatomy, 1.0 / times[0])?;
            Ok(1.0)
        }
        resampled => Ok(resampled?),
    }
}
