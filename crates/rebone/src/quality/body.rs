//! Limbs, segments and smoothness.

use super::body_trace::{Comparison, Segment};
use super::foot_clearance::FootClearance;
use super::metric::MetricCollector;
use super::self_contact::{self, near_body};
use nalgebra::Vector3;
use rebone_body::body::CENTIMETRES_PER_METRE;
use rebone_body::math::percentile;
use rebone_skeleton::rotation::direction;
use std::ops::Range;

/// Angular velocity beyond the source's from which a joint pops, radians a second: 900 degrees.
const POP_VELOCITY: f64 = 15.707_963_267_948_966;
/// Angular jerk that is not visible, radians/s³.
const INVISIBLE_JERK: f64 = 17.453_292_519_943_295;
/// What an arm at the skin may differ by: per cent of its length, degrees of its bones, degrees of its hand.
const BODY_ALLOWANCES: [f64; 3] = [30.0, 30.0, 30.0];
/// Distance below which a hand may touch, metres of a 1.7 m body.
const NEAR_DISTANCE_M: f64 = 0.2;

/// Grades limbs, segments and smoothness.
pub(crate) fn grade(pair: &Comparison, pieces: &[Range<usize>], collector: &mut MetricCollector) {
    limbs(pair, collector);
    segments(pair, collector);
    hand_proximity(pair, collector);
    self_contact::grade(pair, collector);
    smoothness(pair, pieces, collector);
}

/// The 95th percentile over frames, and the worst frame.
pub(crate) fn worst(all: &[f64]) -> (f64, Option<Range<usize>>) {
    let Some(at) = (0..all.len()).max_by(|&a, &b| all[a].total_cmp(&all[b])) else {
        return (0.0, None);
    };
    (percentile(all.to_vec(), 0.95), Some(at..at + 1))
}

/// Limbs in the order of their tracks.
const LIMBS: [&str; 4] = ["left leg", "right leg", "left arm", "right arm"];
/// End effectors of the limbs.
const END_EFFECTORS: [&str; 4] = ["left ankle", "right ankle", "left wrist", "right wrist"];

/// Grades positions of wrists and ankles, in lengths of their limbs, and directions of bones.
fn limbs(pair: &Comparison, collector: &mut MetricCollector) {
    let [mut positions, mut directions] = [0, 1].map(|_| [0, 1, 2, 3].map(|_| Vec::new()));
    for limb in 0..4 {
        let middle = pair.middle(limb);
        let lengths = [0, 1].map(|body| length(pair, body, limb, middle));
        for frame in 0..pair.len() {
            let [off, chord] = limb_off(pair, frame, limb, middle, lengths);
            let near = if limb < 2 { 0.0 } else { near_body(pair, frame, limb - 2) };
            positions[limb].push(f64::max(100.0 * off - near * BODY_ALLOWANCES[0], 0.0));
            directions[limb]
                .push(f64::max(arc(chord).to_degrees() - near * BODY_ALLOWANCES[1], 0.0));
        }
    }
    let [legs, arms] = [0, 2].map(|first| Largest::of(&positions[first..first + 2]));
    for (name, first, all) in [("legs", 0, &legs), ("arms", 2, &arms)] {
        let (off, frames) = worst(&all.values);
        collector.metric(name, off, frames.clone(), || {
            let end_effector = END_EFFECTORS[first + all.at(&frames)];
            format!("{end_effector} is {off:.0} % of the limb's length off its position")
        });
    }
    let bones = [0, 2].map(|first| Largest::of(&directions[first..first + 2]));
    for (name, first, all) in [("leg_direction", 0, &bones[0]), ("arm_direction", 2, &bones[1])] {
        let (off, frames) = worst(&all.values);
        collector.metric(name, off, frames.clone(), || {
            format!("{} points {off:.0} degrees off", LIMBS[first + all.at(&frames)])
        });
    }
    let [leg_bones, arm_bones] = bones;
    for (name, unit, all) in [
        ("legs", "%", legs),
        ("arms", "%", arms),
        ("leg_direction", "deg", leg_bones),
        ("arm_direction", "deg", arm_bones),
    ] {
        collector.curve(name, unit, all.values);
    }
}

/// The largest of several values in each frame.
struct Largest {
    values: Vec<f64>,
    /// Index of the value that is largest.
    indices: Vec<usize>,
}

impl Largest {
    /// Of curves of equal length.
    fn of(curves: &[Vec<f64>]) -> Self {
        let frames = curves.first().map_or(0, Vec::len);
        let largest = |frame: usize| {
            let values = curves.iter().map(|curve| curve[frame]).enumerate();
            values.fold((0, 0.0), |best, own| if own.1 > best.1 { own } else { best })
        };
        let (indices, values) = (0..frames).map(largest).unzip();
        Self { values, indices }
    }

