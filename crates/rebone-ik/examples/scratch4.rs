#[path = "../tests/support/mod.rs"]
mod support;
use rebone_ik::*;
use support::*;
fn main() {
    let base = body::trunk();
    let mut r = Random::new(1);
    let p = body::frame(&base, body::trunk_goals, &base.chain, &mut r, 0.05);
    let mut s =
        Solver::new(Options { null_space: std::env::args().count() > 1, ..Default::default() });
    if std::env::var("DBG").is_ok() {
        for off in [0.01, 0.05, 0.35] {
            for ch in [0.0, 0.05] {
                for seed in 0..2 {
                    eprintln!("off {off} change {ch}");
                    let mut r = Random::new(seed + 5);
                    let src = body::of_other_lengths(&base.chain, &mut r, ch);
                    let p = body::frame(&base, body::trunk_goals, &src, &mut r, off);
                    s.options.null_space = true;
                    eprintln!("{:?}", s.solve(&p));
                }
            }
        }
        return;
    }
    for _ in 0..10000 {
        s.solve(&p);
    }
}
