//! Points fixed to links.

use crate::LinkId;
use nalgebra::Vector3;

/// A point fixed to a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Link that carries the point.
    pub link: LinkId,
    /// Position in the link's frame.
    pub offset: Vector3<f64>,
}

impl Point {
    /// Returns the origin of `link`.
    pub fn origin(link: LinkId) -> Self {
        Self { link, offset: Vector3::zeros() }
    }
}

/// A point of a chain: fixed to one link, or the midpoint of two such points.
///
/// ```
/// use rebone_ik::{LinkId, Point, PointRef};
///
/// let [left_hip, right_hip] = [1, 4].map(|link| Point::origin(LinkId(link)));
/// let hip_centre = PointRef::Midpoint(left_hip, right_hip);
/// assert_ne!(hip_centre, PointRef::from(left_hip));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PointRef {
    /// One point.
    At(Point),
    /// Midpoint of two points, which may be on different links.
    Midpoint(Point, Point),
}

impl PointRef {
    /// Links that determine the point; a single link is returned twice.
    pub(crate) fn links(&self) -> [LinkId; 2] {
        match self {
            PointRef::At(point) => [point.link; 2],
            PointRef::Midpoint(one, other) => [one.link, other.link],
        }
    }
}

impl From<Point> for PointRef {
    fn from(point: Point) -> Self {
        PointRef::At(point)
    }
}
