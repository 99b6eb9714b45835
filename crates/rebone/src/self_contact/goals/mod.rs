//! What touch, clearance and pose ask of both arms in a frame.

pub(crate) mod arm_goals;
pub(crate) mod clearance;
pub(crate) mod find_touches;
pub(crate) mod quadratic;
pub(crate) mod touch;
pub(crate) mod twist;

use crate::self_contact::arm::{ARM_VARIABLES, ArmPart, ArmTwists, BEND, TurnedArm, WRIST};
use crate::self_contact::choice::TouchShares;
use crate::self_contact::goals::arm_goals::{ArmGoals, TurnedBody};
use crate::self_contact::goals::quadratic::{Quadratic, Variables, of_arm};
use crate::self_contact::goals::touch::{SURFACE_COUNT, Touch};
use crate::surface::{ArmPose, BodyTransforms, SurfacePair};
use nalgebra::SMatrix;
use rebone_body::body::{BodySegment, Side};

/// Levers of the rotations of upper arm, forearm and hand off the pose, metres: how much a rotation costs beside a distance.
const STAY_METRES: [f64; 3] = [0.045, 0.045, 0.03];
/// Smallest and largest bend of an elbow, radians, unless the pose bends it less or more.
const BEND_RADIANS: [f64; 2] = [0.05, 2.6];
/// Lever of a bend beyond its range, metres.
const BEND_METRES: f64 = 0.5;

/// A frame of both bodies, as it is before the arms are turned: inner world, metres of a 1.7 m body.
pub(crate) struct FrameGoals<'a> {
    pub(crate) pair: &'a SurfacePair,
    pub(crate) source: &'a BodyTransforms,
    pub(crate) target: &'a BodyTransforms,
    /// Heights of the floor of source and target, where it is level.
    pub(crate) floors: Option<[f64; 2]>,
    /// Shares of the touches that count; `None` where all do.
    pub(crate) shares: Option<TouchShares>,
    /// Of the left and the right hand.
    touches: [Vec<Touch>; 2],
    /// Degree, 0 to 1, to which each hand touches each surface of the source.
    pub(crate) touching: [[f64; SURFACE_COUNT]; 2],
}

