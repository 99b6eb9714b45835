//! Goals: what a point, a direction or a frame of a chain should be, and how much it matters.
//!
//! | goal | rows | unit of `r / weight` | use it for |
//! | --- | --- | --- | --- |
//! | position | 3 | length | an end that has to be somewhere |
//! | direction | 3 | length (lever × unit vectors) | a bone, or a line between two places |
//! | orientation | 3 | length (lever × radians) | a segment's whole frame |
//! | axial | 1 | length (lever × radians) | the turn of a bone about itself |
//!
//! The lever turns angles into lengths, so that weights of all kinds compare.

mod axial;

mod direction;

mod orientation;

mod place;

mod position;

pub use axial::Axial;
pub use direction::Direction;
pub use orientation::Orientation;
pub use place::{Place, Point};
pub use position::Position;

use crate::curvature::Products;
use crate::loads::Loads;
use crate::{Chain, Configuration, LinkId};
use nalgebra::{Unit, UnitQuaternion, Vector3};

/// A wanted value and its weight. The residual is `weight · (actual − wanted)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// Factor on the residual, not negative; 0 switches the goal off. The cost has its square.
    pub weight: f64,
    /// What is wanted of what. Links read here have to be the chain's.
    pub kind: Kind,
}

/// The kinds of goals.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A place at a point.
    Position(Position),
    /// A line from place to place along a direction.
    Direction(Direction),
    /// A frame at a rotation.
    Orientation(Orientation),
    /// The turn of a frame about its own Y axis.
    Axial(Axial),
}

impl Goal {
    /// `place` should be at `wanted`, in the world.
    pub fn position(weight: f64, place: impl Into<Place>, wanted: Vector3<f64>) -> Self {
        let position = Position { place: place.into(), wanted };
        Self { weight, kind: Kind::Position(position) }
    }

    /// The unit vector from one place to the other should be `wanted`, in the world.
    ///
    /// Stationary, yet unmet, where the actual direction is opposite.
    pub fn direction(
        weight: f64,
        lever: f64,
        [from, to]: [Place; 2],
        wanted: Unit<Vector3<f64>>,
    ) -> Self {
        let direction = Direction { from, to, lever, wanted };
        Self { weight, kind: Kind::Direction(direction) }
    }

    /// The rotation `world_from_link · frame` should be `wanted`.
    pub fn orientation(
        weight: f64,
        lever: f64,
        link: LinkId,
        frame: UnitQuaternion<f64>,
        wanted: UnitQuaternion<f64>,
    ) -> Self {
        let orientation = Orientation { link, frame, lever, wanted };
        Self { weight, kind: Kind::Orientation(orientation) }
    }

    /// The rotation `world_from_link · frame` should not be turned about its own Y axis against
    /// `wanted`; how it swings that axis is free.
    pub fn axial(
        weight: f64,
        lever: f64,
        link: LinkId,
        frame: UnitQuaternion<f64>,
        wanted: UnitQuaternion<f64>,
    ) -> Self {
        let axial = Axial { link, frame, lever, wanted };
        Self { weight, kind: Kind::Axial(axial) }
    }

    /// Sets the wanted place of a position goal.
    ///
    /// # Panics
    /// When the goal is of another kind.
    pub fn want_position(&mut self, wanted: Vector3<f64>) {
        match &mut self.kind {
            Kind::Position(goal) => goal.wanted = wanted,
            kind => panic!("a position is wanted of {kind:?}"),
        }
    }

    /// Sets the wanted unit vector of a direction goal.
    ///
    /// # Panics
    /// When the goal is of another kind.
    pub fn want_direction(&mut self, wanted: Unit<Vector3<f64>>) {
        match &mut self.kind {
            Kind::Direction(goal) => goal.wanted = wanted,
            kind => panic!("a direction is wanted of {kind:?}"),
        }
    }

