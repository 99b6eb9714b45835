//! `rebone demo`: the main job on built-in samples.

use super::retarget;
use crate::args::{Cli, Command, Demo};
use crate::engine;
use crate::exit_code::Failure;
use crate::paths;
use crate::terminal::{NAME, QUIET, Terminal, styled};
use anyhow::Context;
use clap::Parser;
use std::path::PathBuf;

/// Leaves source, target, result, report and picture in the folder.
///
/// The retarget goes through the command line that is printed, so that it can be repeated by hand.
pub(crate) fn run(args: &Demo, terminal: &Terminal) -> Result<(), Failure> {
    std::fs::create_dir_all(&args.folder)
        .with_context(|| format!("cannot make the folder {}", args.folder.display()))?;
    let at = |name: &str| args.folder.join(name);
    let samples = [engine::demo_clip(), engine::demo_rig()];
    let inputs = samples.each_ref().map(|sample| at(&format!("demo-{}.bvh", sample.name)));
    for (path, sample) in inputs.iter().zip(&samples) {
        paths::write(path, |file| engine::write_sample(sample, file))?;
        let path = path.display();
        terminal.say(&format!("{}   {path}: {}", styled(NAME, "sample"), sample.about))?;
    }
    let outputs = [at("demo-result.bvh"), at("demo-result.png"), at("demo-result.json")];
    let words = line(inputs, outputs);
    let shown: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
    terminal.say(&styled(QUIET, format!("$ {}", shown.join(" "))))?;
    match Cli::try_parse_from(&words).map_err(anyhow::Error::new)?.command {
        Command::Retarget(args) => retarget::run(&args, terminal),
        other => unreachable!("the line says retarget, not {other:?}"),
    }
}

/// The command line of the main job.
fn line([source, target]: [PathBuf; 2], [clip, picture, report]: [PathBuf; 3]) -> Vec<PathBuf> {
    let word = PathBuf::from;
    vec![
        word("rebone"),
        word("retarget"),
        source,
        target,
        word("-o"),
        clip,
        word("--preview"),
        picture,
        word("--report"),
        report,
    ]
}
