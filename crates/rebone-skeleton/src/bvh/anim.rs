//! From and to the types of the `bvh_anim` crate, version 0.4.
//!
//! That crate holds `f32`, and reads real files with care only: names end at a colon or blank,
//! leaves need an end site, other joints must have none. So it gets a generated text
//! in which names are escaped (`%3A` for a colon) and end sites are as it needs them.

use super::channel::{Channel, ChannelKind};
use super::error::WriteError;
use super::format::canonical_text;
use super::hierarchy::Hierarchy;
use super::write::{WriteOptions, write_clip};
use crate::{Axis, Clip, EndSite, Joint, JointId, Motion, Skeleton, SkeletonError};
use bstr::{BStr, BString};
use bvh_anim::{Bvh, ChannelType};
use nalgebra::{UnitQuaternion, Vector3};
use thiserror::Error;

/// Reason why a conversion is not possible.
#[derive(Debug, Error)]
pub enum AnimError {
    /// `bvh_anim` mixes up the root of a skeleton of one joint with its end site.
    #[error("found one joint, expected at least two: bvh_anim cannot hold less")]
    OneJoint,
    /// The clip does not fit the hierarchy.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// `bvh_anim` refuses the text.
    #[error("bvh_anim: {0}")]
    Load(#[from] bvh_anim::errors::LoadError),
    /// The joints of `bvh_anim` are not a skeleton.
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
}

/// The clip as `bvh_anim` has it, rounded to `f32`.
///
/// Names are escaped. A leaf keeps its first end site, or gets one at its own position; those of other
/// joints are left out. The frame time is cut to nanoseconds.
///
/// # Errors
/// When there is only one joint, or the clip cannot be written.
pub fn to_bvh_anim(hierarchy: &Hierarchy, clip: &Clip) -> Result<Bvh, AnimError> {
    let skeleton = &hierarchy.skeleton;
    if skeleton.len() < 2 {
        return Err(AnimError::OneJoint);
    }
    let joints = skeleton.joints().iter();
    let joints = joints.map(|joint| Joint { name: escaped(joint.name.as_ref()), ..joint.clone() });
    let leaves = skeleton.ids().filter(|&id| skeleton.children(id).next().is_none());
    let end_sites = leaves.map(|parent| EndSite {
        parent,
        offset: skeleton.end_sites_of(parent).next().map_or_else(Vector3::zeros, |end| end.offset),
    });
    let skeleton = Skeleton::new(joints.collect(), end_sites.collect())?;
    let text = canonical_text(&skeleton, &hierarchy.channels);
    let hierarchy = Hierarchy { skeleton, text, ..hierarchy.clone() };
    let options = WriteOptions::default();
    Ok(bvh_anim::from_bytes(write_clip(Vec::new(), &hierarchy, clip, options)?)?)
}

/// The hierarchy and motion that `bvh` holds, names unescaped. What its position channels mean is
/// decided as for a file.
///
/// # Errors
/// When its joints are no skeleton.
pub fn from_bvh_anim(bvh: &Bvh) -> Result<(Hierarchy, Motion), AnimError> {
    let (mut joints, mut end_sites, mut channels) = (Vec::new(), Vec::new(), Vec::new());
    for (index, joint) in bvh.joints().enumerate() {
        let joint = joint.data();
        let id = JointId(index);
        let own = || joint.channels().iter().map(move |channel| from_channel(id, channel));
        let axes = |wanted| own().filter(move |c| c.kind == wanted).map(|c| c.axis).collect();
        joints.push(Joint {
            name: unescaped(joint.name().as_bytes()),
            parent: joint.parent_index().map(JointId),
            rest_translation: vector((*joint.offset()).into()),
            rest_rotation: UnitQuaternion::identity(),
            translation_axes: axes(ChannelKind::Translation),
            rotation_axes: axes(ChannelKind::Rotation),
        });
        end_sites.extend(
            joint.end_site().map(|end| EndSite { parent: id, offset: vector((*end).into()) }),
        );
        channels.extend(own());
    }
    let skeleton = Skeleton::new(joints, end_sites)?;
    let mut hierarchy = Hierarchy::canonical(skeleton, channels);
    let mut clip = Clip::new(&hierarchy.skeleton, bvh.frame_time().as_secs_f64());
    for frame in bvh.frames() {
        let values: Vec<f64> = frame.as_slice().iter().copied().map(f64::from).collect();
        if clip.is_empty() {
            hierarchy.decide_translations(&values);
        }
        let mut pose = hierarchy.skeleton.rest_pose();
        hierarchy.decode(&values, &mut pose);
        clip.push_own(&pose);
    }
    let motion = Motion { skeleton: hierarchy.skeleton.clone(), clip };
    Ok((hierarchy, motion))
}

fn vector(coordinates: [f32; 3]) -> Vector3<f64> {
    coordinates.map(f64::from).into()
}

fn from_channel(joint: JointId, channel: &bvh_anim::Channel) -> Channel {
    let (kind, axis) = match channel.channel_type() {
        ChannelType::PositionX => (ChannelKind::Translation, Axis::X),
        ChannelType::PositionY => (ChannelKind::Translation, Axis::Y),
        ChannelType::PositionZ => (ChannelKind::Translation, Axis::Z),
        ChannelType::RotationX => (ChannelKind::Rotation, Axis::X),
        ChannelType::RotationY => (ChannelKind::Rotation, Axis::Y),
        ChannelType::RotationZ => (ChannelKind::Rotation, Axis::Z),
    };
    Channel { joint, kind, axis }
}

/// A name without blanks, colons, braces and bytes that are not ASCII; never empty.
fn escaped(name: &BStr) -> BString {
    let mut out = BString::default();
    for &byte in name.iter() {
        if byte.is_ascii_graphic() && !b":%{}".contains(&byte) {
            out.push(byte);
        } else {
            out.extend_from_slice(format!("%{byte:02X}").as_bytes());
        }
    }
    if out.is_empty() {
        out.push(b'%');
    }
    out
}

/// The name that [`escaped`] made this of; what it cannot have made stays as it is.
fn unescaped(name: &[u8]) -> BString {
    let mut out = BString::default();
    let mut rest = if name == b"%" { b"" } else { name };
    while let Some((&byte, behind)) = rest.split_first() {
        let code = rest.get(1..3).and_then(|code| std::str::from_utf8(code).ok());
        let code = code.and_then(|code| u8::from_str_radix(code, 16).ok());
        match code {
            Some(code) if byte == b'%' => {
                out.push(code);
                rest = &rest[3..];
            }
            _ => {
                out.push(byte);
                rest = behind;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn names_come_back(name in prop::collection::vec(any::<u8>(), 0..12)) {
            let text = escaped(BStr::new(&name));
            prop_assert!(text.iter().all(u8::is_ascii_graphic) && !text.is_empty());
            prop_assert_eq!(unescaped(&text), BString::from(name));
        }
    }

    #[test]
    fn there_and_back() {
        let text =
            b"HIERARCHY\nROOT a:b c\n{\nOFFSET 0 1 0\nCHANNELS 6 Xposition Yposition Zposition \
            Zrotation Xrotation Yrotation\nJOINT d\n{\nOFFSET 0 2 0\nCHANNELS 1 Xrotation\n\
            End Site\n{\nOFFSET 0 0 3\n}\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.25\n\
            1 2 3 10 20 30 40\n4 5 6 -10 -20 -30 50\n";
        let document = crate::bvh::parse(text).unwrap();
        let bvh = to_bvh_anim(&document.hierarchy, &document.motion.clip).unwrap();
        let (_, motion) = from_bvh_anim(&bvh).unwrap();
        assert_eq!(motion.skeleton, document.motion.skeleton);
        assert_eq!(motion.clip.frame_time, 0.25);
        for (ours, theirs) in document.motion.clip.poses().zip(motion.clip.poses()) {
            assert_eq!(ours.translations, theirs.translations);
            for (ours, theirs) in ours.rotations.iter().zip(&theirs.rotations) {
                // f32 has 24 bits.
                assert!(ours.angle_to(theirs) < 1e-6);
            }
        }
        assert_eq!(motion.clip.len(), 2);
    }

    #[test]
    fn one_joint_is_refused() {
        let text =
            b"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\nMOTION\nFrames: 1\n\
            Frame Time: 1\n0\n";
        let document = crate::bvh::parse(text).unwrap();
        let result = to_bvh_anim(&document.hierarchy, &document.motion.clip);
        assert!(matches!(result, Err(AnimError::OneJoint)));
    }
}
