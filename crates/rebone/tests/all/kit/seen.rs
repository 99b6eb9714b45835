//! What poses show, whatever their file is like: places in statures and turns since the rest pose, in a
//! world that is Y up, by the labels of the nodes.

use crate::kit::test_rig::TestRig;
use nalgebra::{Quaternion, Unit, UnitQuaternion, Vector3};
use rebone::skeleton::WorldPose;

/// World transforms of nodes over some frames.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    labels: Vec<String>,
    /// True for end sites, which turn with what they hang on.
    sites: Vec<bool>,
    frames: Vec<WorldPose>,
}

/// The largest differences of a place, in statures, and of a turn, in radians, and where each is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Apart {
    pub(crate) place: (f64, String),
    pub(crate) turn: (f64, String),
}

impl Apart {
    /// The larger of both.
    pub(crate) fn worst(&self) -> f64 {
        self.place.0.max(self.turn.0)
    }
}

impl Seen {
    /// Frames of a test rig's file, in the world.
    pub(crate) fn of(test_rig: &TestRig, labels: Vec<String>, mut frames: Vec<WorldPose>) -> Self {
        let (upright, axes, stature) =
            (test_rig.world.inverse(), test_rig.axes(), test_rig.stature());
        for frame in &mut frames {
            let places = frame.positions.iter_mut();
            places.for_each(|place| *place = upright * *place / stature);
            for (turn, axes) in frame.rotations.iter_mut().zip(&axes) {
                *turn = upright * *turn * axes.inverse() * test_rig.world;
            }
        }
        let sites = test_rig.nodes.iter().map(|node| node.site).collect();
        Self { labels, sites, frames }
    }

    /// The same, turned in the world and then moved.
    pub(crate) fn moved(mut self, turn: &UnitQuaternion<f64>, by: &Vector3<f64>) -> Self {
        for frame in &mut self.frames {
            frame.positions.iter_mut().for_each(|place| *place = turn * *place + by);
            frame.rotations.iter_mut().for_each(|own| *own = turn * *own);
        }
        self
    }

    /// The same in a mirror, each joint in the place of its partner.
    pub(crate) fn in_mirror(mut self) -> Self {
        self.labels.iter_mut().for_each(|label| *label = other_side(label));
        self.frames.iter_mut().for_each(mirror);
        self
    }

    /// Only the nodes of which this holds are compared.
    pub(crate) fn only(mut self, is_wanted: impl Fn(&str) -> bool) -> Self {
        self.labels.iter_mut().filter(|label| !is_wanted(label)).for_each(String::clear);
        self
    }

    /// How far the nodes that both have are apart.
    pub(crate) fn apart(&self, other: &Self) -> Apart {
        assert_eq!(self.frames.len(), other.frames.len(), "frames");
        let mut apart = Apart::default();
        for (k, label) in self.labels.iter().enumerate().filter(|(_, label)| !label.is_empty()) {
            let Some(j) = other.labels.iter().position(|theirs| theirs == label) else { continue };
            for (a, b) in self.frames.iter().zip(&other.frames) {
                let place = (a.positions[k] - b.positions[j]).norm();
                let turn = a.rotations[k].inverse() * b.rotations[j];
                let turn = 2.0 * turn.imag().norm().atan2(turn.w.abs());
                let turn = if self.sites[k] { 0.0 } else { turn };
                for (worst, off) in [(&mut apart.place, place), (&mut apart.turn, turn)] {
                    if off > worst.0 || off.is_nan() {
                        *worst = (off, label.clone());
                    }
                }
            }
        }
        apart
    }
}

/// The name of the partner on the other side.
pub(crate) fn other_side(name: &str) -> String {
    match (name.strip_prefix("Left"), name.strip_prefix("Right")) {
        (Some(part), _) => format!("Right{part}"),
        (_, Some(part)) => format!("Left{part}"),
        _ => name.to_string(),
    }
}

/// The world in a mirror that swaps +X and −X.
pub(crate) fn mirror(pose: &mut WorldPose) {
    pose.positions.iter_mut().for_each(|place| place.x = -place.x);
    pose.rotations.iter_mut().for_each(|turn| *turn = mirrored(turn));
}

/// `M R M` with `M` that mirror.
pub(crate) fn mirrored(turn: &UnitQuaternion<f64>) -> UnitQuaternion<f64> {
    Unit::new_unchecked(Quaternion::new(turn.w, turn.i, -turn.j, -turn.k))
}
