//! Radii of a field, fitted to points of the skin.

use crate::body::surface::{ALONG, AROUND, RadialField, Radii, SurfacePoint, cell, interpolate};
use crate::math::{BandedEquations, percentile};
use nalgebra::Vector3;

/// Depth of the outermost layer below the 90th percentile of its surroundings: metres, and a share of the radius.
const LAYER_METRES: f64 = 0.012;
const LAYER_SHARE: f64 = 0.1;
/// Weight of second differences of radii, relative to a point.
const SMOOTHNESS: f64 = 0.01;
/// Weight of a point inside the surface relative to one outside.
const INNER_WEIGHT: f64 = 0.35;
/// Distance from the surface at which a point counts half, metres.
const HALF_WEIGHT_METRES: f64 = 0.02;
/// Rounds of weights.
const ROUNDS: usize = 4;
/// Weight of the radii that a body without points there has: a rounded end.
const PRIOR_WEIGHT: f64 = 0.005;
/// Radius of the end of a cap without points, as a share of that around the end of the axis.
const CAP_SHARE: f64 = 0.7;
/// Unknowns of a field.
const COUNT: usize = ALONG * AROUND;
/// Distance of the unknowns of one row of the equations: second differences reach two rows on, and a row is a circle.
const WIDTH: usize = 2 * AROUND + 1;

/// A point of the skin as a field sees it.
#[derive(Clone, Copy)]
pub(super) struct Sample {
    pub(super) point: SurfacePoint,
    pub(super) radius: f64,
}

impl Sample {
    pub(crate) fn of(field: &RadialField, place: Vector3<f64>) -> Self {
        // With radii of zero, the height is the distance from the axis.
        let seen = field.project(&place);
        Self { point: seen.point, radius: seen.height }
    }
}

/// Returns the samples of the outermost layer: eyes, teeth and bodies below clothes are left out.
pub(super) fn outermost(samples: Vec<Sample>) -> Vec<Sample> {
    let bin = |sample: &Sample| {
        let [(row, s), (column, t)] = cell(sample.point);
        let nearest = |index: usize, share: f64| index + usize::from(share > 0.5);
        nearest(row, s) * AROUND + nearest(column, t) % AROUND
    };
    let mut radii = vec![Vec::new(); COUNT];
    samples.iter().for_each(|sample| radii[bin(sample)].push(sample.radius));
    let outer = |own: &mut Vec<f64>| {
        if own.is_empty() { 0.0 } else { percentile(std::mem::take(own), 0.9) }
    };
    let outer: Vec<f64> = radii.iter_mut().map(outer).collect();
    let is_outer = |sample: &Sample| {
        let outer = outer[bin(sample)];
        sample.radius > outer - LAYER_METRES - LAYER_SHARE * outer
    };
    samples.into_iter().filter(is_outer).collect()
}

/// Fits radii by iteratively reweighted least squares with a penalty on second differences.
pub(super) fn fit_radii(samples: &[Sample]) -> Radii {
    let mut counts = [0.0; COUNT];
    for sample in samples {
        weights_of(sample.point).into_iter().for_each(|(k, weight)| counts[k] += weight);
    }
    let mut radii = first_radii(samples);
    for round in 0..ROUNDS {
        let mut equations = BandedEquations::new(COUNT, WIDTH);
        for sample in samples {
            let off = sample.radius - interpolate(&radii, sample.point).0;
            let side = if off < 0.0 { INNER_WEIGHT } else { 1.0 };
            let robust =
                if round == 0 { 1.0 } else { side / (1.0 + off.abs() / HALF_WEIGHT_METRES) };
            let entries = weights_of(sample.point);
            // Dense parts of a mesh count no more than others.
            let density = entries.iter().map(|(k, weight)| counts[*k] * weight).sum::<f64>();
            let weight = robust / density.max(1.0);
            for (k, a) in entries {
                equations.add_right(k, weight * a * sample.radius);
                let later = entries.iter().filter(|(j, _)| *j >= k);
                later.for_each(|(j, b)| equations.add(k, *j, weight * a * b));
            }
        }
        push_smoothness(&mut equations);
        push_prior(&mut equations, &radii);
        let solved = equations.solve();
        for (k, radius) in solved.iter().enumerate() {
            radii[k / AROUND][k % AROUND] = radius.max(0.005);
        }
        join_poles(&mut radii);
    }
    radii
}

