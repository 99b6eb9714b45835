//! Writes 50 problems with active limits, and their solutions, as JSON for `tests/scipy_check.py`.
//!
//! `REBONE_DUMP=problems.json cargo run --release -p rebone-ik --example dump_problems`

#[path = "../tests/support/mod.rs"]
mod support;

use nalgebra::{UnitQuaternion, Vector3};
use rebone_ik::{Goal, GoalKind, Link, LinkMotion, Options, Point, PointRef, Problem, Solver};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::var("REBONE_DUMP").map_err(|_| "set REBONE_DUMP to a file to write")?;
    let mut solver = Solver::new(Options { max_iterations: 200, ..Options::default() });
    let problems = support::active_problems(50);
    let problems = problems.iter().map(|(seed, problem)| {
        let cost = solver.solve(problem).expect("poses and clips of the example fit").cost;
        json(*seed, problem, solver.x(), cost)
    });
    let problems: Vec<String> = problems.collect();
    std::fs::write(path, format!("[{}]\n", problems.join(",\n")))?;
    Ok(())
}

fn json(seed: u64, problem: &Problem, x: &[f64], cost: f64) -> String {
    let base = problem.chain.base;
    let links: Vec<String> = problem.chain.links().iter().map(link).collect();
    let goals: Vec<String> = problem.goals.iter().map(goal).collect();
    let base = format!("[{}, {}]", vector(&base.position), quaternion(&base.rotation));
    let Problem { lower, upper, start, .. } = problem;
    format!(
        r#"{{"seed": {seed}, "base": {base}, "links": [{}], "goals": [{}], "lower": {lower:?},
            "upper": {upper:?}, "start": {start:?}, "x": {x:?}, "cost": {cost:?}}}"#,
        links.join(", "),
        goals.join(", "),
    )
}

fn link(link: &Link) -> String {
    let parent = link.parent.map_or("null".to_owned(), |parent| parent.0.to_string());
    let motion = match &link.motion {
        LinkMotion::Fixed => r#""fixed""#.to_owned(),
        LinkMotion::SwingTwist => r#""swing-twist""#.to_owned(),
        LinkMotion::Rotation => r#""rotation""#.to_owned(),
        LinkMotion::Axes(axes) => {
            let axes: Vec<String> = axes.iter().map(|axis| vector(axis)).collect();
            format!("[{}]", axes.join(", "))
        }
    };
    let (translation, translates) = (vector(&link.translation), link.translates);
    let (pre, post) = (quaternion(&link.pre), quaternion(&link.post));
    format!(
        r#"{{"parent": {parent}, "translation": {translation}, "translates": {translates},
            "pre": {pre}, "motion": {motion}, "post": {post}}}"#
    )
}

fn goal(goal: &Goal) -> String {
    let frame = |link: usize, frame, lever: f64, target| {
        let (frame, target) = (quaternion(frame), quaternion(target));
        format!(r#""link": {link}, "frame": {frame}, "lever": {lever:?}, "target": {target}"#)
    };
    let rest = match &goal.kind {
        GoalKind::Position(goal) => {
            let (point, target) = (point_ref(&goal.point), vector(&goal.target));
            format!(r#""kind": "position", "point": {point}, "target": {target}"#)
        }
        GoalKind::Direction(goal) => {
            let (from, to, lever) = (point_ref(&goal.from), point_ref(&goal.to), goal.lever);
            let target = vector(&goal.target);
            format!(
                r#""kind": "direction", "from": {from}, "to": {to}, "lever": {lever:?},
                    "target": {target}"#
            )
        }
        GoalKind::Orientation(goal) => {
            let rest = frame(goal.link.0, &goal.frame, goal.lever, &goal.target);
            format!(r#""kind": "orientation", {rest}"#)
        }
        GoalKind::Axial(goal) => {
            let rest = frame(goal.link.0, &goal.frame, goal.lever, &goal.target);
            format!(r#""kind": "axial", {rest}"#)
        }
    };
    format!(r#"{{"weight": {:?}, {rest}}}"#, goal.weight)
}

fn point_ref(point_ref: &PointRef) -> String {
    let point = |point: &Point| format!("[{}, {}]", point.link.0, vector(&point.offset));
    match point_ref {
        PointRef::At(one) => format!("[{}]", point(one)),
        PointRef::Midpoint(one, other) => format!("[{}, {}]", point(one), point(other)),
    }
}

fn vector(v: &Vector3<f64>) -> String {
    format!("{:?}", v.as_slice())
}

/// Order of scipy: x, y, z, w.
fn quaternion(q: &UnitQuaternion<f64>) -> String {
    format!("{:?}", q.coords.as_slice())
}
