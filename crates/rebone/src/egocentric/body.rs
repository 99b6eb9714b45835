//! A body with its surface and its basic skeleton: the surface calibration.

use super::basic_skeleton::{BasicJoint, BasicSkeleton, JOINTS};
use super::components::Component;
use nalgebra::Vector3;
use rebone_body::body::surface::{
    ALONG, AROUND, FieldTransform, RadialField, Surface, SurfacePoint,
};
use rebone_body::body::{Anatomy, BodySegment, Limb};
use rebone_body::math::percentile;
use rebone_skeleton::WorldPose;
use std::sync::Arc;

/// Rows and columns of surface points of a field.
const ROWS: usize = 4;
const COLUMNS: usize = 8;
/// Rows of radii along the shaft of a field, without its caps.
const SHAFT: std::ops::Range<usize> = 2..7;

/// A component of the surface.
#[derive(Clone, Debug)]
pub(super) struct SurfaceComponent {
    pub(super) segment: BodySegment,
    pub(super) shape: Component,
}

impl SurfaceComponent {
    /// The joint of the basic skeleton where kinematic paths from it begin.
    pub(super) fn path_begin(&self) -> BasicJoint {
        match self.segment {
            BodySegment::Chest => BasicJoint::Girdle,
            BodySegment::Head | BodySegment::Neck => BasicJoint::Head,
            BodySegment::UpperArm(side) => BasicJoint::Shoulder(side),
            BodySegment::Forearm(side) | BodySegment::Hand(side) => BasicJoint::Elbow(side),
            BodySegment::Thigh(side) => BasicJoint::Hip(side),
            BodySegment::Shin(side) | BodySegment::Foot(side) => BasicJoint::Knee(side),
            BodySegment::Pelvis | BodySegment::Belly => BasicJoint::Hips,
        }
    }

    /// Returns whether it moves with a limb.
    pub(super) fn is_of(&self, limb: Limb) -> bool {
        match limb {
            Limb::Arm(side) => self.segment.is_of_arm(side),
            Limb::Leg(of) => {
                matches!(self.segment, BodySegment::Thigh(side) | BodySegment::Shin(side) if side == of)
            }
        }
    }
}

/// A body in a frame.
#[derive(Clone, Debug)]
pub(super) struct PosedBody {
    pub(super) joints: [Vector3<f64>; JOINTS],
    /// Transforms of its fields, in the order of [`BodySegment::ALL`].
    pub(super) fields: [Option<FieldTransform>; BodySegment::ALL.len()],
}

/// A body with the components of its surface.
#[derive(Clone, Debug)]
pub(super) struct CalibratedBody {
    surface: Arc<Surface>,
    basic: BasicSkeleton,
}

impl CalibratedBody {
    pub(super) fn new(anatomy: &Anatomy, surface: Arc<Surface>) -> Self {
        Self { surface, basic: BasicSkeleton::of(anatomy) }
    }

    /// Returns whether any part of it has a skin.
    pub(super) fn has_skin(&self) -> bool {
        self.surface.has_skin()
    }

    /// Returns whether it has a surface of a segment.
    pub(super) fn has(&self, segment: BodySegment) -> bool {
        self.surface.fields[segment.index()].is_some()
    }

    /// Returns the components of a segment's surface; none of a segment that it does not have.
    pub(super) fn components(&self, segment: BodySegment) -> Vec<SurfaceComponent> {
        let Some(field) = &self.surface.fields[segment.index()] else { return Vec::new() };
        let shapes = match segment {
            BodySegment::Pelvis => triangles(field, [1.0, 6.0]),
            BodySegment::Belly => triangles(field, [2.0, 6.0]),
            BodySegment::Chest => triangles(field, [2.0, 7.0]),
            BodySegment::Head => [triangles(field, [1.0, 7.0]), crown(field, 7.0)].concat(),
            BodySegment::UpperArm(_)
            | BodySegment::Forearm(_)
            | BodySegment::Thigh(_)
            | BodySegment::Shin(_) => vec![capsule(field)],
            BodySegment::Neck | BodySegment::Hand(_) | BodySegment::Foot(_) => Vec::new(),
        };
        shapes.into_iter().map(|shape| SurfaceComponent { segment, shape }).collect()
    }