/// Returns the mean radius of all samples everywhere.
fn first_radii(samples: &[Sample]) -> Radii {
    let sum: f64 = samples.iter().map(|sample| sample.radius).sum();
    [[sum / samples.len().max(1) as f64; AROUND]; ALONG]
}

/// Returns the four radii that a point is between, with their weights.
fn weights_of(point: SurfacePoint) -> [(usize, f64); 4] {
    let [(row, s), (column, t)] = cell(point);
    let next = (column + 1) % AROUND;
    [
        (row * AROUND + column, (1.0 - s) * (1.0 - t)),
        (row * AROUND + next, (1.0 - s) * t),
        ((row + 1) * AROUND + column, s * (1.0 - t)),
        ((row + 1) * AROUND + next, s * t),
    ]
}

fn push_smoothness(equations: &mut BandedEquations) {
    let mut penalise = |[a, b, c]: [usize; 3]| {
        let row = [(a, 1.0), (b, -2.0), (c, 1.0)];
        for (i, x) in row {
            for (j, y) in row.into_iter().filter(|(j, _)| *j >= i) {
                equations.add(i, j, SMOOTHNESS * x * y);
            }
        }
    };
    for row in 0..ALONG {
        for column in 0..AROUND {
            let at = |column: usize| row * AROUND + column % AROUND;
            penalise([at(column), at(column + 1), at(column + 2)]);
            if row + 2 < ALONG {
                penalise([0, 1, 2].map(|k| (row + k) * AROUND + column));
            }
        }
    }
}

/// Adds a weak pull of the caps to rounded ends.
fn push_prior(equations: &mut BandedEquations, radii: &Radii) {
    let mean = |row: usize| radii[row].iter().sum::<f64>() / AROUND as f64;
    let [low, high] = [2, ALONG - 3].map(mean);
    let shares = [CAP_SHARE, (1.0 + CAP_SHARE) / 2.0];
    for (k, share) in shares.into_iter().enumerate() {
        for (row, radius) in [(k, low), (ALONG - 1 - k, high)] {
            for column in 0..AROUND {
                let index = row * AROUND + column;
                equations.add(index, index, PRIOR_WEIGHT);
                equations.add_right(index, PRIOR_WEIGHT * share * radius);
            }
        }
    }
}

/// Gives both poles one radius, for they are one point.
fn join_poles(radii: &mut Radii) {
    for row in [0, ALONG - 1] {
        radii[row] = [radii[row].iter().sum::<f64>() / AROUND as f64; AROUND];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(radius: impl Fn(f64) -> f64) -> Vec<Sample> {
        let point = |k: usize| {
            let along = (k % 81) as f64 / 80.0 * (ALONG - 1) as f64;
            let around = (k / 81) as f64 / 64.0 * AROUND as f64;
            Sample { point: SurfacePoint { along, around }, radius: radius(along) }
        };
        (0..81 * 64).map(point).collect()
    }

    #[test]
    fn radii_are_those_of_a_smooth_skin() {
        let radius = |along: f64| 0.1 + 0.002 * along;
        for (row, radii) in fit_radii(&samples(radius)).iter().enumerate() {
            for found in radii {
                let expected = radius(row as f64);
                assert!((found - expected).abs() < 0.002, "row {row}: {found} for {expected}");
            }
        }
    }

    #[test]
    fn what_is_below_the_outer_layer_is_left_out() {
        let skin = samples(|_| 0.1);
        let inner = samples(|_| 0.04).into_iter().step_by(4);
        let found = outermost(skin.iter().copied().chain(inner).collect());
        assert_eq!(found.len(), skin.len());
    }
}
