//! Errors of chains and problems.

use super::link::LinkId;

/// An invalid chain or problem.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum IkError {
    /// A link that comes before its parent.
    #[error("link {} has the parent {}, which does not come before it: sort links with parents first", .link.0, .parent.0)]
    ParentNotBefore {
        /// Link with the fault.
        link: LinkId,
        /// Its parent.
        parent: LinkId,
    },
    /// A link of [`LinkMotion::Axes`](crate::LinkMotion::Axes) without axes or with more than three.
    #[error("link {} has {count} axes, expected one to three", .link.0)]
    AxisCount {
        /// Link with the fault.
        link: LinkId,
        /// Number of its axes.
        count: usize,
    },
    /// A goal on a link that the chain does not have.
    #[error("goal {goal} is on link {}, the chain has only {links} links", .link.0)]
    NoSuchLink {
        /// Index of the goal.
        goal: usize,
        /// Its link.
        link: LinkId,
        /// Number of links of the chain.
        links: usize,
    },
    /// A list of numbers that is not as long as the chain has variables.
    #[error(
        "found {found} numbers in {list}, expected one for each of the chain's {expected} variables"
    )]
    Length {
        /// Name of the list.
        list: &'static str,
        /// Its length.
        found: usize,
        /// Number of variables of the chain.
        expected: usize,
    },
    /// A configuration of another chain.
    #[error("found a configuration of {found} links, expected one of the chain's {expected}")]
    Configuration {
        /// Number of links of the configuration.
        found: usize,
        /// Number of links of the chain.
        expected: usize,
    },
}
