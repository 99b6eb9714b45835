//! Probes of a hand that move with its fingers.

use super::Probe;
use nalgebra::Vector3;
use rebone_body::body::surface::FieldTransform;
use rebone_body::body::{Anatomy, Side, finger_tip};
use rebone_skeleton::{JointId, SkinPoint, WorldPose};
use std::sync::Arc;

/// Probes that one finger joint carries: their index, and their place in the axes of the joint, metres of a 1.7 m body.
#[derive(Clone, Debug)]
struct Carried {
    joint: JointId,
    probes: Vec<(usize, Vector3<f64>)>,
}

/// The probes of a hand that finger joints carry: those that lie nearest to a bone of a finger in the T pose. The others move
/// with the hand.
#[derive(Clone, Debug, Default)]
pub(super) struct FingerProbes(Vec<Carried>);

/// A bone of a hand in the T pose, and the finger joint that moves the surface around it; `None` in the palm.
type Bone = (Option<JointId>, [Vector3<f64>; 2]);

impl FingerProbes {
    /// Returns the probes that fingers carry on both of two bodies, given where all probes of the hand are in the T pose, and
    /// whether it has a skin; `None` if there are none.
    pub(super) fn of_both(
        bodies: [&Anatomy; 2],
        side: Side,
        places: &[Vec<Vector3<f64>>; 2],
        is_skinned: [bool; 2],
    ) -> Option<[Self; 2]> {
        let carriers = [0, 1].map(|body| {
            let bones = bones(bodies[body], side, is_skinned[body]);
            places[body].iter().map(|place| carrier(place, &bones)).collect::<Vec<_>>()
        });
        let mut both = [Self::default(), Self::default()];
        for (index, joints) in carriers[0].iter().zip(&carriers[1]).enumerate() {
            let (Some(of_source), Some(of_target)) = joints else { continue };
            both[0].push(bodies[0], *of_source, (index, &places[0][index]));
            both[1].push(bodies[1], *of_target, (index, &places[1][index]));
        }
        (!both[0].0.is_empty()).then_some(both)
    }

    /// Adds a probe that a joint carries, given its place in the T pose.
    fn push(&mut self, anatomy: &Anatomy, joint: JointId, (index, place): (usize, &Vector3<f64>)) {
        let inward = anatomy.t_pose.rotations[joint.index()].inverse();
        let probe = (index, inward * (place - anatomy.place(joint)));
        match self.0.iter_mut().find(|own| own.joint == joint) {
            Some(own) => own.probes.push(probe),
            None => self.0.push(Carried { joint, probes: vec![probe] }),
        }
    }

    /// Returns the places of all probes of the hand in the axes of its field, in a pose of the inner world.
    pub(super) fn places(
        &self,
        probes: &[Probe],
        body: usize,
        (world, hand): (&WorldPose, &FieldTransform),
    ) -> Arc<[Vector3<f64>]> {
        let mut places: Vec<Vector3<f64>> = probes.iter().map(|probe| probe.places[body]).collect();
        for Carried { joint, probes } in &self.0 {
            let rotation = world.rotations[joint.index()].to_rotation_matrix();
            let rotation = hand.rotation.inverse() * rotation;
            let origin = hand.inward(&world.positions[joint.index()]);
            for (index, place) in probes {
                places[*index] = origin + rotation * place;
            }
        }
        places.into()
    }
}

/// Returns the finger joint that carries a place of a hand.
fn carrier(place: &Vector3<f64>, bones: &[Bone]) -> Option<JointId> {
    let distance = |bone: &&Bone| distance_to(place, &bone.1);
    bones.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)))?.0
}

/// Returns the bones of a hand: from the wrist to each knuckle, and along each finger. A mesh may leave fingers out, all of it
/// carried by the hand: they carry nothing then. Nor do those of a hand that has a thumb alone.
fn bones(anatomy: &Anatomy, side: Side, is_skinned: bool) -> Vec<Bone> {
    let arm = &anatomy.body.arms[side.index()];
    if arm.fingers[1..].iter().all(Vec::is_empty) {
        return Vec::new();
    }
    let wrist = anatomy.point(arm.wrist);
    let mut all = Vec::new();
    for finger in arm.fingers.iter().filter(|finger| !finger.is_empty()) {
        let carries = |point: &SkinPoint| finger.contains(&point.joint);
        let moves = !is_skinned || anatomy.skin.iter().any(carries);
        let mut places = vec![wrist];
        places.extend(finger.iter().map(|joint| anatomy.place(*joint)));
        let [.., before, last] = places[..] else { continue };
        // A bone without an end is as long as the one before it.
        places.push(finger_tip(anatomy, finger).unwrap_or(last + (last - before)));
        all.push((None, [wrist, places[1]]));
        let bones = finger.iter().zip(places[1..].windows(2));
        all.extend(bones.map(|(joint, ends)| (moves.then_some(*joint), [ends[0], ends[1]])));
    }
    all
}

/// Returns the distance of a place from a line segment.
fn distance_to(place: &Vector3<f64>, [from, to]: &[Vector3<f64>; 2]) -> f64 {
    let along = to - from;
    let share = (place - from).dot(&along) / along.norm_squared().max(1e-12);
    (from + along * share.clamp(0.0, 1.0) - place).norm()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::SurfacePair;
    use crate::{Hints, analyse};
    use nalgebra::UnitQuaternion;
    use rebone_body::body::BodySegment;
    use rebone_body::body::surface::Surface;
    use rebone_samples as samples;

    #[test]
    fn probes_go_with_the_finger_that_bends() {
        let with_fingers = |own: &Anatomy| own.body.arms[0].fingers[1].len() > 1;
        let rigs = samples::rigs().into_iter().map(|rig| analyse(&rig.motion, &Hints::default()));
        let anatomy = rigs.filter_map(Result::ok).find(with_fingers).expect("a rig with fingers");
        let surface = Surface::of(&anatomy);
        let pair = SurfacePair::between([&anatomy; 2], [&surface; 2]).expect("a body with a chest");
        let hand = BodySegment::Hand(Side::Left);
        let probes = pair.probes_of(hand);
        let knuckle = anatomy.body.arms[0].fingers[1][0];
        let bent = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), -1.2);
        let at = |world: &WorldPose| {
            let places =
                |probe: &Probe| pair.probe_place(0, &pair.transforms(&anatomy, 0, world), probe);
            probes.iter().filter_map(places).collect::<Vec<_>>()
        };
        // Hands count near the floor: all of the body but one foot is 10 m lower.
        let low = |mut world: WorldPose| {
            world.positions.iter_mut().for_each(|place| place.y -= 10.0);
            let foot = anatomy.body.legs[0].foot.index();
            world.positions[foot].y += 10.0;
            world
        };
        let flat = low(anatomy.t_pose.clone());
        let mut fist = flat.clone();
        let pivot = fist.positions[knuckle.index()];
        for joint in &anatomy.body.arms[0].fingers[1] {
            let place = &mut fist.positions[joint.index()];
            *place = pivot + bent * (*place - pivot);
            fist.rotations[joint.index()] = bent * fist.rotations[joint.index()];
        }
        let (flat, fist) = (at(&flat), at(&fist));
        let mut moved = 0;
        for (before, after) in flat.iter().zip(&fist) {
            let wanted = pivot + bent * (before - pivot);
            let is_moved = (after - before).norm() > 1e-9;
            assert!(!is_moved || (after - wanted).norm() < 1e-9, "{before} to {after}");
            moved += usize::from(is_moved);
        }
        assert!(moved > 4 && moved < flat.len() / 2, "{moved} of {}", flat.len());
    }
}
