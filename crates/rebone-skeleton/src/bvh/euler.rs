//! Euler angles of rotations, unwrapped from one frame to the next.

use crate::Axis;
use nalgebra::{Matrix3, UnitQuaternion};
use std::f64::consts::PI;

/// Below this length of the two numbers that an angle is taken from, the angle is undetermined:
/// gimbal lock. They are entries of a rotation matrix, good to about 1e-16.
const GIMBAL_LOCK_LENGTH: f64 = 1e-13;

/// An angle may be outside its range by this through rounding; it is then set to the end of the range.
const RANGE_SLACK_DEGREES: f64 = 1e-7;

/// Rounding of a rotation; near gimbal lock it moves two angles much more.
const ROTATION_NOISE_DEGREES: f64 = 1e-12;

/// The angles, in degrees, whose rotations about `axes` multiply to `rotation`
/// (`R = R₀(a₀) R₁(a₁) …`, the order of BVH channels), nearest to those in `angles`, which they
/// replace.
///
/// `axes` are up to three different ones, and each angle has its range. With three there are two
/// solutions and full turns of each angle. Those inside the ranges go before others; of those the one
/// with the least sum of squared differences is taken, and at gimbal lock the first angle stays. With
/// fewer than three, `rotation` must be a product of rotations about them; else the result is one near
/// it.
pub(super) fn nearest_angles(
    rotation: &UnitQuaternion<f64>,
    axes: &[Axis],
    ranges: &[[f64; 2]],
    angles: &mut [f64],
) {
    let unwrap_all = |radians: f64, previous: f64, range: [f64; 2]| {
        snap_to_range(unwrap_near(radians, previous, range), range, RANGE_SLACK_DEGREES)
    };
    match *axes {
        [] => {}
        [i] => {
            let angle = 2.0 * libm::atan2(rotation.imag()[i.index()], rotation.w);
            angles[0] = unwrap_all(angle, angles[0], ranges[0]);
        }
        [i, j] => {
            let m = rotation.to_rotation_matrix();
            let (i, j, k, sign) = indices(i, j);
            // R₁ leaves column j as it is, R₀ row i.
            let first = libm::atan2(sign * m[(k, j)], m[(j, j)]);
            let second = libm::atan2(sign * m[(i, k)], m[(i, i)]);
            angles[0] = unwrap_all(first, angles[0], ranges[0]);
            angles[1] = unwrap_all(second, angles[1], ranges[1]);
        }
        [i, j, k, ..] => {
            let mut triple = [Triple {
                joint: 0,
                axes: [i, j, k],
                ranges: [ranges[0], ranges[1], ranges[2]],
                angles: [angles[0], angles[1], angles[2]],
            }];
            nearest_triples(&mut triple, std::slice::from_ref(rotation));
            angles[..3].copy_from_slice(&triple[0].angles);
        }
    }
}

/// A joint with three rotation channels.
pub(super) struct Triple {
    pub(super) joint: usize,
    /// All different.
    pub(super) axes: [Axis; 3],
    pub(super) ranges: [[f64; 2]; 3],
    /// Degrees.
    pub(super) angles: [f64; 3],
}

impl Triple {
    /// Returns whether the rotation is the identity, as in the frame before.
    fn rests(&self, rotation: &UnitQuaternion<f64>) -> bool {
        let allowed = |range: &[f64; 2]| inside(0.0, *range, 0.0);
        self.angles == [0.0; 3]
            && *rotation == UnitQuaternion::identity()
            && self.ranges.iter().all(allowed)
    }

    fn fits(&self, angles: [f64; 3]) -> bool {
        let inside = |n: usize| inside(angles[n], self.ranges[n], 0.0);
        inside(0) & inside(1) & inside(2)
    }

    /// The sum of squared differences to the angles before.
    fn distance(&self, angles: [f64; 3]) -> f64 {
        let apart = |n: usize| (angles[n] - self.angles[n]) * (angles[n] - self.angles[n]);
        apart(0) + apart(1) + apart(2)
    }
}

/// Joints that are computed at once, step by step: a fifth faster than one after the other.
const BATCH: usize = 8;

