//! The pull towards the start, in what the goals leave free.

use crate::Problem;
use crate::linear::{Block, RowSpace, blocks, cholesky, chosen, dot, greatest, make_room};
use crate::lm::LevenbergMarquardt;

/// Rows that are left below this part of the first count as none.
const CUT: f64 = 1e-6;
/// The pull ends when it would move no variable by more than this.
const SMALLEST_STEP: f64 = 1e-10;
/// Most pulls of one solve.
const MOST_PULLS: usize = 40;
/// Most steps of the solver to meet the goals again after a pull.
const MOST_CORRECTIONS: usize = 8;

/// Memory of the pull.
///
/// At a minimum of the goals, linearised there, the nearest point to the start that the goals do
/// not tell apart is found in the box: steps `(I − J⁺J)(x₀ − x)` over the free columns as far as
/// the nearest bound, where a variable is held until the others are done. The variables go there,
/// and the solver meets the goals again, which at a small damping is the step `−J⁺r`. Where that
/// ends with a higher cost or no nearer to the start, a quarter of the way is tried. So the cost
/// does not rise, and among the minima the answer is, locally, the one nearest to the start.
#[derive(Clone, Debug, Default)]
pub(crate) struct NullSpace {
    space: RowSpace,
    /// Variables that neither the goals press against a bound nor `held` holds.
    free: Vec<usize>,
    /// Variables that the way to `target` brought to a bound.
    held: Vec<bool>,
    columns: Vec<f64>,
    /// A step of the free variables.
    step: Vec<f64>,
    /// Where the linearised pull ends, inside the box.
    target: Vec<f64>,
    /// `target − x`, and that of the pull before.
    pull: Vec<f64>,
    last: Vec<f64>,
    last_free: Vec<usize>,
    saved: Vec<f64>,
    matrix: Vec<Block>,
}

impl NullSpace {
    /// Makes room for a problem of m rows and n variables: no allocation after that.
    pub(crate) fn reserve(&mut self, m: usize, n: usize) {
        self.space.reserve(m, n);
        make_room(&mut self.columns, m * n);
        make_room(&mut self.matrix, n * blocks(n));
        make_room(&mut self.free, n);
        make_room(&mut self.last_free, n);
        make_room(&mut self.held, n);
        for list in
            [&mut self.step, &mut self.target, &mut self.pull, &mut self.last, &mut self.saved]
        {
            make_room(list, n);
        }
    }

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
        let mut length = 1.0;
        self.last.clear();
        for _ in 0..MOST_PULLS {
            self.find_target(lm, problem, x0, tolerance);
            self.pull.clear();
            self.pull.extend(self.target.iter().zip(&lm.now.x).map(|(target, x)| target - x));
            if greatest(self.pull.iter().copied()) <= SMALLEST_STEP {
                self.land(lm, problem);
                break;
            }
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

    /// Puts variables that came as near to their bound as the last pull is small onto it.
    fn land(&self, lm: &mut LevenbergMarquardt, problem: &Problem) {
        let mut moved = false;
        for k in (0..self.held.len()).filter(|&k| self.held[k]) {
            moved |= lm.now.x[k] != self.target[k];
            lm.now.x[k] = self.target[k];
        }
        if moved {
            lm.restart(problem);
        }
    }

    /// The length of the next pull, given that of the last: what would have made this one vanish
    /// (Barzilai & Borwein, *IMA J. Numer. Anal.* 8, 1988). On curved ground successive pulls
    /// shrink by a steady factor; this takes the sum at once. Not when other variables are free.
    fn stretched(&mut self, length: f64) -> f64 {
        let comparable = self.last_free == self.free && !self.last.is_empty();
        let ratio = dot(&self.pull, &self.last) / dot(&self.last, &self.last);
        self.last.clone_from(&self.pull);
        self.last_free.clone_from(&self.free);
        if comparable { (length / (1.0 - ratio)).clamp(0.5, 2.0) } else { 1.0 }
    }

    /// Fills `target`.
    fn find_target(
        &mut self,
        lm: &mut LevenbergMarquardt,
        problem: &Problem,
        x0: &[f64],
        tolerance: f64,
    ) {
        let n = x0.len();
        self.target.clear();
        self.target.extend_from_slice(&lm.now.x);
        self.release(n);
        let mut released = true;
        for _ in 0..3 * n {
            self.find_step(lm, problem, x0, tolerance);
            let small = greatest(self.step.iter().copied()) <= 0.1 * SMALLEST_STEP;
            if small && released {
                break;
            }
            if small {
                self.release(n);
                released = true;
                continue;
            }
            released = false;
            if let Some(k) = self.walk(problem) {
                self.held[k] = true;
            } else if !self.held.contains(&true) {
                break;
            }
        }
    }

    fn release(&mut self, n: usize) {
        self.held.clear();
        self.held.resize(n, false);
    }

    /// Fills `free` and the `step` over them: the part of `x₀ − target` that the goals do not see.
    /// Of variables at a bound, those that the step would take outside are held, one at a time.
    fn find_step(
        &mut self,
        lm: &mut LevenbergMarquardt,
        problem: &Problem,
        x0: &[f64],
        tolerance: f64,
    ) {
        self.free.clear();
        self.free.extend((0..x0.len()).filter(|&k| {
            let (x, slope) = (lm.now.x[k], lm.gradient[k]);
            let pressed = (x <= problem.lower[k] && slope > tolerance)
                || (x >= problem.upper[k] && slope < -tolerance);
            !pressed && !self.held[k] && problem.lower[k] < problem.upper[k]
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
        self.space.update(&self.columns, self.free.len(), CUT);
        self.step.extend(self.free.iter().map(|&k| x0[k] - self.target[k]));
        self.space.remove_from(&mut self.step);
    }

    /// Whether the pivots of `JᵀJ` leave no doubt that there is no null space: the cheap way out.
    fn has_full_rank(&mut self, lm: &mut LevenbergMarquardt, problem: &Problem) -> bool {
        let (n, f) = (lm.now.x.len(), self.free.len());
        if lm.sees(&self.free) {
            return true;
        }
        chosen(lm.gram(problem), n, &self.free, &mut self.matrix);
        cholesky(&mut self.matrix, f).is_some_and(|(least, greatest)| least > 1e-9 * greatest)
    }

    /// Takes `target` along the step, at most to the nearest bound; returns the variable there.
    fn walk(&mut self, problem: &Problem) -> Option<usize> {
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

    /// Moves `lm.now.x` from the saved place by `part` of the pull, inside the box.
    fn advance(&self, lm: &mut LevenbergMarquardt, problem: &Problem, part: f64) {
        if part == 1.0 {
            return lm.now.x.copy_from_slice(&self.target);
        }
        for (k, x) in lm.now.x.iter_mut().enumerate() {
            *x = problem.clamp(k, self.saved[k] + part * self.pull[k]);
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
