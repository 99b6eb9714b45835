//! BVH files, read as programs write them and written as programs read them.
//!
//! A [`Reader`] gives one pose after the other, a [`Writer`] takes them; [`parse`] and [`write_clip`] do
//! a whole file in memory. Malformed text with a single plausible meaning is repaired, with a [`Warning`]
//! that names the line; any other is a [`ReadError`]. Inside the file angles are degrees, here they are radians.
//!
//! The format, in short: `OFFSET` is a joint's position in its parent's frame at rest. A joint's
//! rotation is the product of its rotation channels in the order of the file,
//! `R = R₀(a₀) R₁(a₁) R₂(a₂)`. Position channels are the joint's position instead of `OFFSET`, or, in
//! the files of one program, added to it ([`Translations`]).
//!
//! ```
//! # std::env::set_current_dir("../../data/clips")?;
//! use rebone_skeleton::bvh::{self, WriteOptions};
//! let mut document = bvh::parse(&std::fs::read("walk.bvh")?)?;
//! document.motion.clip.keep(0..2);
//! let options = WriteOptions { decimals: Some(4), ..WriteOptions::default() };
//! let text = bvh::write_clip(Vec::new(), &document.hierarchy, &document.motion.clip, options)?;
//! assert!(text.starts_with(document.hierarchy.text()));
//!
//! let mut reader = bvh::Reader::new(&text[..])?;
//! let mut pose = reader.hierarchy().skeleton().rest_pose();
//! let mut frames = 0;
//! while reader.next_frame(&mut pose)? {
//!     frames += 1;
//! }
//! assert_eq!(frames, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "bvh_anim")]
pub mod anim;
mod channel;
pub(crate) mod error;
mod euler;
mod format;
mod hierarchy;
pub(crate) mod lines;
pub(crate) mod nodes;
mod parse;
pub(crate) mod read;
mod roots;
mod rows;
mod write;

pub use channel::{Channel, ChannelKind};
pub use error::{ReadError, ReadErrorKind, Warning, WriteError};
pub use hierarchy::{Hierarchy, Translations};
pub use read::{Document, Reader, parse};
pub use write::{WriteOptions, Writer, write_clip};
