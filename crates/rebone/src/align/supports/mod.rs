//! Support points of a body, and the height that follows from them.

pub(crate) mod foot_mesh;
pub(crate) mod sole_pairs;
pub(crate) mod support;

use crate::align::same_rig::is_same_rig;
use crate::align::supports::foot_mesh::{FootPoints, foot_points, lowest};
use crate::align::supports::sole_pairs::{BALL, soles};
use crate::align::supports::support::{Support, clearance, on};
use crate::math::{ease, soft_minimum};
use nalgebra::Vector3;
use rebone_body::body::{Anatomy, BODY_HEIGHT, Landmark, METRES_PER_CENTIMETRE, Side, Sole};
use rebone_skeleton::{JointId, WorldPose};

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
    /// Returns the side of a point of a sole.
    pub(crate) fn foot(self) -> Option<Side> {
        match self {
            Self::Heel(side) | Self::Ball(side) | Self::Toes(side) => Some(side),
            _ => None,
        }
    }

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
    /// Lengths of each foot of the source over the target's, left and right.
    pub(crate) foot_ratios: [FootRatios; 2],
    /// The points of each hand that can be its lowest, left and right, of source and target.
    pub(crate) hands: [[Vec<Support>; 2]; 2],
    /// The points of each foot's mesh that can be its lowest, left and right, of source and target; none where both skeletons
    /// are one.
    pub(crate) feet: [[FootPoints; 2]; 2],
    /// Thickness of the soles below their joints, of source and target.
    pub(crate) thickness: [f64; 2],
    pub(crate) scale: f64,
}

/// Distances along the sole from the ankle of a source's foot, scaled, over those of the target's.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct FootRatios {
    /// To the heel.
    pub(crate) heel: Option<f64>,
    /// To the ball; of a target whose toes no joint bends, over that to its tip.
    pub(crate) front: Option<f64>,
    /// To the tip of the toes, where a joint bends the target's.
    pub(crate) tip: Option<f64>,
    /// Distance of the target's ball over that of its tip, below 1.
    pub(crate) ball_over_tip: f64,
}

/// Least distance of the tip of the toes from the ankle over that of the ball: 1.6 in people. Toes of a file may end at the
/// joints of each toe.
const MIN_TIP_OVER_BALL: f64 = 1.35;
/// Softness of the minimum of clearances: 0.01 of the stature.
const SOFTNESS_METRES: f64 = 0.01 * BODY_HEIGHT;

/// Heights of a foot over the lowest part of the body at which it bears, and from which on it does not: 3 and 45 cm of a
/// body of 1.8 m.
const NEAR_METRES: f64 = 3.0 * METRES_PER_CENTIMETRE;
const FAR_METRES: f64 = 45.0 * METRES_PER_CENTIMETRE;

/// Share of the height of a foot over the lowest part of the body that its toes may reach down by.
const SHARE_OF_CLEARANCE: f64 = 0.5;

impl Supports {
    /// Pairs the supports of two bodies; `scale` is the target's leg length over the source's.
    pub(crate) fn new(source: &Anatomy, target: &Anatomy, scale: f64) -> Self {
        let [from, to] = soles([source, target], scale);
        let foot_ratios = [0, 1].map(|side| {
            let has_toes = target.body.legs[side].toes.is_some();
            FootRatios::of(&from.0[side], &to.0[side], has_toes, scale)
        });
        let radii = source.trunk_radii;
        let of = |anatomy, scale: f64, soles| {
            supports(anatomy, radii.map(|radius| radius * scale), scale, soles)
        };
        let thickness = [from.1, to.1];
        let both = of(source, 1.0, from).into_iter().zip(of(target, scale, to));
        let both = SupportPoint::all().zip(both);
        let both = both.filter_map(|(point, (a, b))| Some((point, a.zip(b)?)));
        let (points, (from, to)) = both.unzip();
        let hands =
            [source, target].map(|anatomy| Side::BOTH.map(|side| hand_supports(anatomy, side)));
        // A skeleton onto itself keeps its feet where they are.
        let feet = match is_same_rig(source, target) {
            true => Default::default(),
            false => [source, target].map(|own| Side::BOTH.map(|side| foot_points(own, side))),
        };
        Self { points, source: from, target: to, foot_ratios, hands, feet, thickness, scale }
    }

    /// Returns how far the target has to rise so that its supports clear the ground as the source's: `smin_{sτ}(c') =
    /// s · smin_τ(c)`, with `c` the clearances of the supports over level zero, `s` the scale and `smin_τ(c) = −τ ln Σ
    /// exp(−c/τ)`. The floor is not estimated: its level scales along.
    pub(crate) fn rise(&self, source: &WorldPose, target: &WorldPose) -> f64 {
        let [from, to] = [(0, source), (1, target)].map(|(body, pose)| self.clearances(body, pose));
        self.scale * soft_minimum(from, SOFTNESS_METRES)
            - soft_minimum(to, SOFTNESS_METRES * self.scale)
    }

