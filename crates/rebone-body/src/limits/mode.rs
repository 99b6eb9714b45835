//! Choice of the joint limits that hold.

use serde::{Deserialize, Serialize};

/// Joint limits that hold. Limits that a rig's card states are never widened, in any mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum LimitMode {
    /// Human ranges, widened in each frame to hold the source's own rotations.
    #[default]
    Source,
    /// Human ranges.
    Human,
    /// Ranges of the rig's card; human ranges where it states none.
    Strict,
}
