//! Text as a rig card: read, fitted to a rig, and written over.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rebone::body::Role;
use rebone::card::{Card, CardFile, with_pose, with_role};
use rebone::skeleton::Motion;
use rebone::{Hints, AnalysisError, analyse};
use rebone_fuzz::check_error;
use rebone_samples as samples;
use std::sync::LazyLock;

/// Few joints, some with one channel.
static RIG: LazyLock<Motion> = LazyLock::new(|| {
    let mut rigs = samples::rigs().into_iter();
    rigs.find(|rig| rig.name == "one-channel").expect("it is a sample").motion
});

fuzz_target!(|text: &str| {
    let card = match Card::parse(text) {
        Ok(card) => card,
        Err(error) => return check_error(&error, error.line, text),
    };
    let own = with_role(text, Role::Hips, Some(&["a"])).expect("a card has roles in a table");
    let own = with_pose(&own, [("a", [0.0, 0.0, 1.0])]).expect("a card has turns in a table");
    let own = Card::parse(&own).expect("a card that was edited can be read");
    assert!(own.roles.iter().any(|entry| entry.role == Role::Hips && entry.joints == ["a"]));
    assert!(own.pose.len() == 1 && own.pose[0].joint == "a", "{own:?}");
    let rig = &RIG;
    let hints = Hints { card: Some(card.clone()), ..Hints::default() };
    let anatomy = match analyse(rig, &hints) {
        Ok(anatomy) => anatomy,
        Err(AnalysisError::Card(error)) => return check_error(&error, error.line, text),
        Err(_) => return,
    };
    let new = Card::from_anatomy(&anatomy, &card).expect("its joints were found");
    let fresh = new.to_toml();
    Card::parse(&fresh).expect("a card that was written can be read");
    let Ok(old) = CardFile::parse(text) else { return };
    if let Ok(text) = old.update(&new) {
        Card::parse(&text).expect("a card that was updated can be read");
    }
});
