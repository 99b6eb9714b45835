//! The surface of a body as data: radial fields of its segments, and where they come from. `crate::skin` fits it.

mod field;
mod origin;
mod shared;
mod stated;

pub use field::ALONG;
pub use field::AROUND;
pub use field::FieldTransform;
pub use field::Projection;
pub use field::RadialField;
pub use field::SurfacePoint;
pub(crate) use field::{Radii, cell, interpolate};
pub(crate) use origin::{Fit, Misfit, Origin};
pub(crate) use shared::{FittedSurface, SharedSurface};
pub(crate) use stated::GIRTHS;
pub use stated::StatedSurface;
pub(crate) use stated::StatedSurfaces;

use super::segment::{BodySegment, SegmentSet};
use rebone_skeleton::WorldPose;

/// The surface of a body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// Fields in the order of [`BodySegment::ALL`]; `None` of segments that the body does not have.
    pub fields: Vec<Option<RadialField>>,
    /// Origins of the fields.
    pub(crate) origins: [Origin; BodySegment::ALL.len()],
    /// What a card states of the segments.
    pub stated: StatedSurfaces,
}

impl Surface {
    /// Returns the transforms of all fields in a pose of the inner world, metres of a 1.7 m body.
    pub fn transforms(
        &self,
        world: &WorldPose,
    ) -> [Option<FieldTransform>; BodySegment::ALL.len()] {
        BodySegment::ALL.map(|segment| {
            self.fields[segment.index()].as_ref().map(|field| {
                let joint = field.joint.index();
                field.transform(&world.rotations[joint], &world.positions[joint])
            })
        })
    }

    /// Returns whether any part of the surface is that of a skin.
    pub fn has_skin(&self) -> bool {
        self.origins.iter().any(|origin| matches!(origin, Origin::Skin(_)))
    }

    /// Returns whether a card states the girth of any segment.
    pub fn has_girth(&self) -> bool {
        !self.girths().is_empty()
    }

    /// Returns the segments whose girth a card states.
    pub fn girths(&self) -> SegmentSet {
        let is_girth = |own: &BodySegment| StatedSurface::is_girth(&self.stated[own.index()]);
        BodySegment::ALL.into_iter().filter(is_girth).collect()
    }

    /// Returns whether a segment has the surface of its skin.
    pub fn is_skinned(&self, segment: BodySegment) -> bool {
        matches!(self.origins[segment.index()], Origin::Skin(_))
    }
}
