//! Linear algebra of the goals: normal equations, Hessians, loads of links, bounded quadratics.

pub(crate) mod hessian;
pub(crate) mod linear;
pub(crate) mod loads;
pub(crate) mod quadratic;
