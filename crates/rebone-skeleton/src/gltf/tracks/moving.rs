//! Animations that move the skeleton, and those that do not.

use crate::gltf::accessor::{Data, Numbers};
use crate::gltf::animation::MAX_KEYS;
use crate::gltf::json::{Animation, AnimationChannel};
use crate::gltf::read::{Document, rotation};
use crate::gltf::tracks::reduce::Tolerance;
use std::collections::BTreeMap;

impl Document {
    /// Returns for each animation whether it moves a joint: one without keys, or with keys of equal values alone, is empty.
    /// One that cannot be read counts as moving, for [`clip`](Self::clip) says what is wrong.
    pub fn moving_clips(&self) -> Vec<bool> {
        let mut known = KnownKeys { document: self, still: BTreeMap::new(), numbers: 0 };
        let animations = self.root.animations.iter();
        animations.map(|own| own.channels.iter().any(|channel| known.moves(own, channel))).collect()
    }
}

/// Keys that were looked at, for many animations share them.
struct KnownKeys<'a> {
    document: &'a Document,
    /// Equality of all keys of an accessor; by accessor, and by having tangents.
    still: BTreeMap<(usize, bool), bool>,
    /// Numbers that were read, of all accessors.
    numbers: usize,
}

impl KnownKeys<'_> {
    /// Returns whether a channel turns or shifts a node of the skeleton.
    fn moves(&mut self, animation: &Animation, channel: &AnimationChannel) -> bool {
        let Some((node, path)) = channel.target.property() else { return false };
        let is_motion = matches!(path, "translation" | "rotation");
        if !is_motion || !self.document.armature.follows(node) {
            return false;
        }
        let Some(sampler) = animation.samplers.get(channel.sampler) else { return true };
        let has_tangents = sampler.interpolation.as_deref() == Some("CUBICSPLINE");
        let key = (sampler.output, has_tangents);
        if let Some(is_still) = self.still.get(&key) {
            return !is_still;
        }
        let is_still = self.read(sampler.output).is_some_and(|keys| is_still(&keys, has_tangents));
        self.still.insert(key, is_still);
        !is_still
    }

    /// Reads an accessor, as long as the numbers of all of them are not more than an animation may have.
    fn read(&mut self, accessor: usize) -> Option<Numbers> {
        let Document { root, chunks, buffers, .. } = self.document;
        if self.numbers > MAX_KEYS {
            return None;
        }
        let keys = Data { root, chunks, buffers }.read(accessor, "").ok()?;
        self.numbers += keys.values.len();
        Some(keys)
    }
}

/// Returns whether keys differ by no more than what a written file may lose of a motion; tangents count as values.
fn is_still(keys: &Numbers, has_tangents: bool) -> bool {
    let Tolerance { angle, length } = Tolerance::default();
    let step = if has_tangents { 3 } else { 1 };
    let rows: Vec<&[f64]> = keys.rows().collect();
    let Some(first) = rows.get(step / 2) else { return true };
    let is_near = |row: &[f64]| match rotation(first).zip(rotation(row)) {
        Some((first, own)) => first.angle_to(&own) <= angle,
        None => first.iter().zip(row).all(|(a, b)| (a - b).abs() <= length),
    };
    let is_flat = |row: &[f64]| row.iter().all(|slope| slope.abs() <= length);
    rows.iter().enumerate().all(|(index, row)| match index % step == step / 2 {
        true => is_near(row),
        false => is_flat(row),
    })
}
