//! The pull towards the start, in what the goals leave free.

use crate::Problem;
use crate::linear::{RowSpace, cholesky, dot, greatest};
use crate::lm::LevenbergMarquardt;

/// Singular values below this part of the largest count as zero.
const CUT: f64 = 1e-6;
/// The pull ends when it would move no variable by more than this.
const SMALLEST_STEP: f64 = 1e-10;
/// Most pulls of one solve.
const MOST_PULLS: usize = 40;
/// Most steps of the solver to meet the goals again after a pull.
const MOST_CORRECTIONS: usize = 8;

/// Memory of the pull.
///
/// At a minimum of the goals the variables move by `(I − J⁺J)(x₀ − x)` over the free columns, as
/// far as the nearest bound, where that variable is held until the others are done; then the
/// solver meets the goals again, which at a small damping is
/// the step `−J⁺r`. Where that ends with a higher cost or no nearer to the start, a quarter of
/// the way is tried. So the cost does not rise, and among the minima the answer is, locally, the
/// one nearest to the start.
#[derive(Clone, Debug, Default)]
pub(crate) struct NullSpace {
    space: RowSpace,
    free: Vec<usize>,
    columns: Vec<f64>,
    pull: Vec<f64>,
    last: Vec<f64>,
    saved: Vec<f64>,
    /// Variables that a pull has brought to a bound: released when the others are done.
    held: Vec<bool>,
    matrix: Vec<f64>,
}

impl NullSpace {
    /// Pulls `lm`, which has converged, towards `x0`. Returns the solver's steps that it took.
    pub(crate) fn pull(
        &mut self,
        lm: &mut LevenbergMarquardt,
        problem: &Problem,
        x0: &[f64],
        tolerance: f64,
    ) -> usize {
        let mut corrections = 0;
        // Rounding of the residuals, and what the tolerance leaves.
        let ceiling = lm.now.cost * (1.0 + 1e-10) + 1e-22;
        let (mut length, mut released) = (1.0, true);
        self.release(x0.len());
        for _ in 0..MOST_PULLS {
            self.choose_direction(lm, problem, x0, tolerance);
            if greatest(self.pull.iter().copied()) <= SMALLEST_STEP {
                if released {
                    break;
                }
                self.release(x0.len());
                released = true;
                continue;
            }
            released = false;
            length = self.stretched(length);
            self.saved.clear();
            self.saved.extend_from_slice(&lm.now.x);
            let before = distance(&self.saved, x0) * (1.0 + 1e-12);
            let moved = [1.0, 0.25, 0.0625].into_iter().any(|part| {
                self.advance(lm, problem, part * length);
                lm.restart(problem);
                corrections += correct(lm, problem, tolerance);
                let met = lm.now.cost <= ceiling && lm.projected <= 10.0 * tolerance;
                met && distance(&lm.now.x, x0) < before
            });
            if !moved {
                lm.now.x.copy_from_slice(&self.saved);
                lm.restart(problem);
                break;
            }
        }
        corrections
    }

    fn release(&mut self, n: usize) {
        self.held.clear();
        self.held.resize(n, false);
        self.last.clear();
    }

    /// The length of the next pull, given that of the last: what would have made this one vanish
    /// (Barzilai & Borwein, *IMA J. Numer. Anal.* 8, 1988), or 1 when other variables are free.
    /// On curved ground successive pulls shrink by a steady factor; this takes the sum at once.
    fn stretched(&mut self, length: f64) -> f64 {
        let comparable = self.last.len() == self.pull.len();
        let ratio = dot(&self.pull, &self.last) / dot(&self.last, &self.last);
        self.last.clone_from(&self.pull);
        if comparable { (length / (1.0 - ratio)).clamp(0.5, 2.0) } else { 1.0 }
    }

