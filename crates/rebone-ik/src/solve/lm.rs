//! Bounded Levenberg-Marquardt iteration.

use super::evaluation::Evaluation;
use crate::algebra::hessian::HessianTerms;
use crate::algebra::linear::{Block, add_scaled, blocks, dot, gram, max_abs};
use crate::algebra::loads::Loads;
use crate::algebra::quadratic::{BoundState, BoxQuadratic, Model};
use crate::{Problem, Termination};

/// Initial damping per unit of the projected gradient.
const INITIAL_DAMPING: f64 = 0.1;
/// Least damping, relative to the greatest diagonal element of JᵀJ; keeps the model definite.
const MIN_RELATIVE_DAMPING: f64 = 1e-12;
/// Damping relative to the greatest diagonal element of JᵀJ above which the iteration has stalled.
const MAX_RELATIVE_DAMPING: f64 = 1e12;
/// Rounding noise of the cost, relative to it.
const RELATIVE_COST_NOISE: f64 = 1e-13;
/// Ratio of the projected gradients after and before a step below which the model is kept for the next
/// step.
const FAST_GRADIENT_RATIO: f64 = 0.01;
/// Least ratio of the pivots of a matrix of full rank.
const RANK_TOLERANCE: f64 = 1e-6;
/// Greatest damping, relative to the least pivot of full rank, at which pivots show the rank.
const MAX_RANK_DAMPING_RATIO: f64 = 1e-3;
/// Ratio of the projected gradients after and before a step above which later steps use the exact
/// Hessian: Gauss-Newton converges slowly where the residual stays large.
const SLOW_GRADIENT_RATIO: f64 = 0.1;

/// State and memory of the iteration.
///
/// Each step minimises `½|r + Js|² + ½λ|s|²` in the box, `λ = μ |projected gradient|`, which
/// keeps quadratic convergence where `JᵀJ` is singular and the goals can be met (after Fan & Yuan,
/// *Computing* 74, 2005, who damp by the residual); μ
/// follows the gain ratio (Nielsen, IMM-REP-1999-05). Once Gauss-Newton has converged
/// slowly, the exact Hessian replaces `JᵀJ` wherever it is positive definite.
#[derive(Clone, Debug, Default)]
pub(crate) struct LevenbergMarquardt {
    /// Current point.
    pub(crate) current: Evaluation,
    pub(crate) trial: Evaluation,
    /// J, (m, n), of the last call of `jacobian`.
    pub(crate) jacobian: Vec<Block>,
    /// JᵀJ, (n, n), valid where `model_is_current`.
    gram: Vec<Block>,
    /// True where `gram`, and `hessian` where it is used, belong to the current point or one near enough.
    model_is_current: bool,
    /// Jᵀr at the current point, (n,).
    pub(crate) gradient: Vec<f64>,
    /// Greatest component of the projected gradient.
    pub(crate) projected: f64,
    /// True once Gauss-Newton has converged slowly since the restart.
    use_hessian: bool,
    /// JᵀJ + Σ rᵢ ∇²rᵢ, (n, n), where `use_hessian`.
    hessian: Vec<Block>,
    hessian_terms: HessianTerms,
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
    /// Moves to the problem's start, clamped to its box.
    pub(crate) fn begin(&mut self, problem: &Problem) {
        let (m, n) = (problem.rows(), problem.columns());
        self.current.resize(problem);
        self.trial.resize(problem);
        self.jacobian.resize(m * blocks(n), [0.0; 4]);
        self.gram.resize(n * blocks(n), [0.0; 4]);
        self.hessian.resize(n * blocks(n), [0.0; 4]);
        self.hessian_terms.resize(n);
        self.quadratic.reserve(n);
        self.gradient.resize(n, 0.0);
        self.lower.resize(n, 0.0);
        self.upper.resize(n, 0.0);
        for (k, x) in self.current.x.iter_mut().enumerate() {
            *x = problem.clamp(k, problem.start[k]);
        }
        self.restart(problem);
    }

    /// Restarts the iteration at `current.x`.
    pub(crate) fn restart(&mut self, problem: &Problem) {
        (self.damping, self.growth, self.use_hessian) = (INITIAL_DAMPING, 2.0, false);
        self.model_is_current = false;
        self.current.update(problem);
        self.update_gradient(problem);
    }

    /// Computes the gradient at the current point.
    fn update_gradient(&mut self, problem: &Problem) {
        let Evaluation { configuration, residual, .. } = &self.current;
        problem.gradient(configuration, residual, &mut self.loads, &mut self.gradient);
        let components = (0..self.gradient.len()).map(|k| self.projected_component(problem, k));
        self.projected = max_abs(components);
    }

    /// Gradient of variable `k`, 0 where it points out of the box at a bound.
    pub(crate) fn projected_component(&self, problem: &Problem, k: usize) -> f64 {
        let (x, gradient) = (self.current.x[k], self.gradient[k]);
        let is_blocked = (x <= problem.lower[k] && gradient > 0.0)
            || (x >= problem.upper[k] && gradient < 0.0)
            || problem.lower[k] == problem.upper[k];
        if is_blocked { 0.0 } else { gradient }
    }

    /// Returns true where cost and gradient are finite.
    pub(crate) fn is_finite(&self) -> bool {
        self.current.cost.is_finite() && self.gradient.iter().all(|gradient| gradient.is_finite())
    }

