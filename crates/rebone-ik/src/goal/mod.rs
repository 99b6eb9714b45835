//! Goals: weighted targets for points, directions and frames of a chain.
//!
//! | goal | rows | unit of `r / weight` | use it for |
//! | --- | --- | --- | --- |
//! | position | 3 | length | end effectors, contacts |
//! | direction | 3 | length (lever × unit vectors) | bones, lines between two points |
//! | orientation | 3 | length (lever × radians) | frames of segments |
//! | axial | 1 | length (lever × radians) | twist of bones |
//!
//! The lever converts angles to lengths, so that weights of all kinds are comparable.

mod axial;

mod direction;

mod orientation;

mod point_terms;

mod position;

pub use axial::Axial;
pub use direction::Direction;
pub use orientation::Orientation;
pub use position::Position;

use crate::algebra::hessian::HessianTerms;
use crate::algebra::loads::Loads;
use crate::{Chain, Configuration, LinkId, PointRef};
use nalgebra::{Unit, UnitQuaternion, Vector3};

/// A target and its weight. The residual is `weight · (actual − target)`.
///
/// ```
/// use nalgebra::Vector3;
/// use rebone_ik::{Goal, LinkId, Point, PointRef};
///
/// let [elbow, wrist] = [1, 2].map(|link| Point::origin(LinkId(link)));
/// let reach = Goal::position(1.0, wrist, Vector3::new(0.3, 1.2, 0.2));
/// let forearm = [PointRef::At(elbow), PointRef::At(wrist)];
/// let aim = Goal::direction(0.5, 0.25, forearm, Vector3::z_axis());
/// assert_eq!((reach.rows(), aim.rows()), (3, 3));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// Factor on the residual, not negative; 0 disables the goal. It enters the cost squared.
    pub weight: f64,
    /// Quantity and target. Its links must exist in the chain.
    pub kind: GoalKind,
}

/// Quantity of a goal, with its target.
///
/// ```
/// use nalgebra::UnitQuaternion;
/// use rebone_ik::{Goal, GoalKind, LinkId};
///
/// let identity = UnitQuaternion::identity();
/// let goal = Goal::orientation(1.0, 0.2, LinkId(3), identity, identity);
/// let GoalKind::Orientation(hand) = &goal.kind else { unreachable!() };
/// assert_eq!((hand.link, hand.lever), (LinkId(3), 0.2));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum GoalKind {
    /// Position of a point.
    Position(Position),
    /// Direction from one point to another.
    Direction(Direction),
    /// Rotation of a frame.
    Orientation(Orientation),
    /// Twist of a frame about its own Y axis.
    Axial(Axial),
}

impl Goal {
    /// Pulls `point` to `target`, in the world.
    pub fn position(weight: f64, point: impl Into<PointRef>, target: Vector3<f64>) -> Self {
        let position = Position { point: point.into(), target };
        Self { weight, kind: GoalKind::Position(position) }
    }

    /// Aligns the unit vector `from` → `to` with `target`, in the world.
    ///
    /// Opposite directions are a stationary point.
    pub fn direction(
        weight: f64,
        lever: f64,
        [from, to]: [PointRef; 2],
        target: Unit<Vector3<f64>>,
    ) -> Self {
        let direction = Direction { from, to, lever, target };
        Self { weight, kind: GoalKind::Direction(direction) }
    }

    /// Aligns the rotation `world_from_link · frame` with `target`.
    pub fn orientation(
        weight: f64,
        lever: f64,
        link: LinkId,
        frame: UnitQuaternion<f64>,
        target: UnitQuaternion<f64>,
    ) -> Self {
        let orientation = Orientation { link, frame, lever, target };
        Self { weight, kind: GoalKind::Orientation(orientation) }
    }

    /// Removes the twist of `world_from_link · frame` about its own Y axis against `target`; the
    /// direction of that axis is free.
    pub fn axial(
        weight: f64,
        lever: f64,
        link: LinkId,
        frame: UnitQuaternion<f64>,
        target: UnitQuaternion<f64>,
    ) -> Self {
        let axial = Axial { link, frame, lever, target };
        Self { weight, kind: GoalKind::Axial(axial) }
    }

    /// Sets the target of a position goal, in the world. Returns false, and changes nothing, for another kind.
    pub fn set_target_position(&mut self, target: Vector3<f64>) -> bool {
        let GoalKind::Position(goal) = &mut self.kind else { return false };
        goal.target = target;
        true
    }

    /// Sets the target of a direction goal, in the world. Returns false, and changes nothing, for another kind.
    pub fn set_target_direction(&mut self, target: Unit<Vector3<f64>>) -> bool {
        let GoalKind::Direction(goal) = &mut self.kind else { return false };
        goal.target = target;
        true
    }

