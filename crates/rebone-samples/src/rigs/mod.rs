//! Nine skeletons, each with another topology, naming, channel order and unit.

mod arms;

mod odd;

mod parts;

mod roots;

mod spines;

use super::Sample;

/// All rigs.
pub(super) fn all() -> Vec<Sample> {
    vec![
        spines::one_spine(),
        spines::seven_spine(),
        roots::chest_root(),
        roots::ground_root(),
        arms::twist_zup_cm(),
        arms::no_collar_no_neck(),
        odd::toy_a_pose(),
        odd::nameless(),
        odd::one_channel(),
    ]
}
