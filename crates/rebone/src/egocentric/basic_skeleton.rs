//! The basic bones that both bodies have, and the kinematic paths along them.

use nalgebra::Vector3;
use rebone_body::body::{Anatomy, Landmark, Limb, Side};
use rebone_skeleton::{JointId, WorldPose};

/// Joints of the basic skeleton.
pub(super) const JOINTS: usize = 15;
/// Most bones of a kinematic path: from an elbow over shoulder, trunk, hip and knee to an ankle.
pub(super) const MAX_PATH: usize = 6;

/// A joint of the basic skeleton. Its bones are spine, head and, on both sides, clavicle, upper arm, forearm, half of the
/// pelvis, thigh and shin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BasicJoint {
    /// The middle of both hips.
    Hips,
    /// The middle of both shoulders in the T pose, carried by the chest.
    Girdle,
    Head,
    Shoulder(Side),
    Elbow(Side),
    Wrist(Side),
    Hip(Side),
    Knee(Side),
    Ankle(Side),
}

impl BasicJoint {
    /// Its place in lists of all.
    pub(super) fn index(self) -> usize {
        match self {
            Self::Hips => 0,
            Self::Girdle => 1,
            Self::Head => 2,
            Self::Shoulder(side) => 3 + 6 * side.index(),
            Self::Elbow(side) => 4 + 6 * side.index(),
            Self::Wrist(side) => 5 + 6 * side.index(),
            Self::Hip(side) => 6 + 6 * side.index(),
            Self::Knee(side) => 7 + 6 * side.index(),
            Self::Ankle(side) => 8 + 6 * side.index(),
        }
    }

    /// The end of a limb.
    pub(super) fn end(limb: Limb) -> Self {
        match limb {
            Limb::Arm(side) => Self::Wrist(side),
            Limb::Leg(side) => Self::Ankle(side),
        }
    }

    fn parent(self) -> Option<Self> {
        match self {
            Self::Hips => None,
            Self::Girdle | Self::Hip(_) => Some(Self::Hips),
            Self::Head | Self::Shoulder(_) => Some(Self::Girdle),
            Self::Elbow(side) => Some(Self::Shoulder(side)),
            Self::Wrist(side) => Some(Self::Elbow(side)),
            Self::Knee(side) => Some(Self::Hip(side)),
            Self::Ankle(side) => Some(Self::Knee(side)),
        }
    }

    /// The way to the root, itself first.
    fn to_root(self) -> Vec<Self> {
        std::iter::successors(Some(self), |joint| joint.parent()).collect()
    }
}

/// Bones along the skeleton from one joint to another, each with the joints at its begin and its end.
pub(super) fn path(from: BasicJoint, to: BasicJoint) -> Vec<[usize; 2]> {
    let (up, down) = (from.to_root(), to.to_root());
    let shared = up.iter().rev().zip(down.iter().rev()).take_while(|(a, b)| a == b).count();
    let up = &up[..=up.len() - shared];
    let down = &down[..down.len() - shared];
    let way: Vec<usize> = up.iter().chain(down.iter().rev()).map(|joint| joint.index()).collect();
    way.windows(2).map(|bone| [bone[0], bone[1]]).collect()
}

/// The landmarks of a body that are the joints of its basic skeleton, each the middle of two.
#[derive(Clone, Debug)]
pub(super) struct BasicSkeleton {
    landmarks: [[Landmark; 2]; JOINTS],
    /// Metres of a 1.7 m body for one unit of the file.
    unit: f64,
}

impl BasicSkeleton {
    pub(super) fn of(anatomy: &Anatomy) -> Self {
        let girdle = girdle(anatomy);
        let mut landmarks = [[girdle; 2]; JOINTS];
        let mut set = |joint: BasicJoint, own: [Landmark; 2]| landmarks[joint.index()] = own;
        set(BasicJoint::Hips, anatomy.hips().map(Landmark::from));
        if let Some(head) = anatomy.body.head() {
            set(BasicJoint::Head, [head.into(); 2]);
        }
        for side in Side::BOTH {
            let (arm, leg) = (&anatomy.body.arms[side.index()], &anatomy.body.legs[side.index()]);
            let own = |joint: JointId| [Landmark::from(joint); 2];
            set(BasicJoint::Shoulder(side), own(arm.upper));
            set(BasicJoint::Elbow(side), own(arm.lower));
            set(BasicJoint::Wrist(side), [arm.wrist; 2]);
            set(BasicJoint::Hip(side), own(leg.upper));
            set(BasicJoint::Knee(side), own(leg.lower));
            set(BasicJoint::Ankle(side), own(leg.foot));
        }
        Self { landmarks, unit: anatomy.metres_per_unit() }
    }

    /// Returns the positions of all its joints in a pose of the inner world.
    pub(super) fn positions(&self, world: &WorldPose) -> [Vector3<f64>; JOINTS] {
        self.landmarks.map(|[a, b]| (a.at(world, self.unit) + b.at(world, self.unit)) / 2.0)
    }
}

/// Returns the middle of both shoulders in the T pose as a point of the chest.
fn girdle(anatomy: &Anatomy) -> Landmark {
    let chest = anatomy.body.chest();
    let path = anatomy.middle(anatomy.shoulders()) - anatomy.place(chest);
    let inward = anatomy.t_pose.rotations[chest.index()].inverse();
    Landmark { joint: chest, offset: inward * path / anatomy.metres_per_unit() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use BasicJoint::{Ankle, Elbow, Girdle, Head, Hip, Hips, Knee, Shoulder, Wrist};
    use Side::{Left, Right};

    fn along(joints: &[BasicJoint]) -> Vec<[usize; 2]> {
        joints.windows(2).map(|bone| [bone[0].index(), bone[1].index()]).collect()
    }

    #[test]
    fn paths_run_over_the_joint_that_both_ends_hang_on() {
        let over =
            [Elbow(Left), Shoulder(Left), Girdle, Shoulder(Right), Elbow(Right), Wrist(Right)];
        assert_eq!(path(Elbow(Left), Wrist(Right)), along(&over));
        let over = [Head, Girdle, Hips, Hip(Left), Knee(Left), Ankle(Left)];
        assert_eq!(path(Head, Ankle(Left)), along(&over));
        assert_eq!(
            path(Hips, Wrist(Left)),
            along(&[Hips, Girdle, Shoulder(Left), Elbow(Left), Wrist(Left)])
        );
        assert_eq!(
            path(Wrist(Left), Shoulder(Left)),
            along(&[Wrist(Left), Elbow(Left), Shoulder(Left)])
        );
        assert!(path(Girdle, Girdle).is_empty());
    }

    #[test]
    fn no_path_from_a_component_is_longer_than_its_memory() {
        let from = [Hips, Girdle, Head].into_iter().chain(
            Side::BOTH
                .into_iter()
                .flat_map(|side| [Shoulder(side), Elbow(side), Hip(side), Knee(side)]),
        );
        for from in from {
            for limb in Limb::ALL {
                assert!(path(from, BasicJoint::end(limb)).len() <= MAX_PATH, "{from:?} {limb:?}");
            }
        }
    }
}
