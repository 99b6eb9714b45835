//! Posture regularisation in the null space of the goals.

use super::lm::LevenbergMarquardt;
use crate::Problem;
use crate::algebra::linear::{Block, RowSpace, blocks, cholesky, dot, max_abs, reserve, submatrix};

/// Length of a row's residual, relative to the longest row, below which the row is dependent.
const RANK_TOLERANCE: f64 = 1e-6;
/// Greatest change of a variable, radians or units of length, below which regularisation ends.
const MIN_STEP: f64 = 1e-10;
/// Greatest number of null-space steps of one solve.
const MAX_STEPS: usize = 40;
/// Greatest number of solver steps that restore the minimum after a null-space step.
const MAX_CORRECTIONS: usize = 8;

/// Posture regularisation: moves a minimum towards the start `x₀` in the null space, with its memory.
///
/// At a minimum, with the goals linearised there, finds the point of the null space in the box that
/// is nearest to the start: steps `(I − J⁺J)(x₀ − x)` over the free columns up to the nearest bound,
/// where a variable is fixed until the others are done. The variables move there, and solver steps
/// restore the minimum, at small damping the step `−J⁺r`. Where that ends with a higher cost or no
/// nearer to the start, a quarter of the step is tried, then a sixteenth. So the cost does not rise,
/// and the result is locally the minimum nearest to the start.
#[derive(Clone, Debug, Default)]
pub(crate) struct PostureRegularisation {
    space: RowSpace,
    /// Variables that are neither at an active bound of the goals nor in `held`.
    free: Vec<usize>,
    /// True for variables fixed at a bound on the way to `target`.
    held: Vec<bool>,
    columns: Vec<f64>,
    /// A step of the free variables.
    step: Vec<f64>,
    /// End of the linearised step, inside the box.
    target: Vec<f64>,
    /// Null-space step `target − x`.
    null_step: Vec<f64>,
    /// Null-space step before.
    last: Vec<f64>,
    last_free: Vec<usize>,
    saved: Vec<f64>,
    matrix: Vec<Block>,
}

impl PostureRegularisation {
    /// Reserves memory for a problem of m rows and n variables; no allocation afterwards.
    pub(crate) fn reserve(&mut self, m: usize, n: usize) {
        self.space.reserve(m, n);
        reserve(&mut self.columns, m * n);
        reserve(&mut self.matrix, n * blocks(n));
        reserve(&mut self.free, n);
        reserve(&mut self.last_free, n);
        reserve(&mut self.held, n);
        for list in
            [&mut self.step, &mut self.target, &mut self.null_step, &mut self.last, &mut self.saved]
        {
            reserve(list, n);
        }
    }

    /// Moves the minimum of `lm`, which has converged, towards `x0`. Returns the number of solver steps.
    pub(crate) fn apply(
        &mut self,
        lm: &mut LevenbergMarquardt,
        problem: &Problem,
        x0: &[f64],
        tolerance: f64,
    ) -> usize {
        let mut corrections = 0;
        // Allows for rounding of the residuals and for the tolerance.
        let ceiling = lm.current.cost * (1.0 + 1e-10) + 1e-22;
        let mut length = 1.0;
        self.last.clear();
        for _ in 0..MAX_STEPS {
            self.find_target(lm, problem, x0, tolerance);
            self.null_step.clear();
            self.null_step
                .extend(self.target.iter().zip(&lm.current.x).map(|(target, x)| target - x));
            if max_abs(self.null_step.iter().copied()) <= MIN_STEP {
                self.snap_to_bounds(lm, problem);
                break;
            }
            length = self.step_length(length);
            self.saved.clear();
            self.saved.extend_from_slice(&lm.current.x);
            let before = squared_distance(&self.saved, x0) * (1.0 + 1e-12);
            let moved = [1.0, 0.25, 0.0625].into_iter().any(|part| {
                self.move_by(lm, problem, part * length);
                lm.restart(problem);
                corrections += correct(lm, problem, tolerance);
                let is_minimum = lm.current.cost <= ceiling && lm.projected <= 10.0 * tolerance;
                is_minimum && squared_distance(&lm.current.x, x0) < before
            });
            if !moved {
                lm.current.x.copy_from_slice(&self.saved);
                lm.restart(problem);
                break;
            }
        }
        corrections
    }

    /// Moves variables that a step below [`MIN_STEP`] would bring to their bound onto it.
    fn snap_to_bounds(&self, lm: &mut LevenbergMarquardt, problem: &Problem) {
        let mut moved = false;
        for k in (0..self.held.len()).filter(|&k| self.held[k]) {
            moved |= lm.current.x[k] != self.target[k];
            lm.current.x[k] = self.target[k];
        }
        if moved {
            lm.restart(problem);
        }
    }

    /// Returns the factor on the next step, given that on the last: the factor that would have made this
    /// step vanish (Barzilai & Borwein, *IMA J. Numer. Anal.* 8, 1988). On a curved manifold of minima
    /// successive steps shrink by a constant factor; this sums them. 1 when the free variables changed.
    fn step_length(&mut self, length: f64) -> f64 {
        let comparable = self.last_free == self.free && !self.last.is_empty();
        let ratio = dot(&self.null_step, &self.last) / dot(&self.last, &self.last);
        self.last.clone_from(&self.null_step);
        self.last_free.clone_from(&self.free);
        if comparable { (length / (1.0 - ratio)).clamp(0.5, 2.0) } else { 1.0 }
    }

