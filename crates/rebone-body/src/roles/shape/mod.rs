//! Finds the limbs by shape where names say nothing.
//!
//! A body is a tree with two pairs of like branches that are arms and legs. Each way to see two pairs
//! as arms and legs, with a base, a middle and an end in each, is an explanation of all that can be
//! measured. The one with the largest likelihood is taken; its share among all is how sure we are.

pub(crate) mod branches;
pub(crate) mod chain;
pub(crate) mod fit;
pub(crate) mod left_right;
pub(crate) mod tree;
pub(crate) mod unnamed;

use crate::roles::by_name::NameMeaning;
use crate::roles::limbs::{Limb, Limbs};
use crate::roles::shape::branches::BranchPair;
use crate::roles::shape::chain::Chain;
use crate::roles::shape::fit::{Fit, LIKELIHOOD_NAMES, StudentT};
use crate::roles::shape::left_right::LeftRight;

use nalgebra::Vector3;
use rebone_skeleton::{JointId, Skeleton, WorldPose};

/// As many ways are tried to see a pair as limbs: it bounds the search.
const MAX_FITS: usize = 24;

/// The length of an arm, and of the trunk, over that of a leg.
const ARM_TO_LEG: StudentT = StudentT::new(0.6, 0.2);
const TRUNK_TO_LEG: StudentT = StudentT::new(0.54, 0.2);

/// Builds from adults to toys: by which factor the legs are shorter against all else, and the
/// log-likelihood of that. Arms are shorter as well, by less.
const BODY_BUILDS: [(f64, f64); 3] = [(1.0, 0.0), (1.6, -0.7), (2.5, -1.5)];

/// Log-likelihood of the proportions of joints that are no body.
const NO_BODY_LOG_LIKELIHOOD: f64 = -2.5;

/// Arms are longer against the legs by this power of the build's factor.
const BUILD_OF_ARMS: f64 = 0.6;

/// Of two explanations that differ in size alone, the one of the larger part of the body is better:
/// the log-likelihood for each factor of e.
const SIZE_LOG_LIKELIHOOD: f64 = 2.0;

/// A neck continues where arms begin, seldom where legs do: log-likelihoods with and without.
const NECK_AT_ARMS: [f64; 2] = [-0.05, -3.0];
const NECK_AT_LEGS: [f64; 2] = [-0.9, -0.5];

/// Feet with three toes of several joints are rare, more so where hands have no fingers.
const FINGERS_ON_LEGS: f64 = -5.0;

/// No joint is surer than this: bodies may be odder than those that the figures are from.
const MAX_CONFIDENCE: f64 = 0.9;

/// A pair and the ways to see it as arms or as legs.
struct CandidatePair<'a> {
    pair: BranchPair,
    chains: [Chain<'a>; 2],
    /// By kind (arms, legs), then by build.
    fits: [[Vec<Fit>; BODY_BUILDS.len()]; 2],
    /// The middle between both sides in each pose, by place in the chains.
    middles: Vec<Vec<Vector3<f64>>>,
}

/// Assignment of pairs and fits to arms and legs.
#[derive(Clone, Copy, Debug)]
struct Hypothesis {
    /// Arms, legs: the pair and the fit.
    limbs: [(usize, usize); 2],
    build: usize,
    score: f64,
}

/// The limbs by shape, if there are two pairs of like branches.
pub(crate) fn by_shape(
    skeleton: &Skeleton,
    readings: &[NameMeaning],
    poses: &[WorldPose],
) -> Option<Limbs> {
    let rest;
    let poses = if poses.is_empty() {
        rest = [skeleton.rest_world()];
        &rest[..]
    } else {
        poses
    };
    let reach = skeleton.subtree_lengths();
    let pairs = branches::longest(skeleton, &reach);
    let candidates: Vec<CandidatePair> =
        pairs.iter().map(|pair| measure(skeleton, poses, &reach, *pair)).collect();
    let all = hypotheses(skeleton, &candidates);
    let best = all.iter().max_by(|a, b| a.score.total_cmp(&b.score))?;
    let found = [0, 1].map(|kind| sides_of(&candidates, best, kind));
    let front = left_right::infer(skeleton, readings, poses, &reach, &found);
    let limbs = [0, 1].map(|kind| {
        let [a, b] = limbs(skeleton, &candidates, &all, best, kind, &front);
        if front.swap[kind] { [b, a] } else { [a, b] }
    });
    let [arms, legs] = limbs;
    Some(Limbs { arms, legs })
}

