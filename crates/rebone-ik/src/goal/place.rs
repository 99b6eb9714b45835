//! Points and places on a chain, and how variables move them.

use crate::curvature::Products;
use crate::loads::Loads;
use crate::{Chain, Configuration, LinkId};
use nalgebra::Vector3;

/// A point that a link carries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The link.
    pub link: LinkId,
    /// The point in the link's frame.
    pub offset: Vector3<f64>,
}

impl Point {
    /// The origin of `link`.
    pub fn origin(link: LinkId) -> Self {
        Self { link, offset: Vector3::zeros() }
    }
}

/// A point, or the middle between two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// One point.
    At(Point),
    /// The middle between two points, which may be on different links.
    Between(Point, Point),
}

impl Place {
    /// The links it is read from.
    pub(super) fn links(&self) -> [LinkId; 2] {
        match self {
            Place::At(point) => [point.link; 2],
            Place::Between(one, other) => [one.link, other.link],
        }
    }

    /// The points that it moves with: link, place in the world and share of each.
    fn each_moved(
        &self,
        chain: &Chain,
        at: &Configuration,
        mut each: impl FnMut(LinkId, Vector3<f64>, f64),
    ) {
        match self {
            Place::At(point) => each(point.link, at.point(point), 1.0),
            // What the same variables move moves as one body.
            Place::Between(one, other) if chain.movers(one.link) == chain.movers(other.link) => {
                each(one.link, at.place(self), 1.0);
            }
            Place::Between(one, other) => {
                each(one.link, at.point(one), 0.5);
                each(other.link, at.point(other), 0.5);
            }
        }
    }
}

impl From<Point> for Place {
    fn from(point: Point) -> Self {
        Place::At(point)
    }
}

/// Adds `factor · ∂place/∂x` to three rows of the Jacobian.
pub(super) fn add_place(
    chain: &Chain,
    at: &Configuration,
    place: &Place,
    factor: f64,
    rows: [&mut [f64]; 3],
) {
    let [x, y, z] = rows;
    place.each_moved(chain, at, |link, position, share| {
        let (arm, factor) = (at.arm(&position), factor * share);
        for &k in chain.movers(link) {
            let velocity = at.velocity(k, &arm) * factor;
            x[k] += velocity.x;
            y[k] += velocity.y;
            z[k] += velocity.z;
        }
    });
}

/// Adds a force on a place.
pub(super) fn push(
    chain: &Chain,
    at: &Configuration,
    place: &Place,
    force: &Vector3<f64>,
    loads: &mut Loads,
) {
    place.each_moved(chain, at, |link, position, share| {
        loads.push(link, &at.arm(&position), &(force * share));
    });
}

/// Adds what a force on a place brings to the curvature.
pub(super) fn add_force(
    chain: &Chain,
    at: &Configuration,
    place: &Place,
    force: &Vector3<f64>,
    products: &mut Products,
    out: &mut [f64],
) {
    place.each_moved(chain, at, |link, position, share| {
        products.add_force(chain, at, link, &position, &(force * share), out);
    });
}

/// Adds `factor · ∂place/∂xₖ` to each variable's vector.
pub(super) fn add_velocities(
    chain: &Chain,
    at: &Configuration,
    place: &Place,
    factor: f64,
    out: &mut [Vector3<f64>],
) {
    place.each_moved(chain, at, |link, position, share| {
        let arm = at.arm(&position);
        for &k in chain.movers(link) {
            out[k] += at.velocity(k, &arm) * (factor * share);
        }
    });
}

/// Three rows of equal length.
pub(super) fn three_rows(rows: &mut [f64]) -> [&mut [f64]; 3] {
    let columns = rows.len() / 3;
    let (x, rest) = rows.split_at_mut(columns);
    let (y, z) = rest.split_at_mut(columns);
    [x, y, z]
}
