//! Small dense linear algebra on flat, row-major slices; nothing here allocates in the steady state.

/// `aᵀ b`.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    // Four sums side by side: the compiler may not reorder one, and it is the hot loop.
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

/// `y ← y + Σ factorₖ · xₖ` for four rows: one pass over y is what makes the hot loops fast.
fn add_scaled_four(y: &mut [f64], factor: [f64; 4], x: [&[f64]; 4]) {
    let rows = x[0].iter().zip(x[1]).zip(x[2].iter().zip(x[3]));
    for (y, ((a, b), (c, d))) in y.iter_mut().zip(rows) {
        *y += (factor[0] * a + factor[1] * b) + (factor[2] * c + factor[3] * d);
    }
}

/// The greatest absolute value.
pub(crate) fn greatest(x: impl IntoIterator<Item = f64>) -> f64 {
    x.into_iter().fold(0.0, |greatest, x| if x.abs() > greatest { x.abs() } else { greatest })
}

/// Empties `list` and sees to it that `count` fit without allocation.
pub(crate) fn make_room<T>(list: &mut Vec<T>, count: usize) {
    list.clear();
    list.reserve(count);
}

/// `JᵀJ` (n, n), whole, and `Jᵀr` (n,) of `J` (m, n).
pub(crate) fn normal_equations(j: &[f64], r: &[f64], gram: &mut [f64], gradient: &mut [f64]) {
    let n = gradient.len();
    gram.fill(0.0);
    gradient.fill(0.0);
    if n == 0 {
        return;
    }
    for (row, r) in j.chunks_exact(n).zip(r) {
        add_scaled(gradient, *r, row);
    }
    let blocks = j.chunks_exact(4 * n);
    for row in blocks.remainder().chunks_exact(n) {
        for (k, value) in row.iter().enumerate().filter(|(_, value)| **value != 0.0) {
            add_scaled(&mut gram[k * n + k..(k + 1) * n], *value, &row[k..]);
        }
    }
    for block in blocks {
        let rows = [0, 1, 2, 3].map(|row| &block[row * n..(row + 1) * n]);
        for k in 0..n {
            let factors = rows.map(|row| row[k]);
            if factors != [0.0; 4] {
                add_scaled_four(
                    &mut gram[k * n + k..(k + 1) * n],
                    factors,
                    rows.map(|row| &row[k..]),
                );
            }
        }
    }
    mirror_upper(gram, n);
}

/// Fills the lower triangle of `a` (n, n) from the upper one.
pub(crate) fn mirror_upper(a: &mut [f64], n: usize) {
    for k in 0..n {
        for l in 0..k {
            a[k * n + l] = a[l * n + k];
        }
    }
}

/// `y = A x` with `A` (n, n).
pub(crate) fn times(a: &[f64], x: &[f64], y: &mut [f64]) {
    for (row, y) in a.chunks_exact(x.len()).zip(y) {
        *y = dot(row, x);
    }
}

/// Replaces the upper triangle of `a` (n, n) by `U` with `Uᵀ U = a`; the lower is not looked at.
///
/// Returns the least and the greatest pivot (squares of U's diagonal), or `None` when one is not
/// positive.
pub(crate) fn cholesky(a: &mut [f64], n: usize) -> Option<(f64, f64)> {
    let (mut least, mut greatest) = (f64::INFINITY, 0.0_f64);
    for k in 0..n {
        let (above, row) = a[..(k + 1) * n].split_at_mut(k * n);
        let row = &mut row[k..];
        let blocks = above.chunks_exact(4 * n);
        for earlier in blocks.remainder().chunks_exact(n) {
            add_scaled(row, -earlier[k], &earlier[k..]);
        }
        for block in blocks {
            let rows = [0, 1, 2, 3].map(|row| &block[row * n + k..(row + 1) * n]);
            add_scaled_four(row, rows.map(|row| -row[0]), rows);
        }
        let pivot = row[0];
        if pivot.is_nan() || pivot <= 0.0 {
            return None;
        }
        (least, greatest) = (least.min(pivot), greatest.max(pivot));
        let factor = 1.0 / pivot.sqrt();
        row.iter_mut().for_each(|value| *value *= factor);
    }
    Some((least, greatest))
}

