//! Bodies of which some joints have names that say nothing.

use super::nameless::bare;
use super::rest;
use crate::body::{Role, Roles, Side};
use crate::roles::by_name::{self, NameMeaning};
use crate::roles::limbs::{ARM, LEG, candidates};
use crate::roles::{RetargetError, assign_roles};
use rebone_samples as samples;
use rebone_skeleton::{JointId, Skeleton};
use std::cell::Cell;

fn limb_roles(side: Side) -> [Role; 6] {
    use Role::{Foot, Hand, LowerArm, LowerLeg, UpperArm, UpperLeg};
    [UpperArm(side), LowerArm(side), Hand(side), UpperLeg(side), LowerLeg(side), Foot(side)]
}

fn limbs(roles: &Roles) -> Vec<Option<JointId>> {
    Side::BOTH.into_iter().flat_map(limb_roles).map(|role| roles.joint(role)).collect()
}

fn without_names(skeleton: &Skeleton, unnamed: &[JointId]) -> Skeleton {
    let index = Cell::new(0);
    bare(skeleton, |joint| {
        let at = index.replace(index.get() + 1);
        if unnamed.contains(&JointId(at)) { format!("Foo{at}") } else { joint.name.to_string() }
    })
}

/// Joints of limbs, by place in a limb of each side, that no other joint could be by its name: collars and upper arms are both
/// called shoulder, and parts of a forearm are numbered.
fn unmistakable(skeleton: &Skeleton, roles: &Roles) -> Vec<Vec<JointId>> {
    let readings: Vec<NameMeaning> =
        skeleton.joints().iter().map(|joint| by_name::read(&joint.name)).collect();
    let parts = ARM.parts.into_iter().chain(LEG.parts);
    let of = |(at, part)| {
        let only = |side: Side| {
            let joint = roles.joint(limb_roles(side)[at])?;
            let named = candidates(&readings, part, Some(side));
            named.iter().all(|(id, _)| *id == joint).then_some(joint)
        };
        Side::BOTH.into_iter().filter_map(only).collect()
    };
    parts.enumerate().map(of).collect()
}

/// Checks that a body has the same limbs if some of its joints have no name.
fn check(sample: &samples::Sample, unnamed: &[JointId], wanted: &Roles) {
    let skeleton = &sample.motion.skeleton;
    let other = without_names(skeleton, unnamed);
    let roles: Result<_, RetargetError> = assign_roles(&other, &rest(&other));
    let names: Vec<String> = unnamed.iter().map(|id| skeleton[*id].name.to_string()).collect();
    let found = roles.map(|roles| limbs(&roles));
    // A hand that nothing hangs from is the end of its forearm.
    let are_same = |found: &Vec<Option<JointId>>| {
        let hands = [2, 8];
        let mut both = found.iter().zip(limbs(wanted)).enumerate();
        both.all(|(k, (a, b))| *a == b || a.is_none() && hands.contains(&k))
    };
    let is_same = found.as_ref().is_ok_and(are_same);
    assert!(is_same, "{} without {names:?}: {found:?} for {:?}", sample.name, limbs(wanted));
}

#[test]
fn joints_without_names_are_found_by_those_around_them() {
    let mut checked = 0;
    for sample in samples::rigs().into_iter().chain([samples::walk()]) {
        let skeleton = &sample.motion.skeleton;
        let wanted = assign_roles(skeleton, &rest(skeleton)).unwrap();
        for sides in unmistakable(skeleton, &wanted) {
            check(&sample, &sides, &wanted);
            sides.iter().for_each(|joint| check(&sample, &[*joint], &wanted));
            checked += sides.len();
        }
    }
    assert!(checked > 60, "{checked}");
}