    /// Sets the wanted rotation of an orientation or axial goal.
    ///
    /// # Panics
    /// When the goal is of another kind.
    pub fn want_orientation(&mut self, wanted: UnitQuaternion<f64>) {
        match &mut self.kind {
            Kind::Orientation(goal) => goal.wanted = wanted,
            Kind::Axial(goal) => goal.wanted = wanted,
            kind => panic!("an orientation is wanted of {kind:?}"),
        }
    }

    /// How many rows its residual has.
    pub fn rows(&self) -> usize {
        if matches!(self.kind, Kind::Axial(_)) { 1 } else { 3 }
    }

    /// How far it is from being met, from the length of its rows of the weighted residual: a length of
    /// a position, radians of all others; 0 of a goal that is switched off.
    pub fn distance(&self, length: f64) -> f64 {
        if self.weight == 0.0 {
            return 0.0;
        }
        let length = length / self.weight;
        match &self.kind {
            Kind::Position(_) => length,
            Kind::Direction(goal) => 2.0 * libm::asin((length / (2.0 * goal.lever)).min(1.0)),
            Kind::Orientation(goal) => length / goal.lever,
            Kind::Axial(goal) => length / goal.lever,
        }
    }

    /// The links it is read from (each once or twice).
    pub(crate) fn links(&self) -> [LinkId; 4] {
        match &self.kind {
            Kind::Position(goal) => both(goal.place.links(), goal.place.links()),
            Kind::Direction(goal) => both(goal.from.links(), goal.to.links()),
            Kind::Orientation(goal) => [goal.link; 4],
            Kind::Axial(goal) => [goal.link; 4],
        }
    }

    /// Writes the weighted residual.
    pub(crate) fn residual(&self, at: &Configuration, out: &mut [f64]) {
        if self.weight == 0.0 {
            return out.fill(0.0);
        }
        match &self.kind {
            Kind::Position(goal) => goal.residual(self.weight, at, out),
            Kind::Direction(goal) => goal.residual(self.weight, at, out),
            Kind::Orientation(goal) => goal.residual(self.weight, at, out),
            Kind::Axial(goal) => goal.residual(self.weight, at, out),
        }
    }

    /// Adds the weighted Jacobian to `out`, whose rows are zero on arrival.
    pub(crate) fn jacobian(&self, chain: &Chain, at: &Configuration, out: &mut [f64]) {
        if self.weight == 0.0 {
            return;
        }
        match &self.kind {
            Kind::Position(goal) => goal.jacobian(self.weight, chain, at, out),
            Kind::Direction(goal) => goal.jacobian(self.weight, chain, at, out),
            Kind::Orientation(goal) => goal.jacobian(self.weight, chain, at, out),
            Kind::Axial(goal) => goal.jacobian(self.weight, chain, at, out),
        }
    }
}

impl Goal {
    /// Adds what it pulls the links with; `residual` are its rows there.
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
            Kind::Position(goal) => goal.load(self.weight, chain, at, residual, loads),
            Kind::Direction(goal) => goal.load(self.weight, chain, at, residual, loads),
            Kind::Orientation(goal) => goal.load(self.weight, at, residual, loads),
            Kind::Axial(goal) => goal.load(self.weight, at, residual, loads),
        }
    }

    /// Adds `Σ rᵢ ∇²rᵢ` over its rows to the upper triangle of `out` (n, n), as far as
    /// [`Products`] says.
    pub(crate) fn curvature(
        &self,
        chain: &Chain,
        at: &Configuration,
        products: &mut Products,
        out: &mut [f64],
    ) {
        if self.weight == 0.0 {
            return;
        }
        match &self.kind {
            Kind::Position(goal) => goal.curvature(self.weight, chain, at, products, out),
            Kind::Direction(goal) => goal.curvature(self.weight, chain, at, products, out),
            Kind::Orientation(goal) => goal.curvature(self.weight, chain, at, products, out),
            Kind::Axial(goal) => goal.curvature(self.weight, chain, at, products, out),
        }
    }
}

fn both([a, b]: [LinkId; 2], [c, d]: [LinkId; 2]) -> [LinkId; 4] {
    [a, b, c, d]
}
