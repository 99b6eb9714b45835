//! Text as a rig card, read and fitted to a rig: no panic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rebone::card::Card;
use rebone::{Hints, samples, understand};

fuzz_target!(|text: &str| {
    let Ok(card) = Card::parse(text) else { return };
    let rig = samples::rigs().swap_remove(0);
    let _ = understand(&rig.motion, &Hints { card: Some(card), pose: None });
});
