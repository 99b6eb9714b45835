//! Arms near the body: how deep they are in it, and touches of hands that the result does not have.

use super::body_trace::Comparison;
use super::metric::MetricCollector;
use crate::math::ease;
use crate::surface::HAND_GAP_METRES;
use rebone_body::body::{BodySegment, CENTIMETRES_PER_METRE, Side};
use rebone_body::math::percentile;

/// Distance from the skin below which an arm is near the body, metres of a 1.7 m body.
const BODY_NEAR_METRES: f64 = 0.08;
/// Distance from the skin below which a hand of the source touches it, metres of a 1.7 m body.
const TOUCH_METRES: f64 = 0.01;
/// Time for which a part has to be deep to be seen.
const DEEP_SECONDS: f64 = 0.1;
/// Time for which a touch has to be held to be missed: hands that brush past are not.
const HELD_SECONDS: f64 = 0.3;

/// Grades arms near the body, where skins are known.
pub(super) fn grade(pair: &Comparison, collector: &mut MetricCollector) {
    if !pair.has_surfaces() {
        return;
    }
    let depth = |frame, side| {
        let [source, result] = pair.arm_gaps(frame, side)?;
        Some(f64::from((-result.arm).max(0.0) - (-source.arm).max(0.0)))
    };
    if let Some((depth, at)) = worst(pair, collector.frame_time, DEEP_SECONDS, depth) {
        let depth = depth * CENTIMETRES_PER_METRE;
        collector.metric("arm_depth", depth, at.map(|(_, frame)| frame..frame + 1), || {
            let (side, frame) = at.unwrap_or_default();
            let names = pair.arm_gaps(frame, side).and_then(|gaps| gaps[1].arm_on);
            let names = names.map(|names| names.map(|name| name.to_string()));
            let [part, inside] = names.unwrap_or_else(|| ["arm", "body"].map(str::to_owned));
            format!("the {part} is {depth:.1} cm deeper in the {inside} than the source's arm in its body")
        });
    }
    let gap = |frame, side| {
        let [source, result] = pair.arm_gaps(frame, side)?.map(|gap| f64::from(gap.hand));
        Some(if source < TOUCH_METRES { result - source.max(0.0) } else { 0.0 })
    };
    if let Some((gap, at)) = worst(pair, collector.frame_time, HELD_SECONDS, gap) {
        let gap = gap * CENTIMETRES_PER_METRE;
        collector.metric("hand_touch", gap, at.map(|(_, frame)| frame..frame + 1), || {
            let (side, frame) = at.unwrap_or_default();
            let touched = pair.arm_gaps(frame, side).and_then(|gaps| gaps[0].hand_on);
            let place = touched.map_or_else(|| "it".to_owned(), |name| format!("its {name}"));
            let hand = BodySegment::Hand(Side::BOTH[side]);
            format!("the {hand} is {gap:.1} cm off the body where the source's touches {place}")
        });
    }
}

/// Returns the largest value of both sides, with its side and frame; of each frame the median over a time around it counts, in
/// the frame that is nearest to it. `None` where a value is not known.
fn worst(
    pair: &Comparison,
    frame_time: f64,
    seconds: f64,
    value: impl Fn(usize, usize) -> Option<f64>,
) -> Option<(f64, Option<(usize, usize)>)> {
    let half = (seconds / 2.0 / frame_time).round() as usize;
    let mut largest = (0.0, None);
    for side in [0, 1] {
        let of = |frame| value(frame, side);
        let values = (0..pair.len()).map(of).collect::<Option<Vec<f64>>>()?;
        // At high frame rates some of the frames tell as much.
        for frame in (0..values.len()).step_by((half / 8).max(1)) {
            let near = frame.saturating_sub(half)..values.len().min(frame + half + 1);
            let seen = percentile(values[near.clone()].to_vec(), 0.5);
            if seen > largest.0 {
                let off = |frame: &usize| (values[*frame] - seen).abs();
                let at = near.min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(frame);
                largest = (seen, Some((side, at)));
            }
        }
    }
    Some(largest)
}

/// Returns how near an arm is to the body of source or result: 1 at the skin, where other girths need other arms, 0 from
/// [`BODY_NEAR_METRES`] on. Of a source without a skin the hand counts, where it is within [`HAND_GAP_METRES`] on both.
pub(super) fn near_body(pair: &Comparison, frame: usize, side: usize) -> f64 {
    let Some([source, result]) = pair.arm_gaps(frame, side) else { return 0.0 };
    let (gap, reach) = match pair.has_surfaces() {
        true => (source.arm.min(result.arm), BODY_NEAR_METRES),
        false => (source.hand.max(result.hand), HAND_GAP_METRES),
    };
    ease(2.0 - 2.0 * f64::from(gap) / reach)
}
