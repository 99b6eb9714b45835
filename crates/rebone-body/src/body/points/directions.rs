//! Directions in which the extreme points of a mesh are taken.

use nalgebra::Vector3;

const EDGE: f64 = std::f64::consts::FRAC_1_SQRT_2;
const CORNER: f64 = 0.577_350_269_189_625_8;

/// Unit vectors to the faces, the corners and the edges of a cube, in this order.
pub(crate) const DIRECTIONS: [[f64; 3]; 26] = [
    [1.0, 0.0, 0.0],
    [-1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, -1.0, 0.0],
    [0.0, 0.0, 1.0],
    [0.0, 0.0, -1.0],
    [CORNER, CORNER, CORNER],
    [CORNER, CORNER, -CORNER],
    [CORNER, -CORNER, CORNER],
    [CORNER, -CORNER, -CORNER],
    [-CORNER, CORNER, CORNER],
    [-CORNER, CORNER, -CORNER],
    [-CORNER, -CORNER, CORNER],
    [-CORNER, -CORNER, -CORNER],
    [EDGE, EDGE, 0.0],
    [EDGE, -EDGE, 0.0],
    [-EDGE, EDGE, 0.0],
    [-EDGE, -EDGE, 0.0],
    [EDGE, 0.0, EDGE],
    [EDGE, 0.0, -EDGE],
    [-EDGE, 0.0, EDGE],
    [-EDGE, 0.0, -EDGE],
    [0.0, EDGE, EDGE],
    [0.0, EDGE, -EDGE],
    [0.0, -EDGE, EDGE],
    [0.0, -EDGE, -EDGE],
];

/// Number of faces and corners among [`DIRECTIONS`]. A vertex of a ball between these is lower by at most 1 − cos 35.3° =
/// 0.18 of its radius.
pub(crate) const FACES_AND_CORNERS: usize = 14;

/// Returns the indices of the places that are farthest along any of some directions, ascending.
pub(crate) fn extremes(places: &[Vector3<f64>], directions: &[[f64; 3]]) -> Vec<usize> {
    let mut farthest = vec![(f64::NEG_INFINITY, None); directions.len()];
    for (k, place) in places.iter().enumerate() {
        for (farthest, [x, y, z]) in farthest.iter_mut().zip(directions) {
            let reach = x * place.x + y * place.y + z * place.z;
            if reach >= farthest.0 {
                *farthest = (reach, Some(k));
            }
        }
    }
    let mut chosen: Vec<usize> = farthest.into_iter().filter_map(|(_, k)| k).collect();
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extreme_places_of_a_box_are_its_corners() {
        let corner =
            |k: usize| Vector3::from([0, 1, 2].map(|axis| f64::from(k as u32 >> axis & 1)));
        let places: Vec<Vector3<f64>> = (0..8).map(corner).chain([Vector3::repeat(0.5)]).collect();
        assert_eq!(extremes(&places, &DIRECTIONS), (0..8).collect::<Vec<_>>());
        assert!(extremes(&[], &DIRECTIONS).is_empty());
    }
}
