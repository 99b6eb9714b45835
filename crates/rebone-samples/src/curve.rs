//! Curves over time with continuous second derivatives.

use nalgebra::SVector;

/// From 0 at 0 to 1 at 1 with no speed and no acceleration at either end, flat outside.
///
/// The minimum-jerk curve of Flash and Hogan (1985), which unhurried hands and feet follow.
pub(super) fn ease(u: f64) -> f64 {
    let u = u.clamp(0.0, 1.0);
    u * u * u * (10.0 + u * (6.0 * u - 15.0))
}

/// A sine wave of `period` seconds and amplitude 1.
pub(super) fn wave(t: f64, period: f64) -> f64 {
    libm::sin(std::f64::consts::TAU * t / period)
}

/// A value that rests, moves by [`ease`] to the next value, and rests again.
///
/// Moves may overlap: their changes add up, so the curve stays smooth.
#[derive(Clone, Debug)]
pub(super) struct Curve<const N: usize> {
    start: SVector<f64, N>,
    end: SVector<f64, N>,
    moves: Vec<Move<N>>,
}

#[derive(Clone, Debug)]
struct Move<const N: usize> {
    from: f64,
    until: f64,
    change: SVector<f64, N>,
}

impl<const N: usize> Curve<N> {
    /// A value that rests until it is moved.
    pub(super) fn new(start: [f64; N]) -> Self {
        Self { start: start.into(), end: start.into(), moves: Vec::new() }
    }

    /// Moves to `value` between two times in seconds.
    pub(super) fn to(mut self, from: f64, until: f64, value: [f64; N]) -> Self {
        let value = SVector::from(value);
        self.moves.push(Move { from, until, change: value - self.end });
        self.end = value;
        self
    }

    /// The value at a time in seconds.
    pub(super) fn at(&self, t: f64) -> SVector<f64, N> {
        self.moves.iter().fold(self.start, |value, step| {
            value + step.change * ease((t - step.from) / (step.until - step.from))
        })
    }
}

impl Curve<1> {
    /// The one number at a time in seconds.
    pub(super) fn value(&self, t: f64) -> f64 {
        self.at(t).x
    }
}

/// Place, speed and acceleration at one time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Knot {
    /// Seconds.
    pub(super) time: f64,
    /// Place, speed and acceleration.
    pub(super) value: [f64; 3],
}

/// The quintic that leaves one knot and arrives at the other with their speeds and accelerations.
pub(super) fn quintic(from: Knot, until: Knot, t: f64) -> f64 {
    let length = until.time - from.time;
    let u = (t - from.time) / length;
    let scaled = |[p, v, a]: [f64; 3]| [p, v * length, a * length * length / 2.0];
    let ([p, v, a], [q, w, b]) = (scaled(from.value), scaled(until.value));
    let (place, speed, half) = (q - p - v - a, w - v - 2.0 * a, b - a);
    let c3 = 10.0 * place - 4.0 * speed + half;
    let c4 = -15.0 * place + 7.0 * speed - 2.0 * half;
    let c5 = 6.0 * place - 3.0 * speed + half;
    p + u * (v + u * (a + u * (c3 + u * (c4 + u * c5))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_reaches_its_values_and_rests_there() {
        let curve = Curve::new([1.0]).to(1.0, 2.0, [5.0]).to(3.0, 4.0, [2.0]);
        assert_eq!([0.0, 2.5, 9.0].map(|t| curve.value(t)), [1.0, 5.0, 2.0]);
        assert!((curve.value(1.5) - 3.0).abs() < 1e-12);
    }

    #[test]
    fn a_quintic_meets_place_speed_and_acceleration_at_both_ends() {
        let from = Knot { time: 1.0, value: [2.0, -1.0, 3.0] };
        let until = Knot { time: 1.5, value: [4.0, 2.0, -9.81] };
        let h = 1e-4;
        for knot in [from, until] {
            let [a, b, c] = [-h, 0.0, h].map(|d| quintic(from, until, knot.time + d));
            let seen = [b, (c - a) / (2.0 * h), (a - 2.0 * b + c) / (h * h)];
            for (seen, wanted) in seen.iter().zip(knot.value) {
                assert!((seen - wanted).abs() < 1e-3, "{seen} {wanted}");
            }
        }
    }
}
