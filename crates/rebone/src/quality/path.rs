//! The body's path and heading, and whether the result is late.

use super::body::worst;
use super::body_trace::Comparison;
use super::metric::MetricCollector;
use crate::align::Plan;
use crate::contacts::horizontal;
use nalgebra::Vector3;
use rebone_body::body::CENTIMETRES_PER_METRE;
use rebone_skeleton::rotation::direction;

/// Largest ratio between a path and the one that follows from the legs, that is only scaled otherwise.
const MAX_PATH_RATIO: f64 = 1.5;
/// Frames by which a result may be early or late.
const MAX_LAG_FRAMES: usize = 3;

/// Judges path, heading and delay.
pub(crate) fn grade(plan: &Plan, pair: &Comparison, collector: &mut MetricCollector) {
    path(plan, pair, collector);
    delay(pair, collector);
}

/// The way of the body over the floor, and where it faces.
fn path(plan: &Plan, pair: &Comparison, collector: &mut MetricCollector) {
    let ways = pair.tracks.each_ref().map(|tracks| {
        let all: Vec<Vector3<f64>> = tracks.hip_path().iter().map(horizontal).collect();
        let mean = all.iter().sum::<Vector3<f64>>() / all.len().max(1) as f64;
        all.into_iter().map(|own| own - mean).collect::<Vec<_>>()
    });
    let pairs = || ways[0].iter().zip(&ways[1]);
    // Some scale paths by the legs, some by the stature, and some leave them: what counts is the shape.
    let (square, product) = pairs().fold((0.0, 0.0), |(square, product), (from, own)| {
        (square + from.norm_squared(), product + from.dot(own))
    });
    let fits = if square > 0.0 { product / square } else { plan.travel_scale };
    let scale = fits.clamp(plan.travel_scale / MAX_PATH_RATIO, plan.travel_scale * MAX_PATH_RATIO);
    let far: Vec<f64> =
        pairs().map(|(from, own)| (own - from * scale).norm() * CENTIMETRES_PER_METRE).collect();
    let (off, frames) = worst(&far);
    collector.metric("path", off, frames, || format!("the path is {off:.0} cm from the source's"));
    collector.curve("path", "cm", far);
    let heading = |frame: usize| match [0, 1].map(|body| pair.tracks[body].hip_line(frame)) {
        [Some(a), Some(b)] => a.angle(&b).to_degrees(),
        // A body that lies on its side has no heading.
        _ => 0.0,
    };
    let all: Vec<f64> = (0..pair.len()).map(heading).collect();
    let (off, frames) = worst(&all);
    collector
        .metric("heading", off, frames, || format!("heading is {off:.0} degrees off the source's"));
    collector.curve("heading", "deg", all);
}

/// By how many frames the result fits best: one that is late is off everywhere by a little.
fn delay(pair: &Comparison, collector: &mut MetricCollector) {
    let count = pair.len();
    if count < 4 * MAX_LAG_FRAMES {
        return collector.metric("delay", 0.0, None, String::new);
    }
    let ways = [0, 1].map(|body| -> Vec<[Vector3<f64>; 4]> {
        let way = |frame: usize, limb: usize| {
            let [root, end] = pair.tracks[body].limb(frame, limb);
            direction(&(end - root)).map_or_else(Vector3::zeros, |way| *way)
        };
        (0..count).map(|frame| [0, 1, 2, 3].map(|limb| way(frame, limb))).collect()
    });
    let misfit = |lag: isize| -> f64 {
        let frames = MAX_LAG_FRAMES..count - MAX_LAG_FRAMES;
        let pairs = frames.map(|frame| (&ways[0][frame], &ways[1][frame.wrapping_add_signed(lag)]));
        let off = |(a, b): (&[Vector3<f64>; 4], &[Vector3<f64>; 4])| -> f64 {
            a.iter().zip(b).map(|(a, b)| (a - b).norm_squared()).sum()
        };
        pairs.map(off).sum()
    };
    let lags = MAX_LAG_FRAMES as isize;
    let none = misfit(0);
    let best = (-lags..=lags).map(|lag| (misfit(lag), lag));
    let best = best.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((none, 0));
    // A little better by chance is no delay.
    let late =
        if best.0 < 0.7 * none { best.1 as f64 * collector.frame_time * 1000.0 } else { 0.0 };
    collector.metric("delay", late.abs(), None, || {
        format!(
            "motion fits the source best {:.0} ms {}",
            late.abs(),
            if late > 0.0 { "later" } else { "earlier" }
        )
    });
}
