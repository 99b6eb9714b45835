//! Bounded inverse kinematics: chains with joint limits, weighted goals, least-squares solvers.
//!
//! ```text
//! min ½ |r(x)|²   over   lower ≤ x ≤ upper
//! ```
//!
//! A [`Chain`] is a flat array of links, parents first. The variables `x` are joint coordinates:
//! hinge angles, swing and twist of ball joints, a rotation vector and a translation for a free
//! root. Joint limits are a box in these coordinates, which the solution never leaves, not by
//! rounding either. A [`Goal`] pulls a point, a direction or a frame to a target. Weighted goals
//! are traded off against each other; limits are not.
//!
//! Build a [`Problem`] once and set targets, box and start in each frame. A [`Solver`] owns all
//! memory and finds the minimum without allocation.
//!
//! ```
//! use nalgebra::Vector3;
//! use rebone_ik::{Chain, Goal, Link, LinkId, LinkMotion, Options, Point, Problem, Solver};
//!
//! // An arm along Y: a ball joint at the origin, an elbow that bends about X.
//! let (upper_arm, forearm) = (LinkId(0), LinkId(1));
//! let elbow = LinkMotion::Axes(vec![Vector3::x_axis()]);
//! let chain = Chain::new(vec![
//!     Link::new(None, Vector3::zeros(), LinkMotion::SwingTwist),
//!     Link::new(Some(upper_arm), Vector3::new(0.0, 0.3, 0.0), elbow),
//! ])?;
//!
//! let wrist = Point { link: forearm, offset: Vector3::new(0.0, 0.25, 0.0) };
//! let target = Vector3::new(0.2, 0.3, 0.1);
//! let mut problem = Problem::new(chain, vec![Goal::position(1.0, wrist, target)])?;
//! (problem.lower[3], problem.upper[3]) = (0.0, 2.6);
//! problem.start[3] = 0.5;
//!
//! let mut solver = Solver::new(Options::default());
//! let solution = solver.solve(&problem)?;
//! assert!(solution.cost < 1e-18);
//! let reached = solver.configuration().position(&wrist.into()).unwrap();
//! assert!((reached - target).norm() < 1e-9);
//! # Ok::<(), rebone_ik::IkError>(())
//! ```
//!
//! # Features
//!
//! `argmin` (default): argmin's simplex for comparison, and [`Solver`] as one of argmin's solvers.
//! Without it the crate builds for `wasm32-unknown-unknown`, and [`SolverKind`] has only
//! [`SolverKind::Lm`] and [`SolverKind::JacobianTranspose`].

mod algebra;
mod chain;
mod goal;
mod problem;
mod solve;

pub use chain::{
    Base, Chain, Configuration, IkError, Link, LinkId, LinkMotion, Point, PointRef, Variable,
};
pub use goal::{Axial, Direction, Goal, GoalKind, Orientation, Position};
pub use problem::Problem;
#[cfg(feature = "argmin")]
pub use solve::BoundedProblem;
pub use solve::{
    ActiveBound, Options, Solution, Solver, SolverKind, Termination, UnknownSolver, solve_with,
};

/// Lets unit tests use the support of the integration tests.
#[cfg(test)]
extern crate self as rebone_ik;

#[cfg(test)]
#[path = "../tests/support/mod.rs"]
mod support;