fn measure<'a>(
    skeleton: &'a Skeleton,
    poses: &'a [WorldPose],
    reach: &'a [f64],
    pair: BranchPair,
) -> CandidatePair<'a> {
    let chains = pair.branches.map(|id| Chain::new(skeleton, poses, reach, id));
    let fits = [true, false]
        .map(|is_arm| BODY_BUILDS.map(|(build, _)| fit::fits(&chains, is_arm, build, MAX_FITS)));
    let count = chains[0].joints.len().min(chains[1].joints.len());
    let middles = (0..count).map(|at| chain::middles(&chains, at)).collect();
    CandidatePair { pair, chains, fits, middles }
}

/// All ways to see two of the pairs as arms and legs.
fn hypotheses(skeleton: &Skeleton, candidates: &[CandidatePair]) -> Vec<Hypothesis> {
    let mut all = Vec::new();
    for (a, arms) in candidates.iter().enumerate() {
        for (l, legs) in candidates.iter().enumerate() {
            if a == l || branches::overlap(skeleton, &arms.pair, &legs.pair) {
                continue;
            }
            let known = likelihood_of_pairs(skeleton, arms, legs);
            for build in 0..BODY_BUILDS.len() {
                for (i, arm) in arms.fits[0][build].iter().enumerate() {
                    for (j, leg) in legs.fits[1][build].iter().enumerate() {
                        let trunk = trunk(&arms.middles[arm.base], &legs.middles[leg.base]);
                        let score = known + likelihood_of_both(arm, leg, trunk, build);
                        all.push(Hypothesis { limbs: [(a, i), (l, j)], build, score });
                    }
                }
            }
        }
    }
    all
}

fn likelihood_of_both(arm: &Fit, leg: &Fit, trunk: f64, build: usize) -> f64 {
    let (factor, rare) = BODY_BUILDS[build];
    arm.score()
        + leg.score()
        + ARM_TO_LEG.of_ratio(arm.length, leg.length * libm::pow(factor, BUILD_OF_ARMS))
        + TRUNK_TO_LEG.of_ratio(trunk, leg.length * factor)
        + SIZE_LOG_LIKELIHOOD * libm::log(arm.length + leg.length)
        + rare
}

/// Lengths of a body in one unit: means of both sides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Proportions {
    pub(crate) arm: f64,
    pub(crate) leg: f64,
    /// From the middle of the hips to that of the shoulders.
    pub(crate) trunk: f64,
    /// Between both upper arm joints.
    pub(crate) shoulders: f64,
    /// Between both thigh joints.
    pub(crate) hips: f64,
}

impl Proportions {
    /// Log-likelihood in the build that fits best.
    fn log_likelihood(self) -> f64 {
        let Self { arm, leg, trunk, shoulders, hips } = self;
        let of_build = |(factor, rare): (f64, f64)| {
            ARM_TO_LEG.of_ratio(arm, leg * libm::pow(factor, BUILD_OF_ARMS))
                + TRUNK_TO_LEG.of_ratio(trunk, leg * factor)
                + fit::likelihood_of_width(true, factor, shoulders, arm)
                + fit::likelihood_of_width(false, factor, hips, leg)
                + rare
        };
        BODY_BUILDS.into_iter().map(of_build).fold(f64::NEG_INFINITY, f64::max)
    }

    /// The probability that arms and legs are what they are taken for: `confidence` by all else, and by the proportions.
    pub(crate) fn confidence(self, confidence: f64) -> f64 {
        let body = confidence * libm::exp(self.log_likelihood());
        body / (body + (1.0 - confidence) * libm::exp(NO_BODY_LOG_LIKELIHOOD))
            .max(f64::MIN_POSITIVE)
    }
}

/// Log-likelihood of two pairs as arms and legs, from neck and fingers.
fn likelihood_of_pairs(skeleton: &Skeleton, arms: &CandidatePair, legs: &CandidatePair) -> f64 {
    let has_fingers =
        |candidates: &CandidatePair| candidates.chains.iter().all(|chain| chain.palm.is_some());
    let astray = has_fingers(legs) && !has_fingers(arms);
    neck(skeleton, &arms.pair, &legs.pair) + if astray { FINGERS_ON_LEGS } else { 0.0 }
}

/// Log-likelihood of the other branches at the junctions of arms and legs.
fn neck(skeleton: &Skeleton, arms: &BranchPair, legs: &BranchPair) -> f64 {
    let without = |pair, other| usize::from(branches::other_branches(skeleton, pair, other) == 0);
    NECK_AT_ARMS[without(arms, legs)] + NECK_AT_LEGS[without(legs, arms)]
}

