//! One file a family of rigs.

use super::Sample;

/// All rigs.
pub(super) fn all() -> Vec<Sample> {
    Vec::new()
}
