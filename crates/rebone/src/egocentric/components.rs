//! Components of a body's surface: triangles of trunk and head, and capsules of the limbs.

use nalgebra::Vector3;

/// A part of the surface of a body, in the axes of its field, metres of a 1.7 m body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Component {
    /// Corners, anticlockwise seen from outside.
    Triangle([Vector3<f64>; 3]),
    /// A cylinder with round ends; its axis begins at the origin and runs along +Y.
    Capsule { length: f64, radius: f64 },
}

/// A place on a component, alike on all bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ComponentPoint {
    /// Barycentric coordinates in a triangle.
    Barycentric([f64; 3]),
    /// Unit vector from the middle of a capsule.
    Direction(Vector3<f64>),
}

impl Component {
    /// Returns the reference point of a joint, given its position in the axes of the field: the nearest point of a
    /// triangle; where the line from the middle of a capsule to the joint meets its surface.
    pub(super) fn reference(&self, joint: &Vector3<f64>) -> ComponentPoint {
        match self {
            Self::Triangle(corners) => ComponentPoint::Barycentric(nearest(corners, joint)),
            Self::Capsule { length, .. } => {
                let path = joint - Vector3::y() * (length / 2.0);
                let norm = path.norm();
                let direction = if norm > 0.0 { path / norm } else { Vector3::x() };
                ComponentPoint::Direction(direction)
            }
        }
    }

    /// Returns a point with the outward normal there, in the axes of the field.
    pub(super) fn point(&self, point: ComponentPoint) -> (Vector3<f64>, Vector3<f64>) {
        match (self, point) {
            (Self::Triangle([a, b, c]), ComponentPoint::Barycentric([p, q, r])) => {
                let normal = (b - a).cross(&(c - a));
                let norm = normal.norm();
                let normal = if norm > 0.0 { normal / norm } else { Vector3::zeros() };
                (a * p + b * q + c * r, normal)
            }
            (Self::Capsule { length, radius }, ComponentPoint::Direction(direction)) => {
                capsule_point(*length, *radius, &direction)
            }
            // Components of both bodies are of one kind.
            (Self::Triangle([a, ..]), ComponentPoint::Direction(_)) => (*a, Vector3::zeros()),
            (Self::Capsule { .. }, ComponentPoint::Barycentric(_)) => Default::default(),
        }
    }
}

/// Returns where a ray from the middle of a capsule meets its surface, and the normal there.
fn capsule_point(
    length: f64,
    radius: f64,
    direction: &Vector3<f64>,
) -> (Vector3<f64>, Vector3<f64>) {
    let half = length / 2.0;
    let middle = Vector3::y() * half;
    let across = Vector3::new(direction.x, 0.0, direction.z);
    let slope = across.norm();
    // At the side unless the ray is beyond an end before it is a radius off the axis.
    if direction.y.abs() * radius <= half * slope && slope > 0.0 {
        return (middle + direction * (radius / slope), across / slope);
    }
    let end = Vector3::y() * half.copysign(direction.y);
    let along = direction.dot(&end);
    let beyond = (along * along - half * half + radius * radius).max(0.0).sqrt();
    let place = direction * (along + beyond);
    (middle + place, (place - end) / radius.max(f64::MIN_POSITIVE))
}

