//! Hands and fingers.

use super::MotionCalibration;
use super::limbs::{CueFrame, TwistCue, fused, sign};
use super::trunk::constant_turn;
use crate::body::{Arm, Side, arm_in_t_pose, finger_in_t_pose, frame, tip, turned_to};
use crate::calibrate::fusion::estimate::carried;
use nalgebra::{Unit, Vector3};
use rebone_skeleton::rotation::direction;
use rebone_skeleton::{JointId, Skeleton};

/// Standard deviation of a hand about the axes across it.
const HAND_SIGMA: f64 = 8_f64.to_radians();
/// Standard deviations of fingers.
const FINGER_SIGMAS: [f64; 3] = [10_f64.to_radians(), 12_f64.to_radians(), 5_f64.to_radians()];

/// Knuckles lie level in a T pose: −2 degrees on average over 8 kinds of hands, spread by 5.
const KNUCKLES: TwistCue = sign(0.0, 6.0);
/// The tip of the thumb lies below the palm's plane: by 40 degrees on average, spread by 11 over the
/// motions of 7 kinds of hands.
const THUMB: TwistCue = sign(-40.0, 11.0);
/// A thumb of one joint that never turns is drawn nearly level with the palm.
const RIGID_THUMB: TwistCue = sign(-8.0, 12.0);
/// A thumb of one joint that turns is any angle off the palm.
const LOOSE_THUMB: TwistCue = sign(-40.0, 40.0);
/// A branch of the hand that leads off its axis by more than this (sine) is a thumb.
const MIN_THUMB_SLOPE: f64 = 0.35;
/// The mean of the hand against the forearm's hinge.
const ON_HINGE: TwistCue = sign(7.0, 29.0);
const HANGS: TwistCue = sign(12.0, 34.0);

