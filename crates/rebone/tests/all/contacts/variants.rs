//! The same motion at other rates, with noise, on other floors.

use nalgebra::Unit;
use nalgebra::{UnitQuaternion, Vector3};
use rebone::skeleton::rotation::shortest_arc;
use rebone::skeleton::{Clip, Motion, forward_kinematics};

/// What is done to a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Variant {
    Itself,
    /// Frames a second.
    Rate(f64),
    /// Each joint is seen 3 mm off, anew in each frame.
    Noisy,
    /// The floor slopes by 5 degrees.
    Tilted,
    /// The floor is a metre up.
    Raised,
}

impl Variant {
    pub(crate) const ALL: [Self; 7] = [
        Self::Itself,
        Self::Rate(24.0),
        Self::Rate(30.0),
        Self::Rate(120.0),
        Self::Noisy,
        Self::Tilted,
        Self::Raised,
    ];

    /// The slope of the floor.
    pub(crate) fn slope(self) -> UnitQuaternion<f64> {
        let angle = if self == Self::Tilted { 5_f64.to_radians() } else { 0.0 };
        UnitQuaternion::from_axis_angle(&Unit::new_normalize(Vector3::new(1.0, 0.0, 0.6)), angle)
    }

    pub(crate) fn apply(self, motion: &Motion) -> Motion {
        let mut motion = motion.clone();
        match self {
            Self::Itself => {}
            Self::Rate(rate) => motion.clip = motion.clip.resampled(1.0 / rate, &[]).unwrap(),
            Self::Noisy => noise(&mut motion),
            Self::Tilted => motion
                .clip
                .edit(|_, pose| {
                    pose.translations[0] = self.slope() * pose.translations[0];
                    pose.rotations[0] = self.slope() * pose.rotations[0];
                })
                .unwrap(),
            Self::Raised => motion.clip.edit(|_, pose| pose.translations[0].y += 100.0).unwrap(),
        }
        motion
    }
}

/// Moves each joint's place by about 3 mm in all directions, as far as bones that keep their lengths allow.
fn noise(motion: &mut Motion) {
    const SIGMA: f64 = 0.3;
    let skeleton = motion.skeleton.clone();
    let mut dice = Dice(7);
    let poses: Vec<_> = motion
        .clip
        .poses()
        .map(|mut pose| {
            let seen = forward_kinematics(&skeleton, &pose).unwrap();
            let noise: Vec<Vector3<f64>> =
                seen.positions.iter().map(|_| dice.normal() * SIGMA).collect();
            pose.translations[0] += noise[0];
            for id in skeleton.ids() {
                let Some(child) = skeleton.children(id).next() else { continue };
                if id.index() == 0 {
                    continue;
                }
                let now = forward_kinematics(&skeleton, &pose).unwrap();
                let place = now.positions[id.index()];
                let from = now.positions[child.index()] - place;
                let to = seen.positions[child.index()] + noise[child.index()] - place;
                let turn = shortest_arc(&Unit::new_normalize(from), &Unit::new_normalize(to));
                let parent = skeleton[id].parent.unwrap();
                let above = now.rotations[parent.index()];
                let own = &mut pose.rotations[id.index()];
                *own = above.inverse() * turn * above * *own;
            }
            pose
        })
        .collect();
    motion.clip = Clip::from_poses(&skeleton, motion.clip.frame_time, poses).unwrap();
}

/// Random numbers that are the same each time: D. Lehmer's generator with M. Park and K. Miller's constants.
struct Dice(u64);

impl Dice {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0 * 48271 % 2_147_483_647;
        self.0 as f64 / 2_147_483_647.0
    }

    fn normal(&mut self) -> Vector3<f64> {
        // The sum of twelve uniform numbers is nearly normal.
        Vector3::from_fn(|_, _| (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0)
    }
}
