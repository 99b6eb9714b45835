//! Finds left and right by what points forward on a body.

use crate::body::Side;
use crate::roles::by_name::NameMeaning;
use crate::roles::shape::tree;
use nalgebra::{Unit, Vector3};
use rebone_skeleton::rotation::direction;
use rebone_skeleton::{JointId, Skeleton, WorldPose};

/// Evidence of parts that point ahead, as log-odds for a full length ahead.
const FEET_LOG_ODDS: f64 = 8.0;
const KNEES_LOG_ODDS: f64 = 12.0;
const ELBOWS_LOG_ODDS: f64 = 6.0;
const THUMBS_LOG_ODDS: f64 = 6.0;
const FACE_LOG_ODDS: f64 = 4.0;

/// Names that say left or right.
const NAMES_LOG_ODDS: f64 = 8.0;

/// Log-odds below which sides are undecided, and the confidence of such a guess: below acceptance.
const MIN_DECISIVE_LOG_ODDS: f64 = 0.3;
const UNDECIDED_CONFIDENCE: f64 = 0.45;

/// The joints of both sides, in the order in which they were found.
type Both = [Vec<JointId>; 2];

/// Directions of a bone and of the one below it.
type Ways = [Unit<Vector3<f64>>; 2];

/// Left joint of each pair, with its confidence.
pub(crate) struct LeftRight {
    /// True where the second of a pair is left: arms, legs.
    pub(crate) swap: [bool; 2],
    /// Probability.
    pub(crate) confidence: f64,
    /// There is evidence.
    pub(crate) is_decided: bool,
}

/// Evidence from one pose.
struct View<'a> {
    skeleton: &'a Skeleton,
    reach: &'a [f64],
    pose: &'a WorldPose,
    /// Ahead, if the first arm is left.
    ahead: Unit<Vector3<f64>>,
}

/// Left is up (along the trunk) times ahead: where feet, knees, thumbs and face point, and elbows do
/// not.
pub(crate) fn infer(
    skeleton: &Skeleton,
    readings: &[NameMeaning],
    poses: &[WorldPose],
    reach: &[f64],
    [arms, legs]: &[Both; 2],
) -> LeftRight {
    let across =
        |pose: &WorldPose, pair: &Both| direction(&(at(pose, pair[0][0]) - at(pose, pair[1][0])));
    let agree =
        poses.iter().filter_map(|pose| Some(across(pose, arms)?.dot(&*across(pose, legs)?)));
    let agree: f64 = agree.sum();
    let legs = if agree < 0.0 { [legs[1].clone(), legs[0].clone()] } else { legs.clone() };
    let views = poses.iter().filter_map(|pose| {
        let up = direction(&(middle(pose, arms) - middle(pose, &legs)))?;
        let ahead = (at(pose, arms[0][0]) - at(pose, arms[1][0])).cross(&up);
        Some(View { skeleton, reach, pose, ahead: direction(&ahead)? })
    });
    let signs: Vec<f64> = views.map(|view| view.sign(arms, &legs)).collect();
    let seen = signs.iter().sum::<f64>() / signs.len().max(1) as f64;
    let odds = seen + NAMES_LOG_ODDS * said(skeleton, readings, arms, &legs);
    let swap = [odds < 0.0, (odds < 0.0) != (agree < 0.0)];
    let is_decided = odds.abs() > MIN_DECISIVE_LOG_ODDS;
    let confidence =
        if is_decided { 1.0 / (1.0 + libm::exp(-odds.abs())) } else { UNDECIDED_CONFIDENCE };
    LeftRight { swap, confidence, is_decided }
}

fn at(pose: &WorldPose, id: JointId) -> Vector3<f64> {
    pose.positions[id.index()]
}

fn middle(pose: &WorldPose, pair: &Both) -> Vector3<f64> {
    (at(pose, pair[0][0]) + at(pose, pair[1][0])) / 2.0
}

/// +1 where all names that say a side call the first side left, −1 where they call it right.
fn said(skeleton: &Skeleton, readings: &[NameMeaning], arms: &Both, legs: &Both) -> f64 {
    let mut votes = [0.0, 0.0];
    for pair in [arms, legs] {
        for (limb, sign) in pair.iter().zip([1.0, -1.0]) {
            for id in skeleton.descendants(limb[0]).into_iter().chain([limb[0]]) {
                match readings[id.index()].side {
                    Some(Side::Left) => votes[usize::from(sign < 0.0)] += 1.0,
                    Some(Side::Right) => votes[usize::from(sign > 0.0)] += 1.0,
                    None => {}
                }
            }
        }
    }
    let [first, second] = votes;
    (first - second) / f64::max(first + second, 1.0)
}

