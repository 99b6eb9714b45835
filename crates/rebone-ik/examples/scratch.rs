#[path = "../tests/support/mod.rs"]
mod support;
use rebone_ik::*;
use support::*;
fn main() {
    if let Ok(d) = std::env::var("DBG") {
        let v: Vec<f64> = d.split(',').map(|x| x.parse().unwrap()).collect();
        let (p, _) = Random::new(v[0] as u64).problem(v[1] as usize, v[2], v[3]);
        let mut s = Solver::new(Options {
            null_space: v.len() > 4,
            max_iterations: 200,
            ..Default::default()
        });
        println!("n {} m {} {:?}", p.columns(), p.rows(), s.solve(&p));
        return;
    }
    for (goals, error, room) in
        [(3, 0.0, 1.0), (3, 0.1, 1.0), (6, 0.1, 1.0), (6, 0.3, 0.5), (12, 0.3, 0.5)]
    {
        let mut its = vec![];
        let mut bad = 0;
        let mut stalled = 0;
        let mut lim = 0;
        let mut worst: f64 = 0.0;
        let mut active = 0;
        let mut pulls = 0;
        for seed in 0..400 {
            let (p, _) = Random::new(seed).problem(goals, error, room);
            let mut s = Solver::new(Options {
                null_space: false,
                max_iterations: 200,
                ..Default::default()
            });
            let a = s.solve(&p);
            let v = optimality(&p, s.x());
            its.push(a.iterations);
            if a.iterations > 40 && std::env::var("LIST").is_ok() {
                println!("  long {seed} {:?}", a);
            }
            if v > 1e-8 {
                bad += 1;
                println!("  seed {seed} n {} m {} {:?} {v:.1e}", p.columns(), p.rows(), a);
            } else {
                worst = worst.max(v);
            }
            match a.termination {
                Termination::Stalled => stalled += 1,
                Termination::IterationLimit => lim += 1,
                _ => {}
            }
            active += s.x().iter().enumerate().any(|(k, x)| *x == p.lower[k] || *x == p.upper[k])
                as usize;
            let c0 = a.cost;
            s.options.null_space = true;
            let b = s.solve(&p);
            if b.iterations > a.iterations {
                pulls += b.iterations - a.iterations;
            }
            if b.cost > c0 * (1.0 + 1e-9) + 1e-20 {
                println!("  seed {seed} cost rose {c0} {}", b.cost);
            }
            let v = optimality(&p, s.x());
            if v > 1e-8 && a.gradient < 1e-8 {
                println!("  seed {seed} pulled {v:.1e}");
            }
        }
        its.sort();
        println!(
            "goals {goals} error {error} room {room}: median {} p90 {} max {} bad {bad} stalled {stalled} limit {lim} worst {worst:.1e} active {active} pull steps {pulls}",
            its[200], its[360], its[399]
        );
    }
}
