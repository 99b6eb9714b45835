//! The unit of a root's positions, where it is another than that of the bones.

use crate::body::Anatomy;
use crate::poses;
use nalgebra::Vector3;
use rebone_skeleton::{Clip, JointId, Skeleton, WorldPose};

/// Factors from one unit of length to another: metre, inch, foot, decimetre, centimetre, millimetre. 1 comes first: it is
/// taken where others are as likely.
const FACTORS: [f64; 11] =
    [1.0, 0.1, 10.0, 0.0254, 1.0 / 0.0254, 0.3048, 1.0 / 0.3048, 0.01, 100.0, 0.001, 1000.0];
/// Most frames that are looked at.
const MAX_FRAMES: usize = 600;
/// Speed of a foot that stands, in lengths of the leg a second: what noise leaves of none.
const STANDING_SPEED: f64 = 0.1;
/// Height of the lower foot over zero, in lengths of the leg: that of an ankle.
const STANDING_HEIGHT: f64 = 0.1;
/// Height from which on no other is less likely, in lengths of the leg: a floor need not be at zero.
const MAX_HEIGHT: f64 = 30.0;
/// Shortest frame time that speeds are computed with, seconds.
const MIN_FRAME_TIME: f64 = 1e-3;

/// A factor from the unit of a root's positions to that of the bones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootUnit {
    /// The factor; 1 where both are one unit.
    pub factor: f64,
    /// Log-odds of this factor against 1.
    pub log_odds: f64,
}

/// Finds the factor with which one foot stands still in most frames, and stands near zero: positions of a root in another
/// unit slide the feet, and lift the body.
pub fn root_unit(anatomy: &Anatomy, clip: &Clip) -> RootUnit {
    let feet = FootPaths::of(anatomy, clip);
    let costs = FACTORS.map(|factor| feet.cost(factor));
    let least = (0..FACTORS.len()).min_by(|&a, &b| costs[a].total_cmp(&costs[b])).unwrap_or(0);
    RootUnit { factor: FACTORS[least], log_odds: costs[0] - costs[least] }
}

/// The joints that hold the positions of a body: the root and those below it up to the first branch, as far as they move.
pub(crate) fn position_joints(skeleton: &Skeleton, clip: &Clip) -> Vec<JointId> {
    let only_child = |joint: &JointId| {
        let mut children = skeleton.children(*joint);
        children.next().filter(|_| children.next().is_none())
    };
    let moving = clip.parts().0;
    let path = std::iter::successors(Some(JointId(0)), only_child);
    path.filter(|joint| moving.contains(&joint.index())).collect()
}

/// Positions of both feet in frames: a constant and a part that grows with the factor, in lengths of the leg.
struct FootPaths {
    /// By frame and side.
    frames: Vec<[[Vector3<f64>; 2]; 2]>,
    up: Vector3<f64>,
    /// Seconds between frames, pairs of which follow each other.
    frame_time: f64,
}

impl FootPaths {
    fn of(anatomy: &Anatomy, clip: &Clip) -> Self {
        let skeleton = &anatomy.skeleton;
        let joints = position_joints(skeleton, clip);
        let feet = anatomy.body.legs.each_ref().map(|leg| leg.foot);
        let [leg, _] = &anatomy.body.legs;
        let length = |a: JointId, b: JointId| (anatomy.place(a) - anatomy.place(b)).norm();
        let leg = length(leg.upper, leg.lower) + length(leg.lower, leg.foot);
        let positions = |frame: usize| {
            let mut pose = clip.pose(frame)?;
            let [mut full, mut still] = [(); 2].map(|()| WorldPose::zeros(skeleton));
            poses::update(&mut full, skeleton, &pose);
            joints.iter().for_each(|joint| pose.translations[joint.index()] = Vector3::zeros());
            poses::update(&mut still, skeleton, &pose);
            Some(feet.map(|foot| {
                let [still, full] = [&still, &full].map(|world| world.positions[foot.index()]);
                [still / leg, (full - still) / leg]
            }))
        };
        let stride = clip.len().div_ceil(MAX_FRAMES / 2).max(1);
        let pairs = (0..clip.len()).step_by(stride).flat_map(|frame| [frame, frame + 1]);
        Self {
            frames: pairs.map_while(positions).collect(),
            up: (anatomy.upright_from_file.inverse() * Vector3::y_axis()).into_inner(),
            frame_time: clip.frame_time.max(MIN_FRAME_TIME),
        }
    }

    fn cost(&self, factor: f64) -> f64 {
        let place = |foot: &[Vector3<f64>; 2]| foot[0] + factor * foot[1];
        let speed = |pair: &[[[Vector3<f64>; 2]; 2]]| {
            let step = |side: usize| (place(&pair[1][side]) - place(&pair[0][side])).norm();
            step(0).min(step(1)) / self.frame_time
        };
        let height = |sides: &[[Vector3<f64>; 2]; 2]| {
            sides.iter().map(|foot| place(foot).dot(&self.up)).fold(f64::INFINITY, f64::min).abs()
        };
        let speed = median(self.frames.chunks_exact(2).map(speed).collect());
        let height = median(self.frames.iter().map(height).collect());
        libm::log(STANDING_SPEED + speed) + libm::log(STANDING_HEIGHT + height.min(MAX_HEIGHT))
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::{Hints, analyse};

    #[test]
    fn positions_in_another_unit_are_found_and_others_are_left() {
        for sample in rebone_samples::clips() {
            let motion = sample.motion;
            let anatomy = analyse(&motion, &Hints::default()).unwrap();
            for factor in [1.0, 100.0, 0.01, 10.0, 39.0] {
                let mut clip = motion.clip.clone();
                clip.edit(|_, pose| pose.translations[0] *= factor).unwrap();
                let found = root_unit(&anatomy, &clip);
                let error = (found.factor * factor).ln().abs();
                assert!(error < 0.1, "{} {factor} {found:?}", sample.name);
            }
        }
    }
}
