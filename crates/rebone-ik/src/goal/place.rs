//! Points and places on a chain, and how variables move them.

use crate::curvature::Products;
use crate::{Chain, Configuration, LinkId};
use nalgebra::{Matrix3, Vector3};

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
}

impl From<Point> for Place {
    fn from(point: Point) -> Self {
        Place::At(point)
    }
}

/// Adds `factor · ∂place/∂x` to three rows of the Jacobian, `rows` (3, n) row-major.
pub(super) fn add_place(
    chain: &Chain,
    at: &Configuration,
    place: &Place,
    factor: &Matrix3<f64>,
    rows: &mut [f64],
) {
    match place {
        Place::At(point) => add_point(chain, at, point, factor, rows),
        Place::Between(one, other) => {
            add_point(chain, at, one, &(factor * 0.5), rows);
            add_point(chain, at, other, &(factor * 0.5), rows);
        }
    }
}

/// `∂p/∂xₖ = ωₖ × (p − pivotₖ)`, or the direction of a shift.
fn add_point(
    chain: &Chain,
    at: &Configuration,
    point: &Point,
    factor: &Matrix3<f64>,
    rows: &mut [f64],
) {
    let position = at.point(point);
    for &k in chain.movers(point.link) {
        let velocity = at.velocity(chain, k, &position);
        add_column(rows, chain.len(), k, &(factor * velocity));
    }
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
    match place {
        Place::At(point) => products.add_force(chain, at, point, force, out),
        Place::Between(one, other) => {
            products.add_force(chain, at, one, &(force * 0.5), out);
            products.add_force(chain, at, other, &(force * 0.5), out);
        }
    }
}

/// Adds `sign · ∂place/∂xₖ` to each variable's vector.
pub(super) fn add_velocities(
    chain: &Chain,
    at: &Configuration,
    place: &Place,
    factor: f64,
    out: &mut [Vector3<f64>],
) {
    let mut add = |point: &Point, factor: f64| {
        let position = at.point(point);
        for &k in chain.movers(point.link) {
            out[k] += at.velocity(chain, k, &position) * factor;
        }
    };
    match place {
        Place::At(point) => add(point, factor),
        Place::Between(one, other) => {
            add(one, 0.5 * factor);
            add(other, 0.5 * factor);
        }
    }
}

/// Adds `value` to column k of three rows of `columns` numbers.
pub(super) fn add_column(rows: &mut [f64], columns: usize, k: usize, value: &Vector3<f64>) {
    rows[k] += value.x;
    rows[columns + k] += value.y;
    rows[2 * columns + k] += value.z;
}
