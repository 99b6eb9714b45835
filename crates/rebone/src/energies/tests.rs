//! Each energy by hand, and the gradient of all against finite differences.

use super::body::VariableBody;
use super::objective::{EnergyFrame, Objective};
use super::penetration::Penetration;
use super::points::{Point, ends, sole_points};
use crate::align;
use crate::align::Plan;
use crate::contacts::Terrain;
use crate::math::Knots;
use crate::options::{Method, Options};
use crate::surface::SurfacePair;
use nalgebra::Vector3;
use rebone_body::analyse::{Hints, analyse};
use rebone_body::body::surface::Surface;
use rebone_body::body::{BODY_HEIGHT, BodySegment, Side};
use rebone_samples as samples;
use rebone_skeleton::WorldPose;

const FRAMES: usize = 6;
const FRAME_SECONDS: f64 = 1.0 / 30.0;
/// Weights of the energies.
const CONTACTS: f64 = 30.0;
const FEET: f64 = 0.1;
const ROTATIONS: f64 = 10.0;
const ENDS: f64 = 1000.0;

/// The walk onto itself, and its surface.
fn walk() -> (Plan, SurfacePair) {
    let body = analyse(&samples::walk().motion, &Hints::default()).unwrap();
    let options = Options { method: Method::Energies, ..Options::default() };
    let surface = Surface::of(&body);
    let pair = SurfacePair::between([&body, &body], [&surface, &surface]).unwrap();
    (align(&body, &body, &options), pair)
}

/// All parts of an objective, over frames that are alike.
struct Setup<'a> {
    plan: &'a Plan,
    body: VariableBody<'a>,
    ends: [Point; 4],
    terrain: Terrain,
    frame: EnergyFrame,
}

impl<'a> Setup<'a> {
    /// Frames of the walk's first pose, whose source stands still.
    fn new(plan: &'a Plan) -> Self {
        let body = VariableBody::new(plan);
        let start = body.start(&samples::walk().motion.clip.pose(0).unwrap());
        let mut world = WorldPose::zeros(&plan.target.skeleton);
        body.pose(&start, &vec![0.0; body.width()], &mut world);
        let ends = ends(plan);
        let source_ends = ends.each_ref().map(|end| end.place(&world));
        let frame = EnergyFrame { start, pairs: Vec::new(), is_planted: [false; 2], source_ends };
        Self { plan, body, ends, terrain: Terrain::flat(0.0), frame }
    }

    fn world(&self) -> WorldPose {
        let mut world = WorldPose::zeros(&self.plan.target.skeleton);
        self.body.pose(&self.frame.start, &vec![0.0; self.body.width()], &mut world);
        world
    }

    /// Evaluates the energies of `frames`.
    fn evaluate(
        &self,
        (frames, penetration): (Vec<EnergyFrame>, Option<&Penetration>),
        coefficients: Option<&[f64]>,
    ) -> (f64, Vec<f64>) {
        let objective = Objective {
            body: &self.body,
            ends: &self.ends,
            soles: &sole_points(self.plan),
            penetration,
            terrain: &self.terrain,
            frame_time: FRAME_SECONDS,
            knots: Knots::new(frames.len(), FRAME_SECONDS),
            frames,
        };
        let zeros = vec![0.0; objective.variables()];
        let mut gradient = zeros.clone();
        let energy = objective.evaluate(coefficients.unwrap_or(&zeros), &mut gradient);
        (energy, gradient)
    }
}

#[test]
fn a_start_at_rest_without_contacts_has_no_energy() {
    let (plan, _) = walk();
    let setup = Setup::new(&plan);
    let (energy, gradient) = setup.evaluate((vec![setup.frame.clone(); FRAMES], None), None);
    assert!(energy < 1e-20 && gradient.iter().all(|own| own.abs() < 1e-9), "{energy}");
}

#[test]
fn contacts_cost_the_mean_of_their_squared_distances() {
    let (plan, _) = walk();
    let setup = Setup::new(&plan);
    let at = |offset: f64| Point { offset: Vector3::x() * offset, ..setup.ends[2] };
    let pairs = vec![[at(0.0), at(0.1)], [at(0.0), at(0.3)]];
    let frame = EnergyFrame { pairs, ..setup.frame.clone() };
    let (energy, _) = setup.evaluate((vec![frame], None), None);
    let expected = CONTACTS * (0.1 * 0.1 + 0.3 * 0.3) / 2.0;
    assert!((energy - expected).abs() < 1e-12, "{energy}, by hand {expected}");
}

