//! Points of a foot's mesh that can be its lowest.

use crate::body::anatomy::Anatomy;
use crate::body::parts::Landmark;
use crate::body::points::directions::{DIRECTIONS, extremes};
use crate::body::role::Side;
use nalgebra::Vector3;
use rebone_skeleton::{JointId, SkinPoint};

impl Anatomy {
    /// Returns the points of a foot's mesh that can be its lowest: places in the T pose that the foot carries, and those
    /// that its toes carry. None without a mesh, or where a card states the soles.
    ///
    /// What lies above the ankle in the T pose, as a boot's shaft, is never the lowest. Joints below those of foot and toes
    /// keep their rest pose.
    #[doc(hidden)]
    pub fn foot_points(&self, side: Side) -> [Vec<Vector3<f64>>; 2] {
        if self.skin_soles.is_none() {
            return Default::default();
        }
        let leg = &self.body.legs[side.index()];
        let below = |top: Option<JointId>| -> Vec<bool> {
            let is_below = |id| top.is_some_and(|top| self.skeleton.is_ancestor(top, id));
            self.skeleton.ids().map(is_below).collect()
        };
        let [is_foot, is_toes] = [Some(leg.foot), leg.toes].map(below);
        let ankle = self.place(leg.foot).y;
        let has = |of: &[bool], point: &SkinPoint| of.get(point.joint.index()) == Some(&true);
        let place = |point: &SkinPoint| {
            let landmark = Landmark { joint: point.joint, offset: point.offset };
            let place = landmark.place(&self.t_pose, self.metres_per_unit())?;
            (place.iter().all(|x| x.is_finite()) && place.y < ankle).then_some(place)
        };
        [false, true].map(|toes| {
            let is_own = |point: &&SkinPoint| {
                point.is_vertex && has(&is_foot, point) && has(&is_toes, point) == toes
            };
            let own: Vec<Vector3<f64>> =
                self.skin.iter().filter(is_own).filter_map(place).collect();
            extremes(&own, &DIRECTIONS).into_iter().map(|k| own[k]).collect()
        })
    }
}
