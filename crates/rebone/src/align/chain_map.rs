//! Chain maps: rotations of a chain of any number of joints onto a chain of any other number.

use nalgebra::UnitQuaternion;
use rebone_body::body::Anatomy;
use rebone_skeleton::JointId;

/// Maps rotations between the segments of one chain to those of another.
///
/// A chain is a path of segments `0..=n`; segment `i` turns against segment `i − 1` at a pivot with a
/// place `φᵢ` along the chain. With `δᵢ = Aᵢ₋₁⁻¹ Aᵢ`, a source turn at `φᵢ` between target pivots
/// `φ'ⱼ ≤ φᵢ ≤ φ'ⱼ₊₁` is split into `exp((1−λ) log δᵢ)` at `j` and `exp(λ log δᵢ)` at `j + 1`,
/// `λ = (φᵢ−φ'ⱼ)/(φ'ⱼ₊₁−φ'ⱼ)`: this keeps the zeroth and the first moment of the bend over the chain.
/// Turns outside the target's pivots go whole to the nearest; the last segment closes to the
/// source's last.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ChainMap {
    /// For each source turn: the target pivot `j` (from 0) and the share `λ` of pivot `j + 1`.
    splits: Vec<(usize, f64)>,
    /// The number of target segments, the first included.
    segments: usize,
}

impl ChainMap {
    /// Matches the pivots of two chains by their parameters, which must not decrease.
    pub(crate) fn new(source: &[f64], target: &[f64]) -> Self {
        let ranks = ranks_at_equal_places(source);
        let all = source.iter().zip(ranks);
        let splits = all.filter_map(|(&place, rank)| split(place, rank, target)).collect();
        Self { splits, segments: target.len() + 1 }
    }

    /// Returns the target segment that takes most of the rotation of a source segment, both counted from 0.
    pub(super) fn nearest(&self, segment: usize) -> Option<usize> {
        let &(pivot, share) = self.splits.get(segment.checked_sub(1)?)?;
        Some(pivot + 1 + usize::from(share > 0.5))
    }

    /// Computes the target's segment rotations from the source's, first to last, in one space.
    ///
    /// # Panics
    /// When `target` has not as many segments as the map.
    pub(crate) fn apply(
        &self,
        source: impl Fn(usize) -> UnitQuaternion<f64>,
        target: &mut [UnitQuaternion<f64>],
    ) {
        assert_eq!(target.len(), self.segments, "segments of the target");
        target.fill(UnitQuaternion::identity());
        let turns = &mut target[1..];
        for (i, &(j, share)) in self.splits.iter().enumerate() {
            let turn = source(i).inverse() * source(i + 1);
            if share <= 0.0 {
                turns[j] *= turn;
            } else if share >= 1.0 {
                turns[j + 1] *= turn;
            } else {
                let log = turn.scaled_axis();
                turns[j] *= UnitQuaternion::from_scaled_axis(log * (1.0 - share));
                turns[j + 1] *= UnitQuaternion::from_scaled_axis(log * share);
            }
        }
        target[0] = source(0);
        for j in 1..self.segments {
            target[j] = target[j - 1] * target[j];
        }
        if self.segments > 1 {
            target[self.segments - 1] = source(self.splits.len());
        }
    }
}

/// The pivot left of `place` and the share of the next one; `None` where there is no pivot.
fn split(place: f64, rank: usize, target: &[f64]) -> Option<(usize, f64)> {
    const EQUAL_PARAMETERS: f64 = 1e-9;
    let last = target.len().checked_sub(1)?;
    let equal: Vec<usize> =
        (0..=last).filter(|&j| (target[j] - place).abs() < EQUAL_PARAMETERS).collect();
    if let Some(&first) = equal.first() {
        return Some((equal.get(rank).copied().unwrap_or(first), 0.0));
    }
    Some(match target.iter().rposition(|&pivot| pivot <= place) {
        None => (0, 0.0),
        Some(left) if left == last => (last, 0.0),
        Some(left) => (left, (place - target[left]) / (target[left + 1] - target[left])),
    })
}

/// Counts for each parameter the equal ones before it.
fn ranks_at_equal_places(places: &[f64]) -> Vec<usize> {
    let same =
        |i: usize| places[..i].iter().filter(|&&other| (other - places[i]).abs() < 1e-9).count();
    (0..places.len()).map(same).collect()
}

