//! Surfaces of bodies: the skin of each segment as distances from its axis.

mod default_field;
mod field;
mod fit;
mod layout;
mod origin;
mod pair;
mod plausible;
mod probes;
mod radii;
mod summary;

pub(crate) use field::{ALONG, AROUND, FieldTransform, Projection, RadialField, SurfacePoint};

use default_field::default_field;
use layout::segment_axes;
use origin::Origin;
pub(crate) use pair::{ArmGap, ArmPose, BodyTransforms, SurfacePair};
pub(crate) use probes::Probe;

use crate::body::{Anatomy, BodySegment};
use rebone_skeleton::WorldPose;

/// The surface of a body.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Surface {
    /// Fields in the order of [`BodySegment::ALL`]; `None` of segments that the body does not have.
    pub(crate) fields: Vec<Option<RadialField>>,
    /// Origins of the fields.
    origins: [Origin; BodySegment::ALL.len()],
}

impl Surface {
    /// Fits the surface of a body to its skin. Segments without skin, or with one that cannot be theirs, get the usual
    /// surface of the skeleton.
    pub(crate) fn of(anatomy: &Anatomy) -> Self {
        let mut fields = vec![None; BodySegment::ALL.len()];
        let axes = segment_axes(anatomy);
        let mut origins = [Origin::default(); BodySegment::ALL.len()];
        for (segment, found) in fit::fit_fields(anatomy, &axes) {
            origins[segment.index()] = match found {
                Ok((field, fit)) => {
                    fields[segment.index()] = Some(field);
                    Origin::Skin(fit)
                }
                Err(misfit) => Origin::Usual(Some(misfit)),
            };
        }
        for axis in &axes {
            fields[axis.segment.index()].get_or_insert_with(|| default_field(anatomy, axis));
        }
        Self { fields, origins }
    }

    /// Returns the transforms of all fields in a pose of the inner world, metres of a 1.7 m body.
    pub(crate) fn transforms(
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
    pub(crate) fn has_skin(&self) -> bool {
        self.origins.iter().any(|origin| matches!(origin, Origin::Skin(_)))
    }

    /// Returns whether a segment has the surface of its skin.
    fn is_skinned(&self, segment: BodySegment) -> bool {
        matches!(self.origins[segment.index()], Origin::Skin(_))
    }
}
