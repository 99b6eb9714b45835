//! The bounded Levenberg-Marquardt iteration.

use crate::curvature::Products;
use crate::evaluation::Evaluation;
use crate::linear::{Block, add_scaled, blocks, dot, gram, greatest};
use crate::loads::Loads;
use crate::quadratic::{At, BoxQuadratic, Model};
use crate::{Problem, Termination};

/// Damping at the start, per unit of the projected gradient.
const FIRST_DAMPING: f64 = 0.1;
/// Least damping, relative to the greatest diagonal element: keeps the model definite.
const LEAST_DAMPING: f64 = 1e-12;
/// Damping relative to the greatest diagonal element at which no step can help any more.
const MOST_DAMPING: f64 = 1e12;
/// Changes of the cost below this part of it are lost in rounding.
const COST_NOISE: f64 = 1e-13;
/// A step that leaves less than this part of the projected gradient came from a model that is good enough
/// for the next one.
const FAST: f64 = 0.01;
/// Pivots whose ratio is greater than this are those of a matrix of full rank.
const SEEN: f64 = 1e-6;
/// Damping above this part of the least pivot that counts as seen would be what is seen.
const DAMPED: f64 = 1e-3;
/// A step that leaves more than this part of the projected gradient is followed by one on the
/// exact Hessian: Gauss-Newton is slow where goals stay unmet.
const SLOW: f64 = 0.1;

/// State and memory of the iteration.
///
/// Each step minimises `½|r + Js|² + ½λ|s|²` in the box, `λ = μ |projected gradient|`, which
/// keeps quadratic convergence where `JᵀJ` is singular and the goals can be met (after Fan & Yuan,
/// *Computing* 74, 2005, who damp by the residual); μ
/// follows the gain ratio (Nielsen, IMM-REP-1999-05). Once Gauss-Newton has been slow, the exact
/// Hessian takes the place of `JᵀJ` wherever it is positive definite.
#[derive(Clone, Debug, Default)]
pub(crate) struct LevenbergMarquardt {
    /// Where the iteration is.
    pub(crate) now: Evaluation,
    trial: Evaluation,
    /// J at `now` once it was asked for, (m, n).
    jacobian: Vec<Block>,
    /// JᵀJ, (n, n), where `modelled`.
    gram: Vec<Block>,
    /// Whether `gram`, and `hessian` where it is wanted, are those of `now` or of a place near enough.
    modelled: bool,
    /// Jᵀr, (n,).
    pub(crate) gradient: Vec<f64>,
    /// Greatest component of the projected gradient.
    pub(crate) projected: f64,
    /// Whether a step since the start showed Gauss-Newton to be slow.
    slow: bool,
    /// JᵀJ + Σ rᵢ ∇²rᵢ, (n, n), when needed.
    hessian: Vec<Block>,
    products: Products,
    loads: Loads,
    quadratic: BoxQuadratic,
    lower: Vec<f64>,
    upper: Vec<f64>,
    damping: f64,
    /// λ of the last step.
    last_damping: f64,
    growth: f64,
}

impl LevenbergMarquardt {
    /// Puts the iteration at the problem's start, moved into its box.
    pub(crate) fn begin(&mut self, problem: &Problem) {
        let (m, n) = (problem.rows(), problem.columns());
        self.now.resize(problem);
        self.trial.resize(problem);
        self.jacobian.resize(m * blocks(n), [0.0; 4]);
        self.gram.resize(n * blocks(n), [0.0; 4]);
        self.hessian.resize(n * blocks(n), [0.0; 4]);
        self.products.resize(n);
        self.quadratic.reserve(n);
        self.gradient.resize(n, 0.0);
        self.lower.resize(n, 0.0);
        self.upper.resize(n, 0.0);
        for (k, x) in self.now.x.iter_mut().enumerate() {
            *x = problem.clamp(k, problem.start[k]);
        }
        self.restart(problem);
    }

    /// Begins anew at `now.x`.
    pub(crate) fn restart(&mut self, problem: &Problem) {
        (self.damping, self.growth, self.slow) = (FIRST_DAMPING, 2.0, false);
        self.modelled = false;
        self.now.update(problem);
        self.slope(problem);
    }

    fn slope(&mut self, problem: &Problem) {
        let Evaluation { configuration, residual, .. } = &self.now;
        problem.gradient(configuration, residual, &mut self.loads, &mut self.gradient);
        let components = (0..self.gradient.len()).map(|k| self.projected_component(problem, k));
        self.projected = greatest(components);
    }

    /// The gradient of variable `k`, 0 where only its bound stops it.
    pub(crate) fn projected_component(&self, problem: &Problem, k: usize) -> f64 {
        let (x, slope) = (self.now.x[k], self.gradient[k]);
        let stopped = (x <= problem.lower[k] && slope > 0.0)
            || (x >= problem.upper[k] && slope < 0.0)
            || problem.lower[k] == problem.upper[k];
        if stopped { 0.0 } else { slope }
    }

    /// Whether cost and gradient are numbers.
    pub(crate) fn is_finite(&self) -> bool {
        self.now.cost.is_finite() && self.gradient.iter().all(|slope| slope.is_finite())
    }