    /// Returns where joints and fields are in a pose of the inner world.
    pub(super) fn pose(&self, world: &WorldPose) -> PosedBody {
        PosedBody { joints: self.basic.positions(world), fields: self.surface.transforms(world) }
    }
}

/// Returns the triangles between points of a field in rows between two, which count rows of radii.
fn triangles(field: &RadialField, [first, last]: [f64; 2]) -> Vec<Component> {
    let step = (last - first) / (ROWS - 1) as f64;
    let cells = (0..ROWS - 1).flat_map(|row| (0..COLUMNS).map(move |column| (row, column)));
    let quad = |(row, column): (usize, usize)| {
        let at = |row: usize, column: usize| corner(field, first + step * row as f64, column);
        let [low, high] = [row, row + 1].map(|row| [at(row, column), at(row, column + 1)]);
        [[low[0], high[0], low[1]], [low[1], high[0], high[1]]].map(Component::Triangle)
    };
    cells.flat_map(quad).collect()
}

/// Returns the triangles between a row of points and the high end of a field.
fn crown(field: &RadialField, row: f64) -> Vec<Component> {
    let top = corner(field, (ALONG - 1) as f64, 0);
    let at = |column: usize| corner(field, row, column);
    (0..COLUMNS).map(|k| Component::Triangle([at(k), top, at(k + 1)])).collect()
}

fn corner(field: &RadialField, along: f64, column: usize) -> Vector3<f64> {
    let around = (column % COLUMNS * (AROUND / COLUMNS)) as f64;
    field.place(SurfacePoint { along, around }, 0.0)
}

/// Returns the capsule around the axis of a field.
fn capsule(field: &RadialField) -> Component {
    let radii = field.radii[SHAFT].concat();
    Component::Capsule { length: field.length, radius: percentile(radii, 0.5) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Hints, analyse};
    use rebone_body::body::Side;
    use rebone_samples as samples;

    fn body() -> CalibratedBody {
        let anatomy = analyse(&samples::walk().motion, &Hints::default()).unwrap();
        CalibratedBody::new(&anatomy, Surface::of(&anatomy))
    }

    #[test]
    fn triangles_face_outwards() {
        let body = body();
        for segment in
            [BodySegment::Pelvis, BodySegment::Belly, BodySegment::Chest, BodySegment::Head]
        {
            let field = body.surface.fields[segment.index()].clone().unwrap();
            let components = body.components(segment);
            assert_eq!(components.len(), if segment == BodySegment::Head { 56 } else { 48 });
            for component in components {
                let Component::Triangle(corners) = component.shape else { panic!("{component:?}") };
                let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
                let seen = component.shape.reference(&middle);
                let (place, normal) = component.shape.point(seen);
                assert!((place - middle).norm() < 1e-12);
                let foot = Vector3::y() * middle.y.clamp(0.0, field.length);
                assert!(normal.dot(&(middle - foot)) > 0.0, "{segment:?} {corners:?}");
            }
        }
    }

    #[test]
    fn a_limb_is_a_capsule_of_its_length_and_girth() {
        let [component] = &body().components(BodySegment::Forearm(Side::Left))[..] else {
            panic!()
        };
        let Component::Capsule { length, radius } = component.shape else {
            panic!("{component:?}")
        };
        assert!((0.2..0.32).contains(&length) && (0.03..0.05).contains(&radius), "{component:?}");
        assert!(component.is_of(Limb::Arm(Side::Left)) && !component.is_of(Limb::Arm(Side::Right)));
    }
}
