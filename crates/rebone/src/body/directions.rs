//! Directions in which the extreme points of a mesh are taken.

const EDGE: f64 = std::f64::consts::FRAC_1_SQRT_2;
const CORNER: f64 = 0.577_350_269_189_625_8;

/// Unit vectors to the faces, the corners and the edges of a cube, in this order.
pub(super) const DIRECTIONS: [[f64; 3]; 26] = [
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
pub(super) const FACES_AND_CORNERS: usize = 14;
