//! Small dense linear algebra without allocation after warm-up.
//!
//! Matrices in products are rows of [`Block`]s, so that the hot loops are over whole SIMD registers.

/// Four columns of a row; columns after the last of a matrix are 0.
pub(crate) type Block = [f64; 4];

/// Number of blocks in a row of n columns.
pub(crate) fn blocks(n: usize) -> usize {
    n.div_ceil(4)
}

/// Computes `aᵀ b`.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    // Four independent sums vectorise; the compiler must not reorder a single one.
    let mut sums = [0.0; 4];
    let (a4, b4) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = a4.remainder().iter().zip(b4.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in a4.zip(b4) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += a * b;
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

/// `y ← y + factor · x`.
pub(crate) fn add_scaled(y: &mut [f64], factor: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += factor * x;
    }
}

/// Greatest absolute value.
pub(crate) fn max_abs(x: impl IntoIterator<Item = f64>) -> f64 {
    x.into_iter().fold(0.0, |greatest, x| if x.abs() > greatest { x.abs() } else { greatest })
}

/// Clears `list` and reserves `count` elements.
pub(crate) fn reserve<T>(list: &mut Vec<T>, count: usize) {
    list.clear();
    list.reserve(count);
}

/// `y ← y + factor · x`.
fn add_blocks(y: &mut [Block], factor: f64, x: &[Block]) {
    for (y, x) in y.iter_mut().zip(x) {
        for (y, x) in y.iter_mut().zip(x) {
            *y += factor * x;
        }
    }
}

/// Computes `JᵀJ` (n, n), both triangles, of `J` (m, n).
pub(crate) fn gram(j: &[Block], n: usize, out: &mut [Block]) {
    let width = blocks(n);
    for k in 0..width {
        for l in k..width {
            let tile = tile(j, width, k, l);
            for (i, row) in tile.into_iter().enumerate().take(n - 4 * k) {
                out[(4 * k + i) * width + l] = row;
            }
            for i in 0..(n - 4 * l).min(4) {
                out[(4 * l + i) * width + k] = tile.map(|row| row[i]);
            }
        }
    }
}

/// Computes `Σ aᵀ b` over the rows of a matrix with `width` blocks in a row, `a` block `k`, `b` block `l`.
fn tile(rows: &[Block], width: usize, k: usize, l: usize) -> [Block; 4] {
    let mut sums = [[0.0; 4]; 4];
    for row in rows.chunks_exact(width) {
        let (a, b) = (row[k], row[l]);
        for (sums, a) in sums.iter_mut().zip(a) {
            for (sum, b) in sums.iter_mut().zip(b) {
                *sum += a * b;
            }
        }
    }
    sums
}

/// Fills the lower triangle of `a` (n, n) from the upper one.
pub(crate) fn mirror_upper(a: &mut [Block], n: usize) {
    let a = a.as_flattened_mut();
    let width = 4 * blocks(n);
    for k in 0..n {
        for l in 0..k {
            a[k * width + l] = a[l * width + k];
        }
    }
}

/// Fills `out` (f, f) with the rows and columns of `a` (n, n) in `choice`, of f indices.
pub(crate) fn submatrix(a: &[Block], n: usize, choice: &[usize], out: &mut Vec<Block>) {
    out.clear();
    if choice.len() == n {
        return out.extend_from_slice(a);
    }
    for &k in choice {
        let row = a[k * blocks(n)..(k + 1) * blocks(n)].as_flattened();
        let value = |l: usize| choice.get(l).map_or(0.0, |&l| row[l]);
        out.extend(
            (0..blocks(choice.len())).map(|block| [0, 1, 2, 3].map(|l| value(4 * block + l))),
        );
    }
}

