//! Body stage: pelvis, spine and chest in one solve, from both hips and the anchors of both shoulders.

use super::stage_chain::{JointFreedom, StageChain};
use super::stage_solver::StageSolver;
use crate::align::Plan;
use crate::frame::source_pose::SourcePose;
use crate::frame::target_pose::TargetPose;
use nalgebra::{Unit, UnitQuaternion, Vector3};
use rebone_ik::{Goal, IkError, LinkId, Point, PointRef, Solution};
use rebone_skeleton::JointId;
use rebone_skeleton::rotation::{direction, shortest_arc};

/// Lever of the orientations of pelvis and chest.
const FRAME_LEVER_METRES: f64 = 0.3;
/// Lever of the direction of the trunk.
const TRUNK_LEVER_METRES: f64 = 0.4;
/// Weight of the direction of the trunk. Below 1, so that a spine of one joint favours the orientation of the chest,
/// which carries arms and head.
const TRUNK_WEIGHT: f64 = 0.5;
/// Weight of the positions of the shoulders' anchors.
const ANCHOR_WEIGHT: f64 = 0.3;
/// Weight of the orientations of hip bones and of spine joints between pelvis and chest: they stay near the
/// closed-form start, so that a spine does not fold to gain a millimetre at the shoulders.
const BETWEEN_WEIGHT: f64 = 0.3;

/// Names of the positions of hips and anchors in the report, left and right.
const HIPS: [&str; 2] = ["left hip", "right hip"];
const ANCHORS: [&str; 2] = ["left anchor", "right anchor"];

/// The problem of the body.
#[derive(Clone, Debug)]
pub(crate) struct BodyStage {
    chain: StageChain,
    indices: GoalIndices,
    measures: Measures,
}

/// Index of each goal in the problem.
#[derive(Clone, Debug)]
struct GoalIndices {
    /// Positions of the hips, left and right.
    hips: [usize; 2],
    /// Orientation of the pelvis.
    pelvis: usize,
    /// If chest and pelvis are two joints: direction of the trunk, and positions of both anchors.
    trunk: Option<(usize, [usize; 2])>,
    /// If joints lie between pelvis and chest: orientation of the chest.
    chest: Option<usize>,
    /// Orientations of hip bones and of the joints between pelvis and chest.
    between: Vec<(usize, JointId)>,
}

/// Constants of both T poses that the goals need, metres of a 1.7 m body.
#[derive(Clone, Debug)]
struct Measures {
    /// Half the vector from the right to the left hip in the axes of the pelvis, source and target.
    half_hips: [Vector3<f64>; 2],
    /// Hip width of the target over that of the source.
    hip_width: f64,
    /// Rotation from the source's trunk direction (mid-hips to the midpoint of the anchors) to the target's.
    lean: UnitQuaternion<f64>,
    /// The target's anchors relative to their midpoint, in the axes of the chest.
    anchors: [Vector3<f64>; 2],
}

impl BodyStage {
    /// Sets up the problem.
    ///
    /// # Errors
    /// If the target's joints do not form a chain.
    pub(crate) fn new(plan: &Plan) -> Result<Self, IkError> {
        let joints = chain_joints(plan);
        let (goals, indices) = goals(plan, &joints);
        let chain = StageChain::new(plan, &joints, Some(plan.translation_joint), goals)?;
        Ok(Self { chain, indices, measures: Measures::new(plan) })
    }

    /// Returns its chain.
    pub(crate) fn chain(&self) -> &StageChain {
        &self.chain
    }

    /// Solves the body of one frame; `target_pose` holds the start.
    pub(crate) fn solve(
        &mut self,
        plan: &Plan,
        source_pose: &SourcePose,
        target_pose: &mut TargetPose,
        solver: &mut StageSolver,
    ) -> Solution {
        self.chain.fill(plan, target_pose);
        self.set_goals(plan, source_pose, target_pose);
        self.chain.solve(solver, target_pose)
    }

