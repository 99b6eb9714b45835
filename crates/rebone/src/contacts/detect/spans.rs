//! Spans of frames in which a condition holds, and displacement within a time window.

use nalgebra::Vector3;
use std::ops::Range;

/// Over which time a movement counts, seconds.
pub(crate) const WINDOW_SECONDS: f64 = 0.1;

/// Runs of frames for which `holds`, where `opens` for one of them at least.
pub(crate) fn spans(
    count: usize,
    holds: impl Fn(usize) -> bool,
    opens: impl Fn(usize) -> bool,
) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    let mut begin = None;
    for t in 0..=count {
        match (begin, t < count && holds(t)) {
            (None, true) => begin = Some(t),
            (Some(from), false) => {
                begin = None;
                if (from..t).any(&opens) {
                    spans.push(from..t);
                }
            }
            _ => {}
        }
    }
    spans
}

/// How far what follows a path of so many frames moves from `half` frames before to `half` frames behind one of them;
/// at the ends of the path what it would at that speed.
pub(crate) fn windowed_displacement(
    position: impl Fn(usize) -> Vector3<f64>,
    count: usize,
    t: usize,
    half: f64,
) -> f64 {
    let last = (count - 1) as f64;
    let at = |t: f64| {
        let below = (t as usize).min(count - 1);
        let above = (below + 1).min(count - 1);
        position(below).lerp(&position(above), t - below as f64)
    };
    let (from, to) = ((t as f64 - half).max(0.0), (t as f64 + half).min(last));
    let whole = 2.0 * half / (to - from).max(1e-9);
    if last == 0.0 { 0.0 } else { (at(to) - at(from)).norm() * whole }
}
