//! Animations as clips: keys at any times become frames at a fixed frame time.

use super::accessor::{Data, Numbers, missing};
use super::error::{ReadError, Warning, unexpected};
use super::extensions::unknown;
use super::json::{Accessor, Animation, AnimationChannel, StatedFrames};
use super::read::{Document, MAX_LENGTH_METRES, rotation};
use super::tracks::times::{Grid, grid, stated_grid};
use super::tracks::track::{Interpolation, Track};
use crate::{Clip, scene::Local};
use nalgebra::Vector3;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Limits of numbers in an animation's keys, and of joints times frames where those exceed the keys.
pub(super) const MAX_KEYS: usize = 1 << 26;
const MAX_FRAMES: usize = 1 << 22;

/// Part of a node's scale; a smaller change does not count as animated.
const MIN_SCALE_CHANGE: f64 = 1e-3;

/// Index and name of an animation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClipName {
    /// Its index among the file's animations.
    pub index: usize,
    /// Its name; animations may have none.
    pub name: Option<String>,
}

/// A clip, and warnings of skipped parts.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadClip {
    /// The poses of the file's skeleton.
    pub clip: Clip,
    /// Parts that were skipped.
    pub warnings: Vec<Warning>,
}

impl Document {
    /// The animations of the file.
    pub fn clips(&self) -> impl ExactSizeIterator<Item = ClipName> + '_ {
        let animations = self.root.animations.iter().enumerate();
        animations.map(|(index, own)| ClipName { index, name: own.name.clone() })
    }

    /// An animation of the file as poses of its skeleton, from the first of its keys to the last: at the frames that its
    /// `extras` state where the keys lie on them, as in files of this crate, otherwise at the rate of the keys.
    ///
    /// # Errors
    /// When there is no such animation, or it says what cannot be.
    pub fn clip(&self, index: usize) -> Result<ReadClip, ReadError> {
        let own = self.root.animations.get(index);
        let own = own.ok_or_else(|| missing("animations", "animation", index))?;
        let mut tracks = Tracks::new(self, index);
        for (k, channel) in own.channels.iter().enumerate() {
            tracks.add(own, k, channel)?;
        }
        tracks.sample(own.stated_frames())
    }
}

/// The tracks of one node.
#[derive(Default)]
struct Moved {
    translation: Option<Track>,
    rotation: Option<Track>,
}

/// The tracks of an animation that move the skeleton.
struct Tracks<'a> {
    document: &'a Document,
    place: String,
    /// By accessor, for many channels share their times.
    read: BTreeMap<usize, Rc<Numbers>>,
    numbers: usize,
    moved: BTreeMap<usize, Moved>,
    /// The times of the tracks that count, by accessor.
    inputs: BTreeMap<usize, Rc<Numbers>>,
    scaled: Vec<usize>,
}

impl<'a> Tracks<'a> {
    fn new(document: &'a Document, index: usize) -> Self {
        Self {
            document,
            place: format!("animations[{index}]"),
            read: BTreeMap::new(),
            numbers: 0,
            moved: BTreeMap::new(),
            inputs: BTreeMap::new(),
            scaled: Vec::new(),
        }
    }

    fn add(
        &mut self,
        own: &Animation,
        k: usize,
        channel: &AnimationChannel,
    ) -> Result<(), ReadError> {
        let at = format!("{}.channels[{k}]", self.place);
        let Some((node, path)) = channel.target.property() else { return Ok(()) };
        let tree = &self.document.tree;
        let rest = tree.get(node).ok_or_else(|| missing(&at, "node", node))?.local;
        if !self.document.armature.follows(node) {
            return Ok(());
        }
        let width = match path {
            "translation" | "scale" => 3,
            "rotation" => 4,
            _ => return Ok(()),
        };
        let track = self.track(own, channel.sampler, (path, width), &at)?;
        if path != "scale" {
            let input = own.samplers[channel.sampler].input;
            self.inputs.insert(input, Rc::clone(&track.times));
        }
        let moved = self.moved.entry(node).or_default();
        match path {
            "translation" => moved.translation = Some(track),
            "rotation" => moved.rotation = Some(track),
            _ if track.max_deviation(&rest.scale)
                > MIN_SCALE_CHANGE * rest.scale.amax().max(1e-9) =>
            {
                self.scaled.push(node);
            }
            _ => {}
        }
        Ok(())
    }

    /// Reads the keys of a channel, `width` numbers each.
    fn track(
        &mut self,
        own: &Animation,
        sampler: usize,
        (path, width): (&str, usize),
        at: &str,
    ) -> Result<Track, ReadError> {
        let own = own.samplers.get(sampler).ok_or_else(|| missing(at, "sampler", sampler))?;
        let at = format!("{}.samplers[{sampler}]", self.place);
        let times = self.numbers(own.input, false, &format!("{at}.input"))?;
        check_times(&times, &at)?;
        let values = self.numbers(own.output, path == "rotation", &format!("{at}.output"))?;
        let interpolation = Interpolation::named(own.interpolation.as_deref(), &at)?;
        let rows = times.values.len() * interpolation.rows_per_key();
        if values.width != width || values.values.len() != rows * width || rows == 0 {
            let found = format!("{} rows of {} numbers", values.rows().len(), values.width);
            let expected = format!("{rows} rows of {width} for its {path}, one at least");
            return Err(unexpected(at, found, expected));
        }
        if path != "rotation" && values.values.iter().any(|x| x.abs() > MAX_LENGTH_METRES) {
            return Err(unexpected(at, "a number beyond 1e12", format!("a {path}")));
        }
        let track = Track { times, values, interpolation };
        match track.key_without_rotation().filter(|_| path == "rotation") {
            None => Ok(track),
            Some(key) => {
                let found = format!("{:?} in key {key}", track.key(key, 0));
                Err(unexpected(format!("{at}.output"), found, "a unit quaternion"))
            }
        }
    }

