//! Goals for points of a rigid part, as a function of its twist.
//!
//! A part that moves by `(v, ω)` about an origin moves a point at `r` from there by `v + ω × r`. All goals of its points add
//! up to one quadratic of six variables, whatever their number.

use nalgebra::{Matrix6, Vector3, Vector6};

/// A sum of squares as a function of a twist `t`, linear velocity first: `tᵀ H t − 2 gᵀ t` plus a constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TwistQuadratic {
    /// H, symmetric.
    pub(crate) matrix: Matrix6<f64>,
    /// g.
    pub(crate) vector: Vector6<f64>,
    pub(crate) is_empty: bool,
}

impl TwistQuadratic {
    pub(crate) fn zero() -> Self {
        Self { matrix: Matrix6::zeros(), vector: Vector6::zeros(), is_empty: true }
    }

    /// Asks for a point at `r` from the origin to move by `wanted`.
    pub(crate) fn push_point(&mut self, r: &Vector3<f64>, wanted: &Vector3<f64>, weight: f64) {
        self.is_empty = false;
        for i in 0..3 {
            self.vector[i] += weight * wanted[i];
            self.matrix[(i, i)] += weight;
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            self.vector[3 + i] += weight * (r[j] * wanted[k] - r[k] * wanted[j]);
            self.matrix[(3 + i, 3 + i)] += weight * (r[j] * r[j] + r[k] * r[k]);
            let product = weight * r[j] * r[k];
            self.matrix[(3 + j, 3 + k)] -= product;
            self.matrix[(3 + k, 3 + j)] -= product;
            // The matrix of −r ×.
            let own = weight * r[k];
            self.matrix[(i, 3 + j)] += own;
            self.matrix[(3 + j, i)] += own;
            self.matrix[(j, 3 + i)] -= own;
            self.matrix[(3 + i, j)] -= own;
        }
    }

    /// Asks for a point at `r` from the origin to move by `wanted` along a unit vector.
    pub(crate) fn push_along(
        &mut self,
        r: &Vector3<f64>,
        normal: &Vector3<f64>,
        wanted: f64,
        weight: f64,
    ) {
        self.is_empty = false;
        let moment = r.cross(normal);
        let row = [normal.x, normal.y, normal.z, moment.x, moment.y, moment.z];
        for (j, b) in row.into_iter().enumerate() {
            let weighted = weight * b;
            self.vector[j] += weighted * wanted;
            for (i, a) in row.into_iter().enumerate() {
                self.matrix[(i, j)] += a * weighted;
            }
        }
    }

    pub(crate) fn scale(&mut self, by: f64) {
        self.matrix *= by;
        self.vector *= by;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{Matrix3, Matrix3x6};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn goals_are_squares_of_what_points_miss(
            r in prop::array::uniform3(-1.0..1.0_f64),
            n in prop::array::uniform3(-1.0..1.0_f64),
            wanted in prop::array::uniform3(-1.0..1.0_f64),
            weight in 0.1..2.0_f64,
        ) {
            let [r, n, wanted] = [r, n, wanted].map(Vector3::from);
            let mut rows = Matrix3x6::zeros();
            rows.fixed_columns_mut::<3>(0).copy_from(&Matrix3::identity());
            rows.fixed_columns_mut::<3>(3).copy_from(&-r.cross_matrix());
            let mut found = TwistQuadratic::zero();
            found.push_point(&r, &wanted, weight);
            prop_assert!((found.matrix - rows.transpose() * rows * weight).norm() < 1e-12);
            prop_assert!((found.vector - rows.transpose() * wanted * weight).norm() < 1e-12);
            let row = rows.transpose() * n;
            let mut found = TwistQuadratic::zero();
            found.push_along(&r, &n, 0.3, weight);
            prop_assert!((found.matrix - row * row.transpose() * weight).norm() < 1e-12);
            prop_assert!((found.vector - row * (0.3 * weight)).norm() < 1e-12);
        }
    }
}
