//! Surfaces of bodies: the skin of each segment as distances from its axis.

mod default_field;
mod field;
mod fit;
mod layout;
mod pair;
mod plausible;
mod probes;
mod radii;
mod segment;

pub(crate) use field::{ALONG, AROUND, FieldTransform, Projection, RadialField, SurfacePoint};

use default_field::default_field;
use layout::segment_axes;
pub(crate) use pair::{ArmGap, ArmPose, BodyTransforms, SurfacePair};
pub(crate) use probes::Probe;
pub(crate) use segment::{BodySegment, SegmentSet};

use crate::body::Anatomy;
use rebone_skeleton::WorldPose;

/// The surface of a body.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Surface {
    /// Fields in the order of [`BodySegment::ALL`]; `None` of segments that the body does not have.
    pub(crate) fields: Vec<Option<RadialField>>,
    /// Segments whose field is fitted to skin; the others have the usual one of the skeleton.
    skinned: [bool; BodySegment::ALL.len()],
}

impl Surface {
    /// Fits the surface of a body to its skin. Segments without skin, or with one that cannot be theirs, get the usual
    /// surface of the skeleton.
    pub(crate) fn of(anatomy: &Anatomy) -> Self {
        let mut fields = vec![None; BodySegment::ALL.len()];
        let axes = segment_axes(anatomy);
        let fitted = fit::fit_fields(anatomy, &axes);
        let mut skinned = [false; BodySegment::ALL.len()];
        for (segment, field) in fitted {
            skinned[segment.index()] = true;
            fields[segment.index()] = Some(field);
        }
        for axis in &axes {
            fields[axis.segment.index()].get_or_insert_with(|| default_field(anatomy, axis));
        }
        Self { fields, skinned }
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
        self.skinned.contains(&true)
    }
}
