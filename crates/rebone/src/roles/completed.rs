//! Completes arms and legs of which names state a part only.

use super::branches;
use super::by_name::NameMeaning;
use super::by_shape::by_shape;
use super::limbs::{ARM, Kind, LEG, Limb, Limbs, best_line, candidates, certainty, limb};
use crate::body::Side;
use rebone_skeleton::{JointId, Skeleton, WorldPose};

/// Confidence of a joint that has the place of a named one on the other side.
const MIRROR_CONFIDENCE: f64 = 0.75;
/// Confidence of a joint above, between or below two named ones of its limb.
const GAP_CONFIDENCE: f64 = 0.6;
/// Lengths of bones of both sides differ by this share at most.
const MAX_LENGTH_DIFFERENCE: f64 = 0.2;

/// A skeleton with the meaning of its names.
struct Named<'a> {
    skeleton: &'a Skeleton,
    readings: &'a [NameMeaning],
    /// [`Skeleton::subtree_lengths`].
    reach: Vec<f64>,
}

/// Finds the limbs where names state some of their joints: the others are at the places of the other side's joints, or next to
/// two that are named, or have the shape of limbs. A name that means something else is never overruled.
pub(super) fn completed(
    skeleton: &Skeleton,
    readings: &[NameMeaning],
    poses: &[WorldPose],
) -> Option<Limbs> {
    let named = Named { skeleton, readings, reach: skeleton.subtree_lengths() };
    let shape = by_shape(skeleton, readings, poses);
    let arms = named.both(&ARM, shape.as_ref().map(|limbs| &limbs.arms))?;
    let legs = named.both(&LEG, shape.as_ref().map(|limbs| &limbs.legs))?;
    Some(Limbs { arms, legs })
}

