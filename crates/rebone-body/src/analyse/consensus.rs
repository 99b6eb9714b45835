//! Agreement of the files of one rig, whichever of them comes first.

use super::clip_estimate::ClipEstimate;
use crate::body::{Anatomy, Assigned, Body, Roles, TRUNK_RADII_METRES};
use nalgebra::{Unit, Vector3};
use rebone_skeleton::JointId;
use rebone_skeleton::selector::select;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// Two files whose ups are further apart have different axes up, radians.
const OTHER_UP: f64 = std::f64::consts::FRAC_PI_4;
/// Two directions that a rest pose faces are the same, radians.
const SAME_FACING: f64 = 1e-6;

/// The roles of the rig's joints, as the file has them that knows most of the joints that all have, and knows them best; and
/// the body that they make. Joints that only the rig has keep its own roles.
pub(super) fn roles(
    own: &Anatomy,
    estimates: &[ClipEstimate],
    common: &BTreeSet<JointId>,
) -> (Roles, Body) {
    let best = estimates.iter().min_by_key(|estimate| RoleRank::new(own, estimate, common));
    let assigned = |id: JointId| match common.contains(&id) {
        true => best.and_then(|best| best.roles.get(&id).cloned()),
        false => own.roles.by_joint[id.index()].clone(),
    };
    let roles = Roles { by_joint: own.skeleton.ids().map(assigned).collect() };
    match Body::new(&own.skeleton, &roles) {
        Ok(body) => (roles, body),
        // Two files took the roles of joints that they do not share for others.
        Err(_) => (own.roles.clone(), own.body.clone()),
    }
}

/// An order of files by what they say of roles, the best first: how many they know, how sure the least sure one is, and the
/// text of them, which is the same in any order.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct RoleRank {
    unknown: usize,
    doubt: u64,
    text: Vec<String>,
}

impl RoleRank {
    fn new(rig: &Anatomy, file: &ClipEstimate, common: &BTreeSet<JointId>) -> Self {
        let roles = || file.roles.iter().filter(|(id, _)| common.contains(id));
        let name = |id: JointId| select(&rig.skeleton, id);
        let line = |(&id, own): (&JointId, &Assigned)| {
            let other = own.runner_up.filter(|id| common.contains(id)).map(name);
            format!(
                "{} {} {} {:?} {other:?}",
                name(id),
                own.role.name(),
                own.confidence,
                own.reason
            )
        };
        let mut text: Vec<String> = roles().map(line).collect();
        text.sort();
        let least = roles().map(|(_, own)| own.confidence).fold(1.0, f64::min);
        // Bits of positive numbers are in the order of the numbers.
        let doubt = (1.0 - least).max(0.0).to_bits();
        Self { unknown: common.len() - text.len(), doubt, text }
    }
}

/// Up as most files have it; of as many, as the surest one that stands.
pub(super) fn up(estimates: &[ClipEstimate]) -> Unit<Vector3<f64>> {
    let alike = |own: &ClipEstimate| {
        estimates.iter().filter(|other| other.up.angle(&own.up) < OTHER_UP).count()
    };
    let order = |a: &&ClipEstimate, b: &&ClipEstimate| -> Ordering {
        let axis = |k: usize| b.up[k].total_cmp(&a.up[k]);
        let more = alike(b).cmp(&alike(a));
        let surer = a.pose_quality.cmp(&b.pose_quality).then(a.sigma.total_cmp(&b.sigma));
        more.then(surer).then(axis(1)).then(axis(2)).then(axis(0))
    };
    estimates.iter().min_by(order).map_or(Vector3::y_axis(), |own| own.up)
}

/// Open question about up, where no file with that up is certain.
pub(super) fn up_question(estimates: &[ClipEstimate], up: &Unit<Vector3<f64>>) -> Option<String> {
    let alike = || estimates.iter().filter(|own| own.up.angle(up) < OTHER_UP);
    let is_sure = alike().any(|own| own.up_question.is_none());
    alike().filter_map(|own| own.up_question.clone()).min().filter(|_| !is_sure)
}

/// Facing of the rest pose, where all files with that up that say it agree.
pub(super) fn facing(estimates: &[ClipEstimate], up: &Unit<Vector3<f64>>) -> Option<f64> {
    let alike = estimates.iter().filter(|own| own.up.angle(up) < OTHER_UP);
    let mut said: Vec<f64> = alike.filter_map(|own| own.facing).collect();
    said.sort_unstable_by(f64::total_cmp);
    let first = *said.first()?;
    let off = |turn: f64| libm::sin((turn - first) / 2.0).abs();
    said.iter().all(|&turn| off(turn) < SAME_FACING).then_some(first)
}

/// Returns a warning where files have another axis up.
pub(super) fn other_ups(estimates: &[ClipEstimate], learned: &Anatomy) -> Option<String> {
    let up = learned.upright_from_file.inverse() * Vector3::y_axis();
    let others = estimates.iter().filter(|estimate| estimate.up.angle(&up) > OTHER_UP);
    let (count, all) = (others.count(), estimates.len());
    let taken = learned.signed_axes()[0].map_or("no axis".to_owned(), |axis| axis.to_string());
    (count > 0).then(|| {
        format!(
            "the files do not agree what is up: {taken} is taken, {count} of {all} say otherwise; \
             state it, and learn from files that have it so"
        )
    })
}

/// Median of the heights of the feet over the floor, in file units.
pub(super) fn sole_height(estimates: &[ClipEstimate]) -> Option<f64> {
    median(estimates.iter().filter_map(|estimate| estimate.sole_height))
}

/// Least distances of seat, back and head from the skin, in file units.
pub(super) fn trunk_radii(estimates: &[ClipEstimate]) -> [f64; 3] {
    let unit = median(estimates.iter().map(|estimate| estimate.metres_per_unit)).unwrap_or(1.0);
    let usual = TRUNK_RADII_METRES.map(|radius| radius / unit);
    let radii = estimates.iter().filter_map(|estimate| estimate.trunk_radii);
    radii.fold(usual, |least, own| std::array::from_fn(|k| least[k].min(own[k])))
}

fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}
