//! One frame from several readings of it.

use crate::calibrate::fusion::estimate::Estimate;
use nalgebra::{Matrix3, Matrix4, Matrix4x3, Quaternion, SymmetricEigen, UnitQuaternion, Vector3};
use std::cmp::Ordering;

/// Systematic error, which more readings do not lessen (where a suit sits, how far a rest
/// pose is from what it is taken for), radians: a frame that was pooled may be off by as much.
const SYSTEMATIC_SIGMA_RADIANS: f64 = 4_f64.to_radians();

/// No reading is surer than this, radians: a frame that stands exactly on a bone is exact on that bone
/// alone.
const MIN_SIGMA_RAD: f64 = 1_f64.to_radians();

/// Two readings contradict each other whose difference is larger in units of what they say, squared: one in a thousand pairs of
/// three angles that are as sure as they say (χ² of three degrees of freedom).
const MAX_CHI_SQUARE: f64 = 16.27;

/// The frame that readings say together.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fused {
    pub(crate) estimate: Estimate,
    /// Readings that the others contradict, by their places, each with the angle that it is off, radians.
    pub(crate) left_out: Vec<(usize, f64)>,
}

/// The frame that several readings say together, without those that contradict them.
///
/// Of readings that contradict each other those count that agree with the reading whose like are surest together: with `w =
/// 1/σ²` of the least sure axis, the largest sum of `w`. Of two, that is the surer one. Where the others are still so far
/// apart that all together would be less sure than the surest of them, the one that is farthest from the rest goes as well.
///
/// The order of the readings changes nothing, to the bit. `None` where there are none.
pub(crate) fn fuse_rotations(readings: &[Estimate]) -> Option<Fused> {
    let mut kept: Vec<usize> = (0..readings.len()).collect();
    kept.sort_by(|&a, &b| order(&information(&readings[a]), &information(&readings[b])));
    kept = surest_group(readings, &kept)?;
    let of = |kept: &[usize]| -> Vec<Estimate> { kept.iter().map(|&k| readings[k]).collect() };
    let mut estimate = pool(&of(&kept))?;
    let surest = |kept: &[usize]| -> f64 {
        kept.iter().map(|&k| readings[k].1.max()).fold(f64::INFINITY, f64::min)
    };
    while kept.len() > 1 && estimate.1.max() > surest(&kept).max(SYSTEMATIC_SIGMA_RADIANS) {
        let rest = |k: usize| -> Vec<usize> { kept.iter().copied().filter(|&o| o != k).collect() };
        let off = |k: usize| {
            pool(&of(&rest(k)))
                .map_or(0.0, |(frame, _)| chi_square(&(frame, readings[k].1), &readings[k]))
        };
        let worst = kept.iter().copied().max_by(|&a, &b| off(a).total_cmp(&off(b)))?;
        kept = rest(worst);
        estimate = pool(&of(&kept))?;
    }
    let off = |k: usize| estimate.0.angle_to(&readings[k].0);
    let is_same = |a: usize, b: usize| information(&readings[a]) == information(&readings[b]);
    let is_out = |&k: &usize| !kept.iter().any(|&own| is_same(own, k));
    let left_out = (0..readings.len()).filter(is_out).map(|k| (k, off(k))).collect();
    Some(Fused { estimate, left_out })
}

/// The readings that agree with one of them, whose like are surest together; `order` is an order of all of them.
fn surest_group(readings: &[Estimate], order: &[usize]) -> Option<Vec<usize>> {
    let mut different = order.to_vec();
    different.dedup_by(|a, b| information(&readings[*a]) == information(&readings[*b]));
    let weight = |k: usize| readings[k].1.max().max(MIN_SIGMA_RAD).powi(-2);
    let agrees =
        |seed: usize, k: usize| chi_square(&readings[seed], &readings[k]) <= MAX_CHI_SQUARE;
    let group = |seed: usize| different.iter().copied().filter(move |&k| agrees(seed, k));
    let sums = different.iter().map(|&seed| (seed, group(seed).map(weight).sum::<f64>()));
    let first = sums.reduce(|best, next| if next.1 > best.1 { next } else { best })?.0;
    Some(group(first).collect())
}

/// The squared difference of two readings about each axis in units of what both say, about the axes of the first.
fn chi_square(a: &Estimate, b: &Estimate) -> f64 {
    let off = (a.0.inverse() * b.0).scaled_axis();
    let variance =
        |axis: usize| [a, b].map(|r| r.1[axis].max(MIN_SIGMA_RAD).powi(2)).iter().sum::<f64>();
    (0..3).map(|axis| off[axis].powi(2) / variance(axis)).sum()
}