/// One number of each joint of a batch.
type Lanes = [f64; BATCH];

/// As [`nearest_angles`] for joints with three axes; `rotations` are those of all joints.
pub(super) fn nearest_triples(triples: &mut [Triple], rotations: &[UnitQuaternion<f64>]) {
    let (mut batch, mut count) = ([0; BATCH], 0);
    for place in 0..triples.len() {
        if triples[place].rests(&rotations[triples[place].joint]) {
            continue;
        }
        if count == BATCH || count > 0 && triples[place].axes != triples[batch[0]].axes {
            nearest_batch(triples, rotations, &batch[..count]);
            count = 0;
        }
        batch[count] = place;
        count += 1;
    }
    nearest_batch(triples, rotations, &batch[..count]);
}

/// As [`nearest_triples`] for up to [`BATCH`] joints, at `places`, all with the same axes.
///
/// With `s` = 1 for a cyclic order of axes and −1 else, `R = Rᵢ(a) Rⱼ(b) Rₖ(c)` has
/// `R_jk = −s sin a cos b` and `R_kk = cos a cos b`, so `a` is one of two angles half a turn apart.
fn nearest_batch(triples: &mut [Triple], rotations: &[UnitQuaternion<f64>], places: &[usize]) {
    let Some(&place) = places.first() else { return };
    let axes = triples[place].axes;
    let mut quaternions = [[0.0; BATCH]; 4];
    for (n, &place) in places.iter().enumerate() {
        let coordinates: [f64; 4] = rotations[triples[place].joint].coords.into();
        (0..4).for_each(|row| quaternions[row][n] = coordinates[row]);
    }
    let matrices = matrices(&quaternions);
    let entries = entries(axes).map(|(row, column)| &matrices[row][column]);
    let (_, _, _, sign) = indices(axes[0], axes[1]);
    let [.., jk, kk] = entries;
    let (mut first, mut v, mut w) = ([0.0; BATCH], [0.0; BATCH], [0.0; BATCH]);
    for n in 0..places.len() {
        first[n] = libm::atan2(-sign * jk[n], kk[n]);
    }
    for (n, &place) in places.iter().enumerate() {
        if jk[n] * jk[n] + kk[n] * kk[n] < GIMBAL_LOCK_LENGTH * GIMBAL_LOCK_LENGTH {
            first[n] = triples[place].angles[0].to_radians();
        }
    }
    for n in 0..places.len() {
        // 0 − x is never −0, whose sign an arctangent of half a turn would take over.
        (v[n], w[n]) = libm::sincos(0.0 - first[n] / 2.0);
    }
    let (mut y, mut x, mut others) = ([[0.0; BATCH]; 2], [[0.0; BATCH]; 2], [[0.0; BATCH]; 2]);
    for n in 0..BATCH {
        ([y[0][n], y[1][n]], [x[0][n], x[1][n]]) =
            second_and_third_points(entries.map(|lanes| lanes[n]), sign, [v[n], w[n]]);
    }
    for ((y, x), angles) in y.iter().zip(&x).zip(&mut others) {
        for n in 0..places.len() {
            angles[n] = libm::atan2(y[n], x[n]);
        }
    }
    for (n, &place) in places.iter().enumerate() {
        let triple = &mut triples[place];
        let angles = [first[n], others[0][n], others[1][n]];
        triple.angles = nearest_of_two(&rotations[triple.joint], triple, angles);
    }
}

/// The rotation matrices of quaternions, as of one in `nalgebra`.
fn matrices([x, y, z, w]: &[Lanes; 4]) -> [[Lanes; 3]; 3] {
    let mut matrices = [[[0.0; BATCH]; 3]; 3];
    for n in 0..BATCH {
        let (x, y, z, w) = (x[n], y[n], z[n], w[n]);
        let (xx, yy, zz, ww) = (x * x, y * y, z * z, w * w);
        let (xy, xz, yz) = (x * y * 2.0, x * z * 2.0, y * z * 2.0);
        let (wx, wy, wz) = (w * x * 2.0, w * y * 2.0, w * z * 2.0);
        matrices[0][0][n] = ww + xx - yy - zz;
        matrices[0][1][n] = xy - wz;
        matrices[0][2][n] = wy + xz;
        matrices[1][0][n] = wz + xy;
        matrices[1][1][n] = ww - xx + yy - zz;
        matrices[1][2][n] = yz - wx;
        matrices[2][0][n] = xz - wy;
        matrices[2][1][n] = wx + yz;
        matrices[2][2][n] = ww - xx - yy + zz;
    }
    matrices
}

