//! `rebone export`: rotation copy between two skeletons as data, for engines.

use crate::args::ExportArgs;
use crate::engine::{self, PairFiles};
use crate::exit_code::Failure;
use crate::paths::{self, Outputs};
use crate::terminal::Terminal;
use anyhow::Context;
use rebone::Options;
use rebone::export::RotationTable;
use rebone::skeleton::file::FileKind;
use rebone_studio::CharacterSummary;
use serde_json::json;

/// Reads and analyses both files, and writes the rotation table.
pub(crate) fn run(args: &ExportArgs, terminal: &Terminal) -> Result<(), Failure> {
    let files = PairFiles {
        paths: [&args.source, &args.target],
        clip: None,
        target_clip: &|_| Ok(None),
        hints: &args.hints,
        outputs: &Outputs::new(args.replace).with(Some(&args.output), FileKind::RotationTable),
    };
    let pair = files.open(terminal)?;
    if !args.accept_guesses {
        let checked = pair.check_confidence();
        checked.map_err(|error| Failure::of_pair(error, &args.source))?;
    }
    let options = Options { method: args.method, ..Options::default() };
    let (plan, warnings) = pair.plan(&options);
    let table =
        RotationTable::of_files(pair.characters.each_ref(), &plan).context("no rotation copy")?;
    for ((name, loaded), anatomy) in
        ["source", "target"].iter().zip(&pair.characters).zip(&pair.analysed.anatomies)
    {
        engine::print_side(name, &CharacterSummary::new(loaded, anatomy), terminal)?;
    }
    warnings.iter().for_each(|warning| terminal.warn(warning));
    paths::write(&args.output, |file| Ok(serde_json::to_writer(file, &table)?))?;
    terminal
        .json(&json!({ "warnings": warnings, "written": [args.output.display().to_string()] }))?;
    Ok(terminal.line("wrote", args.output.display())?)
}
