//! Warnings of a plan: parts that are lost, and uncertain anatomies.

use crate::align::{Helper, Plan};
use crate::options::{GroundMode, RootMotion};
use rebone_body::body::{Anatomy, Body};
use rebone_skeleton::Joint;

/// Returns remarks on both calibrations, and everything that the target has no joints, channels or
/// variables for, one text each.
pub(crate) fn warnings(plan: &Plan) -> Vec<String> {
    let (source, target) = (&plan.source.body, &plan.target.body);
    let of = |side: &'static str, anatomy: &Anatomy| {
        let said = anatomy.warnings.clone().into_iter();
        said.map(move |warning| format!("the {side}: {warning}"))
    };
    let mut warnings: Vec<String> = of("source", &plan.source).collect();
    warnings.extend(of("target", &plan.target));
    warnings.extend(lost_parts(source, target));
    warnings.extend(fingers(source, target));
    warnings.extend(channels(plan));
    warnings.extend(helpers(plan));
    warnings.extend(surfaces(plan));
    warnings.extend(unfit_meshes(plan));
    let top = target.trunk[target.trunk_top()];
    if plan.target.limits.iter().any(|(joint, _)| *joint == top) {
        let name = &plan.target.skeleton[top].name;
        warnings.push(format!("the limits of {name} are left out: it turns with the whole body"));
    }
    warnings
}

/// Parts of the body that only one of the two has.
fn lost_parts(source: &Body, target: &Body) -> Vec<String> {
    let has_collar = |body: &Body| body.arms.iter().any(|arm| arm.collar.is_some());
    let handless = |body: &Body| body.arms.iter().any(|arm| arm.hand.is_none());
    let lost = [
        (
            has_collar(source) && !has_collar(target),
            "the target has no collar bones: the source's shrugs are lost",
        ),
        (
            source.trunk.len() > 1 && target.trunk.len() == 1,
            "the target has no joint in its trunk: the source's bends are lost",
        ),
        (
            source.head().is_some() && target.head().is_none(),
            "the target has no head joint: the source's gaze is lost",
        ),
        (
            !handless(source) && handless(target),
            "the target has no hands: the turns of the source's are lost",
        ),
        (
            handless(source) && !handless(target),
            "the source has no hands: the target's go straight on from the forearms",
        ),
    ];
    lost.into_iter().filter(|(is, _)| *is).map(|(_, text)| text.to_owned()).collect()
}

/// Helpers that cannot go along.
fn helpers(plan: &Plan) -> impl Iterator<Item = String> + '_ {
    let joint = |helper: &Helper| &plan.target.skeleton[helper.joint];
    let lacks = |own: &&Joint| own.translation_axes.len() < 3 || own.rotation_axes.len() < 3;
    plan.helpers.iter().map(joint).filter(lacks).map(|own| {
        format!(
            "{} has not all channels: it goes along as far as those that it has allow",
            own.name
        )
    })
}

/// Meshes that do not fit their skeletons, with what is lost.
fn unfit_meshes(plan: &Plan) -> impl Iterator<Item = String> + '_ {
    let lost = match plan.surfaces() {
        Some(_) => "hands are only kept on the other arm",
        None => "self-contacts are left as they come",
    };
    plan.unfit_meshes()
        .iter()
        .map(move |mesh| format!("{mesh}: {lost}; `rebone inspect --surface` tells more"))
}

/// Bodies whose egocentric coordinates rest on the usual surface of their skeleton.
fn surfaces(plan: &Plan) -> impl Iterator<Item = String> + '_ {
    plan.egocentric.iter().flat_map(|map| map.without_skin()).map(|body| {
        format!(
            "the {body} has no skin that fits its skeleton: egocentric coordinates are by the usual surface of a body of its \
             proportions, which is up to 3 cm off"
        )
    })
}

fn fingers(source: &Body, target: &Body) -> Option<String> {
    let count = |body: &Body| {
        body.arms.iter().flat_map(|arm| &arm.fingers).filter(|finger| !finger.is_empty()).count()
    };
    match (count(source), count(target)) {
        (0, 0) => None,
        (have, 0) => {
            Some(format!("the target has no fingers: those {have} of the source are lost"))
        }
        (0, can) => Some(format!("the source has no fingers: the target's {can} do not move")),
        (have, can) if have > can => {
            Some(format!("the target has only {can} of the source's {have} fingers"))
        }
        _ => None,
    }
}

/// Warns of missing channels for the body's path.
fn channels(plan: &Plan) -> Vec<String> {
    let translation_joint = &plan.target.skeleton[plan.translation_joint];
    let name = &translation_joint.name;
    let mut warnings = Vec::new();
    match translation_joint.translation_axes[..] {
        [] => warnings.push(format!(
            "the target's joint {name} has no position channels: the body stays in place"
        )),
        [_, _, _, ..] => {}
        ref axes => {
            let axes: Vec<String> = axes.iter().map(|axis| format!("{axis:?}")).collect();
            let axes = axes.join(" and ");
            warnings.push(format!(
                "the target's joint {name} has position channels along {axes} only: the rest of the \
                 path is lost"
            ));
        }
    }
    if plan.options.root == RootMotion::RootBone && plan.root_bone().is_none() {
        warnings.push(format!(
            "the target has no root bone above {name}: the root motion stays there; --add-root adds a root bone, \
             --root-path writes the path to a file"
        ));
    }
    if plan.options.ground == GroundMode::On && !plan.can_lift() {
        warnings.push(format!(
            "the target's joint {name} has no position channel that reaches upwards: it cannot be put \
             on the floor"
        ));
    }
    warnings
}
