//! A matrix with an inverse for argmin's Gauss-Newton; argmin's nested vectors have none.

use crate::linear::{blocks, cholesky, cholesky_solve, mat_vec};
use argmin::core::Error;
use argmin_math::{ArgminDot, ArgminInv, ArgminTranspose};

/// A dense matrix, row-major.
#[derive(Clone, Debug)]
pub(super) struct DenseMatrix {
    pub(super) columns: usize,
    pub(super) data: Vec<f64>,
}

impl DenseMatrix {
    fn rows(&self) -> usize {
        self.data.len() / self.columns.max(1)
    }
}

impl ArgminTranspose<Self> for DenseMatrix {
    fn t(self) -> Self {
        let (rows, columns) = (self.rows(), self.columns);
        let entry = |place: usize| self.data[place % rows * columns + place / rows];
        Self { columns: rows, data: (0..self.data.len()).map(entry).collect() }
    }
}

impl ArgminDot<Self, Self> for DenseMatrix {
    fn dot(&self, other: &Self) -> Self {
        let columns: Vec<Vec<f64>> = other
            .clone()
            .t()
            .data
            .chunks(other.rows())
            .map(|column| self.dot(&column.to_vec()))
            .collect();
        let data = (0..self.rows()).flat_map(|row| columns.iter().map(move |c| c[row])).collect();
        Self { columns: other.columns, data }
    }
}

impl ArgminDot<Vec<f64>, Vec<f64>> for DenseMatrix {
    fn dot(&self, x: &Vec<f64>) -> Vec<f64> {
        let mut out = vec![0.0; self.rows()];
        mat_vec(&self.data, x, &mut out);
        out
    }
}

impl ArgminInv<Self> for DenseMatrix {
    /// Inverts a symmetric positive definite matrix, which Gauss-Newton's always is.
    fn inv(&self) -> Result<Self, Error> {
        let n = self.columns;
        let mut factor = vec![[0.0; 4]; n * blocks(n)];
        let rows = factor.chunks_exact_mut(blocks(n).max(1));
        for (row, values) in rows.zip(self.data.chunks_exact(n)) {
            row.as_flattened_mut()[..n].copy_from_slice(values);
        }
        if cholesky(&mut factor, n).is_none() {
            return Err(Error::msg("the normal equations are singular"));
        }
        let mut data = vec![0.0; n * n];
        for (k, row) in data.chunks_exact_mut(n).enumerate() {
            row[k] = 1.0;
            cholesky_solve(&factor, row);
        }
        Ok(Self { columns: n, data })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_inverts() {
        let j = DenseMatrix { columns: 2, data: vec![1.0, 2.0, 0.0, -1.0, 3.0, 0.5] };
        let gram = j.clone().t().dot(&j);
        assert_eq!(gram.data, [10.0, 3.5, 3.5, 5.25]);
        let product = gram.inv().unwrap().dot(&gram);
        let identity = [1.0, 0.0, 0.0, 1.0];
        assert!(product.data.iter().zip(identity).all(|(a, b)| (a - b).abs() < 1e-15));
    }
}
