//! Uniform cubic B-splines over the frames of a piece of a clip.
//!
//! C. de Boor, A Practical Guide to Splines, Springer 1978, chapter IX; the penalty on differences of the
//! coefficients instead of on the second derivative is that of P. H. C. Eilers and B. D. Marx, Flexible
//! smoothing with B-splines and penalties, Statistical Science 11 (1996).

/// Seconds from one knot to the next.
pub(super) const SPACING: f64 = 0.12;

/// The knots of a piece of a clip.
#[derive(Clone, Debug)]
pub(super) struct Knots {
    frame_time: f64,
    /// For each frame the first of the four coefficients that it depends on, and their weights.
    frames: Vec<(usize, [f64; 4])>,
}

impl Knots {
    /// For so many frames, one at least.
    pub(super) fn new(frames: usize, frame_time: f64) -> Self {
        let frames = (0..frames).map(|frame| shares(frame as f64 * frame_time / SPACING));
        Self { frame_time, frames: frames.collect() }
    }

    /// The number of frames.
    pub(super) fn frames(&self) -> usize {
        self.frames.len()
    }

    /// The number of coefficients.
    pub(super) fn count(&self) -> usize {
        self.frames.last().map_or(0, |last| last.0 + 4)
    }

    /// The first of the four coefficients that a frame depends on, and their weights.
    pub(super) fn at(&self, frame: usize) -> (usize, &[f64; 4]) {
        let (first, shares) = &self.frames[frame];
        (*first, shares)
    }

    /// The frame at which a coefficient counts most.
    pub(super) fn centre(&self, coefficient: usize) -> usize {
        let time = (coefficient as f64 - 1.0) * SPACING;
        let frame = (time / self.frame_time).round().max(0.0) as usize;
        frame.min(self.frames.len().saturating_sub(1))
    }
}

/// The first coefficient on which a place depends, in knots, and the weights of that and the next three.
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
        for frame in 0..50 {
            let (first, weights) = knots.at(frame);
            assert!(first + 4 <= knots.count());
            let sum: f64 = weights.iter().sum();
            assert!((sum - 1.0).abs() < 1e-12);
            // Coefficients on a line give the line.
            let value: f64 =
                weights.iter().enumerate().map(|(k, w)| w * (first + k) as f64 * SPACING).sum();
            assert!((value - SPACING - frame as f64 / 24.0).abs() < 1e-12);
        }
        assert_eq!((knots.centre(0), knots.centre(1), knots.centre(99)), (0, 0, 49));
    }
}
