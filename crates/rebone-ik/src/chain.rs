//! Chains: links that hang on each other, and the variables that move them.

use crate::{IkError, so3};
use nalgebra::{Unit, UnitQuaternion, Vector3};

/// The place of a link in its chain's array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkId(pub usize);

/// How a link turns against its parent: the `Q(x)` of [`Link`]. Angles in radians.
#[derive(Clone, Debug, PartialEq)]
pub enum LinkMotion {
    /// `Q = 1`; no variable.
    Fixed,
    /// `Q = exp(a₀x₀) exp(a₁x₁) …` about one to three axes, one variable each: a hinge, or the
    /// rotation channels of a rig in their order.
    Axes(Vec<Unit<Vector3<f64>>>),
    /// `Q = exp(x₀X + x₁Z) exp(x₂Y)`: a swing vector at right angles to the bone's axis Y, then
    /// the twist about it. The centre of the swing belongs in [`Link::pre`]. Singular at a swing
    /// of a full turn only, but past a half turn other values mean the same swing.
    SwingTwist,
    /// `Q = exp(x)`: any rotation, as a rotation vector from the chart's centre, which is
    /// [`Link::pre`]. Set that centre for each frame so that the answer is less than a half turn
    /// away.
    Rotation,
}

impl LinkMotion {
    /// How many variables it has.
    pub fn len(&self) -> usize {
        match self {
            LinkMotion::Fixed => 0,
            LinkMotion::Axes(axes) => axes.len(),
            LinkMotion::SwingTwist | LinkMotion::Rotation => 3,
        }
    }

    /// Whether it has no variable.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// `Q(x)`.
    ///
    /// # Panics
    /// When `x` is shorter than [`LinkMotion::len`].
    pub fn rotation(&self, x: &[f64]) -> UnitQuaternion<f64> {
        match self {
            LinkMotion::Fixed => UnitQuaternion::identity(),
            LinkMotion::Axes(axes) => {
                let first = so3::about(&axes[0], x[0]);
                axes.iter().zip(x).skip(1).fold(first, |q, (axis, x)| q * so3::about(axis, *x))
            }
            LinkMotion::SwingTwist => {
                so3::exp(&Vector3::new(x[0], 0.0, x[1])) * so3::about(&Vector3::y(), x[2])
            }
            LinkMotion::Rotation => so3::exp(&Vector3::new(x[0], x[1], x[2])),
        }
    }
}

/// A rigid piece of a chain, with the joint that it hangs on:
///
/// ```text
/// parent_from_link = Translation(translation + shift) · pre · Q(x) · post
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// The link it hangs on; `None` hangs it on the chain's [`Base`].
    pub parent: Option<LinkId>,
    /// Its origin in the parent's frame.
    pub translation: Vector3<f64>,
    /// Whether three variables, the first of the link, shift its origin in the parent's frame.
    pub translates: bool,
    /// Constant rotation before the variables: the frame in which they are measured.
    pub pre: UnitQuaternion<f64>,
    /// How it turns.
    pub motion: LinkMotion,
    /// Constant rotation after the variables: how the link's own frame sits on the moved one.
    pub post: UnitQuaternion<f64>,
}

impl Link {
    /// A link that does not shift, with `pre` and `post` the identity.
    pub fn new(parent: Option<LinkId>, translation: Vector3<f64>, motion: LinkMotion) -> Self {
        let identity = UnitQuaternion::identity();
        Self { parent, translation, translates: false, pre: identity, motion, post: identity }
    }

    /// How many variables it has: three for the shift, and those of its motion.
    pub fn len(&self) -> usize {
        if self.translates { 3 + self.motion.len() } else { self.motion.len() }
    }

    /// Whether it has no variable.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Where a chain hangs: `world_from_base`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Base {
    /// The base's origin in the world.
    pub position: Vector3<f64>,
    /// The base's rotation in the world.
    pub rotation: UnitQuaternion<f64>,
}

impl Default for Base {
    fn default() -> Self {
        Self { position: Vector3::zeros(), rotation: UnitQuaternion::identity() }
    }
}

/// Links, parents first, hanging on a base; their variables in the order of the links.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    /// Where links without a parent hang; may be set for each frame.
    pub base: Base,
    links: Vec<Link>,
    /// The first variable of each link, and one past the last.
    first: Vec<usize>,
    /// For each variable: the link it belongs to, and whether it shifts (or turns).
    variables: Vec<Variable>,
    /// For each link the variables that move it, ascending.
    movers: Vec<Vec<usize>>,
}

/// What a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The link it belongs to.
    pub link: LinkId,
    /// Whether it shifts the link, in units of length, or turns it, in radians.
    pub shifts: bool,
}

