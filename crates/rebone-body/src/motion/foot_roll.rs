//! Feet that a clip turns over.
//!
//! Some captures (CMU's of dancers, and what was converted from them) turn a foot by 180 degrees about the line from ankle to
//! ball for part of a clip: its solver took the other of two solutions while the foot pointed along the shin. The line itself
//! stays right. No ankle turns so far, and turning back leaves no jump, so such frames are known.

use crate::body::{Anatomy, Leg};
use crate::calibrate::ahead_in_foot;
use crate::poses;
use nalgebra::{Unit, UnitQuaternion, Vector3};
use rebone_skeleton::{Clip, JointId};
use std::f64::consts::PI;

/// Angle between the left of a foot and the axis that its knee bends about, about the line from ankle to ball, beyond which
/// it counts as turned over. In motions of people it is up to 60 degrees.
const MAX_ROLL_RADIANS: f64 = 120_f64.to_radians();
/// Frames a second that weigh as much as a jump by what their angle is too large.
const FRAME_RATE: f64 = 30.0;
/// What takes less time is noise of the capture, seconds.
const MIN_TURNED_SECONDS: f64 = 0.25;

/// A foot on its shin.
struct Ankle {
    foot: JointId,
    /// The joints from the foot up to the shin, the shin left out.
    chain: Vec<JointId>,
    /// The axis that the knee bends about, in the axes of the shin.
    knee_axis: Vector3<f64>,
    /// Left of the foot in its own axes.
    left: Vector3<f64>,
    /// From ankle to ball in the axes of the foot.
    ahead: Unit<Vector3<f64>>,
}

impl Ankle {
    fn new(anatomy: &Anatomy, leg: &Leg) -> Option<Self> {
        let skeleton = &anatomy.skeleton;
        let above = |&joint: &JointId| skeleton[joint].parent;
        let is_below = |joint: &JointId| *joint != leg.lower;
        let chain = std::iter::successors(Some(leg.foot), above).take_while(is_below).collect();
        let left = |joint: JointId| anatomy.joint_from_anatomical[joint.index()] * Vector3::x();
        let ahead = ahead_in_foot(skeleton, leg)?;
        let (foot, knee_axis) = (leg.foot, left(leg.lower));
        Some(Self { foot, chain, knee_axis, left: left(foot), ahead })
    }

    /// The rotation of the foot in the axes of the shin, in a frame with these local rotations.
    fn rotation(&self, locals: &[UnitQuaternion<f64>]) -> UnitQuaternion<f64> {
        let above = |below, joint: &JointId| locals[joint.index()] * below;
        self.chain.iter().fold(UnitQuaternion::identity(), above)
    }

    /// The turn of the foot by 180 degrees about the line from ankle to ball.
    fn half_turn(&self) -> UnitQuaternion<f64> {
        UnitQuaternion::from_axis_angle(&self.ahead, PI)
    }

    /// Radians by which a foot is turned beyond what an ankle can; less where it points along the knee's axis, which tells
    /// little of its turn.
    fn excess(&self, rotation: &UnitQuaternion<f64>) -> f64 {
        let across = |axis: Vector3<f64>| axis - *self.ahead * self.ahead.dot(&axis);
        let [knee, foot] = [rotation.inverse() * self.knee_axis, self.left].map(across);
        (knee.angle(&foot) - MAX_ROLL_RADIANS).max(0.0) * knee.norm()
    }

