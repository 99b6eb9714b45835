//! Self-contact: hands that touch the body on the source touch the same places on the target, and arms go no deeper into
//! the body than the source's.

mod arm;
mod clearance;
mod goals;
mod quadratic;
mod solve;
mod touch;
mod twist;

pub(crate) use solve::Piece;
