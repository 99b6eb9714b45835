//! glTF 2.0, GLB and VRM files: the skeleton that is in them, their animations, and new ones.
//!
//! [`parse`] finds the joints ([`Document::skeleton`]); [`Document::clip`] gives an animation as poses of them.
//! Lengths are in metres, +Y is up, as the specification has it; a VRM 0.x looks along −Z, all others along
//! +Z. Nodes have scales, a skeleton has none: see [`scene`](crate::scene).

mod accessor;

mod animation;

mod animate;

mod buffers;

mod chunks;

mod error;

mod extensions;

mod json;

mod build;

mod merge;

mod meshopt;

mod read;

mod reduce;

mod root;

mod skins;

mod times;

mod track;

mod vrm;

pub use animate::{Container, NewAnimation};
pub use animation::{ClipName, ReadClip};
pub use buffers::SideFiles;
#[cfg(feature = "disk")]
pub(crate) use buffers::read_side_file;
pub use error::{ReadError, ReadErrorKind, Warning, WriteError};
pub use merge::AnimationMerger;
pub use read::{Document, ReadOptions, parse};
pub use reduce::Tolerance;
