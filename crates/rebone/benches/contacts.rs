//! What contacts and the verdict cost against the solve of the frames: medians over rounds of ratios, one thread.
//! Pairs of the corpus where `REBONE_CORPUS` names it, else samples.
//!
//! `cargo bench -p rebone --bench contacts`

#![allow(clippy::unwrap_used, reason = "a bench that panics has failed")]
#![allow(clippy::print_stdout, reason = "a bench says what it found")]

use rebone::skeleton::{Clip, Motion, bvh};
use rebone::{ClipInput, ContactMode, Hints, Options, Plan, align, analyse, retarget_clip};
use rebone_samples as samples;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

const ROUNDS: usize = 21;

/// Clips and rigs of the corpus.
const PAIRS: [[&str; 2]; 6] = [
    ["zeroeggs/067_Speech_2_x_1_0", "mixamo/Ortiz-Salsa_Dancing"],
    ["lafan1/Lafan1_example", "mixamo/Ortiz-Salsa_Dancing"],
    ["cmu-cgspeed/05_20", "cmu-daz/05_20-daz"],
    ["boxing/Boxing_Toes", "mixamo/Mousey-Salsa_Dancing"],
    ["mixamo/Beta-samba_dancing", "xsens/Sit54"],
    ["sfu/0017_WushuKicks001_metric", "mixamo/Ortiz-Salsa_Dancing"],
];

fn main() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    println!(
        "part of the time of the solve: verdict, contacts and verdict; microseconds of the solve"
    );
    match std::env::var_os("REBONE_CORPUS") {
        Some(folder) => {
            for pair in PAIRS {
                let read = |name: &str| {
                    let path = Path::new(&folder).join("motions").join(name);
                    bvh::parse(&std::fs::read(path.with_extension("bvh")).unwrap()).unwrap().motion
                };
                pool.install(|| measure(&pair.join(" onto "), &read(pair[0]), &read(pair[1])));
            }
        }
        None => {
            let rig = samples::rigs().swap_remove(0).motion;
            for clip in samples::clips() {
                pool.install(|| measure(clip.name, &clip.motion, &rig));
            }
        }
    }
}

fn measure(name: &str, source: &Motion, target: &Motion) {
    let plan = |contacts| {
        let analysed = |motion| analyse(motion, &Hints::default()).unwrap();
        let options = Options { contacts, ..Options::default() };
        align(&analysed(source), &analysed(target), &options)
    };
    let [off, feet] = [ContactMode::Off, ContactMode::Feet].map(plan);
    let clip = &source.clip;
    // Frames that are seconds apart are no motion: they are solved and told, and no more.
    let mut still = clip.clone();
    still.frame_time = 1.0;
    let whole = |plan: &Plan, clip: &Clip| {
        black_box(retarget_clip(plan, &ClipInput::new(&plan.source, clip))).unwrap();
    };
    let timed = |work: &dyn Fn()| {
        let begin = Instant::now();
        work();
        begin.elapsed().as_secs_f64()
    };
    let mut rounds = [Vec::new(), Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        let own = timed(&|| whole(&off, &still));
        rounds[0].push(timed(&|| whole(&off, clip)) / own - 1.0);
        rounds[1].push(timed(&|| whole(&feet, clip)) / own - 1.0);
        rounds[2].push(own / clip.len() as f64 * 1e6);
    }
    let [verdict, both, micros] = rounds.map(|mut own| {
        own.sort_by(f64::total_cmp);
        own[ROUNDS / 2]
    });
    println!("{name}: {:.0} %, {:.0} %; {micros:.1}", 100.0 * verdict, 100.0 * both);
}