    /// The numbers of an accessor: floats, or where `normalized` says so, normalized integers as well.
    fn numbers(
        &mut self,
        accessor: usize,
        normalized: bool,
        at: &str,
    ) -> Result<Rc<Numbers>, ReadError> {
        if let Some(own) = self.document.root.accessors.get(accessor) {
            check_component_type(own, normalized, accessor)?;
        }
        if let Some(known) = self.read.get(&accessor) {
            return Ok(Rc::clone(known));
        }
        let Document { root, chunks, buffers, .. } = self.document;
        let numbers = Rc::new(Data { root, chunks, buffers }.read(accessor, at)?);
        self.numbers += numbers.values.len();
        if self.numbers > MAX_KEYS {
            let found = format!("{} numbers in keys", self.numbers);
            return Err(unexpected(&self.place, found, format!("at most {MAX_KEYS}")));
        }
        self.read.insert(accessor, Rc::clone(&numbers));
        Ok(numbers)
    }

    fn sample(self, stated: Option<StatedFrames>) -> Result<ReadClip, ReadError> {
        let keys = || self.inputs.values().map(|times| times.values.as_slice());
        let skeleton = self.document.skeleton();
        let fits = |grid: &Grid| {
            grid.count.saturating_mul(skeleton.len()) <= MAX_FRAMES.max(4 * self.numbers)
        };
        let stated = stated.and_then(|stated| stated_grid(stated, keys())).filter(fits);
        let grid = stated.unwrap_or_else(|| grid(keys()));
        let is_usual = fits(&grid);
        let Grid { start, frame_time, count, warning } = grid;
        if !is_usual {
            let found = format!("{count} frames of {} joints for few keys", skeleton.len());
            return Err(unexpected(&self.place, found, "an animation of usual length"));
        }
        let mut clip = Clip::new(skeleton, frame_time);
        let mut pose = skeleton.rest_pose();
        let mut locals: Vec<Local> = self.document.tree.iter().map(|node| node.local).collect();
        for frame in 0..count {
            let time = start + frame as f64 * frame_time;
            for (&node, moved) in &self.moved {
                let Local { translation, rotation: turn, .. } = &mut locals[node];
                if let Some(track) = &moved.translation {
                    *translation = Vector3::from_row_slice(&track.at::<3>(time, frame_time));
                }
                if let Some(track) = &moved.rotation {
                    *turn = rotation(&track.rotation_at(time, frame_time)).unwrap_or(*turn);
                }
            }
            self.document.armature.pose(&locals, &mut pose);
            clip.push_own(&pose);
        }
        let warnings = unknown(&self.document.root.extensions_required);
        let warnings = warnings.into_iter().chain(self.warnings(warning)).collect();
        Ok(ReadClip { clip, warnings })
    }

    fn warnings(&self, of_times: Option<String>) -> Vec<Warning> {
        let scaled = self.scaled.first().map(|node| {
            let name = &self.document.tree[*node].name;
            let others = match self.scaled.len() - 1 {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!(
                "the scale of {:?}{others} is animated: it was kept as it is at rest",
                name.to_string()
            )
        });
        let messages = of_times.into_iter().chain(scaled).chain(self.document.uneven());
        messages.map(|message| Warning { place: self.place.clone(), message }).collect()
    }
}

/// Refuses numbers that section 3.11 of the specification does not allow in an animation.
fn check_component_type(own: &Accessor, normalized: bool, index: usize) -> Result<(), ReadError> {
    const FLOAT: u32 = 5126;
    let is_normalized = own.normalized && (5120..=5123).contains(&own.component_type);
    if own.component_type == FLOAT || normalized && is_normalized {
        return Ok(());
    }
    let found = format!("{}, normalized {}", own.component_type, own.normalized);
    let expected = match normalized {
        true => "5126 (float), or 5120 to 5123 (integers) with normalized true",
        false => "5126 (float)",
    };
    Err(unexpected(format!("accessors[{index}].componentType"), found, expected))
}

fn check_times(times: &Numbers, at: &str) -> Result<(), ReadError> {
    let rising = times.values.windows(2).all(|pair| pair[0] <= pair[1]);
    let near = times.values.iter().all(|time| time.abs() <= 1e9);
    match times.width == 1 && rising && near {
        true => Ok(()),
        false => {
            Err(unexpected(format!("{at}.input"), "times that do not rise", "seconds that rise"))
        }
    }
}