    /// Returns how near the feet are to bearing the source, left and right: 1 where a foot is the lowest part of the body
    /// or nearly so, 0 from [`FAR_METRES`] above that on.
    pub(crate) fn nearness_of_feet(&self, source: &WorldPose) -> [f64; 2] {
        let mut lowest = f64::INFINITY;
        let mut feet = [f64::INFINITY; 2];
        for (point, support) in self.points.iter().zip(&self.source) {
            let height = clearance(support, source);
            lowest = lowest.min(height);
            if let SupportPoint::Heel(side) | SupportPoint::Ball(side) | SupportPoint::Toes(side) =
                point
            {
                feet[side.index()] = feet[side.index()].min(height);
            }
        }
        feet.map(|foot| ease(1.0 - (foot - lowest - NEAR_METRES) / (FAR_METRES - NEAR_METRES)))
    }

    /// Returns the height of the target's lowest support; infinite without supports.
    pub(crate) fn lowest(&self, target: &WorldPose) -> f64 {
        self.clearances(1, target).fold(f64::INFINITY, f64::min)
    }
}

impl Supports {
    /// Returns the clearances of the supports of a body, 0 for the source, over level zero. A foot with a mesh is as low as the
    /// lowest point of it.
    pub(crate) fn clearances<'a>(
        &'a self,
        body: usize,
        pose: &'a WorldPose,
    ) -> impl Iterator<Item = f64> + Clone + 'a {
        let supports = if body == 0 { &self.source } else { &self.target };
        let deeper = Side::BOTH.map(|side| {
            let mesh = self.feet[body][side.index()].lowest(pose);
            let points = self.points.iter().zip(supports);
            let own = points.filter(|(point, _)| point.foot() == Some(side));
            let sole = own.map(|(_, own)| clearance(own, pose)).fold(f64::INFINITY, f64::min);
            let deeper = mesh - sole;
            if self.has_foot_mesh(1) && deeper.is_finite() { deeper } else { 0.0 }
        });
        self.points.iter().zip(supports).map(move |(point, support)| {
            let deeper = point.foot().map_or(0.0, |side| deeper[side.index()]);
            clearance(support, pose) + deeper
        })
    }

    /// Returns whether both feet of a body, 0 for the source, have a mesh that counts.
    pub(crate) fn has_foot_mesh(&self, body: usize) -> bool {
        self.feet[body].iter().all(|own| !own.foot.is_empty())
    }

    /// Returns how far the toes of the target may be lower than its foot: as far as those of the source are, and as far
    /// as the source's foot is above the lowest part of its body, at the target's size.
    pub(crate) fn room_for_toes(&self, source: &WorldPose, side: Side) -> f64 {
        let (mut body, mut foot, mut toes) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
        for (point, support) in self.points.iter().zip(&self.source) {
            let height = clearance(support, source);
            match point {
                SupportPoint::Heel(own) | SupportPoint::Ball(own) if *own == side => {
                    foot = foot.min(height);
                }
                SupportPoint::Toes(own) if *own == side => toes = height,
                _ => {}
            }
            body = body.min(height);
        }
        let mesh = &self.feet[0][side.index()];
        if !mesh.foot.is_empty() && !mesh.toes.is_empty() {
            (foot, toes) = (lowest(&mesh.foot, source), lowest(&mesh.toes, source));
        }
        let room = (foot - toes).max(SHARE_OF_CLEARANCE * (foot - body));
        if room.is_finite() { self.scale * room.max(0.0) } else { 0.0 }
    }
}

impl FootRatios {
    fn of(source: &Sole, target: &Sole, has_toes: bool, scale: f64) -> Self {
        let lengths = |sole: &Sole| sole.map(|place| place.map(|place| place.z.abs()));
        let [[heel, ball, tip], [to_heel, to_ball, to_tip]] = [source, target].map(lengths);
        let ratio =
            |from: Option<f64>, to: Option<f64>| Some(from? * scale / to?.max(f64::MIN_POSITIVE));
        let tip = tip.zip(ball).map(|(tip, ball)| tip.max(MIN_TIP_OVER_BALL * ball));
        let ball_over_tip =
            to_ball.zip(to_tip).map_or(1.0, |(ball, tip)| ball / tip.max(f64::MIN_POSITIVE));
        Self {
            heel: ratio(heel, to_heel.or(to_ball)),
            front: ratio(ball, if has_toes { to_ball } else { to_tip.or(to_ball) }),
            tip: ratio(tip, to_tip).filter(|_| has_toes && ball_over_tip < 1.0),
            ball_over_tip,
        }
    }
}

