//! Adds animations at the end of a file, whose other parts stay unchanged.

use super::chunks::glb;
use super::error::{ReadError, ReadErrorKind, WriteError};
use super::json::StatedFrames;
use super::read::Document;
use super::tracks::precision::{check_finite, check_times};
use super::tracks::reduce::{JointKeys, Keys, Tolerance, reduce, rotation_of};
use crate::scene::Local;
use crate::{Clip, JointId};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use nalgebra::Vector3;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// An animation to write.
#[derive(Clone, Debug)]
pub struct NewAnimation<'a> {
    /// Its name. One of that name that the file has is replaced.
    pub name: &'a str,
    /// Poses of the file's skeleton.
    pub clip: &'a Clip,
    /// Joints whose rotations are written even where they are those of the rest pose.
    pub mapped: &'a BTreeSet<JointId>,
}

/// Form of a written file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// As one file of JSON and binary data: `.glb`, `.vrm`.
    Glb,
    /// As JSON, new data in it as text: `.gltf`.
    Gltf,
}

impl Document {
    /// Adds animations to the file. New elements follow the old ones in the JSON and in the data; all else is unchanged. Keys are
    /// as few as the tolerance allows; the first is at second 0. `extras` of the animation state the number of frames and the
    /// seconds from one to the next, so that it reads back as it was.
    ///
    /// # Errors
    /// When a clip is no motion of the skeleton or has no frames, 32 bit numbers hold a translation or a time too roughly, or
    /// the result is more than a file can hold.
    pub fn with_animations(
        &self,
        animations: &[NewAnimation],
        tolerance: Tolerance,
        container: Container,
    ) -> Result<Vec<u8>, WriteError> {
        let mut json = self.json()?;
        let mut added = NewAccessors::new(&json);
        for animation in animations {
            let (written, _) = self.animation(animation, tolerance, &mut added)?;
            place(&mut json, written);
        }
        self.store(json, added, container)
    }

    /// Adds a clip as an animation of a name as [`with_animations`](Self::with_animations) does, `mapped` as in
    /// [`NewAnimation`]. Returns its poses as the file holds them as well: with fewer keys, in 32 bit numbers.
    ///
    /// # Errors
    /// As [`with_animations`](Self::with_animations).
    pub fn with_animation(
        &self,
        name: &str,
        clip: Clip,
        mapped: &BTreeSet<JointId>,
        tolerance: Tolerance,
        container: Container,
    ) -> Result<(Vec<u8>, Clip), WriteError> {
        let mut json = self.json()?;
        let mut added = NewAccessors::new(&json);
        let new = NewAnimation { name, clip: &clip, mapped };
        let (animation, keys) = self.animation(&new, tolerance, &mut added)?;
        place(&mut json, animation);
        let (frames, frame_time) = (clip.len(), clip.frame_time);
        // One of the two is in memory.
        drop(clip);
        let written = self.clip_of_keys(&keys, frames, frame_time);
        drop(keys);
        Ok((self.store(json, added, container)?, written))
    }

    /// The JSON as a value.
    pub(super) fn json(&self) -> Result<Value, ReadError> {
        let json = serde_json::from_slice(self.chunks.json());
        json.map_err(|error| json_error(error.to_string()))
    }

