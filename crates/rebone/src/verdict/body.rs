//! Limbs, segments, path and smoothness.

use super::feet::CENTIMETRES;
use super::figure::Judge;
use super::seen::Pair;
use crate::align::Plan;
use crate::contacts::level;
use nalgebra::Vector3;
use rebone_skeleton::rotation::direction;
use std::ops::Range;

/// A joint that turns faster than the source's by this pops, radians a second: 900 degrees.
const POPS: f64 = 15.707_963_267_948_966;
/// What nobody sees of an angular jerk, radians/s³.
const UNSEEN_JERK: f64 = 17.453_292_519_943_295;
/// Hands are near what they may touch below this distance, metres.
const NEAR: f64 = 0.2;
/// How much longer or shorter than the legs say a path may be that is only scaled otherwise.
const SCALES: f64 = 1.5;
/// Frames by which a result may be early or late.
const LAGS: usize = 3;

/// Judges all but feet.
pub(super) fn judge(plan: &Plan, pair: &Pair, pieces: &[Range<usize>], judge: &mut Judge) {
    limbs(pair, judge);
    turns(pair, judge);
    touches(pair, judge);
    smoothness(pair, pieces, judge);
    path(plan, pair, judge);
    delay(pair, judge);
}

/// The 95th percentile of what frames come to, and the frames about the worst.
fn worst(all: &[f64]) -> (f64, Option<Range<usize>>) {
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
fn limbs(pair: &Pair, judge: &mut Judge) {
    let count = pair.len();
    let middles = [0, 1, 2, 3].map(|limb| pair.middle(limb));
    let lengths =
        [0, 1].map(|body| [0, 1, 2, 3].map(|limb| length(pair, body, limb, middles[limb])));
    let mut places = [vec![0.0; count], vec![0.0; count]];
    let mut bones = vec![0.0_f64; count];
    for frame in 0..count {
        let mut farthest = 0.0_f64;
        for limb in 0..4 {
            let ends = [0, 1].map(|body| pair.tracks[body].limb(frame, limb));
            let way = |body: usize| (ends[body][1] - ends[body][0]) / lengths[body][limb];
            let mut off = (way(0) - way(1)).norm();
            if let Some(middle) = middles[limb] {
                let [from, own] = [0, 1].map(|body| {
                    let ([root, end], middle) =
                        (ends[body], pair.tracks[body].place(frame, middle));
                    [middle - root, end - middle]
                });
                // Bones of other proportions in the same directions end elsewhere.
                let mut elsewhere = Vector3::zeros();
                for (from, own) in from.iter().zip(&own) {
                    let (Some(wanted), length) = (direction(from), own.norm()) else { continue };
                    let apart = *wanted * length - own;
                    farthest = farthest.max(apart.norm() / length.max(1e-9));
                    elsewhere += apart;
                }
                off = off.min(elsewhere.norm() / lengths[1][limb]);
            }
            let place = &mut places[limb / 2][frame];
            *place = f64::max(*place, 100.0 * off);
        }
        bones[frame] = arc(farthest).to_degrees();
    }
    for (name, what, all) in [("legs", "ankles", &places[0]), ("arms", "wrists", &places[1])] {
        let (off, frames) = worst(all);
        judge.figure(name, off, frames, || {
            format!("{what} are {off:.0} % of the limb from where they should be")
        });
    }
    let [legs, arms] = places;
    let (off, frames) = worst(&bones);
    judge.figure("limbs", off, frames, || format!("a limb points {off:.0} degrees elsewhere"));
    for (name, unit, all) in [("legs", "%", legs), ("arms", "%", arms), ("limbs", "deg", bones)] {
        judge.curve(name, unit, all);
    }
}

/// Length of a limb: that of its bones in the first frame.
fn length(pair: &Pair, body: usize, limb: usize, middle: Option<usize>) -> f64 {
    if pair.len() == 0 {
        return 1.0;
    }
    let [root, end] = pair.tracks[body].limb(0, limb);
    let middle = middle.map_or((root + end) / 2.0, |middle| pair.tracks[body].place(0, middle));
    ((middle - root).norm() + (end - middle).norm()).max(1e-6)
}

/// How far segments are turned against the source's.
fn turns(pair: &Pair, judge: &mut Judge) {
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
        judge.figure(name, off, frames, || {
            format!("{name} turned {off:.0} degrees against the source")
        });
        judge.curve(name, "deg", all);
    }
}

