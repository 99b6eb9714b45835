//! Limbs, segments and smoothness.

use super::body_trace::Pair;
use super::feet::CENTIMETRES;
use super::metric::MetricCollector;
use nalgebra::Vector3;
use rebone_skeleton::rotation::direction;
use std::ops::Range;

/// A joint that turns faster than the source's by this pops, radians a second: 900 degrees.
const POPS: f64 = 15.707_963_267_948_966;
/// What nobody sees of an angular jerk, radians/s³.
const UNSEEN_JERK: f64 = 17.453_292_519_943_295;
/// Hands are near what they may touch below this distance, metres.
const NEAR: f64 = 0.2;
/// Judges limbs, segments and smoothness.
pub(crate) fn grade(pair: &Pair, pieces: &[Range<usize>], collector: &mut MetricCollector) {
    limbs(pair, collector);
    turns(pair, collector);
    touches(pair, collector);
    smoothness(pair, pieces, collector);
}

/// The 95th percentile of what frames come to, and the frames about the worst.
pub(crate) fn worst(all: &[f64]) -> (f64, Option<Range<usize>>) {
    let Some(at) = (0..all.len()).max_by(|&a, &b| all[a].total_cmp(&all[b])) else {
        return (0.0, None);
    };
    (percentile(all.to_vec(), 0.95), Some(at..at + 1))
}

fn percentile(mut all: Vec<f64>, part: f64) -> f64 {
    if all.is_empty() {
        return 0.0;
    }
    let place = ((all.len() - 1) as f64 * part) as usize;
    *all.select_nth_unstable_by(place, f64::total_cmp).1
}

/// Where wrists and ankles are, in lengths of their limbs, and which way bones point.
fn limbs(pair: &Pair, collector: &mut MetricCollector) {
    let count = pair.len();
    let middles = [0, 1, 2, 3].map(|limb| pair.middle(limb));
    let lengths =
        [0, 1].map(|body| [0, 1, 2, 3].map(|limb| length(pair, body, limb, middles[limb])));
    let mut places = [vec![0.0; count], vec![0.0; count]];
    let mut bones = vec![0.0_f64; count];
    for frame in 0..count {
        let mut farthest = 0.0_f64;
        for limb in 0..4 {
            let [off, apart] =
                limb_off(pair, frame, limb, middles[limb], lengths.map(|own| own[limb]));
            let place = &mut places[limb / 2][frame];
            *place = f64::max(*place, 100.0 * off);
            farthest = farthest.max(apart);
        }
        bones[frame] = arc(farthest).to_degrees();
    }
    for (name, what, all) in [("legs", "ankles", &places[0]), ("arms", "wrists", &places[1])] {
        let (off, frames) = worst(all);
        collector.metric(name, off, frames, || {
            format!("{what} are {off:.0} % of the limb from where they should be")
        });
    }
    let [legs, arms] = places;
    let (off, frames) = worst(&bones);
    collector.metric("limb_direction", off, frames, || {
        format!("a limb points {off:.0} degrees elsewhere")
    });
    for (name, unit, all) in
        [("legs", "%", legs), ("arms", "%", arms), ("limb_direction", "deg", bones)]
    {
        collector.curve(name, unit, all);
    }
}

