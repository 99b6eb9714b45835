//! Frame rates of keys at any times.

use crate::gltf::json::StatedFrames;
use crate::gltf::tracks::precision::MAX_SECONDS;

/// Frames per second that programs use.
const COMMON_FRAME_RATES: [f64; 6] = [24.0, 25.0, 30.0, 50.0, 60.0, 120.0];
/// Frames per second where no rate fits.
const FALLBACK_FRAME_RATE: f64 = 60.0;
/// Frames are not longer, since joints move on arcs between keys.
const MAX_FRAME_SECONDS: f64 = 0.05;
/// Keys nearer to a frame than this lie on it.
pub(crate) const MAX_KEY_OFFSET_FRAMES: f64 = 0.02;
/// Share of keys that have to lie on frames: all if possible, else most.
const MIN_SHARES_ON_FRAMES: [f64; 2] = [1.0, 0.98];

/// Frames at a fixed frame time.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Grid {
    /// Seconds of the first one.
    pub(crate) start: f64,
    /// Seconds from one to the next.
    pub(crate) frame_time: f64,
    /// The number of frames.
    pub(crate) count: usize,
    /// Warning where keys lie between frames.
    pub(crate) warning: Option<String>,
}

/// The frames that a file states, where the keys are those of such frames in 32 bits, from the first to the last: no other
/// program has moved or cut them since.
pub(crate) fn stated_grid<'a>(
    StatedFrames { frame_time, frames }: StatedFrames,
    keys: impl Iterator<Item = &'a [f64]>,
) -> Option<Grid> {
    let [mut first, mut last] = [f64::INFINITY, 0.0];
    for &time in keys.flatten() {
        let frame = (time / frame_time).round();
        // Also false for a frame that is no number.
        if f64::from((frame * frame_time) as f32) != time {
            return None;
        }
        (first, last) = (frame.min(first), frame.max(last));
    }
    let is_usable = frame_time.is_normal() && frame_time > 0.0 && frame_time <= MAX_SECONDS;
    let is_whole = first == 0.0 && last + 1.0 == frames as f64;
    (is_usable && is_whole).then_some(Grid { start: 0.0, frame_time, count: frames, warning: None })
}

/// Finds the frames on which the keys lie, from the first to the last; at the fallback rate where they lie on none.
pub(crate) fn grid<'a>(keys: impl Iterator<Item = &'a [f64]>) -> Grid {
    let mut times: Vec<f64> = keys.flatten().copied().collect();
    times.sort_unstable_by(f64::total_cmp);
    times.dedup_by(|later, first| *later - *first < 1e-5);
    let (Some(&start), Some(&end)) = (times.first(), times.last()) else {
        return Grid { start: 0.0, frame_time: 1.0 / 30.0, count: 0, warning: None };
    };
    let length = end - start;
    if length <= 0.0 {
        return Grid { start, frame_time: 1.0 / 30.0, count: 1, warning: None };
    }
    let mut steps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let middle = steps.len() / 2;
    let (_, &mut median, _) = steps.select_nth_unstable_by(middle, f64::total_cmp);
    let own = [1.0, 2.0, 3.0].map(|parts| length / (parts * length / median).round().max(1.0));
    let own = own.into_iter().filter(|step| *step <= MAX_FRAME_SECONDS);
    let steps = own.chain(COMMON_FRAME_RATES.map(|rate| 1.0 / rate));
    let fitting = MIN_SHARES_ON_FRAMES
        .iter()
        .find_map(|share| steps.clone().find(|step| share_on(&times, *step) >= *share));
    let frame_time = fitting.unwrap_or(1.0 / FALLBACK_FRAME_RATE);
    let warning = fitting.is_none().then(|| {
        format!(
            "the keys lie on no frames of a fixed length: sampled at {} a second",
            1.0 / frame_time
        )
    });
    let count = (length / frame_time + MAX_KEY_OFFSET_FRAMES).min(1e15) as usize + 1;
    Grid { start, frame_time, count, warning }
}

