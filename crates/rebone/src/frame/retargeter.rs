//! One frame after another: observe, pose, solve.

use super::pose_offset::PoseOffset;
use super::source_pose::Observation;
use super::stages::Stages;
use super::target_pose::Posing;
use crate::align::{Group, Plan, chains};
use crate::body::Limb;
use crate::limits::{Binding, JointBox};
use crate::options::Method;
use nalgebra::{UnitQuaternion, Vector3};
use rebone_ik::{Goal, IkError, Solution};
use rebone_skeleton::{Pose, WorldPose};

/// A plan and the memory that a frame needs: solves frames in any order, without allocation.
#[derive(Clone, Debug)]
pub struct Retargeter {
    plan: Plan,
    seen: Observation,
    posing: Posing,
    /// Where nothing is solved: a copy of the pose, on which stages tell how far from their goals it is.
    judged: Option<Posing>,
    segments: Vec<UnitQuaternion<f64>>,
    stages: Stages,
    solutions: [Option<Solution>; Group::ORDER.len()],
    /// Room for the frames of the result.
    world: WorldPose,
}

impl Retargeter {
    /// Sets up the memory and the stages' problems.
    ///
    /// # Errors
    /// When the target's joints do not form chains.
    pub fn new(plan: Plan) -> Result<Self, IkError> {
        let count = plan.chains.iter().map(|chain| chain.target.len()).sum();
        let stages = Stages::new(&plan)?;
        Ok(Self {
            solutions: [None; Group::ORDER.len()],
            seen: Observation::new(&plan),
            posing: Posing::new(&plan),
            judged: (plan.options.method != Method::Ik).then(|| Posing::new(&plan)),
            stages,
            world: WorldPose::zeros(plan.target.skeleton.len()),
            segments: vec![UnitQuaternion::identity(); count],
            plan,
        })
    }

    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// How the stages of the last frame went, in their order.
    pub fn solutions(&self) -> impl Iterator<Item = (Group, &Solution)> + '_ {
        let pairs = Group::ORDER.into_iter().zip(&self.solutions);
        pairs.filter_map(|(group, solution)| Some((group, solution.as_ref()?)))
    }

    /// Where the limited joints stand in their boxes in the last frame. With
    /// [`LimitMode::Source`](crate::options::LimitMode), joints that no stage moves are left out unless the rig
    /// limits them: they take the source's own rotations.
    pub fn boxes(&self) -> impl Iterator<Item = JointBox> + '_ {
        let mode = self.plan.options.limits;
        self.stages.boxes(&self.posing).chain(self.posing.boxes(mode))
    }

    /// The goals of a group's stage in the last frame, with their names, and how far from being met
    /// they are: metres of a 1.7 m body, or radians ([`Goal::error_size`]).
    pub fn goals(&self, group: Group) -> impl Iterator<Item = (&str, &Goal, f64)> {
        self.solves().then(|| self.stages.goals(group)).into_iter().flatten()
    }

    /// The limits that bound in the last frame.
    pub fn bindings(&self) -> impl Iterator<Item = Binding> {
        let solved = self.solves().then(|| self.stages.bindings());
        solved.into_iter().flatten().chain(self.posing.bindings())
    }

    /// Whether the stages move anything.
    fn solves(&self) -> bool {
        self.judged.is_none()
    }

    /// The target's pose for a pose of the source.
    ///
    /// # Panics
    /// When a pose has not as many joints as its skeleton.
    pub fn frame(&mut self, source: &Pose, target: &mut Pose) {
        self.observe(source);
        Group::ORDER.into_iter().for_each(|group| self.solve(group));
        self.write(target);
    }

    /// The first step of a frame, public for benches alone, as are the others: takes a pose of the source.
    ///
    /// # Panics
    /// When it has not as many joints as the source's skeleton.
    #[doc(hidden)]
    pub fn observe(&mut self, source: &Pose) {
        let Self { plan, seen, posing, segments, .. } = self;
        seen.update(plan, source);
        chains::apply(&plan.chains, &seen.turns, segments);
        posing.translations.copy_from_slice(&plan.bones);
    }

    /// Starts a group in closed form and solves its stage. Those before it in [`Group::ORDER`] must have
    /// been solved.
    #[doc(hidden)]
    pub fn solve(&mut self, group: Group) {
        let Self { plan, seen, posing, judged, segments, stages, solutions, .. } = self;
        let place = group.place();
        posing.start(plan, seen, segments, place);
        if group == Group::Body {
            let hips = plan.target.hips().map(|hip| {
                let own = plan.stretched(hip).and_then(|pair| plan.stretch(&seen.world, pair));
                posing.place(plan, hip) + own.unwrap_or_else(Vector3::zeros)
            });
            let wanted = plan.on_path(&seen.middle(plan.source.hips()));
            posing.shift(plan, wanted - (hips[0] + hips[1]) / 2.0);
        }
        if let Some(judged) = judged {
            judged.copy(posing);
            let solution = stages.solve(plan, seen, judged, group);
            solutions[place] = solution.map(|own| Solution { cost: own.start_cost, ..own });
            return;
        }
        solutions[place] = stages.solve(plan, seen, posing, group);
        if solutions[place].is_some() {
            posing.refresh(plan, place);
        }
    }

    /// The source in the last frame: inner world, metres of a 1.7 m body.
    pub(crate) fn source_world(&self) -> &WorldPose {
        &self.seen.world
    }

    /// The target as it stands: inner world, metres of a 1.7 m body.
    pub(crate) fn target_world(&self) -> &WorldPose {
        &self.posing.world
    }

    /// Moves the body and the ends of limbs of a pose of the target; hands and feet keep their rotations in the
    /// world. How far each end is from its place then, metres of a 1.7 m body.
    pub(crate) fn correct(&mut self, pose: &mut Pose, moves: &PoseOffset) -> [f64; 4] {
        let Self { plan, posing, stages, world, .. } = self;
        posing.load(plan, pose);
        if *moves == PoseOffset::default() {
            return [0.0; 4];
        }
        let unit = plan.target.metres_per_unit();
        let ends = Limb::ALL.map(|limb| limb.end(&plan.target));
        let tips = Limb::ALL.map(|limb| limb.tip(&plan.target));
        let turned = tips.map(|tip| tip.map(|tip| posing.world.rotations[tip.index()]));
        if moves.tilt != Vector3::zeros() {
            posing.tilt(plan, &UnitQuaternion::from_scaled_axis(moves.tilt));
        }
        let places = ends.map(|end| end.place(&posing.world, unit));
        posing.shift(plan, moves.root);
        let mut slack = [0.0; 4];
        for (k, limb) in Limb::ALL.into_iter().enumerate() {
            let Some(by) = moves.ends[k] else { continue };
            stages.put(plan, posing, limb, places[k] + by);
            posing.refresh(plan, Group::of_limb(limb).place());
            if let (Some(tip), Some(turned)) = (tips[k], turned[k]) {
                posing.aim(plan, tip, &turned);
                posing.refresh(plan, plan.groups[tip.index()].place());
            }
            if let Limb::Arm(side) = limb {
                posing.refresh(plan, Group::Fingers(side).place());
            }
            slack[k] = (ends[k].place(&posing.world, unit) - places[k] - by).norm();
        }
        posing.write(plan, pose);
        plan.carry_helpers(pose, world);
        slack
    }

    /// Sets the height by what bears on the ground, and overwrites the target's pose, helpers last.
    ///
    /// # Panics
    /// When that has not as many joints as the target's skeleton.
    #[doc(hidden)]
    pub fn write(&mut self, target: &mut Pose) {
        let solves = self.solves();
        let Self { plan, seen, posing, world, .. } = self;
        if solves {
            let rise = plan.supports.rise(&seen.world, &posing.world);
            posing.shift(plan, Vector3::y() * rise);
        }
        posing.write(plan, target);
        plan.carry_helpers(target, world);
    }
}