    /// Returns the frames in which the foot is turned over: those that make jumps and angles beyond an ankle's the least
    /// together, as the cheapest way through two states a frame (R. Bellman, Dynamic programming, 1957).
    fn turned_frames(&self, clip: &Clip) -> Vec<bool> {
        let half_turn = self.half_turn();
        let weight = FRAME_RATE * clip.frame_time;
        let mut came_from: Vec<[usize; 2]> = Vec::with_capacity(clip.len());
        let mut costs = [0.0; 2];
        let mut before: Option<[UnitQuaternion<f64>; 2]> = None;
        for frame in 0..clip.len() {
            let own = self.rotation(poses::rotations(clip, frame));
            let states = [own, own * half_turn];
            let way = |to: usize| {
                let cost = |from: usize| {
                    costs[from] + before.map_or(0.0, |before| before[from].angle_to(&states[to]))
                };
                let [stay, change] = [cost(to), cost(1 - to)];
                if change < stay { (change, 1 - to) } else { (stay, to) }
            };
            let ways = [way(0), way(1)];
            costs = [0, 1].map(|to: usize| ways[to].0 + weight * self.excess(&states[to]));
            came_from.push(ways.map(|way| way.1));
            before = Some(states);
        }
        let mut state = usize::from(costs[1] < costs[0]);
        let mut turned = vec![false; clip.len()];
        for (own, ways) in turned.iter_mut().zip(&came_from).rev() {
            *own = state == 1;
            state = ways[state];
        }
        turned
    }
}

/// Turns feet that a clip turns over, sole up, back by 180 degrees about the line from ankle to ball, in the frames in which
/// they are; `None` where there are none, or with an anatomy of another skeleton.
pub(crate) fn with_feet_turned_back(anatomy: &Anatomy, clip: &Clip) -> Option<Clip> {
    clip.check_for(&anatomy.skeleton).ok()?;
    let ankles = anatomy.body.legs.each_ref().map(|leg| Ankle::new(anatomy, leg));
    let mut mended: Option<Clip> = None;
    for ankle in ankles.into_iter().flatten() {
        let is_beyond = |frame| ankle.excess(&ankle.rotation(poses::rotations(clip, frame))) > 0.0;
        if !(0..clip.len()).any(is_beyond) {
            continue;
        }
        let turned = ankle.turned_frames(clip);
        let count = turned.iter().filter(|own| **own).count();
        if (count as f64) * clip.frame_time < MIN_TURNED_SECONDS {
            continue;
        }
        let half_turn = ankle.half_turn();
        poses::edit(mended.get_or_insert_with(|| clip.clone()), |frame, pose| {
            if turned[frame] {
                pose.rotations[ankle.foot.index()] *= half_turn;
            }
        });
    }
    mended
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::{Hints, analyse};
    use std::ops::Range;

    /// Largest angle of a foot to that of the clip as it was made, degrees, before and after feet are turned back, where it is
    /// turned over in some frames.
    fn errors(turned: Range<usize>) -> [f64; 2] {
        let walk = rebone_samples::walk().motion;
        let anatomy = analyse(&walk, &Hints::default()).unwrap();
        let ankle = Ankle::new(&anatomy, &anatomy.body.legs[1]).unwrap();
        let mut clip = walk.clip.clone();
        poses::edit(&mut clip, |frame, pose| {
            if turned.contains(&frame) {
                pose.rotations[ankle.foot.index()] *= ankle.half_turn();
            }
        });
        let error = |clip: &Clip| {
            let foot = |clip: &Clip, frame| poses::rotations(clip, frame)[ankle.foot.index()];
            let angle = |frame| foot(clip, frame).angle_to(&foot(&walk.clip, frame));
            (0..clip.len()).map(angle).fold(0.0, f64::max).to_degrees()
        };
        let mended = with_feet_turned_back(&anatomy, &clip);
        [error(&clip), mended.map_or(error(&clip), |mended| error(&mended))]
    }

    #[test]
    fn a_foot_that_is_turned_over_in_part_of_a_clip_is_turned_back_there() {
        let [before, after] = errors(40..100);
        assert!(before > 179.0 && after < 1e-3, "{before} and {after} degrees");
    }

    #[test]
    fn other_feet_and_noise_stay() {
        let [before, after] = errors(0..0);
        assert!(before < 1e-3 && after < 1e-3, "{before} and {after} degrees");
        let [before, after] = errors(40..44);
        assert!(before > 179.0 && after > 179.0, "{before} and {after} degrees");
    }
}