/// Returns the barycentric coordinates of the point of a triangle nearest to a place (Ericson, *Real-time collision
/// detection*, 2005, 5.1.5).
fn nearest([a, b, c]: &[Vector3<f64>; 3], place: &Vector3<f64>) -> [f64; 3] {
    let (ab, ac) = (b - a, c - a);
    let products = |corner: &Vector3<f64>| {
        let path = place - corner;
        [ab.dot(&path), ac.dot(&path)]
    };
    let [[a1, a2], [b1, b2], [c1, c2]] = [products(a), products(b), products(c)];
    if a1 <= 0.0 && a2 <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    if b1 >= 0.0 && b2 <= b1 {
        return [0.0, 1.0, 0.0];
    }
    if c2 >= 0.0 && c1 <= c2 {
        return [0.0, 0.0, 1.0];
    }
    let of_c = a1 * b2 - b1 * a2;
    if of_c <= 0.0 && a1 >= 0.0 && b1 <= 0.0 {
        let share = a1 / (a1 - b1);
        return [1.0 - share, share, 0.0];
    }
    let of_b = c1 * a2 - a1 * c2;
    if of_b <= 0.0 && a2 >= 0.0 && c2 <= 0.0 {
        let share = a2 / (a2 - c2);
        return [1.0 - share, 0.0, share];
    }
    let of_a = b1 * c2 - c1 * b2;
    let (to_c, to_b) = (b2 - b1, c1 - c2);
    if of_a <= 0.0 && to_c >= 0.0 && to_b >= 0.0 {
        let share = to_c / (to_c + to_b);
        return [0.0, 1.0 - share, share];
    }
    let sum = of_a + of_b + of_c;
    [of_a / sum, of_b / sum, of_c / sum]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triangle() -> Component {
        Component::Triangle([Vector3::zeros(), Vector3::x() * 0.2, Vector3::y() * 0.2])
    }

    fn assert_near(found: Vector3<f64>, expected: [f64; 3]) {
        assert!((found - Vector3::from(expected)).norm() < 1e-12, "{found} for {expected:?}");
    }

    #[test]
    fn a_joint_over_a_triangle_is_projected_on_it() {
        let seen = triangle().reference(&Vector3::new(0.05, 0.1, 0.3));
        assert_eq!(seen, ComponentPoint::Barycentric([0.25, 0.25, 0.5]));
        let (place, normal) = triangle().point(seen);
        assert_near(place, [0.05, 0.1, 0.0]);
        assert_near(normal, [0.0, 0.0, 1.0]);
    }

    #[test]
    fn a_joint_beside_a_triangle_is_nearest_to_its_border() {
        for (joint, expected) in [
            ([-0.1, -0.1, 0.2], [0.0, 0.0, 0.0]),
            ([0.4, -0.1, 0.0], [0.2, 0.0, 0.0]),
            ([-0.1, 0.5, 0.1], [0.0, 0.2, 0.0]),
            ([0.1, -0.3, 0.1], [0.1, 0.0, 0.0]),
            ([-0.3, 0.05, 0.1], [0.0, 0.05, 0.0]),
            ([0.2, 0.2, -0.1], [0.1, 0.1, 0.0]),
        ] {
            let seen = triangle().reference(&Vector3::from(joint));
            assert_near(triangle().point(seen).0, expected);
        }
    }

    #[test]
    fn a_line_from_the_middle_of_a_capsule_meets_its_side_or_an_end() {
        let capsule = Component::Capsule { length: 0.4, radius: 0.05 };
        // At the side: (0.2, 0.1) from the middle, which is a radius off the axis after a quarter of the way.
        let (place, normal) = capsule.point(capsule.reference(&Vector3::new(0.2, 0.3, 0.0)));
        assert_near(place, [0.05, 0.225, 0.0]);
        assert_near(normal, [1.0, 0.0, 0.0]);
        let (place, normal) = capsule.point(capsule.reference(&Vector3::new(0.0, -0.7, 0.0)));
        assert_near(place, [0.0, -0.05, 0.0]);
        assert_near(normal, [0.0, -1.0, 0.0]);
        // At an end: the direction (0.03, 0.24) meets the circle of 0.05 around (0, 0.2) at (0.03, 0.24).
        let (place, normal) = capsule.point(capsule.reference(&Vector3::new(0.06, 0.68, 0.0)));
        assert_near(place, [0.03, 0.44, 0.0]);
        assert_near(normal, [0.6, 0.8, 0.0]);
    }

    #[test]
    fn the_same_place_on_a_thicker_capsule_lies_in_the_same_direction() {
        let [thin, thick] = [0.05, 0.1].map(|radius| Component::Capsule { length: 0.4, radius });
        let (place, _) = thick.point(thin.reference(&Vector3::new(0.2, 0.3, 0.0)));
        assert_near(place, [0.1, 0.25, 0.0]);
    }

    #[test]
    fn components_without_extent_have_finite_points() {
        let flat = Component::Triangle([Vector3::x(); 3]);
        let point = Component::Capsule { length: 0.0, radius: 0.0 };
        for component in [flat, point] {
            for joint in [Vector3::zeros(), Vector3::x(), Vector3::new(0.1, -2.0, 1e9)] {
                let (place, normal) = component.point(component.reference(&joint));
                assert!(
                    place.iter().chain(&normal).all(|x| x.is_finite()),
                    "{component:?} {joint}"
                );
            }
        }
    }
}