/// Returns the supports of a body in a fixed order; `None` for missing ones.
fn supports(
    anatomy: &Anatomy,
    trunk_radii: [f64; 3],
    scale: f64,
    (soles, thickness): ([Sole; 2], f64),
) -> Vec<Option<Support>> {
    let body = &anatomy.body;
    let height = BODY_HEIGHT * scale;
    let at = |joint: JointId, radius: f64| {
        Some(Support { joint, offset: Vector3::zeros(), radius, extent: None })
    };
    let mut all = trunk_supports(anatomy, trunk_radii);
    for ((arm, leg), sole) in body.arms.iter().zip(&body.legs).zip(soles) {
        let wrist = arm.wrist.offset * anatomy.metres_per_unit();
        let hand =
            at(arm.wrist.joint, 0.015 * height).map(|hand| Support { offset: wrist, ..hand });
        all.extend([hand, at(arm.lower, 0.02 * height), at(leg.lower, 0.03 * height)]);
        let ankle = anatomy.place(leg.foot);
        let places = leg.sole_carriers().into_iter().zip(sole);
        let toes = leg.toes.map(|toes| anatomy.place(toes));
        all.extend(places.enumerate().map(|(k, (joint, place))| {
            let place = ankle + place?;
            // Foot and toes are round below the joint between them: the ball is as low however the foot pitches.
            let radius = toes.filter(|_| k == BALL).map_or(0.0, |toes| (toes.y - place.y).max(0.0));
            Some(on(anatomy, joint, place + Vector3::y() * radius, thickness + radius))
        }));
    }
    all
}

/// Returns seat, back and head: what the mesh shows, else spheres.
fn trunk_supports(anatomy: &Anatomy, [seat, back, head]: [f64; 3]) -> Vec<Option<Support>> {
    let body = &anatomy.body;
    let at = |joint: JointId, radius: f64, joints: &[JointId]| {
        let sphere = Support { joint, offset: Vector3::zeros(), radius, extent: None };
        Some(sphere.with_mesh(anatomy, joints))
    };
    let hips = anatomy.middle(anatomy.hips());
    let seat = on(anatomy, body.pelvis(), hips, seat).with_mesh(anatomy, &[body.pelvis()]);
    let ids = anatomy.skeleton.ids();
    let is_skull =
        |id: &JointId| body.head().is_some_and(|head| anatomy.skeleton.is_ancestor(head, *id));
    let skull: Vec<JointId> = ids.filter(is_skull).collect();
    let head = body.head().and_then(|joint| at(joint, head, &skull));
    vec![Some(seat), at(body.chest(), back, &body.trunk[1..]), head]
}

/// Distance from the joints of a finger to its skin, metres: 0.8 cm of a body of 1.8 m.
const FINGER_RADIUS_METRES: f64 = 0.8 * METRES_PER_CENTIMETRE;

/// Returns the points of a hand that can be its lowest.
fn hand_supports(anatomy: &Anatomy, side: Side) -> Vec<Support> {
    let (points, is_skin) = anatomy.hand_points(side);
    placed_on(anatomy, points, if is_skin { 0.0 } else { FINGER_RADIUS_METRES })
}

/// Returns supports at points of a body.
fn placed_on(anatomy: &Anatomy, points: Vec<Landmark>, radius: f64) -> Vec<Support> {
    let unit = anatomy.metres_per_unit();
    let support = |point: Landmark| Support {
        joint: point.joint,
        offset: point.offset * unit,
        radius,
        extent: None,
    };
    points.into_iter().map(support).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::UnitQuaternion;
    use rebone_body::body::Extent;

    fn pose(heights: &[f64]) -> WorldPose {
        WorldPose {
            positions: heights.iter().map(|&y| Vector3::new(0.0, y, 0.0)).collect(),
            rotations: vec![UnitQuaternion::identity(); heights.len()],
        }
    }

    #[test]
    fn a_body_with_other_supports_rises_to_the_same_soft_minimum() {
        let support = |joint, radius| Support {
            joint: JointId(joint),
            offset: Vector3::zeros(),
            radius,
            extent: None,
        };
        let supports = Supports {
            points: vec![SupportPoint::Seat, SupportPoint::Back],
            source: vec![support(0, 0.0), support(1, 0.1)],
            target: vec![support(0, 0.0), support(1, 0.2)],
            foot_ratios: Default::default(),
            hands: Default::default(),
            feet: Default::default(),
            thickness: [0.0; 2],
            scale: 0.5,
        };
        let (source, low) = (pose(&[0.0, 0.3]), pose(&[-0.2, 0.1]));
        let rise = supports.rise(&source, &low);
        let risen = pose(&[-0.2 + rise, 0.1 + rise]);
        assert!(supports.rise(&source, &risen).abs() < 1e-12);
        let soft = soft_minimum(supports.clearances(0, &source), SOFTNESS_METRES);
        assert!(soft <= 0.0, "never above the least");
    }

    #[test]
    fn a_support_with_a_mesh_is_placed_over_the_lowest_point_of_its_skin() {
        let centre = Vector3::new(0.0, 0.1, 0.2);
        let extent = Some(Extent::ball(centre, 0.3));
        let support = Support { joint: JointId(0), offset: centre, radius: 0.05, extent };
        for k in 0..20 {
            let turn = UnitQuaternion::from_euler_angles(0.3 * f64::from(k), 1.0, 0.2);
            let pose = WorldPose { rotations: vec![turn], ..pose(&[1.0]) };
            let lowest = 1.0 + (turn * centre).y - 0.3;
            assert!((clearance(&support, &pose) - lowest).abs() < 1e-9);
        }
    }
}
