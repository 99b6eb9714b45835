//! Minimisation with limited memory: L-BFGS.
//!
//! D. C. Liu and J. Nocedal, On the limited memory BFGS method for large scale optimization, Mathematical Programming 45
//! (1989); steps are halved until the cost falls enough (L. Armijo, 1966).

/// Changes of variables and gradient that are remembered.
const MEMORY: usize = 12;
/// Share of the decrease that the gradient promises which a step has to reach.
const SUFFICIENT_DECREASE: f64 = 1e-4;
/// Most halvings of a step.
const MAX_HALVINGS: usize = 12;
/// Iterations over which the cost is compared, and the relative decrease below which it has settled.
const SETTLED_ITERATIONS: usize = 5;
const SETTLED_DECREASE: f64 = 1e-4;

/// A step with the change of the gradient, and the inverse of their product.
struct Update {
    step: Vec<f64>,
    change: Vec<f64>,
    inverse: f64,
}

/// Minimises a cost from `x` on, which becomes the best place found. `cost` writes the gradient; `first_step` is the
/// length of the first step over the gradient.
pub(crate) fn minimise(
    x: &mut Vec<f64>,
    (first_step, max_iterations): (f64, usize),
    mut cost: impl FnMut(&[f64], &mut [f64]) -> f64,
) {
    let mut gradient = vec![0.0; x.len()];
    let mut costs = vec![cost(x, &mut gradient)];
    let mut updates: Vec<Update> = Vec::new();
    let (mut next, mut next_gradient) = (x.clone(), gradient.clone());
    for iteration in 0..max_iterations {
        let mut direction = direction(&gradient, &updates, first_step);
        let mut slope = dot(&direction, &gradient);
        if slope >= 0.0 {
            updates.clear();
            direction = gradient.iter().map(|own| -own * first_step).collect();
            slope = dot(&direction, &gradient);
        }
        let now = costs[iteration];
        let mut share = 1.0;
        let found = (0..MAX_HALVINGS).find_map(|_| {
            let steps = x.iter().zip(&direction);
            next.iter_mut().zip(steps).for_each(|(to, (x, way))| *to = x + way * share);
            let there = cost(&next, &mut next_gradient);
            let falls = there <= now + SUFFICIENT_DECREASE * share * slope;
            share /= 2.0;
            falls.then_some(there)
        });
        let Some(there) = found else { return };
        remember(&mut updates, difference(&next, x), difference(&next_gradient, &gradient));
        std::mem::swap(x, &mut next);
        std::mem::swap(&mut gradient, &mut next_gradient);
        costs.push(there);
        let before = costs[(iteration + 1).saturating_sub(SETTLED_ITERATIONS)];
        if iteration >= SETTLED_ITERATIONS && before - there <= SETTLED_DECREASE * before {
            return;
        }
    }
}

/// Returns the quasi-Newton direction by the recursion over the updates.
fn direction(gradient: &[f64], updates: &[Update], first_step: f64) -> Vec<f64> {
    let mut way: Vec<f64> = gradient.iter().map(|own| -own).collect();
    let mut shares = Vec::with_capacity(updates.len());
    for own in updates.iter().rev() {
        let share = own.inverse * dot(&own.step, &way);
        add(&mut way, &own.change, -share);
        shares.push(share);
    }
    let newest = updates.last().map(|own| 1.0 / (own.inverse * dot(&own.change, &own.change)));
    way.iter_mut().for_each(|own| *own *= newest.unwrap_or(first_step));
    for (own, share) in updates.iter().zip(shares.into_iter().rev()) {
        let back = own.inverse * dot(&own.change, &way);
        add(&mut way, &own.step, share - back);
    }
    way
}

/// Remembers an update if the cost is convex along it.
fn remember(updates: &mut Vec<Update>, step: Vec<f64>, change: Vec<f64>) {
    let product = dot(&step, &change);
    if product <= 1e-12 * dot(&change, &change).max(f64::MIN_POSITIVE) {
        return;
    }
    if updates.len() == MEMORY {
        updates.remove(0);
    }
    updates.push(Update { step, change, inverse: 1.0 / product });
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

fn add(to: &mut [f64], other: &[f64], share: f64) {
    to.iter_mut().zip(other).for_each(|(to, other)| *to += share * other);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curved_valley_is_followed_to_its_lowest_point() {
        let mut x = vec![-1.2, 1.0];
        minimise(&mut x, (1e-3, 200), |x, gradient| {
            let (a, b) = (1.0 - x[0], x[1] - x[0] * x[0]);
            gradient[0] = -2.0 * a - 400.0 * x[0] * b;
            gradient[1] = 200.0 * b;
            a * a + 100.0 * b * b
        });
        assert!(x.iter().all(|x| (x - 1.0).abs() < 1e-3), "{x:?}");
    }

    #[test]
    fn where_the_gradient_vanishes_nothing_moves() {
        let mut x = vec![3.0];
        minimise(&mut x, (1.0, 50), |_, gradient| {
            gradient[0] = 0.0;
            7.0
        });
        assert_eq!(x, [3.0]);
    }
}
