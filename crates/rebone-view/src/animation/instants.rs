//! Frames of an animation and their delays.

use super::MAX_FRAMES;
use crate::sheet::ShownFrame;

/// Seconds of a frame to aim at: 15 to 17 frames a second of a motion at 30, 60, 100 or 120.
const WANTED_SECONDS: f64 = 0.0599;
/// Least and greatest delay of a frame, hundredths of a second: browsers slow shorter ones down.
const MIN_DELAY: f64 = 2.0;
const MAX_DELAY: f64 = 6000.0;

impl ShownFrame {
    /// Returns every nth frame of a motion, about 16 a second and at most 400; `frame_time` in seconds.
    ///
    /// ```
    /// use rebone_view::ShownFrame;
    /// let shown = ShownFrame::moving(121, 1.0 / 60.0);
    /// assert_eq!((shown.len(), shown[1].frame), (31, 4));
    /// ```
    pub fn moving(frames: usize, frame_time: f64) -> Vec<Self> {
        let wanted = (WANTED_SECONDS / frame_time).round();
        // Every frame is shown where the frame time is not finite or is negative, or is above the wanted one.
        let wanted = if wanted >= 1.0 { wanted.min(1e9) as usize } else { 1 };
        let step = wanted.max(frames.div_ceil(MAX_FRAMES));
        let instant = |frame| Self { frame, seconds: frame as f64 * frame_time };
        (0..frames).step_by(step).map(instant).collect()
    }
}

/// Returns the hundredths of a second for which each instant is shown. Their running sum stays within half a hundredth of the
/// time of the motion, unless one is clamped.
pub(super) fn delays(instants: &[ShownFrame]) -> Vec<u16> {
    let hundredths = |index: usize| (instants[index].seconds * 100.0).round();
    let count = instants.len();
    let delay = |index: usize| {
        let next = if index + 1 < count { index + 1 } else { index };
        let from = next.saturating_sub(1);
        let delay = hundredths(next) - hundredths(from);
        let delay = if delay.is_nan() { MIN_DELAY } else { delay };
        delay.clamp(MIN_DELAY, MAX_DELAY) as u16
    };
    (0..count).map(delay).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_stays_real_at_any_rate() {
        for rate in [24.0, 25.0, 30.0, 60.0, 100.0, 120.0, 240.0] {
            for seconds in [1.0, 10.0, 600.0] {
                let frames = (rate * seconds) as usize;
                let shown = ShownFrame::moving(frames, 1.0 / rate);
                let whole: f64 = delays(&shown).iter().map(|delay| f64::from(*delay)).sum();
                let step = shown[1].seconds;
                assert!((whole / 100.0 - seconds).abs() <= step + 0.01, "{rate} {seconds} {whole}");
                assert!(shown.len() <= MAX_FRAMES && (seconds > 10.0 || step < 0.07), "{rate}");
            }
        }
    }

    #[test]
    fn odd_times_have_delays_all_the_same() {
        for frame_time in [f64::NAN, 0.0, -1.0, 1e-300, 1e300, f64::INFINITY] {
            let shown = ShownFrame::moving(1000, frame_time);
            assert!(!shown.is_empty() && shown.len() <= MAX_FRAMES);
            assert!(delays(&shown).iter().all(|delay| (2..=6000).contains(delay)));
        }
        assert!(ShownFrame::moving(0, 0.1).is_empty() && delays(&[]).is_empty());
        assert!(ShownFrame::moving(usize::MAX, 0.1).len() <= MAX_FRAMES);
    }
}
