//! How well a result keeps the contacts of a sample.

use super::variants::Variant;
use crate::contacts::body_part;
use crate::motions::RetargetedMotion;
use nalgebra::{UnitQuaternion, Vector3};
use rebone::body::{Anatomy, Landmark, Side};
use rebone::contacts::count_matches;
use rebone::skeleton::{Clip, JointId, Motion, Skeleton, WorldPose, forward_kinematics};
use rebone::{BodyPart, Contact};
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
        let units = [&plan.source, &plan.target].map(Anatomy::metres_per_unit);
        let worlds =
            worlds_of(&result.clip, &plan.target.skeleton, plan.inner_from_target, units[1]);
        let soles = soles([&plan.source, &plan.target]);
        let [from, soles] = [0, 1].map(|k| {
            let one = |(side, points): &(Side, [Landmark; 2])| (*side, points[k], units[k]);
            soles.iter().map(one).collect::<Vec<_>>()
        });
        let seen = worlds_of(&motion.clip, &motion.skeleton, plan.inner_from_source, units[0]);
        let up = variant.slope() * Vector3::y();
        let lowest = |worlds: &[WorldPose], points: &[(Side, Landmark, f64)]| {
            let places = worlds.iter().flat_map(|world| {
                points.iter().map(|own| own.1.place(world, own.2).unwrap().dot(&up))
            });
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
                let own = all.iter().copied().filter(|own| own.0 == foot);
                own.collect::<Vec<_>>()
            });
            let above = lowest(&seen[frames.clone()], &from) * plan.path_scale;
            depth = depth.max(above - lowest(&worlds[frames.clone()], &own));
            for (_, point, unit) in soles.iter().filter(|own| own.0 == foot) {
                let places: Vec<Vector3<f64>> = worlds[frames.clone()]
                    .iter()
                    .map(|world| point.place(world, *unit).unwrap())
                    .collect();
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

/// Heels, balls and toe tips that two bodies both have.
fn soles(bodies: [&Anatomy; 2]) -> Vec<(Side, [Landmark; 2])> {
    let sole = |anatomy: &Anatomy, side: Side| {
        let leg = &anatomy.body.legs[side.index()];
        let carriers = [leg.foot, leg.foot, leg.toes.unwrap_or(leg.foot)];
        let landmark = |(joint, point): (JointId, Option<Vector3<f64>>)| {
            let axes = anatomy.t_pose.rotations[joint.index()];
            let offset = axes.inverse() * (point? - anatomy.t_pose.positions[joint.index()]);
            Some(Landmark { joint, offset: offset / anatomy.metres_per_unit() })
        };
        carriers.into_iter().zip(anatomy.sole(side)).map(landmark).collect::<Vec<_>>()
    };
    let both = |side| {
        let [one, other] = bodies.map(|body| sole(body, side));
        one.into_iter().zip(other).filter_map(move |(a, b)| Some((side, [a?, b?])))
    };
    Side::BOTH.into_iter().flat_map(both).collect()
}

/// World transforms of all frames in the inner world.
fn worlds_of(
    clip: &Clip,
    skeleton: &Skeleton,
    inner: UnitQuaternion<f64>,
    metres: f64,
) -> Vec<WorldPose> {
    let world = |pose| {
        let mut world = forward_kinematics(skeleton, &pose).unwrap();
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
            .flat_map(|pose| forward_kinematics(&motion.skeleton, &pose).unwrap().positions)
            .collect()
    };
    let pairs = places(clip).into_iter().zip(places(&motion.clip));
    pairs.map(|(a, b)| (a - b).norm() / 176.0).fold(0.0, f64::max)
}

/// Contacts in two lists and in one of them only, over several clips.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Matches {
    both: usize,
    one: usize,
}

impl Matches {
    /// Counts the contacts of some parts of a clip.
    pub(crate) fn add(&mut self, lists: [&[Contact]; 2], frame_time: f64, parts: &[BodyPart]) {
        let [both, one] = count_matches(lists[0], lists[1], frame_time, parts);
        self.both += both;
        self.one += one;
    }

    /// The harmonic mean of precision and recall.
    pub(crate) fn f1(&self) -> f64 {
        let both = 2.0 * self.both as f64;
        both / (both + self.one as f64)
    }
}
