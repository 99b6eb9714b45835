//! Skin weights from places in the T-pose, and the arms' way from there to the rest pose.
//!
//! Each joint takes over from its parent across a plane through it, smoothly over about the limb's
//! radius. Weights depend on the place alone, so pieces that lie in each other stay there.

use super::field::{V, ramp};
use super::mesh::{Piece, unit};
use super::skeleton::Rig;
use crate::two_bone::about;
use rebone_skeleton::Axis;

/// A joint that takes over beyond a plane: its number in the rig, and by how much.
type Taken = (usize, f64);

/// Widths of the limbs that weights blend over, in cm.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joints {
    pub(super) arm: f64,
    pub(super) leg: f64,
    pub(super) trunk: f64,
}

/// Four joints and weights of a point, the heaviest first; weights add up to 255.
pub(super) fn weights(rig: &Rig, size: &Joints, piece: &Piece, p: V) -> ([u8; 4], [u8; 4]) {
    let mut sum = vec![0.0; rig.joints.len()];
    if piece.rigid {
        sum[rig.head] = 1.0;
        return largest(&sum);
    }
    if piece.limbless {
        trunk_weights(rig, size, p, &mut sum, 1.0);
        return largest(&sum);
    }
    let at = |joint: usize| rig.joints[joint].place;
    let beyond =
        |joint: usize, normal: V, half: f64| ramp((p - at(joint)).dot(&unit(normal)), -half, half);
    let mut rest: f64 = 1.0;
    for (side, sign) in [(0, 1.0), (1, -1.0)] {
        let [thigh, shin, foot, toes] = rig.legs[side];
        let own = beyond(thigh, V::new(0.3 * sign, -1.0, 0.15), 1.15 * size.leg)
            * ramp(sign * p.x, -0.3 * size.leg, 0.3 * size.leg);
        let chain = [
            (thigh, own),
            (shin, beyond(shin, -V::y(), 0.68 * size.leg)),
            (foot, beyond(foot, V::new(0.0, -1.0, 0.35), 0.5 * size.leg)),
            (toes, beyond(toes, V::new(0.0, -0.2, 1.0), 0.35 * size.leg)),
        ];
        rest -= share(&mut sum, rest.min(own), &chain);
    }
    rest -= arm_weights(rig, size, piece, p, &mut sum, rest);
    trunk_weights(rig, size, p, &mut sum, rest);
    largest(&sum)
}

/// Shares `whole`, what no limb takes, among hips, spine, neck and head.
fn trunk_weights(rig: &Rig, size: &Joints, p: V, sum: &mut [f64], whole: f64) {
    let beyond = |joint: usize, normal: V, half: f64| {
        ramp((p - rig.joints[joint].place).dot(&unit(normal)), -half, half)
    };
    let mut chain = vec![(rig.hips, 1.0)];
    chain.extend(rig.spine.iter().map(|&joint| (joint, beyond(joint, V::y(), size.trunk))));
    let up = V::new(0.0, 1.0, 0.1);
    chain.push((rig.neck, beyond(rig.neck, up, 0.5 * size.trunk)));
    chain.push((rig.head, beyond(rig.head, V::new(0.0, 1.0, 0.35), 0.55 * size.trunk)));
    share(sum, whole, &chain);
}

