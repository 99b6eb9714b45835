//! Sines, cosines and arctangents of many numbers at once: to the bit those of `libm`, at half the cost.
//!
//! The methods are those of fdlibm, as in `libm`, without a branch, so that a compiler does several
//! numbers with one instruction. Where that is not enough, `libm` is asked.

use std::f64::consts::{FRAC_2_PI, FRAC_PI_2, FRAC_PI_4, PI};

/// Sine and cosine of an angle, radians.
#[inline]
pub(super) fn sine_and_cosine(angle: f64) -> (f64, f64) {
    if angle.abs() < QUARTER {
        let (sine, _, cosine) = near_zero(angle, 0.0);
        return (sine, cosine);
    }
    libm::sincos(angle)
}

/// The same of each angle.
pub(super) fn sines_and_cosines(angles: &[f64], sines: &mut [f64], cosines: &mut [f64]) {
    let mut all_are_right = true;
    for ((&angle, sine), cosine) in angles.iter().zip(&mut *sines).zip(&mut *cosines) {
        let is_right;
        (*sine, *cosine, is_right) = reduced(angle);
        all_are_right &= is_right;
    }
    if !all_are_right {
        for ((&angle, sine), cosine) in angles.iter().zip(sines).zip(cosines) {
            if !reduced(angle).2 {
                (*sine, *cosine) = libm::sincos(angle);
            }
        }
    }
}

/// The angle of each point from the X axis, radians, from −π to π.
pub(super) fn arctangents(y: &[f64], x: &[f64], angles: &mut [f64]) {
    let mut all_are_right = true;
    for ((&y, &x), angle) in y.iter().zip(x).zip(&mut *angles) {
        let is_right;
        (*angle, is_right) = arctangent(y, x);
        all_are_right &= is_right;
    }
    if !all_are_right {
        for ((&y, &x), angle) in y.iter().zip(x).zip(angles) {
            if !arctangent(y, x).1 {
                *angle = libm::atan2(y, x);
            }
        }
    }
}

/// π/2 in two parts, the first with 33 bits: its product with a small whole number is exact.
const HALF_PI: [f64; 2] =
    [f64::from_bits(0x3FF9_21FB_5440_0000), f64::from_bits(0x3DD0_B461_1A62_6331)];
/// Added and taken off again it leaves a whole number, which are then the lowest bits.
const TO_WHOLE: f64 = 1.5 / f64::EPSILON;
/// A little less than π/4: where `libm` takes off the same multiple.
const QUARTER: f64 = FRAC_PI_4 - 1e-5;
/// So much cancellation leaves an angle exact enough.
const CANCELLED: f64 = 1.0 / 32768.0;
/// Greater angles have multiples that are not small.
const FAR: f64 = 1e5;

/// Coefficients of sin x and cos x for |x| < π/4, from x³ and x⁴ on (fdlibm, `__kernel_sin`, `__kernel_cos`).
const SIN: [f64; 6] = [
    -1.666_666_666_666_663_2e-1,
    8.333_333_333_322_49e-3,
    -1.984_126_982_985_795e-4,
    2.755_731_370_707_006_8e-6,
    -2.505_076_025_340_686_3e-8,
    1.589_690_995_211_55e-10,
];
const COS: [f64; 6] = [
    4.166_666_666_666_66e-2,
    -1.388_888_888_887_411e-3,
    2.480_158_728_947_673e-5,
    -2.755_731_435_139_066_3e-7,
    2.087_572_321_298_175e-9,
    -1.135_964_755_778_819_5e-11,
];

