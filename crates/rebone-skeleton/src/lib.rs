//! What a character and a motion are, and the files they live in.
//!
//! A [`Skeleton`] is one flat array of joints, parents first. A [`Pose`] holds the local transform
//! of each joint at one instant, a [`Clip`] poses at a fixed frame time, a [`Motion`] a clip and its
//! skeleton. [`forward_kinematics`] turns local transforms into a [`WorldPose`].
//!
//! Lengths are in the unit of the file and axes are the file's own: what is up, forward or a metre
//! is not this crate's business. Angles are radians everywhere but inside [`bvh`].

mod added_root;

mod joint;

mod skeleton;

mod tree;

mod pose;

mod clip;

#[cfg(feature = "disk")]
pub mod atomic_file;

#[cfg(feature = "files")]
pub mod bvh;

#[cfg(feature = "fbx")]
pub mod fbx;

#[cfg(feature = "files")]
pub mod file;

#[cfg(feature = "files")]
pub mod gltf;

#[cfg(feature = "files")]
pub mod scene;

mod defects;

pub mod rotation;

pub mod selector;

#[cfg(feature = "disk")]
pub use atomic_file::AtomicFile;
pub use bstr;
pub use clip::{Clip, Motion};
pub use defects::{Defect, DefectKind, defects};
#[cfg(feature = "files")]
pub use file::{Document, FileError, Format};
pub use joint::{Axis, EndSite, Joint, JointId};
pub use pose::{Pose, WorldPose, forward_kinematics};
pub use skeleton::{Skeleton, SkeletonError};
