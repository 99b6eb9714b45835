//! Forward kinematics.

use super::so3;
use crate::{Chain, IkError, Link, LinkId, LinkMotion, Point, PointRef};
use nalgebra::{UnitQuaternion, Vector3};

/// Poses of all links in the world, and the velocities that each variable gives them.
///
/// All of it is computed by [`Configuration::update`]; memory is kept between calls.
///
/// ```
/// use nalgebra::Vector3;
/// use rebone_ik::{Chain, Configuration, Link, LinkId, LinkMotion, Point};
///
/// let hinge = LinkMotion::Axes(vec![Vector3::z_axis()]);
/// let chain = Chain::new(vec![Link::new(None, Vector3::zeros(), hinge)])?;
/// let at = Configuration::new(&chain, &[std::f64::consts::FRAC_PI_2])?;
/// let tip = at.position(&Point { link: LinkId(0), offset: Vector3::x() }.into()).unwrap();
/// assert!((tip - Vector3::y()).norm() < 1e-15);
/// # Ok::<(), rebone_ik::IkError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Configuration {
    positions: Vec<Vector3<f64>>,
    rotations: Vec<UnitQuaternion<f64>>,
    /// Angular velocity of the moved links for each variable at unit rate, in the world; 0 for a translation.
    angular_velocities: Vec<Vector3<f64>>,
    /// Velocity for each variable at unit rate, in the world, of a moved point at the first link's origin.
    origin_velocities: Vec<Vector3<f64>>,
}

impl Configuration {
    /// Computes the forward kinematics of `chain` at the variables `x`.
    ///
    /// # Errors
    /// When `x` is not as long as the chain has variables.
    pub fn new(chain: &Chain, x: &[f64]) -> Result<Self, IkError> {
        let mut configuration = Self::default();
        configuration.update(chain, x)?;
        Ok(configuration)
    }

    /// Computes the forward kinematics at `x`; no allocation after the first call.
    ///
    /// # Errors
    /// When `x` is not as long as the chain has variables; the configuration stays as it was.
    pub fn update(&mut self, chain: &Chain, x: &[f64]) -> Result<(), IkError> {
        chain.check_len("x", x.len())?;
        self.compute(chain, x);
        Ok(())
    }

    /// Computes the forward kinematics at `x`, which is as long as the chain has variables.
    pub(crate) fn compute(&mut self, chain: &Chain, x: &[f64]) {
        self.resize(chain);
        for (index, link) in chain.links().iter().enumerate() {
            let (parent_position, parent_rotation) = match link.parent {
                None => (chain.base.position, chain.base.rotation),
                Some(parent) => (self.positions[parent.0], self.rotations[parent.0]),
            };
            let range = chain.own_range(LinkId(index));
            let (mut x, mut angular_velocities) =
                (&x[range.clone()], &mut self.angular_velocities[range.clone()]);
            let mut origin_velocities = &mut self.origin_velocities[range];
            let mut translation = link.translation;
            if link.translates {
                translation += Vector3::new(x[0], x[1], x[2]);
                for (k, velocity) in origin_velocities[..3].iter_mut().enumerate() {
                    *velocity = parent_rotation * Vector3::ith(k, 1.0);
                }
                angular_velocities[..3].fill(Vector3::zeros());
                (x, angular_velocities, origin_velocities) =
                    (&x[3..], &mut angular_velocities[3..], &mut origin_velocities[3..]);
            }
            let position = parent_position + parent_rotation * translation;
            self.positions[index] = position;
            let world_from_joint = parent_rotation * link.pre;
            self.rotations[index] =
                rotate(&link.motion, x, world_from_joint, angular_velocities) * link.post;
            let lever = position - self.positions[0];
            for (velocity, angular) in origin_velocities.iter_mut().zip(angular_velocities) {
                *velocity = lever.cross(angular);
            }
        }
    }

    /// Sets the numbers of links and variables to those of `chain`.
    pub(crate) fn resize(&mut self, chain: &Chain) {
        self.positions.resize(chain.links().len(), Vector3::zeros());
        self.rotations.resize(chain.links().len(), UnitQuaternion::identity());
        self.angular_velocities.resize(chain.len(), Vector3::zeros());
        self.origin_velocities.resize(chain.len(), Vector3::zeros());
    }

    /// Rotation `world_from_link`; `None` where there is no such link.
    pub fn rotation(&self, link: LinkId) -> Option<UnitQuaternion<f64>> {
        self.rotations.get(link.0).copied()
    }

