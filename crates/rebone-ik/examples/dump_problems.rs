//! Writes 50 problems with active limits, and our answers, as JSON for `tests/scipy_check.py`.
//!
//! `REBONE_DUMP=problems.json cargo run --release -p rebone-ik --example dump_problems`

#[path = "../tests/support/mod.rs"]
mod support;

use nalgebra::{UnitQuaternion, Vector3};
use rebone_ik::{Goal, Kind, Link, LinkMotion, Options, Place, Point, Problem, Solver};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::var("REBONE_DUMP").map_err(|_| "set REBONE_DUMP to a file to write")?;
    let mut solver = Solver::new(Options { max_iterations: 200, ..Options::default() });
    let problems = support::active_problems(50);
    let problems = problems.iter().map(|(seed, problem)| {
        let cost = solver.solve(problem).cost;
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
    let frame = |link: usize, frame, lever: f64, wanted| {
        let (frame, wanted) = (quaternion(frame), quaternion(wanted));
        format!(r#""link": {link}, "frame": {frame}, "lever": {lever:?}, "wanted": {wanted}"#)
    };
    let rest = match &goal.kind {
        Kind::Position(goal) => {
            let (place, wanted) = (place(&goal.place), vector(&goal.wanted));
            format!(r#""kind": "position", "place": {place}, "wanted": {wanted}"#)
        }
        Kind::Direction(goal) => {
            let (from, to, lever) = (place(&goal.from), place(&goal.to), goal.lever);
            let wanted = vector(&goal.wanted);
            format!(
                r#""kind": "direction", "from": {from}, "to": {to}, "lever": {lever:?},
                    "wanted": {wanted}"#
            )
        }
        Kind::Orientation(goal) => {
            let rest = frame(goal.link.0, &goal.frame, goal.lever, &goal.wanted);
            format!(r#""kind": "orientation", {rest}"#)
        }
        Kind::Axial(goal) => {
            let rest = frame(goal.link.0, &goal.frame, goal.lever, &goal.wanted);
            format!(r#""kind": "axial", {rest}"#)
        }
    };
    format!(r#"{{"weight": {:?}, {rest}}}"#, goal.weight)
}

fn place(place: &Place) -> String {
    let point = |point: &Point| format!("[{}, {}]", point.link.0, vector(&point.offset));
    match place {
        Place::At(one) => format!("[{}]", point(one)),
        Place::Between(one, other) => format!("[{}, {}]", point(one), point(other)),
    }
}

fn vector(v: &Vector3<f64>) -> String {
    format!("{:?}", v.as_slice())
}

/// As scipy has it: x, y, z, w.
fn quaternion(q: &UnitQuaternion<f64>) -> String {
    format!("{:?}", q.coords.as_slice())
}
