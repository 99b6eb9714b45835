//! Names of the batch's own folders, below the output folder.

/// Folder of the rig cards.
pub(crate) const CARDS: &str = "cards";

/// Folder of the parts of merged files.
pub(crate) const PARTS: &str = "parts";

/// Hidden folder of files that are not complete yet.
pub(crate) const TEMPORARY: &str = ".rebone";

/// Folder of the manifests of shards.
pub(crate) const MANIFESTS: &str = "manifest";
