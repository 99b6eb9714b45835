//! The surface of a body segment: distance from an axis in each direction.

use nalgebra::{Rotation3, UnitQuaternion, Vector3};
use rebone_skeleton::JointId;

/// Rows of radii along a field: two over the cap at its low end, five along the axis, two over the cap at its high end.
pub const ALONG: usize = 9;
/// Radii around a field.
pub const AROUND: usize = 16;
/// Rows over a cap.
const CAP: f64 = 2.0;
/// Intervals along the axis.
const SHAFT: f64 = 4.0;
/// Points that stand for the axis of another field.
const CAPSULE_POINTS: usize = 4;
/// Distance from the axis below which a direction has no meaning, metres.
const MIN_DISTANCE_METRES: f64 = 1e-6;

/// Radii of a surface in rows along and around an axis, metres of a 1.7 m body.
pub(crate) type Radii = [[f64; AROUND]; ALONG];

/// A surface that is a star about a line segment: from each point of the axis, and from its ends in all directions
/// beyond, the skin is at one distance.
#[derive(Clone, Debug, PartialEq)]
pub struct RadialField {
    /// The joint that carries it.
    pub joint: JointId,
    /// Rotation of the field's axes in those of the joint: +Y runs along the axis.
    pub joint_from_field: UnitQuaternion<f64>,
    /// The low end of the axis in the axes of the joint, metres of a 1.7 m body.
    pub origin: Vector3<f64>,
    /// Length of the axis, metres of a 1.7 m body.
    pub length: f64,
    pub radii: Radii,
    /// Radius of a ball around the middle of the axis that holds the surface.
    pub bound: f64,
}

/// A place on a surface, alike on all bodies: `along` counts rows of radii, `around` radii in a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    pub along: f64,
    pub around: f64,
}

/// A point of space as a field sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projection {
    /// The place on the surface from which the point lies straight outwards.
    pub point: SurfacePoint,
    /// Distance from that place along its radius, negative inside: with the place it is the point exactly.
    pub height: f64,
    /// Signed distance to the surface to first order, negative inside.
    pub distance: f64,
    /// Outward normal of the surface, to first order.
    pub normal: Vector3<f64>,
}

impl RadialField {
    /// Returns the transform of the field in the world, given that of its joint: rotation and low end.
    pub fn transform(
        &self,
        rotation: &UnitQuaternion<f64>,
        position: &Vector3<f64>,
    ) -> FieldTransform {
        FieldTransform {
            rotation: (rotation * self.joint_from_field).to_rotation_matrix(),
            origin: position + rotation * self.origin,
        }
    }

    /// Returns whether another field of the same joint is within a distance of this one: both ends, and the root mean square of the
    /// differences of radii.
    pub fn is_near(&self, other: &Self, within: f64) -> bool {
        let radii = self.radii.iter().flatten().zip(other.radii.iter().flatten());
        let squares: f64 = radii.map(|(a, b)| (a - b) * (a - b)).sum();
        let high = |own: &Self| own.origin + own.joint_from_field * (Vector3::y() * own.length);
        self.joint == other.joint
            && (squares / (ALONG * AROUND) as f64).sqrt() < within
            && (self.origin - other.origin).norm() < within
            && (high(self) - high(other)).norm() < within
    }

    /// Returns a point in the field's own axes as the field sees it; the normal is in these axes.
    pub fn project(&self, place: &Vector3<f64>) -> Projection {
        let Coordinates { along, around, from_axis, along_slope, around_slope } =
            self.coordinates(place);
        let away = norm(&from_axis).max(MIN_DISTANCE_METRES);
        let point = SurfacePoint { along, around };
        let (radius, by_along, by_around) = interpolate(&self.radii, point);
        let gradient = from_axis / away - along_slope * by_along - around_slope * by_around;
        let steepness = norm(&gradient).max(0.1);
        let height = away - radius;
        Projection { point, height, distance: height / steepness, normal: gradient / steepness }
    }

    /// Returns whether a point, in the field's own axes, is nearer than `reach` to the cylinder with round ends around the surface.
    pub fn is_within(&self, place: &Vector3<f64>, reach: f64) -> bool {
        let beyond = (-place.y).max(place.y - self.length).max(0.0);
        let most = self.thickness() + reach;
        place.x * place.x + place.z * place.z + beyond * beyond < most * most
    }

    /// Returns the place `height` above a point of the surface, in the field's own axes.
    pub fn place(&self, point: SurfacePoint, height: f64) -> Vector3<f64> {
        let (radius, ..) = interpolate(&self.radii, point);
        let (foot, outward) = self.ray(point);
        foot + outward * (radius + height)
    }

