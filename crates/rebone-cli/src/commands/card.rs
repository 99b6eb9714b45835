//! `rebone card`: the rig card of a skeleton.

use crate::args::Card;
use crate::engine;
use crate::exit_code::Failure;
use crate::paths;
use crate::terminal::{NAME, Terminal, styled};
use std::path::Path;

/// Writes the card, or prints it.
pub(crate) fn run(args: &Card, terminal: &Terminal) -> Result<(), Failure> {
    let mut inputs: Vec<&Path> = vec![&args.file];
    inputs.extend(args.hints.card.iter().map(AsRef::<Path>::as_ref));
    inputs.extend(args.hints.pose_from.iter().map(|pose| pose.file.as_path()));
    if let Some(output) = &args.output {
        paths::check_outputs(&inputs, &[output])?;
    }
    let loaded = engine::read(&args.file, terminal)?;
    let anatomy = engine::understand(&loaded, &args.hints)?;
    let card = engine::card_text(&anatomy, &args.hints)?;
    let Some(output) = &args.output else {
        terminal.json(&serde_json::json!({ "card": card }))?;
        return if terminal.wants_json() { Ok(()) } else { Ok(terminal.raw(card.as_bytes())?) };
    };
    paths::write(output, |file| Ok(file.write_all(card.as_bytes())?))?;
    terminal.json(&serde_json::json!({ "written": [output] }))?;
    Ok(terminal.say(&format!("{}    {}", styled(NAME, "wrote"), output.display()))?)
}
