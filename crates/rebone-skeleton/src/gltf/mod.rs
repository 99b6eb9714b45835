//! glTF 2.0, GLB and VRM files: the skeleton that is in them, their animations, and new ones.
//!
//! [`parse`] finds the joints ([`Document::skeleton`]); [`Document::clip`] gives an animation as poses of them.
//! Lengths are in metres, +Y is up, as the specification has it; a VRM 0.x looks along −Z, all others along
//! +Z. Nodes have scales, a skeleton has none: they are in its lengths.
//!
//! ```
//! # std::env::set_current_dir("../../data/clips")?;
//! use rebone_skeleton::gltf::{self, Container, NewAnimation, ReadOptions, Tolerance};
//! # use nalgebra::UnitQuaternion;
//! let motion = rebone_skeleton::Document::open("walk.bvh", None)?.clip(None)?.motion;
//! let centimetres = 0.01;
//! let scene = gltf::Document::from_skeleton(&motion.skeleton, centimetres, &UnitQuaternion::identity());
//! let walk = NewAnimation { name: "walk", clip: &motion.clip, mapped: &Default::default() };
//! let bytes = scene.with_animations(&[walk], Tolerance::default(), Container::Glb)?;
//!
//! let document = gltf::parse(bytes, None, ReadOptions::default())?;
//! assert_eq!(document.clips().len(), 1);
//! assert_eq!(document.clip(0)?.clip.len(), motion.clip.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod accessor;
mod animate;
mod animation;
mod buffers;
mod build;
mod chunks;
mod error;
mod extensions;
mod json;
mod merge;
mod meshes;
mod read;
mod root;
mod tracks;
mod vrm;

pub use animate::{Container, NewAnimation};
pub use animation::{ClipName, ReadClip};
pub use buffers::SideFiles;
#[cfg(feature = "disk")]
pub(crate) use buffers::read_side_file;
pub use error::{ReadError, ReadErrorKind, Warning, WriteError};
pub use merge::AnimationMerger;
pub use meshes::skins::ReadOptions;
pub use read::{Document, parse};
pub use tracks::reduce::Tolerance;
