//! Links and variables that are not there, lists that differ in length, numbers that are not finite: errors that name what
//! was expected, or no result.

use nalgebra::{Quaternion, Unit, UnitQuaternion, Vector3};
use rebone_ik::{
    Chain, Configuration, Goal, IkError, Link, LinkId, LinkMotion, Options, Point, PointRef,
    Problem, Solver, SolverKind, Termination, solve_with,
};

const NUMBERS: [f64; 6] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, 1e300, -1e300];
const FAR: LinkId = LinkId(usize::MAX);

/// A ball joint, and a hinge below it.
fn chain() -> Chain {
    let hinge = LinkMotion::Axes(vec![Vector3::x_axis()]);
    let links = vec![
        Link::new(None, Vector3::zeros(), LinkMotion::SwingTwist),
        Link::new(Some(LinkId(0)), Vector3::y(), hinge),
    ];
    Chain::new(links).expect("links are in order")
}

fn reach(link: LinkId) -> Goal {
    Goal::position(1.0, Point { link, offset: Vector3::y() }, Vector3::new(1.0, 0.5, 0.2))
}

fn problem() -> Problem {
    Problem::new(chain(), vec![reach(LinkId(1))]).expect("a goal of the chain")
}

#[test]
fn links_that_are_not_there_have_no_pose() {
    let mut chain = chain();
    let at = Configuration::new(&chain, &[0.1; 4]).unwrap();
    for link in [LinkId(2), FAR] {
        assert_eq!(chain.range(link), None);
        assert!(!chain.set_pre(link, UnitQuaternion::identity()));
        assert!(!chain.set_translation(link, Vector3::x()));
        assert_eq!(chain.local_rotation(link, &[0.0; 4]), None);
        assert_eq!(chain.local_translation(link, &[0.0; 4]), None);
        assert_eq!(at.rotation(link), None);
        let [here, far] = [LinkId(0), link].map(Point::origin);
        assert_eq!(at.position(&far.into()), None);
        assert_eq!(at.position(&PointRef::Midpoint(here, far)), None);
        let error = Problem::new(chain.clone(), vec![reach(link)]).unwrap_err();
        assert!(error.to_string().contains("the chain has only 2 links"), "{error}");
        let below = Link::new(Some(link), Vector3::zeros(), LinkMotion::Fixed);
        assert!(matches!(Chain::new(vec![below]), Err(IkError::ParentNotBefore { .. })));
    }
    let mut carried = Link::new(None, Vector3::zeros(), LinkMotion::Fixed);
    carried.translates = true;
    let carried = Chain::new(vec![carried]).unwrap();
    assert_eq!(carried.local_translation(LinkId(0), &[0.0; 2]), None);
    assert_eq!(chain.local_rotation(LinkId(1), &[0.0; 3]), None);
    for axes in [0, 4] {
        let motion = LinkMotion::Axes(vec![Vector3::x_axis(); axes]);
        assert!(motion.rotation(&[0.0; 3]).angle() < 1e-9);
        assert_eq!(motion.coordinates(&UnitQuaternion::identity(), &[0.0; 3]), None);
        assert!(Chain::new(vec![Link::new(None, Vector3::zeros(), motion)]).is_err());
    }
}

