//! How well a result keeps the contacts of a sample.

use super::variants::Variant;
use crate::body_part;
use nalgebra::{UnitQuaternion, Vector3};
use rebone::align::{Support, SupportPoint};
use rebone::body::Side;
use rebone::skeleton::{Clip, JointId, Motion, Skeleton, WorldPose, forward_kinematics};
use rebone::{BodyPart, RetargetedMotion};
use rebone_samples::Sample;

/// Figures of a result, in metres of a 1.7 m body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kept {
    /// The largest distance of a point of a foot that stands flat from its mean.
    pub slide: f64,
    /// The largest depth of a sole below the floor.
    pub depth: f64,
    /// The 99th percentile of the angular jerk of joints whose roles both have, over that of the source.
    pub jerk: f64,
}

impl Kept {
    pub(crate) fn new(
        result: &RetargetedMotion,
        sample: &Sample,
        motion: &Motion,
        variant: Variant,
    ) -> Self {
        let plan = &result.plan;
        let metres = plan.target.metres_per_unit();
        let worlds = worlds_of(&result.clip, &plan.target.skeleton, plan.inner_from_target, metres);
        let sole = |point: &SupportPoint| match point {
            SupportPoint::Heel(side) | SupportPoint::Ball(side) | SupportPoint::Toes(side) => {
                Some(*side)
            }
            _ => None,
        };
        let points = plan.supports.points.iter().zip(&plan.supports.target);
        let soles: Vec<_> = points.filter_map(|(point, own)| Some((sole(point)?, own))).collect();
        let points = plan.supports.points.iter().zip(&plan.supports.source);
        let from: Vec<_> = points.filter_map(|(point, own)| Some((sole(point)?, own))).collect();
        let seen = worlds_of(
            &motion.clip,
            &motion.skeleton,
            plan.inner_from_source,
            plan.source.metres_per_unit(),
        );
        let up = variant.slope() * Vector3::y();
        let lowest = |worlds: &[WorldPose], points: &[(Side, &Support)]| {
            let places = worlds
                .iter()
                .flat_map(|world| points.iter().map(|own| own.1.place(world).dot(&up)));
            places.fold(f64::INFINITY, f64::min)
        };
        let mut depth = lowest(&seen, &from) * plan.path_scale - lowest(&worlds, &soles);
        let mut slide: f64 = 0.0;
        let ratio = sample.motion.clip.frame_time / motion.clip.frame_time;
        for planted in &sample.foot_plants {
            let BodyPart::Foot(foot) = body_part(planted.part) else { continue };
            let [start, end] =
                [planted.frames.start, planted.frames.end - 1].map(|k| k as f64 * ratio);
            let frames = start.ceil() as usize..end.floor() as usize + 1;
            // A foot that stands has a floor of its own: that of its step.
            let [from, own] = [&from, &soles].map(|all| {
                let own = all.iter().copied().filter(|(side, _)| *side == foot);
                own.collect::<Vec<_>>()
            });
            let above = lowest(&seen[frames.clone()], &from) * plan.path_scale;
            depth = depth.max(above - lowest(&worlds[frames.clone()], &own));
            for (_, point) in soles.iter().filter(|(side, _)| *side == foot) {
                let places: Vec<Vector3<f64>> =
                    worlds[frames.clone()].iter().map(|world| point.place(world)).collect();
                let mean = places.iter().sum::<Vector3<f64>>() / places.len() as f64;
                let off = places.iter().map(|place| (place - mean).norm());
                slide = off.fold(slide, f64::max);
            }
        }
        let time = motion.clip.frame_time;
        let roles = |target: JointId| {
            let role = plan.target.roles.of(target)?;
            let is_one =
                [&plan.source, &plan.target].map(|own| own.roles.joints(role).count() == 1);
            (is_one == [true; 2]).then_some([target, plan.source.roles.joint(role)?])
        };
        let both: Vec<[JointId; 2]> = plan.target.skeleton.ids().filter_map(roles).collect();
        let [own, from] = [0, 1].map(|k| both.iter().map(|pair| pair[k]).collect::<Vec<_>>());
        Self { slide, depth, jerk: jerk(&worlds, &own, time) / jerk(&seen, &from, time) }
    }
}

/// World transforms of all frames in the inner world.
fn worlds_of(
    clip: &Clip,
    skeleton: &Skeleton,
    inner: UnitQuaternion<f64>,
    metres: f64,
) -> Vec<WorldPose> {
    let world = |pose| {
        let mut world = forward_kinematics(skeleton, &pose);
        world.positions.iter_mut().for_each(|place| *place = inner * *place * metres);
        world.rotations.iter_mut().for_each(|turn| *turn = inner * *turn);
        world
    };
    clip.poses().map(world).collect()
}

/// The 99th percentile of angular jerk, radians/s³, with what nobody sees added.
fn jerk(worlds: &[WorldPose], joints: &[JointId], time: f64) -> f64 {
    let mut all = Vec::new();
    for joint in joints.iter().map(|joint| joint.index()) {
        let speed = |k: usize| -> Vector3<f64> {
            let turn: UnitQuaternion<f64> =
                worlds[k + 1].rotations[joint] * worlds[k].rotations[joint].inverse();
            turn.scaled_axis() / time
        };
        for k in 0..worlds.len() - 3 {
            all.push((speed(k + 2) - speed(k + 1) * 2.0 + speed(k)).norm() / (time * time));
        }
    }
    all.sort_by(f64::total_cmp);
    all[all.len() * 99 / 100] + 1000_f64.to_radians()
}

/// The largest distance of a joint of a clip from that of a motion, as part of 1.7 m of the file's 176 cm.
pub(crate) fn distance(clip: &Clip, motion: &Motion) -> f64 {
    let places = |clip: &Clip| -> Vec<Vector3<f64>> {
        clip.poses()
            .flat_map(|pose| forward_kinematics(&motion.skeleton, &pose).positions)
            .collect()
    };
    let pairs = places(clip).into_iter().zip(places(&motion.clip));
    pairs.map(|(a, b)| (a - b).norm() / 176.0).fold(0.0, f64::max)
}
