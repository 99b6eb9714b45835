//! Merges the animations of many files into one. Their data can go through a file, so that memory holds none of it.

use super::accessor::Data;
use super::animate::{ACCESSOR_TYPES, COMPONENT_F32};
use super::chunks::glb_around;
use super::error::{ReadError, WriteError, unexpected};
use super::json::JsonNode;
use super::read::Document;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufWriter, Read, Seek, Write};

/// Merges animations of files with the same nodes into one GLB.
#[derive(Debug)]
pub struct AnimationMerger<'a, D: Write> {
    document: &'a Document,
    json: Map<String, Value>,
    /// Elements to append to the lists of the file.
    new: BTreeMap<&'static str, Vec<Box<RawValue>>>,
    names: BTreeSet<String>,
    data: BufWriter<D>,
    /// The file's own data, padded, and all that was added.
    own: usize,
    length: usize,
}

impl Document {
    /// Returns whether the file holds all its data itself, as a GLB does.
    ///
    /// # Errors
    /// When its data or pictures are in other files, or its first data in the JSON.
    pub fn check_whole(&self) -> Result<(), ReadError> {
        let expected = "a GLB, which holds its data itself: save the file as such";
        match (self.files_beside().next(), self.root.buffers.first()) {
            (Some(file), _) => Err(unexpected("buffers", format!("the file {file:?}"), expected)),
            (None, Some(first)) if first.uri.is_some() => {
                Err(unexpected("buffers[0]", "data in the JSON", expected))
            }
            _ => Ok(()),
        }
    }

    /// Begins to merge animations of other files into this one, after its own. Their data is kept in `data`, which
    /// is empty at first: a temporary file, or a [`Cursor`](io::Cursor) in memory.
    ///
    /// # Errors
    /// As [`Document::check_whole`].
    pub fn merge_animations<D: Read + Write + Seek>(
        &self,
        data: D,
    ) -> Result<AnimationMerger<'_, D>, WriteError> {
        self.check_whole()?;
        let Value::Object(json) = self.json()? else {
            return Err(unexpected("JSON", "no object", "one").into());
        };
        let own = self.inside().map_or(0, <[u8]>::len).next_multiple_of(4);
        let (new, names) = (BTreeMap::new(), BTreeSet::new());
        let data = BufWriter::new(data);
        Ok(AnimationMerger { document: self, json, new, names, data, own, length: own })
    }
}