    /// Position of a point or midpoint, in the world; `None` where there is no such link.
    pub fn position(&self, point: &PointRef) -> Option<Vector3<f64>> {
        let is_here = point.links().into_iter().all(|link| link.0 < self.positions.len());
        is_here.then(|| self.position_of(point))
    }

    /// Checks that this is a configuration of `chain`.
    pub(crate) fn check_for(&self, chain: &Chain) -> Result<(), IkError> {
        let (found, expected) = (self.positions.len(), chain.links().len());
        if found != expected {
            return Err(IkError::Configuration { found, expected });
        }
        chain.check_len("a configuration", self.angular_velocities.len())
    }
}

impl Configuration {
    /// Rotation `world_from_link` of a link of the chain.
    pub(crate) fn own_rotation(&self, link: LinkId) -> UnitQuaternion<f64> {
        self.rotations[link.0]
    }

    /// Position of a point on a link of the chain, in the world.
    pub(crate) fn point(&self, point: &Point) -> Vector3<f64> {
        self.positions[point.link.0] + self.rotations[point.link.0] * point.offset
    }

    /// Position of a point or midpoint on links of the chain, in the world.
    pub(crate) fn position_of(&self, point: &PointRef) -> Vector3<f64> {
        match point {
            PointRef::At(point) => self.point(point),
            PointRef::Midpoint(one, other) => (self.point(one) + self.point(other)) * 0.5,
        }
    }

    /// Angular velocity, in the world, of the links that variable `k` moves; 0 for a translation.
    pub(crate) fn angular_velocity(&self, k: usize) -> Vector3<f64> {
        self.angular_velocities[k]
    }

    /// Velocity `∂p/∂xₖ` of a point on a link that variable `k` moves, `arm` from the first link's origin.
    pub(crate) fn point_velocity(&self, k: usize, arm: &Vector3<f64>) -> Vector3<f64> {
        self.origin_velocities[k] + self.angular_velocities[k].cross(arm)
    }

    /// Power of a force and a torque about the first link's origin, on the links that variable `k` moves
    /// at unit rate.
    pub(crate) fn power(&self, k: usize, force: &Vector3<f64>, torque: &Vector3<f64>) -> f64 {
        self.origin_velocities[k].dot(force) + self.angular_velocities[k].dot(torque)
    }

    /// Lever arm: the vector from the first link's origin to a point, in the world.
    pub(crate) fn lever_arm(&self, point: &Vector3<f64>) -> Vector3<f64> {
        point - self.positions[0]
    }

    /// Rotation `world_from_parent · pre`: the frame in which the variables of `link` are measured.
    pub(crate) fn joint_frame(&self, chain: &Chain, link: LinkId) -> UnitQuaternion<f64> {
        let Link { parent, pre, .. } = &chain.links()[link.0];
        parent.map_or(chain.base.rotation, |parent| self.rotations[parent.0]) * pre
    }
}

/// Returns `world_from_joint · Q(x)` and writes the angular velocity of each variable, in the world.
fn rotate(
    motion: &LinkMotion,
    x: &[f64],
    world_from_joint: UnitQuaternion<f64>,
    out: &mut [Vector3<f64>],
) -> UnitQuaternion<f64> {
    match motion {
        LinkMotion::Fixed => world_from_joint,
        LinkMotion::Axes(axes) => {
            let mut rotation = world_from_joint;
            for ((axis, x), out) in axes.iter().zip(x).zip(out) {
                *out = rotation * axis.into_inner();
                rotation *= so3::about(axis, *x);
            }
            rotation
        }
        LinkMotion::SwingTwist => {
            let v = Vector3::new(x[0], 0.0, x[1]);
            let coefficients = so3::left_jacobian_coefficients(&v);
            out[0] = world_from_joint * so3::left_jacobian_times(&v, coefficients, &Vector3::x());
            out[1] = world_from_joint * so3::left_jacobian_times(&v, coefficients, &Vector3::z());
            let swung = world_from_joint * so3::exp(&v);
            out[2] = swung * Vector3::y();
            swung * so3::about(&Vector3::y(), x[2])
        }
        LinkMotion::Rotation => {
            let v = Vector3::new(x[0], x[1], x[2]);
            let coefficients = so3::left_jacobian_coefficients(&v);
            for (k, out) in out.iter_mut().enumerate() {
                let rate = Vector3::ith(k, 1.0);
                *out = world_from_joint * so3::left_jacobian_times(&v, coefficients, &rate);
            }
            world_from_joint * so3::exp(&v)
        }
    }
}
