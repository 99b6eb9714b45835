//! The hierarchy section: joints, channels, text.

use super::channel::{Channel, ChannelKind};
use super::format::canonical_text;
use crate::{Axis, Pose, Skeleton};
use nalgebra::{Quaternion, UnitQuaternion};

/// Meaning of position channels, the root's excepted: they always replace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Translations {
    /// The values are the position in the parent's frame, instead of `OFFSET`: almost all programs.
    Replace,
    /// The values are added to `OFFSET`: MakeHuman.
    Add,
}

/// A hierarchy section: the skeleton, how its channels are laid out, and its text.
#[derive(Clone, Debug, PartialEq)]
pub struct Hierarchy {
    pub(super) skeleton: Skeleton,
    pub(super) channels: Vec<Channel>,
    pub(super) translations: Translations,
    pub(super) text: Vec<u8>,
}

impl Hierarchy {
    /// The hierarchy of a skeleton that comes from no BVH file.
    ///
    /// Each joint has its position channels first, then its rotation channels, in the order of
    /// [`Joint`](crate::Joint), where no axis may stand twice. BVH has no rest rotations: the
    /// hierarchy's skeleton has none, they become part of the motion. Joints are written depth
    /// first, as BVH must have them, whatever their order in the skeleton.
    pub fn from_skeleton(skeleton: &Skeleton) -> Self {
        let channels = skeleton.depth_first().into_iter().flat_map(|(id, _)| {
            let joint = &skeleton[id];
            let channel = move |kind| move |&axis: &Axis| Channel { joint: id, kind, axis };
            let translations = joint.translation_axes.iter().map(channel(ChannelKind::Translation));
            translations.chain(joint.rotation_axes.iter().map(channel(ChannelKind::Rotation)))
        });
        let channels = channels.collect();
        let joints = skeleton.joints().iter().map(|joint| crate::Joint {
            rest_rotation: UnitQuaternion::identity(),
            ..joint.clone()
        });
        let skeleton = Skeleton::new(joints.collect(), skeleton.end_sites().to_vec())
            .expect("a skeleton is still one without its rest rotations");
        Self::canonical(skeleton, channels)
    }

    /// A hierarchy with a generated text.
    pub(super) fn canonical(skeleton: Skeleton, channels: Vec<Channel>) -> Self {
        let text = canonical_text(&skeleton, &channels);
        Self { skeleton, channels, translations: Translations::Replace, text }
    }

    /// The skeleton at rest: `OFFSET`s as rest translations, no rest rotations.
    pub fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }

    /// The channels, in the order of the numbers of a frame.
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// Relation of position channels to `OFFSET`, which the values of the first frame decide: no file says it.
    /// See [`Reader`](super::Reader).
    pub fn translations(&self) -> Translations {
        self.translations
    }

    /// The text that is written, from `HIERARCHY` to the last closing brace, with LF line ends.
    ///
    /// The lines are those of the file. Only where the file's own text was malformed (see the
    /// warnings) it is written anew, with the same names, numbers and orders.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The origin of a position channel's values: `OFFSET` where values are added, else zero.
    pub(super) fn origin(&self, channel: &Channel) -> f64 {
        match self.translations {
            Translations::Add if channel.joint.index() > 0 => self.offset(channel),
            _ => 0.0,
        }
    }

    /// The coordinate of the joint's `OFFSET` along a channel.
    pub(super) fn offset(&self, channel: &Channel) -> f64 {
        self.skeleton[channel.joint].rest_translation[channel.axis.index()]
    }

    /// Infers from the first frame what position channels mean.
    ///
    /// Values that replace are as long as `OFFSET`; values that are added are near zero. Each joint with position channels
    /// and an `OFFSET` has a vote; a tie means replace.
    pub(super) fn decide_translations(&mut self, values: &[f64]) {
        const NEAR_ZERO: f64 = 0.05;
        let mut lengths = vec![(0.0, 0.0); self.skeleton.len()];
        for (channel, value) in self.channels.iter().zip(values) {
            if channel.kind == ChannelKind::Translation {
                let (offset, length) = &mut lengths[channel.joint.index()];
                *offset += self.offset(channel).powi(2);
                *length += value.powi(2);
            }
        }
        let voters = lengths.iter().skip(1).filter(|(offset, _)| *offset > 0.0);
        let (mut add, mut replace) = (0, 0);
        for (offset, length) in voters {
            let near_zero = *length < NEAR_ZERO * NEAR_ZERO * offset;
            *(if near_zero { &mut add } else { &mut replace }) += 1;
        }
        self.translations = if add > replace { Translations::Add } else { Translations::Replace };
    }

    /// Overwrites `pose` with the pose of `values`, one value per channel.
    pub(super) fn decode(&self, values: &[f64], pose: &mut Pose) {
        pose.translations.clear();
        pose.translations.extend(self.skeleton.joints().iter().map(|joint| joint.rest_translation));
        pose.rotations.clear();
        pose.rotations.resize(self.skeleton.len(), UnitQuaternion::identity());
        for (channel, &value) in self.channels.iter().zip(values) {
            let joint = channel.joint.index();
            match channel.kind {
                ChannelKind::Translation => {
                    let place = self.origin(channel) + value;
                    pose.translations[joint][channel.axis.index()] = place;
                }
                ChannelKind::Rotation if value != 0.0 => {
                    turn(&mut pose.rotations[joint], channel.axis, value.to_radians())
                }
                ChannelKind::Rotation => {}
            }
        }
    }
}

/// `rotation = rotation * R(axis, angle)`: the product of quaternions with the zeros left out.
fn turn(rotation: &mut UnitQuaternion<f64>, axis: Axis, angle: f64) {
    let (s, c) = libm::sincos(angle / 2.0);
    let [x, y, z, w]: [f64; 4] = rotation.coords.into();
    let product = match axis {
        Axis::X => [x * c + w * s, y * c + z * s, z * c - y * s, w * c - x * s],
        Axis::Y => [x * c - z * s, y * c + w * s, z * c + x * s, w * c - y * s],
        Axis::Z => [x * c + y * s, y * c - x * s, z * c + w * s, w * c - z * s],
    };
    *rotation = UnitQuaternion::new_unchecked(Quaternion::from_vector(product.into()));
}