impl<D: Read + Write + Seek> AnimationMerger<'_, D> {
    /// Adds the animations of a file with the same nodes, or all but the last, the first one under `name`. One of that name that the
    /// first file has is left out.
    ///
    /// # Errors
    /// When nodes differ, numbers cannot be read, or the data cannot be written.
    pub fn add(&mut self, part: &Document, name: &str) -> Result<(), WriteError> {
        self.check_nodes(part)?;
        let data = Data { root: &part.root, chunks: &part.chunks, buffers: &part.buffers };
        let Some(animation) = part.root.animations.first() else { return Err(WriteError::Empty) };
        let (view, begin) = (self.count("bufferViews"), self.length);
        let mut known = BTreeMap::new();
        let mut samplers = Vec::new();
        for (index, own) in animation.samplers.iter().enumerate() {
            let place = format!("animations[0].samplers[{index}]");
            let mut accessor = |of: usize| match known.get(&of) {
                Some(&known) => Ok(known),
                None => {
                    let added = self.accessor(&data, (of, &place), (view, begin))?;
                    known.insert(of, added);
                    Ok::<usize, WriteError>(added)
                }
            };
            let (input, output) = (accessor(own.input)?, accessor(own.output)?);
            let kind = own.interpolation.as_deref().unwrap_or("LINEAR");
            samplers.push(json!({ "input": input, "interpolation": kind, "output": output }));
        }
        let channels = animation.channels.iter().filter_map(|own| {
            let (node, path) = own.target.property()?;
            Some(json!({ "sampler": own.sampler, "target": { "node": node, "path": path } }))
        });
        let channels: Vec<Value> = channels.collect();
        self.names.insert(name.to_owned());
        let length = self.length - begin;
        self.push(
            "bufferViews",
            &json!({ "buffer": 0, "byteOffset": begin, "byteLength": length }),
        )?;
        let mut added = json!({ "name": name, "channels": channels, "samplers": samplers });
        if let Some(frames) = animation.stated_frames() {
            added["extras"] = json!(frames);
        }
        self.push("animations", &added)
    }

    /// Writes the file.
    ///
    /// # Errors
    /// When it would be larger than a GLB can be, or cannot be written.
    pub fn write(mut self, file: &mut dyn Write) -> Result<(), WriteError> {
        if self.document.root.buffers.is_empty() {
            self.json.insert("buffers".to_owned(), json!([{}]));
        }
        self.json["buffers"][0]["byteLength"] = self.length.into();
        if let Some(Value::Array(old)) = self.json.get_mut("animations") {
            old.retain(|own| own["name"].as_str().is_none_or(|name| !self.names.contains(name)));
        }
        let text = serde_json::to_vec(&Joined { json: &self.json, new: &self.new })
            .map_err(io::Error::from)?;
        let around = glb_around(&text, self.length, self.document.chunks.others());
        let (begin, end) = around.ok_or(WriteError::TooLarge)?;
        file.write_all(&begin)?;
        let inside = self.document.inside().unwrap_or_default();
        file.write_all(inside)?;
        file.write_all(&[0; 4][..self.own - inside.len()])?;
        let mut data = self.data.into_inner().map_err(io::IntoInnerError::into_error)?;
        data.rewind()?;
        io::copy(&mut data.take((self.length - self.own) as u64), file)?;
        Ok(file.write_all(&end)?)
    }

    /// Copies an accessor as 32 bit numbers, into the view that begins at a byte; returns its index.
    fn accessor(
        &mut self,
        data: &Data,
        (index, place): (usize, &str),
        (view, begin): (usize, usize),
    ) -> Result<usize, WriteError> {
        let numbers = data.read(index, place)?;
        let kind = ACCESSOR_TYPES
            .get(numbers.width - 1)
            .ok_or_else(|| unexpected(place, "numbers of another kind", "those of an animation"))?;
        let extreme = |of: fn(f64, f64) -> f64| -> Vec<f64> {
            let column = |k| numbers.rows().map(move |row| row[k]).reduce(of).unwrap_or(0.0);
            (0..numbers.width).map(column).collect()
        };
        let offset = self.length - begin;
        for value in &numbers.values {
            self.data.write_all(&(*value as f32).to_le_bytes())?;
        }
        self.length += 4 * numbers.values.len();
        let at = self.count("accessors");
        self.push(
            "accessors",
            &json!({
                "bufferView": view, "byteOffset": offset, "componentType": COMPONENT_F32,
                "count": numbers.rows().len(), "type": kind,
                "min": extreme(f64::min), "max": extreme(f64::max),
            }),
        )?;
        Ok(at)
    }

    /// Returns whether a file has one node more, as a root bone that was added.
    pub fn lacks_node_of(&self, part: &Document) -> bool {
        self.nodes().len() + 1 == part.root.nodes.len()
    }

    fn nodes(&self) -> &[Value] {
        self.json.get("nodes").and_then(Value::as_array).map_or(&[][..], Vec::as_slice)
    }

    fn check_nodes(&self, part: &Document) -> Result<(), ReadError> {
        let own = self.nodes();
        let is_same = |(own, other): (&Value, &JsonNode)| {
            let children = own["children"].as_array().map_or(0, Vec::len);
            own["name"].as_str() == other.name.as_deref() && children == other.children.len()
        };
        // A root bone that was added is the last node, and rests where a part has none.
        let lacks_at_most_one =
            (own.len().saturating_sub(1)..=own.len()).contains(&part.root.nodes.len());
        if lacks_at_most_one && own.iter().zip(&part.root.nodes).all(is_same) {
            return Ok(());
        }
        let expected = "those of the first file: parts are made of it, with its joints alone";
        Err(unexpected("nodes", "other nodes", expected))
    }

    /// The number of elements of a list so far.
    fn count(&self, list: &'static str) -> usize {
        let own = self.json.get(list).and_then(Value::as_array).map_or(0, Vec::len);
        own + self.new.get(list).map_or(0, Vec::len)
    }

    fn push(&mut self, list: &'static str, element: &Value) -> Result<(), WriteError> {
        let text = to_raw_value(element).map_err(io::Error::from)?;
        self.new.entry(list).or_default().push(text);
        Ok(())
    }
}

/// A JSON object whose lists have more elements.
struct Joined<'a> {
    json: &'a Map<String, Value>,
    new: &'a BTreeMap<&'static str, Vec<Box<RawValue>>>,
}

impl Serialize for Joined<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        for (key, value) in self.json {
            match self.new.get(key.as_str()) {
                Some(new) => {
                    let old = value.as_array().map_or(&[][..], Vec::as_slice);
                    map.serialize_entry(key, &List { old, new })?;
                }
                None => map.serialize_entry(key, value)?,
            }
        }
        for (key, new) in self.new.iter().filter(|(key, _)| !self.json.contains_key(**key)) {
            map.serialize_entry(key, &List { old: &[], new })?;
        }
        map.end()
    }
}

/// A list and what comes after it.
struct List<'a> {
    old: &'a [Value],
    new: &'a [Box<RawValue>],
}

impl Serialize for List<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut list = to.serialize_seq(Some(self.old.len() + self.new.len()))?;
        self.old.iter().try_for_each(|own| list.serialize_element(own))?;
        self.new.iter().try_for_each(|own| list.serialize_element(own))?;
        list.end()
    }
}