/// Returns the parameters of the pivots between consecutive joints of `path`: the projection of the pivot in the T
/// pose onto the line from `start` (0) to `end` (1), made non-decreasing.
pub(crate) fn pivot_places(
    anatomy: &Anatomy,
    path: &[JointId],
    start: nalgebra::Vector3<f64>,
    end: nalgebra::Vector3<f64>,
) -> Vec<f64> {
    let axis = end - start;
    let square = axis.norm_squared().max(1e-12);
    let mut reached = f64::NEG_INFINITY;
    path.windows(2)
        .map(|pair| {
            let pivot =
                if anatomy.skeleton[pair[1]].parent == Some(pair[0]) { pair[1] } else { pair[0] };
            reached = reached.max((anatomy.place(pivot) - start).dot(&axis) / square);
            reached
        })
        .collect()
}

/// Pairs pivots of two chains by their positions: those that are nearest to each other and within a
/// hundredth of the way; the last; and the first, where both chains have pivots before these.
pub(crate) fn paired(source: &[f64], target: &[f64]) -> Vec<(usize, usize)> {
    const MAX_PARAMETER_DISTANCE: f64 = 0.01;
    let last = source.len().checked_sub(1).zip(target.len().checked_sub(1));
    let Some((last, target_last)) = last else { return Vec::new() };
    let nearest = |place: f64, of: &[f64]| {
        let off = |&k: &usize| (of[k] - place).abs();
        (0..of.len()).min_by(|a, b| off(a).total_cmp(&off(b)))
    };
    let near = |i: usize| {
        let j = nearest(source[i], target).filter(|&j| j < target_last)?;
        let near = (source[i] - target[j]).abs() < MAX_PARAMETER_DISTANCE
            && nearest(target[j], source)? == i;
        near.then_some((i, j))
    };
    let mut pairs: Vec<_> = (0..last).filter_map(near).chain([(last, target_last)]).collect();
    if pairs[0].0.min(pairs[0].1) > 0 {
        pairs.insert(0, (0, 0));
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Vector3;

    fn bend(degrees: f64) -> UnitQuaternion<f64> {
        UnitQuaternion::from_axis_angle(&Vector3::x_axis(), degrees.to_radians())
    }

    #[test]
    fn a_turn_between_two_pivots_is_shared_by_distance() {
        let map = ChainMap::new(&[0.5], &[0.25, 0.75, 0.9]);
        let mut target = [UnitQuaternion::identity(); 4];
        map.apply(|place| [bend(0.0), bend(30.0)][place], &mut target);
        let expected = [0.0, 15.0, 30.0, 30.0];
        for (frame, degrees) in target.iter().zip(expected) {
            assert!(frame.angle_to(&bend(degrees)) < 1e-12);
        }
    }

    #[test]
    fn coinciding_pivots_are_exact_and_still_joints_change_nothing() {
        let map = ChainMap::new(&[0.1, 0.4], &[0.1, 0.2, 0.4]);
        let source = [bend(5.0), bend(25.0), bend(-10.0)];
        let mut target = [UnitQuaternion::identity(); 4];
        map.apply(|place| source[place], &mut target);
        assert_eq!(target[1].angle_to(&source[1]), 0.0);
        assert_eq!(target[2].angle_to(&source[1]), 0.0);
        assert_eq!(target[3], source[2]);
    }

    #[test]
    fn bases_of_necks_pair_but_where_joints_are_at_one_place() {
        assert_eq!(paired(&[0.0, 0.5, 1.0], &[0.25, 1.0]), [(0, 0), (2, 1)]);
        assert_eq!(paired(&[0.1, 1.0], &[-0.4, 0.1, 1.0]), [(0, 1), (1, 2)]);
        assert_eq!(paired(&[-0.4, 0.1, 1.0], &[0.1, 0.5, 1.0]), [(1, 0), (2, 2)]);
        assert_eq!(paired(&[1.0], &[0.1, 1.0]), [(0, 1)]);
        assert_eq!(paired(&[1.0], &[]), []);
    }

    #[test]
    fn turns_at_one_place_pair_in_order() {
        let map = ChainMap::new(&[0.1, 0.1], &[0.1, 0.1]);
        assert_eq!(map.splits, [(0, 0.0), (1, 0.0)]);
        let surplus = ChainMap::new(&[0.1, 0.1, 0.1], &[0.1, 0.1]);
        assert_eq!(surplus.splits[2], (0, 0.0));
    }
}
