//! Solvers and goals through public functions.

#[cfg(feature = "argmin")]
mod executor;
mod hostile_values;
mod jacobians;
mod null_space;
mod optimality;
#[path = "../support/mod.rs"]
mod support;
