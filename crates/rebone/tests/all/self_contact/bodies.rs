//! Bodies of the walk with tubes as skin, and what is measured on them.

use nalgebra::Vector3;
use rebone::body::{Anatomy, Side};
use rebone::card::Card;
use rebone::skeleton::{Clip, JointId, Motion, Skeleton, SkinPoint, WorldPose};
use rebone::{ClipInput, Hints, Options, align, analyse, retarget_clip};
use rebone_samples as samples;
use std::sync::Arc;

/// Radii of trunk, thighs, arms and hands, metres of a 1.7 m body.
pub(crate) const TRUNK: f64 = 0.12;
pub(crate) const THIGH: f64 = 0.07;
pub(crate) const ARM: f64 = 0.04;
pub(crate) const HAND: f64 = 0.025;

/// A tube of points around a line in the T pose, each carried by a joint.
pub(crate) fn tube(
    anatomy: &Anatomy,
    joint: JointId,
    [from, to]: [Vector3<f64>; 2],
    radius: f64,
) -> Vec<SkinPoint> {
    let along = (to - from) / (to - from).norm();
    let aside = along.cross(&Vector3::new(0.3, 0.5, 0.8));
    let aside = aside / aside.norm();
    let across = along.cross(&aside);
    let at = anatomy.t_pose.positions[joint.index()];
    let turn = anatomy.t_pose.rotations[joint.index()].inverse();
    let point = |k: usize| {
        let (share, angle) =
            ((k / 24) as f64 / 20.0, (k % 24) as f64 / 24.0 * std::f64::consts::TAU);
        let out = (aside * libm::cos(angle) + across * libm::sin(angle)) * radius;
        let place = from + (to - from) * share + out;
        let offset = turn * (place - at) / anatomy.metres_per_unit();
        SkinPoint { joint, offset, is_vertex: true }
    };
    (0..24 * 21).map(point).collect()
}

/// Trunk, thighs, arms and hands of a body; trunk and thighs `girth` times as thick.
pub(crate) fn skin(anatomy: &Anatomy, girth: f64) -> Arc<[SkinPoint]> {
    let place = |joint: JointId| anatomy.t_pose.positions[joint.index()];
    let body = &anatomy.body;
    let hips = (place(body.legs[0].upper) + place(body.legs[1].upper)) / 2.0;
    let neck = place(body.neck[0]);
    let joints = [body.pelvis(), body.chest()];
    let mut all = Vec::new();
    for (k, joint) in joints.into_iter().enumerate() {
        let part = [k, k + 1].map(|k| hips + (neck - hips) * (k as f64 / 2.0));
        all.extend(tube(anatomy, joint, part, TRUNK * girth));
    }
    for side in Side::BOTH {
        let (arm, leg) = (&body.arms[side.index()], &body.legs[side.index()]);
        let hand = arm.hand.expect("a sample has hands");
        all.extend(tube(anatomy, leg.upper, [leg.upper, leg.lower].map(place), THIGH * girth));
        all.extend(tube(anatomy, arm.upper, [arm.upper, arm.lower].map(place), ARM));
        all.extend(tube(anatomy, arm.lower, [arm.lower, hand].map(place), ARM));
        let tip = place(hand) + Vector3::x() * (side.sign() * 0.15);
        all.extend(tube(anatomy, hand, [place(hand), tip], HAND));
    }
    all.into()
}

/// The walk, its skeleton with a skin of a girth, under other names so that it is another rig.
pub(crate) fn body(prefix: &str, girth: f64) -> Anatomy {
    limited(prefix, girth, Card::default())
}

/// A body with a card.
pub(crate) fn limited(prefix: &str, girth: f64, card: Card) -> Anatomy {
    let skin = skin(&renamed(prefix, Hints::default()), girth);
    renamed(prefix, Hints { skin, card: Some(card), ..Hints::default() })
}

/// The body of the walk under other names.
pub(crate) fn renamed(prefix: &str, hints: Hints) -> Anatomy {
    let walk = samples::walk().motion;
    let mut joints = walk.skeleton.joints().to_vec();
    joints.iter_mut().for_each(|joint| joint.name = format!("{prefix}{}", joint.name).into());
    let skeleton = Skeleton::new(joints, walk.skeleton.end_sites().to_vec());
    let skeleton = skeleton.expect("other names change no tree");
    let motion = Motion { skeleton, clip: walk.clip };
    analyse(&motion, &hints).expect("the walk is a body")
}

/// A card that states surfaces of segments.
pub(crate) fn surface_card(text: &str) -> Card {
    Card::parse(&format!("[surface]\n{text}\n")).expect("names and values are right")
}

pub(crate) fn result(source: &Anatomy, target: &Anatomy, no_self_contact: bool) -> Clip {
    let plan = align(source, target, &Options { no_self_contact, ..Options::default() });
    retarget_clip(&plan, &ClipInput::new(&plan.source, &samples::walk().motion.clip))
        .expect("the clip is the source's")
        .0
}

/// The least distance of a hand from the axis of the thigh on its side, metres of a 1.7 m body.
pub(crate) fn hand_to_thigh(anatomy: &Anatomy, clip: &Clip) -> f64 {
    let mut world = WorldPose::zeros(&anatomy.skeleton);
    let mut least = f64::INFINITY;
    for pose in clip.poses() {
        world.update(&anatomy.skeleton, &pose).expect("a pose of the rig");
        for side in Side::BOTH {
            let (arm, leg) = (&anatomy.body.arms[side.index()], &anatomy.body.legs[side.index()]);
            let place = |joint: JointId| world.positions[joint.index()];
            let hand = arm.hand.expect("a sample has hands");
            let (hip, knee) = (place(leg.upper), place(leg.lower));
            let share = (place(hand) - hip).dot(&(knee - hip)) / (knee - hip).norm_squared();
            let foot = hip + (knee - hip) * share.clamp(0.0, 1.0);
            least = least.min((place(hand) - foot).norm() * anatomy.metres_per_unit());
        }
    }
    least
}

pub(crate) fn largest_difference(a: &Clip, b: &Clip) -> f64 {
    let pairs = a.poses().zip(b.poses());
    let angle = |(a, b): (rebone::skeleton::Pose, rebone::skeleton::Pose)| {
        a.rotations.iter().zip(&b.rotations).map(|(a, b)| a.angle_to(b)).fold(0.0, f64::max)
    };
    pairs.map(angle).fold(0.0, f64::max)
}
