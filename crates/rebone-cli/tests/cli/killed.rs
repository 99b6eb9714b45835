//! Batches that are killed at random moments, against runs into new folders.
//!
//! `REBONE_SEQUENCES` is the number of sequences, 2 without it, `REBONE_STEPS` the kills of each, 8 without it, and
//! `REBONE_SEED` the first seed.

use crate::batch::tree;
use crate::random::{Random, variable};
use crate::support::{Place, humanoid};
use std::time::{Duration, Instant};

/// Kills between two comparisons.
const KILLS: u64 = 4;

/// Changes, adds or removes a clip.
fn change(place: &Place, random: &mut Random) {
    let path = format!("lib/{}.bvh", random.below(8));
    match random.below(3) {
        0 if place.path("lib").read_dir().unwrap().count() > 2 => {
            let _ = std::fs::remove_file(place.path(&path));
        }
        _ => place.write(&path, &humanoid("", 20 + random.below(60) as usize)),
    }
}

/// Runs to the end with `--prune`, and compares all files with those of a run into new folders with these cards.
fn compare(place: &Place, seed: u64) {
    place.run("batch lib -t hero.bvh -o out --preview pictures --prune").succeeds();
    for folder in ["fresh", "fresh-pictures"] {
        let _ = std::fs::remove_dir_all(place.path(folder));
    }
    std::fs::create_dir_all(place.path("fresh/cards")).unwrap();
    for (name, bytes) in tree(&place.path("out/cards")) {
        std::fs::write(place.path("fresh/cards").join(name), bytes).unwrap();
    }
    place.run("batch lib -t hero.bvh -o fresh --preview fresh-pictures").succeeds();
    for [own, fresh] in [["out", "fresh"], ["pictures", "fresh-pictures"]] {
        let [own, fresh] = [own, fresh].map(|folder| tree(&place.path(folder)));
        assert_eq!(own.keys().collect::<Vec<_>>(), fresh.keys().collect::<Vec<_>>(), "seed {seed}");
        assert!(own == fresh, "seed {seed}");
    }
}

#[test]
#[allow(clippy::print_stderr, reason = "a test says what it tried")]
fn runs_that_are_killed_at_random_moments_leave_nothing_unknown() {
    let first = variable("REBONE_SEED", 0);
    let (mut killed, mut ended) = (0, 0);
    for seed in first..first + variable("REBONE_SEQUENCES", 2) {
        let place = Place::new();
        std::fs::create_dir(place.path("lib")).unwrap();
        let mut random = Random(seed);
        (0..6).for_each(|k| place.write(&format!("lib/{k}.bvh"), &humanoid("", 20 + k)));
        let begin = Instant::now();
        compare(&place, seed);
        // Two runs: kills come within a little more than the time of one.
        let longest = begin.elapsed().as_micros() as u64 * 2 / 3;
        for step in 0..variable("REBONE_STEPS", 8) {
            (0..1 + random.below(4)).for_each(|_| change(&place, &mut random));
            let mut run = place.start("batch lib -t hero.bvh -o out --preview pictures --force");
            std::thread::sleep(Duration::from_micros(random.below(longest)));
            run.kill().unwrap();
            let is_killed = run.wait().unwrap().code().is_none();
            killed += u64::from(is_killed);
            ended += u64::from(!is_killed);
            if step % KILLS == KILLS - 1 {
                compare(&place, seed);
            }
        }
        compare(&place, seed);
    }
    eprintln!("{killed} runs were killed, {ended} ended before");
    assert!(killed > 0);
}
