//! Soles of both bodies: what of them is compared, and how far their points are from the skin.

use nalgebra::Vector3;
use rebone_body::body::{Anatomy, METRES_PER_CENTIMETRE, Sole};
use rebone_skeleton::JointId;

/// Index of the ball among the points of a sole.
pub(crate) const BALL: usize = 1;

/// Height of the lowest joint of a foot over its sole where nothing shows it, metres: 2 cm of a body of 1.8 m.
const DEFAULT_SOLE_METRES: f64 = 2.0 * METRES_PER_CENTIMETRE;

/// Returns the soles of both bodies, left and right, and their thickness below these points. Toe tips count if both
/// bodies have them, or the target has a mesh. A foot whose front is not known gets the other body's sole, scaled.
pub(crate) fn soles(bodies: [&Anatomy; 2], scale: f64) -> [([Sole; 2], f64); 2] {
    let tips = bodies[1].skin_soles.is_some() || bodies.iter().all(|own| own.has_toe_tips());
    let [mut source, mut target] = bodies.map(|anatomy| anatomy.soles_with(tips));
    if tips && !bodies[0].has_toe_tips() {
        // At the ball: toes that the source does not bend would go through the floor.
        source.iter_mut().for_each(|sole| sole[2] = sole[BALL]);
    }
    for (from, to) in source.iter_mut().zip(&mut target) {
        match (from[BALL], to[BALL]) {
            (None, Some(_)) => *from = lent(*from, *to, 1.0 / scale),
            (Some(_), None) => *to = lent(*to, *from, scale),
            _ => {}
        }
    }
    let [from, to] = thicknesses(bodies, scale);
    [(source, from), (target, to)]
}

/// Returns the sole of another body, scaled, at the level of the own one where an end below the ankle shows it.
fn lent(own: Sole, [heel, ball, _]: Sole, scale: f64) -> Sole {
    let level = own[0].map(|heel| heel.y).filter(|&level| level < 0.0);
    let place = |place: Vector3<f64>| {
        Vector3::new(place.x * scale, level.unwrap_or(place.y * scale), place.z * scale)
    };
    [heel.map(place), ball.map(place), None]
}

/// Least height of the lowest joint of a standing foot that shows its sole, metres: 1 cm of a body of 1.8 m. Rest poses of
/// exporters stand with their lowest joint on zero, whatever the sole is.
const MIN_SOLE_METRES: f64 = METRES_PER_CENTIMETRE;
/// Largest difference between the heights of a foot in a rest pose and in a motion of one rig, metres: 1.5 cm of a body of
/// 1.8 m.
const MAX_SOLE_SCATTER_METRES: f64 = 1.5 * METRES_PER_CENTIMETRE;
/// Thighs and feet are of one shape whose lengths, scaled, are equal to this share.
const SAME_SHAPE_SHARE: f64 = 0.02;

/// Returns the thickness of both bodies' soles below their points: none below those of a mesh. Of two bodies without one
/// the joints stand at one level, unless feet of other shapes show soles that differ by more than they scatter: what the
/// target's are thicker by, negative where they are thinner.
fn thicknesses(bodies: [&Anatomy; 2], scale: f64) -> [f64; 2] {
    let [has_skin, target_has_skin] = bodies.map(|anatomy| anatomy.skin_soles.is_some());
    let height = |anatomy: &Anatomy| match anatomy.skin_soles {
        Some(_) => Some(0.0),
        None => anatomy.sole_height,
    };
    let heights = bodies.map(height);
    if has_skin || target_has_skin {
        let [from, to] = heights;
        return [from.unwrap_or(DEFAULT_SOLE_METRES), to.unwrap_or(DEFAULT_SOLE_METRES * scale)];
    }
    let shown = heights.map(|height| height.filter(|&height| height >= MIN_SOLE_METRES));
    let [Some(from), Some(to)] = shown else { return [0.0, 0.0] };
    if has_same_legs(bodies, scale) {
        return [0.0, 0.0];
    }
    let difference = to - scale * from;
    [0.0, difference - difference.clamp(-MAX_SOLE_SCATTER_METRES, MAX_SOLE_SCATTER_METRES)]
}

/// Returns whether legs and feet of both bodies are of one shape, whatever their rest poses are.
fn has_same_legs(bodies: [&Anatomy; 2], scale: f64) -> bool {
    let lengths = |anatomy: &Anatomy, side: usize| {
        let leg = &anatomy.body.legs[side];
        let to =
            |joint: JointId, from: JointId| (anatomy.place(joint) - anatomy.place(from)).norm();
        (to(leg.lower, leg.upper), leg.toes.map(|toes| to(toes, leg.foot)))
    };
    let is_same = |from: f64, to: f64| (scale * from - to).abs() <= SAME_SHAPE_SHARE * to;
    [0, 1].into_iter().all(|side| {
        let [(thigh, foot), (to_thigh, to_foot)] = bodies.map(|anatomy| lengths(anatomy, side));
        is_same(thigh, to_thigh) && foot.zip(to_foot).is_none_or(|(from, to)| is_same(from, to))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebone_body::analyse;
    use rebone_body::analyse::Hints;
    use rebone_samples as samples;

    #[test]
    fn soles_of_other_feet_count_by_what_they_do_not_scatter() {
        let of = |sample: &samples::Sample| analyse(&sample.motion, &Hints::default()).unwrap();
        let source = of(&samples::walk());
        let rigs = samples::rigs();
        let other = rigs.iter().map(of).find(|rig| !has_same_legs([&source, rig], 1.0)).unwrap();
        let with = |anatomy: &Anatomy, sole_height| {
            let mut other = anatomy.clone();
            other.sole_height = sole_height;
            other
        };
        let centimetres = |from: f64, to: f64, target: &Anatomy| {
            let [from, to] = [from, to].map(|height| Some(height * METRES_PER_CENTIMETRE));
            let [of_source, of_target] =
                thicknesses([&with(&source, from), &with(target, to)], 1.0);
            assert_eq!(of_source, 0.0);
            of_target / METRES_PER_CENTIMETRE
        };
        for (from, to, expected) in
            [(5.0, 2.0, -1.5), (2.0, 5.0, 1.5), (3.0, 2.0, 0.0), (5.0, 0.5, 0.0), (0.5, 5.0, 0.0)]
        {
            let found = centimetres(from, to, &other);
            assert!((found - expected).abs() < 1e-9, "{from} and {to} give {found}");
            assert_eq!(centimetres(from, to, &source), 0.0, "legs of one shape");
        }
        assert_eq!(thicknesses([&with(&source, None), &with(&other, Some(0.05))], 1.0), [0.0; 2]);
    }
}