    /// Sets the targets of the goals.
    fn set_goals(&mut self, plan: &Plan, source_pose: &SourcePose, target_pose: &TargetPose) {
        let measures = &self.measures;
        let body = &plan.source.body;
        let (pelvis, chest) =
            (source_pose.frames[body.pelvis().index()], source_pose.frames[body.chest().index()]);
        let middle = plan.scaled_to_target(&source_pose.middle(plan.source.hips()));
        let half = measures.half_hip_line(source_pose.half_line(plan.source.hips()), &pelvis);
        let (goals, indices) = (&mut self.chain.problem.goals, &self.indices);
        goals[indices.hips[0]].set_target_position(middle + half);
        goals[indices.hips[1]].set_target_position(middle - half);
        goals[indices.pelvis].set_target_rotation(pelvis);
        if let Some((line, anchors)) = indices.trunk {
            let along = measures.trunk_line(plan, source_pose, &pelvis, &chest);
            goals[line].set_target_direction(along);
            let top = middle + *along * measures.start_length(plan, target_pose);
            for (place, anchor) in anchors.into_iter().zip(measures.anchors) {
                goals[place].set_target_position(top + chest * anchor);
            }
        }
        if let Some(place) = indices.chest {
            goals[place].set_target_rotation(chest);
        }
        for &(place, joint) in &indices.between {
            goals[place].set_target_rotation(target_pose.world.rotations[joint.index()]);
        }
    }
}

/// Lists the target's joints of the problem, parents first: from the root to the chest and the thighs.
fn chain_joints(plan: &Plan) -> Vec<(JointId, JointFreedom)> {
    let target = &plan.target;
    let top = target.body.trunk[target.body.trunk_top()];
    let moves = |id: JointId| {
        if id == top {
            Some((id, JointFreedom::Free))
        } else if target.body.trunk.contains(&id) || hip_bones(plan).any(|bone| bone == id) {
            Some((id, JointFreedom::Limited))
        } else if target.skeleton.is_ancestor(id, top) || is_above_thigh(plan, id) {
            Some((id, JointFreedom::Fixed))
        } else {
            None
        }
    };
    target.skeleton.ids().filter_map(moves).collect()
}

fn hip_bones(plan: &Plan) -> impl Iterator<Item = JointId> + '_ {
    plan.target.body.legs.iter().flat_map(|leg| leg.hip_bones.iter().copied())
}

/// Builds the goals with their names, targets unset, and the index of each.
fn goals(plan: &Plan, joints: &[(JointId, JointFreedom)]) -> (Vec<(String, Goal)>, GoalIndices) {
    let target = &plan.target;
    let (pelvis, chest, trunk) = (target.body.pelvis(), target.body.chest(), &target.body.trunk);
    let link = |id: JointId| LinkId(joints.iter().position(|(joint, _)| *joint == id).unwrap_or(0));
    let mut goals = Vec::new();
    let mut push = |name: &str, goal: Goal| {
        goals.push((name.to_owned(), goal));
        goals.len() - 1
    };
    let identity = UnitQuaternion::identity();
    let frame = |id: JointId| {
        let own = target.joint_from_anatomical[id.index()];
        Goal::orientation(1.0, FRAME_LEVER_METRES, link(id), own, identity)
    };
    let hips = target.hips().map(|hip| Point::origin(link(hip)));
    let anchors = target.shoulders().map(|shoulder| Point {
        link: link(chest),
        offset: target.t_pose.rotations[chest.index()].inverse()
            * (target.place(shoulder) - target.place(chest)),
    });
    let ends = [PointRef::Midpoint(hips[0], hips[1]), PointRef::Midpoint(anchors[0], anchors[1])];
    let inner = trunk.iter().copied().filter(|&id| id != pelvis && id != chest);
    let kept =
        |id| Goal::orientation(BETWEEN_WEIGHT, FRAME_LEVER_METRES, link(id), identity, identity);
    let name = |id| target.skeleton[id].name.to_string();
    let indices = GoalIndices {
        hips: [0, 1].map(|k| push(HIPS[k], Goal::position(1.0, hips[k], Vector3::zeros()))),
        pelvis: push("pelvis", frame(pelvis)),
        trunk: (pelvis != chest).then(|| {
            let line = Goal::direction(TRUNK_WEIGHT, TRUNK_LEVER_METRES, ends, Vector3::y_axis());
            let anchor = |at| Goal::position(ANCHOR_WEIGHT, at, Vector3::zeros());
            (push("trunk", line), [0, 1].map(|k| push(ANCHORS[k], anchor(anchors[k]))))
        }),
        chest: (trunk.len() > 2).then(|| push("chest", frame(chest))),
        between: hip_bones(plan).chain(inner).map(|id| (push(&name(id), kept(id)), id)).collect(),
    };
    (goals, indices)
}