    /// Index of the largest value in the first of some frames.
    fn at(&self, frames: &Option<Range<usize>>) -> usize {
        let frame = frames.as_ref().map_or(0, |frames| frames.start);
        self.indices.get(frame).copied().unwrap_or(0)
    }
}

/// Error of the end of a limb, in lengths of the limb, and the chord of the larger angle by which one of
/// its bones points elsewhere.
fn limb_off(
    pair: &Comparison,
    frame: usize,
    limb: usize,
    middle: Option<usize>,
    lengths: [f64; 2],
) -> [f64; 2] {
    let ends = [0, 1].map(|body| pair.tracks[body].limb(frame, limb));
    let way = |body: usize| (ends[body][1] - ends[body][0]) / lengths[body];
    let off = (way(0) - way(1)).norm();
    let Some(middle) = middle else { return [off, 0.0] };
    let [from, own] = [0, 1].map(|body| {
        let ([root, end], middle) = (ends[body], pair.tracks[body].position(frame, middle));
        [middle - root, end - middle]
    });
    // Bones of other proportions in the same directions end elsewhere.
    let (mut elsewhere, mut farthest) = (Vector3::zeros(), 0.0_f64);
    for (from, own) in from.iter().zip(&own) {
        let (Some(wanted), length) = (direction(from), own.norm()) else { continue };
        let apart = *wanted * length - own;
        farthest = farthest.max(apart.norm() / length.max(1e-9));
        elsewhere += apart;
    }
    [off.min(elsewhere.norm() / lengths[1]), farthest]
}

/// Length of a limb: that of its bones in the first frame.
fn length(pair: &Comparison, body: usize, limb: usize, middle: Option<usize>) -> f64 {
    if pair.len() == 0 {
        return 1.0;
    }
    let [root, end] = pair.tracks[body].limb(0, limb);
    let middle = middle.map_or((root + end) / 2.0, |middle| pair.tracks[body].position(0, middle));
    ((middle - root).norm() + (end - middle).norm()).max(1e-6)
}

/// Grades rotations of segments against the source's.
fn segments(pair: &Comparison, collector: &mut MetricCollector) {
    // Norm of the difference of two unit quaternions: twice the sine of a quarter of the angle between them.
    let apart = |frame: usize, index: usize| {
        let [a, b] = [0, 1].map(|body| pair.rotation(body, frame, index).into_inner().coords);
        (a - b).norm_squared().min((a + b).norm_squared())
    };
    let clearance = FootClearance::new(pair);
    for name in ["pelvis", "chest", "head", "hands", "feet"] {
        let segments = pair.segments();
        let indices: Vec<usize> =
            (0..segments.len()).filter(|&k| segments[k].metric() == name).collect();
        if indices.is_empty() {
            continue;
        }
        let curve = |&index: &usize| {
            let degrees = |frame| {
                let degrees = (2.0 * arc(apart(frame, index).sqrt())).to_degrees();
                let allowed = match segments[index] {
                    Segment::Hand(side) if pair.has_surfaces() => {
                        near_body(pair, frame, side.index()) * BODY_ALLOWANCES[2]
                    }
                    Segment::Foot(side) => clearance.allowed_degrees(frame, index, side),
                    _ => 0.0,
                };
                f64::max(degrees - allowed, 0.0)
            };
            (0..pair.len()).map(degrees).collect()
        };
        let all = Largest::of(&indices.iter().map(curve).collect::<Vec<_>>());
        let (off, frames) = worst(&all.values);
        collector.metric(name, off, frames.clone(), || {
            let segment = segments[indices[all.at(&frames)]];
            format!("{segment} is rotated {off:.0} degrees against the source's")
        });
        collector.curve(name, "deg", all.values);
    }
}

/// Pairs whose distances are compared where they are small.
const NEAR_PAIRS: [&str; 5] = [
    "the hands are",
    "left hand and head are",
    "right hand and head are",
    "left hand and hips are",
    "right hand and hips are",
];

