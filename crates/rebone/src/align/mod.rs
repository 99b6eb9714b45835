//! Correspondence of two bodies: everything that depends on the two skeletons and the options alone.

mod chain_map;
pub(crate) mod chains;
mod channel_ranges;
mod groups;
mod helpers;
mod plan;
mod plan_surfaces;
mod rules;
mod same_place;
mod same_rig;
mod solved;
mod supports;

pub use groups::{Group, groups};
pub(crate) use helpers::Helper;
pub(crate) use plan::Girdle;
pub use plan::Plan;
pub(crate) use rules::copies::matching_poses;
pub(crate) use rules::rule::Rule;
pub(crate) use solved::paired_knuckles;
pub(crate) use supports::foot_mesh::FootPoints;
pub(crate) use supports::support::Support;
pub(crate) use supports::{SupportPoint, Supports};

use helpers::helpers;
use plan_surfaces::PlanSurfaces;
use rules::copies::rotation_copy_rules;

use crate::egocentric::EgocentricMap;
use crate::options::{Method, Options, TravelScale};
use nalgebra::{UnitQuaternion, Vector3};
use rebone_body::body::surface::Surface;
use rebone_body::body::{Anatomy, Side};
use rebone_skeleton::JointId;
use std::sync::Arc;

/// Builds the plan of two anatomies.
///
/// ```
/// use rebone::{Hints, Options, Retargeter, align, analyse};
///
/// let motions = [rebone_samples::walk(), rebone_samples::rigs().remove(0)].map(|sample| sample.motion);
/// let [source, target] = [analyse(&motions[0], &Hints::default())?, analyse(&motions[1], &Hints::default())?];
/// let mut retargeter = Retargeter::new(align(&source, &target, &Options::default()))?;
/// let mut pose = target.skeleton.rest_pose();
/// let first = motions[0].clip.pose(0).ok_or("a clip has a frame")?;
/// retargeter.frame(&first, &mut pose)?;
/// assert!(retargeter.range_uses().all(|joint| joint.values.len() == joint.lower.len()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// If one of two equal calibrations was corrected by evidence that the other lacks (soles by motion, limbs by a
/// straight zero pose), both are used uncorrected, so that equal rigs stay equal.
pub fn align(source: &Anatomy, target: &Anatomy, options: &Options) -> Plan {
    let (source, target) = (source.beside(target), target.beside(source));
    let chains = chains::chains(source, target);
    let headings = source.facing.zip(target.facing);
    let turned = |anatomy: &Anatomy, yaw: f64| {
        UnitQuaternion::from_axis_angle(&Vector3::y_axis(), yaw) * anatomy.upright_from_file
    };
    let (source_yaw, target_yaw) = headings.unwrap_or((0.0, 0.0));
    let scale = target.metres_per_unit();
    let translation_joint = translation_joint(target);
    let path_scale = leg_length(target) / leg_length(source);
    let travel_scale = match options.travel {
        TravelScale::LegLength => path_scale,
        TravelScale::Metric => {
            let [from, to] = [source.file_unit_metres(), target.file_unit_metres()];
            from * scale / (to * source.metres_per_unit())
        }
    };
    let inner = [turned(source, source_yaw), turned(target, target_yaw)];
    let mut rules = rules::rules(source, target, &chains);
    if options.method != Method::Ik {
        rules = rotation_copy_rules([source, target], inner, (&rules, &chains), options.method);
    }
    let bodies = [source, target];
    let is_egocentric = options.method == Method::Egocentric;
    let egocentric = is_egocentric.then(|| EgocentricMap::of(bodies, bodies.map(Surface::of)));
    Plan {
        surfaces: PlanSurfaces::default(),
        egocentric: egocentric.map(Arc::new),
        supports: Supports::new(source, target, path_scale),
        inner_from_source: inner[0],
        inner_from_target: inner[1],
        path_scale,
        travel_scale,
        helpers: helpers(target, &rules),
        rules,
        groups: groups(target),
        solved: solved::solved(source, target),
        translation_joint,
        carried: target
            .skeleton
            .ids()
            .map(|id| target.skeleton.is_ancestor(translation_joint, id))
            .collect(),
        girdle: girdle(source, target),
        bones: target
            .skeleton
            .joints()
            .iter()
            .map(|joint| joint.rest_translation * scale)
            .collect(),
        chains,
        source: source.clone(),
        target: target.clone(),
        options: options.clone(),
    }
}

/// Returns the length of thigh and shin, mean of both sides, metres of a 1.7 m body.
fn leg_length(anatomy: &Anatomy) -> f64 {
    let length = |a: JointId, b: JointId| (anatomy.place(a) - anatomy.place(b)).norm();
    let legs = anatomy.body.legs.iter();
    legs.map(|leg| length(leg.upper, leg.lower) + length(leg.lower, leg.foot)).sum::<f64>() / 2.0
}

/// Returns the lowest joint between the root and the top of the trunk that has position channels; one with all three
/// is preferred.
fn translation_joint(target: &Anatomy) -> JointId {
    let top = target.body.trunk[target.body.trunk_top()];
    let channels = |id: JointId| target.skeleton[id].translation_axes.len();
    let find = |least| target.skeleton.path_to_root(top).find(|&id| channels(id) >= least);
    find(3).or_else(|| find(1)).unwrap_or(JointId(0))
}

fn girdle(source: &Anatomy, target: &Anatomy) -> Girdle {
    let anchors = |anatomy: &Anatomy| {
        anatomy.shoulders().map(|joint| anatomy.place(joint) - anatomy.place(anatomy.body.chest()))
    };
    Girdle {
        source: anchors(source),
        target: anchors(target),
        displacement: Side::BOTH.map(|side| shoulder_displacement([source, target], side)),
    }
}

/// Returns the displacement of the target's shoulder over that of the source's: the ratio of their widths, less where the
/// target's collar bone is shorter still, which would turn farther than the source's.
fn shoulder_displacement(bodies: [&Anatomy; 2], side: Side) -> f64 {
    let width = |anatomy: &Anatomy| {
        let [left, right] = anatomy.shoulders().map(|joint| anatomy.place(joint));
        (left - right).norm()
    };
    let collar = |anatomy: &Anatomy| {
        let arm = &anatomy.body.arms[side.index()];
        let length = (anatomy.place(arm.upper) - anatomy.place(arm.collar?)).norm();
        (length > 0.0).then_some(length)
    };
    let [source, target] = bodies.map(width);
    let [from, to] = bodies.map(collar);
    let collars = from.zip(to).map_or(f64::INFINITY, |(from, to)| to / from);
    (target / source).min(collars)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebone_body::analyse;
    use rebone_body::analyse::Hints;
    use rebone_samples as samples;

    #[test]
    fn a_short_collar_bone_displaces_its_shoulder_less() {
        let of = |sample: &samples::Sample| analyse(&sample.motion, &Hints::default()).unwrap();
        let plain = of(&samples::walk());
        assert!((shoulder_displacement([&plain, &plain], Side::Left) - 1.0).abs() < 1e-12);
        let mut short = plain.clone();
        let arm = &plain.body.arms[0];
        let (collar, shoulder) = (arm.collar.unwrap(), plain.place(arm.upper));
        let places = &mut short.t_pose.positions;
        places[collar.index()] = places[collar.index()].lerp(&shoulder, 0.5);
        assert!((shoulder_displacement([&plain, &short], Side::Left) - 0.5).abs() < 1e-9);
        assert!((shoulder_displacement([&short, &plain], Side::Left) - 1.0).abs() < 1e-12);
    }
}
