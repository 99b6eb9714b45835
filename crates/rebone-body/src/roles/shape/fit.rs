//! Log-likelihood of base, middle and end joints of two similar branches as arms or legs.
//!
//! Each kind of evidence gives a log-likelihood with stated spreads. The figures are those of
//! the bodies of some fifty files, toys and adults.

use crate::roles::shape::chain;
use crate::roles::shape::chain::Chain;
use std::f64::consts::PI;

/// Names for the kinds of evidence, in the order of [`Fit::log_likelihoods`].
pub(crate) const LIKELIHOOD_NAMES: [&str; 6] = [
    "the lengths of the two bones",
    "bones that stay straight",
    "the bend between the bones",
    "what hangs below",
    "how far the sides are apart",
    "the number and the places of the joints",
];

/// Expected distribution of a measure: centre and one standard deviation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StudentT {
    /// The most likely value.
    pub(crate) centre: f64,
    /// One standard deviation, in the unit of the value.
    pub(crate) scale: f64,
}

impl StudentT {
    pub(crate) const fn new(centre: f64, scale: f64) -> Self {
        Self { centre, scale }
    }

    /// The log-likelihood of a value, 0 at the middle: Student's t with four degrees of freedom, for
    /// there are always some odd bodies.
    pub(crate) fn of(self, value: f64) -> f64 {
        let z = (value - self.centre) / self.scale;
        -2.5 * libm::log1p(z * z / 4.0)
    }

    /// Distribution of the logarithm of a ratio whose centre is given as a ratio.
    pub(crate) fn of_ratio(self, above: f64, below: f64) -> f64 {
        let least = 1e-3;
        let ratio = (above.max(least * below) / below.max(f64::MIN_POSITIVE)).min(1.0 / least);
        Self::new(libm::log(self.centre), self.scale).of(libm::log(ratio))
    }
}

/// Expected proportions of an arm or a leg.
#[derive(Clone, Copy)]
struct Kind {
    is_arm: bool,
    /// Upper over lower bone.
    bones: StudentT,
    /// Distance of the two bases over the limb.
    width: StudentT,
    /// Length beyond wrist or ankle, over the limb.
    reach_below: StudentT,
    /// Exponent on the factor of a short-legged build, for lengths against the limb.
    short: f64,
    /// That factor.
    scale: f64,
    /// Joints between the trunk and the limb.
    girdle: usize,
}

const ARM: Kind = Kind {
    is_arm: true,
    bones: StudentT::new(1.1, 0.3),
    width: StudentT::new(0.68, 0.3),
    reach_below: StudentT::new(0.32, 0.6),
    short: 0.4,
    scale: 1.0,
    girdle: 1,
};

const LEG: Kind = Kind {
    is_arm: false,
    bones: StudentT::new(1.0, 0.15),
    width: StudentT::new(0.22, 0.3),
    reach_below: StudentT::new(0.24, 0.4),
    short: 1.0,
    scale: 1.0,
    girdle: 0,
};

/// Log-likelihood of the distance of the bases of two arms or two legs of this length, in a body of this build.
pub(crate) fn likelihood_of_width(is_arm: bool, build: f64, width: f64, length: f64) -> f64 {
    let kind = if is_arm { ARM } else { LEG };
    kind.width.of_ratio(width, length * libm::pow(build, kind.short))
}

/// The angle between shin and foot.
const ANKLE: StudentT = StudentT::new(73.0 / 180.0 * PI, 25.0 / 180.0 * PI);

/// A detour of the way along a bone with twist joints: they turn, but do not bend.
const TWIST_DETOUR: StudentT = StudentT::new(0.0, 0.01);

/// Position of twist joints against even shares of their bone.
const TWIST_SHARE: StudentT = StudentT::new(0.0, 0.2);

/// A base in line with the girdle joint before and the middle: seldom in a rest pose, hardly ever
/// throughout a clip, for then it rather twists what is before it. In line is within two degrees.
const IN_LINE: [f64; 2] = [-1.0, -3.0];
const MAX_IN_LINE_RADIANS: f64 = 0.035;

/// In a clip in which a limb moves, elbows and knees bend at least so far.
const MOVING_BEND: StudentT = StudentT::new(PI / 6.0, PI / 15.0);

/// From the wrist to where the fingers branch off, over the arm.
const PALM: StudentT = StudentT::new(0.0, 0.1);

/// To have nothing or little beyond the end costs so much: programs leave hands and toes out.
const NO_END_LOG_LIKELIHOOD: f64 = -1.0;

/// Three toes or more with several joints each are rare.
const TOES_LOG_LIKELIHOOD: f64 = -2.0;

/// An arm that ends with the forearm is rare.
const NO_HAND: f64 = -3.0;

/// Each joint in a girdle, more or fewer than expected; the first twist joint in line within a bone,
/// and each more: where there is one, more are likely.
const GIRDLE_JOINT: f64 = -1.0;
const TWIST_JOINT: f64 = -0.8;
const MORE_TWISTS: f64 = -0.3;

/// One way to see two like branches as limbs.
#[derive(Clone, Debug)]
pub(crate) struct Fit {
    /// The places of base, middle and, but for arms without a hand, end in both chains.
    pub(crate) base: usize,
    pub(crate) middle: usize,
    pub(crate) end: Option<usize>,
    /// The mean length of both.
    pub(crate) length: f64,
    /// Log-likelihoods, by [`LIKELIHOOD_NAMES`].
    pub(crate) log_likelihoods: [f64; LIKELIHOOD_NAMES.len()],
}

