//! Spans of frames in which a condition holds, and displacement within a time window.

use nalgebra::Vector3;
use std::ops::Range;

/// Time window of displacements.
pub(crate) const WINDOW_SECONDS: f64 = 0.1;

/// Returns the spans of frames in which `holds` is true, and `opens` is true for at least one frame.
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

/// Returns the displacement along a path of `count` frames from `half` frames before to `half` frames after `t`; near
/// the ends extrapolated at that speed.
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