/// Replaces the upper triangle of `a` (n, n) by `U` with `Uᵀ U = a`; the lower is neither
/// read nor kept.
///
/// Returns the least and the greatest pivot (squares of U's diagonal); `None` when a pivot is not
/// positive.
pub(crate) fn cholesky(a: &mut [Block], n: usize) -> Option<(f64, f64)> {
    let width = blocks(n);
    let (mut least, mut greatest) = (f64::INFINITY, 0.0_f64);
    for first in 0..width {
        let (done, rows) = a.split_at_mut(4 * first * width);
        let rows = &mut rows[..(n - 4 * first).min(4) * width];
        for block in first..width {
            let tile = tile(done, width, first, block);
            for (row, tile) in rows.chunks_exact_mut(width).zip(&tile) {
                add_blocks(&mut row[block..=block], -1.0, &[*tile]);
            }
        }
        for k in 0..rows.len() / width {
            let (earlier, row) = rows.split_at_mut(k * width);
            let row = &mut row[first..width];
            for earlier in earlier.chunks_exact(width) {
                add_blocks(row, -earlier[first][k], &earlier[first..]);
            }
            let pivot = row[0][k];
            if pivot.is_nan() || pivot <= 0.0 {
                return None;
            }
            (least, greatest) = (least.min(pivot), greatest.max(pivot));
            let factor = 1.0 / pivot.sqrt();
            row.iter_mut().flatten().for_each(|value| *value *= factor);
        }
    }
    Some((least, greatest))
}

/// Solves `Uᵀ U x = b` in place, `U` from [`cholesky`].
pub(crate) fn cholesky_solve(u: &[Block], b: &mut [f64]) {
    let n = b.len();
    let row = |k: usize| &u[k * blocks(n)..(k + 1) * blocks(n)].as_flattened()[k..n];
    for k in 0..n {
        let value = b[k] / row(k)[0];
        b[k] = value;
        add_scaled(&mut b[k + 1..], -value, &row(k)[1..]);
    }
    for k in (0..n).rev() {
        b[k] = (b[k] - dot(&row(k)[1..], &b[k + 1..])) / row(k)[0];
    }
}

/// Orthonormal basis of the row space of a matrix `J` (m, n).
///
/// Gram-Schmidt with the longest remaining row next, that row orthogonalised twice, which keeps
/// the basis orthogonal to rounding (Giraud, Langou & Rozložník, *Comput. Math. Appl.* 50, 2005).
#[derive(Clone, Debug, Default)]
pub(crate) struct RowSpace {
    /// (rank, n).
    basis: Vec<f64>,
    /// Residual of each row outside the basis, (m, n).
    rest: Vec<f64>,
    rank: usize,
    columns: usize,
}

impl RowSpace {
    /// Reserves memory for matrices up to (m, n).
    pub(crate) fn reserve(&mut self, m: usize, n: usize) {
        self.basis.resize(n * n, 0.0);
        reserve(&mut self.rest, m * n);
    }

    /// Computes the basis for `j` (m, n); residuals below `tolerance` times the longest row are dependent.
    pub(crate) fn update(&mut self, j: &[f64], n: usize, tolerance: f64) {
        self.columns = n;
        self.rank = 0;
        if n == 0 || j.is_empty() {
            return;
        }
        self.basis.resize(self.basis.len().max(n * n), 0.0);
        self.rest.clear();
        self.rest.extend_from_slice(j);
        let squares = self.rest.chunks_exact(n).map(|row| dot(row, row)).enumerate();
        let mut longest = squares.fold((0, 0.0), longer_row);
        let threshold = tolerance * tolerance * longest.1;
        while self.rank < n && longest.1 > threshold {
            longest = self.add(longest.0, n);
        }
    }

