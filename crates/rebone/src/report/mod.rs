//! Report of a retarget: distance of each stage from its goals before and after solving, and which
//! limits kept it from them.

mod contact;
mod cycle;
mod limit;
mod root_path;
mod warnings;

pub use contact::{ContactReport, KeptContact};
pub use cycle::{CycleReport, MAX_SEAM};
pub use limit::LimitReport;
pub use root_path::RootPath;

use crate::align::{Group, Helper, Plan};
use crate::contacts::Floor;
use crate::frame::Retargeter;
use crate::quality::Verdict;
use rebone_ik::{Goal, GoalKind, Solution};
use rebone_skeleton::JointId;
use rebone_skeleton::selector::select;
use serde::Serialize;
use std::collections::BTreeMap;
use warnings::warnings;

/// Result of one stage over a clip.
///
/// Distances are the root of the sum of squared weighted goals, in metres of a 1.7 m body (angles by
/// their levers).
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct StageReport {
    /// The stage.
    pub stage: String,
    /// Mean distance from the goals at the closed-form start.
    pub start: f64,
    /// Mean distance from the goals of the answer.
    pub end: f64,
    /// Largest distance of the answer.
    pub worst: f64,
    /// The frame of that in the source's clip, counted from 0.
    pub worst_frame: usize,
    /// Mean number of iterations of the solver.
    pub iterations: f64,
    /// Frames in which the solver did not converge.
    pub unconverged: usize,
    /// Each of its goals.
    pub goals: Vec<GoalReport>,
}

/// Error of one goal of a stage over a clip.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GoalReport {
    /// Name of the goal: "left hip", "upper bone"; the joint's name
    /// of one of a spine.
    pub goal: String,
    /// Kind of the goal: "place", "direction", "frame" or "axial turn".
    pub kind: &'static str,
    /// The unit of the distances: "m", of a 1.7 m body, or "deg".
    pub unit: &'static str,
    /// Its weight against the stage's other goals; 0 of one that is switched off.
    pub weight: f64,
    /// Mean distance of the answer.
    pub mean: f64,
    /// Largest distance of the answer.
    pub worst: f64,
    /// The frame of that in the source's clip, counted from 0.
    pub worst_frame: usize,
}

/// Floor of a result that was moved to another height.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct GroundReport {
    /// Height before, in the target file's units, along the target's up axis.
    pub level: f64,
    /// Probability that this is the floor: high where most frames bear on it and few are below.
    pub confidence: f64,
    /// Height after; `None` where the rig cannot be moved upwards.
    pub moved_to: Option<f64>,
}

impl GroundReport {
    pub(crate) fn new(floor: Floor, moved_to: Option<f64>) -> Self {
        Self { level: floor.level, confidence: floor.confidence, moved_to }
    }
}

/// Report of a retarget.
///
/// ```
/// let [walk, rig] = [rebone_samples::walk(), rebone_samples::rigs().remove(0)].map(|sample| sample.motion);
/// let [source, target] = [&walk, &rig].map(|motion| rebone::analyse(motion, &rebone::Hints::default()));
/// let plan = rebone::align(&source?, &target?, &rebone::Options::default());
/// let input = rebone::ClipInput::new(&plan.source, &walk.clip);
/// let (_, report) = rebone::retarget_clip(&plan, &input)?;
/// assert!(report.stages.iter().all(|stage| stage.end <= stage.start));
/// assert!(report.contacts.is_some_and(|kept| kept.contacts.iter().all(|kept| kept.slack < Some(0.01))));
/// # Ok::<(), rebone::RetargetError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// The number of frames.
    pub frames: usize,
    /// Height of the target's path over the source's, both as parts of the stature.
    pub path_scale: f64,
    /// Whether the first frame looks like a reference pose that is no part of the motion.
    pub leading_pose: bool,
    /// The result's floor before it was moved; `None` where heights are kept.
    pub floor: Option<GroundReport>,
    /// The stages that solve, in their order.
    pub stages: Vec<StageReport>,
    /// The joint limits that bound, those first that cost most over the clip.
    pub limits: Vec<LimitReport>,
    /// The contacts of the source and how they are kept; `None` where none are.
    pub contacts: Option<ContactReport>,
    /// True of one or two frames, and where nothing moves in source and result: there is nothing to grade.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub still: bool,
    /// Grade of the result, before its root motion is changed and parts of the body are left out; `None` where there
    /// is no motion to see. Where a file is written, it is on the numbers that the file holds, unless one of these is done
    /// or the file is a VRMA, or arrays, whose numbers are of single precision.
    pub verdict: Option<Verdict>,
    /// The path of the body over the floor, where it was asked for or the root motion is moved.
    #[serde(skip)]
    pub root_path: Option<RootPath>,
    /// The cycle that was closed; `None` where none was asked for.
    #[serde(rename = "loop", skip_serializing_if = "Option::is_none")]
    pub cycle: Option<CycleReport>,
    /// Helper joints of the target that follow a joint of its body without a line of a card, and that joint, both as
    /// [selectors](rebone_skeleton::selector).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub helpers: BTreeMap<String, String>,
    /// Warnings: parts that are lost, and what to do about it.
    pub warnings: Vec<String>,
}

