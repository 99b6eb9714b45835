//! One file a clip.

mod climb;
mod jump;
mod reach;
mod sit;
mod walk;
mod wave;

pub use climb::climb;
pub use jump::jump;
pub use reach::reach;
pub use sit::sit;
pub use walk::walk;
pub use wave::wave;
