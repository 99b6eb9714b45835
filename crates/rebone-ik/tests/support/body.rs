//! A trunk and a limb, as in retargeting.

use super::Random;
use nalgebra::{Unit, Vector3};
use rebone_ik::{Chain, Configuration, Goal, Link, LinkId, LinkMotion, Point, PointRef, Problem};

fn ball(parent: usize, offset: [f64; 3]) -> Link {
    Link::new(Some(LinkId(parent)), Vector3::from(offset), LinkMotion::SwingTwist)
}

fn origin(link: usize) -> Point {
    Point::origin(LinkId(link))
}

fn line(at: &Configuration, from: PointRef, to: PointRef) -> Unit<Vector3<f64>> {
    let line = at.position(&to).unwrap() - at.position(&from).unwrap();
    Unit::new_unchecked(line / line.norm())
}

/// Builds a trunk: free pelvis, four spine joints, two collar bones; 24 variables, ±0.6 rad.
pub fn trunk() -> Problem {
    let mut pelvis = Link::new(None, Vector3::new(0.0, 1.0, 0.0), LinkMotion::Rotation);
    pelvis.translates = true;
    let chain = Chain::new(vec![
        pelvis,
        ball(0, [0.0, 0.1, 0.0]),
        ball(1, [0.0, 0.12, 0.02]),
        ball(2, [0.0, 0.12, -0.01]),
        ball(3, [0.0, 0.12, -0.01]),
        ball(4, [0.03, 0.1, 0.0]),
        ball(4, [-0.03, 0.1, 0.0]),
    ]);
    let mut problem = Problem::new(chain.unwrap(), Vec::new()).unwrap();
    problem.lower[6..].fill(-0.6);
    problem.upper[6..].fill(0.6);
    problem
}

/// Hips and lateral ends of the collar bones.
fn corners() -> [Point; 4] {
    let point =
        |link, x: f64, y: f64| Point { link: LinkId(link), offset: Vector3::new(x, y, 0.0) };
    [point(0, 0.09, -0.05), point(0, -0.09, -0.05), point(5, 0.15, 0.0), point(6, -0.15, 0.0)]
}

/// Builds goals of [`trunk`] that `at` meets: positions of hips and shoulders, frames of pelvis and
/// chest, directions of trunk and collar bones; 27 rows.
pub fn trunk_goals(at: &Configuration) -> Vec<Goal> {
    let [left_hip, right_hip, left, right] = corners();
    let (hips, shoulders) =
        (PointRef::Midpoint(left_hip, right_hip), PointRef::Midpoint(left, right));
    let [left_collar, right_collar] =
        [[origin(5), left], [origin(6), right]].map(|ends| ends.map(PointRef::At));
    let position =
        |weight, point| Goal::position(weight, point, at.position(&PointRef::At(point)).unwrap());
    let frame = |link| {
        Goal::orientation(
            1.0,
            0.3,
            LinkId(link),
            Default::default(),
            at.rotation(LinkId(link)).unwrap(),
        )
    };
    let direction = |weight, lever, ends: [PointRef; 2]| {
        Goal::direction(weight, lever, ends, line(at, ends[0], ends[1]))
    };
    vec![
        position(1.0, left_hip),
        position(1.0, right_hip),
        frame(0),
        frame(4),
        direction(1.0, 0.4, [hips, shoulders]),
        position(0.3, left),
        position(0.3, right),
        direction(0.5, 0.15, left_collar),
        direction(0.5, 0.15, right_collar),
    ]
}

/// Builds a limb: shoulder (ball joint) and elbow (hinge); 4 variables.
pub fn limb() -> Problem {
    let elbow = LinkMotion::Axes(vec![Vector3::x_axis()]);
    let chain = Chain::new(vec![
        Link::new(None, Vector3::new(0.2, 1.4, 0.0), LinkMotion::SwingTwist),
        Link::new(Some(LinkId(0)), Vector3::new(0.0, 0.3, 0.0), elbow),
    ]);
    let mut problem = Problem::new(chain.unwrap(), Vec::new()).unwrap();
    problem.lower.copy_from_slice(&[-1.5, -1.5, -1.6, 0.0]);
    problem.upper.copy_from_slice(&[1.5, 1.5, 1.6, 2.6]);
    problem
}

/// Builds goals of [`limb`] that `at` meets: directions of both bones, twist of the upper arm; 7 rows.
pub fn limb_goals(at: &Configuration) -> Vec<Goal> {
    let wrist = Point { link: LinkId(1), offset: Vector3::new(0.0, 0.25, 0.0) };
    let ends = [[origin(0), origin(1)], [origin(1), wrist]].map(|ends| ends.map(PointRef::At));
    let mut goals: Vec<Goal> = ends
        .iter()
        .map(|[from, to]| Goal::direction(1.0, 0.3, [*from, *to], line(at, *from, *to)))
        .collect();
    let twist = at.rotation(LinkId(0)).unwrap();
    goals.push(Goal::axial(0.17, 0.3, LinkId(0), Default::default(), twist));
    goals
}

/// Builds a frame: `problem` with the goals that `source`, the chain itself or one of other lengths,
/// meets at random variables inside the box. The start is `off` radians, and a tenth of that in
/// metres, away from them.
pub fn frame(
    problem: &Problem,
    goals: fn(&Configuration) -> Vec<Goal>,
    source: &Chain,
    random: &mut Random,
    off: f64,
) -> Problem {
    let mut frame = problem.clone();
    let mut met = problem.start.clone();
    for (k, met) in met.iter_mut().enumerate() {
        let (low, high) = (problem.lower[k].max(-1.0), problem.upper[k].min(1.0));
        let shifts = problem.chain.variables()[k].translates;
        *met = 0.5 * (low + high) + random.about(0.45) * (high - low);
        let side = if random.about(1.0) < 0.0 { -off } else { off };
        let side = if shifts { 0.1 * side } else { side };
        let held = |x: f64| x.max(problem.lower[k]).min(problem.upper[k]);
        let inside = held(*met + side) == *met + side;
        frame.start[k] = held(*met + if inside { side } else { -side });
    }
    frame.goals = goals(&Configuration::new(source, &met).unwrap());
    frame
}

/// Changes the translation of each link by up to `change` of its length in each direction.
pub fn of_other_lengths(chain: &Chain, random: &mut Random, change: f64) -> Chain {
    let mut other = chain.clone();
    for (k, link) in chain.links().iter().enumerate() {
        let moved = link.translation + random.vector(change) * link.translation.norm();
        other.set_translation(LinkId(k), moved);
    }
    other
}
