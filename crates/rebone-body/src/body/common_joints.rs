//! What several files of one rig have in common.

use rebone_skeleton::JointId;
use std::collections::BTreeSet;

/// The joints that all files of a rig have that it was learned from: a card names no others.
#[derive(Clone, Debug)]
pub(crate) struct CommonJoints {
    pub(crate) joints: BTreeSet<JointId>,
    /// Whether all files list them in the same order.
    pub(crate) is_ordered: bool,
    /// Whether the mesh of one of them shows the soles.
    pub(crate) has_mesh: bool,
}