/// Shares of `whole` for the arms; gives back how much they take.
fn arm_weights(rig: &Rig, size: &Joints, piece: &Piece, p: V, sum: &mut [f64], whole: f64) -> f64 {
    let beyond = |joint: usize, normal: V, half: f64| {
        ramp((p - rig.joints[joint].place).dot(&unit(normal)), -half, half)
    };
    let mut rest = whole;
    for (side, sign) in [(0, 1.0), (1, -1.0)] {
        let [collar, upper, fore, hand] = rig.arms[side];
        let shoulder = rig.joints[upper].place;
        let inner = rig.joints[collar].place.x * sign;
        let outer = shoulder.x * sign;
        let raised = ramp(p.y - shoulder.y, -3.0 * size.arm, -0.5 * size.arm);
        let across = ramp(p.x * sign, inner, outer);
        let mut chain = vec![
            (
                collar,
                (across * raised).max(beyond(upper, V::new(0.95 * sign, 0.3, 0.0), 0.8 * size.arm)),
            ),
            (upper, beyond(upper, V::new(0.95 * sign, 0.3, 0.0), 0.8 * size.arm)),
            (fore, beyond(fore, V::x() * sign, 0.68 * size.arm)),
            (hand, beyond(hand, V::x() * sign, 0.5 * size.arm)),
        ];
        if let Some((own, finger)) = piece.finger
            && own == sign
        {
            let joints = &rig.fingers[side][finger];
            let next = rig.joints[*joints.last().unwrap_or(&hand)].place;
            let line = next - rig.joints[joints[0]].place;
            for (k, &joint) in joints.iter().enumerate() {
                chain.push((joint, beyond(joint, line, [0.35, 0.18][k.min(1)] * size.arm)));
            }
        }
        let own = chain[0].1;
        rest -= share(sum, rest.min(own), &chain);
    }
    whole - rest
}

/// Shares `whole` along a chain whose first joint has all of it; gives back `whole`.
fn share(sum: &mut [f64], whole: f64, chain: &[Taken]) -> f64 {
    let mut left = whole;
    for (k, &(joint, _)) in chain.iter().enumerate() {
        let next = chain.get(k + 1).map_or(0.0, |&(_, taken)| left * taken);
        sum[joint] += left - next;
        left = next;
    }
    whole
}

/// The four heaviest, as whole 255ths that add up to 255.
fn largest(sum: &[f64]) -> ([u8; 4], [u8; 4]) {
    let mut order: Vec<usize> = (0..sum.len()).collect();
    order.sort_by(|&a, &b| sum[b].total_cmp(&sum[a]).then(a.cmp(&b)));
    let total: f64 = order[..4].iter().map(|&k| sum[k]).sum();
    let mut weights = [0u8; 4];
    let mut left = 255u8;
    for k in (1..4).rev() {
        weights[k] = (sum[order[k]] / total * 255.0).round() as u8;
        left -= weights[k];
    }
    weights[0] = left;
    let joints = [0, 1, 2, 3].map(|k| if weights[k] > 0 { order[k] as u8 } else { 0 });
    (joints, weights)
}

/// Lowers arms from the T-pose by `degrees`, joints as well as skin.
pub(super) fn lower_arms(rig: &mut Rig, degrees: f64, points: &mut [Skinned]) {
    let shoulders = [0, 1].map(|side| rig.joints[rig.arms[side][1]].place);
    let turns = [-degrees, degrees].map(|angle| about(Axis::Z.unit(), angle));
    let mut side_of = vec![None; rig.joints.len()];
    for joint in 0..rig.joints.len() {
        let first = [0, 1].into_iter().find(|&side| rig.arms[side][1] == joint);
        let above = rig.joints[joint].parent.and_then(|parent| side_of[parent]);
        side_of[joint] = first.or(above);
    }
    for (joint, side) in rig.joints.iter_mut().zip(&side_of) {
        if let &Some(side) = side {
            joint.place = shoulders[side] + turns[side] * (joint.place - shoulders[side]);
        }
    }
    for point in points {
        let (mut place, mut normal) = (V::zeros(), V::zeros());
        for (&joint, &weight) in point.joints.iter().zip(&point.weights) {
            let weight = f64::from(weight) / 255.0;
            let (moved, turned) = match side_of[usize::from(joint)] {
                Some(side) => {
                    let (pivot, turn) = (shoulders[side], turns[side]);
                    (pivot + turn * (point.place - pivot), turn * point.normal)
                }
                None => (point.place, point.normal),
            };
            place += moved * weight;
            normal += turned * weight;
        }
        (point.place, point.normal) = (place, unit(normal));
    }
}

/// A vertex with its skin weights.
#[derive(Clone, Debug)]
pub(super) struct Skinned {
    pub(super) place: V,
    pub(super) normal: V,
    pub(super) colour: [u8; 3],
    pub(super) joints: [u8; 4],
    pub(super) weights: [u8; 4],
}