/// Of the two solutions, one of which is given in radians, the one that is inside the ranges if one is,
/// and nearest.
#[inline]
fn nearest_of_two(rotation: &UnitQuaternion<f64>, triple: &Triple, angles: [f64; 3]) -> [f64; 3] {
    let degrees = angles.map(f64::to_degrees);
    if triple.fits(degrees) & (triple.distance(degrees) < SURELY_NEAREST_SQUARED_DEGREES) {
        return degrees;
    }
    nearest_of_all(rotation, triple, angles)
}

/// As [`nearest_of_two`] where full turns may be missing.
///
/// Near gimbal lock `cos b` is small: there `a` and `c` may be moved into their ranges, one against the
/// other, without a change of the rotation.
fn nearest_of_all(
    rotation: &UnitQuaternion<f64>,
    triple: &Triple,
    [a, b, c]: [f64; 3],
) -> [f64; 3] {
    let Triple { axes, ranges, angles: previous, .. } = *triple;
    let mut one = unwrap_all([a, b, c], previous, ranges);
    if triple.fits(one) & (triple.distance(one) < SURELY_NEAREST_SQUARED_DEGREES) {
        return one;
    }
    let mut other = unwrap_all([a + PI, PI - b, c + PI], previous, ranges);
    if !(triple.fits(one) & triple.fits(other)) {
        let matrix = rotation.to_rotation_matrix().into_inner();
        one = adjust_at_gimbal_lock(one, &matrix, axes, ranges, previous);
        other = adjust_at_gimbal_lock(other, &matrix, axes, ranges, previous);
    }
    let is_nearer = triple.distance(other) < triple.distance(one);
    let takes_other =
        if triple.fits(one) == triple.fits(other) { is_nearer } else { triple.fits(other) };
    if takes_other { other } else { one }
}

/// Below this sum of squared differences, degrees, no other solution is nearer: its first and last angle
/// are half a turn away, more than 90 degrees each.
const SURELY_NEAREST_SQUARED_DEGREES: f64 = 8000.0;

/// Moves first and last angle into their ranges, without a change of the rotation, where they are outside by no more
/// than its rounding moves them near gimbal lock, and all of them where they are outside by rounding.
#[cold]
fn adjust_at_gimbal_lock(
    mut angles: [f64; 3],
    matrix: &Matrix3<f64>,
    axes: [Axis; 3],
    ranges: [[f64; 2]; 3],
    previous: [f64; 3],
) -> [f64; 3] {
    let (_, j, k, _) = indices(axes[0], axes[1]);
    let loose =
        RANGE_SLACK_DEGREES + ROTATION_NOISE_DEGREES / libm::hypot(matrix[(j, k)], matrix[(k, k)]);
    let first = snap_to_range(angles[0], ranges[0], loose);
    if first != angles[0] {
        angles = unwrap_all(solve_given_first(matrix, axes, first.to_radians()), previous, ranges);
    }
    let last = snap_to_range(angles[2], ranges[2], loose);
    if last != angles[2] {
        angles = unwrap_all(solve_given_last(matrix, axes, last.to_radians()), previous, ranges);
    }
    [0, 1, 2].map(|n| snap_to_range(angles[n], ranges[n], RANGE_SLACK_DEGREES))
}

/// All three angles, radians, where the first is known.
fn solve_given_first(matrix: &Matrix3<f64>, axes: [Axis; 3], first: f64) -> [f64; 3] {
    let (_, _, _, sign) = indices(axes[0], axes[1]);
    let (v, w) = libm::sincos(-first / 2.0);
    let (y, x) = second_and_third_points(entries(axes).map(|at| matrix[at]), sign, [v, w]);
    [first, libm::atan2(y[0], x[0]), libm::atan2(y[1], x[1])]
}

