//! Signed distances, in cm: negative inside. Blends are those of Quilez's polynomial smooth minimum.

use nalgebra::Vector3;

pub(super) type V = Vector3<f64>;

/// Union, rounded over about `k`.
pub(super) fn join(a: f64, b: f64, k: f64) -> f64 {
    let h = (k - (a - b).abs()).max(0.0) / k;
    a.min(b) - h * h * k / 4.0
}

/// Intersection, rounded over about `k`.
pub(super) fn meet(a: f64, b: f64, k: f64) -> f64 {
    -join(-a, -b, k)
}

/// A capsule whose radius goes from `ra` at `a` to `rb` at `b`.
pub(super) fn cone(p: V, (a, ra): (V, f64), (b, rb): (V, f64)) -> f64 {
    let ab = b - a;
    let t = ((p - a).dot(&ab) / ab.dot(&ab)).clamp(0.0, 1.0);
    (p - a - ab * t).norm() - (ra + (rb - ra) * t)
}

/// An ellipsoid; the distance is exact on the surface only.
pub(super) fn ellipsoid(p: V, centre: V, radii: V) -> f64 {
    let q = p - centre;
    let k0 = q.component_div(&radii).norm();
    let k1 = q.component_div(&radii.component_mul(&radii)).norm();
    if k1 < 1e-9 { -radii.min() } else { k0 * (k0 - 1.0) / k1 }
}

/// An ellipse of radii `r` in two coordinates, `boxy` from 0 (round) to 1 (a squircle).
pub(super) fn oval(x: f64, y: f64, r: [f64; 2], boxy: f64) -> f64 {
    let (a, b) = ((x / r[0]).powi(2), (y / r[1]).powi(2));
    let round = (a + b).sqrt();
    let square = (a * a + b * b).sqrt().sqrt();
    (round + (square - round) * boxy - 1.0) * r[0].min(r[1])
}

/// 0 below `a`, 1 above `b`, smooth between.
pub(super) fn ramp(x: f64, a: f64, b: f64) -> f64 {
    let t = ((x - a) / (b - a)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// A smooth curve through rows of a place and values, places rising.
pub(super) fn curve<const N: usize>(rows: &[(f64, [f64; N])], at: f64) -> [f64; N] {
    let last = rows.len() - 1;
    let at = at.clamp(rows[0].0, rows[last].0);
    let k = rows.windows(2).position(|pair| at <= pair[1].0).unwrap_or(last - 1);
    let slope = |i: usize, n: usize| {
        let (a, b) = (i.saturating_sub(1), (i + 1).min(last));
        (rows[b].1[n] - rows[a].1[n]) / (rows[b].0 - rows[a].0)
    };
    let (length, start) = (rows[k + 1].0 - rows[k].0, rows[k].0);
    let t = (at - start) / length;
    let (t2, t3) = (t * t, t * t * t);
    std::array::from_fn(|n| {
        (2.0 * t3 - 3.0 * t2 + 1.0) * rows[k].1[n]
            + (t3 - 2.0 * t2 + t) * length * slope(k, n)
            + (3.0 * t2 - 2.0 * t3) * rows[k + 1].1[n]
            + (t3 - t2) * length * slope(k + 1, n)
    })
}
