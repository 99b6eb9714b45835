//! Manifests of shards: read, merged, checked against a request.

pub(crate) mod files;
pub(crate) mod merge;
pub(crate) mod reader;
pub(crate) mod request;