impl<'a> FrameGoals<'a> {
    pub(crate) fn new(
        pair: &'a SurfacePair,
        [source, target]: [&'a BodyTransforms; 2],
        floors: Option<[f64; 2]>,
        shares: Option<TouchShares>,
    ) -> Self {
        let mut goals = Self::without_touches(pair, [source, target], floors, shares);
        let [left, right] = Side::BOTH.map(|side| goals.find_touches(side));
        (goals.touches, goals.touching) = ([left.0, right.0], [left.1, right.1]);
        goals
    }

    /// Returns whether a touch or a clearance asks for anything as the arms are.
    pub(crate) fn is_active(
        pair: &SurfacePair,
        bodies: [&BodyTransforms; 2],
        floors: Option<[f64; 2]>,
        shares: Option<TouchShares>,
    ) -> bool {
        let goals = FrameGoals::without_touches(pair, bodies, floors, shares);
        if Side::BOTH.into_iter().any(|side| goals.possible_touches(side).next().is_some()) {
            return true;
        }
        let turned = goals.turned(&Variables::zeros());
        Side::BOTH.into_iter().any(|side| !goals.clearance(side, &turned).is_empty())
    }

    fn without_touches(
        pair: &'a SurfacePair,
        [source, target]: [&'a BodyTransforms; 2],
        floors: Option<[f64; 2]>,
        shares: Option<TouchShares>,
    ) -> Self {
        Self {
            pair,
            source,
            target,
            floors,
            shares,
            touches: [Vec::new(), Vec::new()],
            touching: [[0.0; SURFACE_COUNT]; 2],
        }
    }

    /// Returns the goals of the frame, linearised at values of the variables.
    pub(crate) fn quadratic(&self, x: &Variables) -> Quadratic {
        let mut all = Quadratic::zero();
        let turned = self.turned(x);
        let twists = turned.arms.each_ref().map(|arm| {
            [ArmPart::Upper, ArmPart::Forearm, ArmPart::Hand]
                .map(|part| arm.twists(part, &turned.origin))
        });
        for side in Side::BOTH {
            self.push_stay(&mut all, side);
            self.push_bend(&mut all, side, x);
            let goals = self.arm_goals(side, &turned);
            for (own, goals) in twists[side.index()].iter().zip(&goals.0) {
                let others = twists[side.other().index()].map(|other| Some(-other));
                let others = [None].into_iter().chain(others);
                for (goals, other) in goals.iter().zip(others).filter(|own| !own.0.is_empty) {
                    let mut twists: [Option<ArmTwists>; 2] = [other; 2];
                    twists[side.index()] = Some(*own);
                    all.push(goals, twists, x);
                }
            }
        }
        all
    }

    pub(crate) fn touches(&self, side: Side) -> &[Touch] {
        &self.touches[side.index()]
    }

    /// Returns the goals of touch and clearance of an arm.
    fn arm_goals(&self, side: Side, turned: &TurnedBody) -> ArmGoals {
        let mut goals = self.clearance(side, turned);
        for touch in &self.touches[side.index()] {
            touch.push(&mut goals, side, turned);
        }
        goals
    }

    /// Turns the arms of the target.
    pub(crate) fn turned(&self, x: &Variables) -> TurnedBody {
        let arms =
            Side::BOTH.map(|side| TurnedArm::new(self.target.arms[side.index()], &of_arm(x, side)));
        let mut at = self.target.clone();
        for side in Side::BOTH {
            for segment in BodySegment::of_arm(side) {
                let own = &mut at.fields[segment.index()];
                let part = ArmPart::of(segment);
                *own = own.zip(part).map(|(base, part)| arms[side.index()].transform(part, &base));
            }
        }
        TurnedBody { arms, at, origin: self.target.arms[0].joints[0] }
    }

    /// Adds the pull of the parts of an arm to their rotations in the pose.
    fn push_stay(&self, all: &mut Quadratic, side: Side) {
        let hinge = &self.target.arms[side.index()].hinge;
        let mut sum = SMatrix::<f64, 3, ARM_VARIABLES>::zeros();
        let first = side.index() * ARM_VARIABLES;
        // Rotation vectors of shoulder, elbow and wrist add up to first order.
        for (k, lever) in STAY_METRES.into_iter().enumerate() {
            match k {
                0 => sum.fixed_columns_mut::<3>(0).fill_with_identity(),
                1 => sum.set_column(BEND, hinge),
                _ => sum.fixed_columns_mut::<3>(WRIST).fill_with_identity(),
            }
            let columns = &sum.data.0;
            for (j, [x, y, z]) in columns.iter().enumerate() {
                for (i, [a, b, c]) in columns.iter().enumerate() {
                    all.matrix.data.0[first + j][first + i] +=
                        (a * x + b * y + c * z) * (lever * lever);
                }
            }
        }
    }

    /// Adds the pull of an elbow back into its range.
    fn push_bend(&self, all: &mut Quadratic, side: Side, x: &Variables) {
        let index = side.index() * ARM_VARIABLES + BEND;
        let [least, most] = bend_range(&self.target.arms[side.index()]);
        let inside = x[index].clamp(least, most);
        if inside != x[index] {
            all.pull(index, inside, BEND_METRES * BEND_METRES);
        }
    }
}

/// Returns the range of the change of an elbow's bend.
pub(crate) fn bend_range(arm: &ArmPose) -> [f64; 2] {
    let [shoulder, elbow, wrist] = arm.joints;
    let (upper, lower) = (elbow - shoulder, wrist - elbow);
    let bend = libm::atan2(arm.hinge.dot(&upper.cross(&lower)), upper.dot(&lower));
    [(BEND_RADIANS[0] - bend).min(0.0), (BEND_RADIANS[1] - bend).max(0.0)]
}
