//! Takes: which of them move the skeleton, and their spans.

use super::Document;
use crate::gltf::Tolerance;
use std::collections::BTreeSet;

/// Begin and end, in seconds.
type Span = [f64; 2];

impl Document {
    /// Returns for each clip whether it moves a joint: one without keys, or with keys of equal values alone, is empty.
    pub fn moving_clips(&self) -> Vec<bool> {
        let ranges = self.ranges();
        let stacks = self.scene.anim_stacks.iter();
        stacks.map(|stack| self.moving_curves(stack, &ranges).next().is_some()).collect()
    }

    /// Returns how far the values of each curve of the file are apart.
    fn ranges(&self) -> Vec<f64> {
        self.scene.anim_curves.iter().map(|curve| range(curve)).collect()
    }

    /// Returns the indices of the curves of a take that turn or shift nodes of the skeleton by more than what a written
    /// file may lose of a motion. A curve that several nodes share is there several times.
    fn moving_curves<'a>(
        &'a self,
        stack: &'a ufbx::AnimStack,
        ranges: &'a [f64],
    ) -> impl Iterator<Item = usize> {
        let least = Tolerance::default();
        let degrees = least.angle.to_degrees();
        let length = least.length / self.scene.settings.original_unit_meters;
        let properties = stack.layers.iter().flat_map(|layer| layer.anim_props.iter());
        properties.flat_map(move |property| {
            let element = &property.element;
            let is_node = element.type_ == ufbx::ElementType::Node;
            let is_joint = is_node && self.armature.follows(element.typed_id as usize);
            let still = match &*property.prop_name {
                "Lcl Rotation" if is_joint => degrees,
                "Lcl Translation" if is_joint => length,
                _ => f64::INFINITY,
            };
            let curves = property.anim_value.curves.iter().flatten();
            let curves = curves.map(|curve| curve.element.typed_id as usize);
            curves.filter(move |&curve| ranges.get(curve).is_some_and(|&range| range > still))
        })
    }

    /// Returns the span of a take, and a warning where its keys decide against what it states.
    ///
    /// It is the stated span, cut to that of the keys where it reaches beyond them by more than a frame: stated times are
    /// whole frames, keys need not be. Where most keys are outside, it is of another motion, and the keys decide.
    pub(super) fn span(&self, stack: &ufbx::AnimStack, rate: f64) -> (Span, Option<String>) {
        let stated = [stack.time_begin, stack.time_end];
        if stated[1] <= stated[0] {
            return (ends(all_curves(stack)).unwrap_or([stated[0]; 2]), None);
        }
        let ranges = self.ranges();
        let moving: BTreeSet<usize> = self.moving_curves(stack, &ranges).collect();
        let moving = || moving.iter().map(|&curve| &self.scene.anim_curves[curve]);
        let Some(keyed) = ends(moving()) else { return (stated, None) };
        let frame = 1.0 / rate;
        let is_stated = |time: f64| (stated[0] - frame..=stated[1] + frame).contains(&time);
        let times = || moving().flat_map(|curve| curve.keyframes.iter().map(|key| key.time));
        let (all, within) = (times().count(), times().filter(|time| is_stated(*time)).count());
        if 2 * within < all {
            let message = format!(
                "states {:.3} to {:.3} s, its keys are from {:.3} to {:.3} s: all keys were read",
                stated[0], stated[1], keyed[0], keyed[1]
            );
            return (keyed, Some(message));
        }
        let begin = if stated[0] < keyed[0] - frame { keyed[0] } else { stated[0] };
        let end = if stated[1] > keyed[1] + frame { keyed[1] } else { stated[1] };
        ([begin, end], None)
    }
}

/// Returns how far the values of a curve are apart, or lead its tangents: of equal keys between which it bulges.
fn range(curve: &ufbx::AnimCurve) -> f64 {
    let bulges = curve.keyframes.windows(2).map(|keys| {
        let is_cubic = keys[0].interpolation == ufbx::Interpolation::Cubic;
        let tangent = keys[0].right.dy.abs().max(keys[1].left.dy.abs());
        if is_cubic { f64::from(tangent) } else { 0.0 }
    });
    let values = if curve.keyframes.len() < 2 { 0.0 } else { curve.max_value - curve.min_value };
    bulges.fold(values, f64::max)
}

/// Returns the curves of a take that have keys, of joints and of all else.
fn all_curves(stack: &ufbx::AnimStack) -> impl Iterator<Item = &ufbx::AnimCurve> {
    let values = stack.layers.iter().flat_map(|layer| layer.anim_values.iter());
    let curves = values.flat_map(|value| value.curves.iter().flatten());
    curves.filter(|curve| !curve.keyframes.is_empty()).map(|curve| &**curve)
}

/// Returns the times of the first and the last key.
fn ends<'a>(curves: impl Iterator<Item = &'a ufbx::AnimCurve>) -> Option<Span> {
    let ends = curves.map(|curve| [curve.min_time, curve.max_time]);
    ends.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])])
}
