//! Tests of readers and writers, in one program.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test may panic, and say that it was skipped"
)]

mod acclaim;
mod acclaim_corpus;
mod bvh_corpus;
mod bvh_read;
mod bvh_repaired;
mod bvh_rows;
mod bvh_write;
mod characters;
mod common;
mod empty_clips;
mod fbx;
mod fbx_skin;
mod gltf;
mod gltf_corpus;
mod gltf_extensions;
mod gltf_frames;
mod gltf_skin;
mod hostile_values;
mod scales;
mod texts;
#[cfg(feature = "fbx")]
mod two_in_fbx;
