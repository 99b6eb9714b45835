//! The parts of a glTF's JSON that are read, with the names of the specification (glTF 2.0, section 5).

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// The whole file.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Root {
    pub(super) asset: Asset,
    #[serde(default)]
    pub(super) nodes: Vec<JsonNode>,
    #[serde(default)]
    pub(super) skins: Vec<Skin>,
    #[serde(default)]
    pub(super) meshes: Vec<Mesh>,
    /// List of materials; any other JSON counts as none.
    #[serde(default)]
    pub(super) materials: serde_json::Value,
    #[serde(default)]
    pub(super) animations: Vec<Animation>,
    #[serde(default)]
    pub(super) accessors: Vec<Accessor>,
    #[serde(default)]
    pub(super) buffer_views: Vec<BufferView>,
    #[serde(default)]
    pub(super) buffers: Vec<Buffer>,
    #[serde(default)]
    pub(super) extensions: Extensions,
    #[serde(default)]
    pub(super) extensions_required: Vec<String>,
    #[serde(default)]
    pub(super) images: Vec<Image>,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct Asset {
    pub(super) version: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct JsonNode {
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) children: Vec<usize>,
    pub(super) matrix: Option<[f64; 16]>,
    pub(super) translation: Option<[f64; 3]>,
    pub(super) rotation: Option<[f64; 4]>,
    pub(super) scale: Option<[f64; 3]>,
    pub(super) mesh: Option<usize>,
    pub(super) camera: Option<usize>,
    pub(super) skin: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Skin {
    pub(super) joints: Vec<usize>,
    pub(super) inverse_bind_matrices: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Mesh {
    pub(super) primitives: Vec<Primitive>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Primitive {
    pub(super) attributes: Attributes,
    pub(super) indices: Option<usize>,
    pub(super) material: serde_json::Value,
    /// Triangles (4), lines, points, or strips and fans of triangles.
    pub(super) mode: Option<u32>,
}

/// Accessors of a primitive's vertices.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Attributes {
    #[serde(rename = "POSITION")]
    pub(super) position: Option<usize>,
    #[serde(rename = "JOINTS_0")]
    pub(super) joints: Option<usize>,
    #[serde(rename = "WEIGHTS_0")]
    pub(super) weights: Option<usize>,
    /// Of meshes with more than four joints a vertex.
    #[serde(rename = "JOINTS_1")]
    pub(super) more_joints: Option<usize>,
    #[serde(rename = "WEIGHTS_1")]
    pub(super) more_weights: Option<usize>,
    #[serde(rename = "COLOR_0")]
    pub(super) colour: Option<usize>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Animation {
    pub(super) name: Option<String>,
    pub(super) channels: Vec<AnimationChannel>,
    pub(super) samplers: Vec<Sampler>,
    /// Data of any program.
    #[serde(default)]
    extras: Option<Box<RawValue>>,
}

impl Animation {
    /// The frames that it was written from, where it states them.
    pub(super) fn stated_frames(&self) -> Option<StatedFrames> {
        serde_json::from_str(self.extras.as_ref()?.get()).ok()
    }
}

/// Frames of an animation in its `extras`: keys alone do not tell their number and rate.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(super) struct StatedFrames {
    /// Seconds from one to the next.
    pub(super) frame_time: f64,
    /// Their number.
    pub(super) frames: usize,
}

#[derive(Debug, Deserialize)]
pub(super) struct AnimationChannel {
    pub(super) sampler: usize,
    pub(super) target: ChannelTarget,
}

#[derive(Debug, Deserialize)]
pub(super) struct ChannelTarget {
    node: Option<usize>,
    path: String,
    #[serde(default)]
    extensions: TargetExtensions,
}

#[derive(Debug, Default, Deserialize)]
struct TargetExtensions {
    #[serde(rename = "KHR_animation_pointer")]
    pointer: Option<Pointer>,
}

#[derive(Debug, Deserialize)]
struct Pointer {
    pointer: String,
}

impl ChannelTarget {
    /// Node and property that the channel animates; `None` for anything else. `KHR_animation_pointer` names them in one
    /// text, such as `/nodes/7/rotation`.
    pub(super) fn property(&self) -> Option<(usize, &str)> {
        match &self.extensions.pointer {
            None => Some((self.node?, &self.path)),
            Some(Pointer { pointer }) => {
                let (node, path) = pointer.strip_prefix("/nodes/")?.split_once('/')?;
                Some((node.parse().ok()?, path))
            }
        }
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct Sampler {
    pub(super) input: usize,
    pub(super) output: usize,
    pub(super) interpolation: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub(super) buffer_view: Option<usize>,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) component_type: u32,
    #[serde(default)]
    pub(super) normalized: bool,
    pub(super) count: usize,
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) sparse: Option<Sparse>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Sparse {
    pub(super) count: usize,
    pub(super) indices: SparseIndices,
    pub(super) values: SparseValues,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseIndices {
    pub(super) buffer_view: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) component_type: u32,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseValues {
    pub(super) buffer_view: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub(super) buffer: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) byte_length: usize,
    pub(super) byte_stride: Option<usize>,
    #[serde(default)]
    extensions: Compressed<Meshopt>,
}

impl BufferView {
    /// Compression of its bytes; `None` where they are plain.
    pub(super) fn meshopt(&self) -> Option<&Meshopt> {
        self.extensions.ext.as_ref().or(self.extensions.khr.as_ref())
    }
}

/// The extension of a buffer view or buffer by either of its names: `EXT_` as it was proposed, `KHR_` as it was ratified.
#[derive(Debug, Deserialize)]
struct Compressed<T> {
    #[serde(rename = "EXT_meshopt_compression", default = "Option::default")]
    ext: Option<T>,
    #[serde(rename = "KHR_meshopt_compression", default = "Option::default")]
    khr: Option<T>,
}

impl<T> Default for Compressed<T> {
    fn default() -> Self {
        Self { ext: None, khr: None }
    }
}

/// A compressed buffer view.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Meshopt {
    pub(super) buffer: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) byte_length: usize,
    pub(super) byte_stride: usize,
    pub(super) count: usize,
    pub(super) mode: String,
    pub(super) filter: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub(super) uri: Option<String>,
    pub(super) byte_length: usize,
    #[serde(default)]
    extensions: Compressed<Fallback>,
}

impl Buffer {
    /// Returns whether it only reserves the space of compressed views and has no bytes.
    pub(super) fn is_fallback(&self) -> bool {
        let Compressed { ext, khr } = &self.extensions;
        self.uri.is_none() && ext.iter().chain(khr).any(|own| own.fallback)
    }
}

#[derive(Debug, Deserialize)]
struct Fallback {
    #[serde(default)]
    fallback: bool,
}

/// The extensions that say what bones are.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Extensions {
    /// VRM 0.x.
    #[serde(rename = "VRM")]
    pub(super) vrm0: Option<Vrm0>,
    /// VRM 1.0.
    #[serde(rename = "VRMC_vrm")]
    pub(super) vrm1: Option<Vrm1>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Vrm0 {
    #[serde(default)]
    pub(super) humanoid: Humanoid0,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Humanoid0 {
    #[serde(default)]
    pub(super) human_bones: Vec<Bone0>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Bone0 {
    pub(super) bone: String,
    /// −1 in some files for a bone that is not there.
    pub(super) node: i64,
}

#[derive(Debug, Deserialize)]
pub(super) struct Vrm1 {
    pub(super) humanoid: Humanoid1,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Humanoid1 {
    #[serde(default)]
    pub(super) human_bones: BTreeMap<String, Bone1>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Bone1 {
    pub(super) node: usize,
}

/// A picture.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Image {
    pub(super) uri: Option<String>,
}