#[test]
fn lists_of_other_lengths_are_errors() {
    let chain = chain();
    let mut at = Configuration::new(&chain, &[0.0; 4]).unwrap();
    for count in [0, 3, 5] {
        let error = Configuration::new(&chain, &vec![0.0; count]).unwrap_err().to_string();
        assert!(error.contains("the chain's 4 variables"), "{error}");
        assert!(at.update(&chain, &vec![0.0; count]).is_err());
    }
    let shorter = |change: fn(&mut Problem)| {
        let mut own = problem();
        change(&mut own);
        own
    };
    let wrong = [
        shorter(|own| own.lower.clear()),
        shorter(|own| own.upper.push(0.0)),
        shorter(|own| own.start.clear()),
        shorter(|own| own.goals.push(reach(FAR))),
        shorter(|own| own.chain = Chain::new(Vec::new()).unwrap()),
    ];
    let mut solver = Solver::new(Options::default());
    solver.solve(&problem()).unwrap();
    for own in &wrong {
        assert!(solver.solve(own).is_err());
        for kind in SolverKind::ALL {
            assert!(solve_with(kind, own, kind.options()).is_err());
        }
        assert!(own.residual(&at).is_err() && own.jacobian(&at).is_err());
    }
    let empty = Problem::new(Chain::new(Vec::new()).unwrap(), Vec::new()).unwrap();
    for other in [Configuration::default(), Configuration::new(&empty.chain, &[]).unwrap()] {
        assert!(matches!(problem().residual(&other), Err(IkError::Configuration { .. })));
        assert!(problem().jacobian(&other).is_err());
    }
    for kind in SolverKind::ALL {
        let options = Options { gradient_tolerance: f64::NAN, ..kind.options() };
        assert!(solve_with(kind, &empty, options).unwrap().0.is_empty());
    }
    for k in [4, usize::MAX] {
        assert_eq!(solver.active_bound(&problem(), k), None);
    }
    assert_eq!(Solver::default().active_bound(&problem(), 0), None);
    assert!(solver.active_bound(&empty, 0).is_none());
}

#[test]
fn goals_keep_their_kind() {
    let identity = UnitQuaternion::identity();
    let points = [LinkId(0), LinkId(1)].map(|link| PointRef::At(Point::origin(link)));
    let goals = [
        reach(LinkId(1)),
        Goal::direction(1.0, 1.0, points, Vector3::x_axis()),
        Goal::orientation(1.0, 1.0, LinkId(1), identity, identity),
        Goal::axial(1.0, 1.0, LinkId(1), identity, identity),
    ];
    for (kind, mut goal) in goals.into_iter().enumerate() {
        let before = goal.clone();
        assert_eq!(goal.set_target_position(Vector3::x()), kind == 0);
        assert_eq!(goal.set_target_direction(Vector3::z_axis()), kind == 1);
        assert_eq!(goal.set_target_rotation(identity), kind > 1);
        assert_eq!(goal.rows(), before.rows());
        for number in NUMBERS {
            let _ = goal.error_size(number);
        }
    }
}

#[test]
fn numbers_that_are_not_finite_end_a_solve() {
    for number in NUMBERS {
        let turn = UnitQuaternion::new_unchecked(Quaternion::new(number, number, 0.0, 1.0));
        let line = Unit::new_unchecked(Vector3::repeat(number));
        let points = [LinkId(0), LinkId(1)].map(|link| PointRef::At(Point::origin(link)));
        let goals = vec![
            Goal::position(number, Point::origin(LinkId(1)), Vector3::repeat(number)),
            Goal::direction(number, number, points, line),
            Goal::orientation(1.0, number, LinkId(1), turn, turn),
            Goal::axial(1.0, 1.0, LinkId(0), turn, turn),
        ];
        for goal in goals {
            let mut own = Problem::new(chain(), vec![goal]).unwrap();
            own.start[0] = number;
            own.lower[1] = number;
            own.upper[2] = number;
            for kind in SolverKind::ALL {
                let options = Options { max_iterations: 20, ..kind.options() };
                assert_eq!(solve_with(kind, &own, options).unwrap().0.len(), 4, "{kind}");
            }
        }
        let mut own = problem();
        own.start[0] = number;
        let options = Options::default();
        for mut solver in [Solver::new(options), Solver::jacobian_transpose(options)] {
            let end = solver.solve(&own).unwrap().termination;
            assert!(number.is_finite() || end == Termination::NotFinite, "{number}");
            solver.options.gradient_tolerance = number;
            solver.options.max_iterations = 3;
            assert!(solver.solve(&problem()).unwrap().iterations <= 40);
        }
        let _ = LinkMotion::SwingTwist.coordinates(&turn, &[number; 3]);
        let _ = LinkMotion::Rotation.rotation(&[number; 3]);
    }
}