/// Returns whether a joint connects pelvis and thighs without being a hip bone.
fn is_above_thigh(plan: &Plan, id: JointId) -> bool {
    let skeleton = &plan.target.skeleton;
    let pelvis = plan.target.body.pelvis();
    let below = |hip: &JointId| skeleton.is_ancestor(id, *hip);
    skeleton.is_ancestor(pelvis, id) && plan.target.hips().iter().any(below)
}

impl Measures {
    fn new(plan: &Plan) -> Self {
        let (source, target) = (&plan.source, &plan.target);
        let half = |[left, right]: [JointId; 2], anatomy: &rebone_body::body::Anatomy| {
            (anatomy.place(left) - anatomy.place(right)) / 2.0
        };
        let halves = [half(source.hips(), source), half(target.hips(), target)];
        let shoulders = target.middle(target.shoulders());
        let [from, to] = [source, target].map(|anatomy| {
            direction(&(anatomy.middle(anatomy.shoulders()) - anatomy.middle(anatomy.hips())))
        });
        let lean =
            from.zip(to).map_or(UnitQuaternion::identity(), |(from, to)| shortest_arc(&from, &to));
        Self {
            hip_width: halves[1].norm() / halves[0].norm().max(1e-9),
            half_hips: halves,
            lean,
            anchors: target.shoulders().map(|shoulder| target.place(shoulder) - shoulders),
        }
    }

    /// Returns half the target's hip vector in the world: its own, changed as the source's has changed.
    fn half_hip_line(
        &self,
        source_half_line: Vector3<f64>,
        pelvis: &UnitQuaternion<f64>,
    ) -> Vector3<f64> {
        let change = pelvis.inverse() * source_half_line - self.half_hips[0];
        pelvis * (self.half_hips[1] + change * self.hip_width)
    }

    /// Returns the distance from mid-hips to the midpoint of the anchors at the closed-form start: the length that the
    /// target's spine has when it bends as the source's. Another length would fold it.
    fn start_length(&self, plan: &Plan, target_pose: &TargetPose) -> f64 {
        let chest = plan.target.body.chest();
        let [left, right] = plan.girdle.target;
        let anchors = target_pose.world.positions[chest.index()]
            + target_pose.frame(plan, chest) * ((left + right) / 2.0);
        let hips = plan.target.hips().map(|hip| target_pose.place(plan, hip));
        (anchors - (hips[0] + hips[1]) / 2.0).norm()
    }

    /// Returns the direction of the target's trunk: its own in the T pose, rotated as the source's, whose anchors move
    /// with its chest.
    fn trunk_line(
        &self,
        plan: &Plan,
        source_pose: &SourcePose,
        pelvis: &UnitQuaternion<f64>,
        chest: &UnitQuaternion<f64>,
    ) -> Unit<Vector3<f64>> {
        let [left, right] = plan.girdle.source;
        let anchors = source_pose.world.positions[plan.source.body.chest().index()]
            + chest * ((left + right) / 2.0);
        let line = anchors - source_pose.middle(plan.source.hips());
        let between = pelvis.slerp(chest, 0.5);
        let along = between * self.lean * between.inverse() * line;
        direction(&along).unwrap_or(Vector3::y_axis())
    }
}
