//! Limb stage: two-bone inverse kinematics of arms and legs, by bone directions or by the position of the end
//! effector.

use super::stage_chain::{JointFreedom, StageChain};
use super::stage_solver::StageSolver;
use crate::align::Plan;
use crate::frame::source_pose::SourcePose;
use crate::frame::target_pose::TargetPose;
use crate::math::ease;
use nalgebra::{Unit, UnitQuaternion, Vector3};
use rebone_body::LimitMode;
use rebone_body::body::{Anatomy, Landmark};
use rebone_body::limits::joint_range;
use rebone_ik::{Goal, IkError, LinkId, Point, PointRef, Solution};
use rebone_skeleton::JointId;
use rebone_skeleton::rotation::{direction, shortest_arc};

/// Weight of the axial rotation of an upper bone whose middle joint has fewer than three channels: √0.03.
const HINGE_WEIGHT: f64 = 0.173_205_080_756_887_73;
/// Weight of the axial rotation of each bone if limits hold the middle joint: √0.003. Without it, a nearly straight
/// limb whose middle joint bends sideways has two solutions half a turn of the upper bone apart.
const LIMITED_WEIGHT: f64 = 0.054_772_255_750_516_61;
/// Weight of the pole (direction of the upper bone) if a limit keeps the end effector from its position.
const POLE_WEIGHT: f64 = 0.1;

/// Bend at which a limb counts as folded: 160 degrees. More bend of bones of other proportions would fold them where
/// the swing is singular.
const MAX_BEND_RADIANS: f64 = 2.792_526_803_190_927;

/// Extension up to which a moved end effector is followed, if the pose does not extend farther already.
const MAX_EXTENSION: f64 = 0.992;
/// Weight of the joint's bend direction against the current pole vector, for each metre by which the limb becomes
/// shorter. A straight limb has no pole vector, and noise must not choose one.
const BEND_HINT_PER_METRE: f64 = 40.0;
/// Sine of the angle between the upper bone and the line to the end from which on the limb has a pole vector of its own: 20
/// degrees.
const BENT_SINE: f64 = 0.342;

/// Names of the goals in the report.
const GOALS: [&str; 5] = ["upper bone", "lower bone", "end", "upper bone", "lower bone"];

/// A limb: the joint of the upper bone, the joint of the lower bone, and the end effector.
pub(crate) type LimbPoints = [Landmark; 3];

/// One arm or leg. Goals: directions of the upper and the lower bone, position of the end effector, and axial
/// rotations of both bones if the middle joint cannot follow the source.
#[derive(Clone, Debug)]
pub(crate) struct LimbStage {
    chain: StageChain,
    source: LimbPoints,
    target: LimbPoints,
    /// Bone lengths of source and target, metres of a 1.7 m body.
    lengths: [[f64; 2]; 2],
    /// 0: by bone directions, 1: by the position of the end effector.
    mode: f64,
    /// Weights of the axial rotations of both bones.
    axial: [f64; 2],
    /// Whether no limit can be active.
    open: bool,
}

impl LimbStage {
    /// Sets up the problem of a limb.
    ///
    /// # Errors
    /// If the target's joints do not form a chain.
    pub(crate) fn new(
        plan: &Plan,
        source: LimbPoints,
        target: LimbPoints,
        mode: f64,
    ) -> Result<Self, IkError> {
        let [upper, lower, end_effector] = target.map(|landmark| landmark.joint);
        let skeleton = &plan.target.skeleton;
        let mut path: Vec<_> =
            skeleton.path_to_root(end_effector).take_while(|&id| id != upper).collect();
        path.push(upper);
        path.reverse();
        let moves = |id: JointId| {
            if id == upper || id == lower { JointFreedom::Limited } else { JointFreedom::Fixed }
        };
        let joints: Vec<_> = path.iter().map(|&id| (id, moves(id))).collect();
        let link = |id: JointId| LinkId(path.iter().position(|&joint| joint == id).unwrap_or(0));
        let unit = plan.target.metres_per_unit();
        let [start, middle, tip] = target
            .map(|Landmark { joint, offset }| Point { link: link(joint), offset: offset * unit });
        let line = |from, to| [PointRef::At(from), PointRef::At(to)];
        let lengths = [bones(&plan.source, source), bones(&plan.target, target)];
        let axial = axial_weights(plan, lower);
        let identity = UnitQuaternion::identity();
        let turn = |weight: f64, joint: JointId| {
            let frame = plan.target.joint_from_anatomical[joint.index()];
            Goal::axial(weight, 1.0, link(joint), frame, identity)
        };
        let mut goals = vec![
            Goal::direction(1.0, lengths[1][0], line(start, middle), Vector3::y_axis()),
            Goal::direction(1.0, lengths[1][1], line(middle, tip), Vector3::y_axis()),
            Goal::position(0.0, tip, Vector3::zeros()),
            turn(axial[0], upper),
        ];
        if axial[1] > 0.0 {
            goals.push(turn(axial[1], lower));
        }
        let goals = GOALS.map(str::to_owned).into_iter().zip(goals).collect();
        let chain = StageChain::new(plan, &joints, None, goals)?;
        let is_open = |joint| joint_range(&plan.target, joint).is_open(plan.options.limits);
        let open = is_open(upper) && is_open(lower);
        Ok(Self { chain, source, target, lengths, mode, axial, open })
    }