/// Distances of hands to each other, head and pelvis, where the source's are small.
fn touches(pair: &Pair, judge: &mut Judge) {
    let mut all = Vec::new();
    let mut at = Vec::new();
    for frame in 0..pair.len() {
        let ends = [0, 1].map(|body| {
            let hand = |limb| pair.tracks[body].limb(frame, limb)[1];
            let head = pair.tracks[body].head(frame);
            let (left, right, hips) = (hand(2), hand(3), pair.tracks[body].hips(frame));
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
    judge.figure("touch", off, frames, || {
        format!("hands are {off:.0} cm nearer to or farther from hips, head or each other")
    });
}

/// Pops and jerk of joints.
fn smoothness(pair: &Pair, pieces: &[Range<usize>], judge: &mut Judge) {
    let time = judge.frame_time;
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
    judge.figure("pops", size / minutes, frames, || {
        format!("joints turn much faster than the source's {pops} times, first {joint}")
    });
    let jerk = |squares: Vec<f64>| percentile(squares, 0.99).sqrt() / time.powi(3);
    let [from, own] = jerks.map(|squares| jerk(squares) + UNSEEN_JERK);
    let ratio = own / from;
    judge.figure("jerk", (ratio - 1.0).max(0.0), None, || {
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

/// The way of the body over the floor, and where it faces.
fn path(plan: &Plan, pair: &Pair, judge: &mut Judge) {
    let ways = pair.tracks.each_ref().map(|tracks| {
        let all: Vec<Vector3<f64>> = tracks.path().iter().map(level).collect();
        let mean = all.iter().sum::<Vector3<f64>>() / all.len().max(1) as f64;
        all.into_iter().map(|own| own - mean).collect::<Vec<_>>()
    });
    let pairs = || ways[0].iter().zip(&ways[1]);
    // Some scale paths by the legs, some by the stature, and some leave them: what counts is the shape.
    let (square, product) = pairs().fold((0.0, 0.0), |(square, product), (from, own)| {
        (square + from.norm_squared(), product + from.dot(own))
    });
    let fits = if square > 0.0 { product / square } else { plan.stride };
    let scale = fits.clamp(plan.stride / SCALES, plan.stride * SCALES);
    let far: Vec<f64> =
        pairs().map(|(from, own)| (own - from * scale).norm() * CENTIMETRES).collect();
    let (off, frames) = worst(&far);
    judge.figure("path", off, frames, || format!("the path is {off:.0} cm from the source's"));
    judge.curve("path", "cm", far);
    let heading = |frame: usize| match [0, 1].map(|body| pair.tracks[body].across(frame)) {
        [Some(a), Some(b)] => a.angle(&b).to_degrees(),
        // Who lies on a side faces nowhere.
        _ => 0.0,
    };
    let all: Vec<f64> = (0..pair.len()).map(heading).collect();
    let (off, frames) = worst(&all);
    judge.figure("heading", off, frames, || format!("it faces {off:.0} degrees elsewhere"));
    judge.curve("heading", "deg", all);
}

/// By how many frames the result fits best: one that is late is off everywhere by a little.
fn delay(pair: &Pair, judge: &mut Judge) {
    let count = pair.len();
    if count < 4 * LAGS {
        return judge.figure("late", 0.0, None, String::new);
    }
    let ways = [0, 1].map(|body| -> Vec<[Vector3<f64>; 4]> {
        let way = |frame: usize, limb: usize| {
            let [root, end] = pair.tracks[body].limb(frame, limb);
            direction(&(end - root)).map_or_else(Vector3::zeros, |way| *way)
        };
        (0..count).map(|frame| [0, 1, 2, 3].map(|limb| way(frame, limb))).collect()
    });
    let misfit = |lag: isize| -> f64 {
        let frames = LAGS..count - LAGS;
        let pairs = frames.map(|frame| (&ways[0][frame], &ways[1][frame.wrapping_add_signed(lag)]));
        let off = |(a, b): (&[Vector3<f64>; 4], &[Vector3<f64>; 4])| -> f64 {
            a.iter().zip(b).map(|(a, b)| (a - b).norm_squared()).sum()
        };
        pairs.map(off).sum()
    };
    let lags = LAGS as isize;
    let none = misfit(0);
    let best = (-lags..=lags).map(|lag| (misfit(lag), lag));
    let best = best.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((none, 0));
    // A little better by chance is no delay.
    let late = if best.0 < 0.7 * none { best.1 as f64 * judge.frame_time * 1000.0 } else { 0.0 };
    judge.figure("late", late.abs(), None, || {
        format!(
            "it fits the source best {:.0} ms {}",
            late.abs(),
            if late > 0.0 { "later" } else { "earlier" }
        )
    });
}
