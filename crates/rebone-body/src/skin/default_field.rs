//! Surfaces of segments whose skin is not known, from joints alone.

use super::layout::{SegmentAxis, trunk_top};
use crate::body::surface::{ALONG, AROUND, RadialField, Radii, SurfacePoint};
use crate::body::{Anatomy, BodySegment, Side};
use nalgebra::Vector3;

/// Smallest and largest breadth of a body, metres of a 1.7 m body. Skeletons of people have 0.33 to 0.46, of toys up to 0.7.
const BREADTH_METRES: [f64; 2] = [0.25, 0.7];
/// Rows of a field that the table has; those between are their means.
const ROW_STEP: usize = 2;
/// The row in the middle of the axis.
const MIDDLE_ROW: f64 = 4.0;

/// The usual surface of a segment.
struct UsualShape {
    /// Ends of the axis: shares of the breadth for the head, whose height joints do not tell, of the segment's length for others.
    ends: [f64; 2],
    /// Distance of the axis ahead of the joints, of a foot below them, as a share of the breadth.
    offset: f64,
    /// Radii in shares of the breadth: of the pole at the low end, in three rows along the axis, and of the pole at the high end.
    /// Those of a row are along +X, +Z, −X and −Z.
    low: f64,
    rows: [[f64; 4]; 3],
    high: f64,
}

// Usual shapes of the segments of the left side and the trunk: means over the skins of 8 rigs of human proportions, with their
// clothes. Over 13 skins, mean radii of a segment of trunk or legs differ from these by 1 to 3 cm, of arms by 1.
const PELVIS: UsualShape = UsualShape {
    ends: [0.0, 1.0],
    offset: -0.01,
    low: 0.24,
    rows: [[0.34, 0.3, 0.34, 0.31], [0.38, 0.3, 0.38, 0.29], [0.31, 0.29, 0.31, 0.23]],
    high: 0.20,
};
const BELLY: UsualShape = UsualShape {
    ends: [0.0, 1.0],
    offset: 0.01,
    low: 0.27,
    rows: [[0.31, 0.28, 0.31, 0.26], [0.29, 0.27, 0.29, 0.25], [0.34, 0.29, 0.34, 0.31]],
    high: 0.28,
};
const CHEST: UsualShape = UsualShape {
    ends: [0.0, 1.0],
    offset: -0.02,
    low: 0.22,
    rows: [[0.33, 0.32, 0.33, 0.27], [0.4, 0.32, 0.4, 0.33], [0.44, 0.18, 0.44, 0.34]],
    high: 0.21,
};
const NECK: UsualShape = UsualShape {
    ends: [0.0, 1.0],
    offset: -0.01,
    low: 0.10,
    rows: [[0.15, 0.12, 0.15, 0.12], [0.14, 0.13, 0.14, 0.14], [0.1, 0.11, 0.1, 0.12]],
    high: 0.08,
};
const HEAD: UsualShape = UsualShape {
    ends: [0.16, 0.32],
    offset: 0.02,
    low: 0.29,
    rows: [[0.21, 0.25, 0.21, 0.27], [0.21, 0.25, 0.21, 0.27], [0.21, 0.25, 0.21, 0.27]],
    high: 0.22,
};
const UPPER_ARM: UsualShape = UsualShape {
    ends: [0.0, 1.0],
    offset: 0.0,
    low: 0.12,
    rows: [[0.15, 0.15, 0.13, 0.14], [0.13, 0.13, 0.11, 0.14], [0.11, 0.12, 0.09, 0.11]],
    high: 0.08,
};
const FOREARM: UsualShape = UsualShape {
    ends: [0.0, 1.0],
    offset: 0.0,
    low: 0.09,
    rows: [[0.11, 0.11, 0.1, 0.11], [0.1, 0.1, 0.1, 0.12], [0.07, 0.08, 0.07, 0.08]],
    high: 0.05,
};
const HAND: UsualShape = UsualShape {
    ends: [0.0, 0.86],
    offset: 0.0,
    low: 0.08,
    rows: [[0.07, 0.09, 0.08, 0.08], [0.05, 0.1, 0.04, 0.1], [0.03, 0.09, 0.03, 0.08]],
    high: 0.06,
};
const THIGH: UsualShape = UsualShape {
    ends: [0.0, 1.0],
    offset: 0.0,
    low: 0.20,
    rows: [[0.21, 0.25, 0.24, 0.22], [0.21, 0.22, 0.18, 0.25], [0.13, 0.14, 0.14, 0.16]],
    high: 0.10,
};
const SHIN: UsualShape = UsualShape {
    ends: [0.0, 1.0],
    offset: 0.0,
    low: 0.14,
    rows: [[0.14, 0.16, 0.12, 0.15], [0.13, 0.23, 0.12, 0.1], [0.09, 0.12, 0.09, 0.13]],
    high: 0.08,
};
const FOOT: UsualShape = UsualShape {
    ends: [-0.06, 0.79],
    offset: 0.09,
    low: 0.10,
    rows: [[0.09, 0.17, 0.1, 0.19], [0.12, 0.16, 0.12, 0.14], [0.1, 0.18, 0.11, 0.02]],
    high: 0.07,
};