    /// Returns its chain.
    pub(crate) fn chain(&self) -> &StageChain {
        &self.chain
    }

    /// Solves the limb of one frame; `target_pose` holds the start.
    pub(crate) fn solve(
        &mut self,
        plan: &Plan,
        source_pose: &SourcePose,
        target_pose: &mut TargetPose,
        solver: &mut StageSolver,
    ) -> Solution {
        let [upper, lower, end_effector] = self.source;
        let unit = plan.source.metres_per_unit();
        let line = |from: Landmark, to: Landmark| {
            to.at(&source_pose.world, unit) - from.at(&source_pose.world, unit)
        };
        let bones = [line(upper, lower), line(lower, end_effector)]
            .map(|bone| direction(&bone).unwrap_or(Vector3::y_axis()));
        let bones = if self.mode > 0.0 {
            self.reach(plan, &(line(upper, end_effector)), bones, target_pose)
        } else {
            bones
        };
        self.chain.fill(plan, target_pose);
        let root = target_pose.world.positions[self.target[0].joint.index()];
        let [first, second] = self.lengths[1];
        let goals = &mut self.chain.problem.goals;
        goals[0].set_target_direction(bones[0]);
        goals[1].set_target_direction(bones[1]);
        goals[2].set_target_position(root + *bones[0] * first + *bones[1] * second);
        for (k, _) in self.axial.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
            goals[3 + k].set_target_rotation(target_pose.frame(plan, self.target[k].joint));
        }
        let by_place = self.mode > 0.0;
        goals[0].weight = if by_place { POLE_WEIGHT } else { 1.0 };
        goals[1].weight = 1.0 - self.mode;
        goals[2].weight = self.mode;
        self.chain.solve(solver, target_pose)
    }

    /// Returns directions of both bones that bring the end effector to its position, and poses the limb so.
    ///
    /// The position is the source's relative to the limb's root, scaled by limb length, blended with the position that
    /// the source's directions lead to. The law of cosines gives the bend; the pole vector is the source's.
    fn reach(
        &self,
        plan: &Plan,
        source_offset: &Vector3<f64>,
        bones: [Unit<Vector3<f64>>; 2],
        target_pose: &mut TargetPose,
    ) -> [Unit<Vector3<f64>>; 2] {
        let [source, target] = self.lengths;
        let scaled = source_offset * ((target[0] + target[1]) / (source[0] + source[1]));
        let led = *bones[0] * target[0] + *bones[1] * target[1];
        let wanted = led.lerp(&scaled, self.mode);
        let ratio = source_offset.norm() / (source[0] + source[1]);
        let Some(along) = direction(&wanted) else { return bones };
        let distance = soft_extension(wanted.norm() / (target[0] + target[1]), ratio)
            * (target[0] + target[1]);
        let distance = distance.max(min_distance(target, bones[0].angle(&bones[1])));
        let pole = *bones[0] - *along * bones[0].dot(&along);
        let Some([new_upper, new_lower]) = two_bone_directions(target, *along * distance, pole)
        else {
            return bones;
        };
        self.rotate_bones(plan, target_pose, [&bones[0], &bones[1]], [&new_upper, &new_lower]);
        [new_upper, new_lower]
    }

    /// Moves the end effector of the posed limb to a position, as near as it reaches. The bones rotate by shortest
    /// arcs, so that the pole vector stays.
    pub(crate) fn move_end_effector(
        &mut self,
        plan: &Plan,
        target_pose: &mut TargetPose,
        wanted: Vector3<f64>,
        solver: &mut StageSolver,
    ) {
        let unit = plan.target.metres_per_unit();
        let [root, middle, end_effector] =
            self.target.map(|point| point.at(&target_pose.world, unit));
        let lengths = self.lengths[1];
        let full_length = lengths[0] + lengths[1];
        let [old, new] = [end_effector - root, wanted - root];
        let directions =
            [middle - root, end_effector - middle, old, new].map(|path| direction(&path));
        let [Some(upper), Some(lower), Some(from), Some(along)] = directions else { return };
        let most = MAX_EXTENSION.max(old.norm() / full_length);
        let distance = soft_extension(new.norm() / full_length, most) * full_length;
        let distance = distance.max(min_distance(lengths, upper.angle(&lower)));
        // A limb that becomes shorter bends in the direction of its joint: the middle moves towards −Z.
        let shorter = (old.norm() - distance).max(0.0);
        let frame = target_pose.frame(plan, self.target[0].joint);
        let straight = ease(1.0 - upper.cross(&from).norm() / BENT_SINE);
        let hint = frame * -Vector3::z() * (straight * shorter * BEND_HINT_PER_METRE);
        let outwards = frame * Vector3::x() * plan.target.point(self.target[0]).x.signum();
        let turn = shortest_arc(&from, &along);
        let across = |way: Vector3<f64>| {
            let turned = turn * way;
            turned - *along * turned.dot(&along)
        };
        let pole = hinted_pole(across(*upper), across(hint), across(outwards));
        let Some(bones) = two_bone_directions(lengths, *along * distance, pole) else { return };
        self.rotate_bones(plan, target_pose, [&upper, &lower], [&bones[0], &bones[1]]);
        self.hold_limits(plan, target_pose, bones, root + *along * distance, solver);
    }

    /// Solves for the position of the end effector alone, from the pose that the limb has.
    pub(crate) fn solve_position(
        &mut self,
        plan: &Plan,
        target_pose: &mut TargetPose,
        wanted: Vector3<f64>,
        solver: &mut StageSolver,
    ) {
        self.chain.fill(plan, target_pose);
        let goals = &mut self.chain.problem.goals;
        goals.iter_mut().for_each(|goal| goal.weight = 0.0);
        goals[2].weight = 1.0;
        goals[2].set_target_position(wanted);
        self.chain.solve(solver, target_pose);
        for (goal, weight) in self.chain.problem.goals[3..].iter_mut().zip(self.axial) {
            goal.weight = weight;
        }
    }

    /// Brings the limb within its limits after its bones were turned in the world; the end effector stays where it can.
    pub(crate) fn hold_pose(
        &mut self,
        plan: &Plan,
        target_pose: &mut TargetPose,
        solver: &mut StageSolver,
    ) {
        let unit = plan.target.metres_per_unit();
        let [root, middle, end] = self.target.map(|point| point.at(&target_pose.world, unit));
        let bones = [middle - root, end - middle].map(|path| direction(&path));
        if let [Some(upper), Some(lower)] = bones {
            self.hold_limits(plan, target_pose, [upper, lower], end, solver);
        }
    }

    /// Solves for a pose within the limits whose end effector is at a position, and whose bones point as wanted.
    fn hold_limits(
        &mut self,
        plan: &Plan,
        target_pose: &mut TargetPose,
        bones: [Unit<Vector3<f64>>; 2],
        end: Vector3<f64>,
        solver: &mut StageSolver,
    ) {
        if self.open {
            return;
        }
        self.chain.fill(plan, target_pose);
        let goals = &mut self.chain.problem.goals;
        goals[0].set_target_direction(bones[0]);
        goals[1].set_target_direction(bones[1]);
        goals[2].set_target_position(end);
        for (k, _) in self.axial.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
            goals[3 + k].set_target_rotation(target_pose.frame(plan, self.target[k].joint));
        }
        (goals[0].weight, goals[1].weight, goals[2].weight) = (POLE_WEIGHT, 0.0, 1.0);
        self.chain.solve(solver, target_pose);
    }

    /// Rotates both bones by the shortest arcs from their old to their new directions.
    fn rotate_bones(
        &self,
        plan: &Plan,
        target_pose: &mut TargetPose,
        old: [&Unit<Vector3<f64>>; 2],
        new: [&Unit<Vector3<f64>>; 2],
    ) {
        let [upper, lower, _] = self.target;
        let turns = [shortest_arc(old[0], new[0]), shortest_arc(old[1], new[1])];
        target_pose.rotate(plan, upper.joint, &turns[0]);
        target_pose.rotate(plan, lower.joint, &(turns[0].inverse() * turns[1]));
    }
}