/// Row and column of the entries that are used: `ik`, `ji`, `ki`, `jj`, `kj`, `jk`, `kk`.
fn entries(axes: [Axis; 3]) -> [(usize, usize); 7] {
    let (i, j, k, _) = indices(axes[0], axes[1]);
    [(i, k), (j, i), (k, i), (j, j), (k, j), (j, k), (k, k)]
}

/// Two points each, whose angles are the second and the third, given the [`entries`] of the matrix, and sine
/// and cosine of minus half the first: Y of both, then X of both.
///
/// `Rᵢ(−a) R = Rⱼ(b) Rₖ(c)` gives `b` and `c` from entries without a factor, which keeps the product
/// right near gimbal lock too, where `a` is not. Of `Rᵢ(−a)` the entries are `w² + v²` at `ii`,
/// `w² − v²` at `jj` and `kk`, and `± 2wv` at `jk` and `kj`, with `w` and `v` of its quaternion.
#[inline(always)]
fn second_and_third_points(
    [ik, ji, ki, jj, kj, jk, kk]: [f64; 7],
    sign: f64,
    [v, w]: [f64; 2],
) -> ([f64; 2], [f64; 2]) {
    let (along, across, turn) = (w * w + v * v, w * w - v * v, sign * (w * v * 2.0));
    let row_j = |at_j: f64, at_k: f64| across * at_j - turn * at_k;
    let row_k = |at_j: f64, at_k: f64| turn * at_j + across * at_k;
    ([sign * (along * ik), sign * row_j(ji, ki)], [row_k(jk, kk), row_j(jj, kj)])
}

/// All three angles, radians, where the last is known: `R⁻¹ = Rₖ(−c) Rⱼ(−b) Rᵢ(−a)`.
fn solve_given_last(matrix: &Matrix3<f64>, [i, j, k]: [Axis; 3], last: f64) -> [f64; 3] {
    let [last, second, first] = solve_given_first(&matrix.transpose(), [k, j, i], -last);
    [-first, -second, -last]
}

/// Indices of the two axes and of the third, and the sign of their order.
fn indices(i: Axis, j: Axis) -> (usize, usize, usize, f64) {
    let (i, j) = (i.index(), j.index());
    let sign = if (i + 1) % 3 == j { 1.0 } else { -1.0 };
    (i, j, 3 - i - j, sign)
}

/// [`unwrap_near`] of three angles.
#[inline]
fn unwrap_all(radians: [f64; 3], previous: [f64; 3], ranges: [[f64; 2]; 3]) -> [f64; 3] {
    let unwrap_all = |n: usize| unwrap_near(radians[n], previous[n], ranges[n]);
    [unwrap_all(0), unwrap_all(1), unwrap_all(2)]
}

/// `angle` (radians) in degrees, by full turns inside the range or as near to it as can be, then as near to
/// `previous` (degrees) as can be.
#[inline]
fn unwrap_near(angle: f64, previous: f64, range: [f64; 2]) -> f64 {
    let degrees = angle.to_degrees();
    let apart = degrees - previous;
    let turns = match apart.abs() {
        ..180.0 => 0.0,
        ..540.0 => apart.signum(),
        _ => (apart / 360.0).round(),
    };
    let nearest = degrees - 360.0 * turns;
    if inside(nearest, range, RANGE_SLACK_DEGREES) {
        return nearest;
    }
    wrap_into_range(nearest, range)
}

/// `nearest` by full turns inside the range, or as near to it as can be.
#[cold]
fn wrap_into_range(nearest: f64, range: [f64; 2]) -> f64 {
    let [low, high] = [range[0] - RANGE_SLACK_DEGREES, range[1] + RANGE_SLACK_DEGREES];
    let turns =
        ((low - nearest) / 360.0).ceil().max(0.0) - ((nearest - high) / 360.0).ceil().max(0.0);
    let turned = nearest + 360.0 * turns;
    let before = turned - 360.0 * turns.signum();
    let outside = |angle: f64| (low - angle).max(angle - high).max(0.0);
    if outside(before) < outside(turned) { before } else { turned }
}

