//! The limits of one joint: default ones, overridden by its card.

use super::channels::channel_ranges;
use super::defaults::default_range;
use super::joint_range::JointRange;
use crate::body::{Anatomy, BALL, channel_name};
use nalgebra::UnitQuaternion;
use rebone_ik::LinkMotion;
use rebone_skeleton::JointId;

/// Returns the range of a joint: the default one, overridden by its card.
///
/// A joint of three channels of which the card limits some is unlimited about the others.
pub fn joint_range(anatomy: &Anatomy, joint: JointId) -> JointRange {
    let own = &anatomy.skeleton[joint];
    let stated = anatomy.limits.iter().find(|(id, _)| *id == joint).map(|(_, limits)| limits);
    let names: Vec<&str> = own.rotation_axes.iter().map(|&axis| channel_name(axis)).collect();
    let by_channel =
        stated.is_some_and(|limits| limits.iter().any(|(name, _)| names.contains(&name.as_str())));
    let mut ball = default_range(anatomy, joint);
    if let Some(limits) = stated {
        ball.override_with(limits, &BALL);
    }
    if names.len() == 3 && !by_channel {
        return ball;
    }
    let mut channels = JointRange {
        pre: own.rest_rotation,
        motion: match own.rotation_axes[..] {
            [] => LinkMotion::Fixed,
            ref axes => LinkMotion::Axes(axes.iter().map(|axis| axis.unit()).collect()),
        },
        post: UnitQuaternion::identity(),
        ..ball
    };
    (channels.lower, channels.upper) = if names.len() < 3 {
        channel_ranges(&ball, own)
    } else {
        ([f64::NEG_INFINITY; 3], [f64::INFINITY; 3])
    };
    if names.len() == 3 {
        channels.stated = [false; 3];
    } else {
        channels.stated = [ball.stated.contains(&true); 3];
    }
    if let Some(limits) = stated {
        channels.override_with(limits, &names);
    }
    channels
}
