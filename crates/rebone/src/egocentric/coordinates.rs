//! The egocentric coordinate of a joint relative to one component of the surface.

use super::basic_skeleton::{JOINTS, MAX_PATH};
use nalgebra::Vector3;

/// Least length of a displacement vector and of a kinematic path, metres: a joint on a surface has a finite weight.
const MIN_LENGTH_METRES: f64 = 1e-4;
/// Least cosine of a displacement vector with the normal: a component that faces away counts a little.
const MIN_COSINE: f64 = 0.02;

/// A joint relative to a component.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct EgocentricCoordinate {
    /// Importance `λ`, not normalised.
    pub(super) weight: f64,
    /// Displacement vector over the length of the kinematic path, `v̂`.
    pub(super) displacement: Vector3<f64>,
    /// Magnitudes of the cosines of the displacement vector with the bones of the path.
    pub(super) cosines: [f64; MAX_PATH],
}

impl EgocentricCoordinate {
    /// Returns the coordinate of a joint, given its displacement vector from the reference point, the normal there, and
    /// the kinematic path with the joints of the skeleton.
    pub(super) fn new(
        displacement: &Vector3<f64>,
        normal: &Vector3<f64>,
        path: &[[usize; 2]],
        joints: &[Vector3<f64>; JOINTS],
    ) -> Self {
        let norm = displacement.norm().max(MIN_LENGTH_METRES);
        let facing = (displacement.dot(normal) / norm).max(MIN_COSINE);
        let mut cosines = [0.0; MAX_PATH];
        for (cosine, &[from, to]) in cosines.iter_mut().zip(path) {
            let bone = joints[to] - joints[from];
            let product = norm * bone.norm();
            *cosine = if product > 0.0 { displacement.dot(&bone).abs() / product } else { 0.0 };
        }
        let length = path_length(path, joints, &cosines);
        Self { weight: facing / norm, displacement: displacement / length, cosines }
    }

    /// Returns the displacement vector on a body with its bones along the same path, `τ' v̂`.
    pub(super) fn on_body(
        &self,
        path: &[[usize; 2]],
        joints: &[Vector3<f64>; JOINTS],
    ) -> Vector3<f64> {
        self.displacement * path_length(path, joints, &self.cosines)
    }
}

/// Returns the length of a kinematic path, `τ = Σ ‖sᵢ‖ |cos αᵢ|`.
fn path_length(
    path: &[[usize; 2]],
    joints: &[Vector3<f64>; JOINTS],
    cosines: &[f64; MAX_PATH],
) -> f64 {
    let bone =
        |(&[from, to], cosine): (&[usize; 2], &f64)| (joints[to] - joints[from]).norm() * cosine;
    path.iter().zip(cosines).map(bone).sum::<f64>().max(MIN_LENGTH_METRES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::egocentric::components::Component;

    /// A shoulder at the origin, an elbow 0.3 to the right of it, a wrist 0.4 above the elbow.
    fn arm(scale: f64) -> [Vector3<f64>; JOINTS] {
        let mut joints = [Vector3::zeros(); JOINTS];
        joints[1] = Vector3::x() * (0.3 * scale);
        joints[2] = joints[1] + Vector3::y() * 0.4;
        joints
    }

    const PATH: [[usize; 2]; 2] = [[0, 1], [1, 2]];

    /// The displacement (0.3, 0.4) has the cosines 0.6 and 0.8 with both bones: `τ = 0.3 · 0.6 + 0.4 · 0.8 = 0.5`.
    #[test]
    fn a_path_of_two_bones_has_the_length_of_its_shadow() {
        let wrist = arm(1.0)[2];
        let own = EgocentricCoordinate::new(&wrist, &Vector3::y(), &PATH, &arm(1.0));
        assert!((own.cosines[0] - 0.6).abs() < 1e-15 && (own.cosines[1] - 0.8).abs() < 1e-15);
        assert!((own.displacement - Vector3::new(0.6, 0.8, 0.0)).norm() < 1e-15);
        // An upper bone of twice the length: τ' = 0.6 · 0.6 + 0.4 · 0.8 = 0.68.
        let longer = own.on_body(&PATH, &arm(2.0));
        assert!((longer - Vector3::new(0.6, 0.8, 0.0) * 0.68).norm() < 1e-15, "{longer}");
        assert!((own.on_body(&PATH, &arm(1.0)) - wrist).norm() < 1e-15);
    }

    /// 0.1 over a triangle: `λ = 1/0.1`. A capsule of radius 0.05 whose middle is (0.2, 0.1) away: the reference point is a
    /// quarter of the way, `v = (0.15, 0.075)`, `cos α = 2/√5`, `λ = (2/√5)/(0.075 √5) = 16/3`.
    #[test]
    fn weights_are_cosines_over_distances() {
        let of = |component: Component, joint: Vector3<f64>| {
            let (place, normal) = component.point(component.reference(&joint));
            EgocentricCoordinate::new(&(joint - place), &normal, &PATH, &arm(1.0)).weight
        };
        let corners = [Vector3::zeros(), Vector3::x(), Vector3::y()];
        let over = of(Component::Triangle(corners), Vector3::new(0.2, 0.3, 0.1));
        assert!((over - 10.0).abs() < 1e-12, "{over}");
        let below = of(Component::Triangle(corners), Vector3::new(0.2, 0.3, -0.1));
        assert!((below - 0.02 / 0.1).abs() < 1e-12, "{below}");
        let capsule = Component::Capsule { length: 0.4, radius: 0.05 };
        let beside = of(capsule, Vector3::new(0.2, 0.3, 0.0));
        assert!((beside - 16.0 / 3.0).abs() < 1e-12, "{beside}");
    }

    #[test]
    fn a_joint_on_a_surface_and_bones_without_length_are_finite() {
        let joints = [Vector3::zeros(); JOINTS];
        let own = EgocentricCoordinate::new(&Vector3::zeros(), &Vector3::y(), &PATH, &joints);
        assert_eq!(own.weight, MIN_COSINE / MIN_LENGTH_METRES);
        assert_eq!(own.on_body(&PATH, &joints), Vector3::zeros());
        let far = EgocentricCoordinate::new(&Vector3::x(), &Vector3::y(), &PATH, &joints);
        assert!((far.on_body(&PATH, &joints) - Vector3::x()).norm() < 1e-12);
    }
}
