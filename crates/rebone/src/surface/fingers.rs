//! Samples of a hand's surface that move with its fingers.

use super::Probe;
use crate::body::surface::FieldTransform;
use crate::body::{Anatomy, Side, finger_tip};
use nalgebra::Vector3;
use rebone_skeleton::{JointId, SkinPoint, WorldPose};

/// Samples that one finger joint carries: their index, and their place in the axes of the joint, metres of a 1.7 m body.
#[derive(Clone, Debug, PartialEq)]
struct Carried {
    joint: JointId,
    samples: Vec<(usize, Vector3<f64>)>,
}

/// The samples of a hand that finger joints carry: those that lie nearest to a bone of a finger in the T pose. The others move
/// with the hand.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct FingerSamples(Vec<Carried>);

/// A bone of a hand in the T pose, and the finger joint that moves the surface around it; `None` in the palm.
type Bone = (Option<JointId>, [Vector3<f64>; 2]);

impl FingerSamples {
    /// Returns the samples that the fingers of a hand carry, given where all samples are in the T pose, and whether they are on
    /// the skin.
    pub(super) fn of(
        anatomy: &Anatomy,
        side: Side,
        (places, is_skinned): (&[Vector3<f64>], bool),
    ) -> Self {
        let bones = bones(anatomy, side, is_skinned);
        let mut all: Vec<Carried> = Vec::new();
        for (index, place) in places.iter().enumerate() {
            let distance = |bone: &&Bone| distance_to(place, &bone.1);
            let nearest = bones.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
            let Some(joint) = nearest.and_then(|bone| bone.0) else { continue };
            let inward = anatomy.t_pose.rotations[joint.index()].inverse();
            let sample = (index, inward * (place - anatomy.place(joint)));
            match all.iter_mut().find(|own| own.joint == joint) {
                Some(own) => own.samples.push(sample),
                None => all.push(Carried { joint, samples: vec![sample] }),
            }
        }
        Self(all)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the places of all samples of the hand in the axes of its field, in a pose of the inner world.
    pub(super) fn places(
        &self,
        probes: &[Probe],
        body: usize,
        (world, hand): (&WorldPose, &FieldTransform),
    ) -> Vec<Vector3<f64>> {
        let mut places: Vec<Vector3<f64>> = probes.iter().map(|probe| probe.places[body]).collect();
        for Carried { joint, samples } in &self.0 {
            let rotation = world.rotations[joint.index()].to_rotation_matrix();
            let rotation = hand.rotation.inverse() * rotation;
            let origin = hand.inward(&world.positions[joint.index()]);
            for (index, place) in samples {
                places[*index] = origin + rotation * place;
            }
        }
        places
    }
}

/// Returns the bones of a hand: from the wrist to each knuckle, and along each finger. A mesh may leave fingers out, all of it carried
/// by the hand: they carry nothing then.
fn bones(anatomy: &Anatomy, side: Side, is_skinned: bool) -> Vec<Bone> {
    let arm = &anatomy.body.arms[side.index()];
    let wrist = anatomy.point(arm.wrist);
    let has_skin = |finger: &Vec<JointId>| {
        let carries = |point: &SkinPoint| finger.contains(&point.joint);
        !is_skinned || anatomy.skin.iter().any(carries)
    };
    let mut all = Vec::new();
    for finger in arm.fingers.iter().filter(|finger| !finger.is_empty()) {
        let mut places: Vec<_> = finger.iter().map(|joint| anatomy.place(*joint)).collect();
        places.extend(finger_tip(anatomy, finger));
        all.push((None, [wrist, places[0]]));
        let moves = has_skin(finger);
        let bones = finger.iter().zip(places.windows(2));
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
    use crate::body::BodySegment;
    use crate::surface::{Surface, SurfacePair};
    use crate::{Hints, analyse};
    use nalgebra::UnitQuaternion;
    use rebone_samples as samples;

    #[test]
    fn samples_go_with_the_finger_that_bends() {
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
        // Hands beside the thighs: those of a T pose are near nothing.
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