    /// Tries one step; returns the reason when the iteration ends.
    pub(crate) fn step(&mut self, problem: &Problem, tolerance: f64) -> Option<Termination> {
        self.update_model(problem);
        let width = blocks(self.gradient.len());
        let diagonal = |k: usize| self.gram[k * width + k / 4][k % 4];
        let scale = max_abs((0..self.gradient.len()).map(diagonal));
        let damping = (self.damping * self.projected).max(MIN_RELATIVE_DAMPING * scale);
        self.last_damping = damping;
        if damping > MAX_RELATIVE_DAMPING * scale {
            return Some(Termination::Stalled);
        }
        let Some(predicted) = self.trial_step(problem, damping) else {
            self.reject();
            return None;
        };
        self.trial.update(problem);
        let noise = RELATIVE_COST_NOISE * self.current.cost;
        if predicted <= noise {
            return self.step_below_noise(problem, tolerance, noise);
        }
        let ratio = (self.current.cost - self.trial.cost) / predicted;
        if ratio > 1e-4 {
            let gain = 2.0 * ratio - 1.0;
            let shrink = 1.0 - gain * gain * gain;
            self.damping = (self.damping * shrink.clamp(0.1, 2.0)).max(1e-6);
            self.growth = 2.0;
            self.accept(problem);
        } else {
            self.reject();
            self.model_is_current &= self.use_hessian;
            self.use_hessian = true;
        }
        (self.projected <= tolerance).then_some(Termination::Converged)
    }

    /// Computes `trial.x`, inside the box bit for bit; returns the decrease of the cost in the model.
    fn trial_step(&mut self, problem: &Problem, damping: f64) -> Option<f64> {
        for (k, x) in self.current.x.iter().enumerate() {
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
        // Fall back to JᵀJ where the Hessian is not positive definite.
        let solved =
            (self.use_hessian && self.quadratic.solve(&exact)) || self.quadratic.solve(&model);
        if !solved {
            return None;
        }
        let step = &self.quadratic.step;
        for (k, trial) in self.trial.x.iter_mut().enumerate() {
            *trial = match self.quadratic.bounds[k] {
                BoundState::Lower => problem.lower[k],
                BoundState::Upper => problem.upper[k],
                BoundState::Free => problem.clamp(k, self.current.x[k] + step[k]),
            };
        }
        // With the model's gradient at s, q = g + (H + λ) s:  −gᵀs − ½ sᵀHs = −½ (g + q)ᵀs + ½ λ sᵀs.
        let linear = dot(&self.gradient, step) + dot(self.quadratic.gradient_at_step(), step);
        Some(0.5 * (damping * dot(step, step) - linear))
    }

    /// Moves to the trial point.
    pub(crate) fn accept(&mut self, problem: &Problem) {
        let before = self.projected;
        std::mem::swap(&mut self.current, &mut self.trial);
        self.update_gradient(problem);
        self.use_hessian |= self.projected > SLOW_GRADIENT_RATIO * before;
        self.model_is_current &= self.projected < FAST_GRADIENT_RATIO * before;
    }

    /// Computes JᵀJ and, once Gauss-Newton has converged slowly, the exact Hessian.
    fn update_model(&mut self, problem: &Problem) {
        if self.model_is_current {
            return;
        }
        self.model_is_current = true;
        self.gram(problem);
        if self.use_hessian {
            let Evaluation { x, configuration, .. } = &self.current;
            let hessian = &mut self.hessian;
            let terms = &mut self.hessian_terms;
            problem.second_order_hessian(configuration, x, &self.gradient, terms, hessian);
            add_scaled(hessian.as_flattened_mut(), 1.0, self.gram.as_flattened());
        }
    }

    /// Returns true where the pivots of the last step's JᵀJ prove full rank over the variables `free`.
    pub(crate) fn has_full_rank(&self, free: &[usize]) -> bool {
        let (least, greatest) = self.quadratic.pivots;
        let is_damped = self.last_damping > MAX_RANK_DAMPING_RATIO * RANK_TOLERANCE * greatest;
        !self.use_hessian
            && !is_damped
            && least > RANK_TOLERANCE * greatest
            && free.iter().all(|&k| self.quadratic.bounds[k] == BoundState::Free)
    }

    /// Computes J at the current point, (m, n).
    pub(crate) fn jacobian(&mut self, problem: &Problem) -> &[Block] {
        let stride = 4 * blocks(self.gradient.len());
        let flat = self.jacobian.as_flattened_mut();
        problem.strided_jacobian(&self.current.configuration, stride, flat);
        &self.jacobian
    }

    /// Computes JᵀJ at the current point, (n, n).
    pub(crate) fn gram(&mut self, problem: &Problem) -> &[Block] {
        self.jacobian(problem);
        gram(&self.jacobian, self.gradient.len(), &mut self.gram);
        &self.gram
    }

    fn reject(&mut self) {
        self.damping = (self.damping * self.growth).max(1e-6);
        self.growth *= 2.0;
    }

    /// Judges the trial step by the projected gradient, where changes of the cost are within rounding.
    fn step_below_noise(
        &mut self,
        problem: &Problem,
        tolerance: f64,
        noise: f64,
    ) -> Option<Termination> {
        if self.trial.cost > self.current.cost + noise {
            return Some(Termination::Stalled);
        }
        let before = self.projected;
        self.accept(problem);
        if self.projected > 0.9 * before {
            std::mem::swap(&mut self.current, &mut self.trial);
            self.update_gradient(problem);
            return Some(Termination::Stalled);
        }
        (self.projected <= tolerance).then_some(Termination::Converged)
    }
}
