//! Writes motion onto an unchanged hierarchy.

use super::channel::{Channel, ChannelKind};
use super::error::{WriteError, quoted};
use super::euler::{Triple, nearest_angles, nearest_triples};
use super::format::push_number;
use super::hierarchy::Hierarchy;
use super::lines::MAX_NUMBER;
use crate::{Axis, Clip, JointId, Pose};
use nalgebra::{Vector3, Vector4};
use std::io::Write;

/// Precision and angle ranges of the written motion.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WriteOptions<'a> {
    /// A fixed number of decimals. `None`: as many as are needed to read the same `f64` back.
    pub decimals: Option<u8>,
    /// Joints whose angles are taken inside ranges, with the least and greatest angle of each rotation
    /// channel in the order of the file, degrees. A rotation that no angles inside have is written as
    /// without ranges.
    pub ranges: &'a [(JointId, Vec<[f64; 2]>)],
}

/// Writes a BVH frame by frame, in memory bounded by one frame.
///
/// The hierarchy's text is written as it is, with LF line ends. Angles are continuous from frame to
/// frame: of all angles with the same rotation, and inside their ranges where those of a joint have
/// some, those nearest to the frame before are taken, in the first frame those nearest to zero. Numbers
/// never have an exponent.
pub struct Writer<'a, W> {
    writer: W,
    hierarchy: &'a Hierarchy,
    decimals: Option<u8>,
    declared: usize,
    frames: usize,
    channels: ChannelValues,
    line: Vec<u8>,
}

impl<'a, W: Write> Writer<'a, W> {
    /// Writes the hierarchy and the head of the motion section. `frame_time` is in seconds.
    ///
    /// # Errors
    /// When the frame time is not positive and finite, or `writer` fails.
    pub fn new(
        mut writer: W,
        hierarchy: &'a Hierarchy,
        frame_time: f64,
        frames: usize,
        options: WriteOptions<'_>,
    ) -> Result<Self, WriteError> {
        if !(frame_time > 0.0 && frame_time.is_finite()) {
            return Err(WriteError::FrameTime(frame_time));
        }
        let mut line = format!("MOTION\nFrames: {frames}\nFrame Time: ").into_bytes();
        push_number(&mut line, frame_time, None);
        line.push(b'\n');
        writer.write_all(hierarchy.text())?;
        writer.write_all(&line)?;
        let channels = ChannelValues::new(hierarchy, options.ranges);
        let decimals = options.decimals;
        Ok(Self { writer, hierarchy, decimals, declared: frames, frames: 0, channels, line })
    }

    /// Writes the next frame. The pose must be one that the channels can express: what they have
    /// no number for is lost.
    ///
    /// # Errors
    /// When the pose is of another skeleton, has a number that is not finite or larger than readers take, or on output.
    pub fn write_pose(&mut self, pose: &Pose) -> Result<(), WriteError> {
        check(self.hierarchy, pose, self.frames)?;
        self.channels.update(self.hierarchy, pose);
        self.check_size()?;
        self.line.clear();
        for (&value, &range) in self.channels.values.iter().zip(&self.channels.ranges) {
            let value =
                self.decimals.map_or(value, |decimals| round_inside(value, range, decimals));
            push_number(&mut self.line, value, self.decimals);
            self.line.push(b' ');
        }
        self.line.pop();
        self.line.push(b'\n');
        self.writer.write_all(&self.line)?;
        self.frames += 1;
        Ok(())
    }

    /// Checks that a reader takes all values.
    fn check_size(&self) -> Result<(), WriteError> {
        let mut channels = self.hierarchy.channels().iter().zip(&self.channels.values);
        match channels.find(|own| own.1.abs() > MAX_NUMBER) {
            None => Ok(()),
            Some((channel, &found)) => Err(WriteError::TooLarge {
                frame: self.frames,
                joint: quoted(&self.hierarchy.skeleton()[channel.joint].name),
                found,
            }),
        }
    }

    /// Overwrites a pose with the last frame as a reader of the file finds it: with the decimals that were written.
    pub fn read_back(&self, pose: &mut Pose) {
        let numbers = self.line.split(|byte| byte.is_ascii_whitespace());
        let values: Vec<f64> = numbers.filter_map(|text| fast_float2::parse(text).ok()).collect();
        self.hierarchy.decode(&values, pose);
    }

    /// Ends the file and returns the writer.
    ///
    /// # Errors
    /// When more or fewer frames were written than announced, or on output.
    pub fn finish(mut self) -> Result<W, WriteError> {
        if self.frames != self.declared {
            let (declared, found) = (self.declared, self.frames);
            return Err(WriteError::FrameCount { declared, found });
        }
        self.writer.flush()?;
        Ok(self.writer)
    }
}

/// Writes a whole clip as a BVH file and returns the writer.
///
/// # Errors
/// When a pose cannot be written, or on output.
pub fn write_clip<W: Write>(
    writer: W,
    hierarchy: &Hierarchy,
    clip: &Clip,
    options: WriteOptions<'_>,
) -> Result<W, WriteError> {
    let mut writer = Writer::new(writer, hierarchy, clip.frame_time, clip.len(), options)?;
    let mut pose = hierarchy.skeleton().rest_pose();
    for frame in 0..clip.len() {
        clip.read(frame, &mut pose);
        writer.write_pose(&pose)?;
    }
    writer.finish()
}

/// The range of a channel without limits.
const UNBOUNDED: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

