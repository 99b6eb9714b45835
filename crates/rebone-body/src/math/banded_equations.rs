//! Linear equations with a banded, symmetric, positive matrix.

/// Rows that are taken off another at once: its entries are read and written once for all of them.
const AT_ONCE: usize = 4;

/// Equations `A x = b`. Holds the upper band of `A` row by row: entry `(i, j)`, `i ≤ j < i + width`, and zeros behind, so that
/// rows taken at once end in one column.
#[derive(Clone, Debug)]
pub struct BandedEquations {
    width: usize,
    stride: usize,
    band: Vec<f64>,
    right: Vec<f64>,
}

impl BandedEquations {
    /// Creates equations of `count` unknowns without entries; unknowns that meet are less than `width` apart.
    pub fn new(count: usize, width: usize) -> Self {
        let stride = width + AT_ONCE - 1;
        Self { width, stride, band: vec![0.0; count * stride], right: vec![0.0; count] }
    }

    /// Adds to an entry of the matrix, row not after column.
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        self.band[row * self.stride + (column - row)] += value;
    }

    /// Adds values times a factor to entries side by side in a row of the matrix, the first in a column not before it.
    pub fn add_row(&mut self, row: usize, column: usize, values: &[f64], factor: f64) {
        let entries = &mut self.band[row * self.stride + (column - row)..][..values.len()];
        entries.iter_mut().zip(values).for_each(|(entry, value)| *entry += factor * value);
    }

    /// Adds to an entry of the right-hand side.
    pub fn add_right(&mut self, row: usize, value: f64) {
        self.right[row] += value;
    }

    /// Solves by elimination in the order of the unknowns; unknowns without entries are 0.
    pub fn solve(mut self) -> Vec<f64> {
        let (width, stride, count) = (self.width, self.stride, self.right.len());
        let most = (width - 1).next_multiple_of(AT_ONCE);
        for i in 0..count {
            let (above, own) = self.band.split_at_mut(i * stride);
            let (solved, right) = self.right.split_at_mut(i);
            let (own, right) = (&mut own[..width], &mut right[0]);
            let mut k = i.saturating_sub(most);
            while k + AT_ONCE <= i {
                let factors = subtract(own, &above[k * stride..], i - k);
                for (factor, solved) in factors.iter().zip(&solved[k..]) {
                    *right -= factor * solved;
                }
                k += AT_ONCE;
            }
            for k in k..i {
                let row = &above[k * stride..][..stride];
                let factor = row[i - k] * row[0];
                own.iter_mut().zip(&row[i - k..]).for_each(|(own, x)| *own -= factor * x);
                *right -= factor * solved[k];
            }
            own[0] = if own[0] > 0.0 { 1.0 / own[0] } else { 0.0 };
        }
        for i in (0..count).rev() {
            let own = &self.band[i * stride..][..width.min(count - i)];
            let known: f64 = own[1..].iter().zip(&self.right[i + 1..]).map(|(a, x)| a * x).sum();
            self.right[i] = (self.right[i] - known) * own[0];
        }
        self.right
    }
}

/// Subtracts the multiples of rows above that clear the first entry of a row, the first of them `off` rows above. Their first
/// entries are the inverses of the diagonal. Returns the factors.
fn subtract(own: &mut [f64], above: &[f64], off: usize) -> [f64; AT_ONCE] {
    let stride = own.len() + AT_ONCE - 1;
    let (x, y, z, w) =
        (above, &above[stride..], &above[2 * stride..], &above[3 * stride..4 * stride]);
    let count = own.len().min(stride - off);
    let own = &mut own[..count];
    let factors @ [a, b, c, d] =
        [x[off] * x[0], y[off - 1] * y[0], z[off - 2] * z[0], w[off - 3] * w[0]];
    let (x, y) = (&x[off..][..count], &y[off - 1..][..count]);
    let (z, w) = (&z[off - 2..][..count], &w[off - 3..][..count]);
    for (k, own) in own.iter_mut().enumerate() {
        *own = *own - a * x[k] - b * y[k] - c * z[k] - d * w[k];
    }
    factors
}
