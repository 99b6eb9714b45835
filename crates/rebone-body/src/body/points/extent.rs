//! Reach of the mesh of a body part in each direction.

use crate::body::anatomy::Anatomy;
use crate::body::parts::Landmark;
use crate::body::points::directions::DIRECTIONS;
use nalgebra::{UnitQuaternion, Vector3};
use rebone_skeleton::{JointId, SkinPoint};

/// Number of vertices below which a part has no mesh.
const MIN_VERTICES: usize = 24;
/// Share of all vertices of a part that lie within its first extent along a direction. Spikes, straps and the hems of capes do
/// not bear.
const SHARE_OF_ALL: f64 = 0.95;
/// The share of those that do not hang off the part.
const SHARE_OF_PART: f64 = 0.995;
/// A vertex farther from the middle of a part than this many times the median distance hangs off it.
const MAX_DISTANCE: f64 = 2.5;
/// Power of the cosine by which directions are mixed: neighbours are 35 to 55 degrees apart.
const SHARPNESS: i32 = 8;

/// Extent of a body part around a centre that moves with a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(hidden)]
pub struct Extent {
    /// Centre in the axes of the joint, metres of a 1.7 m body.
    #[doc(hidden)]
    pub centre: Vector3<f64>,
    /// Rotation of the joint in the T pose, in whose world the directions are.
    turn: UnitQuaternion<f64>,
    /// Distances from the centre to the skin, metres of a 1.7 m body.
    reach: [f64; DIRECTIONS.len()],
}

impl Extent {
    /// Measures the vertices that `joints` carry, as they lie in the T pose, around a centre that moves with `joint`.
    /// `None` where they are too few.
    #[doc(hidden)]
    pub fn of(anatomy: &Anatomy, joint: JointId, joints: &[JointId]) -> Option<Self> {
        let unit = anatomy.metres_per_unit();
        let mut is_part = vec![false; anatomy.skeleton.len()];
        joints.iter().for_each(|joint| is_part[joint.index()] = true);
        let is_own =
            |point: &&SkinPoint| point.is_vertex && is_part.get(point.joint.index()) == Some(&true);
        let place = |point: &SkinPoint| {
            // Joints of a mesh need not be those of the pose.
            Landmark { joint: point.joint, offset: point.offset }.place(&anatomy.t_pose, unit)
        };
        let places = anatomy.skin.iter().filter(is_own).filter_map(place);
        let places: Vec<Vector3<f64>> =
            places.filter(|place| place.iter().all(|x| x.is_finite())).collect();
        let (middle, places) = without_appendages(places)?;
        let turn = anatomy.t_pose.rotations[joint.index()];
        let centre = turn.inverse() * (middle - anatomy.place(joint));
        Some(Self { centre, turn, reach: reach(&places, &middle) })
    }

    /// Returns the extent of a ball.
    #[doc(hidden)]
    pub fn ball(centre: Vector3<f64>, radius: f64) -> Self {
        Self { centre, turn: UnitQuaternion::identity(), reach: [radius; DIRECTIONS.len()] }
    }

    /// Returns how far the part reaches below its centre, with its joint turned by `rotation`; +Y is up.
    #[doc(hidden)]
    pub fn below(&self, rotation: &UnitQuaternion<f64>) -> f64 {
        let down = self.turn * (rotation.inverse() * -Vector3::y());
        let (mut sum, mut weights) = (0.0, 0.0);
        for (along, reach) in DIRECTIONS.into_iter().zip(self.reach) {
            let weight = Vector3::from(along).dot(&down).max(0.0).powi(SHARPNESS);
            sum += weight * reach;
            weights += weight;
        }
        sum / weights
    }
}

/// Returns the middle of a part, and its vertices without those that hang off it; `None` of too few.
fn without_appendages(mut places: Vec<Vector3<f64>>) -> Option<(Vector3<f64>, Vec<Vector3<f64>>)> {
    let mid = |places: &[Vector3<f64>], share: f64| {
        Vector3::from_fn(|axis, _| {
            let along = Vector3::ith(axis, 1.0);
            (quantile(places, &along, share) - quantile(places, &-along, share)) / 2.0
        })
    };
    if places.len() < MIN_VERTICES {
        return None;
    }
    let middle = mid(&places, SHARE_OF_ALL);
    let mut distances: Vec<f64> = places.iter().map(|place| (place - middle).norm()).collect();
    distances.sort_unstable_by(f64::total_cmp);
    let farthest = MAX_DISTANCE * distances[distances.len() / 2];
    places.retain(|place| (place - middle).norm() <= farthest);
    (places.len() >= MIN_VERTICES).then(|| (mid(&places, SHARE_OF_PART), places))
}

/// Returns how far a share of the places lies along a direction.
fn quantile(places: &[Vector3<f64>], along: &Vector3<f64>, share: f64) -> f64 {
    let mut reach: Vec<f64> = places.iter().map(|place| place.dot(along)).collect();
    let last = (share * (reach.len() - 1) as f64) as usize;
    *reach.select_nth_unstable_by(last, f64::total_cmp).1
}

/// Returns how far the part of some places reaches from its middle in each of [`DIRECTIONS`].
fn reach(places: &[Vector3<f64>], middle: &Vector3<f64>) -> [f64; DIRECTIONS.len()] {
    DIRECTIONS.map(|along| {
        let along = Vector3::from(along);
        quantile(places, &along, SHARE_OF_PART) - middle.dot(&along)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extent_of_a_ball_off_its_joint_is_its_radius_however_it_turns() {
        let middle = Vector3::new(0.3, -0.2, 0.1);
        let ball = (0..2000).map(|k| {
            let (z, turn) = (1.0 - (2 * k + 1) as f64 / 2000.0, f64::from(k) * 2.399_963);
            let radius = (1.0 - z * z).sqrt();
            middle + 0.2 * Vector3::new(radius * libm::cos(turn), radius * libm::sin(turn), z)
        });
        let strap = (0..20).map(|k| middle + Vector3::x() * (0.6 + 0.01 * f64::from(k)));
        let (centre, places) = without_appendages(ball.chain(strap).collect()).unwrap();
        assert_eq!(places.len(), 2000);
        assert!((centre - middle).norm() < 0.01, "{centre}");
        let reach = reach(&places, &centre);
        let extent = Extent { centre, turn: UnitQuaternion::identity(), reach };
        for k in 0..50 {
            let turn = UnitQuaternion::from_euler_angles(0.1 * f64::from(k), f64::from(k), 2.0);
            assert!((extent.below(&turn) - 0.2).abs() < 0.01, "{}", extent.below(&turn));
        }
        assert!(without_appendages(vec![middle; MIN_VERTICES - 1]).is_none());
        assert!(without_appendages(vec![middle; MIN_VERTICES]).is_some());
    }
}
