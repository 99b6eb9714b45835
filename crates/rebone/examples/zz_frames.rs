use rebone::skeleton::bvh;
fn main() {
    for path in std::env::args().skip(1) {
        let m = bvh::read(path.as_ref()).unwrap().motion;
        let a = rebone::understand(&m, &rebone::Hints::default()).unwrap();
        println!(
            "FILE {path} {:?} {:?} conf {:.3} straight {} stature {:.4}",
            a.calibration, a.soles, a.confidence, a.straight, a.stature
        );
        for id in a.skeleton.ids() {
            let Some(r) = a.roles.of(id) else { continue };
            let q = a.joint_from_anatomical[id.index()];
            println!(
                "{}\t{}\t{} {} {} {}",
                r.name(),
                a.skeleton.joint(id).name,
                q.w,
                q.i,
                q.j,
                q.k
            );
        }
    }
}
