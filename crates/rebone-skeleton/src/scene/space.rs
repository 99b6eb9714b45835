//! Scales of nodes, folded into a skeleton without scales.

use super::Local;
use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};

/// The frame of a node, with its scale and all above it, against the frame of its joint, which has none.
///
/// The node's matrix in the world is `Q L`: `Q` the rotation of the joint, `L` three scales along the axes of the node, and
/// shears where nodes are turned below uneven scales. `L` is that of the rest pose.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NodeSpace {
    /// Scale along all axes; of an uneven one the cube root of its volume, with its sign.
    pub(crate) scale: f64,
    uneven: Option<Box<Uneven>>,
}

/// A scale that is not one number.
#[derive(Clone, Debug, PartialEq)]
struct Uneven {
    /// `L`.
    map: Matrix3<f64>,
    inverse: Matrix3<f64>,
    /// The axes that are mirrored: −1, the others 1.
    mirror: Vector3<f64>,
}

impl NodeSpace {
    /// One scale along all axes. A negative one turns the axes about: it is the same in all frames, and changes no rotation.
    pub(crate) fn uniform(scale: f64) -> Self {
        Self { scale, uneven: None }
    }

    /// The space of a node with the transform `own` in this space; `None` where its scales have no inverse.
    pub(crate) fn below(&self, own: &Local) -> Option<Self> {
        if let (None, Some(scale)) = (&self.uneven, own.uniform_scale()) {
            return Some(Self::uniform(scale * self.scale));
        }
        let turn = self.turned(&own.rotation).inverse().to_rotation_matrix();
        let mirror = self.mirror().component_mul(&own.scale.map(f64::signum));
        let scales = Matrix3::from_diagonal(&own.scale);
        let map = turn.matrix() * self.map() * own.rotation.to_rotation_matrix().matrix() * scales;
        let inverse = map.try_inverse().filter(|own| own.iter().all(|x| x.is_finite()))?;
        let scale = libm::cbrt(map.determinant());
        Some(Self { scale, uneven: Some(Box::new(Uneven { map, inverse, mirror })) })
    }

    /// Returns whether it is one scale along all axes.
    pub(crate) fn is_uniform(&self) -> bool {
        self.uneven.is_none()
    }

    /// Returns whether lengths below differ by direction, and so change as joints turn. Mirrored axes alone do not.
    pub(crate) fn stretches(&self) -> bool {
        self.uneven.as_ref().is_some_and(|own| {
            let lengths = [0, 1, 2].map(|axis| own.map.column(axis).norm());
            let same = Local { scale: lengths.into(), ..Local::IDENTITY };
            same.uniform_scale().is_none()
        })
    }

    /// The least and the greatest length of an axis.
    pub(crate) fn lengths(&self) -> [f64; 2] {
        let Some(own) = &self.uneven else { return [self.scale.abs(); 2] };
        let lengths = [0, 1, 2].map(|axis| own.map.column(axis).norm());
        let [a, b, c] = lengths;
        [a.min(b).min(c), a.max(b).max(c)]
    }

    /// `L`.
    pub(crate) fn map(&self) -> Matrix3<f64> {
        self.uneven.as_ref().map_or_else(|| Matrix3::identity() * self.scale, |own| own.map)
    }

    /// Converts a place in the frame of the node to that of the joint.
    pub(crate) fn placed(&self, place: &Vector3<f64>) -> Vector3<f64> {
        self.uneven.as_ref().map_or_else(|| place * self.scale, |own| own.map * place)
    }

    /// Converts a place in the frame of the joint to that of the node.
    pub(crate) fn placed_back(&self, place: &Vector3<f64>) -> Vector3<f64> {
        self.uneven.as_ref().map_or_else(|| place / self.scale, |own| own.inverse * place)
    }

    /// Converts a rotation in the frame of the node to that of the joint, and back.
    pub(crate) fn turned(&self, turn: &UnitQuaternion<f64>) -> UnitQuaternion<f64> {
        let Some(own) = &self.uneven else { return *turn };
        let [x, y, z] = own.mirror.into();
        // Axes of rotations are mirrored the other way.
        let axis = turn.imag().component_mul(&(own.mirror * (x * y * z)));
        UnitQuaternion::new_unchecked(Quaternion::from_parts(turn.w, axis))
    }

    /// The rotation by half a turn by which the node's matrix, taken apart, differs from the joint's; `None` where no axis
    /// is mirrored, or all are.
    pub(crate) fn mirror_turn(&self) -> Option<UnitQuaternion<f64>> {
        let [x, y, z] = self.mirror().into();
        // The axis whose sign is not that of both others.
        let axis = match [x * y > 0.0, y * z > 0.0, x * z > 0.0] {
            [true, true, true] => return None,
            [true, ..] => Vector3::z(),
            [_, true, _] => Vector3::x(),
            _ => Vector3::y(),
        };
        Some(UnitQuaternion::new_unchecked(Quaternion::from_imag(axis)))
    }

    fn mirror(&self) -> Vector3<f64> {
        self.uneven.as_ref().map_or_else(|| Vector3::repeat(1.0), |own| own.mirror)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Matrix4;

    fn local(scale: [f64; 3], angles: [f64; 3]) -> Local {
        let [x, y, z] = angles;
        let rotation = UnitQuaternion::from_euler_angles(x, y, z);
        Local { translation: Vector3::new(1.0, 2.0, 3.0), rotation, scale: scale.into() }
    }

    /// Joints of a chain of nodes have the places that the matrices of the nodes give them.
    #[test]
    fn places_are_those_of_the_matrices() {
        for scales in [
            [[2.0; 3], [0.5; 3], [1.0; 3]],
            [[-1.0; 3], [-0.5; 3], [2.0; 3]],
            [[-1.0, 1.0, 1.0], [1.0, -2.0, 2.0], [-1.0; 3]],
            [[1.0, -1.0, -1.0], [1.0; 3], [1.0, 1.0, -1.0]],
            [[1.0, 1.2, 0.9], [1.0; 3], [0.7, -1.0, 1.0]],
        ] {
            let mut space = NodeSpace::uniform(1.0);
            let (mut exact, mut turn, mut place) =
                (Matrix4::identity(), UnitQuaternion::identity(), Vector3::zeros());
            for (scale, angles) in
                scales.into_iter().zip([[0.3, -1.0, 2.0], [1.0, 0.2, -0.4], [0.1, 2.0, 1.0]])
            {
                let own = local(scale, angles);
                place += turn * space.placed(&own.translation);
                turn *= space.turned(&own.rotation);
                let back = space.placed_back(&space.placed(&own.translation));
                assert!((back - own.translation).norm() < 1e-12);
                assert!(space.turned(&space.turned(&own.rotation)).angle_to(&own.rotation) < 1e-12);
                space = space.below(&own).unwrap();
                exact *= own.to_matrix();
                let found = exact.fixed_view::<3, 1>(0, 3).into_owned();
                assert!((place - found).norm() < 1e-9, "{scales:?}");
                let linear = turn.to_rotation_matrix().matrix() * space.map();
                let off = linear - exact.fixed_view::<3, 3>(0, 0);
                assert!(off.amax() < 1e-9, "{scales:?}");
                if let Some(apart) = Local::from_matrix(&exact) {
                    let own =
                        space.mirror_turn().map_or(apart.rotation, |turn| apart.rotation * turn);
                    assert!(own.angle_to(&turn) < 1e-9, "{scales:?} {}", own.angle_to(&turn));
                }
            }
        }
    }
}