    /// Tries one step; says when there is nothing more to do.
    pub(crate) fn step(&mut self, problem: &Problem, tolerance: f64) -> Option<Termination> {
        self.model(problem);
        let width = blocks(self.gradient.len());
        let diagonal = |k: usize| self.gram[k * width + k / 4][k % 4];
        let scale = greatest((0..self.gradient.len()).map(diagonal));
        let damping = (self.damping * self.projected).max(LEAST_DAMPING * scale);
        self.last_damping = damping;
        if damping > MOST_DAMPING * scale {
            return Some(Termination::Stalled);
        }
        let Some(predicted) = self.propose(problem, damping) else {
            self.reject();
            return None;
        };
        self.trial.update(problem);
        let noise = COST_NOISE * self.now.cost;
        if predicted <= noise {
            return self.step_below_noise(problem, tolerance, noise);
        }
        let ratio = (self.now.cost - self.trial.cost) / predicted;
        if ratio > 1e-4 {
            let surplus = 2.0 * ratio - 1.0;
            let shrink = 1.0 - surplus * surplus * surplus;
            self.damping = (self.damping * shrink.clamp(0.1, 2.0)).max(1e-6);
            self.growth = 2.0;
            self.accept(problem);
        } else {
            self.reject();
            self.modelled &= self.slow;
            self.slow = true;
        }
        (self.projected <= tolerance).then_some(Termination::Converged)
    }

    /// Fills `trial.x`, inside the box to the bit, and returns how much the model gains.
    fn propose(&mut self, problem: &Problem, damping: f64) -> Option<f64> {
        for (k, x) in self.now.x.iter().enumerate() {
            self.lower[k] = (problem.lower[k] - x).min(0.0);
            self.upper[k] = (problem.upper[k] - x).max(0.0);
        }
        let model = Model {
            hessian: &self.gram,
            damping,
            gradient: &self.gradient,
            lower: &self.lower,
            upper: &self.upper,
        };
        let exact = Model { hessian: &self.hessian, ..model };
        // Where the Hessian is not positive definite, Gauss-Newton's is.
        let solved = (self.slow && self.quadratic.solve(&exact)) || self.quadratic.solve(&model);
        if !solved {
            return None;
        }
        let step = &self.quadratic.step;
        for (k, trial) in self.trial.x.iter_mut().enumerate() {
            *trial = match self.quadratic.at[k] {
                At::Lower => problem.lower[k],
                At::Upper => problem.upper[k],
                At::Free => problem.clamp(k, self.now.x[k] + step[k]),
            };
        }
        // slope = g + (H + λ) s, so  −gᵀs − ½ sᵀHs = −½ (g + slope)ᵀs + ½ λ sᵀs.
        let linear = dot(&self.gradient, step) + dot(self.quadratic.slope(), step);
        Some(0.5 * (damping * dot(step, step) - linear))
    }

    fn accept(&mut self, problem: &Problem) {
        let before = self.projected;
        std::mem::swap(&mut self.now, &mut self.trial);
        self.slope(problem);
        self.slow |= self.projected > SLOW * before;
        self.modelled &= self.projected < FAST * before;
    }

    /// Fills in JᵀJ and, once Gauss-Newton was slow, the exact Hessian.
    fn model(&mut self, problem: &Problem) {
        if self.modelled {
            return;
        }
        self.modelled = true;
        self.gram(problem);
        if self.slow {
            let Evaluation { x, configuration, .. } = &self.now;
            let hessian = &mut self.hessian;
            self.products.curvature(problem, configuration, x, &self.gradient, hessian);
            add_scaled(hessian.as_flattened_mut(), 1.0, self.gram.as_flattened());
        }
    }

    /// Whether the pivots of the last step's JᵀJ leave no doubt that the goals see all that `free` does.
    pub(crate) fn sees(&self, free: &[usize]) -> bool {
        let (least, greatest) = self.quadratic.pivots;
        let damped = self.last_damping > DAMPED * SEEN * greatest;
        !self.slow
            && !damped
            && least > SEEN * greatest
            && free.iter().all(|&k| self.quadratic.at[k] == At::Free)
    }

    /// J at `now`, (m, n).
    pub(crate) fn jacobian(&mut self, problem: &Problem) -> &[Block] {
        let stride = 4 * blocks(self.gradient.len());
        let flat = self.jacobian.as_flattened_mut();
        problem.strided_jacobian(&self.now.configuration, stride, flat);
        &self.jacobian
    }

    /// JᵀJ at `now`, (n, n).
    pub(crate) fn gram(&mut self, problem: &Problem) -> &[Block] {
        self.jacobian(problem);
        gram(&self.jacobian, self.gradient.len(), &mut self.gram);
        &self.gram
    }

    fn reject(&mut self) {
        self.damping = (self.damping * self.growth).max(1e-6);
        self.growth *= 2.0;
    }

    /// The cost can no longer judge a step: the projected gradient does.
    fn step_below_noise(
        &mut self,
        problem: &Problem,
        tolerance: f64,
        noise: f64,
    ) -> Option<Termination> {
        if self.trial.cost > self.now.cost + noise {
            return Some(Termination::Stalled);
        }
        let before = self.projected;
        self.accept(problem);
        if self.projected > 0.9 * before {
            std::mem::swap(&mut self.now, &mut self.trial);
            self.slope(problem);
            return Some(Termination::Stalled);
        }
        (self.projected <= tolerance).then_some(Termination::Converged)
    }
}
