//! Linear equations with a banded, symmetric, positive matrix.

/// Equations `A x = b`. Holds the upper band of `A` row by row: entry `(i, j)`, `i ≤ j < i + width`.
#[derive(Clone, Debug)]
pub(crate) struct BandedEquations {
    width: usize,
    band: Vec<f64>,
    right: Vec<f64>,
}

impl BandedEquations {
    /// Creates equations of `count` unknowns without entries; unknowns that meet are less than `width` apart.
    pub(crate) fn new(count: usize, width: usize) -> Self {
        Self { width, band: vec![0.0; count * width], right: vec![0.0; count] }
    }

    /// Adds to an entry of the matrix, row not after column.
    pub(crate) fn add(&mut self, row: usize, column: usize, value: f64) {
        self.band[row * self.width + (column - row)] += value;
    }

    /// Adds to an entry of the right-hand side.
    pub(crate) fn add_right(&mut self, row: usize, value: f64) {
        self.right[row] += value;
    }

    /// Solves by elimination in the order of the unknowns; unknowns without entries are 0.
    pub(crate) fn solve(mut self) -> Vec<f64> {
        let (width, count) = (self.width, self.right.len());
        for i in 0..count {
            let (own, below) = self.band[i * width..].split_at_mut(width);
            let inverse = if own[0] > 0.0 { 1.0 / own[0] } else { 0.0 };
            for k in 1..width.min(count - i) {
                let factor = own[k] * inverse;
                if factor == 0.0 {
                    continue;
                }
                let row = &mut below[(k - 1) * width..][..width - k];
                for (entry, own) in row.iter_mut().zip(&own[k..]) {
                    *entry -= factor * own;
                }
                self.right[i + k] -= factor * self.right[i];
            }
            own[0] = inverse;
        }
        for i in (0..count).rev() {
            let own = &self.band[i * width..][..width.min(count - i)];
            let known: f64 = own[1..].iter().zip(&self.right[i + 1..]).map(|(a, x)| a * x).sum();
            self.right[i] = (self.right[i] - known) * own[0];
        }
        self.right
    }
}