/// The frame of all readings, and how far it may be off about its own axes.
///
/// A reading `(p, σ)` has the probability `exp(−½ qᵀ A q)` to come from the frame `q`, with
/// `A = Σₖ 4/σₖ² (p eₖ)(p eₖ)ᵀ` over the axes `eₖ`: the density of Bingham (*An Antipodally Symmetric
/// Distribution on the Sphere*, 1974), which does not see the sign of a quaternion. `(p eₖ)·q` is half the
/// angle between the two about axis k, to first order. Of many readings the sum of the `A` says all: its
/// lowest eigenvector is the frame (where the σ are one number, that is the mean of
/// [`rotation::mean`](rebone_skeleton::rotation::mean), weighted by precision), its lowest eigenvalue
/// `χ²`. Where readings are further apart than they say, `χ² > 3 (n − 1)`, the deviations grow by the
/// root of that ratio.
///
/// Breaks where readings are opposite: of two half a turn apart the surer one wins.
///
/// The order of the readings changes nothing, to the bit; one that is there twice counts once, for one
/// rest pose that many clips share is one witness. `None` where there are none.
fn pool(readings: &[Estimate]) -> Option<Estimate> {
    let (sum, count) = sum(readings.iter().map(information).collect());
    let eigen = SymmetricEigen::new(sum);
    let lowest = eigen.eigenvalues.imin();
    let chi_square = eigen.eigenvalues[lowest].max(0.0);
    let vector = eigen.eigenvectors.column(lowest).into_owned();
    let frame = UnitQuaternion::from_quaternion(Quaternion::from_vector(vector));
    let axes = about_axes(&frame);
    let precision = axes.transpose() * (sum - Matrix4::identity() * chi_square) * axes / 4.0;
    let freedom = 3.0 * count.checked_sub(1)? as f64;
    let spread = if freedom > 0.0 { (chi_square / freedom).max(1.0) } else { 1.0 };
    let variances = precision.try_inverse().unwrap_or(Matrix3::repeat(f64::INFINITY)).diagonal();
    let surest =
        |axis: usize| readings.iter().map(|r| r.1[axis]).fold(SYSTEMATIC_SIGMA_RADIANS, f64::min);
    let sigma = |axis: usize| (spread * variances[axis]).sqrt().max(surest(axis));
    Some((frame, Vector3::from_fn(|axis, _| sigma(axis))))
}

/// The mean of rotations that count alike, in whatever order. `None` where there are none.
pub(crate) fn mean(rotations: &[UnitQuaternion<f64>]) -> Option<UnitQuaternion<f64>> {
    let (sum, _) = sum(rotations.iter().map(|q| q.coords * q.coords.transpose()).collect());
    let eigen = SymmetricEigen::new(sum);
    let top = eigen.eigenvectors.column(eigen.eigenvalues.imax()).into_owned();
    let any = !rotations.is_empty();
    any.then(|| UnitQuaternion::from_quaternion(Quaternion::from_vector(top)))
}

/// `A` of one reading.
fn information((frame, sigma): &Estimate) -> Matrix4<f64> {
    let weights = sigma.map(|sigma| 4.0 / sigma.max(MIN_SIGMA_RAD).powi(2));
    let axes = about_axes(frame);
    axes * Matrix3::from_diagonal(&weights) * axes.transpose()
}

/// Derivatives of `q` about its own axes: the quaternions `q eₖ`.
fn about_axes(q: &UnitQuaternion<f64>) -> Matrix4x3<f64> {
    let axis = |axis: Vector3<f64>| (q.into_inner() * Quaternion::from_imag(axis)).coords;
    Matrix4x3::from_columns(&[Vector3::x(), Vector3::y(), Vector3::z()].map(axis))
}

/// The sum of different matrices and how many these are. Sums of floats depend on their order, so they
/// are put in order first.
fn sum(mut parts: Vec<Matrix4<f64>>) -> (Matrix4<f64>, usize) {
    parts.sort_by(order);
    parts.dedup();
    (parts.iter().sum(), parts.len())
}

