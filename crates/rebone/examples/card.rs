//! Makes a card of a sample, corrects it, reads it and updates it: `cargo run --example card`.

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use rebone::card::{Card, CardFile};
use rebone::{Hints, analyse};
use rebone_samples as samples;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let motion = samples::walk().motion;

    // Make a card: everything in it is generated.
    let anatomy = analyse(&motion, &Hints::default())?;
    let made = Card::from_anatomy(&anatomy, &Card::default())?.to_toml();

    // Correct it as a user does, with an entry outside `[generated]`.
    let corrected = format!("[roles]\nleftToes = []  # a stiff shoe\n\n{made}");

    // Read it, to understand any clip of this skeleton.
    let card = Some(Card::parse(&corrected)?);
    let by_card = analyse(&motion, &Hints { card, ..Hints::default() })?;

    // Update it: the user's part stays, `[generated]` is written anew.
    let file = CardFile::parse(&corrected)?;
    let stated = file.user_entries();
    let hints = Hints { card: Some(stated.clone()), ..Hints::default() };
    let updated = file.update(&Card::from_anatomy(&analyse(&motion, &hints)?, &stated)?)?;

    let roles = |anatomy: &rebone::Anatomy| anatomy.roles.by_joint.iter().flatten().count();
    println!("{updated}");
    println!("{} joints have a role, {} by the card", roles(&anatomy), roles(&by_card));
    Ok(())
}