    fn animation(
        &self,
        new: &NewAnimation,
        tolerance: Tolerance,
        added: &mut NewAccessors,
    ) -> Result<(Value, Vec<JointKeys>), WriteError> {
        if new.clip.is_empty() {
            return Err(WriteError::Empty);
        }
        new.clip.check_for(self.skeleton())?;
        check_finite(new.clip)?;
        check_times(new.clip)?;
        let (skeleton, clip) = self.armature.in_file_hierarchy(new.clip);
        let within = Tolerance { length: tolerance.length / self.metres, ..tolerance };
        let mut keys = reduce(skeleton, &clip, within);
        let mut parts = ChannelsAndSamplers::default();
        for (joint, keys) in self.skeleton().ids().zip(&mut keys) {
            let node = self.armature.node(joint);
            let rest = &self.tree[node].local;
            self.convert_to_file(joint, keys);
            let JointKeys { rotations, translations } = &*keys;
            self.check_precision(joint, translations, &clip, tolerance)?;
            let rests = rotations
                .values
                .iter()
                .all(|turn| angle_from_rest(turn, rest) <= REST_TOLERANCE_RADIANS);
            let rests = rests && !self.animates(node, "rotation");
            // An animation needs one channel at least.
            if joint.index() == 0 || new.mapped.contains(&joint) || !rests {
                parts.add((node, "rotation"), rotations, new.clip, added);
            }
            let unit = self.armature.unit(joint);
            let rests = translations.values.iter().all(|own| {
                distance_from_rest(own, rest) * unit <= REST_TOLERANCE_METRES / self.metres
            });
            if !rests || self.animates(node, "translation") {
                parts.add((node, "translation"), translations, new.clip, added);
            }
        }
        let ChannelsAndSamplers { channels, samplers } = parts;
        let extras = StatedFrames { frame_time: new.clip.frame_time, frames: new.clip.len() };
        let written = json!({
            "name": new.name, "channels": channels, "samplers": samplers, "extras": extras,
        });
        Ok((written, keys))
    }

    /// Returns whether an animation of the file moves this property: after it, programs leave the node where it was,
    /// unless the next animation has the property too.
    fn animates(&self, node: usize, path: &str) -> bool {
        self.animated.contains(&(node, path.to_owned()))
    }

    /// Converts a joint's keys to those of its node, rounded to 32 bits.
    fn convert_to_file(&self, joint: JointId, keys: &mut JointKeys) {
        let rounded = |x: f64| f64::from(x as f32);
        for turn in &mut keys.rotations.values {
            let given = rotation_of(turn);
            *turn = self.armature.rotation_in_file(joint, &given).coords.map(rounded).into();
        }
        for place in &mut keys.translations.values {
            let given = Vector3::from(*place);
            *place = self.armature.translation_in_file(joint, &given).map(rounded).into();
        }
    }

    /// Writes the file.
    fn store(
        &self,
        mut json: Value,
        added: NewAccessors,
        container: Container,
    ) -> Result<Vec<u8>, WriteError> {
        let NewAccessors { accessors, data, .. } = added;
        let inside = self.inside();
        let fresh = self.root.buffers.is_empty() && container == Container::Glb;
        let inside = inside.or(fresh.then_some(&[][..]));
        let mut binary = inside.unwrap_or_default().to_vec();
        let length = data.len();
        let view = if inside.is_some() {
            binary.resize(binary.len().next_multiple_of(4), 0);
            let offset = binary.len();
            binary.extend(&data);
            if fresh {
                json["buffers"] = json!([{}]);
            }
            json["buffers"][0]["byteLength"] = binary.len().into();
            json!({ "buffer": 0, "byteOffset": offset, "byteLength": length })
        } else {
            let buffer = json!({ "byteLength": length, "uri": data_uri(&data) });
            json!({ "buffer": push(&mut json, "buffers", buffer), "byteLength": length })
        };
        push(&mut json, "bufferViews", view);
        for accessor in accessors {
            push(&mut json, "accessors", accessor);
        }
        if container == Container::Gltf && inside.is_some() {
            json["buffers"][0]["uri"] = data_uri(&binary).into();
        }
        let text = serde_json::to_vec(&json).map_err(|error| json_error(error.to_string()))?;
        match container {
            Container::Gltf => Ok(text),
            Container::Glb => glb(&text, &binary, self.chunks.others()).ok_or(WriteError::TooLarge),
        }
    }
}

/// Channels and samplers of an animation.
#[derive(Default)]
struct ChannelsAndSamplers {
    channels: Vec<Value>,
    samplers: Vec<Value>,
}

impl ChannelsAndSamplers {
    fn add<const N: usize>(
        &mut self,
        (node, path): (usize, &str),
        keys: &Keys<N>,
        clip: &Clip,
        added: &mut NewAccessors,
    ) {
        let seconds = |frame: &usize| (*frame as f64 * clip.frame_time) as f32;
        let input = added.times(keys.frames.iter().map(seconds).collect());
        let values: Vec<_> = keys.values.iter().map(|row| row.map(|x| x as f32)).collect();
        let output = added.accessor(&values);
        let target = json!({ "node": node, "path": path });
        self.channels.push(json!({ "sampler": self.samplers.len(), "target": target }));
        let sampler = json!({ "input": input, "interpolation": "LINEAR", "output": output });
        self.samplers.push(sampler);
    }
}

