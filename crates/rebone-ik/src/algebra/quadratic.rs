//! The subproblem of one step: a convex quadratic in a box, by an active-set method.

use crate::algebra::linear::{
    Block, add_scaled, blocks, cholesky, cholesky_solve, dot, reserve, submatrix,
};

/// Working set of the active-set method: a variable is free or at a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BoundState {
    Free,
    Lower,
    Upper,
}

/// `min ½ sᵀ(H + λI)s + gᵀs` over `lower ≤ s ≤ upper`, a box that holds 0.
///
/// Primal active set (Nocedal & Wright, *Numerical Optimization*, 16.5): step towards the
/// minimum over the free variables, stop at the nearest bound and add it to the working set; at the
/// minimum release the bound with the greatest multiplier.
#[derive(Clone, Debug, Default)]
pub(crate) struct BoxQuadratic {
    /// Minimiser s.
    pub(crate) step: Vec<f64>,
    /// State of each variable at the minimum.
    pub(crate) bounds: Vec<BoundState>,
    /// Least and greatest pivot of the last matrix over the free variables.
    pub(crate) pivots: (f64, f64),
    /// Gradient of the model at `step`.
    gradient_at_step: Vec<f64>,
    free: Vec<usize>,
    matrix: Vec<Block>,
    direction: Vec<f64>,
}

/// Coefficients of the quadratic, and its box.
#[derive(Clone, Copy)]
pub(crate) struct Model<'a> {
    /// H, (n, n), positive semidefinite.
    pub(crate) hessian: &'a [Block],
    /// λ, positive.
    pub(crate) damping: f64,
    /// g, (n,).
    pub(crate) gradient: &'a [f64],
    /// Lower bound of each variable of the step, not positive.
    pub(crate) lower: &'a [f64],
    /// Upper bound of each variable of the step, not negative.
    pub(crate) upper: &'a [f64],
}

impl BoxQuadratic {
    /// Reserves memory for n variables; no allocation afterwards.
    pub(crate) fn reserve(&mut self, n: usize) {
        reserve(&mut self.step, n);
        reserve(&mut self.bounds, n);
        reserve(&mut self.gradient_at_step, n);
        reserve(&mut self.free, n);
        reserve(&mut self.direction, n);
        reserve(&mut self.matrix, n * blocks(n));
    }

    /// Computes `step` and `bounds`; `false` when the matrix is not positive definite.
    pub(crate) fn solve(&mut self, model: &Model) -> bool {
        let n = model.gradient.len();
        self.begin(model);
        for _ in 0..4 * n + 10 {
            if !self.newton_direction(model) {
                return false;
            }
            let (length, blocked) = self.max_step_length(model);
            for (&k, d) in self.free.iter().zip(&self.direction) {
                self.step[k] += length * d;
            }
            if let Some((k, state)) = blocked {
                self.fix_at_bound(k, state, model);
            }
            self.update_gradient(model);
            if blocked.is_none() && !self.release(model) {
                break;
            }
        }
        true
    }

    /// Gradient of the model at the minimum, damping included.
    pub(crate) fn gradient_at_step(&self) -> &[f64] {
        &self.gradient_at_step
    }

    fn begin(&mut self, model: &Model) {
        let n = model.gradient.len();
        self.step.clear();
        self.step.resize(n, 0.0);
        self.gradient_at_step.clear();
        self.gradient_at_step.extend_from_slice(model.gradient);
        self.bounds.clear();
        self.bounds.extend((0..n).map(|k| {
            let gradient_at_step = model.gradient[k];
            if model.lower[k] >= 0.0 && (gradient_at_step >= 0.0 || model.upper[k] <= 0.0) {
                BoundState::Lower
            } else if model.upper[k] <= 0.0 && gradient_at_step <= 0.0 {
                BoundState::Upper
            } else {
                BoundState::Free
            }
        }));
    }

    /// Computes the step to the minimum over the free variables, all others fixed.
    fn newton_direction(&mut self, model: &Model) -> bool {
        let n = model.gradient.len();
        self.free.clear();
        self.free.extend((0..n).filter(|&k| self.bounds[k] == BoundState::Free));
        let f = self.free.len();
        self.direction.clear();
        self.direction.extend(self.free.iter().map(|&k| -self.gradient_at_step[k]));
        submatrix(model.hessian, n, &self.free, &mut self.matrix);
        for k in 0..f {
            self.matrix[k * blocks(f) + k / 4][k % 4] += model.damping;
        }
        let Some(pivots) = cholesky(&mut self.matrix, f) else { return false };
        self.pivots = pivots;
        cholesky_solve(&self.matrix, &mut self.direction);
        true
    }

    /// Returns the part of the direction that stays in the box, at most 1, and the blocking bound.
    fn max_step_length(&self, model: &Model) -> (f64, Option<(usize, BoundState)>) {
        let (mut length, mut blocked) = (1.0, None);
        for (&k, &d) in self.free.iter().zip(&self.direction) {
            let (bound, state) = if d < 0.0 {
                (model.lower[k], BoundState::Lower)
            } else {
                (model.upper[k], BoundState::Upper)
            };
            if d != 0.0
                && self.step[k] + length * d != bound
                && (self.step[k] + length * d > bound) == (d > 0.0)
            {
                length = ((bound - self.step[k]) / d).max(0.0);
                blocked = Some((k, state));
            }
        }
        (length, blocked)
    }

    fn fix_at_bound(&mut self, k: usize, state: BoundState, model: &Model) {
        self.bounds[k] = state;
        self.step[k] = if state == BoundState::Lower { model.lower[k] } else { model.upper[k] };
    }

    fn update_gradient(&mut self, model: &Model) {
        let n = model.gradient.len();
        self.gradient_at_step.copy_from_slice(model.gradient);
        add_scaled(&mut self.gradient_at_step, model.damping, &self.step);
        for (row, gradient_at_step) in
            model.hessian.chunks_exact(blocks(n)).zip(&mut self.gradient_at_step)
        {
            *gradient_at_step += dot(&row.as_flattened()[..n], &self.step);
        }
    }

    /// Releases the bound with the greatest multiplier; `false` when none is positive.
    fn release(&mut self, model: &Model) -> bool {
        let multiplier = |k: usize| match self.bounds[k] {
            _ if model.lower[k] == model.upper[k] => 0.0,
            BoundState::Free => 0.0,
            BoundState::Lower => -self.gradient_at_step[k],
            BoundState::Upper => self.gradient_at_step[k],
        };
        let multipliers = (0..self.bounds.len()).map(|k| (k, multiplier(k)));
        let (k, greatest) =
            multipliers.fold((0, 0.0), |best, next| if next.1 > best.1 { next } else { best });
        // Multipliers within rounding are noise; releasing on them could cycle.
        let noise = 1e-15 * model.gradient.iter().fold(0.0, |sum, g| sum + g.abs());
        if greatest <= noise {
            return false;
        }
        self.bounds[k] = BoundState::Free;
        true
    }
}