/// Sine, cosine, and whether they are right.
///
/// The nearest multiple of π/2 is taken off in two parts (Cody & Waite, *Software Manual for the
/// Elementary Functions*, 1980).
#[inline(always)]
fn reduced(angle: f64) -> (f64, f64, bool) {
    let shifted = angle * FRAC_2_PI + TO_WHOLE;
    let (whole, quadrant) = (shifted - TO_WHOLE, shifted.to_bits());
    let (rest, low) = (angle - whole * HALF_PI[0], whole * HALF_PI[1]);
    let x = rest - low;
    let (as_it_is, reduced, cosine) = near_zero(x, (rest - x) - low);
    let sine = if whole == 0.0 { as_it_is } else { reduced };
    let is_right = (x.abs() < QUARTER)
        & (angle.abs() < FAR)
        & ((whole == 0.0) | (x.abs() >= angle.abs() * CANCELLED));
    // Each quarter of a turn swaps the two and turns one's sign.
    let swapped = (sine.to_bits() ^ cosine.to_bits()) & 0_u64.wrapping_sub(quadrant & 1);
    let minus = [quadrant & 2, (quadrant + 1) & 2].map(|bit| bit << 62);
    let sine = f64::from_bits((sine.to_bits() ^ swapped) ^ minus[0]);
    let cosine = f64::from_bits((cosine.to_bits() ^ swapped) ^ minus[1]);
    (sine, cosine, is_right)
}

/// Sine of x, sine of x + y, and cosine of x + y, where y is what is missing in x.
#[inline(always)]
fn near_zero(x: f64, y: f64) -> (f64, f64, f64) {
    let z = x * x;
    let w = z * z;
    let r = SIN[1] + z * (SIN[2] + z * SIN[3]) + z * w * (SIN[4] + z * SIN[5]);
    let v = z * x;
    let sine = x + v * (SIN[0] + z * r);
    let sine_of_both = x - ((z * (0.5 * y - v * r) - y) - v * SIN[0]);
    let r = z * (COS[0] + z * (COS[1] + z * COS[2])) + w * w * (COS[3] + z * (COS[4] + z * COS[5]));
    let half = 0.5 * z;
    let near = 1.0 - half;
    (sine, sine_of_both, near + (((1.0 - near) - half) + (z * r - x * y)))
}

/// Coefficients of atan x for |x| < 7/16, from x³ on (fdlibm, `atan`).
const ATAN: [f64; 11] = [
    3.333_333_333_333_293e-1,
    -1.999_999_999_987_648_3e-1,
    1.428_571_427_250_346_6e-1,
    -1.111_111_040_546_235_6e-1,
    9.090_887_133_436_507e-2,
    -7.691_876_205_044_83e-2,
    6.661_073_137_387_531e-2,
    -5.833_570_133_790_573_5e-2,
    4.976_877_994_615_932e-2,
    -3.653_157_274_421_691_6e-2,
    1.628_582_011_536_578_2e-2,
];
/// The points (1, 0), (2, 1), (1, 1), (1, 3/2) and (0, 1), and the angle of each in two parts.
const KNOWN: [[f64; 4]; 5] = [
    [1.0, 0.0, 0.0, 0.0],
    [2.0, 1.0, 4.636_476_090_008_061e-1, 2.269_877_745_296_168_7e-17],
    [1.0, 1.0, FRAC_PI_4, 3.061_616_997_868_383e-17],
    [1.0, 1.5, 9.827_937_232_473_29e-1, 1.390_331_103_123_099_8e-17],
    [0.0, 1.0, FRAC_PI_2, 6.123_233_995_736_766e-17],
];
/// The least slopes that are nearer to one of [`KNOWN`] than to the one before.
const FROM: [f64; 4] = [0.4375, 0.6875, 1.1875, 2.4375];
/// What π is more than its `f64`.
const PI_LOW: f64 = 1.224_646_799_147_353_2e-16;
/// Slopes that are not steeper, and not flatter than its inverse.
const STEEP: f64 = (1_u64 << 60) as f64;

