//! Soles: heel, ball and tip of the toes of a foot in the T pose.

use crate::body::anatomy::{Anatomy, tip_of};
use crate::body::parts::{Landmark, Leg};
use crate::body::role::Side;
use nalgebra::Vector3;
use rebone_skeleton::{JointId, Skeleton, SkinPoint, WorldPose};

/// Heel, ball and tip of the toes from the ankle in the T pose, in which all feet point ahead. Metres of a 1.7 m body.
#[doc(hidden)]
pub type Sole = [Option<Vector3<f64>>; 3];

/// Number of vertices below which a foot has no mesh.
const MIN_FOOT_VERTICES: usize = 12;

/// Parts of the length of a foot in which its heel, its ball and its tip are looked for.
const END_OF_FOOT: f64 = 0.15;
const HALF_BALL_OF_FOOT: f64 = 0.1;
/// Slope (sine) up to which a sole is level: 10 degrees.
const MAX_LEVEL_SLOPE: f64 = 0.174;
/// Place of the ball from the heel, where no joint shows it, as part of the length of the foot.
const BALL_OF_FOOT: f64 = 0.7;
/// Part of its distance from the ankle by which the end of a foot lies ahead at least. Others lie on the sole below it.
const MIN_AHEAD: f64 = 0.3;

impl Anatomy {
    /// Returns heel, ball and toe tip of a foot in the T pose, metres of a 1.7 m body. The tip is known if both feet have
    /// one; the ball of a foot without toe joints is its foremost end, unknown where that lies below the ankle.
    pub fn sole(&self, side: Side) -> [Option<Vector3<f64>>; 3] {
        let ankle = self.place(self.body.legs[side.index()].foot);
        self.soles_with(self.has_toe_tips())[side.index()]
            .map(|point| point.map(|point| ankle + point))
    }

    /// Returns whether both feet have tips of toes: joints or end sites below the toes, or a mesh.
    #[doc(hidden)]
    pub fn has_toe_tips(&self) -> bool {
        let tip = |leg: &Leg| leg.toes.is_some_and(|toes| tip_of(self, toes).is_some());
        self.skin_soles.is_some() || self.body.legs.iter().all(tip)
    }

    /// Returns both soles: by the mesh, else by joints; `tips`: with the tips of the toes.
    #[doc(hidden)]
    pub fn soles_with(&self, tips: bool) -> [Sole; 2] {
        match &self.skin_soles {
            Some(soles) => {
                soles.map(|[heel, ball, tip]| [Some(heel), Some(ball), Some(tip).filter(|_| tips)])
            }
            None => self.body.legs.each_ref().map(|leg| joint_sole(self, leg, tips)),
        }
    }

    /// Returns the length of the longer shin, metres of a 1.7 m body.
    pub(crate) fn shin_metres(&self) -> f64 {
        let length = |leg: &Leg| (self.place(leg.foot) - self.place(leg.lower)).norm();
        self.body.legs.iter().map(length).fold(0.0, f64::max)
    }

    /// Returns the height of the lowest joint of a standing foot that the clip or the mesh shows, metres of a 1.7 m body.
    pub(crate) fn own_sole_height(&self) -> Option<f64> {
        let of_mesh = || {
            let [left, right] = self.skin_soles?;
            let lowest = |soles: [Vector3<f64>; 3], leg: &Leg| {
                let toes = leg.toes.map_or(0.0, |toes| self.place(toes).y - self.place(leg.foot).y);
                toes.min(0.0) - soles.iter().map(|place| place.y).fold(0.0, f64::min)
            };
            let [a, b] = &self.body.legs;
            Some(lowest(left, a).max(lowest(right, b)))
        };
        self.sole_height.or_else(of_mesh)
    }
}

/// Returns the sole of a foot by its joints: at the level of the lowest of ankle, ball and tip in the T pose.
fn joint_sole(anatomy: &Anatomy, leg: &Leg, tips: bool) -> Sole {
    let ankle = anatomy.place(leg.foot);
    let ball = leg.toes.map(|toes| anatomy.place(toes) - ankle);
    let end = match leg.toes {
        Some(toes) => tip_of(anatomy, toes).filter(|_| tips),
        None => {
            let unit = anatomy.metres_per_unit();
            end_of_foot(&anatomy.skeleton, leg.foot, &anatomy.t_pose, unit)
        }
    };
    let end = end.map(|end| end - ankle);
    let level = ball.into_iter().chain(end).map(|place| place.y).fold(0.0, f64::min);
    let tip = end.filter(|end| leg.toes.is_some() || end.z > MIN_AHEAD * end.norm());
    let on_sole = |place: Vector3<f64>| Vector3::new(place.x, level, place.z);
    let ahead = ball.or(tip).map_or(0.0, |place| place.z);
    let heel = Vector3::z() * (-0.25 * ahead);
    [Some(heel), ball.or(tip), tip.filter(|_| leg.toes.is_some())].map(|place| place.map(on_sole))
}

