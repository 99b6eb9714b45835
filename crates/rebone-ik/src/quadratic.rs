//! The model of one step: a convex quadratic in a box, by an active set.

use crate::linear::{Block, add_scaled, blocks, cholesky, cholesky_solve, chosen, dot, make_room};

/// Whether a variable of the step is free or held at an end of its box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum At {
    Free,
    Lower,
    Upper,
}

/// `min ½ sᵀ(H + λI)s + gᵀs` over `lower ≤ s ≤ upper`, a box that holds 0.
///
/// Primal active set (Nocedal & Wright, *Numerical Optimization*, 16.5): step towards the
/// minimum over the free variables, stop at the nearest bound and hold that variable; at the
/// minimum release the variable that gains most.
#[derive(Clone, Debug, Default)]
pub(crate) struct BoxQuadratic {
    /// The answer.
    pub(crate) step: Vec<f64>,
    /// Which variables the answer holds at a bound.
    pub(crate) at: Vec<At>,
    /// The least and the greatest pivot of the last matrix over the free variables.
    pub(crate) pivots: (f64, f64),
    /// Gradient of the model at `step`.
    slope: Vec<f64>,
    free: Vec<usize>,
    matrix: Vec<Block>,
    direction: Vec<f64>,
}

/// The quadratic and its box.
#[derive(Clone, Copy)]
pub(crate) struct Model<'a> {
    /// H, (n, n), positive semidefinite.
    pub(crate) hessian: &'a [Block],
    /// λ, positive.
    pub(crate) damping: f64,
    /// g, (n,).
    pub(crate) gradient: &'a [f64],
    /// Least step of each variable, not positive.
    pub(crate) lower: &'a [f64],
    /// Greatest step of each variable, not negative.
    pub(crate) upper: &'a [f64],
}

impl BoxQuadratic {
    /// Makes room for n variables: no allocation after that.
    pub(crate) fn reserve(&mut self, n: usize) {
        make_room(&mut self.step, n);
        make_room(&mut self.at, n);
        make_room(&mut self.slope, n);
        make_room(&mut self.free, n);
        make_room(&mut self.direction, n);
        make_room(&mut self.matrix, n * blocks(n));
    }

    /// Fills in `step` and `at`; `false` when the matrix is not positive definite.
    pub(crate) fn solve(&mut self, model: &Model) -> bool {
        let n = model.gradient.len();
        self.begin(model);
        for _ in 0..4 * n + 10 {
            if !self.newton_direction(model) {
                return false;
            }
            let (length, blocked) = self.room(model);
            for (&k, d) in self.free.iter().zip(&self.direction) {
                self.step[k] += length * d;
            }
            if let Some((k, at)) = blocked {
                self.hold(k, at, model);
            }
            self.update_slope(model);
            if blocked.is_none() && !self.release(model) {
                break;
            }
        }
        true
    }

    /// Gradient of the model at the answer, damping included.
    pub(crate) fn slope(&self) -> &[f64] {
        &self.slope
    }

    fn begin(&mut self, model: &Model) {
        let n = model.gradient.len();
        self.step.clear();
        self.step.resize(n, 0.0);
        self.slope.clear();
        self.slope.extend_from_slice(model.gradient);
        self.at.clear();
        self.at.extend((0..n).map(|k| {
            let slope = model.gradient[k];
            if model.lower[k] >= 0.0 && (slope >= 0.0 || model.upper[k] <= 0.0) {
                At::Lower
            } else if model.upper[k] <= 0.0 && slope <= 0.0 {
                At::Upper
            } else {
                At::Free
            }
        }));
    }

    /// The step from here to the minimum over the free variables, all others held.
    fn newton_direction(&mut self, model: &Model) -> bool {
        let n = model.gradient.len();
        self.free.clear();
        self.free.extend((0..n).filter(|&k| self.at[k] == At::Free));
        let f = self.free.len();
        self.direction.clear();
        self.direction.extend(self.free.iter().map(|&k| -self.slope[k]));
        chosen(model.hessian, n, &self.free, &mut self.matrix);
        for k in 0..f {
            self.matrix[k * blocks(f) + k / 4][k % 4] += model.damping;
        }
        let Some(pivots) = cholesky(&mut self.matrix, f) else { return false };
        self.pivots = pivots;
        cholesky_solve(&self.matrix, &mut self.direction);
        true
    }

    /// How much of the direction fits, at most 1, and which bound it then meets.
    fn room(&self, model: &Model) -> (f64, Option<(usize, At)>) {
        let (mut length, mut blocked) = (1.0, None);
        for (&k, &d) in self.free.iter().zip(&self.direction) {
            let (bound, at) =
                if d < 0.0 { (model.lower[k], At::Lower) } else { (model.upper[k], At::Upper) };
            if d != 0.0
                && self.step[k] + length * d != bound
                && (self.step[k] + length * d > bound) == (d > 0.0)
            {
                length = ((bound - self.step[k]) / d).max(0.0);
                blocked = Some((k, at));
            }
        }
        (length, blocked)
    }

    fn hold(&mut self, k: usize, at: At, model: &Model) {
        self.at[k] = at;
        self.step[k] = if at == At::Lower { model.lower[k] } else { model.upper[k] };
    }

    fn update_slope(&mut self, model: &Model) {
        let n = model.gradient.len();
        self.slope.copy_from_slice(model.gradient);
        add_scaled(&mut self.slope, model.damping, &self.step);
        for (row, slope) in model.hessian.chunks_exact(blocks(n)).zip(&mut self.slope) {
            *slope += dot(&row.as_flattened()[..n], &self.step);
        }
    }

    /// Releases the held variable that gains most; `false` when none does.
    fn release(&mut self, model: &Model) -> bool {
        let gain = |k: usize| match self.at[k] {
            _ if model.lower[k] == model.upper[k] => 0.0,
            At::Free => 0.0,
            At::Lower => -self.slope[k],
            At::Upper => self.slope[k],
        };
        let gains = (0..self.at.len()).map(|k| (k, gain(k)));
        let (k, most) =
            gains.fold((0, 0.0), |best, next| if next.1 > best.1 { next } else { best });
        // Below rounding of the slopes nothing is gained, and variables could come and go.
        let noise = 1e-15 * model.gradient.iter().fold(0.0, |sum, g| sum + g.abs());
        if most <= noise {
            return false;
        }
        self.at[k] = At::Free;
        true
    }
}