/// Returns the usual shape of a segment.
fn usual_shape(segment: BodySegment) -> &'static UsualShape {
    match segment {
        BodySegment::Pelvis => &PELVIS,
        BodySegment::Belly => &BELLY,
        BodySegment::Chest => &CHEST,
        BodySegment::Neck => &NECK,
        BodySegment::Head => &HEAD,
        BodySegment::UpperArm(_) => &UPPER_ARM,
        BodySegment::Forearm(_) => &FOREARM,
        BodySegment::Hand(_) => &HAND,
        BodySegment::Thigh(_) => &THIGH,
        BodySegment::Shin(_) => &SHIN,
        BodySegment::Foot(_) => &FOOT,
    }
}

/// Returns the usual surface of a segment, by the breadth of the body and the length of the segment.
pub(super) fn default_field(anatomy: &Anatomy, axis: &SegmentAxis) -> RadialField {
    let breadth = breadth(anatomy);
    let shape = usual_shape(axis.segment);
    let unit = if axis.segment == BodySegment::Head { breadth } else { axis.length };
    let [low, high] = shape.ends.map(|end| end * unit);
    let foot = Vector3::new(0.0, low, shape.offset * breadth);
    let mut field = axis.field(anatomy, foot, high - low);
    field.radii = radii(&field, shape, breadth, is_right(axis.segment));
    field.set_bound();
    field
}

/// Returns the mean of shoulder width and trunk length by their product, metres. Over skins it tells radii better than either, or
/// than lengths of limbs.
#[doc(hidden)]
pub fn breadth(anatomy: &Anatomy) -> f64 {
    let [left, right] = anatomy.shoulders().map(|joint| anatomy.place(joint));
    let trunk = trunk_top(anatomy) - anatomy.middle(anatomy.hips()).y;
    let [least, most] = BREADTH_METRES;
    ((left - right).norm() * trunk.max(0.0)).sqrt().clamp(least, most)
}

fn is_right(segment: BodySegment) -> bool {
    match segment {
        BodySegment::UpperArm(side)
        | BodySegment::Forearm(side)
        | BodySegment::Hand(side)
        | BodySegment::Thigh(side)
        | BodySegment::Shin(side)
        | BodySegment::Foot(side) => side == Side::Right,
        _ => false,
    }
}

/// Returns the radii of a shape: ellipses around the axis, by quadrants.
fn radii(field: &RadialField, shape: &UsualShape, breadth: f64, is_mirrored: bool) -> Radii {
    let [a, b, c] = shape.rows;
    let rows = [[shape.low; 4], a, b, c, [shape.high; 4]];
    let mut radii = [[0.0; AROUND]; ALONG];
    for (k, [mut right, ahead, mut left, behind]) in rows.into_iter().enumerate() {
        if is_mirrored {
            std::mem::swap(&mut right, &mut left);
        }
        for (column, radius) in radii[k * ROW_STEP].iter_mut().enumerate() {
            let point = SurfacePoint { along: MIDDLE_ROW, around: column as f64 };
            let (_, across) = field.ray(point);
            let x = across.x / if across.x >= 0.0 { right } else { left };
            let z = across.z / if across.z >= 0.0 { ahead } else { behind };
            *radius = breadth / (x * x + z * z).sqrt();
        }
    }
    for row in (1..ALONG).step_by(ROW_STEP) {
        radii[row] = std::array::from_fn(|k| (radii[row - 1][k] + radii[row + 1][k]) / 2.0);
    }
    radii
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::surface::Surface;
    use crate::{Hints, analyse};
    use rebone_samples as samples;
    use std::sync::Arc;

    fn surface() -> Arc<Surface> {
        Surface::of(&analyse(&samples::walk().motion, &Hints::default()).unwrap())
    }

    fn field(surface: &Surface, segment: BodySegment) -> &RadialField {
        surface.fields[segment.index()].as_ref().unwrap()
    }

    #[test]
    fn a_skeleton_has_the_surface_of_a_person() {
        let surface = surface();
        assert!(!surface.has_skin());
        let [right, ahead, left, behind] = [0, 4, 8, 12];
        for (segment, width, depth) in [
            (BodySegment::Pelvis, 0.26..0.40, 0.20..0.32),
            (BodySegment::Belly, 0.20..0.34, 0.18..0.30),
            (BodySegment::Head, 0.14..0.22, 0.17..0.26),
            (BodySegment::Forearm(Side::Left), 0.06..0.11, 0.06..0.11),
            (BodySegment::Hand(Side::Right), 0.02..0.05, 0.06..0.10),
            (BodySegment::Thigh(Side::Right), 0.13..0.20, 0.15..0.22),
        ] {
            let row = field(&surface, segment).radii[4];
            let across = [row[right] + row[left], row[ahead] + row[behind]];
            assert!(width.contains(&across[0]), "{segment:?} is {} wide", across[0]);
            assert!(depth.contains(&across[1]), "{segment:?} is {} deep", across[1]);
        }
    }

    #[test]
    fn both_sides_are_alike() {
        let surface = surface();
        let arms = Side::BOTH.map(|side| field(&surface, BodySegment::UpperArm(side)));
        for row in 0..ALONG {
            for column in 0..AROUND {
                let mirrored = (AROUND + AROUND / 2 - column) % AROUND;
                let off = arms[0].radii[row][column] - arms[1].radii[row][mirrored];
                assert!(off.abs() < 1e-3, "row {row}, column {column}: {off}");
            }
        }
    }
}
