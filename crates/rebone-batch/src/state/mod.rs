//! Results of earlier runs: kept, up to date, changed, or to be removed.

pub(crate) mod earlier;
pub(crate) mod on_disk;
pub(crate) mod stored;
pub(crate) mod tar_earlier;
pub(crate) mod verify;