impl Fit {
    pub(crate) fn score(&self) -> f64 {
        self.log_likelihoods.iter().sum()
    }

    pub(crate) fn places(&self) -> [Option<usize>; 3] {
        [Some(self.base), Some(self.middle), self.end]
    }
}

/// The ways to see two chains as limbs of a build, best first, at most `most`.
pub(crate) fn fits(chains: &[Chain; 2], is_arm: bool, build: f64, most: usize) -> Vec<Fit> {
    let kind = if is_arm { &ARM } else { &LEG };
    let kind = &Kind { scale: libm::pow(build, kind.short), ..*kind };
    let count = chains[0].joints.len().min(chains[1].joints.len());
    let mut fits = Vec::new();
    for base in 0..count {
        let width = chain::apart(chains, base);
        for middle in base + 1..count {
            let ends = (middle + 1..count).map(Some);
            let no_hand =
                (is_arm && chains.iter().all(|c| c.end_site_length(middle) > 0.0)).then_some(None);
            for end in ends.chain(no_hand) {
                fits.push(fit(chains, kind, (base, middle, end), width));
            }
        }
    }
    fits.sort_by(|a, b| b.score().total_cmp(&a.score()));
    fits.truncate(most);
    fits
}

fn fit(
    chains: &[Chain; 2],
    kind: &Kind,
    (base, middle, end): (usize, usize, Option<usize>),
    width: f64,
) -> Fit {
    let lower =
        |chain: &Chain| end.map_or(chain.end_site_length(middle), |end| chain.length(middle, end));
    let length =
        chains.iter().map(|chain| chain.length(base, middle) + lower(chain)).sum::<f64>() / 2.0;
    let both = |term: &dyn Fn(&Chain) -> f64| chains.iter().map(term).sum::<f64>() / 2.0;
    let bones = |chain: &Chain| kind.bones.of_ratio(chain.length(base, middle), lower(chain));
    let bend = |chain: &Chain| match end {
        Some(end) if chain.moves => {
            MOVING_BEND.of(chain.bend(base, middle, Some(end)).1.clamp(0.0, MOVING_BEND.centre))
        }
        _ => 0.0,
    };
    let beyond = |chain: &Chain| match end {
        Some(end) => beyond(chain, kind, (middle, end), length * kind.scale),
        None if chain.palm.is_some() => NO_HAND + PALM.of(1.0),
        None => NO_HAND,
    };
    let twists = |chain: &Chain| {
        let unseen = || twists(chain.joints.len() - 1 - middle);
        bone(chain, base, middle) + end.map_or_else(unseen, |end| bone(chain, middle, end))
    };
    let log_likelihoods = [
        both(&bones),
        both(&|chain| straight(chain, (base, middle, end))),
        both(&bend),
        both(&beyond),
        kind.width.of_ratio(width, length * kind.scale),
        base.abs_diff(kind.girdle) as f64 * GIRDLE_JOINT + both(&twists),
    ];
    Fit { base, middle, end, length, log_likelihoods }
}

/// Whether both bones stay straight, and the girdle is not in line with them.
fn straight(chain: &Chain, (base, middle, end): (usize, usize, Option<usize>)) -> f64 {
    let below = end.map_or(0.0, |end| TWIST_DETOUR.of(chain.excess_length(middle, end)));
    let is_line = base > 0 && {
        let (_, most) = chain.bend(base - 1, base, Some(middle));
        (0.0..MAX_IN_LINE_RADIANS).contains(&most)
    };
    let girdle = if is_line { IN_LINE[usize::from(chain.moves)] } else { 0.0 };
    TWIST_DETOUR.of(chain.excess_length(base, middle)) + below + girdle
}

/// Log-likelihood of a number of twist joints in a bone.
fn twists(count: usize) -> f64 {
    if count == 0 { 0.0 } else { TWIST_JOINT + MORE_TWISTS * (count - 1) as f64 }
}

/// The twist joints between two others: how many there are, and how evenly they are spread.
fn bone(chain: &Chain, from: usize, to: usize) -> f64 {
    let whole = chain.length(from, to).max(f64::MIN_POSITIVE);
    let off = |at: usize| chain.length(from, at) / whole - (at - from) as f64 / (to - from) as f64;
    let uneven: f64 = (from + 1..to).map(|at| TWIST_SHARE.of(off(at))).sum();
    twists(to - from - 1) + uneven
}

/// Log-likelihood of the joints below a wrist or an ankle.
fn beyond(chain: &Chain, kind: &Kind, (middle, end): (usize, usize), limb: f64) -> f64 {
    let reach = chain.reach_below(end);
    let long = kind.reach_below.of_ratio(reach, limb);
    let long =
        if reach < kind.reach_below.centre * limb { long.max(NO_END_LOG_LIKELIHOOD) } else { long };
    if kind.is_arm {
        let fingers = chain.palm.map(|palm| match palm.checked_sub(end) {
            Some(_) => PALM.of(chain.length(end, palm) / limb),
            None => PALM.of(1.0),
        });
        return long + fingers.unwrap_or(NO_END_LOG_LIKELIHOOD);
    }
    let (least, most) = chain.bend(middle, end, None);
    let points = if most >= least { ANKLE.of((least + most) / 2.0) } else { NO_END_LOG_LIKELIHOOD };
    long + points + if chain.palm.is_some() { TOES_LOG_LIKELIHOOD } else { 0.0 }
}
