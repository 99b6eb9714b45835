//! A chain whose kinematics have been run.

use crate::{Chain, Link, LinkId, LinkMotion, Place, Point, so3};
use nalgebra::{UnitQuaternion, Vector3};

/// Where all links of a chain are, and how each variable moves them.
///
/// Holds nothing that [`Configuration::update`] does not compute; memory is kept between calls.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Configuration {
    positions: Vec<Vector3<f64>>,
    rotations: Vec<UnitQuaternion<f64>>,
    /// Per variable, in the world: the angular velocity of what it moves, at unit rate; 0 of a shift.
    turns: Vec<Vector3<f64>>,
    /// Per variable: the velocity, at unit rate, that it gives to what is at the first link's origin.
    slides: Vec<Vector3<f64>>,
}

impl Configuration {
    /// The configuration of `chain` at the variables `x`.
    ///
    /// # Panics
    /// When `x` is shorter than the chain has variables.
    pub fn new(chain: &Chain, x: &[f64]) -> Self {
        let mut configuration = Self::default();
        configuration.update(chain, x);
        configuration
    }

    /// Runs the kinematics at `x`, without allocation from the second time on.
    ///
    /// # Panics
    /// When `x` is shorter than the chain has variables.
    pub fn update(&mut self, chain: &Chain, x: &[f64]) {
        self.resize(chain);
        for (index, link) in chain.links().iter().enumerate() {
            let (parent_position, parent_rotation) = match link.parent {
                None => (chain.base.position, chain.base.rotation),
                Some(parent) => (self.positions[parent.0], self.rotations[parent.0]),
            };
            let range = chain.range(LinkId(index));
            let (mut x, mut turns) = (&x[range.clone()], &mut self.turns[range.clone()]);
            let mut slides = &mut self.slides[range];
            let mut translation = link.translation;
            if link.translates {
                translation += Vector3::new(x[0], x[1], x[2]);
                for (k, slide) in slides[..3].iter_mut().enumerate() {
                    *slide = parent_rotation * Vector3::ith(k, 1.0);
                }
                turns[..3].fill(Vector3::zeros());
                (x, turns, slides) = (&x[3..], &mut turns[3..], &mut slides[3..]);
            }
            let position = parent_position + parent_rotation * translation;
            self.positions[index] = position;
            let before = parent_rotation * link.pre;
            self.rotations[index] = turn(&link.motion, x, before, turns) * link.post;
            let lever = position - self.positions[0];
            for (slide, turn) in slides.iter_mut().zip(turns) {
                *slide = lever.cross(turn);
            }
        }
    }

    /// Makes room for `chain`.
    pub(crate) fn resize(&mut self, chain: &Chain) {
        self.positions.resize(chain.links().len(), Vector3::zeros());
        self.rotations.resize(chain.links().len(), UnitQuaternion::identity());
        self.turns.resize(chain.len(), Vector3::zeros());
        self.slides.resize(chain.len(), Vector3::zeros());
    }

    /// The origin of `link` in the world.
    pub fn position(&self, link: LinkId) -> Vector3<f64> {
        self.positions[link.0]
    }

    /// The rotation `world_from_link`.
    pub fn rotation(&self, link: LinkId) -> UnitQuaternion<f64> {
        self.rotations[link.0]
    }

    /// A point of a link, in the world.
    pub fn point(&self, point: &Point) -> Vector3<f64> {
        self.positions[point.link.0] + self.rotations[point.link.0] * point.offset
    }

    /// A place, in the world.
    pub fn place(&self, place: &Place) -> Vector3<f64> {
        match place {
            Place::At(point) => self.point(point),
            Place::Between(one, other) => (self.point(one) + self.point(other)) * 0.5,
        }
    }
}

impl Configuration {
    /// The angular velocity, in the world, of the links that variable `k` moves; 0 of a shift.
    pub(crate) fn turn(&self, k: usize) -> Vector3<f64> {
        self.turns[k]
    }

    /// `∂p/∂xₖ` of a point on a link that variable `k` moves, `arm` from the first link's origin.
    pub(crate) fn velocity(&self, k: usize, arm: &Vector3<f64>) -> Vector3<f64> {
        self.slides[k] + self.turns[k].cross(arm)
    }

    /// The work of a force and a torque, about the first link's origin, on what variable `k` moves, at
    /// unit rate.
    pub(crate) fn work(&self, k: usize, force: &Vector3<f64>, torque: &Vector3<f64>) -> f64 {
        self.slides[k].dot(force) + self.turns[k].dot(torque)
    }

    /// From the first link's origin to a point in the world.
    pub(crate) fn arm(&self, point: &Vector3<f64>) -> Vector3<f64> {
        point - self.positions[0]
    }

    /// The rotation in which the variables of `link` are measured: `world_from_parent · pre`.
    pub(crate) fn before(&self, chain: &Chain, link: LinkId) -> UnitQuaternion<f64> {
        let Link { parent, pre, .. } = &chain.links()[link.0];
        parent.map_or(chain.base.rotation, |parent| self.rotations[parent.0]) * pre
    }
}

/// `before · Q(x)`, and the world axis of each variable: its angular velocity at unit rate.
fn turn(
    motion: &LinkMotion,
    x: &[f64],
    before: UnitQuaternion<f64>,
    out: &mut [Vector3<f64>],
) -> UnitQuaternion<f64> {
    match motion {
        LinkMotion::Fixed => before,
        LinkMotion::Axes(axes) => {
            let mut rotation = before;
            for ((axis, x), out) in axes.iter().zip(x).zip(out) {
                *out = rotation * axis.into_inner();
                rotation *= so3::about(axis, *x);
            }
            rotation
        }
        LinkMotion::SwingTwist => {
            let v = Vector3::new(x[0], 0.0, x[1]);
            let coefficients = so3::left_jacobian_coefficients(&v);
            out[0] = before * so3::left_jacobian_times(&v, coefficients, &Vector3::x());
            out[1] = before * so3::left_jacobian_times(&v, coefficients, &Vector3::z());
            let swung = before * so3::exp(&v);
            out[2] = swung * Vector3::y();
            swung * so3::about(&Vector3::y(), x[2])
        }
        LinkMotion::Rotation => {
            let v = Vector3::new(x[0], x[1], x[2]);
            let coefficients = so3::left_jacobian_coefficients(&v);
            for (k, out) in out.iter_mut().enumerate() {
                let rate = Vector3::ith(k, 1.0);
                *out = before * so3::left_jacobian_times(&v, coefficients, &rate);
            }
            before * so3::exp(&v)
        }
    }
}
