//! One animated property of a node, at any time.

use crate::gltf::accessor::Numbers;
use crate::gltf::error::{ReadError, unexpected};
use crate::gltf::read::rotation;
use crate::gltf::tracks::times::MAX_KEY_OFFSET_FRAMES;
use nalgebra::Vector3;
use std::rc::Rc;

/// Interpolation between two keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interpolation {
    /// The value of the key before.
    Step,
    /// On the straight line, or the shortest arc.
    Linear,
    /// On a cubic through both, with tangents.
    CubicSpline,
}

impl Interpolation {
    pub(crate) fn named(name: Option<&str>, at: &str) -> Result<Self, ReadError> {
        Ok(match name {
            None | Some("LINEAR") => Self::Linear,
            Some("STEP") => Self::Step,
            Some("CUBICSPLINE") => Self::CubicSpline,
            Some(other) => {
                let (place, found) = (format!("{at}.interpolation"), format!("{other:?}"));
                return Err(unexpected(place, found, "LINEAR, STEP or CUBICSPLINE"));
            }
        })
    }

    /// Rows of values for each key: with tangents on both sides of it, or without.
    pub(crate) fn rows_per_key(self) -> usize {
        if self == Self::CubicSpline { 3 } else { 1 }
    }
}

/// A property over time. There is a key at least.
#[derive(Clone, Debug)]
pub(crate) struct Track {
    /// Seconds, rising.
    pub(crate) times: Rc<Numbers>,
    /// Rows of the same width, as many a key as the interpolation needs.
    pub(crate) values: Rc<Numbers>,
    /// Interpolation between keys.
    pub(crate) interpolation: Interpolation,
}

impl Track {
    /// Returns the greatest difference of any key from these numbers.
    pub(crate) fn max_deviation(&self, rest: &Vector3<f64>) -> f64 {
        let rows = (0..self.times.values.len()).flat_map(|key| self.key(key, 0).iter().zip(rest));
        rows.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    }

    /// First key whose value is no rotation.
    pub(crate) fn key_without_rotation(&self) -> Option<usize> {
        (0..self.times.values.len()).find(|&key| rotation(self.key(key, 0)).is_none())
    }

    /// The value at a time, in a clip of this frame time; without allocation.
    pub(crate) fn at<const N: usize>(&self, time: f64, frame_time: f64) -> [f64; N] {
        let own =
            |key: usize, part: i8| -> [f64; N] { std::array::from_fn(|k| self.key(key, part)[k]) };
        match self.neighbours(time, frame_time) {
            Neighbours::Key(key) => own(key, 0),
            Neighbours::Between(key, part, step) => {
                let (from, to) = (own(key, 0), own(key + 1, 0));
                let (out, into) = (own(key, 1), own(key + 1, -1));
                std::array::from_fn(|k| match self.interpolation {
                    Interpolation::CubicSpline => {
                        cubic([from[k], to[k]], [out[k] * step, into[k] * step], part)
                    }
                    _ => from[k] + (to[k] - from[k]) * part,
                })
            }
        }
    }

    /// The rotation at a time, as x, y, z, w.
    pub(crate) fn rotation_at(&self, time: f64, frame_time: f64) -> [f64; 4] {
        let between = match self.neighbours(time, frame_time) {
            Neighbours::Between(key, part, _) if self.interpolation == Interpolation::Linear => {
                rotation(self.key(key, 0))
                    .zip(rotation(self.key(key + 1, 0)))
                    .map(|turns| (turns, part))
            }
            _ => None,
        };
        match between {
            Some(((from, to), part)) => {
                let turn = from.try_slerp(&to, part, 1e-12).unwrap_or(from);
                turn.coords.into()
            }
            None => self.at(time, frame_time),
        }
    }

    /// A key's value, or the tangents before (−1) and after (1) it.
    pub(crate) fn key(&self, key: usize, part: i8) -> &[f64] {
        let row = match self.interpolation {
            Interpolation::CubicSpline => (3 * key + 1).saturating_add_signed(part.into()),
            _ => key,
        };
        &self.values.values[row * self.values.width..][..self.values.width]
    }

    fn neighbours(&self, time: f64, frame_time: f64) -> Neighbours {
        let times = &self.times.values;
        let near = MAX_KEY_OFFSET_FRAMES * frame_time;
        let next = times.partition_point(|&key| key < time - near);
        match (next.checked_sub(1), times.get(next)) {
            (_, Some(&key)) if key <= time + near => Neighbours::Key(next),
            (Some(before), Some(_)) if self.interpolation == Interpolation::Step => {
                Neighbours::Key(before)
            }
            (Some(before), Some(key)) => {
                let step = key - times[before];
                Neighbours::Between(before, (time - times[before]) / step, step)
            }
            (None, _) => Neighbours::Key(0),
            (Some(last), None) => Neighbours::Key(last),
        }
    }
}

/// The keys next to a time.
enum Neighbours {
    /// On a key, before the first, or after the last.
    Key(usize),
    /// After a key: the position between it and the next, 0 to 1, and their distance in seconds.
    Between(usize, f64, f64),
}

/// The cubic of appendix C of the specification; tangents are those of the whole step.
fn cubic(ends: [f64; 2], tangents: [f64; 2], t: f64) -> f64 {
    let (t2, t3) = (t * t, t * t * t);
    (2.0 * t3 - 3.0 * t2 + 1.0) * ends[0]
        + (t3 - 2.0 * t2 + t) * tangents[0]
        + (3.0 * t2 - 2.0 * t3) * ends[1]
        + (t3 - t2) * tangents[1]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(times: &[f64], values: &[f64], interpolation: Interpolation) -> Track {
        let numbers = |values: &[f64]| Rc::new(Numbers { width: 1, values: values.to_vec() });
        Track { times: numbers(times), values: numbers(values), interpolation }
    }

    #[test]
    fn each_kind_of_interpolation() {
        let at = |track: &Track, time: f64| track.at::<1>(time, 0.01)[0];
        let linear = track(&[1.0, 3.0], &[10.0, 20.0], Interpolation::Linear);
        assert_eq!(
            [0.0, 1.0, 1.5, 3.0, 9.0].map(|t| at(&linear, t)),
            [10.0, 10.0, 12.5, 20.0, 20.0]
        );
        let step = track(&[1.0, 3.0], &[10.0, 20.0], Interpolation::Step);
        let steps = [1.0, 2.9, 3.0 - 1e-6, 3.0].map(|t| at(&step, t));
        assert_eq!(
            steps,
            [10.0, 10.0, 20.0, 20.0],
            "a time that rounding put before a key is on it"
        );
        let values = [0.0, 10.0, 1.0, -3.0, 20.0, 0.0];
        let cubic = track(&[1.0, 3.0], &values, Interpolation::CubicSpline);
        assert_eq!((at(&cubic, 1.0), at(&cubic, 3.0)), (10.0, 20.0));
        assert_eq!(at(&cubic, 2.0), 15.0 + (2.0 * 1.0 - 2.0 * -3.0) / 8.0);
    }

    #[test]
    fn rotations_take_the_shorter_arc() {
        let numbers = |width, values: &[f64]| Rc::new(Numbers { width, values: values.to_vec() });
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let values = numbers(4, &[0.0, 0.0, 0.0, 1.0, -half, 0.0, 0.0, -half]);
        let times = numbers(1, &[0.0, 1.0]);
        let track = Track { times, values, interpolation: Interpolation::Linear };
        let turn = rotation(&track.rotation_at(0.5, 0.01)).unwrap();
        assert!((turn.angle() - 45_f64.to_radians()).abs() < 1e-12);
    }
}
