//! Self-contact: hands that touch the body on the source touch the same places on the target, and arms go no deeper into
//! the body than the source's.

mod arm;
mod arm_goals;
mod choice;
mod clearance;
mod depths;
mod detect;
mod find_touches;
mod goals;
mod live;
mod parts;
mod piece;
mod quadratic;
mod slack;
mod solve;
mod touch;
mod twist;

pub(crate) use choice::TouchChoice;
pub use depths::arm_depths;
pub(crate) use live::LiveArmTurns;
pub(crate) use parts::segment_of;
pub(crate) use piece::Piece;
pub(crate) use slack::ContactSlack;