/// Returns the farthest of all joints and end sites below an ankle: the end of a foot without toes. A heel joint can lie
/// between them. `unit` is the length of the file's unit in that of `pose`.
pub(crate) fn end_of_foot(
    skeleton: &Skeleton,
    foot: JointId,
    pose: &WorldPose,
    unit: f64,
) -> Option<Vector3<f64>> {
    let ankle = pose.positions[foot.index()];
    let is_below = |id: JointId| skeleton.is_ancestor(foot, id);
    let joints = skeleton.ids().filter(|&id| id != foot && is_below(id));
    let joints = joints.map(|id| pose.positions[id.index()]);
    let sites = skeleton.end_sites().iter().filter(|site| is_below(site.parent));
    let sites =
        sites.map(|site| Landmark { joint: site.parent, offset: site.offset }.at(pose, unit));
    let distance = |end: &Vector3<f64>| (end - ankle).norm_squared();
    joints.chain(sites).max_by(|a, b| distance(a).total_cmp(&distance(b)))
}

/// Returns the soles of both feet by the mesh in the T pose; `None` where a foot has no vertices.
///
/// Heel and tip are the lowest vertices of the rear and the front end, the ball is on the lower hull, below the joint of the
/// toes.
#[doc(hidden)]
pub fn skin_soles(anatomy: &Anatomy, points: &[SkinPoint]) -> Option<[[Vector3<f64>; 3]; 2]> {
    let [left, right] = anatomy.body.legs.each_ref().map(|leg| skin_sole(anatomy, leg, points));
    Some([left?, right?])
}

fn skin_sole(anatomy: &Anatomy, leg: &Leg, points: &[SkinPoint]) -> Option<[Vector3<f64>; 3]> {
    let skeleton = &anatomy.skeleton;
    let is_foot: Vec<bool> = skeleton.ids().map(|id| skeleton.is_ancestor(leg.foot, id)).collect();
    let (ankle, unit) = (anatomy.place(leg.foot), anatomy.metres_per_unit());
    let is_own =
        |point: &&SkinPoint| point.is_vertex && is_foot.get(point.joint.index()) == Some(&true);
    let own = points.iter().filter(is_own);
    let place = |point: &SkinPoint| {
        Landmark { joint: point.joint, offset: point.offset }.at(&anatomy.t_pose, unit) - ankle
    };
    let places: Vec<Vector3<f64>> =
        own.map(place).filter(|place| place.iter().all(|x| x.is_finite())).collect();
    if places.len() < MIN_FOOT_VERTICES {
        return None;
    }
    let z = || places.iter().map(|place| place.z);
    let (rear, front) = (z().fold(f64::INFINITY, f64::min), z().fold(f64::NEG_INFINITY, f64::max));
    let length = front - rear;
    let ball =
        leg.toes.map_or(rear + BALL_OF_FOOT * length, |toes| anatomy.place(toes).z - ankle.z);
    let lowest = |from: f64, to: f64| {
        let near = places.iter().filter(|place| (from..=to).contains(&place.z));
        near.min_by(|a, b| a.y.total_cmp(&b.y)).copied()
    };
    let heel = lowest(rear, rear + END_OF_FOOT * length)?;
    let tip = lowest(front - END_OF_FOOT * length, front)?;
    // On the lower hull: a foot of few vertices may have none below its ball.
    let along = ((ball - heel.z) / (tip.z - heel.z).max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
    let hull = heel.lerp(&tip, along);
    let half = HALF_BALL_OF_FOOT * length;
    let vertex = lowest(ball - half, ball + half).filter(|vertex| vertex.y < hull.y);
    let ball = Vector3::new(hull.x, vertex.map_or(hull.y, |vertex| vertex.y), ball);
    Some([heel, ball, tip])
}

/// A foot in a pose of the inner world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PlacedFoot {
    /// Height over zero of its lowest point, metres of a 1.7 m body.
    pub(crate) lowest: f64,
    /// True where its sole is level.
    pub(crate) is_level: bool,
}

/// Returns the feet whose heel and ball are known, as they are in a pose of the inner world.
pub(crate) fn placed_feet<'a>(
    anatomy: &'a Anatomy,
    soles: &'a [Sole; 2],
    world: &'a WorldPose,
) -> impl Iterator<Item = PlacedFoot> + 'a {
    Side::BOTH.into_iter().filter_map(|side| placed_foot(anatomy, soles, world, side))
}

/// Returns a foot as it is in a pose of the inner world; `None` where its heel or ball is not known.
pub(crate) fn placed_foot(
    anatomy: &Anatomy,
    soles: &[Sole; 2],
    world: &WorldPose,
    side: Side,
) -> Option<PlacedFoot> {
    let (leg, sole) = (&anatomy.body.legs[side.index()], &soles[side.index()]);
    let ankle = anatomy.place(leg.foot);
    let carriers = leg.sole_carriers();
    let [heel, ball, tip] = [0, 1, 2].map(|k: usize| {
        let index = carriers[k].index();
        let from_joint = ankle + sole[k]? - anatomy.place(carriers[k]);
        let offset = anatomy.t_pose.rotations[index].inverse() * from_joint;
        Some(world.positions[index] + world.rotations[index] * offset)
    });
    let (heel, ball) = (heel?, ball?);
    let slope = (heel.y - ball.y).abs() / (heel - ball).norm().max(f64::MIN_POSITIVE);
    let lowest = tip.map_or(f64::INFINITY, |tip| tip.y).min(heel.y).min(ball.y);
    Some(PlacedFoot { lowest, is_level: slope < MAX_LEVEL_SLOPE })
}