/// How far the end of a limb is from its place, in lengths of the limb, and the chord of the larger angle by which one of
/// its bones points elsewhere.
fn limb_off(
    pair: &Pair,
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
fn length(pair: &Pair, body: usize, limb: usize, middle: Option<usize>) -> f64 {
    if pair.len() == 0 {
        return 1.0;
    }
    let [root, end] = pair.tracks[body].limb(0, limb);
    let middle = middle.map_or((root + end) / 2.0, |middle| pair.tracks[body].position(0, middle));
    ((middle - root).norm() + (end - middle).norm()).max(1e-6)
}

/// How far segments are turned against the source's.
fn turns(pair: &Pair, collector: &mut MetricCollector) {
    let apart = |frame: usize, place: usize| {
        let [a, b] = [0, 1].map(|body| pair.turn(body, frame, place).into_inner().coords);
        (a - b).norm_squared().min((a + b).norm_squared())
    };
    for name in ["pelvis", "chest", "head", "hands", "feet"] {
        let segments = pair.segments();
        let places: Vec<usize> =
            (0..segments.len()).filter(|&k| segments[k].figure() == name).collect();
        if places.is_empty() {
            continue;
        }
        let most = |frame| {
            let apart = places.iter().map(|&place| apart(frame, place));
            (2.0 * arc(apart.fold(0.0, f64::max).sqrt())).to_degrees()
        };
        let all: Vec<f64> = (0..pair.len()).map(most).collect();
        let (off, frames) = worst(&all);
        collector.metric(name, off, frames, || {
            format!("{name} turned {off:.0} degrees against the source")
        });
        collector.curve(name, "deg", all);
    }
}

/// Distances of hands to each other, head and pelvis, where the source's are small.
fn touches(pair: &Pair, collector: &mut MetricCollector) {
    let mut all = Vec::new();
    let mut at = Vec::new();
    for frame in 0..pair.len() {
        let ends = [0, 1].map(|body| {
            let hand = |limb| pair.tracks[body].limb(frame, limb)[1];
            let head = pair.tracks[body].head(frame);
            let (left, right, hips) = (hand(2), hand(3), pair.tracks[body].hip_centre(frame));
            let to = |from: Vector3<f64>, to: Option<Vector3<f64>>| to.map(|to| (from - to).norm());
            [
                to(left, Some(right)),
                to(left, head),
                to(right, head),
                to(left, Some(hips)),
                to(right, Some(hips)),
            ]
        });
        for (a, b) in ends[0].iter().zip(ends[1]) {
            if let (Some(a), Some(b)) = (*a, b)
                && a < NEAR
            {
                all.push((a - b).abs() * CENTIMETRES);
                at.push(frame);
            }
        }
    }
    let (off, place) = worst(&all);
    let frames = place.map(|place| at[place.start]..at[place.start] + 1);
    collector.metric("hand_proximity", off, frames, || {
        format!("hands are {off:.0} cm nearer to or farther from hips, head or each other")
    });
}

/// Pops and jerk of joints.
fn smoothness(pair: &Pair, pieces: &[Range<usize>], collector: &mut MetricCollector) {
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
            if chords[1].norm() * std::f64::consts::FRAC_PI_2 < POPS * time {
                continue;
            }
            let [from, own] = chords.map(|chord| arc(chord.norm()) / time);
            if own - from > POPS {
                pops += 1;
                size += (own - from) / POPS;
                at.get_or_insert((frame - 1..frame + 1, place));
            }
        }
    }
    let minutes = (pair.len() as f64 * time / 60.0).max(1e-6);
    let (frames, joint) = at.map_or((None, ""), |(frames, place)| (Some(frames), pair.name(place)));
    collector.metric("joint_pops", size / minutes, frames, || {
        format!("joints turn much faster than the source's {pops} times, first {joint}")
    });
    jerk(jerks, collector);
}

/// Jerk of the result over the source's; of squares of changes of joints' steps.
fn jerk(squares: [Vec<f64>; 2], collector: &mut MetricCollector) {
    let unit = collector.frame_time.powi(3);
    let [from, own] = squares.map(|own| percentile(own, 0.99).sqrt() / unit + UNSEEN_JERK);
    let ratio = own / from;
    collector.metric("jerk", (ratio - 1.0).max(0.0), None, || {
        format!("it jerks {ratio:.1} times as much as the source")
    });
}

/// How far a joint turns from the frame before: twice the sine of half the angle, along the axis. That is less than 2 %
/// short of the angle below 40 degrees.
fn chord(pair: &Pair, body: usize, frame: usize, place: usize) -> Vector3<f64> {
    let [a, b] = [frame - 1, frame].map(|frame| pair.turn(body, frame, place));
    let turn = b * a.inverse();
    turn.imag() * (2.0 * turn.w.signum())
}

/// The angle of a chord.
fn arc(chord: f64) -> f64 {
    2.0 * libm::asin((chord / 2.0).min(1.0))
}