    /// Returns the point of the axis below a point of the surface, and the unit vector towards it.
    pub(crate) fn ray(&self, point: SurfacePoint) -> (Vector3<f64>, Vector3<f64>) {
        let turn = point.around / AROUND as f64 * 4.0;
        let quadrant = turn as usize % 4;
        let b = turn - turn.trunc();
        let (x, z) = match quadrant {
            0 => (1.0 - b, b),
            1 => (-b, 1.0 - b),
            2 => (b - 1.0, -b),
            _ => (b, b - 1.0),
        };
        let across = Vector3::new(x, 0.0, z);
        let across = across / norm(&across);
        let top = CAP + SHAFT;
        if point.along < CAP {
            let tilt = 1.0 - point.along / CAP;
            let outward = across * (1.0 - tilt) - Vector3::y() * tilt;
            return (Vector3::zeros(), outward / norm(&outward));
        }
        if point.along > top {
            let tilt = (point.along - top) / CAP;
            let outward = across * (1.0 - tilt) + Vector3::y() * tilt;
            return (Vector3::y() * self.length, outward / norm(&outward));
        }
        (Vector3::y() * (self.length * (point.along - CAP) / SHAFT), across)
    }

    fn coordinates(&self, place: &Vector3<f64>) -> Coordinates {
        let rho = (place.x * place.x + place.z * place.z).sqrt();
        let (around, around_slope) = turn_of(place.x, place.z);
        let (beyond, end, sign) = match place.y {
            y if y < 0.0 => (-y, 0.0, -1.0),
            y if y > self.length => (y - self.length, self.length, 1.0),
            y => {
                return Coordinates {
                    along: CAP + SHAFT * y / self.length,
                    around,
                    from_axis: Vector3::new(place.x, 0.0, place.z),
                    along_slope: Vector3::y() * (SHAFT / self.length),
                    around_slope,
                };
            }
        };
        let sum = (beyond + rho).max(MIN_DISTANCE_METRES);
        let tilt = beyond / sum;
        let across = Vector3::new(place.x, 0.0, place.z) / rho.max(MIN_DISTANCE_METRES);
        let tilt_slope = (Vector3::y() * (sign * rho) - across * beyond) / (sum * sum);
        let along = if sign < 0.0 { CAP * (1.0 - tilt) } else { CAP + SHAFT + CAP * tilt };
        Coordinates {
            along,
            around,
            from_axis: place - Vector3::y() * end,
            along_slope: tilt_slope * (sign * CAP),
            around_slope,
        }
    }

    /// Returns whether a line segment with a radius may come nearer than `reach` to the surface, given its ends in the field's
    /// own axes. Points along it stand for it, with half their distance as reserve.
    pub fn is_within_capsule(&self, ends: [Vector3<f64>; 2], reach: f64) -> bool {
        let way = (ends[1] - ends[0]) / (CAPSULE_POINTS - 1) as f64;
        let reach = reach + norm(&way) / 2.0;
        (0..CAPSULE_POINTS).any(|k| self.is_within(&(ends[0] + way * k as f64), reach))
    }

    /// Sets the radius of the ball that holds the surface.
    pub(crate) fn set_bound(&mut self) {
        let most = self.radii.iter().flatten().fold(0.0, |most: f64, radius| most.max(*radius));
        self.bound = self.length / 2.0 + most;
    }

    /// The largest radius.
    pub fn thickness(&self) -> f64 {
        self.bound - self.length / 2.0
    }

    /// The ends of the axis in the field's own axes.
    pub fn ends(&self) -> [Vector3<f64>; 2] {
        [Vector3::zeros(), Vector3::y() * self.length]
    }

    /// The middle of the axis in the field's own axes.
    pub fn middle(&self) -> Vector3<f64> {
        Vector3::y() * (self.length / 2.0)
    }
}

/// Euclidean norm, in the unit of the vector. `nalgebra` calls `libm::sqrt`, a routine of software on WebAssembly, where `f64::sqrt`
/// is one instruction; both round correctly, so the bits are equal.
fn norm(vector: &Vector3<f64>) -> f64 {
    vector.norm_squared().sqrt()
}

/// A field in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldTransform {
    pub rotation: Rotation3<f64>,
    /// The low end of the axis.
    pub origin: Vector3<f64>,
}

impl FieldTransform {
    // Products are written out: those of the library are calls of loops, and these are half of what a frame costs.

    /// Brings a point of the world into the field's axes.
    pub fn inward(&self, place: &Vector3<f64>) -> Vector3<f64> {
        let axes = self.rotation.matrix();
        let off = place - self.origin;
        let along = |k| axes[(0, k)] * off.x + axes[(1, k)] * off.y + axes[(2, k)] * off.z;
        Vector3::new(along(0), along(1), along(2))
    }

    /// Brings a point of the field into the world.
    pub fn outward(&self, place: &Vector3<f64>) -> Vector3<f64> {
        self.origin + self.turned(place)
    }

