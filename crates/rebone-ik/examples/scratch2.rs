#[path = "../tests/support/mod.rs"]
mod support;
use rebone_ik::*;
use std::time::Instant;
use support::*;
fn main() {
    for (name, base, goals) in [
        ("trunk", body::trunk(), body::trunk_goals as fn(&Configuration) -> Vec<Goal>),
        ("limb", body::limb(), body::limb_goals),
    ] {
        for (off, change) in [(0.35, 0.0), (0.05, 0.0), (0.05, 0.1), (0.01, 0.1), (0.05, 0.3)] {
            let mut r = Random::new(1);
            let source = body::of_other_lengths(&base.chain, &mut r, change);
            let frames: Vec<Problem> =
                (0..200).map(|_| body::frame(&base, goals, &source, &mut r, off)).collect();
            for ns in [false, true] {
                let mut s = Solver::new(Options { null_space: ns, ..Default::default() });
                let (mut its, mut conv, mut worst, mut cost, mut pulled) =
                    (0, 0, 0.0f64, 0.0, 0.0f64);
                let t = Instant::now();
                for _ in 0..5 {
                    for p in &frames {
                        let a = s.solve(p);
                        its += a.iterations;
                        conv += (a.termination == Termination::Converged) as usize;
                        worst = worst.max(a.gradient);
                        cost += a.cost;
                    }
                }
                let dt = t.elapsed().as_secs_f64() / 1000.0 * 1e6;
                println!(
                    "{name} m {} n {} off {off} change {change} pull {ns}: {dt:.1} us, iterations {:.1}, converged {conv}/1000 worst {worst:.0e} cost {:.2e}",
                    frames[0].rows(),
                    frames[0].columns(),
                    its as f64 / 1000.0,
                    cost / 1000.0
                );
            }
        }
    }
}
