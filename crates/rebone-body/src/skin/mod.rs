//! Fits surfaces of bodies: the skin of each segment as distances from its axis.

mod default_field;
mod fit;
mod layout;
mod plausible;
mod radii;
mod segment_skin;
mod shared;
mod summary;

pub use default_field::breadth;

use crate::body::surface::{Origin, StatedSurface, Surface};
use crate::body::{Anatomy, BodySegment};
use default_field::default_field;
use layout::{SegmentAxis, segment_axes};
use std::sync::Arc;

impl Surface {
    /// Returns the surface of a body, which is fitted once for all copies of its anatomy.
    #[doc(hidden)]
    pub fn of(anatomy: &Anatomy) -> Arc<Self> {
        anatomy.shared_surface(Self::fit)
    }

    /// Fits the surface of a body to its skin. Segments without skin, or with one that cannot be theirs, get the usual
    /// surface of the skeleton. A card corrects both.
    fn fit(anatomy: &Anatomy) -> Self {
        let mut fields = vec![None; BodySegment::ALL.len()];
        let axes = segment_axes(anatomy);
        let mut origins = [Origin::default(); BodySegment::ALL.len()];
        let stated = anatomy.stated_surfaces;
        let is_usual =
            |axis: &SegmentAxis| stated[axis.segment.index()] == Some(StatedSurface::Usual);
        let skinned: Vec<_> = axes.iter().copied().filter(|axis| !is_usual(axis)).collect();
        for (segment, found) in fit::fit_fields(anatomy, &skinned) {
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
        let mut surface = Self { fields, origins, stated };
        surface.scale();
        surface
    }

    /// Multiplies the distances from the axes by the girths of a card.
    fn scale(&mut self) {
        let fields = self.fields.iter_mut().zip(&mut self.origins);
        for ((field, origin), stated) in fields.zip(&self.stated) {
            let (Some(field), Some(StatedSurface::Girth(girth))) = (field, stated) else {
                continue;
            };
            field.radii.iter_mut().flatten().for_each(|radius| *radius *= girth);
            field.set_bound();
            if let Origin::Skin(fit) = origin {
                fit.spread *= girth;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Hints, analyse};
    use nalgebra::Vector3;
    use rebone_samples as samples;
    use rebone_skeleton::{JointId, Skeleton, SkinPoint};

    #[test]
    fn copies_share_a_surface_and_changed_ones_have_their_own() {
        let anatomy = analyse(&samples::walk().motion, &Hints::default()).unwrap();
        let surface = Surface::of(&anatomy);
        assert!(Arc::ptr_eq(&surface, &Surface::of(&anatomy.clone())));
        let leg = anatomy.body.legs[0].lower.index();
        let change: [fn(&mut Anatomy, usize); 6] = [
            |own, leg| own.t_pose.positions[leg].y -= 0.1,
            |own, leg| own.body.legs[0].foot = JointId(leg + 2),
            |own, _| own.stature *= 1.5,
            |own, _| own.stated_surfaces[1] = Some(StatedSurface::Girth(1.5)),
            |own, _| own.skin = Arc::from([point(own)]),
            |own, _| own.skeleton = longer(&own.skeleton),
        ];
        for (k, change) in change.into_iter().enumerate() {
            let mut other = anatomy.clone();
            change(&mut other, leg);
            let found = Surface::of(&other);
            assert!(!Arc::ptr_eq(&surface, &found), "change {k} keeps the surface");
            assert_eq!(*found, Surface::fit(&other), "change {k}");
        }
        assert!(Arc::ptr_eq(&surface, &Surface::of(&anatomy)));
    }

    fn longer(skeleton: &Skeleton) -> Skeleton {
        let mut ends = skeleton.end_sites().to_vec();
        ends.iter_mut().for_each(|end| end.offset *= 2.0);
        Skeleton::new(skeleton.joints().to_vec(), ends).unwrap()
    }

    fn point(anatomy: &Anatomy) -> SkinPoint {
        let joint = anatomy.body.pelvis();
        SkinPoint { joint, offset: Vector3::zeros(), is_vertex: true }
    }
}
