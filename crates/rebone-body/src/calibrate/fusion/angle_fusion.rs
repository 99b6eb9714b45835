//! Evidence of one angle, fused by precision.

use std::f64::consts::{SQRT_2, TAU};

/// An angle and how far it may be off: one standard deviation. Both in radians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct AngleEstimate {
    pub(crate) angle: f64,
    pub(crate) sigma: f64,
}

/// The mean of all evidence by precision, `Σ w a / Σ w` with `w = 1/σ²`, angles taken round the most
/// precise one. Evidence that is off the mean of the rest by over three standard deviations of the
/// difference is left out, the worst first. `None` where there is none.
pub(crate) fn fuse_angles(evidence: &[AngleEstimate]) -> Option<AngleEstimate> {
    let best = evidence.iter().min_by(|a, b| a.sigma.total_cmp(&b.sigma))?.angle;
    let near =
        |one: &AngleEstimate| AngleEstimate { angle: best + wrapped(one.angle - best), ..*one };
    let mut kept: Vec<AngleEstimate> = evidence.iter().map(near).collect();
    while kept.len() > 2 {
        let off = |k: usize| {
            let rest =
                mean(kept.iter().enumerate().filter(|(other, _)| *other != k).map(|(_, e)| e));
            (kept[k].angle - rest.angle).abs() / libm::hypot(kept[k].sigma, rest.sigma)
        };
        let worst = (0..kept.len()).max_by(|&a, &b| off(a).total_cmp(&off(b)));
        let Some(worst) = worst.filter(|&worst| off(worst) > 3.0) else { break };
        kept.remove(worst);
    }
    Some(mean(kept.iter()))
}

fn mean<'a>(evidence: impl Iterator<Item = &'a AngleEstimate>) -> AngleEstimate {
    let (mut angle, mut weight) = (0.0, 0.0);
    for one in evidence {
        let own = one.sigma.powi(-2);
        angle += own * one.angle;
        weight += own;
    }
    AngleEstimate { angle: angle / weight, sigma: 1.0 / weight.sqrt() }
}

/// Wraps an angle to −π to π.
fn wrapped(angle: f64) -> f64 {
    angle - TAU * (angle / TAU).round()
}

/// The probability that an angle with this standard deviation is off by less than 10 degrees.
pub(crate) fn within_ten_degrees(sigma: f64) -> f64 {
    libm::erf(10_f64.to_radians() / (sigma.max(1e-9) * SQRT_2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    fn of(angle: f64, sigma: f64) -> AngleEstimate {
        AngleEstimate { angle, sigma }
    }

    #[test]
    fn precise_evidence_weighs_more() {
        let fused = fuse_angles(&[of(0.0, 0.1), of(0.5, 0.2)]).unwrap();
        assert!((fused.angle - 0.1).abs() < 1e-12);
        assert!((fused.sigma - 0.1 * 0.8_f64.sqrt()).abs() < 1e-12);
        assert_eq!(fuse_angles(&[]), None);
    }

    #[test]
    fn angles_meet_at_the_half_turn() {
        let fused = fuse_angles(&[of(3.1, 0.1), of(-3.1, 0.1)]).unwrap();
        assert!((wrapped(fused.angle - PI)).abs() < 1e-12);
    }

    #[test]
    fn what_is_far_off_is_left_out() {
        let fused = fuse_angles(&[of(0.0, 0.1), of(0.1, 0.1), of(2.0, 0.1)]).unwrap();
        assert!((fused.angle - 0.05).abs() < 1e-12);
        let two = fuse_angles(&[of(0.0, 0.1), of(2.0, 0.1)]).unwrap();
        assert!((two.angle - 1.0).abs() < 1e-12, "of two, either may be wrong");
    }

    #[test]
    fn one_sigma_is_two_thirds() {
        assert!((within_ten_degrees(10_f64.to_radians()) - 0.682_689_492).abs() < 1e-8);
        assert!(within_ten_degrees(0.0) > 0.999_999);
    }
}
