//! Lines of text as requests of a page to an engine with two files: each has an answer, which is JSON.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rebone::skeleton::bvh::{Hierarchy, WriteOptions, write_clip};
use rebone_samples::Sample;
use rebone_studio::{Answer, Studio};
use std::cell::RefCell;

/// Requests of one input.
const MAX_REQUESTS: usize = 8;

fn bytes_of(sample: &Sample, frames: usize) -> Vec<u8> {
    let mut clip = sample.motion.clip.clone();
    clip.keep(0..frames.min(clip.len())).expect("a clip has its own frames");
    let hierarchy = Hierarchy::from_skeleton(&sample.motion.skeleton);
    write_clip(Vec::new(), &hierarchy, &clip, WriteOptions::default())
        .expect("a sample can be written")
}

fn check(answer: &Answer) {
    let fields: serde_json::Value = serde_json::from_str(&answer.json).expect("an answer is JSON");
    match fields["ok"].as_bool() {
        Some(true) => {}
        Some(false) => assert!(!fields["causes"].as_array().expect("a list").is_empty()),
        None => panic!("{}", answer.json),
    }
}

thread_local! {
    static STUDIO: RefCell<Studio> = RefCell::new({
        let mut studio = Studio::default();
        let rig = rebone_samples::rigs().remove(0);
        for (side, sample) in [("source", rebone_samples::walk()), ("target", rig)] {
            let request = format!(r#"{{ "do": "open", "side": "{side}", "name": "sample.bvh" }}"#);
            check(&studio.ask(&request, &bytes_of(&sample, 20)));
        }
        studio
    });
}

fuzz_target!(|text: &str| {
    STUDIO.with_borrow_mut(|studio| {
        for request in text.lines().take(MAX_REQUESTS) {
            // Files are what other targets are for; without them nothing is left to ask.
            if !request.contains("open") && !request.contains("close") {
                check(&studio.ask(request, &[]));
            }
        }
    });
});
