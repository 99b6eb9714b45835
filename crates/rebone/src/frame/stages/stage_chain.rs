//! The joints of one stage as a kinematic chain of the solver.

use super::stage_solver::StageSolver;
use crate::align::Plan;
use crate::frame::target_pose::TargetPose;
use rebone_body::LimitMode;
use rebone_body::limits::{ActiveLimit, JointRange, JointRangeUse, joint_range};
use rebone_ik::{
    ActiveBound, Base, Chain, Goal, IkError, Link, LinkId, LinkMotion, Problem, Solution,
};
use rebone_skeleton::JointId;

/// Parameters of the local rotation of one joint.
#[derive(Clone, Debug)]
enum JointVariables {
    /// Constant.
    Fixed,
    /// In the joint's coordinates, within their range.
    Limited(JointRange),
    /// Unlimited, three variables.
    Free,
}

impl JointVariables {
    fn new(plan: &Plan, joint: JointId, moves: JointFreedom) -> Self {
        let has_channels = !plan.target.skeleton[joint].rotation_axes.is_empty();
        match moves {
            JointFreedom::Limited if has_channels => {
                Self::Limited(joint_range(&plan.target, joint))
            }
            JointFreedom::Fixed | JointFreedom::Limited => Self::Fixed,
            JointFreedom::Free => Self::Free,
        }
    }

    fn motion(&self) -> LinkMotion {
        match self {
            Self::Fixed => LinkMotion::Fixed,
            Self::Limited(own) => own.motion.clone(),
            Self::Free => LinkMotion::Rotation,
        }
    }
}

/// Freedom of one joint in a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JointFreedom {
    /// Constant.
    Fixed,
    /// Within the joint's limits.
    Limited,
    /// Unlimited: the top of the trunk.
    Free,
}

/// The joints of a stage and their problem.
#[derive(Clone, Debug)]
pub(crate) struct StageChain {
    joints: Vec<JointId>,
    variables: Vec<JointVariables>,
    /// The link whose translation is solved, too.
    translation_joint: Option<LinkId>,
    /// The problem; the stage sets the targets of its goals.
    pub(crate) problem: Problem,
    /// Names of the goals, and the norm of each weighted residual at the last solution.
    results: Vec<(String, f64)>,
    /// Violation of each variable by the start, radians: negative below the range.
    outside: Vec<f64>,
    /// Overshoot and cost of the bound of each variable at the last solution.
    active_bounds: Vec<ActiveBound>,
    /// The variables of the last solution.
    x: Vec<f64>,
    /// Whether any bound is active.
    is_limited: bool,
}

impl StageChain {
    /// Builds a chain of `joints`, parents first, attached to the parent of the first; `goals` with their names.
    ///
    /// # Errors
    /// If the goals refer to links that do not exist.
    pub(crate) fn new(
        plan: &Plan,
        joints: &[(JointId, JointFreedom)],
        translation_joint: Option<JointId>,
        goals: Vec<(String, Goal)>,
    ) -> Result<Self, IkError> {
        let mut links = Vec::with_capacity(joints.len());
        let mut variables = Vec::with_capacity(joints.len());
        let find = |id: JointId| joints.iter().position(|(joint, _)| *joint == id).map(LinkId);
        for &(id, moves) in joints {
            let joint = &plan.target.skeleton[id];
            let own = JointVariables::new(plan, id, moves);
            let parent = joint.parent.and_then(find);
            let mut link = Link::new(parent, plan.bones[id.index()], own.motion());
            link.translates = translation_joint == Some(id);
            if let JointVariables::Limited(own) = &own {
                (link.pre, link.post) = (own.pre, own.post);
            }
            links.push(link);
            variables.push(own);
        }
        let (names, goals): (Vec<_>, Vec<_>) = goals.into_iter().unzip();
        let problem = Problem::new(Chain::new(links)?, goals)?;
        let joints: Vec<_> = joints.iter().map(|(joint, _)| *joint).collect();
        let count = problem.columns();
        Ok(Self {
            results: names.into_iter().map(|name| (name, 0.0)).collect(),
            outside: vec![0.0; count],
            active_bounds: vec![ActiveBound::default(); count],
            x: vec![0.0; count],
            is_limited: false,
            translation_joint: translation_joint
                .and_then(|id| joints.iter().position(|&joint| joint == id).map(LinkId)),
            joints,
            variables,
            problem,
        })
    }

    /// Sets base, constants, start and bounds from a pose.
    pub(crate) fn fill(&mut self, plan: &Plan, target_pose: &TargetPose) {
        let Some(&first) = self.joints.first() else { return };
        let (position, rotation) = target_pose.parent(plan, first);
        self.problem.chain.base = Base { position, rotation };
        for (index, &joint) in self.joints.iter().enumerate() {
            let link = LinkId(index);
            let local = target_pose.locals[joint.index()];
            let Some(range) = self.problem.chain.range(link) else { continue };
            let mut start = range.start;
            self.problem.chain.set_translation(link, target_pose.translations[joint.index()]);
            if self.translation_joint == Some(link) {
                set_bounds(&mut self.problem, start, &[0.0; 3], UNBOUNDED);
                start += 3;
            }
            match &self.variables[index] {
                JointVariables::Fixed => {
                    self.problem.chain.set_pre(link, local);
                }
                JointVariables::Free => {
                    self.problem.chain.set_pre(link, local);
                    set_bounds(&mut self.problem, start, &[0.0; 3], UNBOUNDED);
                }
                JointVariables::Limited(own) => {
                    let x = own.read(&local);
                    let bounds = own.bounds(&x, plan.options.limits);
                    set_bounds(&mut self.problem, start, &x[..own.motion.len()], bounds);
                    let inside = &self.problem.start[start..range.end];
                    for ((outside, x), inside) in
                        self.outside[start..].iter_mut().zip(&x).zip(inside)
                    {
                        *outside = x - inside;
                    }
                }
            }
        }
    }

