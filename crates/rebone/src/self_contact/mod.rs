//! Self-contact: hands that touch the body on the source touch the same places on the target, and arms go no deeper into
//! the body than the source's.

mod arm;
mod choice;
mod depths;
mod detect;
mod goals;
mod live;
mod parts;
mod piece;
mod slack;
mod solve;

pub(crate) use choice::TouchChoice;
pub use depths::arm_depths;
pub(crate) use live::LiveArmTurns;
pub(crate) use parts::segment_of;
pub(crate) use piece::Piece;
pub(crate) use slack::ContactSlack;
