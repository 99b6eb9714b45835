//! Support points of a body, and the height that follows from them.

use crate::body::{Anatomy, BODY_HEIGHT, Landmark, Leg, Side, tip_of};
use crate::math::soft_minimum;
use nalgebra::Vector3;
use rebone_skeleton::{JointId, WorldPose};

/// A point of the body that can support it on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Support {
    /// The joint that it is attached to.
    pub(crate) joint: JointId,
    /// Its position in the axes of the joint, metres of a 1.7 m body.
    pub(crate) offset: Vector3<f64>,
    /// Its distance from the skin, metres of a 1.7 m body.
    pub(crate) radius: f64,
}

/// Names of support points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SupportPoint {
    /// The midpoint of the thigh joints, from below.
    Seat,
    /// The chest.
    Back,
    /// The head.
    Head,
    /// The wrist of a side.
    Hand(Side),
    /// The elbow of a side.
    Elbow(Side),
    /// The knee of a side.
    Knee(Side),
    /// The back end of a sole.
    Heel(Side),
    /// The ball of a foot, where its toes bend.
    Ball(Side),
    /// The tip of the toes.
    Toes(Side),
}

impl SupportPoint {
    /// All points, in the order in which bodies are read.
    fn all() -> impl Iterator<Item = Self> {
        let of = |side| {
            use SupportPoint::{Ball, Elbow, Hand, Heel, Knee, Toes};
            [Hand(side), Elbow(side), Knee(side), Heel(side), Ball(side), Toes(side)]
        };
        [Self::Seat, Self::Back, Self::Head].into_iter().chain(Side::BOTH.into_iter().flat_map(of))
    }
}

/// The supports that both bodies have, pairwise.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Supports {
    /// Names of the points.
    pub(crate) points: Vec<SupportPoint>,
    /// The supports of the source.
    pub(crate) source: Vec<Support>,
    /// The supports of the target.
    pub(crate) target: Vec<Support>,
    scale: f64,
}

/// Softness of the minimum of clearances: 0.01 of the stature.
const SOFTNESS_METRES: f64 = 0.01 * BODY_HEIGHT;

impl Supports {
    /// Pairs the supports of two bodies; `scale` is the target's leg length over the source's.
    pub(crate) fn new(source: &Anatomy, target: &Anatomy, scale: f64) -> Self {
        let [from, to] = soles([source, target], scale);
        let both = supports(source, 1.0, from).into_iter().zip(supports(target, scale, to));
        let both = SupportPoint::all().zip(both);
        let both = both.filter_map(|(point, (a, b))| Some((point, a.zip(b)?)));
        let (points, (source, target)) = both.unzip();
        Self { points, source, target, scale }
    }

    /// Returns how far the target has to rise so that its supports clear the ground as the source's: `smin_{sτ}(c') =
    /// s · smin_τ(c)`, with `c` the clearances of the supports over level zero, `s` the scale and `smin_τ(c) = −τ ln Σ
    /// exp(−c/τ)`. The floor is not estimated: its level scales along.
    pub(crate) fn rise(&self, source: &WorldPose, target: &WorldPose) -> f64 {
        self.scale * soft_clearance(&self.source, source, SOFTNESS_METRES)
            - soft_clearance(&self.target, target, SOFTNESS_METRES * self.scale)
    }

    /// Returns the height of the target's lowest support; infinite without supports.
    pub(crate) fn lowest(&self, target: &WorldPose) -> f64 {
        let clearances = self.target.iter().map(|support| clearance(support, target));
        clearances.fold(f64::INFINITY, f64::min)
    }
}

impl Support {
    /// Returns its position.
    pub(crate) fn place(&self, pose: &WorldPose) -> Vector3<f64> {
        let index = self.joint.index();
        pose.positions[index] + pose.rotations[index] * self.offset
    }
}

/// Returns the height of a support over level zero.
fn clearance(support: &Support, pose: &WorldPose) -> f64 {
    support.place(pose).y - support.radius
}

/// Returns the soft minimum of the supports' clearances.
fn soft_clearance(supports: &[Support], pose: &WorldPose, softness: f64) -> f64 {
    soft_minimum(supports.iter().map(|support| clearance(support, pose)), softness)
}

/// Returns the supports of a body in a fixed order; `None` for missing ones.
fn supports(anatomy: &Anatomy, scale: f64, soles: [Sole; 2]) -> Vec<Option<Support>> {
    let body = &anatomy.body;
    let at = |joint: JointId, radius: f64| {
        Some(Support { joint, offset: Vector3::zeros(), radius: radius * BODY_HEIGHT * scale })
    };
    let mut all = vec![
        Some(on(
            anatomy,
            body.pelvis(),
            anatomy.middle(anatomy.hips()),
            0.054 * BODY_HEIGHT * scale,
        )),
        at(body.chest(), 0.054),
        body.head().and_then(|head| at(head, 0.06)),
    ];
    for ((arm, leg), sole) in body.arms.iter().zip(&body.legs).zip(soles) {
        let wrist = arm.wrist.offset * anatomy.metres_per_unit();
        let hand = at(arm.wrist.joint, 0.015).map(|hand| Support { offset: wrist, ..hand });
        all.extend([hand, at(arm.lower, 0.02), at(leg.lower, 0.03)]);
        let ankle = anatomy.place(leg.foot);
        let carriers = [Some(leg.foot), Some(leg.foot), leg.toes];
        let places = carriers.into_iter().zip(sole).map(|(joint, place)| joint.zip(place));
        all.extend(
            places.map(|place| place.map(|(joint, by)| on(anatomy, joint, ankle + by, 0.0))),
        );
    }
    all
}