/// Returns directions of two bones that span `path`, by the law of cosines, bent towards the `pole` vector, which is
/// perpendicular to it; `None` if the pole vector is zero.
fn two_bone_directions(
    [first, second]: [f64; 2],
    path: Vector3<f64>,
    pole: Vector3<f64>,
) -> Option<[Unit<Vector3<f64>>; 2]> {
    let (along, pole) = (direction(&path)?, direction(&pole)?);
    let distance = path.norm();
    let cosine = (first * first + distance * distance - second * second) / (2.0 * first * distance);
    let sine = (1.0 - cosine * cosine).max(0.0).sqrt();
    let upper = *along * cosine.min(1.0) + *pole * sine;
    Some([direction(&upper)?, direction(&(path - upper * first))?])
}

/// Returns the sum of a pole vector and a hint, `p + h`. Where the hint is against the pole, as of a knee that the source
/// bends backwards a little, the sum would jump over zero: the limb turns by its outer side, with `2 a h² / (a² + h²)`
/// outwards, where `a = max(0, −p·h/|h|)`.
fn hinted_pole(pole: Vector3<f64>, hint: Vector3<f64>, outwards: Vector3<f64>) -> Vector3<f64> {
    let against = direction(&hint).map_or(0.0, |hint| (-pole.dot(&hint)).max(0.0));
    if against == 0.0 {
        return pole + hint;
    }
    let ahead = hint.norm_squared();
    pole + hint + outwards * (2.0 * against * ahead / (against * against + ahead))
}

