//! BVH files, read as people's programs write them and written as people's programs read them.
//!
//! A [`Reader`] gives one pose after the other, a [`Writer`] takes them; [`parse`] and [`write_clip`] do
//! a whole file in memory. What can be read one way only is read, with a [`Warning`] that names the line;
//! what cannot is a [`ReadError`]. Inside the file angles are degrees, here they are radians.
//!
//! The format, in short: `OFFSET` is a joint's place in its parent's frame at rest. A joint's
//! rotation is the product of its rotation channels in the order of the file,
//! `R = R₀(a₀) R₁(a₁) R₂(a₂)`. Position channels are the joint's place instead of `OFFSET`, or, in
//! the files of one program, added to it ([`Translations`]).

#[cfg(feature = "bvh_anim")]
pub mod anim;

mod error;

mod euler;

mod hierarchy;

mod lines;

mod nodes;

mod parse;

mod read;

mod format;

mod write;

pub use error::{ReadError, ReadErrorKind, Warning, WriteError};
pub use hierarchy::{Channel, ChannelKind, Hierarchy, Translations};
pub use read::{Document, Reader, parse};
pub use write::{WriteOptions, Writer, write_clip};