/// An order of matrices by their elements.
fn order(a: &Matrix4<f64>, b: &Matrix4<f64>) -> Ordering {
    let pairs = a.iter().zip(b.iter());
    pairs.map(|(a, b)| a.total_cmp(b)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn turned(turn: [f64; 3]) -> UnitQuaternion<f64> {
        UnitQuaternion::from_scaled_axis(Vector3::from(turn))
    }

    fn readings() -> impl Strategy<Value = Vec<Estimate>> {
        let angles = prop::array::uniform3(-3.0..3.0);
        let reading = (angles, prop::array::uniform3(0.02..0.6));
        let reading = reading.prop_map(|(turn, sigma)| (turned(turn), Vector3::from(sigma)));
        prop::collection::vec(reading, 1..6)
    }

    #[test]
    fn what_one_reading_knows_of_an_axis_the_other_lacks() {
        let (a, b) = (turned([0.1, 0.0, 0.0]), turned([0.0, 0.0, 0.2]));
        let sure_of_z = (a, Vector3::new(0.5, 0.5, 0.1));
        let sure_of_x = (b, Vector3::new(0.1, 0.5, 0.5));
        let (frame, sigma) = fuse_rotations(&[sure_of_z, sure_of_x]).unwrap().estimate;
        let turn = frame.scaled_axis();
        assert!((turn.x - 0.1 / 26.0).abs() < 1e-3 && (turn.z - 0.2 / 26.0).abs() < 1e-3, "{turn}");
        assert!((sigma.x - 0.098).abs() < 0.01 && (sigma.y - 0.354).abs() < 0.01, "{sigma}");
    }

    #[test]
    fn no_number_of_readings_lessens_what_is_systematic() {
        let near = |k: usize| (turned([0.001 * k as f64, 0.0, 0.0]), Vector3::repeat(0.2));
        let many: Vec<Estimate> = (0..100).map(near).collect();
        assert_eq!(
            fuse_rotations(&many).unwrap().estimate.1,
            Vector3::repeat(SYSTEMATIC_SIGMA_RADIANS)
        );
        let twice = [many[0], many[0]];
        assert!(
            (fuse_rotations(&twice).unwrap().estimate.1 - Vector3::repeat(0.2)).norm() < 1e-9,
            "one witness"
        );
        assert_eq!(fuse_rotations(&[]), None);
    }

    #[test]
    fn of_two_that_contradict_each_other_the_surer_counts() {
        let sure = (turned([0.0; 3]), Vector3::repeat(0.15));
        let flipped = (turned([0.0, 0.0, 3.0]), Vector3::repeat(0.16));
        let fused = fuse_rotations(&[flipped, sure]).unwrap();
        assert!(fused.estimate.0.angle() < 1e-9 && (fused.estimate.1 - sure.1).norm() < 1e-9);
        assert_eq!(fused.left_out.len(), 1);
        assert!(fused.left_out[0].0 == 0 && (fused.left_out[0].1 - 3.0).abs() < 1e-9);
    }

    #[test]
    fn one_that_many_contradict_is_left_out_of_frame_and_deviation() {
        let near = |k: usize| (turned([0.02 * k as f64, 0.0, 0.0]), Vector3::repeat(0.2));
        let mut all: Vec<Estimate> = (0..4).map(near).collect();
        let without = fuse_rotations(&all).unwrap();
        all.push((turned([0.0, 3.1, 0.0]), Vector3::repeat(0.15)));
        let fused = fuse_rotations(&all).unwrap();
        assert_eq!(fused.estimate, without.estimate);
        assert!(fused.left_out.len() == 1 && fused.left_out[0].0 == 4, "{fused:?}");
    }

    #[test]
    fn two_that_many_contradict_do_not_hide_each_other() {
        let good = |k: usize| (turned([0.02 * k as f64, 0.0, 0.0]), Vector3::repeat(0.2));
        let turned_over =
            |k: usize| (turned([0.0, 0.0, 3.0 + 0.01 * k as f64]), Vector3::repeat(0.2));
        let all: Vec<Estimate> = (0..3).map(good).chain((0..2).map(turned_over)).collect();
        let fused = fuse_rotations(&all).unwrap();
        let left_out: Vec<usize> = fused.left_out.iter().map(|(k, _)| *k).collect();
        assert_eq!(left_out, [3, 4]);
        assert!(fused.estimate.0.angle() < 0.05 && fused.estimate.1.max() < 0.2);
    }

    #[test]
    fn readings_that_are_further_apart_than_they_say_are_less_sure() {
        let apart = [turned([0.2, 0.0, 0.0]), turned([-0.2, 0.0, 0.0])];
        let (frame, sigma) = pool(&apart.map(|q| (q, Vector3::repeat(0.1)))).unwrap();
        assert!(frame.angle() < 1e-9);
        assert!(sigma.x > 0.1, "{sigma}");
    }

    proptest! {
        #[test]
        fn one_reading_is_itself(turn in prop::array::uniform3(-3.0..3.0), sigma in prop::array::uniform3(0.1..3.0)) {
            let reading = (turned(turn), Vector3::from(sigma));
            let (frame, found) = fuse_rotations(&[reading]).unwrap().estimate;
            prop_assert!(frame.angle_to(&reading.0) < 1e-9);
            prop_assert!((found - reading.1).norm() < 1e-6 * reading.1.norm());
        }

        #[test]
        fn together_they_are_as_sure_as_the_surest_that_counts(readings in readings()) {
            let fused = fuse_rotations(&readings).unwrap();
            let is_kept = |k: &usize| fused.left_out.iter().all(|(out, _)| out != k);
            let kept = (0..readings.len()).filter(is_kept).map(|k| readings[k].1.max());
            let surest = kept.fold(f64::INFINITY, f64::min).max(SYSTEMATIC_SIGMA_RADIANS);
            prop_assert!(fused.estimate.1.max() <= surest * (1.0 + 1e-6));
        }

        #[test]
        fn order_and_sign_change_no_bit(mut readings in readings(), first in 0usize..6) {
            let estimate = |readings: &[Estimate]| fuse_rotations(readings).map(|fused| fused.estimate);
            let found = estimate(&readings);
            let first = first % readings.len();
            readings.rotate_left(first);
            readings.reverse();
            readings[0].0 = UnitQuaternion::new_unchecked(-readings[0].0.into_inner());
            prop_assert_eq!(estimate(&readings), found);
        }
    }
}
