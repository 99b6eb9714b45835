//! Completes arms and legs of which names state a part only.

use super::by_name::NameMeaning;
use super::limbs::{ARM, LEG, Limb, LimbKind, Limbs};
use super::limbs::{
    GAP_CONFIDENCE, below_girdle, best_line, candidates, is_rather_girdle, limb, may_be,
    name_confidence,
};
use super::shape::branches;
use crate::body::Side;
use rebone_skeleton::{JointId, Skeleton};
use std::collections::BTreeSet;

/// Confidence of a joint that mirrors a named one of the other side.
const MIRROR_CONFIDENCE: f64 = 0.75;
/// A joint matches one of the other side if the differences of bone length and reach add up to less than this share of their sum.
const MAX_MISMATCH: f64 = 0.2;

/// A skeleton with the meaning of its names.
struct Named<'a> {
    skeleton: &'a Skeleton,
    readings: &'a [NameMeaning],
    /// [`Skeleton::subtree_lengths`].
    reach: Vec<f64>,
}

/// Finds the limbs where names state some of their joints: the others mirror those of the other side, or are next to two that are
/// named, or are those that shape finds. A name that means something else is never overruled.
pub(super) fn completed(
    skeleton: &Skeleton,
    readings: &[NameMeaning],
    shape: Option<&Limbs>,
) -> Option<Limbs> {
    let named = Named { skeleton, readings, reach: skeleton.subtree_lengths() };
    let arms = named.both(&ARM, shape.map(|limbs| &limbs.arms))?;
    let legs = named.both(&LEG, shape.map(|limbs| &limbs.legs))?;
    let all: Vec<JointId> =
        arms.iter().chain(&legs).flat_map(|limb| limb.joints.iter().copied()).collect();
    let are_apart = all.iter().collect::<BTreeSet<_>>().len() == all.len();
    are_apart.then_some(Limbs { arms, legs })
}

/// Moves joints of named limbs up to those without a meaning that mirror the other side: of "upperleg01, upperleg02" the first
/// may have a name that says nothing.
pub(super) fn raised(skeleton: &Skeleton, readings: &[NameMeaning], mut limbs: Limbs) -> Limbs {
    let named = Named { skeleton, readings, reach: skeleton.subtree_lengths() };
    let is_blank = |id: JointId| {
        let reading = &readings[id.index()];
        reading.parts.is_empty() && reading.side.is_none() && !reading.is_control
    };
    for pair in [&mut limbs.arms, &mut limbs.legs] {
        for side in Side::BOTH.map(Side::index) {
            let Some(mirror) = named.mirrored(&pair[1 - side], |_| true) else { continue };
            let own = &mut pair[side];
            for at in 0..own.joints.len().min(mirror.joints.len()) {
                let (joint, upper) = (own.joints[at], mirror.joints[at]);
                let is_below = at == 0 || skeleton.is_ancestor(own.joints[at - 1], upper);
                if is_blank(upper) && is_below && skeleton.is_ancestor(upper, joint) {
                    own.joints[at] = upper;
                    own.confidence[at] = MIRROR_CONFIDENCE;
                    own.reasons[at].clone_from(&mirror.reasons[at]);
                    own.runners_up[at] = Some(joint);
                }
            }
        }
    }
    limbs
}