impl Chain {
    /// A chain at the world's origin.
    ///
    /// # Errors
    /// When a parent does not come before its link, or the number of axes is not one to three.
    pub fn new(links: Vec<Link>) -> Result<Self, IkError> {
        let mut first = vec![0];
        let mut variables = Vec::new();
        let mut movers: Vec<Vec<usize>> = Vec::with_capacity(links.len());
        for (index, link) in links.iter().enumerate() {
            let id = LinkId(index);
            let mut moving = match link.parent {
                None => Vec::new(),
                Some(parent) if parent < id => movers[parent.0].clone(),
                Some(parent) => return Err(IkError::ParentNotBefore { link: id, parent }),
            };
            if let LinkMotion::Axes(axes) = &link.motion
                && !(1..=3).contains(&axes.len())
            {
                return Err(IkError::AxisCount { link: id, count: axes.len() });
            }
            for number in 0..link.len() {
                moving.push(variables.len());
                variables.push(Variable { link: id, shifts: link.translates && number < 3 });
            }
            first.push(variables.len());
            movers.push(moving);
        }
        Ok(Self { base: Base::default(), links, first, variables, movers })
    }

    /// The links, parents first.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// How many variables there are.
    pub fn len(&self) -> usize {
        self.variables.len()
    }

    /// Whether there is no variable.
    pub fn is_empty(&self) -> bool {
        self.variables.is_empty()
    }

    /// The variables of `link`: the three of its shift first, if it has them.
    pub fn range(&self, link: LinkId) -> std::ops::Range<usize> {
        self.first[link.0]..self.first[link.0 + 1]
    }

    /// What each variable is.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The variables that move `link`, ascending.
    pub fn movers(&self, link: LinkId) -> &[usize] {
        &self.movers[link.0]
    }

    /// Sets the constant place of `link` in its parent's frame.
    pub fn set_translation(&mut self, link: LinkId, translation: Vector3<f64>) {
        self.links[link.0].translation = translation;
    }

    /// Sets the constant rotation of `link` before its variables: for [`LinkMotion::Rotation`] the
    /// chart's centre, for [`LinkMotion::Fixed`] the link's pose.
    pub fn set_pre(&mut self, link: LinkId, pre: UnitQuaternion<f64>) {
        self.links[link.0].pre = pre;
    }

    /// The rotation `parent_from_link` of `link` at the variables `x` of the whole chain.
    pub fn local_rotation(&self, link: LinkId, x: &[f64]) -> UnitQuaternion<f64> {
        let Link { pre, motion, post, .. } = &self.links[link.0];
        let end = self.first[link.0 + 1];
        pre * motion.rotation(&x[end - motion.len()..end]) * post
    }

    /// The translation `parent_from_link` of `link` at the variables `x` of the whole chain.
    pub fn local_translation(&self, link: LinkId, x: &[f64]) -> Vector3<f64> {
        let Link { translation, translates, .. } = &self.links[link.0];
        let start = self.first[link.0];
        if *translates {
            translation + Vector3::new(x[start], x[start + 1], x[start + 2])
        } else {
            *translation
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_in_the_order_of_links() {
        let hinge = LinkMotion::Axes(vec![Vector3::x_axis()]);
        let root =
            Link { translates: true, ..Link::new(None, Vector3::zeros(), LinkMotion::Rotation) };
        let arm = Link::new(Some(LinkId(0)), Vector3::y(), LinkMotion::SwingTwist);
        let fore = Link::new(Some(LinkId(1)), Vector3::y(), hinge);
        let tail = Link::new(Some(LinkId(0)), Vector3::y(), LinkMotion::Fixed);
        let chain = Chain::new(vec![root, arm, fore, tail]).unwrap();
        assert_eq!(chain.len(), 10);
        assert_eq!(chain.range(LinkId(1)), 6..9);
        assert_eq!(chain.movers(LinkId(2)), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(chain.movers(LinkId(3)), [0, 1, 2, 3, 4, 5]);
        assert!(chain.variables()[2].shifts && !chain.variables()[3].shifts);
    }

    #[test]
    fn a_chain_that_cannot_be_is_refused() {
        let link = |parent| Link::new(parent, Vector3::zeros(), LinkMotion::Fixed);
        let error = Chain::new(vec![link(Some(LinkId(0)))]).unwrap_err();
        assert_eq!(error, IkError::ParentNotBefore { link: LinkId(0), parent: LinkId(0) });
        let bare = Link::new(None, Vector3::zeros(), LinkMotion::Axes(vec![]));
        let error = Chain::new(vec![bare]).unwrap_err();
        assert_eq!(error, IkError::AxisCount { link: LinkId(0), count: 0 });
    }
}