/// Solves `Uᵀ U x = b` in place, `U` as [`cholesky`] left it.
pub(crate) fn cholesky_solve(u: &[f64], b: &mut [f64]) {
    let n = b.len();
    for k in 0..n {
        let row = &u[k * n + k..(k + 1) * n];
        let value = b[k] / row[0];
        b[k] = value;
        add_scaled(&mut b[k + 1..], -value, &row[1..]);
    }
    for k in (0..n).rev() {
        let row = &u[k * n + k..(k + 1) * n];
        b[k] = (b[k] - dot(&row[1..], &b[k + 1..])) / row[0];
    }
}

/// An orthonormal basis of the space that the rows of a matrix `J` (m, n) span.
///
/// Gram-Schmidt with the longest remaining row next, that row orthogonalised twice, which keeps
/// the basis orthogonal to rounding (Giraud, Langou & Rozložník, *Comput. Math. Appl.* 50, 2005).
#[derive(Clone, Debug, Default)]
pub(crate) struct RowSpace {
    /// (rank, n).
    basis: Vec<f64>,
    /// What of each row is outside the basis, (m, n).
    rest: Vec<f64>,
    rank: usize,
    columns: usize,
}

impl RowSpace {
    /// Makes room for matrices up to (m, n).
    pub(crate) fn reserve(&mut self, m: usize, n: usize) {
        self.basis.resize(n * n, 0.0);
        make_room(&mut self.rest, m * n);
    }

    /// The basis for `j` (m, n): rows shorter than `cut` times the longest count as dependent.
    pub(crate) fn update(&mut self, j: &[f64], n: usize, cut: f64) {
        self.columns = n;
        self.rank = 0;
        if n == 0 || j.is_empty() {
            return;
        }
        self.basis.resize(self.basis.len().max(n * n), 0.0);
        self.rest.clear();
        self.rest.extend_from_slice(j);
        let squares = self.rest.chunks_exact(n).map(|row| dot(row, row)).enumerate();
        let mut longest = squares.fold((0, 0.0), longer);
        let threshold = cut * cut * longest.1;
        while self.rank < n && longest.1 > threshold {
            longest = self.add(longest.0, n);
        }
    }

    /// Adds the direction of a row to the basis; returns the longest of what remains.
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
        squares.enumerate().fold((0, 0.0), longer)
    }

    /// Removes from `x` (n,) what lies in the row space: `x ← (I − J⁺J) x`.
    pub(crate) fn remove_from(&self, x: &mut [f64]) {
        for row in self.basis.chunks_exact(self.columns.max(1)).take(self.rank) {
            let along = dot(row, x);
            add_scaled(x, -along, row);
        }
    }
}

fn longer(best: (usize, f64), next: (usize, f64)) -> (usize, f64) {
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
        let (mut gram, mut gradient) = (vec![0.0; 25], vec![0.0; 5]);
        normal_equations(&J, &[1.0, -1.0, 2.0, 0.5], &mut gram, &mut gradient);
        for k in 0..5 {
            gram[k * 6] += 0.1;
        }
        let (mut l, mut x, mut back) = (gram.clone(), gradient.clone(), vec![0.0; 5]);
        cholesky(&mut l, 5).unwrap();
        cholesky_solve(&l, &mut x);
        times(&gram, &x, &mut back);
        assert!(back.iter().zip(&gradient).all(|(a, b)| (a - b).abs() < 1e-12));
        gram[0] = -1.0;
        assert!(cholesky(&mut gram, 5).is_none());
    }

    #[test]
    fn row_space_projects() {
        let mut space = RowSpace::default();
        space.update(&J, 5, 1e-6);
        assert_eq!(space.rank, 3);
        let start = [1.0, -2.0, 3.0, 0.5, 0.25];
        let mut x = start;
        space.remove_from(&mut x);
        assert!(J.chunks(5).all(|row| dot(row, &x).abs() < 1e-14));
        assert!(dot(&x, &x) > 0.1);
        // An orthogonal projection: what was removed is at right angles to what is left.
        let removed: Vec<f64> = start.iter().zip(&x).map(|(start, x)| start - x).collect();
        assert!(dot(&removed, &x).abs() < 1e-14);
    }
}
