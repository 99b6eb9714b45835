//! `rebone card`: the rig card of a skeleton.

use crate::args::Card;
use crate::engine::{self, Known};
use crate::exit_code::Failure;
use crate::paths;
use crate::terminal::{NAME, Terminal, styled};

/// Writes the card, or prints it.
pub(crate) fn run(args: &Card, terminal: &Terminal) -> Result<(), Failure> {
    let known = Known::read(&args.hints)?;
    if let Some(output) = &args.output {
        let inputs: Vec<_> = known.inputs().chain([args.file.clone()]).collect();
        paths::check_outputs(&inputs, &[output])?;
    }
    let loaded = engine::read(&args.file, terminal)?;
    let anatomy = engine::understand(&loaded, &known)?;
    let card = engine::card_text(&anatomy, &known, args.output.as_deref())?;
    let Some(output) = &args.output else {
        terminal.json(&serde_json::json!({ "card": card }))?;
        return if terminal.wants_json() { Ok(()) } else { Ok(terminal.raw(card.as_bytes())?) };
    };
    paths::write(output, |file| Ok(file.write_all(card.as_bytes())?))?;
    terminal.json(&serde_json::json!({ "written": [output.display().to_string()] }))?;
    Ok(terminal.say(&format!("{}    {}", styled(NAME, "wrote"), output.display()))?)
}
