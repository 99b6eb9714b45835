//! What can be wrong with a chain or a problem.

use crate::LinkId;

/// A chain or a problem that cannot be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum IkError {
    /// A link stands before its parent.
    #[error("link {} hangs on link {}, which does not come before it", .link.0, .parent.0)]
    ParentNotBefore {
        /// The link.
        link: LinkId,
        /// The parent it names.
        parent: LinkId,
    },
    /// A link of [`LinkMotion::Axes`](crate::LinkMotion::Axes) without axes or with more than three.
    #[error("link {} has {count} axes: one to three are possible", .link.0)]
    AxisCount {
        /// The link.
        link: LinkId,
        /// How many axes it has.
        count: usize,
    },
    /// A goal reads a link that the chain does not have.
    #[error("goal {goal} reads link {}, the chain has {links} links", .link.0)]
    NoSuchLink {
        /// The goal's place in the list.
        goal: usize,
        /// The link it names.
        link: LinkId,
        /// How many links there are.
        links: usize,
    },
}