    /// Brings a direction of the field into the world.
    pub fn turned(&self, own: &Vector3<f64>) -> Vector3<f64> {
        let axes = self.rotation.matrix();
        let along = |k| axes[(k, 0)] * own.x + axes[(k, 1)] * own.y + axes[(k, 2)] * own.z;
        Vector3::new(along(0), along(1), along(2))
    }
}

/// Coordinates of a point about an axis, with their gradients.
struct Coordinates {
    along: f64,
    around: f64,
    /// Vector from the nearest point of the axis.
    from_axis: Vector3<f64>,
    along_slope: Vector3<f64>,
    around_slope: Vector3<f64>,
}

/// Returns the place around the axis, in radii, and its gradient. Angles are measured along a square: monotonous, and
/// without an arc tangent.
fn turn_of(x: f64, z: f64) -> (f64, Vector3<f64>) {
    let sum = (x.abs() + z.abs()).max(MIN_DISTANCE_METRES);
    let (quadrant, share) = match (x >= 0.0, z >= 0.0) {
        (true, true) => (0.0, z / sum),
        (false, true) => (1.0, -x / sum),
        (false, false) => (2.0, -z / sum),
        (true, false) => (3.0, x / sum),
    };
    let slope = Vector3::new(-z, 0.0, x);
    let per_quadrant = AROUND as f64 / 4.0;
    ((quadrant + share) * per_quadrant, slope * (per_quadrant / (sum * sum)))
}

/// Returns the radius at a point, and its slopes along and around, by bilinear interpolation.
pub(crate) fn interpolate(radii: &Radii, point: SurfacePoint) -> (f64, f64, f64) {
    let [(row, s), (column, t)] = cell(point);
    let next = (column + 1) % AROUND;
    let [[a, b], [c, d]] =
        [[radii[row][column], radii[row][next]], [radii[row + 1][column], radii[row + 1][next]]];
    let (low, high) = (a + (b - a) * t, c + (d - c) * t);
    let around = (b - a) * (1.0 - s) + (d - c) * s;
    (low + (high - low) * s, high - low, around)
}

/// Returns the first row and the first column of the cell of a point, each with the share of the way to the next.
pub(crate) fn cell(point: SurfacePoint) -> [(usize, f64); 2] {
    let along = point.along.clamp(0.0, (ALONG - 1) as f64);
    let row = (along as usize).min(ALONG - 2);
    let around = point.around.clamp(0.0, AROUND as f64);
    let column = around as usize;
    [(row, along - row as f64), (column % AROUND, around - column as f64)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bumpy() -> RadialField {
        let mut radii = [[0.0; AROUND]; ALONG];
        for (row, radii) in radii.iter_mut().enumerate() {
            for (column, radius) in radii.iter_mut().enumerate() {
                let is_pole = row == 0 || row == ALONG - 1;
                *radius =
                    if is_pole { 0.1 } else { 0.1 + 0.01 * ((3 * row + 5 * column) % 4) as f64 };
            }
        }
        let identity = UnitQuaternion::identity();
        let (origin, joint) = (Vector3::zeros(), JointId(0));
        RadialField { joint, joint_from_field: identity, origin, length: 0.3, radii, bound: 1.0 }
    }

    proptest! {
        #[test]
        fn a_point_is_its_place_and_its_height(x in -0.4..0.4_f64, y in -0.4..0.8_f64, z in -0.4..0.4_f64) {
            let (field, place) = (bumpy(), Vector3::new(x, y, z));
            let seen = field.project(&place);
            let back = field.place(seen.point, seen.height);
            prop_assert!((back - place).norm() < 1e-9, "{place} came back as {back}");
        }

        #[test]
        fn the_normal_is_the_gradient_of_the_height(x in -0.3..0.3_f64, y in -0.3..0.6_f64, z in -0.3..0.3_f64) {
            let (field, place) = (bumpy(), Vector3::new(x, y, z));
            prop_assume!(x.abs() > 1e-3 && z.abs() > 1e-3);
            let seen = field.project(&place);
            let step = 1e-7;
            let slope = Vector3::from_fn(|axis, _| {
                let ahead = field.project(&(place + Vector3::ith(axis, step))).height;
                let behind = field.project(&(place - Vector3::ith(axis, step))).height;
                (ahead - behind) / (2.0 * step)
            });
            // At the border of two cells the slope has two values.
            let is_inside = |value: f64| (value - value.round()).abs() > 1e-4;
            prop_assume!(is_inside(seen.point.along) && is_inside(seen.point.around));
            prop_assume!(slope.norm() > 0.1);
            prop_assert!((slope / slope.norm() - seen.normal).norm() < 1e-4, "{slope} {}", seen.normal);
            prop_assert!((seen.height / slope.norm() - seen.distance).abs() < 1e-5);
        }
    }
}