#[test]
fn planted_feet_cost_their_heights_and_velocities() {
    let (plan, _) = walk();
    let mut setup = Setup::new(&plan);
    setup.frame.is_planted = [true, false];
    let world = setup.world();
    let soles = sole_points(&plan);
    let heights = soles.iter().filter(|own| own.side == Side::Left);
    let heights: Vec<f64> = heights.map(|own| own.point.place(&world).y - own.radius).collect();
    assert_eq!(heights.len(), 2);
    let one: f64 = heights.iter().map(|h| FEET * h * h / BODY_HEIGHT).sum();
    let (energy, _) = setup.evaluate((vec![setup.frame.clone()], None), None);
    assert!((energy - one).abs() < 1e-12, "{energy}, by hand {one}");
    // The body moves by 1 cm in a reference frame, and with it both points, all four ends and the offset.
    let mut moved = setup.frame.clone();
    moved.start = setup.body.start(&{
        let mut pose = samples::walk().motion.clip.pose(0).unwrap();
        let up = plan.inner_from_target.inverse() * Vector3::z();
        pose.translations[plan.translation_joint.index()] +=
            up * (0.01 / plan.target.metres_per_unit());
        pose
    });
    let (energy, _) = setup.evaluate((vec![setup.frame.clone(), moved], None), None);
    let feet = 2.0 * FEET * 1e-4 / BODY_HEIGHT;
    let ends = 4.0 * ENDS * 1e-4 / (BODY_HEIGHT * BODY_HEIGHT);
    let expected = 2.0 * one + feet + ends;
    assert!((energy - expected).abs() < 1e-9, "{energy}, by hand {expected}");
}

#[test]
fn leaving_the_copy_costs_the_squares_of_rotation_vectors() {
    let (plan, _) = walk();
    let setup = Setup::new(&plan);
    let knots = Knots::new(1, FRAME_SECONDS);
    // Coefficients that are alike have splines of their value.
    let width = setup.body.width();
    let coefficients: Vec<f64> =
        (0..knots.count() * width).map(|k| if k % width < 3 { 0.1 } else { 0.0 }).collect();
    let (energy, _) = setup.evaluate((vec![setup.frame.clone()], None), Some(&coefficients));
    assert!((energy - ROTATIONS * 0.03).abs() < 1e-12, "{energy}");
}

#[test]
fn the_gradient_is_that_of_finite_differences() {
    let (plan, pair) = walk();
    let mut setup = Setup::new(&plan);
    let penetration = Penetration::new(&plan, &pair);
    let [hand, other] = [setup.ends[2], setup.ends[0]];
    setup.frame.pairs = vec![[hand, other]];
    setup.frame.is_planted = [true, true];
    let frames = || vec![setup.frame.clone(); FRAMES];
    let count = Knots::new(FRAMES, FRAME_SECONDS).count() * setup.body.width();
    let x: Vec<f64> = (0..count).map(|k| 0.1 * libm::sin(7.3 * k as f64)).collect();
    let of = |x: &[f64]| setup.evaluate((frames(), Some(&penetration)), Some(x));
    let (_, gradient) = of(&x);
    let largest = gradient.iter().fold(0.0_f64, |most, own| most.max(own.abs()));
    for k in (0..count).step_by(11) {
        let step = |by: f64| {
            let mut x = x.clone();
            x[k] += by;
            of(&x).0
        };
        let slope = (step(1e-6) - step(-1e-6)) / 2e-6;
        assert!((slope - gradient[k]).abs() < 1e-5 * largest, "{k}: {slope}, {}", gradient[k]);
    }
}

#[test]
fn a_hand_in_the_chest_costs_its_depth_and_is_pushed_out() {
    let (plan, pair) = walk();
    let setup = Setup::new(&plan);
    let penetration = Penetration::new(&plan, &pair);
    let mut world = setup.world();
    let energy =
        |world: &WorldPose| penetration.evaluate(&plan, world, (1.0, &mut setup.body.forces()));
    let outside = energy(&world);
    // The left hand goes to the middle of the chest.
    let hand = pair.field(1, BodySegment::Hand(Side::Left)).unwrap().joint.index();
    let chest = pair.field(1, BodySegment::Chest).unwrap();
    let at = chest
        .transform(&world.rotations[chest.joint.index()], &world.positions[chest.joint.index()]);
    world.positions[hand] = at.outward(&chest.middle());
    let mut expected = 0.0;
    for probe in pair.probes_of(BodySegment::Hand(Side::Left)) {
        let field = pair.field(1, probe.segment).unwrap();
        let place = Point::of_field(field, &probe.places[1]).place(&world);
        let seen = chest.project(&at.inward(&place));
        let weight = penetration.weight(probe, BodySegment::Chest).unwrap();
        assert!(weight > 0.3 && weight < 1.0, "{weight}");
        let depth = (-seen.height).max(0.0);
        expected += weight * depth * depth;
    }
    assert!(outside == 0.0 && expected > 1e-3, "{outside} {expected}");
    let found = energy(&world);
    // Arms and pelvis are in the way as well.
    assert!(found >= expected - 1e-12 && found < 3.0 * expected, "{found}, by hand {expected}");
}