impl View<'_> {
    /// Log-odds that the first arm is left.
    fn sign(&self, arms: &Both, legs: &Both) -> f64 {
        let mean = |pair: &Both, of: &dyn Fn(&[JointId]) -> Vector3<f64>| {
            pair.iter().map(|limb| self.ahead.dot(&of(limb))).sum::<f64>() / 2.0
        };
        FEET_LOG_ODDS * self.hinge(legs, &|limb| self.foot(limb))
            - KNEES_LOG_ODDS * self.hinge(legs, &|limb| self.shin(limb))
            - ELBOWS_LOG_ODDS * mean(arms, &|limb| self.bend(limb))
            + THUMBS_LOG_ODDS * mean(arms, &|limb| self.thumb(limb))
            + FACE_LOG_ODDS * self.ahead.dot(&self.face(arms, legs))
    }

    fn at(&self, id: JointId) -> Vector3<f64> {
        at(self.pose, id)
    }

    /// Forward rotation of a leg's parts about the line of the hips, whatever the trunk does: +1 for a
    /// right angle. `parts` gives the way of a part and that of the one below it.
    fn hinge(&self, legs: &Both, parts: &dyn Fn(&[JointId]) -> Option<Ways>) -> f64 {
        let Some(left) = direction(&(self.at(legs[0][0]) - self.at(legs[1][0]))) else {
            return 0.0;
        };
        let turn = |[above, below]: Ways| below.cross(&above).dot(&left);
        legs.iter().filter_map(|limb| parts(limb)).map(turn).sum::<f64>() / 2.0
    }

    fn foot(&self, limb: &[JointId]) -> Option<Ways> {
        let &[_, knee, ankle] = limb else { return None };
        // A heel joint lies behind the ankle, what is below it ahead.
        let tip = tree::last_tip(self.skeleton, self.pose, self.reach, ankle);
        Some([direction(&(self.at(ankle) - self.at(knee)))?, direction(&(tip - self.at(ankle)))?])
    }

    fn shin(&self, limb: &[JointId]) -> Option<Ways> {
        let &[hip, knee, ankle] = limb else { return None };
        Some([
            direction(&(self.at(knee) - self.at(hip)))?,
            direction(&(self.at(ankle) - self.at(knee)))?,
        ])
    }

    /// Direction of an elbow, longer the more it is bent: 0 for a straight arm, up to 1.
    fn bend(&self, limb: &[JointId]) -> Vector3<f64> {
        let &[base, middle, end] = limb else { return Vector3::zeros() };
        let (upper, lower) = (self.at(middle) - self.at(base), self.at(end) - self.at(middle));
        let Some(along) = direction(&(upper + lower)) else { return Vector3::zeros() };
        (upper - *along * along.dot(&upper)) * 2.0 / (upper.norm() + lower.norm())
    }

    /// Position of the thumb: the finger whose base stands most apart from the others', seen from the
    /// wrist.
    fn thumb(&self, limb: &[JointId]) -> Vector3<f64> {
        let Some(&wrist) = limb.get(2) else { return Vector3::zeros() };
        let fingers = tree::finger_chains(self.skeleton, self.reach, wrist);
        let ways =
            fingers.iter().filter_map(|line| direction(&(self.at(line[1]) - self.at(wrist))));
        let ways: Vec<Vector3<f64>> = ways.map(Unit::into_inner).collect();
        if ways.len() < 3 {
            return Vector3::zeros();
        }
        let mean: Vector3<f64> = ways.iter().sum::<Vector3<f64>>() / ways.len() as f64;
        let thumb = ways.into_iter().min_by(|a, b| a.dot(&mean).total_cmp(&b.dot(&mean)));
        thumb.map_or(Vector3::zeros(), |thumb| thumb - mean)
    }

    /// Position of the face: the joints on the last joint of the neck that carries several, seen from it.
    fn face(&self, arms: &Both, legs: &Both) -> Vector3<f64> {
        let limbs = arms.iter().chain(legs);
        let chest = self.skeleton.lowest_common_ancestor(arms[0][0], arms[1][0]);
        let barred: Vec<JointId> =
            limbs.flat_map(|limb| self.skeleton.path_to_root(limb[0])).collect();
        let above = |&id: &JointId| !barred.contains(&id);
        let neck =
            self.skeleton.children(chest).filter(above).max_by(|a, b| {
                self.reach[a.index()].total_cmp(&self.reach[b.index()]).then(b.cmp(a))
            });
        let Some(neck) = neck else { return Vector3::zeros() };
        let line = self.skeleton.longest_path(self.reach, neck);
        let head = line.into_iter().find(|&id| self.skeleton.children(id).count() > 1);
        let Some(head) = head else { return Vector3::zeros() };
        let ways = self.skeleton.children(head).map(|id| self.at(id) - self.at(head));
        let (sum, length) = ways.fold((Vector3::zeros(), 0.0), |(s, l), w| (s + w, l + w.norm()));
        sum / f64::max(length, f64::MIN_POSITIVE)
    }
}