/// The mean distance between hips and shoulders.
fn trunk(arms: &[Vector3<f64>], legs: &[Vector3<f64>]) -> f64 {
    let lengths = arms.iter().zip(legs).map(|(a, b)| (a - b).norm());
    lengths.sum::<f64>() / arms.len().max(1) as f64
}

fn fit_of<'a>(candidates: &'a [CandidatePair], hypothesis: &Hypothesis, kind: usize) -> &'a Fit {
    let (pair, fit) = hypothesis.limbs[kind];
    &candidates[pair].fits[kind][hypothesis.build][fit]
}

/// The joints of both limbs of a kind in an explanation.
fn sides_of(
    candidates: &[CandidatePair],
    hypothesis: &Hypothesis,
    kind: usize,
) -> [Vec<JointId>; 2] {
    let fit = fit_of(candidates, hypothesis, kind);
    let chains = &candidates[hypothesis.limbs[kind].0].chains;
    chains.each_ref().map(|c| fit.places().into_iter().flatten().map(|at| c.joints[at]).collect())
}

/// Both limbs of a kind, as sure as all explanations agree.
fn limbs(
    skeleton: &Skeleton,
    candidates: &[CandidatePair],
    all: &[Hypothesis],
    best: &Hypothesis,
    kind: usize,
    front: &LeftRight,
) -> [Limb; 2] {
    let rivals: Vec<Alternative> =
        (0..3).map(|slot| alternative(candidates, all, best, kind, slot)).collect();
    let what = ["arms", "legs"][kind];
    let fit = fit_of(candidates, best, kind);
    let chains = &candidates[best.limbs[kind].0].chains;
    [0, 1].map(|side| {
        let joint = |place: usize| chains[side].joints[place];
        let mut limb = Limb {
            joints: Vec::new(),
            confidence: Vec::new(),
            reasons: Vec::new(),
            runners_up: Vec::new(),
        };
        let words = ["base", "middle", "end"];
        for ((place, alternative), word) in fit.places().into_iter().zip(&rivals).zip(words) {
            let Some(place) = place else { continue };
            let other =
                alternative.other.map(|(pair, at)| candidates[pair].chains[side].joints[at]);
            // Pairs may share a branch.
            let other = other.filter(|other| *other != joint(place));
            let mirrored = (!front.is_decided).then(|| chains[1 - side].joints[place]);
            let against = other.map_or(String::new(), |other| {
                format!("; not {} for {}", skeleton[other].name, LIKELIHOOD_NAMES[alternative.why])
            });
            limb.joints.push(joint(place));
            limb.confidence.push(MAX_CONFIDENCE * front.confidence * alternative.share);
            let sides = if front.is_decided { "" } else { "; nothing tells left from right" };
            limb.reasons
                .push(format!("{word} of the pair of branches shaped like {what}{against}{sides}"));
            limb.runners_up.push(mirrored.or(other));
        }
        limb
    })
}

/// Alternative role of a joint of a limb.
struct Alternative {
    /// The share of the explanations with the same joint.
    share: f64,
    /// The next best pair and place, where there is one that counts.
    other: Option<(usize, usize)>,
    /// Strongest evidence against it.
    why: usize,
}

fn alternative(
    candidates: &[CandidatePair],
    all: &[Hypothesis],
    best: &Hypothesis,
    kind: usize,
    slot: usize,
) -> Alternative {
    let place = |hypothesis: &Hypothesis| {
        let at = fit_of(candidates, hypothesis, kind).places()[slot];
        (hypothesis.limbs[kind].0, at)
    };
    let chosen = place(best);
    let weight = |hypothesis: &Hypothesis| libm::exp(hypothesis.score - best.score);
    let same = |hypothesis: &&Hypothesis| place(hypothesis) == chosen;
    let whole: f64 = all.iter().map(weight).sum();
    let share = all.iter().filter(same).map(weight).sum::<f64>() / whole;
    let others = all.iter().filter(|hypothesis| !same(hypothesis));
    let next = others.max_by(|a, b| a.score.total_cmp(&b.score));
    let Some(next) = next.filter(|next| weight(next) > 1e-3) else {
        return Alternative { share, other: None, why: 0 };
    };
    let (mine, its) = (
        fit_of(candidates, best, kind).log_likelihoods,
        fit_of(candidates, next, kind).log_likelihoods,
    );
    let against = |at: &usize| mine[*at] - its[*at];
    let why =
        (0..LIKELIHOOD_NAMES.len()).max_by(|a, b| against(a).total_cmp(&against(b))).unwrap_or(0);
    let (pair, at) = place(next);
    Alternative { share, other: at.map(|at| (pair, at)), why }
}
