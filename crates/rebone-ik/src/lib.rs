//! Inverse kinematics: chains, their variables and limits, goals, and solvers.
//!
//! ```text
//! min ½ |r(x)|²   over   lower ≤ x ≤ upper
//! ```
//!
//! A [`Chain`] is a flat array of links, parents first. The variables `x` are the joints' own
//! coordinates: angles of hinges, swing and twist of ball joints, a rotation vector and a shift
//! for what floats. In them limits are boxes, and an answer is in its box to the bit. A [`Goal`]
//! says where a place, a direction or a frame should be. Goals with weights are added up and can
//! be traded; limits cannot.
//!
//! A [`Problem`] is built once; for each frame wanted values, box and start are filled in, and a
//! [`Solver`], which owns all memory, finds the minimum without allocation.
//!
//! ```
//! use nalgebra::Vector3;
//! use rebone_ik::{Chain, Goal, Link, LinkId, LinkMotion, Options, Point, Problem, Solver};
//!
//! // An arm along Y: a ball joint at the origin, an elbow that bends about X.
//! let (upper, fore) = (LinkId(0), LinkId(1));
//! let elbow = LinkMotion::Axes(vec![Vector3::x_axis()]);
//! let chain = Chain::new(vec![
//!     Link::new(None, Vector3::zeros(), LinkMotion::SwingTwist),
//!     Link::new(Some(upper), Vector3::new(0.0, 0.3, 0.0), elbow),
//! ])?;
//!
//! let wrist = Point { link: fore, offset: Vector3::new(0.0, 0.25, 0.0) };
//! let wanted = Vector3::new(0.2, 0.3, 0.1);
//! let mut problem = Problem::new(chain, vec![Goal::position(1.0, wrist, wanted)])?;
//! (problem.lower[3], problem.upper[3]) = (0.0, 2.6);
//! problem.start[3] = 0.5;
//!
//! let mut solver = Solver::new(Options::default());
//! let solution = solver.solve(&problem);
//! assert!(solution.cost < 1e-18);
//! assert!((solver.configuration().point(&wrist) - wanted).norm() < 1e-9);
//! # Ok::<(), rebone_ik::IkError>(())
//! ```

mod chain;

mod configuration;

mod coordinates;

mod goal;

mod problem;

mod solution;

mod solver;

mod methods;

pub mod check;

mod error;

mod curvature;
mod evaluation;
mod linear;
mod lm;
mod loads;
mod null_space;
mod quadratic;
mod so3;

pub use chain::{Base, Chain, Link, LinkId, LinkMotion, Variable};
pub use configuration::Configuration;
pub use error::IkError;
pub use goal::{Axial, Direction, Goal, Kind, Orientation, Place, Point, Position};
pub use methods::{InBox, Method, UnknownMethod, solve_with};
pub use problem::Problem;
pub use solution::{Options, Pressure, Solution, Termination};
pub use solver::Solver;

/// So that unit tests can use the support of the integration tests.
#[cfg(test)]
extern crate self as rebone_ik;

#[cfg(test)]
#[path = "../tests/support/mod.rs"]
mod support;