/// Softens an extension `e = d/L` beyond that of the source.
///
/// With `s` the extension of the source and `c = max(s, 0.998)`: `e` up to `s`, above it `s + (c−s)(1 −
/// exp(−(e−s)/(c−s)))`, so that a limb never has to be longer than it is.
fn soft_extension(e: f64, source: f64) -> f64 {
    let s = source.min(1.0);
    let c = s.max(0.998);
    if e <= s {
        e
    } else if c - s < 1e-9 {
        s
    } else {
        s + (c - s) * (1.0 - libm::exp(-(e - s) / (c - s)))
    }
}

/// Returns the span of two bones at the largest bend: [`MAX_BEND_RADIANS`], or that of the source, radians, if larger.
fn min_distance([upper, lower]: [f64; 2], source: f64) -> f64 {
    let cosine = libm::cos(source.max(MAX_BEND_RADIANS));
    (upper * upper + lower * lower + 2.0 * upper * lower * cosine).max(0.0).sqrt()
}

/// Returns weights of the axial rotations of both bones: nonzero if the middle joint cannot follow every bend of the
/// source, because it has fewer than three channels or its limits hold.
fn axial_weights(plan: &Plan, middle: JointId) -> [f64; 2] {
    let stated = || joint_range(&plan.target, middle).stated.contains(&true);
    if plan.target.skeleton[middle].rotation_axes.len() < 3 {
        [HINGE_WEIGHT, 0.0]
    } else if plan.options.limits != LimitMode::Source || stated() {
        [LIMITED_WEIGHT; 2]
    } else {
        [0.0; 2]
    }
}

fn bones(anatomy: &Anatomy, [upper, lower, end_effector]: LimbPoints) -> [f64; 2] {
    let length = |a: Landmark, b: Landmark| (anatomy.point(a) - anatomy.point(b)).norm();
    [length(upper, lower), length(lower, end_effector)]
}

#[cfg(test)]
mod tests {
    use super::{hinted_pole, soft_extension};
    use nalgebra::{Unit, Vector3};

    #[test]
    fn a_limb_that_is_bent_backwards_turns_to_its_hint_without_a_jump() {
        let [back, ahead, out] = [-Vector3::z() * 0.05, Vector3::z(), Vector3::x()];
        let at = |hint: f64| Unit::new_normalize(hinted_pole(back, ahead * hint, out));
        assert_eq!(at(0.0).into_inner(), -Vector3::z());
        assert!(at(5.0).z > 0.99 && at(0.005).z < -0.99);
        let steps = (0..1000).map(|k| at(f64::from(k) * 5e-4).angle(&at(f64::from(k + 1) * 5e-4)));
        assert!(steps.fold(0.0, f64::max) < 0.05);
        assert_eq!(
            hinted_pole(ahead, ahead, out),
            ahead * 2.0,
            "a limb bent ahead stays in its plane"
        );
    }

    #[test]
    fn extension_is_kept_up_to_the_sources_and_softened_above() {
        assert_eq!(soft_extension(0.7, 0.8), 0.7);
        assert!(soft_extension(1.2, 0.9) < 0.998 && soft_extension(1.2, 0.9) > 0.99);
        assert_eq!(soft_extension(1.5, 1.0), 1.0);
        let step = |e: f64| soft_extension(e + 1e-6, 0.9) - soft_extension(e, 0.9);
        assert!((step(0.9) / 1e-6 - 1.0).abs() < 1e-3, "the slope has no jump");
    }
}
