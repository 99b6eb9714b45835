//! Skeletons, poses, clips, and the files that hold them.
//!
//! A [`Skeleton`] is one flat array of joints, parents first. A [`Pose`] holds the local transform
//! of each joint at one instant, a [`Clip`] poses at a fixed frame time, a [`Motion`] a clip and its
//! skeleton. [`forward_kinematics`] turns local transforms into a [`WorldPose`].
//!
//! Lengths are in the unit of the file, axes are those of the file: this crate knows no up, forward or metre. Angles are
//! radians, in the numbers of a BVH alone degrees.

#[cfg(feature = "files")]
pub mod acclaim;
mod added_root;
#[cfg(feature = "disk")]
pub mod atomic_file;
#[cfg(feature = "files")]
pub mod bvh;
mod clip;
mod clip_error;
mod defects;
#[cfg(feature = "fbx")]
pub mod fbx;
#[cfg(feature = "files")]
pub mod file;
#[cfg(feature = "files")]
pub mod gltf;
mod joint;
mod pose;
#[cfg(feature = "disk")]
mod regular_file;
pub mod rotation;
#[cfg(feature = "files")]
mod scene;
pub mod selector;
mod skeleton;
mod tree;

#[cfg(feature = "disk")]
pub use atomic_file::AtomicFile;
pub use bstr;
pub use clip::{Clip, Motion};
pub use clip_error::ClipError;
pub use defects::{Defect, DefectKind, defects};
#[cfg(feature = "files")]
pub use file::{CharacterSelector, ClipSelector, Document, FileError, Format};
pub use joint::{Axis, EndSite, Joint, JointId, SkinPoint};
pub use nalgebra;
pub use pose::{Pose, WorldPose, forward_kinematics};
#[cfg(feature = "disk")]
pub use regular_file::open_regular;
#[cfg(feature = "files")]
pub use scene::{ArmatureError, SkinMesh, SkinPoints};
pub use skeleton::{Skeleton, SkeletonError};
