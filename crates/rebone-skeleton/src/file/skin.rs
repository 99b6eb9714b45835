//! Meshes of documents, as points and as triangles.

use super::document::{Content, Document};
use crate::{SkinMesh, SkinPoints};

impl Document {
    /// Returns the vertices of the character's meshes as points of its joints, and the meshes that are left out; none for
    /// BVH and Acclaim.
    pub fn skin_points(&self) -> SkinPoints {
        match &self.content {
            Content::Joints { .. } => SkinPoints::default(),
            Content::Gltf(document) => document.skin_points(),
            #[cfg(feature = "fbx")]
            Content::Fbx(document) => document.skin_points(),
        }
    }

    /// Returns the triangles of the character's meshes with all joints that move them, to draw it; none for BVH and Acclaim.
    pub fn skin_mesh(&self) -> SkinMesh {
        match &self.content {
            Content::Joints { .. } => SkinMesh::default(),
            Content::Gltf(document) => document.skin_mesh(),
            #[cfg(feature = "fbx")]
            Content::Fbx(document) => document.skin_mesh(),
        }
    }
}