impl MotionCalibration<'_> {
    /// The hand by its knuckles, else by its thumb; nothing about its motion against the forearm.
    pub(crate) fn palm(&mut self, side: Side) {
        let arm = &self.body.arms[side.index()];
        let Some(hand) = arm.hand else { return };
        let knuckles = self.knuckles(hand, arm);
        let Some(along) = self.along(hand, &knuckles) else { return };
        let signed = match &knuckles[..] {
            [first, .., last] => Some((first - last, KNUCKLES)),
            _ => self.thumb(hand, arm),
        };
        let signed =
            signed.and_then(|(ahead, sign)| Some((frame(&along, &along.cross(&ahead))?, sign)));
        self.found[hand.index()] = signed.map(|signed| fused(&along, &[signed], side));
    }

    /// The hand of a side, where there is one: what its palm said and what the forearm says. And its
    /// fingers.
    pub(crate) fn hand(&mut self, side: Side) {
        let arm = &self.body.arms[side.index()];
        let Some(hand) = arm.hand else { return };
        let palm = self.found[hand.index()];
        let mean = carried(self.frames, arm.lower, self.frame(arm.lower), hand);
        let along = self.along(hand, &self.knuckles(hand, arm));
        let Some(along) = along.or_else(|| direction(&(mean? * Vector3::y()))) else { return };
        let hangs = self.hanging_cue(hand, &along, [arm.lower.into(), arm.wrist], side, HANGS);
        let signs = [
            palm.map(|(palm, sigma)| (palm, TwistCue::plain(sigma.y))),
            mean.map(|mean| (turned_to(mean, &along), ON_HINGE)),
            hangs,
        ];
        let signs: Vec<CueFrame> = signs.into_iter().flatten().collect();
        let (frame, sigma) = fused(&along, &signs, side);
        self.found[hand.index()] = Some((frame, Vector3::new(HAND_SIGMA, sigma.y, HAND_SIGMA)));
        self.fingers(hand, arm, side);
    }

    /// Returns the direction of the thumb from the wrist in the hand's axes, as evidence: the thumb by its
    /// role, else the only branch of the hand that leads off to the side.
    fn thumb(&self, hand: JointId, arm: &Arm) -> Option<(Vector3<f64>, TwistCue)> {
        let along = self.along(hand, &[])?;
        let branches = self.skeleton.children(hand).map(|base| (base, self.points(hand, base)));
        let aside =
            |points: &Vector3<f64>| along.cross(points).norm() > MIN_THUMB_SLOPE * points.norm();
        let mut aside = branches.filter(|(_, points)| aside(points));
        let (base, points) = match arm.fingers[0].first() {
            Some(&base) => (base, self.points(hand, base)),
            None => aside.next().filter(|_| aside.next().is_none())?,
        };
        let joints = below(self.skeleton, base).len();
        let sign = match (constant_turn(self.frames, hand, base).is_some(), joints) {
            (true, 1) => RIGID_THUMB,
            (false, 1) => LOOSE_THUMB,
            _ => THUMB,
        };
        Some((points, sign))
    }

    /// Returns the mean position of the end of a branch against the hand, in its axes.
    fn points(&self, hand: JointId, base: JointId) -> Vector3<f64> {
        let last = below(self.skeleton, base).last().copied().unwrap_or(base);
        let seen = self.frames.iter().map(|pose| {
            let end = tip(self.skeleton, last, pose, 1.0).unwrap_or(pose.positions[last.index()]);
            pose.rotations[hand.index()].inverse() * (end - pose.positions[hand.index()])
        });
        seen.sum::<Vector3<f64>>() / self.frames.len().max(1) as f64
    }

    /// The outer fingers' knuckles in the axes of the hand, on average.
    fn knuckles(&self, hand: JointId, arm: &Arm) -> Vec<Vector3<f64>> {
        let outer = arm.fingers[1..].iter().filter_map(|finger| finger.first());
        let on_hand = |id: JointId| {
            let seen = self.frames.iter().map(|pose| {
                let from_wrist = pose.positions[id.index()] - pose.positions[hand.index()];
                pose.rotations[hand.index()].inverse() * from_wrist
            });
            seen.sum::<Vector3<f64>>() / self.frames.len().max(1) as f64
        };
        outer.map(|&id| on_hand(id)).collect()
    }

    /// Returns the direction of the hand in its own axes: to the middle of its knuckles, else to its end site, else
    /// to the farthest joint that is no thumb.
    fn along(&self, hand: JointId, knuckles: &[Vector3<f64>]) -> Option<Unit<Vector3<f64>>> {
        let longer =
            |a: &Vector3<f64>, b: &Vector3<f64>| a.norm_squared().total_cmp(&b.norm_squared());
        let site = self.skeleton.end_sites_of(hand).map(|site| site.offset).max_by(longer);
        let thumbs = self.body.arms.each_ref().map(|arm| arm.fingers[0].first().copied());
        let others = self.skeleton.children(hand).filter(|&id| !thumbs.contains(&Some(id)));
        let child = others.map(|id| self.skeleton[id].rest_translation).max_by(longer);
        direction(&knuckles.iter().sum())
            .or_else(|| direction(&site?))
            .or_else(|| direction(&child?))
    }

    /// A finger's bone is an OFFSET; it bends about the axis across the palm, on average over the frames.
    fn fingers(&mut self, hand: JointId, arm: &Arm, side: Side) {
        let own = self.frame(hand);
        let straight =
            own.map(|own| own * (arm_in_t_pose(side).inverse() * finger_in_t_pose(side)));
        for finger in &arm.fingers {
            for (place, &joint) in finger.iter().enumerate() {
                let next = finger.get(place + 1).map(|&next| self.skeleton[next].rest_translation);
                let site = || self.skeleton.end_sites_of(joint).next().map(|site| site.offset);
                let along = next.or_else(site).and_then(|end| direction(&end));
                let mean = carried(self.frames, hand, straight, joint);
                let frame = match (mean, along) {
                    (Some(mean), Some(along)) => Some(turned_to(mean, &along)),
                    (mean, _) => mean,
                };
                self.found[joint.index()] = frame.map(|frame| (frame, FINGER_SIGMAS.into()));
            }
        }
    }
}

/// The joints of a branch from its base along first children.
fn below(skeleton: &Skeleton, base: JointId) -> Vec<JointId> {
    std::iter::successors(Some(base), |&id| skeleton.children(id).next()).collect()
}
