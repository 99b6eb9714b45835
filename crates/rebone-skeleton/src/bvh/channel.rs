//! Channels: the numbers of a frame, and their names.

use crate::{Axis, JointId};

/// Properties that a channel animates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChannelKind {
    /// A coordinate of the joint's position in its parent's frame, in file units.
    Translation,
    /// An angle, in degrees.
    Rotation,
}

/// One number of each frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Channel {
    /// The joint that it animates.
    pub joint: JointId,
    /// The property that it animates.
    pub kind: ChannelKind,
    /// The coordinate, or the axis of the rotation.
    pub axis: Axis,
}

impl Channel {
    /// The name in files: `Xposition`, `Zrotation`.
    pub fn name(&self) -> &'static str {
        match (self.kind, self.axis) {
            (ChannelKind::Translation, Axis::X) => "Xposition",
            (ChannelKind::Translation, Axis::Y) => "Yposition",
            (ChannelKind::Translation, Axis::Z) => "Zposition",
            (ChannelKind::Rotation, Axis::X) => "Xrotation",
            (ChannelKind::Rotation, Axis::Y) => "Yrotation",
            (ChannelKind::Rotation, Axis::Z) => "Zrotation",
        }
    }
}

/// The channel that a word names, upper and lower case alike.
pub(super) fn channel_kind(word: &[u8]) -> Option<(ChannelKind, Axis)> {
    let (first, rest) = word.split_first()?;
    let axis = match first.to_ascii_uppercase() {
        b'X' => Axis::X,
        b'Y' => Axis::Y,
        b'Z' => Axis::Z,
        _ => return None,
    };
    let kind = match rest.to_ascii_lowercase().as_slice() {
        b"position" => ChannelKind::Translation,
        b"rotation" => ChannelKind::Rotation,
        _ => return None,
    };
    Some((kind, axis))
}