    /// Adds the residual of row `pivot` to the basis; returns the longest residual left.
    fn add(&mut self, pivot: usize, n: usize) -> (usize, f64) {
        let (known, fresh) = self.basis.split_at_mut(self.rank * n);
        let fresh = &mut fresh[..n];
        fresh.copy_from_slice(&self.rest[pivot * n..(pivot + 1) * n]);
        for row in known.chunks_exact(n) {
            let along = dot(row, fresh);
            add_scaled(fresh, -along, row);
        }
        let factor = 1.0 / dot(fresh, fresh).sqrt();
        fresh.iter_mut().for_each(|value| *value *= factor);
        self.rank += 1;
        self.rest[pivot * n..(pivot + 1) * n].fill(0.0);
        let squares = self.rest.chunks_exact_mut(n).map(|rest| {
            let along = dot(fresh, rest);
            if along != 0.0 {
                add_scaled(rest, -along, fresh);
            }
            dot(rest, rest)
        });
        squares.enumerate().fold((0, 0.0), longer_row)
    }

    /// Projects `x` (n,) to the null space: `x ← (I − J⁺J) x`.
    pub(crate) fn project_out(&self, x: &mut [f64]) {
        for row in self.basis.chunks_exact(self.columns.max(1)).take(self.rank) {
            let along = dot(row, x);
            add_scaled(x, -along, row);
        }
    }
}

fn longer_row(best: (usize, f64), next: (usize, f64)) -> (usize, f64) {
    if next.1 > best.1 { next } else { best }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A 4 × 5 matrix of rank 3: the last row is the sum of the first two.
    const J: [f64; 20] = [
        1.0, 2.0, 0.0, -1.0, 3.0, //
        0.5, 0.0, 1.0, 1.0, -2.0, //
        0.0, 4.0, 1.0, 0.0, 0.25, //
        1.5, 2.0, 1.0, 0.0, 1.0,
    ];

    #[test]
    fn cholesky_solves_and_refuses() {
        let blocks = |row: &[f64]| [[row[0], row[1], row[2], row[3]], [row[4], 0.0, 0.0, 0.0]];
        let rows: Vec<Block> = J.chunks(5).flat_map(blocks).collect();
        let mut square = vec![[0.0; 4]; 10];
        gram(&rows, 5, &mut square);
        for k in 0..5 {
            square.as_flattened_mut()[9 * k] += 0.1;
            for l in 0..5 {
                let column = |k: usize| J.chunks(5).map(move |row| row[k]);
                let sum: f64 = column(k).zip(column(l)).map(|(a, b)| a * b).sum();
                let damping = if k == l { 0.1 } else { 0.0 };
                assert!((square.as_flattened()[8 * k + l] - sum - damping).abs() < 1e-12);
            }
        }
        let gradient = [1.0, -2.0, 3.0, 0.5, 0.25];
        for choice in [vec![0, 1, 2, 3, 4], vec![1, 3, 4]] {
            let mut factor = Vec::new();
            submatrix(&square, 5, &choice, &mut factor);
            cholesky(&mut factor, choice.len()).unwrap();
            let mut x = gradient[..choice.len()].to_vec();
            cholesky_solve(&factor, &mut x);
            for (place, &k) in choice.iter().enumerate() {
                let row = &square.as_flattened()[8 * k..];
                let back: f64 = choice.iter().zip(&x).map(|(&l, x)| row[l] * x).sum();
                assert!((back - gradient[place]).abs() < 1e-12);
            }
        }
        square[0][0] = -1.0;
        assert!(cholesky(&mut square, 5).is_none());
    }

    #[test]
    fn row_space_projects() {
        let mut space = RowSpace::default();
        space.update(&J, 5, 1e-6);
        assert_eq!(space.rank, 3);
        let start = [1.0, -2.0, 3.0, 0.5, 0.25];
        let mut x = start;
        space.project_out(&mut x);
        assert!(J.chunks(5).all(|row| dot(row, &x).abs() < 1e-14));
        assert!(dot(&x, &x) > 0.1);
        // An orthogonal projection: the removed part is at right angles to the result.
        let removed: Vec<f64> = start.iter().zip(&x).map(|(start, x)| start - x).collect();
        assert!(dot(&removed, &x).abs() < 1e-14);
    }
}