/// The angle, and whether it is right.
///
/// It is that of the nearest of [`KNOWN`] and the one from there on.
#[inline(always)]
fn arctangent(y: f64, x: f64) -> (f64, bool) {
    let slope = y.abs() / x.abs();
    let mut nearest = KNOWN[0];
    for (from, known) in FROM.iter().zip(&KNOWN[1..]) {
        for (number, known) in nearest.iter_mut().zip(known) {
            *number = if slope >= *from { *known } else { *number };
        }
    }
    let [near_x, near_y, angle, angle_low] = nearest;
    let rest = (near_x * slope - near_y) / (near_x + near_y * slope);
    let z = rest * rest;
    let w = z * z;
    let odd = ATAN[4] + w * (ATAN[6] + w * (ATAN[8] + w * ATAN[10]));
    let odd = z * (ATAN[0] + w * (ATAN[2] + w * odd));
    let even = w * (ATAN[1] + w * (ATAN[3] + w * (ATAN[5] + w * (ATAN[7] + w * ATAN[9]))));
    let angle = angle - ((rest * (odd + even) - angle_low) - rest);
    let angle = if x.is_sign_negative() { PI - (angle - PI_LOW) } else { angle };
    let is_right = (slope < STEEP) & ((slope > 1.0 / STEEP) | (y == 0.0));
    (angle.copysign(y), is_right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn same(a: f64, b: f64) -> bool {
        a.to_bits() == b.to_bits()
    }

    fn assert_sines(angles: &[f64]) {
        let (mut sines, mut cosines) = (vec![0.0; angles.len()], vec![0.0; angles.len()]);
        sines_and_cosines(angles, &mut sines, &mut cosines);
        for (&angle, found) in angles.iter().zip(sines.iter().zip(&cosines)) {
            let (sine, cosine) = libm::sincos(angle);
            let one = sine_and_cosine(angle);
            assert!(same(one.0, sine) && same(one.1, cosine), "{angle:e}: {one:?}");
            // Zero has no sign here.
            let fits = same(found.0 + 0.0, sine + 0.0) && same(*found.1, cosine);
            assert!(fits, "{angle:e}: {found:?} is not {sine:e} {cosine:e}");
        }
    }

    fn assert_arctangents(points: &[(f64, f64)]) {
        let (y, x): (Vec<f64>, Vec<f64>) = points.iter().copied().unzip();
        let mut angles = vec![0.0; y.len()];
        arctangents(&y, &x, &mut angles);
        for (&(y, x), &angle) in points.iter().zip(&angles) {
            let expected = libm::atan2(y, x);
            assert!(same(angle, expected), "{y:e} {x:e}: {angle:e} is not {expected:e}");
        }
    }

    #[test]
    fn usual_angles() {
        let degrees = (-72_000..=72_000).map(|k| f64::from(k) / 100.0);
        assert_sines(&degrees.map(|degrees| degrees.to_radians() / 2.0).collect::<Vec<f64>>());
    }

    #[test]
    fn angles_near_eighths_of_a_turn() {
        for eighth in (-4_000..4_000).chain(200_000..200_100) {
            let middle = f64::from(eighth) * PI / 4.0;
            let near = |k: i32| middle * (1.0 + f64::from(k) * 1e-7) + f64::from(k) * 1e-17;
            let bits = |k: i64| f64::from_bits((middle.to_bits() as i64).saturating_add(k) as u64);
            let angles = (-30..30).map(near).chain((-9..9).map(bits));
            assert_sines(&angles.filter(|angle| angle.is_finite()).collect::<Vec<f64>>());
        }
    }

    #[test]
    fn directions_all_around_and_where_the_method_changes() {
        let round = (-18_000..=18_000).map(|k| f64::from(k).to_radians() / 100.0);
        assert_arctangents(&round.map(|angle| (angle.sin(), angle.cos())).collect::<Vec<_>>());
        let ends =
            [0.0, 1.0, 0.4375, 0.6875, 1.1875, 2.4375, 1e-9, 1e-20, 1e20, 1e300, 1e-300, 5e-324];
        let around = |end: f64| (-3..=3).map(move |k| end * (1.0 + f64::from(k) * 1e-16));
        let numbers = ends.into_iter().flat_map(around).chain([f64::INFINITY]);
        let numbers: Vec<f64> = numbers.flat_map(|number| [number, -number]).collect();
        let all = numbers.iter().flat_map(|&y| numbers.iter().map(move |&x| (y, x)));
        assert_arctangents(&all.collect::<Vec<_>>());
    }

    proptest! {
        #[test]
        fn numbers_of_any_size(
            numbers in prop::collection::vec(
                prop_oneof![-7.0..7.0_f64, -1e6..1e6_f64, prop::num::f64::NORMAL],
                0..80,
            ),
        ) {
            assert_sines(&numbers);
            assert_arctangents(&numbers.iter().copied().zip(numbers.iter().rev().copied()).collect::<Vec<_>>());
        }
    }
}