/// Heel, ball and tip of the toes from the ankle in the T pose, in which all feet point ahead.
type Sole = [Option<Vector3<f64>>; 3];

/// Returns the soles of both bodies, left and right. Toe tips count only if both bodies have them, so that the levels
/// compare. A foot of which only the ankle is known gets the other body's sole, scaled.
fn soles(bodies: [&Anatomy; 2], scale: f64) -> [[Sole; 2]; 2] {
    let tips = bodies.iter().all(|anatomy| has_tips(anatomy));
    let own = |anatomy: &Anatomy| anatomy.body.legs.each_ref().map(|leg| sole(anatomy, leg, tips));
    let [mut source, mut target] = bodies.map(own);
    let lent = |[heel, ball, _]: Sole, scale: f64| {
        [heel.map(|place| place * scale), ball.map(|place| place * scale), None]
    };
    for (from, to) in source.iter_mut().zip(&mut target) {
        match (from[1], to[1]) {
            (None, Some(_)) => *from = lent(*to, 1.0 / scale),
            (Some(_), None) => *to = lent(*from, scale),
            _ => {}
        }
    }
    [source, target]
}

impl Anatomy {
    /// Returns heel, ball and toe tip of a foot in the T pose, metres of a 1.7 m body. The tip is known if both feet have
    /// one; the ball of a foot without toe joints is its foremost end.
    pub fn sole(&self, side: Side) -> [Option<Vector3<f64>>; 3] {
        let leg = &self.body.legs[side.index()];
        let ankle = self.place(leg.foot);
        sole(self, leg, has_tips(self)).map(|point| point.map(|point| ankle + point))
    }
}

/// Returns whether both feet have toe tips.
fn has_tips(anatomy: &Anatomy) -> bool {
    let tip = |leg: &Leg| leg.toes.is_some_and(|toes| tip_of(anatomy, toes).is_some());
    anatomy.body.legs.iter().all(tip)
}

/// Returns the sole of a foot: at the level of the lowest of ankle, ball and tip in the T pose.
fn sole(anatomy: &Anatomy, leg: &Leg, tips: bool) -> Sole {
    let ankle = anatomy.place(leg.foot);
    let ball = leg.toes.map(|toes| anatomy.place(toes) - ankle);
    let tip = match leg.toes {
        Some(toes) => tip_of(anatomy, toes).filter(|_| tips).map(|tip| tip - ankle),
        None => {
            let places = foot_places(anatomy, leg.foot).into_iter().map(|place| place - ankle);
            places.max_by(|a, b| a.norm_squared().total_cmp(&b.norm_squared()))
        }
    };
    let level = ball.into_iter().chain(tip).map(|place| place.y).fold(0.0, f64::min);
    let on_sole = |place: Vector3<f64>| Vector3::new(place.x, level, place.z);
    let ahead = ball.or(tip).map_or(0.0, |place| place.z);
    let heel = Vector3::z() * (-0.25 * ahead);
    [Some(heel), ball.or(tip), tip.filter(|_| leg.toes.is_some())].map(|place| place.map(on_sole))
}

/// Returns the positions of all joints and end sites below an ankle in the T pose.
fn foot_places(anatomy: &Anatomy, foot: JointId) -> Vec<Vector3<f64>> {
    let skeleton = &anatomy.skeleton;
    let is_below = |id: JointId| skeleton.is_ancestor(foot, id);
    let joints =
        skeleton.ids().filter(|&id| id != foot && is_below(id)).map(|id| anatomy.place(id));
    let sites = skeleton.end_sites().iter().filter(|site| is_below(site.parent));
    let unit = anatomy.metres_per_unit();
    let sites = sites
        .map(|site| Landmark { joint: site.parent, offset: site.offset }.at(&anatomy.t_pose, unit));
    joints.chain(sites).collect()
}

/// Builds a support from its position in the T pose.
fn on(anatomy: &Anatomy, joint: JointId, place: Vector3<f64>, radius: f64) -> Support {
    let offset = anatomy.t_pose.rotations[joint.index()].inverse() * (place - anatomy.place(joint));
    Support { joint, offset, radius }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::UnitQuaternion;

    fn pose(heights: &[f64]) -> WorldPose {
        WorldPose {
            positions: heights.iter().map(|&y| Vector3::new(0.0, y, 0.0)).collect(),
            rotations: vec![UnitQuaternion::identity(); heights.len()],
        }
    }

    #[test]
    fn a_body_with_other_supports_rises_to_the_same_soft_minimum() {
        let support =
            |joint, radius| Support { joint: JointId(joint), offset: Vector3::zeros(), radius };
        let supports = Supports {
            points: vec![SupportPoint::Seat, SupportPoint::Back],
            source: vec![support(0, 0.0), support(1, 0.1)],
            target: vec![support(0, 0.0), support(1, 0.2)],
            scale: 0.5,
        };
        let (source, low) = (pose(&[0.0, 0.3]), pose(&[-0.2, 0.1]));
        let rise = supports.rise(&source, &low);
        let risen = pose(&[-0.2 + rise, 0.1 + rise]);
        assert!(supports.rise(&source, &risen).abs() < 1e-12);
        assert!(
            soft_clearance(&supports.source, &source, SOFTNESS_METRES) <= 0.0,
            "never above the least"
        );
    }
}