/// New accessors and their data, to be added to the file.
struct NewAccessors {
    /// The index of the first new accessor, and of the view that all of them share.
    first: usize,
    view: usize,
    accessors: Vec<Value>,
    data: Vec<u8>,
    /// Accessors of times, by their bits.
    times: BTreeMap<Vec<u32>, usize>,
}

impl NewAccessors {
    fn new(json: &Value) -> Self {
        let count = |key: &str| json[key].as_array().map_or(0, Vec::len);
        let (first, view) = (count("accessors"), count("bufferViews"));
        Self { first, view, accessors: Vec::new(), data: Vec::new(), times: BTreeMap::new() }
    }

    /// An accessor of times; one that is there already where they are the same.
    fn times(&mut self, times: Vec<f32>) -> usize {
        let bits: Vec<u32> = times.iter().map(|time| time.to_bits()).collect();
        if let Some(known) = self.times.get(&bits) {
            return *known;
        }
        let rows: Vec<[f32; 1]> = times.into_iter().map(|time| [time]).collect();
        let index = self.accessor(&rows);
        self.times.insert(bits, index);
        index
    }

    fn accessor<const N: usize>(&mut self, rows: &[[f32; N]]) -> usize {
        let extreme = |of: fn(f32, f32) -> f32| -> Vec<f32> {
            (0..N).map(|k| rows.iter().map(|row| row[k]).reduce(of).unwrap_or(0.0)).collect()
        };
        let kind = ACCESSOR_TYPES[N - 1];
        self.accessors.push(json!({
            "bufferView": self.view, "byteOffset": self.data.len(), "componentType": COMPONENT_F32,
            "count": rows.len(), "type": kind, "min": extreme(f32::min), "max": extreme(f32::max),
        }));
        self.data.extend(rows.iter().flatten().flat_map(|x| x.to_le_bytes()));
        self.first + self.accessors.len() - 1
    }
}

/// Properties are left out when they stay this near to rest. The keys use up the tolerance, and deviations of joints above
/// add up.
const REST_TOLERANCE_RADIANS: f64 = 1e-6;
const REST_TOLERANCE_METRES: f64 = 1e-6;

/// The code of 32 bit floating point numbers.
pub(super) const COMPONENT_F32: u32 = 5126;
/// Accessor types of one to four numbers.
pub(super) const ACCESSOR_TYPES: [&str; 4] = ["SCALAR", "VEC2", "VEC3", "VEC4"];

/// Appends an animation, or replaces one of its name.
fn place(json: &mut Value, animation: Value) {
    let others = json["animations"].as_array_mut();
    let same = others.and_then(|all| all.iter_mut().find(|own| own["name"] == animation["name"]));
    match same {
        Some(same) => *same = animation,
        None => drop(push(json, "animations", animation)),
    }
}

/// Appends an element to a list, which is created if missing, and returns its index.
pub(super) fn push(json: &mut Value, key: &str, element: Value) -> usize {
    if !json[key].is_array() {
        json[key] = json!([]);
    }
    let list = json[key].as_array_mut();
    list.map_or(0, |list| {
        list.push(element);
        list.len() - 1
    })
}

fn data_uri(data: &[u8]) -> String {
    format!("data:application/octet-stream;base64,{}", STANDARD.encode(data))
}

fn json_error(text: String) -> ReadError {
    ReadError { place: "JSON".to_owned(), kind: ReadErrorKind::Json(text) }
}

fn angle_from_rest(turn: &[f64; 4], rest: &Local) -> f64 {
    rotation_of(turn).angle_to(&rest.rotation)
}

fn distance_from_rest(place: &[f64; 3], rest: &Local) -> f64 {
    (Vector3::from(*place) - rest.translation).norm()
}
