#[path = "../tests/support/mod.rs"]
mod support;
use rebone_ik::*;
use std::time::Instant;
use support::*;
fn time(name: &str, mut f: impl FnMut()) {
    let mut best = f64::MAX;
    for _ in 0..20 {
        let t = Instant::now();
        for _ in 0..200 {
            f();
        }
        best = best.min(t.elapsed().as_secs_f64() / 200.0 * 1e6);
    }
    println!("{name}: {best:.2} us");
}
fn main() {
    let base = body::trunk();
    let mut r = Random::new(1);
    let p = body::frame(&base, body::trunk_goals, &base.chain, &mut r, 0.05);
    let (m, n) = (p.rows(), p.columns());
    let mut c = Configuration::new(&p.chain, &p.start);
    time("fk", || c.update(&p.chain, &p.start));
    let mut res = vec![0.0; m];
    let mut jac = vec![0.0; m * n];
    time("residual", || p.residual(&c, &mut res));
    time("jacobian", || p.jacobian(&c, &mut jac));
    let mut s = Solver::new(Options { null_space: false, ..Default::default() });
    time("solve", || {
        s.solve(&p);
    });
    println!("{:?}", s.solve(&p));
    s.options.null_space = true;
    time("solve pull", || {
        s.solve(&p);
    });
    println!("{:?}", s.solve(&p));
    time("sincos", || {
        let mut a = 0.0;
        for i in 0..100 {
            let (x, y) = (0.01 * i as f64).sin_cos();
            a += x + y;
        }
        std::hint::black_box(a);
    });
    let mut v = 1.0;
    time("100 fma chain", || {
        for _ in 0..100 {
            v = std::hint::black_box(v * 0.999 + 0.1);
        }
    });
}
