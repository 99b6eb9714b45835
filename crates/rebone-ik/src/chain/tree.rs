//! Kinematic chains: links in a tree, and the variables that move them.

use super::link::{Link, LinkId, LinkMotion};
use crate::IkError;
use nalgebra::{UnitQuaternion, Vector3};
use std::ops::Range;

/// Pose of a chain's base: `world_from_base`. Default: the world's origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Base {
    /// Origin in the world.
    pub position: Vector3<f64>,
    /// Rotation `world_from_base`.
    pub rotation: UnitQuaternion<f64>,
}

impl Default for Base {
    fn default() -> Self {
        Self { position: Vector3::zeros(), rotation: UnitQuaternion::identity() }
    }
}

/// Kinematic tree: links with parents first, on a base. Variables are in the order of the links.
///
/// ```
/// use nalgebra::Vector3;
/// use rebone_ik::{Chain, Link, LinkId, LinkMotion};
///
/// let knee = LinkMotion::Axes(vec![Vector3::x_axis()]);
/// let leg = Chain::new(vec![
///     Link::new(None, Vector3::new(0.1, 0.9, 0.0), LinkMotion::SwingTwist),
///     Link::new(Some(LinkId(0)), Vector3::new(0.0, -0.42, 0.0), knee),
/// ])?;
/// assert_eq!(leg.len(), 4);
/// assert_eq!(leg.range(LinkId(1)), Some(3..4));
/// # Ok::<(), rebone_ik::IkError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    /// Pose of the base, to which links without a parent are attached; may change in each frame.
    pub base: Base,
    links: Vec<Link>,
    /// First variable of each link, then the number of variables.
    first: Vec<usize>,
    variables: Vec<Variable>,
    /// Variables that move each link, ascending.
    variables_moving: Vec<Vec<usize>>,
}

/// Link and unit of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Link whose joint it moves.
    pub link: LinkId,
    /// True for a translation, in units of length; false for a rotation, in radians.
    pub translates: bool,
}

impl Chain {
    /// Builds a chain at the world's origin.
    ///
    /// # Errors
    /// A parent that does not come before its link, or a number of axes other than one to three.
    pub fn new(links: Vec<Link>) -> Result<Self, IkError> {
        let mut first = vec![0];
        let mut variables = Vec::new();
        let mut variables_moving: Vec<Vec<usize>> = Vec::with_capacity(links.len());
        for (index, link) in links.iter().enumerate() {
            let id = LinkId(index);
            let mut moving = match link.parent {
                None => Vec::new(),
                Some(parent) if parent < id => variables_moving[parent.0].clone(),
                Some(parent) => return Err(IkError::ParentNotBefore { link: id, parent }),
            };
            if let LinkMotion::Axes(axes) = &link.motion
                && !(1..=3).contains(&axes.len())
            {
                return Err(IkError::AxisCount { link: id, count: axes.len() });
            }
            for number in 0..link.len() {
                moving.push(variables.len());
                variables.push(Variable { link: id, translates: link.translates && number < 3 });
            }
            first.push(variables.len());
            variables_moving.push(moving);
        }
        Ok(Self { base: Base::default(), links, first, variables, variables_moving })
    }

    /// Links, parents first.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// Number of variables, n.
    pub fn len(&self) -> usize {
        self.variables.len()
    }

    /// Returns true for a chain without variables.
    pub fn is_empty(&self) -> bool {
        self.variables.is_empty()
    }

    /// Range of the variables of `link`: translation first, then rotation. `None` where there is no such link.
    pub fn range(&self, link: LinkId) -> Option<Range<usize>> {
        (link.0 < self.links.len()).then(|| self.own_range(link))
    }

    /// Range of the variables of a link of this chain.
    pub(crate) fn own_range(&self, link: LinkId) -> Range<usize> {
        self.first[link.0]..self.first[link.0 + 1]
    }

    /// Link and unit of each variable.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// Variables that move `link`: its own and its ancestors', ascending.
    pub(crate) fn variables_moving(&self, link: LinkId) -> &[usize] {
        &self.variables_moving[link.0]
    }

    /// Sets [`Link::translation`] of `link`, in its parent's frame. Returns false where there is no such link.
    pub fn set_translation(&mut self, link: LinkId, translation: Vector3<f64>) -> bool {
        self.links.get_mut(link.0).map(|link| link.translation = translation).is_some()
    }

    /// Sets [`Link::pre`] of `link`: the chart's centre of [`LinkMotion::Rotation`], the rotation of
    /// [`LinkMotion::Fixed`]. Returns false where there is no such link.
    pub fn set_pre(&mut self, link: LinkId, pre: UnitQuaternion<f64>) -> bool {
        self.links.get_mut(link.0).map(|link| link.pre = pre).is_some()
    }

    /// Computes the rotation `parent_from_link` of `link` at the variables `x` of the whole chain. `None` where there is
    /// no such link, or no variable of it in `x`.
    pub fn local_rotation(&self, link: LinkId, x: &[f64]) -> Option<UnitQuaternion<f64>> {
        let Link { pre, motion, post, .. } = self.links.get(link.0)?;
        let end = self.first[link.0 + 1];
        Some(pre * motion.rotation_at(x.get(end - motion.len()..end)?) * post)
    }

    /// Computes the translation `parent_from_link` of `link` at the variables `x` of the whole chain. `None` where there
    /// is no such link, or no variable of it in `x`.
    pub fn local_translation(&self, link: LinkId, x: &[f64]) -> Option<Vector3<f64>> {
        let Link { translation, translates, .. } = self.links.get(link.0)?;
        let start = self.first[link.0];
        if *translates {
            let own = x.get(start..start + 3)?;
            Some(translation + Vector3::new(own[0], own[1], own[2]))
        } else {
            Some(*translation)
        }
    }

    /// Checks that a list has one number for each variable.
    pub(crate) fn check_len(&self, list: &'static str, found: usize) -> Result<(), IkError> {
        let expected = self.len();
        if found == expected { Ok(()) } else { Err(IkError::Length { list, found, expected }) }
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
        assert_eq!(chain.range(LinkId(1)), Some(6..9));
        assert_eq!(chain.variables_moving(LinkId(2)), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(chain.variables_moving(LinkId(3)), [0, 1, 2, 3, 4, 5]);
        assert!(chain.variables()[2].translates && !chain.variables()[3].translates);
    }

    #[test]
    fn invalid_chains_are_refused() {
        let link = |parent| Link::new(parent, Vector3::zeros(), LinkMotion::Fixed);
        let error = Chain::new(vec![link(Some(LinkId(0)))]).unwrap_err();
        assert_eq!(error, IkError::ParentNotBefore { link: LinkId(0), parent: LinkId(0) });
        let bare = Link::new(None, Vector3::zeros(), LinkMotion::Axes(vec![]));
        let error = Chain::new(vec![bare]).unwrap_err();
        assert_eq!(error, IkError::AxisCount { link: LinkId(0), count: 0 });
    }
}