    /// Returns values and ranges of its joints in the last frame.
    pub(crate) fn range_uses<'a>(
        &'a self,
        target_pose: &'a TargetPose,
    ) -> impl Iterator<Item = JointRangeUse> + 'a {
        self.joints.iter().enumerate().filter_map(|(index, &joint)| {
            let JointVariables::Limited(own) = &self.variables[index] else { return None };
            let local = &target_pose.locals[joint.index()];
            let read = JointRangeUse::within(own, joint, local, LimitMode::Strict)?;
            let end = self.problem.chain.range(LinkId(index))?.end;
            let range = end - read.values.len()..end;
            let [lower, upper] = [&self.problem.lower, &self.problem.upper];
            Some(JointRangeUse {
                lower: lower[range.clone()].to_vec(),
                upper: upper[range].to_vec(),
                ..read
            })
        })
    }

    /// Solves the problem and writes the solution to the local transforms of the pose.
    pub(crate) fn solve(
        &mut self,
        solver: &mut StageSolver,
        target_pose: &mut TargetPose,
    ) -> Solution {
        let solution = solver.solve(&self.problem);
        self.record_result(solver);
        let start_is_answer = solution.iterations == 0 && solver.x() == self.problem.start;
        for (index, &joint) in self.joints.iter().enumerate() {
            let link = LinkId(index);
            let fixed = matches!(self.variables[index], JointVariables::Fixed);
            let limited = matches!(self.variables[index], JointVariables::Limited(_));
            if !fixed
                && (!start_is_answer || limited)
                && let Some(turn) = self.problem.chain.local_rotation(link, solver.x())
            {
                target_pose.locals[joint.index()] = turn;
            }
            if self.translation_joint == Some(link)
                && let Some(place) = self.problem.chain.local_translation(link, solver.x())
            {
                target_pose.translations[joint.index()] = place;
            }
        }
        solution
    }

    /// Records the last solution for the report.
    fn record_result(&mut self, solver: &mut StageSolver) {
        let mut residual = solver.residual();
        for (goal, (_, length)) in self.problem.goals.iter().zip(&mut self.results) {
            let (rows, rest) = residual.split_at(goal.rows());
            *length = rows.iter().map(|r| r * r).sum::<f64>().sqrt();
            residual = rest;
        }
        self.x.copy_from_slice(solver.x());
        self.is_limited = false;
        for (k, bound) in self.active_bounds.iter_mut().enumerate() {
            *bound = solver.active_bound(&self.problem, k);
            self.is_limited |= bound.cost > 0.0 || self.outside[k] != 0.0;
        }
    }

    /// Returns the goals at the last solution: name, goal, and error in metres or radians ([`Goal::error_size`]).
    pub(crate) fn goals(&self) -> impl Iterator<Item = (&str, &Goal, f64)> {
        let results = self.results.iter().zip(&self.problem.goals);
        results.map(|((name, length), goal)| (name.as_str(), goal, goal.error_size(*length)))
    }

    /// Returns the limits that were active at the last solution.
    pub(crate) fn active_limits(&self) -> impl Iterator<Item = ActiveLimit> {
        let joints = self.joints.iter().enumerate().filter(|_| self.is_limited);
        let limited = joints.filter_map(|(index, &joint)| {
            let JointVariables::Limited(own) = &self.variables[index] else { return None };
            Some((joint, own.motion.len(), self.problem.chain.range(LinkId(index))?.end))
        });
        limited.flat_map(move |(joint, count, end)| {
            (0..count).filter_map(move |k| self.active_limit(joint, k, end - count + k))
        })
    }

    /// Returns the active limit of variable `k` of a joint, which is variable `at` of the problem.
    fn active_limit(&self, joint: JointId, k: usize, at: usize) -> Option<ActiveLimit> {
        let ActiveBound { overshoot, cost } = self.active_bounds[at];
        let x = self.x[at];
        let kept = (self.outside[at] < 0.0 && x <= self.problem.lower[at])
            || (self.outside[at] > 0.0 && x >= self.problem.upper[at]);
        let outside = if kept { self.outside[at] } else { 0.0 };
        let overshoot = if outside.abs() > overshoot.abs() { outside } else { overshoot };
        let active_limit = ActiveLimit { joint, variable: k, value: x, overshoot, cost };
        (cost > ActiveLimit::MIN_COST_METRES || outside.abs() > ActiveLimit::MIN_ANGLE_RADIANS)
            .then_some(active_limit)
    }
}

/// Sets start and bounds of the variables from `at` on.
fn set_bounds(problem: &mut Problem, at: usize, x: &[f64], [lower, upper]: [[f64; 3]; 2]) {
    for (k, x) in x.iter().enumerate() {
        problem.lower[at + k] = lower[k];
        problem.upper[at + k] = upper[k];
        problem.start[at + k] = x.clamp(lower[k], upper[k]);
    }
}

/// Bounds of an unlimited joint.
const UNBOUNDED: [[f64; 3]; 2] = [[f64::NEG_INFINITY; 3], [f64::INFINITY; 3]];
