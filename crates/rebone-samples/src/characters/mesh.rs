//! Closed pieces of a mesh: surfaces of distance fields, and lofts through rings of points.

use super::field::V;

/// Colour, sRGB.
pub(super) type Colour = [u8; 3];

/// A closed piece of one colour, in the T-pose, cm.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) points: Vec<V>,
    pub(super) normals: Vec<V>,
    pub(super) triangles: Vec<[usize; 3]>,
    pub(super) colour: Colour,
    /// Side (+1 left, −1 right) and number of the finger that moves the piece.
    pub(super) finger: Option<(f64, usize)>,
    /// Whether the head alone moves the piece.
    pub(super) rigid: bool,
    /// Whether arms and legs do not move the piece, as near as it may be to them: a big head.
    pub(super) limbless: bool,
}

impl Piece {
    fn new(points: Vec<V>, triangles: Vec<[usize; 3]>, colour: Colour) -> Self {
        let mut normals = vec![V::zeros(); points.len()];
        for &[a, b, c] in &triangles {
            let normal = (points[b] - points[a]).cross(&(points[c] - points[a]));
            for corner in [a, b, c] {
                normals[corner] += normal;
            }
        }
        let normals = normals.into_iter().map(unit).collect();
        Self { points, normals, triangles, colour, finger: None, rigid: false, limbless: false }
    }

    /// The piece on the other side of the body.
    pub(super) fn mirrored(&self) -> Self {
        let flip = |v: &V| V::new(-v.x, v.y, v.z);
        Self {
            points: self.points.iter().map(flip).collect(),
            normals: self.normals.iter().map(flip).collect(),
            triangles: self.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect(),
            finger: self.finger.map(|(side, finger)| (-side, finger)),
            ..self.clone()
        }
    }

    /// A piece that follows the head alone.
    pub(super) fn on_head(self) -> Self {
        Self { rigid: true, ..self }
    }

    /// A tube through rings of equal size, each counterclockwise as seen from the end; closed at both ends.
    pub(super) fn loft(rings: &[Vec<V>], colour: Colour) -> Self {
        let n = rings[0].len();
        let middle = |ring: &[V]| ring.iter().sum::<V>() / n as f64;
        let mut points: Vec<V> = rings.iter().flatten().copied().collect();
        let (first, last) = (points.len(), points.len() + 1);
        points.push(middle(&rings[0]));
        points.push(middle(&rings[rings.len() - 1]));
        let mut triangles = Vec::new();
        for k in 0..n {
            let next = (k + 1) % n;
            triangles.push([first, next, k]);
            let end = (rings.len() - 1) * n;
            triangles.push([last, end + k, end + next]);
            for ring in 0..rings.len() - 1 {
                let (low, high) = (ring * n, ring * n + n);
                triangles.push([low + k, low + next, high + next]);
                triangles.push([low + k, high + next, high + k]);
            }
        }
        Self::new(points, triangles, colour)
    }

    /// An ellipsoid turned about nothing, of `n` meridians.
    pub(super) fn ball(centre: V, radii: V, n: usize, colour: Colour) -> Self {
        let rows = n / 2 + 1;
        let rings: Vec<Vec<V>> = (1..rows)
            .map(|row| {
                let (s, c) = libm::sincos(std::f64::consts::PI * row as f64 / rows as f64);
                ring(n, |a, b| centre + radii.component_mul(&V::new(a * s, b * s, -c)))
            })
            .collect();
        let mut piece = Self::loft(&rings, colour);
        let count = piece.points.len();
        piece.points[count - 2] = centre - V::new(0.0, 0.0, radii.z);
        piece.points[count - 1] = centre + V::new(0.0, 0.0, radii.z);
        Self::new(piece.points, piece.triangles, colour)
    }
}

/// Points around a circle, from cosine and sine.
pub(super) fn ring(n: usize, point: impl Fn(f64, f64) -> V) -> Vec<V> {
    (0..n)
        .map(|k| {
            let (s, c) = libm::sincos(std::f64::consts::TAU * k as f64 / n as f64);
            point(c, s)
        })
        .collect()
}

/// A vector of length 1, or up where there is none.
pub(super) fn unit(v: V) -> V {
    v.try_normalize(1e-12).unwrap_or_else(V::y)
}

/// The box that a surface is looked for in, and the size of cells.
pub(super) struct Grid {
    pub(super) low: V,
    pub(super) high: V,
    pub(super) cell: V,
    /// How many times as long cells are below and behind the origin.
    pub(super) coarse: f64,
}

/// The surface of a distance field by surface nets, its points moved onto the surface.
///
/// Gibson, "Constrained Elastic Surface Nets" (1998): a point in each cell that the surface goes
/// through (for each part inside), a quad around each edge that it crosses.
pub(super) fn surface(grid: &Grid, field: impl Fn(V) -> f64, colour: Colour) -> Piece {
    let samples = Samples::of(grid, &field);
    let (mut points, cells) = samples.points(grid);
    let triangles = samples.triangles(&points, &cells);
    settle(&mut points, 0.45 * grid.cell.min(), &field);
    let normals = points.iter().map(|&p| slope(p, &field)).map(unit).collect();
    Piece { points, normals, triangles, colour, finger: None, rigid: false, limbless: false }
}

impl Grid {
    fn place(&self, [x, y, z]: [usize; 3]) -> V {
        let p = self.low + self.cell.component_mul(&V::new(x as f64, y as f64, z as f64));
        let stretched = |x: f64| if x < 0.0 { x * self.coarse } else { x };
        V::new(p.x, stretched(p.y), stretched(p.z))
    }
}

