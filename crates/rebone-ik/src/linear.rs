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

/// The greatest absolute value.
pub(crate) fn greatest(x: impl IntoIterator<Item = f64>) -> f64 {
    x.into_iter().fold(0.0, |greatest, x| if x.abs() > greatest { x.abs() } else { greatest })
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
        for (k, value) in row.iter().enumerate() {
            if *value != 0.0 {
                add_scaled(&mut gram[k * n + k..(k + 1) * n], *value, &row[k..]);
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

/// Replaces the lower triangle of `a` (n, n) by `L` with `L Lᵀ = a`.
///
/// Returns the least and the greatest pivot (squares of L's diagonal), or `None` when one is not
/// positive.
pub(crate) fn cholesky(a: &mut [f64], n: usize) -> Option<(f64, f64)> {
    let (mut least, mut greatest) = (f64::INFINITY, 0.0_f64);
    for k in 0..n {
        let (above, row) = a[..(k + 1) * n].split_at_mut(k * n);
        for l in 0..k {
            let earlier = &above[l * n..l * n + l + 1];
            row[l] = (row[l] - dot(&row[..l], &earlier[..l])) / earlier[l];
        }
        let pivot = row[k] - dot(&row[..k], &row[..k]);
        if pivot.is_nan() || pivot <= 0.0 {
            return None;
        }
        (least, greatest) = (least.min(pivot), greatest.max(pivot));
        row[k] = pivot.sqrt();
    }
    Some((least, greatest))
}

/// Solves `L Lᵀ x = b` in place, `L` as [`cholesky`] left it.
pub(crate) fn cholesky_solve(l: &[f64], b: &mut [f64]) {
    let n = b.len();
    for k in 0..n {
        let row = &l[k * n..=k * n + k];
        b[k] = (b[k] - dot(&row[..k], &b[..k])) / row[k];
    }
    for k in (0..n).rev() {
        let row = &l[k * n..=k * n + k];
        let value = b[k] / row[k];
        b[k] = value;
        add_scaled(&mut b[..k], -value, &row[..k]);
    }
}

/// An orthonormal basis of the space that the rows of a matrix `J` (m, n) span.
///
/// Gram-Schmidt with the longest remaining row next, each orthogonalised twice, which keeps the
/// basis orthogonal to rounding (Giraud, Langou & Rozložník 2005). `J = factor · basis` but for
/// rows shorter than the cut.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowSpace {
    /// (rank, n).
    basis: Vec<f64>,
    /// (m, rank) in room for (m, min(m, n)).
    factor: Vec<f64>,
    rest: Vec<f64>,
    rank: usize,
    columns: usize,
    stride: usize,
    gram: Vec<f64>,
}

impl RowSpace {
    /// The basis for `j` (m, n): rows shorter than `cut` times the longest count as dependent.
    pub(crate) fn update(&mut self, j: &[f64], n: usize, cut: f64) {
        self.columns = n;
        self.rank = 0;
        if n == 0 || j.is_empty() {
            return;
        }
        let m = j.len() / n;
        self.stride = m.min(n);
        self.basis.resize(self.stride * n, 0.0);
        self.factor.resize(m * self.stride, 0.0);
        self.factor.fill(0.0);
        self.rest.resize(j.len(), 0.0);
        self.rest.copy_from_slice(j);
        let mut threshold = 0.0;
        while self.rank < self.stride {
            let squares = self.rest.chunks_exact(n).map(|row| dot(row, row)).enumerate();
            let (pivot, square) =
                squares.fold((0, 0.0), |best, next| if next.1 > best.1 { next } else { best });
            if self.rank == 0 {
                threshold = cut * cut * square;
            }
            if square <= threshold {
                break;
            }
            self.add(pivot, n);
        }
    }

    fn add(&mut self, pivot: usize, n: usize) {
        let (known, fresh) = self.basis.split_at_mut(self.rank * n);
        let fresh = &mut fresh[..n];
        fresh.copy_from_slice(&self.rest[pivot * n..(pivot + 1) * n]);
        for row in known.chunks_exact(n) {
            let along = dot(row, fresh);
            add_scaled(fresh, -along, row);
        }
        let length = dot(fresh, fresh).sqrt();
        fresh.iter_mut().for_each(|value| *value /= length);
        for (rest, factor) in
            self.rest.chunks_exact_mut(n).zip(self.factor.chunks_exact_mut(self.stride))
        {
            let along = dot(fresh, rest);
            add_scaled(rest, -along, fresh);
            factor[self.rank] = along;
        }
        self.rest[pivot * n..(pivot + 1) * n].fill(0.0);
        self.rank += 1;
    }

    /// How many rows are independent.
    pub(crate) fn rank(&self) -> usize {
        self.rank
    }

    /// Removes from `x` (n,) what lies in the row space: `x ← (I − J⁺J) x`.
    pub(crate) fn remove_from(&self, x: &mut [f64]) {
        for row in self.basis.chunks_exact(self.columns.max(1)).take(self.rank) {
            let along = dot(row, x);
            add_scaled(x, -along, row);
        }
    }

    /// Subtracts from `x` (n,) the least-squares solution `J⁺ r` of least norm; `work` is scratch.
    pub(crate) fn subtract_solution(&mut self, r: &[f64], x: &mut [f64], work: &mut Vec<f64>) {
        let k = self.rank;
        if k == 0 {
            return;
        }
        self.gram.resize(k * k, 0.0);
        self.gram.fill(0.0);
        work.clear();
        work.resize(k, 0.0);
        for (row, r) in self.factor.chunks_exact(self.stride).zip(r) {
            add_scaled(work, *r, &row[..k]);
            for (l, value) in row[..k].iter().enumerate() {
                add_scaled(&mut self.gram[l * k..=l * k + l], *value, row);
            }
        }
        if cholesky(&mut self.gram, k).is_some() {
            cholesky_solve(&self.gram, work);
            for (row, along) in self.basis.chunks_exact(self.columns).zip(work.iter()) {
                add_scaled(x, -along, row);
            }
        }
    }
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
    fn row_space_projects_and_solves() {
        let mut space = RowSpace::default();
        space.update(&J, 5, 1e-6);
        assert_eq!(space.rank(), 3);
        let mut x = vec![1.0, -2.0, 3.0, 0.5, 0.25];
        space.remove_from(&mut x);
        assert!(J.chunks(5).all(|row| dot(row, &x).abs() < 1e-14));
        assert!(dot(&x, &x) > 0.1);
        let r = [1.0, -1.0, 2.0, 0.5];
        let mut x = vec![0.0; 5];
        space.subtract_solution(&r, &mut x, &mut Vec::new());
        // Optimal: the gradient of ½|Jx + r|² vanishes; and of least norm: no part outside.
        let after: Vec<f64> = J.chunks(5).zip(&r).map(|(row, r)| dot(row, &x) + r).collect();
        let (mut gram, mut gradient) = (vec![0.0; 25], vec![0.0; 5]);
        normal_equations(&J, &after, &mut gram, &mut gradient);
        assert!(greatest(gradient) < 1e-12);
        space.remove_from(&mut x);
        assert!(greatest(x) < 1e-12);
    }
}
