//! Links and the joints that move them.

use super::so3;
use nalgebra::{Unit, UnitQuaternion, Vector3};

/// Index of a link in [`Chain::links`](crate::Chain::links).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkId(pub usize);

/// Joint type: the rotation `Q(x)` of a [`Link`] against its parent. Angles in radians.
///
/// ```
/// use nalgebra::Vector3;
/// use rebone_ik::LinkMotion;
///
/// let hinge = LinkMotion::Axes(vec![Vector3::x_axis()]);
/// assert_eq!((hinge.len(), LinkMotion::SwingTwist.len()), (1, 3));
/// let down = hinge.rotation(&[std::f64::consts::FRAC_PI_2, 0.0, 0.0]) * Vector3::y();
/// assert!((down - Vector3::z()).norm() < 1e-15);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum LinkMotion {
    /// Fixed joint: `Q = 1`, no variable.
    Fixed,
    /// One to three successive hinges: `Q = exp(a₀x₀) exp(a₁x₁) …`, one variable for each axis.
    /// Three axes at right angles are Euler angles in that order.
    Axes(Vec<Unit<Vector3<f64>>>),
    /// Ball joint with limits on swing and twist: `Q = exp(x₀X + x₁Z) exp(x₂Y)`, a swing vector at
    /// right angles to the bone axis Y, then the twist about Y. Put the centre of the swing range
    /// into [`Link::pre`]. Singular at a swing of a full turn only; swings beyond a half turn have
    /// a second set of values.
    SwingTwist,
    /// Free rotation: `Q = exp(x)`, a rotation vector from the chart's centre [`Link::pre`]. Set the
    /// centre in each frame so that the solution stays less than a half turn away.
    Rotation,
}

impl LinkMotion {
    /// Number of variables.
    pub fn len(&self) -> usize {
        match self {
            LinkMotion::Fixed => 0,
            LinkMotion::Axes(axes) => axes.len(),
            LinkMotion::SwingTwist | LinkMotion::Rotation => 3,
        }
    }

    /// Returns true for a joint without variables.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Computes `Q(x)` at the first [`LinkMotion::len`] of three numbers.
    pub fn rotation(&self, x: &[f64; 3]) -> UnitQuaternion<f64> {
        self.rotation_at(x)
    }

    /// Computes `Q(x)`, `x` at least as long as [`LinkMotion::len`].
    pub(crate) fn rotation_at(&self, x: &[f64]) -> UnitQuaternion<f64> {
        match self {
            LinkMotion::Fixed => UnitQuaternion::identity(),
            LinkMotion::Axes(axes) => {
                let mut turns = axes.iter().zip(x).map(|(axis, x)| so3::about(axis, *x));
                let first = turns.next().unwrap_or_else(UnitQuaternion::identity);
                turns.fold(first, |q, turn| q * turn)
            }
            LinkMotion::SwingTwist => {
                so3::exp(&Vector3::new(x[0], 0.0, x[1])) * so3::about(&Vector3::y(), x[2])
            }
            LinkMotion::Rotation => so3::exp(&Vector3::new(x[0], x[1], x[2])),
        }
    }
}

/// A rigid body of a chain with the joint to its parent:
///
/// ```text
/// parent_from_link = Translation(translation + Δ) · pre · Q(x) · post
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// Parent link; `None` attaches the link to the chain's [`Base`](crate::Base).
    pub parent: Option<LinkId>,
    /// Origin in the parent's frame, at Δ = 0.
    pub translation: Vector3<f64>,
    /// Adds a prismatic joint: the first three variables of the link are Δ, in the parent's frame.
    pub translates: bool,
    /// Constant rotation before the joint: the frame in which the variables are measured.
    pub pre: UnitQuaternion<f64>,
    /// Joint type.
    pub motion: LinkMotion,
    /// Constant rotation after the joint, from the joint's frame to the link's.
    pub post: UnitQuaternion<f64>,
}

impl Link {
    /// Builds a link without translation variables, with `pre` and `post` the identity.
    pub fn new(parent: Option<LinkId>, translation: Vector3<f64>, motion: LinkMotion) -> Self {
        let identity = UnitQuaternion::identity();
        Self { parent, translation, translates: false, pre: identity, motion, post: identity }
    }

    /// Number of variables: three where it translates, and those of its motion.
    pub fn len(&self) -> usize {
        if self.translates { 3 + self.motion.len() } else { self.motion.len() }
    }

    /// Returns true for a link without variables.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
