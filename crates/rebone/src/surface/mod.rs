//! Surfaces of bodies: the skin of each segment as distances from its axis.

mod field;
mod fit;
mod layout;
mod pair;
mod probes;
mod segment;

pub(crate) use field::{FieldTransform, Projection};

use field::RadialField;
pub(crate) use pair::{ArmPose, BodyTransforms, SurfacePair};
pub(crate) use probes::Probe;
pub(crate) use segment::BodySegment;

use crate::body::Anatomy;

/// The surface of a body.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Surface {
    /// Fields in the order of [`BodySegment::ALL`]; `None` of segments that the body does not have, or whose skin is not known.
    pub(crate) fields: Vec<Option<RadialField>>,
}

impl Surface {
    /// Fits the surface of a body to its skin.
    pub(crate) fn of(anatomy: &Anatomy) -> Self {
        let mut fields = vec![None; BodySegment::ALL.len()];
        for (segment, field) in fit::fit_fields(anatomy) {
            fields[segment.index()] = Some(field);
        }
        Self { fields }
    }
}
