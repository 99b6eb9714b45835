//! How a retarget went: how far each stage was from its goals before and after it was solved.

use crate::align::{Group, Plan};
use crate::ground::{Floor, can_lift};
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

/// What the target has no joints for.
fn warnings(plan: &Plan) -> Vec<String> {
    let (source, target) = (&plan.source.body, &plan.target.body);
    let mut warnings = Vec::new();
    if source.arms[0].collar.is_some() && target.arms[0].collar.is_none() {
        warnings.push("the target has no collar bones: the source's shrugs are lost".to_owned());
    }
    if source.trunk.len() > 1 && target.trunk.len() == 1 {
        warnings
            .push("the target has no joint in its trunk: the source's bends are lost".to_owned());
    }
    if source.head().is_some() && target.head().is_none() {
        warnings.push("the target has no head joint: the source's gaze is lost".to_owned());
    }
    let handless = |body: &crate::understand::Body| body.arms.iter().any(|arm| arm.hand.is_none());
    match (handless(source), handless(target)) {
        (false, true) => {
            warnings.push("the target has no hands: the turns of the source's are lost".to_owned());
        }
        (true, false) => warnings.push(
            "the source has no hands: the target's go straight on from the forearms".to_owned(),
        ),
        _ => {}
    }
    let fingers = |body: &crate::understand::Body| {
        body.arms.iter().flat_map(|arm| &arm.fingers).filter(|finger| !finger.is_empty()).count()
    };
    let (have, can) = (fingers(source), fingers(target));
    if can == 0 && have > 0 {
        warnings.push(format!("the target has no fingers: those {have} of the source are lost"));
    } else if have > can {
        warnings.push(format!("the target has only {can} of the source's {have} fingers"));
    } else if can > have && have == 0 {
        warnings
            .push(format!("the source has no fingers: the target's {can} keep their rest pose"));
    }
    let carrier = plan.target.skeleton.joint(plan.carrier);
    if carrier.translation_axes.len() < 3 {
        warnings.push(format!(
            "the target's joint {} has no position channels: the body stays in place",
            carrier.name
        ));
    }
    if plan.options.ground && !can_lift(plan) {
        warnings.push(format!(
            "the target's joint {} has no position channel that reaches upwards: it cannot be put on \
             the floor",
            carrier.name
        ));
    }
    let top = plan.target.body.trunk[plan.target.body.trunk_top()];
    if plan.target.limits.iter().any(|(joint, _)| *joint == top) {
        let name = &plan.target.skeleton.joint(top).name;
        warnings.push(format!("the limits of {name} are left out: it turns with the whole body"));
    }
    warnings
}
