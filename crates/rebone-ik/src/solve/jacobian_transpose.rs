//! Steps along the transpose of the Jacobian, for comparison.

use super::lm::LevenbergMarquardt;
use crate::algebra::linear::{blocks, max_abs};
use crate::{Problem, Termination};

/// Greatest change of a variable in one step: 30 degrees, or half a metre.
const MAX_STEP: f64 = std::f64::consts::FRAC_PI_6;
/// Most halvings of a step that raises the cost.
const MAX_HALVINGS: usize = 12;

impl LevenbergMarquardt {
    /// Tries one step `Δx = α Jᵀe` with `e = −r`, clamped to the box; returns the reason when the iteration ends.
    ///
    /// `α = ⟨e, JJᵀe⟩ / ⟨JJᵀe, JJᵀe⟩` is the least of the linear model along the step (Buss, *Introduction to inverse
    /// kinematics*, 2009). Variables at a bound that the step would leave the box through stay. A step that raises the
    /// cost is halved.
    pub(crate) fn transposed_step(
        &mut self,
        problem: &Problem,
        tolerance: f64,
    ) -> Option<Termination> {
        let n = self.gradient.len();
        self.jacobian(problem);
        let gradient = |k: usize| self.projected_component(problem, k);
        let image = |row: &[[f64; 4]]| (0..n).map(|k| row[k / 4][k % 4] * gradient(k)).sum::<f64>();
        let gradient_square: f64 = (0..n).map(|k| gradient(k) * gradient(k)).sum();
        let rows = self.jacobian.chunks_exact(blocks(n));
        let image_square: f64 = rows.map(|row| image(row).powi(2)).sum();
        let max_alpha = MAX_STEP / max_abs((0..n).map(gradient));
        let mut alpha = (gradient_square / image_square).min(max_alpha);
        if !alpha.is_finite() {
            return Some(Termination::Stalled);
        }
        for _ in 0..=MAX_HALVINGS {
            for k in 0..n {
                let step = alpha * self.projected_component(problem, k);
                self.trial.x[k] = problem.clamp(k, self.current.x[k] - step);
            }
            self.trial.update(problem);
            if self.trial.cost < self.current.cost {
                self.accept(problem);
                return (self.projected <= tolerance).then_some(Termination::Converged);
            }
            alpha /= 2.0;
        }
        Some(Termination::Stalled)
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        Chain, Configuration, Goal, Link, LinkId, LinkMotion, Options, Point, Problem, Solver,
        SolverKind, Termination, solve_with,
    };
    use nalgebra::Vector3;

    const UPPER: f64 = 0.3;
    const LOWER: f64 = 0.25;

    /// A planar arm of two hinges about Z, its upper bone along X at rest.
    fn arm(target: Vector3<f64>) -> Problem {
        let hinge = || LinkMotion::Axes(vec![Vector3::z_axis()]);
        let chain = Chain::new(vec![
            Link::new(None, Vector3::zeros(), hinge()),
            Link::new(Some(LinkId(0)), Vector3::x() * UPPER, hinge()),
        ]);
        let wrist = Point { link: LinkId(1), offset: Vector3::x() * LOWER };
        Problem::new(chain.unwrap(), vec![Goal::position(1.0, wrist, target)]).unwrap()
    }

    /// At `x = (0, π/2)` the wrist is at (0.3, 0.25), and `J = [[−0.25, −0.25], [0.3, 0]]`. With `e = (0, 0.1)`:
    /// `Jᵀe = (0.03, 0)`, `JJᵀe = (−0.0075, 0.009)`, `α = 0.0009 / 0.00013725`.
    #[test]
    fn the_first_step_is_that_of_the_formula() {
        let mut problem = arm(Vector3::new(UPPER, LOWER + 0.1, 0.0));
        problem.start = vec![0.0, std::f64::consts::FRAC_PI_2];
        let options = Options { max_iterations: 1, ..SolverKind::JacobianTranspose.options() };
        let (x, solution) = solve_with(SolverKind::JacobianTranspose, &problem, options).unwrap();
        assert_eq!((solution.iterations, solution.termination), (1, Termination::IterationLimit));
        assert!((x[0] - 0.0009 / 0.00013725 * 0.03).abs() < 1e-12, "{x:?}");
        assert!((x[1] - problem.start[1]).abs() < 1e-12, "{x:?}");
    }

    #[test]
    fn a_planar_arm_reaches_what_is_within_reach() {
        for target in [[0.4, 0.2], [0.1, 0.3], [-0.2, 0.35], [0.3, -0.3]] {
            let target = Vector3::new(target[0], target[1], 0.0);
            let mut problem = arm(target);
            problem.start = vec![0.3, 0.8];
            let kind = SolverKind::JacobianTranspose;
            let (x, solution) = solve_with(kind, &problem, kind.options()).unwrap();
            assert_eq!(solution.termination, Termination::Converged, "{target}");
            let at = Configuration::new(&problem.chain, &x).unwrap();
            let wrist = Point { link: LinkId(1), offset: Vector3::x() * LOWER };
            let off = (at.position(&wrist.into()).unwrap() - target).norm();
            assert!(off < 1e-6, "{target}: {off:.1e} off");
        }
    }

    #[test]
    fn steps_end_at_the_limits() {
        let mut problem = arm(Vector3::new(0.1, 0.3, 0.0));
        problem.start = vec![0.3, 0.8];
        (problem.lower[1], problem.upper[1]) = (0.0, 1.0);
        let mut solver = Solver::jacobian_transpose(SolverKind::JacobianTranspose.options());
        let solution = solver.solve(&problem).unwrap();
        assert_eq!(solver.x()[1], 1.0);
        assert!(solution.cost < solution.start_cost && solution.gradient < 1e-6);
        assert!(solver.active_bound(&problem, 1).unwrap().overshoot > 0.0);
    }
}