impl Named<'_> {
    fn both(&self, kind: &Kind, shape: Option<&[Limb; 2]>) -> Option<[Limb; 2]> {
        let stated = Side::BOTH.map(|side| limb(self.skeleton, self.readings, kind, side).ok());
        let completed = |side: Side| {
            let known = stated[side.index()].clone();
            let mirrored = || self.mirrored(stated[1 - side.index()].as_ref()?);
            let fits = |limb: &Limb| self.fits(kind, side, &limb.joints);
            let guessed = || {
                mirrored()
                    .filter(fits)
                    .or_else(|| self.with_gap_filled(kind, side).filter(fits))
                    .or_else(|| shape.map(|limbs| limbs[side.index()].clone()).filter(fits))
            };
            known.or_else(|| Some(self.with_names(kind, guessed()?)))
        };
        let [left, right] = Side::BOTH.map(completed);
        let (left, right) = (left?, right?);
        let are_apart = left.joints.iter().all(|id| !right.joints.contains(id));
        are_apart.then_some([left, right])
    }

    /// Returns whether names say nothing against joints as a limb: a part that some joint of the side is called is played by one of
    /// these, and no joint is called something else.
    fn fits(&self, kind: &Kind, side: Side, joints: &[JointId]) -> bool {
        joints.iter().zip(kind.parts).all(|(&id, part)| {
            let own = &self.readings[id.index()];
            let called = candidates(self.readings, part, Some(side));
            let is_called = called.iter().all(|(known, _)| joints.contains(known))
                || called.iter().any(|(known, _)| *known == id);
            let is_free = own.parts.is_empty() || own.strength(part) > 0.0;
            let is_else =
                own.twist || own.end || own.is_control || own.tail || own.finger.is_some();
            is_called && is_free && !is_else && own.side.is_none_or(|own| own == side)
        })
    }

    /// The joints at the same places of the like branch of the other side.
    fn mirrored(&self, limb: &Limb) -> Option<Limb> {
        let [base, .., end] = limb.joints[..] else { return None };
        let path: Vec<JointId> = self.skeleton.path_to_root(end).collect();
        let base_at = path.iter().position(|&id| id == base)?;
        let like = |&branch: &JointId| branches::like(self.skeleton, &self.reach, branch);
        // The nearest joint from the limb's base on inwards that has a like branch beside it.
        let (at, other) = (base_at..path.len()).find_map(|at| Some((at, like(&path[at])?)))?;
        let mut joints = vec![other];
        for step in path[..at].iter().rev() {
            joints.push(self.like_child(*joints.last()?, *step)?);
        }
        let place = |id: &JointId| path[..=at].iter().rev().position(|own| own == id);
        let joints: Option<Vec<JointId>> =
            limb.joints.iter().map(|id| Some(*joints.get(place(id)?)?)).collect();
        let joints = joints?;
        let name = |id: &JointId| self.skeleton[*id].name.to_string();
        let reasons = limb.joints.iter().map(|id| format!("at the place of {}", name(id)));
        Some(guess(joints, MIRROR_CONFIDENCE, reasons.collect()))
    }

    /// The child of a joint that has the bone of another joint: the nearest in length, and by that in reach.
    fn like_child(&self, parent: JointId, like: JointId) -> Option<JointId> {
        let size =
            |id: JointId| (self.skeleton[id].rest_translation.norm(), self.reach[id.index()]);
        let (bone, below) = size(like);
        let whole = bone + below;
        let off = |id: JointId| {
            let (own, reach) = size(id);
            ((own - bone).abs() + (reach - below).abs()) / whole.max(f64::MIN_POSITIVE)
        };
        let children = self.skeleton.children(parent).map(|id| (off(id), id));
        let best = children.min_by(|a, b| a.0.total_cmp(&b.0))?;
        (best.0 < MAX_LENGTH_DIFFERENCE).then_some(best.1)
    }

    /// The limb of two named joints, with the third above, between or below them.
    fn with_gap_filled(&self, kind: &Kind, side: Side) -> Option<Limb> {
        let parts = kind.parts.map(|part| candidates(self.readings, part, Some(side)));
        let line = |a: usize, b: usize| {
            let (joints, _) =
                best_line(self.skeleton, &[parts[a].clone(), parts[b].clone()], None)?;
            <[JointId; 2]>::try_from(joints).ok()
        };
        let (joints, gap) = if let Some([upper, lower]) = line(0, 1) {
            (vec![upper, lower, self.below(lower)?], 2)
        } else if let Some([upper, end]) = line(0, 2) {
            (vec![upper, self.between(upper, end)?, end], 1)
        } else {
            let [lower, end] = line(1, 2)?;
            (vec![self.above(lower)?, lower, end], 0)
        };
        let name = |at: usize| self.skeleton[joints[at]].name.to_string();
        let reason = match gap {
            0 => format!("above {}", name(1)),
            1 => format!("between {} and {}", name(0), name(2)),
            _ => format!("below {}", name(1)),
        };
        Some(guess(joints, GAP_CONFIDENCE, vec![reason; 3]))
    }

    fn is_twist(&self, id: JointId) -> bool {
        self.readings[id.index()].twist
    }

    /// The joint that most of a limb hangs from, below another one.
    fn below(&self, lower: JointId) -> Option<JointId> {
        let children = self.skeleton.children(lower).filter(|&id| !self.is_twist(id));
        let reach =
            |id: &JointId| self.skeleton[*id].rest_translation.norm() + self.reach[id.index()];
        children.max_by(|a, b| reach(a).total_cmp(&reach(b)))
    }

    /// The joint that is nearest to the middle of the way between two others.
    fn between(&self, upper: JointId, end: JointId) -> Option<JointId> {
        let path: Vec<JointId> =
            self.skeleton.path_to_root(end).take_while(|&id| id != upper).collect();
        let bone = |id: JointId| self.skeleton[id].rest_translation.norm();
        let whole: f64 = path.iter().map(|&id| bone(id)).sum();
        let mut from_end = 0.0;
        let mut best: Option<(f64, JointId)> = None;
        for pair in path.windows(2) {
            from_end += bone(pair[0]);
            let off = (from_end - whole / 2.0).abs();
            if !self.is_twist(pair[1]) && best.is_none_or(|best| off < best.0) {
                best = Some((off, pair[1]));
            }
        }
        best.map(|(_, id)| id)
    }

    /// The joint above a limb's middle one, twist joints aside.
    fn above(&self, lower: JointId) -> Option<JointId> {
        self.skeleton.path_to_root(lower).skip(1).find(|&id| !self.is_twist(id))
    }

    /// A limb whose named joints are as sure as their names.
    fn with_names(&self, kind: &Kind, mut limb: Limb) -> Limb {
        for (at, (id, part)) in limb.joints.iter().zip(kind.parts).enumerate() {
            let strength = self.readings[id.index()].strength(part);
            if strength > 0.0 {
                limb.confidence[at] = certainty(strength);
                limb.reasons[at] = format!("named {}", self.skeleton[*id].name);
            }
        }
        limb
    }
}

/// A limb of joints that are all as sure.
fn guess(joints: Vec<JointId>, sure: f64, reasons: Vec<String>) -> Limb {
    let (confidence, runners_up) = (vec![sure; joints.len()], vec![None; joints.len()]);
    Limb { joints, confidence, reasons, runners_up }
}