    /// Sets the target of an orientation or axial goal, in the world. Returns false, and changes nothing, for another
    /// kind.
    pub fn set_target_rotation(&mut self, target: UnitQuaternion<f64>) -> bool {
        match &mut self.kind {
            GoalKind::Orientation(goal) => goal.target = target,
            GoalKind::Axial(goal) => goal.target = target,
            _ => return false,
        }
        true
    }

    /// Number of rows of its residual.
    pub fn rows(&self) -> usize {
        if matches!(self.kind, GoalKind::Axial(_)) { 1 } else { 3 }
    }

    /// Converts the norm of its rows of the weighted residual to an error: units of length for a
    /// position, radians for all other kinds. 0 for a disabled goal.
    pub fn error_size(&self, residual_norm: f64) -> f64 {
        if self.weight == 0.0 {
            return 0.0;
        }
        let length = residual_norm / self.weight;
        match &self.kind {
            GoalKind::Position(_) => length,
            GoalKind::Direction(goal) => 2.0 * libm::asin((length / (2.0 * goal.lever)).min(1.0)),
            GoalKind::Orientation(goal) => length / goal.lever,
            GoalKind::Axial(goal) => length / goal.lever,
        }
    }

    /// Links that its residual depends on, with repetitions.
    pub(crate) fn links(&self) -> [LinkId; 4] {
        match &self.kind {
            GoalKind::Position(goal) => concatenated(goal.point.links(), goal.point.links()),
            GoalKind::Direction(goal) => concatenated(goal.from.links(), goal.to.links()),
            GoalKind::Orientation(goal) => [goal.link; 4],
            GoalKind::Axial(goal) => [goal.link; 4],
        }
    }

    /// Writes the weighted residual.
    pub(crate) fn residual(&self, at: &Configuration, out: &mut [f64]) {
        if self.weight == 0.0 {
            return out.fill(0.0);
        }
        match &self.kind {
            GoalKind::Position(goal) => goal.residual(self.weight, at, out),
            GoalKind::Direction(goal) => goal.residual(self.weight, at, out),
            GoalKind::Orientation(goal) => goal.residual(self.weight, at, out),
            GoalKind::Axial(goal) => goal.residual(self.weight, at, out),
        }
    }

    /// Adds the weighted Jacobian to `out`, whose rows are zero on arrival.
    pub(crate) fn jacobian(&self, chain: &Chain, at: &Configuration, out: &mut [f64]) {
        if self.weight == 0.0 {
            return;
        }
        match &self.kind {
            GoalKind::Position(goal) => goal.jacobian(self.weight, chain, at, out),
            GoalKind::Direction(goal) => goal.jacobian(self.weight, chain, at, out),
            GoalKind::Orientation(goal) => goal.jacobian(self.weight, chain, at, out),
            GoalKind::Axial(goal) => goal.jacobian(self.weight, chain, at, out),
        }
    }
}

impl Goal {
    /// Adds the forces and torques of its residual `residual` to `loads`.
    pub(crate) fn load(
        &self,
        chain: &Chain,
        at: &Configuration,
        residual: &[f64],
        loads: &mut Loads,
    ) {
        if self.weight == 0.0 {
            return;
        }
        match &self.kind {
            GoalKind::Position(goal) => goal.load(self.weight, chain, at, residual, loads),
            GoalKind::Direction(goal) => goal.load(self.weight, chain, at, residual, loads),
            GoalKind::Orientation(goal) => goal.load(self.weight, at, residual, loads),
            GoalKind::Axial(goal) => goal.load(self.weight, at, residual, loads),
        }
    }

    /// Adds `Σ rᵢ ∇²rᵢ` over its rows to the upper triangle of `out`, (n, n), but for the terms that
    /// [`HessianTerms::add_exponential`] adds.
    pub(crate) fn hessian(
        &self,
        chain: &Chain,
        at: &Configuration,
        terms: &mut HessianTerms,
        out: &mut [f64],
    ) {
        if self.weight == 0.0 {
            return;
        }
        match &self.kind {
            GoalKind::Position(goal) => goal.hessian(self.weight, chain, at, terms, out),
            GoalKind::Direction(goal) => goal.hessian(self.weight, chain, at, terms, out),
            GoalKind::Orientation(goal) => goal.hessian(self.weight, chain, at, terms, out),
            GoalKind::Axial(goal) => goal.hessian(self.weight, chain, at, terms, out),
        }
    }
}

fn concatenated([a, b]: [LinkId; 2], [c, d]: [LinkId; 2]) -> [LinkId; 4] {
    [a, b, c, d]
}