    /// Computes `target`.
    fn find_target(
        &mut self,
        lm: &mut LevenbergMarquardt,
        problem: &Problem,
        x0: &[f64],
        tolerance: f64,
    ) {
        let n = x0.len();
        self.target.clear();
        self.target.extend_from_slice(&lm.current.x);
        self.release_all(n);
        let mut released = true;
        for _ in 0..3 * n {
            self.find_step(lm, problem, x0, tolerance);
            let small = max_abs(self.step.iter().copied()) <= 0.1 * MIN_STEP;
            if small && released {
                break;
            }
            if small {
                self.release_all(n);
                released = true;
                continue;
            }
            released = false;
            if let Some(k) = self.advance_target(problem) {
                self.held[k] = true;
            } else if !self.held.contains(&true) {
                break;
            }
        }
    }

    fn release_all(&mut self, n: usize) {
        self.held.clear();
        self.held.resize(n, false);
    }

    /// Computes `free` and the `step` over it: the projection of `x₀ − target` to the null space.
    /// Variables at a bound that the step would take outside are fixed one at a time.
    fn find_step(
        &mut self,
        lm: &mut LevenbergMarquardt,
        problem: &Problem,
        x0: &[f64],
        tolerance: f64,
    ) {
        self.free.clear();
        self.free.extend((0..x0.len()).filter(|&k| {
            let (x, gradient) = (lm.current.x[k], lm.gradient[k]);
            let is_active = (x <= problem.lower[k] && gradient > tolerance)
                || (x >= problem.upper[k] && gradient < -tolerance);
            !is_active && !self.held[k] && problem.lower[k] < problem.upper[k]
        }));
        loop {
            self.project(lm, problem, x0);
            let outward = |&(place, &k): &(usize, &usize)| {
                let (at, step) = (self.target[k], self.step[place]);
                (at <= problem.lower[k] && step < 0.0) || (at >= problem.upper[k] && step > 0.0)
            };
            let leaving = self.free.iter().enumerate().filter(outward);
            let worst = leaving
                .max_by(|(a, _), (b, _)| self.step[*a].abs().total_cmp(&self.step[*b].abs()));
            let Some((place, _)) = worst else { return };
            let k = self.free.remove(place);
            self.held[k] = true;
        }
    }

    /// Computes the `step` over `free`.
    fn project(&mut self, lm: &mut LevenbergMarquardt, problem: &Problem, x0: &[f64]) {
        self.step.clear();
        if self.has_full_rank(lm, problem) {
            return self.step.resize(self.free.len(), 0.0);
        }
        self.columns.clear();
        for row in lm.jacobian(problem).chunks_exact(blocks(x0.len())) {
            let row = row.as_flattened();
            self.columns.extend(self.free.iter().map(|&k| row[k]));
        }
        self.space.update(&self.columns, self.free.len(), RANK_TOLERANCE);
        self.step.extend(self.free.iter().map(|&k| x0[k] - self.target[k]));
        self.space.project_out(&mut self.step);
    }

    /// Returns true where the pivots of `JᵀJ` prove that there is no null space; cheaper than a projection.
    fn has_full_rank(&mut self, lm: &mut LevenbergMarquardt, problem: &Problem) -> bool {
        let (n, f) = (lm.current.x.len(), self.free.len());
        if lm.has_full_rank(&self.free) {
            return true;
        }
        submatrix(lm.gram(problem), n, &self.free, &mut self.matrix);
        cholesky(&mut self.matrix, f).is_some_and(|(least, greatest)| least > 1e-9 * greatest)
    }

    /// Moves `target` along the step up to the nearest bound; returns the variable at that bound.
    fn advance_target(&mut self, problem: &Problem) -> Option<usize> {
        let (mut length, mut blocked) = (1.0, None);
        for (&k, &step) in self.free.iter().zip(&self.step) {
            let bound = if step < 0.0 { problem.lower[k] } else { problem.upper[k] };
            let room = (bound - self.target[k]) / step;
            if room < length {
                (length, blocked) = (room.max(0.0), Some((k, bound)));
            }
        }
        for (&k, &step) in self.free.iter().zip(&self.step) {
            self.target[k] = problem.clamp(k, self.target[k] + length * step);
        }
        let (k, bound) = blocked?;
        self.target[k] = bound;
        Some(k)
    }

    /// Moves `lm.current.x` from `saved` by `part` of the null-space step, inside the box.
    fn move_by(&self, lm: &mut LevenbergMarquardt, problem: &Problem, part: f64) {
        if part == 1.0 {
            return lm.current.x.copy_from_slice(&self.target);
        }
        for (k, x) in lm.current.x.iter_mut().enumerate() {
            *x = problem.clamp(k, self.saved[k] + part * self.null_step[k]);
        }
    }
}

/// Runs solver steps until `lm` is at a minimum again; returns their number.
fn correct(lm: &mut LevenbergMarquardt, problem: &Problem, tolerance: f64) -> usize {
    let mut steps = 0;
    while lm.projected > tolerance && steps < MAX_CORRECTIONS {
        steps += 1;
        if lm.step(problem, tolerance).is_some() {
            break;
        }
    }
    steps
}

/// Squared distance.
fn squared_distance(x: &[f64], x0: &[f64]) -> f64 {
    x.iter().zip(x0).map(|(x, x0)| (x - x0) * (x - x0)).sum()
}