impl Named<'_> {
    fn both(&self, kind: &LimbKind, shape: Option<&[Limb; 2]>) -> Option<[Limb; 2]> {
        let mut stated = Side::BOTH.map(|side| limb(self.skeleton, self.readings, kind, side).ok());
        // An arm that seems to end with its forearm, beside one with a hand, lacks the name of its hand.
        let shorter = match &stated {
            [Some(left), Some(right)] if left.joints.len() < right.joints.len() => Some(0),
            [Some(left), Some(right)] if left.joints.len() > right.joints.len() => Some(1),
            _ => None,
        };
        if let Some(side) = shorter {
            stated[side] = None;
        }
        let completed = |side: Side| {
            let fits = |limb: &Limb| self.fits(kind, side, &limb.joints);
            let mirrored = || self.mirrored(stated[1 - side.index()].as_ref()?, fits);
            let shape = shape.map(|limbs| &limbs[side.index()]);
            let guessed = mirrored()
                .or_else(|| self.with_gap_filled(kind, side).filter(fits))
                .or_else(|| shape.cloned().filter(fits));
            Some(self.with_names(kind, surer(guessed?, shape)))
        };
        let of = |side: Side| stated[side.index()].clone().or_else(|| completed(side));
        Some([of(Side::Left)?, of(Side::Right)?])
    }

    /// Returns whether no name contradicts the joints as a limb: each named part of this side is among them, and none is named
    /// as something else.
    fn fits(&self, kind: &LimbKind, side: Side, joints: &[JointId]) -> bool {
        let stated = |part| candidates(self.readings, part, Some(side));
        let has_named_rest =
            kind.parts[joints.len()..].iter().any(|&part| !stated(part).is_empty());
        let fits = |(&id, part): (&JointId, _)| {
            let mut stated = stated(part);
            // A collar that may be called as the upper arm below it.
            let is_above =
                |known: JointId| known != joints[0] && self.skeleton.is_ancestor(known, joints[0]);
            stated.retain(|&(known, _)| {
                !(is_above(known) && is_rather_girdle(&self.readings[known.index()], kind))
            });
            let is_stated = stated.iter().all(|(known, _)| joints.contains(known))
                || stated.iter().any(|(known, _)| *known == id);
            is_stated && may_be(&self.readings[id.index()], part, side)
        };
        !has_named_rest && joints.iter().zip(kind.parts).all(fits)
    }

    /// The joints that mirror a limb of the other side: those at the same places of a branch beside it.
    fn mirrored(&self, limb: &Limb, fits: impl Fn(&Limb) -> bool) -> Option<Limb> {
        let (base, end) = (*limb.joints.first()?, *limb.joints.last()?);
        let path: Vec<JointId> = self.skeleton.path_to_root(end).collect();
        let base_at = path.iter().position(|&id| id == base)?;
        let mirrored = |at: usize| {
            let other = branches::like(self.skeleton, &self.reach, path[at])?;
            let joints = self.like_joints(other, &path[..at])?;
            let place = |id: &JointId| path[..=at].iter().rev().position(|known| known == id);
            let found = limb.joints.iter().map(|id| Some(joints[place(id)?]));
            let name = |id: &JointId| format!("mirrors {}", self.skeleton[*id].name);
            let reasons = limb.joints.iter().map(name).collect();
            Some(guess(found.collect::<Option<_>>()?, MIRROR_CONFIDENCE, reasons))
        };
        // From the base of the limb on inwards.
        (base_at..path.len()).filter_map(mirrored).find(fits)
    }

    /// The joints from `top` outwards that are like those of a path, which is given from its end.
    fn like_joints(&self, top: JointId, path: &[JointId]) -> Option<Vec<JointId>> {
        let mut joints = vec![top];
        for step in path.iter().rev() {
            joints.push(self.like_child(*joints.last()?, *step)?);
        }
        Some(joints)
    }

    /// The child of `parent` whose bone length and reach are closest to those of `like`.
    fn like_child(&self, parent: JointId, like: JointId) -> Option<JointId> {
        let size =
            |id: JointId| (self.skeleton[id].rest_translation.norm(), self.reach[id.index()]);
        let (bone, reach) = size(like);
        let mismatch = |id: JointId| {
            let (own_bone, own_reach) = size(id);
            ((own_bone - bone).abs() + (own_reach - reach).abs())
                / (bone + reach).max(f64::MIN_POSITIVE)
        };
        let children = self.skeleton.children(parent).map(|id| (mismatch(id), id));
        let best = children.min_by(|a, b| a.0.total_cmp(&b.0))?;
        (best.0 < MAX_MISMATCH).then_some(best.1)
    }

    /// The limb of two named joints, with the third above, between or below them.
    fn with_gap_filled(&self, kind: &LimbKind, side: Side) -> Option<Limb> {
        let parts = kind.parts.map(|part| candidates(self.readings, part, Some(side)));
        let line = |a: usize, b: usize| {
            let both = [parts[a].clone(), parts[b].clone()];
            <[JointId; 2]>::try_from(best_line(self.skeleton, &both, None)?.0).ok()
        };
        let name = |id: JointId| &self.skeleton[id].name;
        let base = |upper: JointId, below: JointId| {
            below_girdle(self.skeleton, self.readings, kind, &[upper, below]).unwrap_or(upper)
        };
        let (joints, reason) = if let Some([upper, lower]) = line(0, 1) {
            let upper = base(upper, lower);
            (vec![upper, lower, self.below(lower)?], format!("below {}", name(lower)))
        } else if let Some([upper, end]) = line(0, 2) {
            let upper = base(upper, end);
            let reason = format!("between {} and {}", name(upper), name(end));
            (vec![upper, self.between(upper, end)?, end], reason)
        } else {
            let [lower, end] = line(1, 2)?;
            (vec![self.above(lower)?, lower, end], format!("above {}", name(lower)))
        };
        Some(guess(joints, GAP_CONFIDENCE, vec![reason; 3]))
    }

    fn is_twist(&self, id: JointId) -> bool {
        self.readings[id.index()].twist
    }

    /// The child of a joint with the longest branch; twist joints in between are skipped.
    fn below(&self, lower: JointId) -> Option<JointId> {
        let reach =
            |id: &JointId| self.skeleton[*id].rest_translation.norm() + self.reach[id.index()];
        let longest = |id| self.skeleton.children(id).max_by(|a, b| reach(a).total_cmp(&reach(b)));
        std::iter::successors(longest(lower), |&id| longest(id)).find(|&id| !self.is_twist(id))
    }

    /// The joint that is nearest to the middle of the way between two others; no twist joint.
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

    /// The joint above the middle one of a limb; twist joints in between are skipped.
    fn above(&self, lower: JointId) -> Option<JointId> {
        self.skeleton.path_to_root(lower).skip(1).find(|&id| !self.is_twist(id))
    }

    /// Sets the confidence and reason of named joints from their names.
    fn with_names(&self, kind: &LimbKind, mut limb: Limb) -> Limb {
        for (at, (id, part)) in limb.joints.iter().zip(kind.parts).enumerate() {
            let strength = self.readings[id.index()].strength(part);
            if strength > 0.0 {
                limb.confidence[at] = name_confidence(strength);
                limb.reasons[at] = format!("named {}", self.skeleton[*id].name);
            }
        }
        limb
    }
}

/// A limb with the confidence and reason of shape for those of its joints of which shape is surer.
fn surer(mut limb: Limb, shape: Option<&Limb>) -> Limb {
    let Some(shape) = shape else { return limb };
    for at in 0..limb.joints.len().min(shape.joints.len()) {
        if limb.joints[at] == shape.joints[at] && limb.confidence[at] < shape.confidence[at] {
            limb.confidence[at] = shape.confidence[at];
            limb.reasons[at].clone_from(&shape.reasons[at]);
            limb.runners_up[at] = shape.runners_up[at];
        }
    }
    limb
}

/// A limb whose joints all have the same confidence.
fn guess(joints: Vec<JointId>, confidence: f64, reasons: Vec<String>) -> Limb {
    let count = joints.len();
    Limb { joints, confidence: vec![confidence; count], reasons, runners_up: vec![None; count] }
}
