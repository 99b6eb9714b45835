//! Uniform cubic B-splines over the frames of a segment of a clip.
//!
//! C. de Boor, A Practical Guide to Splines, Springer 1978, chapter IX; the penalty on differences of the
//! coefficients instead of on the second derivative is that of P. H. C. Eilers and B. D. Marx, Flexible
//! smoothing with B-splines and penalties, Statistical Science 11 (1996).

/// Time between knots.
pub(crate) const KNOT_SPACING_SECONDS: f64 = 0.06;

/// The knots of a segment, counted from its last frame, so that trimming its begin does not move them.
#[derive(Clone, Debug)]
pub(crate) struct Knots {
    /// Frames between knots.
    spacing: f64,
    /// For each frame the first of its four coefficients, and their weights.
    frames: Vec<(usize, [f64; 4])>,
}

impl Knots {
    /// Places knots over a number of frames, at least one.
    pub(crate) fn new(frames: usize, frame_time: f64) -> Self {
        let spacing = KNOT_SPACING_SECONDS / frame_time;
        let last = (frames.max(1) - 1) as f64;
        let whole = (last / spacing).ceil();
        let place = |frame: usize| (whole - (last - frame as f64) / spacing).max(0.0);
        Self { spacing, frames: (0..frames).map(|frame| shares(place(frame))).collect() }
    }

    /// Returns the number of frames.
    pub(crate) fn frames(&self) -> usize {
        self.frames.len()
    }

    /// Returns the number of coefficients.
    pub(crate) fn count(&self) -> usize {
        self.frames.last().map_or(0, |last| last.0 + 4)
    }

    /// Returns the first of a frame's four coefficients, and their weights.
    pub(crate) fn at(&self, frame: usize) -> (usize, &[f64; 4]) {
        let (first, shares) = &self.frames[frame];
        (*first, shares)
    }

    /// Returns the frame at which a coefficient has the largest weight.
    pub(crate) fn centre(&self, coefficient: usize) -> usize {
        let behind = (self.count() as f64 - 3.0 - coefficient as f64) * self.spacing;
        let last = self.frames.len().saturating_sub(1);
        last.saturating_sub(behind.round().max(0.0) as usize)
    }
}

/// Returns the first coefficient of a position, in knots, and the weights of that and the next three.
fn shares(place: f64) -> (usize, [f64; 4]) {
    let whole = place as usize;
    let t = place - whole as f64;
    let (r, t2) = (1.0 - t, t * t);
    let t3 = t2 * t;
    let middle = [3.0 * t3 - 6.0 * t2 + 4.0, -3.0 * t3 + 3.0 * t2 + 3.0 * t + 1.0];
    (whole, [r * r * r, middle[0], middle[1], t3].map(|weight| weight / 6.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_reproduced_and_weights_add_up_to_one() {
        let knots = Knots::new(50, 1.0 / 24.0);
        let last = knots.count() as f64 - 4.0;
        for frame in 0..50 {
            let (first, weights) = knots.at(frame);
            assert!(first + 4 <= knots.count());
            let sum: f64 = weights.iter().sum();
            assert!((sum - 1.0).abs() < 1e-12);
            // Coefficients on a line give the line.
            let value: f64 = weights
                .iter()
                .enumerate()
                .map(|(k, w)| w * (first + k) as f64 * KNOT_SPACING_SECONDS)
                .sum();
            let before_the_end = (frame as f64 - 49.0) / 24.0;
            assert!((value - (last + 1.0) * KNOT_SPACING_SECONDS - before_the_end).abs() < 1e-12);
        }
        assert_eq!(
            (knots.centre(0), knots.centre(knots.count() - 3), knots.centre(99)),
            (0, 49, 49)
        );
    }

    #[test]
    fn what_is_cut_off_before_changes_nothing() {
        let [whole, tail] = [90, 50].map(|frames| Knots::new(frames, 1.0 / 30.0));
        let moved = whole.count() - tail.count();
        for frame in 0..50 {
            let ((first, weights), (own, others)) = (whole.at(frame + 40), tail.at(frame));
            assert_eq!(first, own + moved);
            assert!(weights.iter().zip(others).all(|(a, b)| (a - b).abs() < 1e-12));
        }
    }
}
