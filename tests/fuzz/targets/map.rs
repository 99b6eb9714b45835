//! Text as a map of joints, lines or JSON, for two samples: what is found is told to both.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rebone::card::map::parse;
use rebone::skeleton::Motion;
use rebone::{Hints, Options, align, analyse_pair};
use rebone_fuzz::check_error;
use rebone_samples as samples;
use std::sync::LazyLock;

/// A clip, and a rig whose names say nothing.
static PAIR: LazyLock<[Motion; 2]> = LazyLock::new(|| {
    let mut clip = samples::wave().motion;
    clip.clip.keep(0..1).unwrap();
    let mut rigs = samples::rigs().into_iter();
    [clip, rigs.find(|rig| rig.name == "nameless").expect("it is a sample").motion]
});

fuzz_target!(|text: &str| {
    let motions = PAIR.each_ref();
    let pairs = match parse(text, [("a", &motions[0].skeleton), ("b", &motions[1].skeleton)]) {
        Ok(pairs) => pairs,
        Err(error) => return check_error(&error, error.line, text),
    };
    let known = Hints::default();
    let Ok(analysed) = analyse_pair(motions, [&known; 2], &pairs) else { return };
    let [source, target] = &analysed.anatomies;
    align(source, target, &Options::default()).follow(&analysed.loose);
});
