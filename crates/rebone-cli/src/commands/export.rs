//! `rebone export`: rotation copy between two skeletons as data, for engines.

use super::retarget::tell_side;
use crate::args::Export;
use crate::engine::{self, Summary};
use crate::exit_code::Failure;
use crate::paths;
use crate::terminal::{NAME, Terminal, styled};
use rebone::{Character, CharacterHints};
use serde_json::json;

/// Reads, understands, and writes what an engine needs.
pub(crate) fn run(args: &Export, terminal: &Terminal) -> Result<(), Failure> {
    let known = args.hints.read()?;
    let files = [&args.source, &args.target].into_iter().chain(&args.hints.map).cloned();
    let inputs: Vec<_> = files.chain(known.iter().flat_map(CharacterHints::files)).collect();
    paths::check_outputs(&inputs, &[&args.output])?;
    let loaded = engine::read_both([&args.source, &args.target], &args.hints, &known, terminal)?;
    paths::check_outputs(
        &loaded.each_ref().map(Character::files_beside).concat(),
        &[&args.output],
    )?;
    let analysed = engine::analyse_both(loaded.each_ref(), args.hints.map.as_deref())?;
    if !args.accept_guesses {
        for (loaded, anatomy) in loaded.iter().zip(&analysed.anatomies) {
            let checked = loaded.check_confidence(anatomy);
            checked.map_err(|error| Failure::of_pair(error, &args.source))?;
        }
    }
    let (table, warnings) = engine::rotation_table(loaded.each_ref(), &analysed, args.method)?;
    for ((name, loaded), anatomy) in
        ["source", "target"].iter().zip(&loaded).zip(&analysed.anatomies)
    {
        tell_side(name, &Summary::new(loaded, anatomy), terminal)?;
    }
    warnings.iter().for_each(|warning| terminal.warn(warning));
    paths::write(&args.output, |file| Ok(serde_json::to_writer(file, &table)?))?;
    terminal
        .json(&json!({ "warnings": warnings, "written": [args.output.display().to_string()] }))?;
    Ok(terminal.say(&format!("{}    {}", styled(NAME, "wrote"), args.output.display()))?)
}
