//! Feet with a mesh: the points that can be their lowest, and how far toes may reach down.

use crate::align::supports::support::{Support, on};
use rebone_body::body::{Anatomy, Side};
use rebone_skeleton::WorldPose;

/// Points of a foot's mesh that can be its lowest; none without a mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FootPoints {
    /// Those that the foot carries.
    pub(crate) foot: Vec<Support>,
    /// Those that its toes carry.
    pub(crate) toes: Vec<Support>,
}

impl FootPoints {
    /// Returns the height of the lowest point that the foot carries, without its toes.
    pub(crate) fn lowest_of_foot(&self, world: &WorldPose) -> f64 {
        lowest(&self.foot, world)
    }

    /// Returns the height of the lowest point; infinite without a mesh.
    pub(crate) fn lowest(&self, world: &WorldPose) -> f64 {
        lowest(&self.foot, world).min(lowest(&self.toes, world))
    }
}

/// Returns the height of the lowest of some points on the skin.
pub(crate) fn lowest(points: &[Support], world: &WorldPose) -> f64 {
    points.iter().map(|point| point.place(world).y).fold(f64::INFINITY, f64::min)
}

/// Returns the points of a foot's mesh that can be its lowest.
pub(crate) fn foot_points(anatomy: &Anatomy, side: Side) -> FootPoints {
    let leg = &anatomy.body.legs[side.index()];
    let carriers = [leg.foot, leg.toes.unwrap_or(leg.foot)];
    let mut points = anatomy.foot_points(side).into_iter().zip(carriers).map(|(places, joint)| {
        places.into_iter().map(|place| on(anatomy, joint, place, 0.0)).collect::<Vec<Support>>()
    });
    FootPoints { foot: points.next().unwrap_or_default(), toes: points.next().unwrap_or_default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::{SupportPoint, Supports};
    use nalgebra::{UnitQuaternion, Vector3};
    use rebone_skeleton::JointId;

    #[test]
    fn toes_may_reach_down_as_the_source_s_and_by_half_of_what_its_foot_is_above_the_ground() {
        let support = |joint| Support {
            joint: JointId(joint),
            offset: Vector3::zeros(),
            radius: 0.0,
            extent: None,
        };
        let left = Side::Left;
        let points = [
            SupportPoint::Seat,
            SupportPoint::Heel(left),
            SupportPoint::Ball(left),
            SupportPoint::Toes(left),
        ];
        let supports = Supports {
            points: points.to_vec(),
            source: (0..4).map(support).collect(),
            target: (0..4).map(support).collect(),
            foot_ratios: Default::default(),
            hands: Default::default(),
            feet: Default::default(),
            thickness: [0.0; 2],
            scale: 0.5,
        };
        let room = |heights: [f64; 4]| {
            let pose = WorldPose {
                positions: heights.map(|y| Vector3::new(0.0, y, 0.0)).to_vec(),
                rotations: vec![UnitQuaternion::identity(); 4],
            };
            supports.room_for_toes(&pose, left)
        };
        assert_eq!(room([0.5, 0.1, 0.0, 0.0]), 0.0, "the ball bears");
        assert_eq!(room([0.5, 0.1, 0.02, 0.0]), 0.01, "its toes point down");
        assert_eq!(room([0.0, 0.3, 0.2, 0.2]), 0.05, "it swings");
        assert_eq!(
            supports.room_for_toes(
                &WorldPose {
                    positions: vec![Vector3::zeros(); 4],
                    rotations: vec![UnitQuaternion::identity(); 4]
                },
                Side::Right
            ),
            0.0
        );
    }
}