/// Distances at the corners of cells.
struct Samples {
    count: [usize; 3],
    values: Vec<f64>,
}

impl Samples {
    fn of(grid: &Grid, field: &impl Fn(V) -> f64) -> Self {
        let span = (grid.high - grid.low).component_div(&grid.cell);
        let count = [span.x, span.y, span.z].map(|n| n.ceil() as usize + 1);
        let corners = corners([0; 3], count);
        Self { count, values: corners.map(|corner| field(grid.place(corner))).collect() }
    }

    fn at(&self, [x, y, z]: [usize; 3]) -> usize {
        (z * self.count[1] + y) * self.count[0] + x
    }

    /// Points of the cells, and for each cell and corner inside the number of its point.
    fn points(&self, grid: &Grid) -> (Vec<V>, Vec<[usize; 8]>) {
        let mut cells = vec![[usize::MAX; 8]; self.values.len()];
        let mut points = Vec::new();
        for cell in corners([0; 3], self.count.map(|n| n - 1)) {
            let corner = |k: usize| [cell[0] + (k & 1), cell[1] + (k >> 1 & 1), cell[2] + (k >> 2)];
            let values: [f64; 8] = std::array::from_fn(|k| self.values[self.at(corner(k))]);
            let part = parts(values.map(|value| value < 0.0));
            for first in (0..8).filter(|&k| part[k] == k) {
                let (mut sum, mut count) = (V::zeros(), 0);
                for (a, b) in EDGES {
                    let own = if values[a] < 0.0 { part[a] } else { part[b] } == first;
                    if own && (values[a] < 0.0) != (values[b] < 0.0) {
                        let [from, to] = [a, b].map(|k| grid.place(corner(k)));
                        sum += from + (to - from) * (values[a] / (values[a] - values[b]));
                        count += 1;
                    }
                }
                for k in (0..8).filter(|&k| count > 0 && part[k] == first) {
                    cells[self.at(cell)][k] = points.len();
                }
                if count > 0 {
                    points.push(sum / f64::from(count));
                }
            }
        }
        (points, cells)
    }

    fn triangles(&self, points: &[V], cells: &[[usize; 8]]) -> Vec<[usize; 3]> {
        let mut triangles = Vec::new();
        let steps = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map(|step| self.at(step));
        for corner in corners([1; 3], self.count.map(|n| n - 1)) {
            let here = self.at(corner);
            for axis in 0..3 {
                let inside = self.values[here] < 0.0;
                if inside == (self.values[here + steps[axis]] < 0.0) {
                    continue;
                }
                let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                let (bu, bv) = (1 << u, 1 << v);
                let own = if inside { 0 } else { 1 << axis };
                let around =
                    [(steps[u] + steps[v], bu | bv), (steps[v], bv), (0, 0), (steps[u], bu)];
                let mut quad = around.map(|(back, corner)| cells[here - back][own | corner]);
                if !inside {
                    quad.reverse();
                }
                split(quad, points, &mut triangles);
            }
        }
        triangles
    }
}

/// Triples of numbers from `low` to before `high`, the first fastest.
fn corners(low: [usize; 3], high: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
    let plane =
        move |z| (low[1]..high[1]).flat_map(move |y| (low[0]..high[0]).map(move |x| [x, y, z]));
    (low[2]..high[2]).flat_map(plane)
}

/// Corners at the ends of a cube's edges.
const EDGES: [(usize, usize); 12] = [
    (0, 1),
    (2, 3),
    (4, 5),
    (6, 7),
    (0, 2),
    (1, 3),
    (4, 6),
    (5, 7),
    (0, 4),
    (1, 5),
    (2, 6),
    (3, 7),
];

/// The first of the corners inside that edges of the cube join each corner with; 8 for those outside.
fn parts(inside: [bool; 8]) -> [usize; 8] {
    let mut part = std::array::from_fn(|k| if inside[k] { k } else { 8 });
    for _ in 0..7 {
        for (a, b) in EDGES {
            if inside[a] && inside[b] {
                let first = part[a].min(part[b]);
                (part[a], part[b]) = (first, first);
            }
        }
    }
    part
}

/// Cuts a quad along its shorter diagonal.
fn split([a, b, c, d]: [usize; 4], points: &[V], triangles: &mut Vec<[usize; 3]>) {
    let length = |i: usize, j: usize| (points[i] - points[j]).norm_squared();
    if length(a, c) <= length(b, d) {
        triangles.extend([[a, b, c], [a, c, d]]);
    } else {
        triangles.extend([[b, c, d], [b, d, a]]);
    }
}

/// Moves points onto the surface, by Newton steps of at most `reach`.
fn settle(points: &mut [V], reach: f64, field: &impl Fn(V) -> f64) {
    for point in points {
        for _ in 0..3 {
            let slope = slope(*point, field);
            let step = slope * (field(*point) / slope.norm_squared().max(0.04));
            *point -= step * (reach / step.norm().max(reach));
        }
    }
}

fn slope(p: V, field: &impl Fn(V) -> f64) -> V {
    const STEP: f64 = 0.04;
    let along = |d: V| (field(p + d) - field(p - d)) / (2.0 * STEP);
    V::new(
        along(V::new(STEP, 0.0, 0.0)),
        along(V::new(0.0, STEP, 0.0)),
        along(V::new(0.0, 0.0, STEP)),
    )
}