/// Grades distances of the hands to each other, the head and the hips, where the source's are small.
fn hand_proximity(pair: &Comparison, collector: &mut MetricCollector) {
    let (mut all, mut at) = (Vec::new(), Vec::new());
    for frame in 0..pair.len() {
        let distances = [0, 1].map(|body| hand_distances(pair, body, frame));
        for (k, (a, b)) in distances[0].iter().zip(distances[1]).enumerate() {
            if let (Some(a), Some(b)) = (*a, b)
                && a < NEAR_DISTANCE_M
                && !pair.has_surfaces()
            {
                all.push((a - b).abs() * CENTIMETRES_PER_METRE);
                at.push((frame, k, b < a));
            }
        }
    }
    let (off, worst) = worst(&all);
    let at = worst.map(|place| at[place.start]);
    let frames = at.map(|(frame, ..)| frame..frame + 1);
    collector.metric("hand_proximity", off, frames, || {
        let (_, pair, is_nearer) = at.unwrap_or_default();
        let way = if is_nearer { "nearer" } else { "farther apart" };
        format!("{} {off:.0} cm {way} than in the source", NEAR_PAIRS[pair])
    });
}

/// Distances of `NEAR_PAIRS`, metres of a 1.7 m body.
fn hand_distances(pair: &Comparison, body: usize, frame: usize) -> [Option<f64>; 5] {
    let tracks = &pair.tracks[body];
    let [left, right] = [2, 3].map(|limb| tracks.limb(frame, limb)[1]);
    let (head, hips) = (tracks.head(frame), tracks.hip_centre(frame));
    let to = |from: Vector3<f64>, to: Option<Vector3<f64>>| to.map(|to| (from - to).norm());
    [
        to(left, Some(right)),
        to(left, head),
        to(right, head),
        to(left, Some(hips)),
        to(right, Some(hips)),
    ]
}

/// Pops and jerk of joints.
fn smoothness(pair: &Comparison, pieces: &[Range<usize>], collector: &mut MetricCollector) {
    let time = collector.frame_time;
    let (mut pops, mut size, mut at) = (0, 0.0, None::<(Range<usize>, usize)>);
    // Squares of the jerks of both bodies.
    let most = pair.len() * pair.joints().len();
    let mut jerks = [0, 1].map(|_| Vec::with_capacity(most));
    // Of each joint the chords of the last two steps.
    let mut before = [0, 1].map(|_| vec![[Vector3::zeros(); 2]; pair.joints().end]);
    let steps = pieces
        .iter()
        .flat_map(|piece| (piece.start + 1..piece.end).map(move |k| (k, k - piece.start)));
    for (frame, step) in steps {
        for place in pair.joints() {
            let chords = [0, 1].map(|body| chord(pair, body, frame, place));
            for body in 0..2 {
                let [first, second] = &mut before[body][place];
                let jerk = (*first - *second * 2.0 + chords[body]).norm_squared();
                (*first, *second) = (*second, chords[body]);
                jerks[body].extend((step > 2).then_some(jerk));
            }
            // An arc is at most half as long again as its chord.
            if chords[1].norm() * std::f64::consts::FRAC_PI_2 < POP_VELOCITY * time {
                continue;
            }
            let [from, own] = chords.map(|chord| arc(chord.norm()) / time);
            if own - from > POP_VELOCITY {
                pops += 1;
                size += (own - from) / POP_VELOCITY;
                at.get_or_insert((frame - 1..frame + 1, place));
            }
        }
    }
    let minutes = (pair.len() as f64 * time / 60.0).max(1e-6);
    let (frames, joint) = at.map_or((None, ""), |(frames, place)| (Some(frames), pair.name(place)));
    collector.metric("joint_pops", size / minutes, frames, || {
        let times = if pops == 1 { "once".to_owned() } else { format!("{pops} times") };
        format!("joints rotate much faster than the source's {times}, first {joint}")
    });
    jerk(jerks, collector);
}

/// Jerk of the result over the source's; of squares of changes of joints' steps.
fn jerk(squares: [Vec<f64>; 2], collector: &mut MetricCollector) {
    let unit = collector.frame_time.powi(3);
    let [from, own] = squares.map(|own| percentile(own, 0.99).sqrt() / unit + INVISIBLE_JERK);
    let ratio = own / from;
    collector.metric("jerk", (ratio - 1.0).max(0.0), None, || {
        format!("jerk is {ratio:.1} times the source's")
    });
}

/// Rotation of a joint since the frame before: twice the sine of half the angle, along the axis. That is less than 2 %
/// short of the angle below 40 degrees.
fn chord(pair: &Comparison, body: usize, frame: usize, place: usize) -> Vector3<f64> {
    let [a, b] = [frame - 1, frame].map(|frame| pair.rotation(body, frame, place));
    let turn = b * a.inverse();
    turn.imag() * (2.0 * turn.w.signum())
}

/// The angle of a chord.
fn arc(chord: f64) -> f64 {
    2.0 * libm::asin((chord / 2.0).min(1.0))
}
