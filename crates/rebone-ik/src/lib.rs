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

mod link;

mod chain;

mod point;

mod configuration;

mod coordinates;

mod goal;

mod problem;

mod solution;

mod solver;

mod solver_kind;

mod solve_with;

#[cfg(feature = "argmin")]
mod argmin;

mod error;

mod evaluation;
mod hessian;
mod jacobian_transpose;
mod linear;
mod lm;
mod loads;
mod null_space;
mod quadratic;
mod so3;

#[cfg(feature = "argmin")]
pub use argmin::BoundedProblem;
pub use chain::{Base, Chain, Variable};
pub use configuration::Configuration;
pub use error::IkError;
pub use goal::{Axial, Direction, Goal, GoalKind, Orientation, Position};
pub use link::{Link, LinkId, LinkMotion};
pub use point::{Point, PointRef};
pub use problem::Problem;
pub use solution::{ActiveBound, Options, Solution, Termination};
pub use solve_with::solve_with;
pub use solver::Solver;
pub use solver_kind::{SolverKind, UnknownSolver};

/// Lets unit tests use the support of the integration tests.
#[cfg(test)]
extern crate self as rebone_ik;

#[cfg(test)]
#[path = "../tests/support/mod.rs"]
mod support;
