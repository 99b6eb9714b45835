//! Points of a hand or a foot that can be its lowest: joints, tips of fingers, and extreme vertices of its mesh.

use crate::body::anatomy::Anatomy;
use crate::body::parts::Landmark;
use crate::body::points::directions::{DIRECTIONS, FACES_AND_CORNERS, extremes};
use crate::body::role::Side;
use nalgebra::Vector3;
use rebone_skeleton::{JointId, SkinPoint};

/// Number of vertices below which a hand or a foot has no mesh.
const MIN_VERTICES: usize = 12;

impl Anatomy {
    /// Returns the points of a hand that can be its lowest, and whether they are on its mesh; else they are its joints and
    /// end sites.
    #[doc(hidden)]
    pub fn hand_points(&self, side: Side) -> (Vec<Landmark>, bool) {
        let arm = &self.body.arms[side.index()];
        let Some(hand) = arm.hand else { return (vec![arm.wrist], false) };
        // Other joints below a hand carry tools and weapons.
        let mut is_hand = vec![false; self.skeleton.len()];
        let fingers = arm.fingers.iter().chain(&arm.metacarpals).flatten();
        fingers.chain([&hand]).for_each(|joint| is_hand[joint.index()] = true);
        if let Some(skin) = self.extreme_skin(&is_hand).or_else(|| self.palm_below(hand)) {
            return (skin, true);
        }
        let joints = self.skeleton.ids().filter(|id| is_hand[id.index()]).map(Landmark::from);
        let sites = self.skeleton.end_sites().iter().filter(|site| is_hand[site.parent.index()]);
        let sites = sites.map(|site| Landmark { joint: site.parent, offset: site.offset });
        (joints.chain(sites).collect(), false)
    }

    /// Returns the extreme points of the mesh of a hand that hangs on the only joint below the wrist.
    fn palm_below(&self, wrist: JointId) -> Option<Vec<Landmark>> {
        let mut below = self.skeleton.children(wrist);
        let palm = below.next().filter(|_| below.next().is_none())?;
        let mut is_palm = vec![false; self.skeleton.len()];
        is_palm[palm.index()] = true;
        self.extreme_skin(&is_palm)
    }

    /// Returns the extreme points of the vertices of some joints, if they have enough for a mesh.
    fn extreme_skin(&self, is_own: &[bool]) -> Option<Vec<Landmark>> {
        let is_own = |point: &&SkinPoint| {
            point.is_vertex
                && is_own.get(point.joint.index()) == Some(&true)
                && point.offset.iter().all(|x| x.is_finite())
        };
        let mut skin: Vec<&SkinPoint> = self.skin.iter().filter(is_own).collect();
        skin.sort_by_key(|point| point.joint);
        let of_joints = skin.chunk_by(|a, b| a.joint == b.joint);
        (skin.len() >= MIN_VERTICES).then(|| of_joints.flat_map(extreme_points).collect())
    }
}

/// Returns the extreme points of one joint's vertices, each once.
fn extreme_points(points: &[&SkinPoint]) -> Vec<Landmark> {
    let places: Vec<Vector3<f64>> = points.iter().map(|point| point.offset).collect();
    let chosen = extremes(&places, &DIRECTIONS[..FACES_AND_CORNERS]);
    let landmark = |k: usize| Landmark { joint: points[k].joint, offset: points[k].offset };
    chosen.into_iter().map(landmark).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extreme_points_of_a_ball_are_near_its_hull() {
        let points: Vec<SkinPoint> = (0..2000)
            .map(|k| {
                let (z, turn) = (1.0 - (2 * k + 1) as f64 / 2000.0, k as f64 * 2.399_963);
                let radius = (1.0 - z * z).sqrt();
                SkinPoint {
                    is_vertex: true,
                    joint: JointId(3),
                    offset: Vector3::new(radius * libm::cos(turn), radius * libm::sin(turn), z),
                }
            })
            .collect();
        let chosen = extreme_points(&points.iter().collect::<Vec<_>>());
        assert_eq!(chosen.len(), FACES_AND_CORNERS);
        for point in &points {
            let reach = chosen.iter().map(|own| own.offset.dot(&point.offset)).fold(0.0, f64::max);
            assert!(reach > 0.78, "{reach}");
        }
    }
}
