//! Data of results: the manifest, hashes, versions, shards and the lock of an output folder.

pub(crate) mod fingerprint;
pub(crate) mod hash;
pub(crate) mod lock;
pub mod manifest;
pub(crate) mod manifest_place;
pub(crate) mod result_version;
pub(crate) mod shard;