impl Report {
    /// An empty report of a plan.
    pub fn new(plan: &Plan) -> Self {
        let select = |joint: JointId| select(&plan.target.skeleton, joint);
        let is_stated =
            |own: &&Helper| plan.target.helpers.iter().any(|[joint, _]| *joint == own.joint);
        let helpers = plan
            .helpers
            .iter()
            .filter(|own| !is_stated(own))
            .map(|own| (select(own.joint), select(own.after)));
        Self {
            path_scale: plan.path_scale,
            helpers: helpers.collect(),
            warnings: warnings(plan),
            ..Self::default()
        }
    }

    /// Adds a frame, which is the retargeter's last.
    pub(crate) fn record(&mut self, frame: usize, retargeter: &Retargeter) {
        for (place, (group, solution)) in retargeter.solutions().enumerate() {
            if self.stages.len() == place {
                self.stages.push(StageReport::new(group, retargeter.goals(group)));
            }
            let stage = &mut self.stages[place];
            stage.add(frame, solution);
            for (report, (.., distance)) in stage.goals.iter_mut().zip(retargeter.goals(group)) {
                report.add(frame, distance);
            }
        }
        limit::record(&mut self.limits, retargeter.plan(), frame, retargeter.active_limits());
    }

    /// Adds frames that come after those that were added before.
    pub(crate) fn append(&mut self, later: &Self) {
        if self.stages.is_empty() {
            self.stages.clone_from(&later.stages);
        } else {
            let pairs = self.stages.iter_mut().zip(&later.stages);
            pairs.for_each(|(stage, later)| stage.append(later));
        }
        limit::append(&mut self.limits, &later.limits);
    }

    /// Turns sums into means; `frame_time` in seconds.
    pub(crate) fn finish(&mut self, frames: usize, frame_time: f64) {
        self.frames = frames;
        let count = frames.max(1) as f64;
        for stage in &mut self.stages {
            let means = [&mut stage.start, &mut stage.end, &mut stage.iterations];
            means.into_iter().for_each(|sum| *sum /= count);
            stage.goals.iter_mut().for_each(|goal| goal.finish(count));
        }
        limit::finish(&mut self.limits, frame_time);
    }
}

impl StageReport {
    /// A stage with its goals, in no frame yet.
    fn new<'a>(group: Group, goals: impl Iterator<Item = (&'a str, &'a Goal, f64)>) -> Self {
        Self {
            stage: stage_name(group).to_owned(),
            goals: goals.map(|(name, goal, _)| GoalReport::new(name, goal)).collect(),
            ..Self::default()
        }
    }

    fn add(&mut self, frame: usize, solution: &Solution) {
        let [start, end] = [solution.start_cost, solution.cost].map(|cost| (2.0 * cost).sqrt());
        self.start += start;
        self.end += end;
        self.iterations += solution.iterations as f64;
        if end > self.worst {
            (self.worst, self.worst_frame) = (end, frame);
        }
        let ended = matches!(
            solution.termination,
            rebone_ik::Termination::Converged | rebone_ik::Termination::Stalled
        );
        self.unconverged += usize::from(!ended);
    }

    fn append(&mut self, later: &Self) {
        self.start += later.start;
        self.end += later.end;
        self.iterations += later.iterations;
        self.unconverged += later.unconverged;
        if later.worst > self.worst {
            (self.worst, self.worst_frame) = (later.worst, later.worst_frame);
        }
        let pairs = self.goals.iter_mut().zip(&later.goals);
        pairs.for_each(|(goal, later)| goal.append(later));
    }
}

impl GoalReport {
    fn new(name: &str, goal: &Goal) -> Self {
        let (kind, unit) = match goal.kind {
            GoalKind::Position(_) => ("place", "m"),
            GoalKind::Direction(_) => ("direction", "deg"),
            GoalKind::Orientation(_) => ("frame", "deg"),
            GoalKind::Axial(_) => ("axial turn", "deg"),
        };
        let weight = goal.weight;
        Self { goal: name.to_owned(), kind, unit, weight, mean: 0.0, worst: 0.0, worst_frame: 0 }
    }

    /// Adds a distance, metres or radians.
    fn add(&mut self, frame: usize, distance: f64) {
        self.mean += distance;
        if distance > self.worst {
            (self.worst, self.worst_frame) = (distance, frame);
        }
    }

    fn append(&mut self, later: &Self) {
        self.mean += later.mean;
        if later.worst > self.worst {
            (self.worst, self.worst_frame) = (later.worst, later.worst_frame);
        }
    }

    /// Turns the sum into a mean, and radians into degrees.
    fn finish(&mut self, count: f64) {
        self.mean /= count;
        if self.unit == "deg" {
            (self.mean, self.worst) = (self.mean.to_degrees(), self.worst.to_degrees());
        }
    }
}

fn stage_name(group: Group) -> &'static str {
    use rebone_body::body::Side::{Left, Right};
    match group {
        Group::Body => "body",
        Group::Girdle(Left) => "left girdle",
        Group::Girdle(Right) => "right girdle",
        Group::Arm(Left) => "left arm",
        Group::Arm(Right) => "right arm",
        Group::Leg(Left) => "left leg",
        Group::Leg(Right) => "right leg",
        Group::Palm(Left) => "left palm",
        Group::Palm(Right) => "right palm",
        Group::Fingers(Left) => "left fingers",
        Group::Fingers(Right) => "right fingers",
        Group::Foot(Left) => "left foot",
        Group::Foot(Right) => "right foot",
        Group::Head => "head",
        Group::Rest => "rest",
    }
}
