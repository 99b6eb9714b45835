//! Derivatives of points and midpoints with respect to the variables.

use crate::algebra::hessian::HessianTerms;
use crate::algebra::loads::Loads;
use crate::{Chain, Configuration, LinkId, PointRef};
use nalgebra::Vector3;

/// Calls `each` with link, world position and share (1, or ½ for the ends of a midpoint) of the
/// points whose weighted motion is that of `point`.
fn for_each_point(
    chain: &Chain,
    at: &Configuration,
    point: &PointRef,
    mut each: impl FnMut(LinkId, Vector3<f64>, f64),
) {
    match point {
        PointRef::At(point) => each(point.link, at.point(point), 1.0),
        // Two links moved by equal variables are one rigid body.
        PointRef::Midpoint(one, other)
            if chain.variables_moving(one.link) == chain.variables_moving(other.link) =>
        {
            each(one.link, at.position_of(point), 1.0);
        }
        PointRef::Midpoint(one, other) => {
            each(one.link, at.point(one), 0.5);
            each(other.link, at.point(other), 0.5);
        }
    }
}

/// Adds `factor · ∂p/∂x` to three rows of the Jacobian.
pub(super) fn add_point_jacobian(
    chain: &Chain,
    at: &Configuration,
    point: &PointRef,
    factor: f64,
    rows: [&mut [f64]; 3],
) {
    let [x, y, z] = rows;
    for_each_point(chain, at, point, |link, position, share| {
        let (arm, factor) = (at.lever_arm(&position), factor * share);
        for &k in chain.variables_moving(link) {
            let velocity = at.point_velocity(k, &arm) * factor;
            x[k] += velocity.x;
            y[k] += velocity.y;
            z[k] += velocity.z;
        }
    });
}

/// Adds a force on a point to the loads of its links.
pub(super) fn add_point_load(
    chain: &Chain,
    at: &Configuration,
    point: &PointRef,
    force: &Vector3<f64>,
    loads: &mut Loads,
) {
    for_each_point(chain, at, point, |link, position, share| {
        loads.add_force(link, &at.lever_arm(&position), &(force * share));
    });
}

/// Adds `force · ∂²p/∂xᵢ∂xⱼ` to the upper triangle of the Hessian `out`, (n, n).
pub(super) fn add_point_hessian(
    chain: &Chain,
    at: &Configuration,
    point: &PointRef,
    force: &Vector3<f64>,
    terms: &mut HessianTerms,
    out: &mut [f64],
) {
    for_each_point(chain, at, point, |link, position, share| {
        terms.add_force(chain, at, link, &position, &(force * share), out);
    });
}

/// Adds `factor · ∂p/∂xₖ` to the vector of each variable k.
pub(super) fn add_point_velocities(
    chain: &Chain,
    at: &Configuration,
    point: &PointRef,
    factor: f64,
    out: &mut [Vector3<f64>],
) {
    for_each_point(chain, at, point, |link, position, share| {
        let arm = at.lever_arm(&position);
        for &k in chain.variables_moving(link) {
            out[k] += at.point_velocity(k, &arm) * (factor * share);
        }
    });
}

/// Splits three rows of equal length.
pub(super) fn three_rows(rows: &mut [f64]) -> [&mut [f64]; 3] {
    let columns = rows.len() / 3;
    let (x, rest) = rows.split_at_mut(columns);
    let (y, z) = rest.split_at_mut(columns);
    [x, y, z]
}