/// `angle` at the end of its range where it is outside by no more than `slack`.
fn snap_to_range(angle: f64, range: [f64; 2], slack: f64) -> f64 {
    if inside(angle, range, slack) { angle.max(range[0]).min(range[1]) } else { angle }
}

fn inside(angle: f64, [low, high]: [f64; 2], slack: f64) -> bool {
    angle >= low - slack && angle <= high + slack
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rotation::from_euler;
    use proptest::prelude::*;

    const ORDERS: [[Axis; 3]; 6] = {
        use Axis::{X, Y, Z};
        [[X, Y, Z], [X, Z, Y], [Y, X, Z], [Y, Z, X], [Z, X, Y], [Z, Y, X]]
    };

    const FREE: [[f64; 2]; 3] = [[f64::NEG_INFINITY, f64::INFINITY]; 3];

    fn rotation(axes: &[Axis], degrees: &[f64]) -> UnitQuaternion<f64> {
        let radians: Vec<f64> = degrees.iter().map(|angle| angle.to_radians()).collect();
        from_euler(axes, &radians)
    }

    /// The distance of two rotations in quaternion space: half the angle for small ones.
    fn apart(a: &UnitQuaternion<f64>, b: &UnitQuaternion<f64>) -> f64 {
        (a.coords - b.coords).norm().min((a.coords + b.coords).norm())
    }

    proptest! {
        #[test]
        fn angles_give_the_rotation_back(
            order in 0..6_usize,
            count in 0..4_usize,
            angles in prop::array::uniform3(-400.0..400.0_f64),
            start in prop::array::uniform3(-400.0..400.0_f64),
        ) {
            let axes = &ORDERS[order][..count];
            let wanted = rotation(axes, &angles[..count]);
            let mut found = start;
            nearest_angles(&wanted, axes, &FREE, &mut found[..count]);
            prop_assert!(apart(&wanted, &rotation(axes, &found[..count])) < 5e-13);
            for (found, start) in found.iter().zip(start) {
                prop_assert!((found - start).abs() < 360.0);
            }
        }

        #[test]
        fn angles_near_the_start_are_found_again(
            order in 0..6_usize,
            angles in prop::array::uniform3(-1000.0..1000.0_f64),
            step in prop::array::uniform3(-10.0..10.0_f64),
        ) {
            let axes = ORDERS[order];
            // Half a turn of all angles apart is the other solution: far enough from gimbal lock
            // ten degrees never lead to it.
            prop_assume!(angles[1].to_radians().cos().abs() > 0.5);
            let mut found = [0, 1, 2].map(|index| angles[index] + step[index]);
            nearest_angles(&rotation(&axes, &angles), &axes, &FREE, &mut found);
            for (found, angle) in found.iter().zip(angles) {
                prop_assert!((found - angle).abs() < 1e-10, "{found} is not {angle}");
            }
        }

        #[test]
        fn ranges_hold_in_each_solution_that_they_hold(
            order in 0..6_usize,
            wanted in prop::array::uniform3(-300.0..300.0_f64),
            below in prop::array::uniform3(0.0..400.0_f64),
            above in prop::array::uniform3(0.0..400.0_f64),
            free in prop::array::uniform3(prop::bool::ANY),
            middle in prop::sample::select(vec![None, Some(90.0), Some(90.0 + 1e-11), Some(-90.0 - 1e-8)]),
            start in prop::array::uniform3(-400.0..400.0_f64),
        ) {
            let axes = ORDERS[order];
            let wanted = [wanted[0], middle.unwrap_or(wanted[1]), wanted[2]];
            let narrow = |n: usize| [wanted[n] - below[n] / 3.0, wanted[n] + above[n] / 3.0];
            let ends = |n: usize| if below[n] < 200.0 { [wanted[n]; 2] } else { narrow(n) };
            let ranges = [0, 1, 2].map(|n| if free[n] { FREE[n] } else { ends(n) });
            let mut found = start;
            nearest_angles(&rotation(&axes, &wanted), &axes, &ranges, &mut found);
            for n in 0..3 {
                prop_assert!(inside(found[n], ranges[n], 0.0), "{found:?} in {ranges:?}");
            }
            prop_assert!(apart(&rotation(&axes, &wanted), &rotation(&axes, &found)) < 1e-9);
        }

        #[test]
        fn near_gimbal_lock_the_rotation_is_exact(
            order in 0..6_usize,
            first in -180.0..180.0_f64,
            third in -180.0..180.0_f64,
            exponent in -18.0..0.0_f64,
            pole in prop::sample::select(vec![-90.0, 90.0, 270.0]),
            start in prop::array::uniform3(-400.0..400.0_f64),
        ) {
            let axes = ORDERS[order];
            let wanted = rotation(&axes, &[first, pole + 10_f64.powf(exponent), third]);
            let mut found = start;
            nearest_angles(&wanted, &axes, &FREE, &mut found);
            prop_assert!(apart(&wanted, &rotation(&axes, &found)) < 5e-13);
        }
    }

    #[test]
    fn at_gimbal_lock_the_first_angle_stays() {
        for axes in ORDERS {
            let mut found = [25.0, 80.0, 10.0];
            nearest_angles(&rotation(&axes, &[70.0, 90.0, 0.0]), &axes, &FREE, &mut found);
            assert!((found[0] - 25.0).abs() < 1e-9 && (found[1] - 90.0).abs() < 1e-6, "{found:?}");
        }
    }

    #[test]
    fn the_first_frame_is_nearest_to_zero() {
        for axes in ORDERS {
            let mut found = [0.0; 3];
            nearest_angles(&rotation(&axes, &[200.0, 170.0, -190.0]), &axes, &FREE, &mut found);
            for (found, expected) in found.iter().zip([20.0, 10.0, -10.0]) {
                assert!((found - expected).abs() < 1e-10, "{axes:?}: {found} {expected}");
            }
        }
    }

    #[test]
    fn many_turns_are_followed() {
        let axes = ORDERS[4];
        let mut found = [0.0; 3];
        for step in 0..200 {
            let wanted = [f64::from(step) * 17.0, 30.0, f64::from(step) * -23.0];
            nearest_angles(&rotation(&axes, &wanted), &axes, &FREE, &mut found);
            for (found, wanted) in found.iter().zip(wanted) {
                assert!((found - wanted).abs() < 1e-9, "{found} {wanted}");
            }
        }
    }

    #[test]
    fn a_range_that_nothing_reaches_changes_nothing() {
        let axes = ORDERS[0];
        let wanted = rotation(&axes, &[20.0, 30.0, 40.0]);
        let mut found = [0.0; 3];
        nearest_angles(&wanted, &axes, &[[50.0, 60.0], FREE[1], FREE[2]], &mut found);
        assert!(apart(&wanted, &rotation(&axes, &found)) < 1e-13 && found[0] < 21.0, "{found:?}");
    }

    #[test]
    fn one_and_two_axes() {
        let mut found = [350.0];
        nearest_angles(&rotation(&[Axis::Y], &[10.0]), &[Axis::Y], &FREE, &mut found);
        assert!((found[0] - 370.0).abs() < 1e-10);
        let axes = [Axis::Z, Axis::Y];
        let mut found = [170.0, 0.0];
        nearest_angles(&rotation(&axes, &[-175.0, 100.0]), &axes, &FREE, &mut found);
        assert!((found[0] - 185.0).abs() < 1e-10 && (found[1] - 100.0).abs() < 1e-10);
        let mut found = [170.0, 0.0];
        let ranges = [[-180.0, 180.0], [400.0, 460.0]];
        nearest_angles(&rotation(&axes, &[-175.0, 100.0]), &axes, &ranges, &mut found);
        assert!((found[0] + 175.0).abs() < 1e-10 && found[1] == 460.0, "{found:?}");
    }
}