/// Rounds a value so that it stays inside its range with this number of decimals, where possible.
fn round_inside(value: f64, [low, high]: [f64; 2], decimals: u8) -> f64 {
    if [low, high] == UNBOUNDED || value < low || value > high {
        return value;
    }
    let scale = 10_f64.powi(i32::from(decimals));
    let low = (low * scale - ROUNDING_DIGITS).ceil() / scale;
    let high = (high * scale + ROUNDING_DIGITS).floor() / scale;
    if low <= high && value.is_finite() { value.max(low).min(high) } else { value }
}

/// Units of the last decimal: numbers this near to a rounded one equal it.
const ROUNDING_DIGITS: f64 = 1e-6;

/// The values of a frame's channels, remembered from frame to frame.
struct ChannelValues {
    values: Vec<f64>,
    /// Least and greatest value of each channel.
    ranges: Vec<[f64; 2]>,
    /// Position channels, with their indices among the values.
    translations: Vec<(usize, Channel)>,
    /// Joints with three rotation channels, and the indices of those among the values.
    triples: Vec<Triple>,
    places: Vec<[usize; 3]>,
    /// Joints with fewer.
    others: Vec<RotationChannels>,
}

struct RotationChannels {
    joint: usize,
    axes: Vec<Axis>,
    /// Their indices among the values.
    places: Vec<usize>,
}

impl ChannelValues {
    fn new(hierarchy: &Hierarchy, held: &[(JointId, Vec<[f64; 2]>)]) -> Self {
        let mut ranges = vec![UNBOUNDED; hierarchy.channels().len()];
        let rotations = rotations(hierarchy);
        for (joint, held) in held {
            for rotation in rotations.iter().filter(|rotation| rotation.joint == joint.index()) {
                rotation.places.iter().zip(held).for_each(|(&place, &range)| ranges[place] = range);
            }
        }
        let (mut triples, mut places, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for rotation in rotations {
            let (Ok(axes), Ok(three)) =
                (rotation.axes.as_slice().try_into(), rotation.places.as_slice().try_into())
            else {
                others.push(rotation);
                continue;
            };
            let ranges = <[usize; 3]>::map(three, |place| ranges[place]);
            triples.push(Triple { joint: rotation.joint, axes, ranges, angles: [0.0; 3] });
            places.push(three);
        }
        let channels = hierarchy.channels().iter().copied().enumerate();
        let translations = channels.filter(|(_, channel)| channel.kind == ChannelKind::Translation);
        let (values, translations) = (vec![0.0; ranges.len()], translations.collect());
        Self { values, ranges, translations, triples, places, others }
    }

    /// Overwrites the values with those of `pose`.
    fn update(&mut self, hierarchy: &Hierarchy, pose: &Pose) {
        for (place, channel) in &self.translations {
            let coordinate = pose.translations[channel.joint.index()][channel.axis.index()];
            self.values[*place] = coordinate - hierarchy.origin(channel);
        }
        nearest_triples(&mut self.triples, &pose.rotations);
        for (triple, places) in self.triples.iter().zip(&self.places) {
            places.iter().zip(triple.angles).for_each(|(&place, angle)| self.values[place] = angle);
        }
        for RotationChannels { joint, axes, places } in &self.others {
            let (mut angles, mut ranges) = ([0.0; 2], [UNBOUNDED; 2]);
            for (k, &place) in places.iter().enumerate() {
                (angles[k], ranges[k]) = (self.values[place], self.ranges[place]);
            }
            nearest_angles(&pose.rotations[*joint], axes, &ranges, &mut angles);
            for (angle, &place) in angles.iter().zip(places) {
                self.values[place] = *angle;
            }
        }
    }
}

/// The joints with rotation channels.
fn rotations(hierarchy: &Hierarchy) -> Vec<RotationChannels> {
    let mut rotations: Vec<RotationChannels> = Vec::new();
    for (place, channel) in hierarchy.channels().iter().enumerate() {
        if channel.kind == ChannelKind::Rotation {
            let joint = channel.joint.index();
            if rotations.last().is_none_or(|last| last.joint != joint) {
                rotations.push(RotationChannels { joint, axes: Vec::new(), places: Vec::new() });
            }
            if let Some(last) = rotations.last_mut() {
                last.axes.push(channel.axis);
                last.places.push(place);
            }
        }
    }
    rotations
}

fn check(hierarchy: &Hierarchy, pose: &Pose, frame: usize) -> Result<(), WriteError> {
    let expected = hierarchy.skeleton().len();
    for found in [pose.translations.len(), pose.rotations.len()] {
        if found != expected {
            return Err(WriteError::PoseLength { found, expected });
        }
    }
    // Times 0, a number that is not finite is NaN.
    let places: Vector3<f64> = pose.translations.iter().map(|place| place * 0.0).sum();
    let turns: Vector4<f64> = pose.rotations.iter().map(|turn| turn.coords * 0.0).sum();
    if places.sum() + turns.sum() == 0.0 {
        return Ok(());
    }
    let transforms = pose.translations.iter().zip(&pose.rotations);
    for (joint, (place, turn)) in hierarchy.skeleton().joints().iter().zip(transforms) {
        if !place.iter().chain(&turn.coords).all(|number| number.is_finite()) {
            return Err(WriteError::NotFinite { frame, joint: quoted(&joint.name) });
        }
    }
    Ok(())
}
