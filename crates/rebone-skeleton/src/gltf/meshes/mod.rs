//! Meshes and skins of glTF files.

pub(crate) mod mesh;
pub(crate) mod meshopt;
pub(crate) mod skin_mesh;
pub(crate) mod skins;
