//! The points of a body that are tracked over a clip.

use crate::align::{FootPoints, Plan, Support, SupportPoint, Supports};
use crate::contacts::BodyPart;
use nalgebra::Vector3;
use rebone_body::body::{Anatomy, Landmark, Limb, Side};
use rebone_skeleton::{JointId, WorldPose};

/// The tracked points of a body: its supports, and root and end of each limb.
#[derive(Clone, Debug)]
pub(crate) struct TrackedPoints {
    pub(super) points: Vec<SupportPoint>,
    /// The supports, then root and end of each of [`Limb::ALL`].
    pub(super) supports: Vec<Support>,
    /// The points of each hand that can be its lowest.
    pub(super) hands: [Vec<Support>; 2],
    /// The points of each foot that can be its lowest: of its mesh, else those of its sole on the level of its joints.
    pub(super) feet: [Vec<Support>; 2],
    /// Whether these are of a mesh; not where both skeletons are one.
    pub(super) has_foot_mesh: bool,
    /// The head joint, whose support is the middle of a mesh.
    pub(super) head: Option<JointId>,
}

impl TrackedPoints {
    /// Lists the points of both bodies of a plan, the source first.
    pub(crate) fn of_plan(plan: &Plan) -> [Self; 2] {
        let Supports { points, source, target, hands, feet, thickness, .. } = &plan.supports;
        let own = |anatomy: &Anatomy, supports: &[Support], body: usize| {
            let has_foot_mesh = plan.supports.has_foot_mesh(body);
            let soles = Side::BOTH.map(|side| match &feet[body][side.index()] {
                FootPoints { foot, toes } if has_foot_mesh => [foot.as_slice(), toes].concat(),
                _ => sole_points(points, supports, side, thickness[body]),
            });
            Self {
                points: points.clone(),
                supports: supports.iter().copied().chain(limbs(anatomy)).collect(),
                hands: hands[body].clone(),
                feet: soles,
                has_foot_mesh,
                head: anatomy.body.head(),
            }
        };
        [own(&plan.source, source, 0), own(&plan.target, target, 1)]
    }
}

/// Returns root and end of each limb.
fn limbs(anatomy: &Anatomy) -> impl Iterator<Item = Support> + '_ {
    let ends = |limb: Limb| [Landmark::from(limb.root(anatomy)), limb.end(anatomy)];
    let unit = anatomy.metres_per_unit();
    let position = move |Landmark { joint, offset }| Support {
        joint,
        offset: offset * unit,
        radius: 0.0,
        extent: None,
    };
    Limb::ALL.into_iter().flat_map(ends).map(position)
}

/// Returns the points of a sole without a mesh at its joints and ends, less its thickness, which nothing shows. No joint is at a
/// heel: it counts alone only.
fn sole_points(
    points: &[SupportPoint],
    supports: &[Support],
    side: Side,
    thickness: f64,
) -> Vec<Support> {
    let foot = BodyPart::Foot(side);
    let own = || points.iter().zip(supports).filter(|(point, _)| BodyPart::of(**point) == foot);
    let is_heel = |point: &SupportPoint| matches!(point, SupportPoint::Heel(_));
    let has_front = own().any(|(point, _)| !is_heel(point));
    let shown = own().filter(|(point, _)| !(has_front && is_heel(point)));
    shown.map(|(_, support)| Support { radius: support.radius - thickness, ..*support }).collect()
}

/// Returns the lowest point of a hand or foot, on its skin.
pub(super) fn lowest_point(points: &[Support], world: &WorldPose) -> Vector3<f64> {
    let on_skin = |support: &Support| support.place(world) - Vector3::y() * support.radius;
    let places = points.iter().map(on_skin);
    places.min_by(|a, b| a.y.total_cmp(&b.y)).unwrap_or_else(Vector3::zeros)
}