    /// Fills `free` and the `pull` over them: the part of `x₀ − x` that the goals do not see.
    ///
    /// Held are variables whose bound the goals press against, and then, one at a time, those at
    /// a bound that the pull would leave.
    fn choose_direction(
        &mut self,
        lm: &LevenbergMarquardt,
        problem: &Problem,
        x0: &[f64],
        tolerance: f64,
    ) {
        let x = &lm.now.x;
        self.free.clear();
        self.free.extend((0..x.len()).filter(|&k| {
            let slope = lm.gradient[k];
            let pressed = (x[k] <= problem.lower[k] && slope > tolerance)
                || (x[k] >= problem.upper[k] && slope < -tolerance);
            !pressed && !self.held[k] && problem.lower[k] < problem.upper[k]
        }));
        loop {
            self.project(lm, x0);
            let outward = |&(place, &k): &(usize, &usize)| {
                let pull = self.pull[place];
                (x[k] <= problem.lower[k] && pull < 0.0) || (x[k] >= problem.upper[k] && pull > 0.0)
            };
            let leaving = self.free.iter().enumerate().filter(outward);
            let worst = leaving
                .max_by(|(a, _), (b, _)| self.pull[*a].abs().total_cmp(&self.pull[*b].abs()));
            match worst.map(|(place, _)| place) {
                None => return,
                Some(place) => {
                    let k = self.free.remove(place);
                    self.held[k] = true;
                }
            }
        }
    }

    fn project(&mut self, lm: &LevenbergMarquardt, x0: &[f64]) {
        self.pull.clear();
        if self.has_full_rank(lm) {
            return self.pull.resize(self.free.len(), 0.0);
        }
        let n = lm.now.x.len();
        self.columns.clear();
        for row in lm.jacobian.chunks_exact(n) {
            self.columns.extend(self.free.iter().map(|&k| row[k]));
        }
        self.space.update(&self.columns, self.free.len(), CUT);
        self.pull.extend(self.free.iter().map(|&k| x0[k] - lm.now.x[k]));
        self.space.remove_from(&mut self.pull);
    }

    /// Whether the pivots of `JᵀJ` leave no doubt that there is no null space: the cheap way out.
    fn has_full_rank(&mut self, lm: &LevenbergMarquardt) -> bool {
        let (n, f) = (lm.now.x.len(), self.free.len());
        self.matrix.resize(n * n, 0.0);
        for (row, &k) in self.free.iter().enumerate() {
            for (column, &l) in self.free.iter().enumerate().skip(row) {
                self.matrix[row * f + column] = lm.gram[k * n + l];
            }
        }
        cholesky(&mut self.matrix, f).is_some_and(|(least, greatest)| least > 1e-9 * greatest)
    }

    /// Moves `lm.now.x` from the saved place by `part` of the pull, but into no bound.
    fn advance(&mut self, lm: &mut LevenbergMarquardt, problem: &Problem, part: f64) {
        let (mut length, mut blocked) = (part, None);
        for (&k, &pull) in self.free.iter().zip(&self.pull) {
            let bound = if pull < 0.0 { problem.lower[k] } else { problem.upper[k] };
            let room = (bound - self.saved[k]) / pull;
            if room < length {
                (length, blocked) = (room.max(0.0), Some((k, bound)));
            }
        }
        for (&k, &pull) in self.free.iter().zip(&self.pull) {
            lm.now.x[k] = problem.clamp(k, self.saved[k] + length * pull);
        }
        if let Some((k, bound)) = blocked {
            lm.now.x[k] = bound;
            self.held[k] = true;
            self.last.clear();
        }
        for k in (0..lm.now.x.len()).filter(|k| !self.free.contains(k)) {
            lm.now.x[k] = self.saved[k];
        }
    }
}

fn correct(lm: &mut LevenbergMarquardt, problem: &Problem, tolerance: f64) -> usize {
    let mut steps = 0;
    while lm.projected > tolerance && steps < MOST_CORRECTIONS {
        steps += 1;
        if lm.step(problem, tolerance).is_some() {
            break;
        }
    }
    steps
}

fn distance(x: &[f64], x0: &[f64]) -> f64 {
    x.iter().zip(x0).map(|(x, x0)| (x - x0) * (x - x0)).sum()
}
