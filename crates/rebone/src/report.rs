//! How a retarget went: how far each stage was from its goals before and after it was solved.

use crate::align::{Group, Plan};
use crate::ground::Floor;
use crate::warnings::warnings;
use rebone_ik::Solution;
use serde::Serialize;

/// What one stage did over a clip.
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
}

/// How a retarget went.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// The number of frames.
    pub frames: usize,
    /// Height of the target's path over the source's, both as parts of the stature.
    pub path_scale: f64,
    /// Whether the first frame looks like a reference pose that is no part of the motion.
    pub reference_frame: bool,
    /// The floor as it was found, before the result was moved on it; `None` where that was not wanted.
    pub floor: Option<Floor>,
    /// The stages that solve, in their order.
    pub stages: Vec<StageReport>,
    /// What could not be carried over, and what to do about it.
    pub warnings: Vec<String>,
}

impl Report {
    /// An empty report of a plan.
    pub fn new(plan: &Plan) -> Self {
        Self { path_scale: plan.path_scale, warnings: warnings(plan), ..Self::default() }
    }

    /// Adds what the stage of a group did in a frame.
    pub(crate) fn record(&mut self, frame: usize, group: Group, solution: &Solution) {
        let name = stage_name(group);
        let place = match self.stages.iter().position(|stage| stage.stage == name) {
            Some(place) => place,
            None => {
                self.stages.push(StageReport { stage: name.to_owned(), ..StageReport::default() });
                self.stages.len() - 1
            }
        };
        let stage = &mut self.stages[place];
        let [start, end] = [solution.start_cost, solution.cost].map(|cost| (2.0 * cost).sqrt());
        stage.start += start;
        stage.end += end;
        stage.iterations += solution.iterations as f64;
        if end > stage.worst {
            (stage.worst, stage.worst_frame) = (end, frame);
        }
        let ended = matches!(
            solution.termination,
            rebone_ik::Termination::Converged | rebone_ik::Termination::Stalled
        );
        stage.unconverged += usize::from(!ended);
    }

    /// Turns sums into means.
    pub(crate) fn finish(&mut self, frames: usize) {
        self.frames = frames;
        let count = frames.max(1) as f64;
        for stage in &mut self.stages {
            for sum in [&mut stage.start, &mut stage.end, &mut stage.iterations] {
                *sum /= count;
            }
        }
    }
}

fn stage_name(group: Group) -> &'static str {
    use crate::understand::Side::{Left, Right};
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
