//! Least squares over vectors that follow splines: one banded system for each axis.

use super::bspline::Knots;
use nalgebra::Vector3;
use rebone_body::math::BandedNormalEquations;

/// Rows over the vectors of each knot. Each row is about one axis, so that the axes are independent.
#[derive(Clone, Debug)]
pub(crate) struct SplineLeastSquares<'a> {
    knots: &'a Knots,
    /// Vectors per knot.
    vectors: usize,
    equations: BandedNormalEquations,
}

/// The fitted vectors, frame by frame.
#[derive(Clone, Debug)]
pub(crate) struct SplineSolution {
    vectors: usize,
    values: Vec<Vector3<f64>>,
}

/// Largest number of vectors in a row.
const MAX_VECTORS_PER_ROW: usize = 2;

impl<'a> SplineLeastSquares<'a> {
    /// Creates a problem without rows.
    pub(crate) fn new(knots: &'a Knots, vectors: usize) -> Self {
        Self {
            knots,
            vectors,
            equations: BandedNormalEquations::new(knots.count() * vectors, 4 * vectors),
        }
    }

    /// Adds a row in a frame: one axis of some vectors, in ascending order with their factors, and its right-hand
    /// side.
    pub(crate) fn push(
        &mut self,
        axis: usize,
        frame: usize,
        parts: &[(usize, f64)],
        wanted: f64,
        weight: f64,
    ) {
        let mut weights = Vector3::zeros();
        weights[axis] = weight;
        self.weigh(frame, parts, &Vector3::repeat(wanted), &weights);
    }

    /// Adds a row for all three axes.
    pub(crate) fn push_vector(
        &mut self,
        frame: usize,
        parts: &[(usize, f64)],
        wanted: &Vector3<f64>,
        weight: f64,
    ) {
        self.weigh(frame, parts, wanted, &Vector3::repeat(weight));
    }

    /// Adds a row over the coefficients of some vectors in a frame.
    fn weigh(
        &mut self,
        frame: usize,
        parts: &[(usize, f64)],
        wanted: &Vector3<f64>,
        weight: &Vector3<f64>,
    ) {
        let (first, shares) = self.knots.at(frame);
        let mut entries = [(0, 0.0); 4 * MAX_VECTORS_PER_ROW];
        let mut count = 0;
        for (k, share) in shares.iter().enumerate() {
            for (vector, factor) in parts {
                entries[count] = ((first + k) * self.vectors + vector, share * factor);
                count += 1;
            }
        }
        self.equations.row(&entries[..count], wanted, weight);
    }

    /// Adds a row that penalises the second difference of a vector's coefficients about a knot.
    pub(crate) fn smooth(&mut self, vector: usize, knot: usize, weight: f64) {
        let at = |knot: usize| knot * self.vectors + vector;
        let row = [(at(knot - 1), 1.0), (at(knot), -2.0), (at(knot + 1), 1.0)];
        self.equations.row(&row, &Vector3::zeros(), &Vector3::repeat(weight));
    }

    /// Solves for all vectors.
    pub(crate) fn solve(self) -> SplineSolution {
        let Self { knots, vectors, equations } = self;
        let x = equations.solve();
        let mut values = Vec::with_capacity(knots.frames() * vectors);
        for frame in 0..knots.frames() {
            let (first, shares) = knots.at(frame);
            let near = &x[first * vectors..][..4 * vectors];
            values.extend((0..vectors).map(|vector| {
                let own = near[vector..].iter().step_by(vectors).zip(shares);
                own.map(|(x, share)| x * *share).sum::<Vector3<f64>>()
            }));
        }
        SplineSolution { vectors, values }
    }
}

impl SplineSolution {
    /// Returns a vector in a frame.
    pub(crate) fn value(&self, frame: usize, vector: usize) -> Vector3<f64> {
        self.values[frame * self.vectors + vector]
    }
}