/// The share of the times that lie on frames of this length.
fn share_on(times: &[f64], frame_time: f64) -> f64 {
    let on = |time: &&f64| {
        let frames = (**time - times[0]) / frame_time;
        (frames - frames.round()).abs() < MAX_KEY_OFFSET_FRAMES.max(2e-5 / frame_time)
    };
    times.iter().filter(on).count() as f64 / times.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(times: &[f64]) -> Grid {
        grid([times].into_iter())
    }

    #[test]
    fn frames_are_those_of_the_keys() {
        let keys: Vec<f64> = (0..90).map(|k| f64::from((k as f32) / 24.0)).collect();
        let grid = of(&keys);
        assert!((grid.frame_time - 1.0 / 24.0).abs() < 1e-6, "{grid:?}");
        assert_eq!((grid.start, grid.count, grid.warning), (0.0, 90, None));
    }

    #[test]
    fn stated_frames_hold_where_the_keys_lie_on_them() {
        let rate = |frame_time: f64, frames: usize, times: &[f64]| {
            let grid = stated_grid(StatedFrames { frame_time, frames }, [times].into_iter());
            grid.map(|grid| (grid.start, grid.frame_time, grid.count))
        };
        let on = |frame: u32| f64::from((f64::from(frame) * 0.07) as f32);
        assert_eq!(rate(0.07, 61, &[0.0, on(7), on(60)]), Some((0.0, 0.07, 61)));
        assert_eq!(rate(0.07, 1, &[0.0]), Some((0.0, 0.07, 1)));
        let cut = [on(7), on(60)];
        for (frame_time, frames, times) in [
            (0.07, 62, &[0.0, on(60)][..]),
            (0.07, 61, &cut),
            (0.07, 61, &[0.0, 0.071, on(60)]),
            (0.07, usize::MAX, &[0.0, on(60)]),
            (0.07, 0, &[0.0]),
            (0.07, 0, &[]),
            (0.0, 1, &[0.0]),
            (-0.07, 1, &[0.0]),
            (1e-310, 1, &[0.0]),
            (1e30, 1, &[0.0]),
            (f64::NAN, 1, &[0.0]),
            (f64::INFINITY, 2, &[0.0, 1.0]),
        ] {
            assert_eq!(rate(frame_time, frames, times), None, "{frame_time} {frames} {times:?}");
        }
    }

    #[test]
    fn thinned_keys_lie_on_frames_of_a_usual_rate() {
        let keys = [1.0, 1.1, 1.5, 1.6, 1.7, 2.0, 2.0 + 7.0 / 30.0].map(|time| time + 1e-6);
        let grid = of(&keys);
        assert!((grid.frame_time - 1.0 / 30.0).abs() < 1e-6, "{grid:?}");
        assert_eq!(grid.count, 38);
    }

    #[test]
    fn what_keys_leave_out_is_sampled() {
        assert_eq!(of(&[0.0, 2.0]).count, 49);
        let sixty = [0.0, 2.0, 4.0, 6.0, 8.0, 11.0, 12.0, 14.0].map(|frame| frame / 60.0);
        assert_eq!(of(&sixty).count, 15);
    }

    #[test]
    fn keys_at_odd_times_are_sampled_often_and_told() {
        let grid = of(&[0.0, 0.123, 0.417, 0.6321, 1.0]);
        assert_eq!((grid.frame_time, grid.count), (1.0 / 60.0, 61));
        assert!(grid.warning.is_some());
    }

    #[test]
    fn one_key_is_one_frame_and_none_is_none() {
        assert_eq!(of(&[0.5, 0.5]).count, 1);
        assert_eq!(of(&[]).count, 0);
        assert!(of(&[0.0, 1e-4, 2e-4, 1e9]).count > 1_000_000_000);
    }
}
