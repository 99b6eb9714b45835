//! Self-contact: hands that touch the body on the source touch the same places on the target, and arms go no deeper into
//! the body than the source's.

mod arm;
mod clearance;
mod goals;
mod row;
mod solve;
mod touch;

pub(crate) use solve::Piece;
