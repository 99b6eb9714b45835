//! Rows over vectors that move along splines: one band matrix for each axis of the floor.

use super::bands::Bands;
use super::spline::Knots;
use nalgebra::Vector3;

/// Rows over some vectors of each knot. They name one axis each, so that the axes are solved apart.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    knots: Knots,
    /// Vectors a knot.
    vectors: usize,
    axes: [Bands; 3],
}

/// The vectors that rows came to.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    knots: Knots,
    vectors: usize,
    axes: [Vec<f64>; 3],
}

/// Most vectors that one row names.
const NAMED: usize = 2;

impl Rows {
    /// No rows yet.
    pub(super) fn new(knots: Knots, vectors: usize) -> Self {
        let axis = || Bands::new(knots.count() * vectors, 4 * vectors);
        Self { knots, vectors, axes: [axis(), axis(), axis()] }
    }

    /// Adds a row in a frame: what an axis of some vectors, in rising order with their factors, should come to.
    pub(super) fn push(
        &mut self,
        axis: usize,
        frame: usize,
        parts: &[(usize, f64)],
        wanted: f64,
        weight: f64,
    ) {
        let (entries, count) = self.entries(frame, parts);
        self.axes[axis].row(&entries[..count], wanted, weight);
    }

    /// Adds the same row for all three axes.
    pub(super) fn push_vector(
        &mut self,
        frame: usize,
        parts: &[(usize, f64)],
        wanted: &Vector3<f64>,
        weight: f64,
    ) {
        let (entries, count) = self.entries(frame, parts);
        for (axis, wanted) in self.axes.iter_mut().zip(wanted.iter()) {
            axis.row(&entries[..count], *wanted, weight);
        }
    }

    /// The unknowns that some vectors are made of in a frame, with their factors, and how many there are.
    fn entries(&self, frame: usize, parts: &[(usize, f64)]) -> ([(usize, f64); 4 * NAMED], usize) {
        let (first, shares) = self.knots.at(frame);
        let mut entries = [(0, 0.0); 4 * NAMED];
        let mut count = 0;
        for (k, share) in shares.iter().enumerate() {
            for (vector, factor) in parts {
                entries[count] = ((first + k) * self.vectors + vector, share * factor);
                count += 1;
            }
        }
        (entries, count)
    }

    /// Adds rows that hold the second difference of a vector's coefficients about a knot small.
    pub(super) fn smooth(&mut self, vector: usize, knot: usize, weight: f64) {
        let at = |knot: usize| knot * self.vectors + vector;
        let row = [(at(knot - 1), 1.0), (at(knot), -2.0), (at(knot + 1), 1.0)];
        self.axes.iter_mut().for_each(|bands| bands.row(&row, 0.0, weight));
    }

    /// Solves for all vectors.
    pub(super) fn solve(self) -> Answer {
        let Self { knots, vectors, axes } = self;
        Answer { knots, vectors, axes: axes.map(Bands::solve) }
    }
}

impl Answer {
    /// A vector in a frame.
    pub(super) fn value(&self, frame: usize, vector: usize) -> Vector3<f64> {
        let (first, shares) = self.knots.at(frame);
        let axis = |x: &Vec<f64>| {
            let at = first * self.vectors + vector;
            shares.iter().zip(x[at..].iter().step_by(self.vectors)).map(|(a, b)| a * b).sum()
        };
        Vector3::from(self.axes.each_ref().map(axis))
    }
}
