//! `rebone demo`: the main job on built-in samples.

use super::retarget;
use crate::args::{Cli, Command, DemoArgs};
use crate::exit_code::Failure;
use crate::paths::{self, Outputs};
use crate::terminal::{NAME, QUIET, Terminal, styled};
use anyhow::Context;
use clap::Parser;
use rebone::skeleton::bvh::{Hierarchy, WriteOptions, write_clip};
use rebone::skeleton::file::FileKind;
use rebone_samples::{self as samples, Sample};
use std::io::Write;
use std::path::PathBuf;

/// Writes source, target, result, report and picture into the folder. The retarget goes through the command line that is
/// printed, so that it can be repeated by hand.
pub(crate) fn run(args: &DemoArgs, terminal: &Terminal) -> Result<(), Failure> {
    std::fs::create_dir_all(&args.folder)
        .with_context(|| format!("cannot make the folder {}", args.folder.display()))?;
    let at = |name: &str| args.folder.join(name);
    let samples = [samples::walk(), demo_rig()];
    let inputs = samples.each_ref().map(|sample| at(&format!("demo-{}.bvh", sample.name)));
    let outputs = Outputs::new(args.replace);
    outputs
        .with(Some(&inputs[0]), FileKind::Bvh)
        .with(Some(&inputs[1]), FileKind::Bvh)
        .check_kinds()?;
    for (path, sample) in inputs.iter().zip(&samples) {
        paths::write(path, |file| write_sample(sample, file))?;
        let path = path.display();
        terminal.say(&format!("{}   {path}: {}", styled(NAME, "sample"), sample.about))?;
    }
    let results = [at("demo-result.bvh"), at("demo-result.png"), at("demo-result.json")];
    let mut words = line(inputs, results);
    words.extend(args.replace.overwrite.then(|| PathBuf::from("--overwrite")));
    let shown: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
    terminal.say(&styled(QUIET, format!("$ {}", shown.join(" "))))?;
    match Cli::try_parse_from(&words).map_err(anyhow::Error::new)?.command {
        Command::Retarget(args) => retarget::run(&args, terminal),
        other => unreachable!("the line says retarget, not {other:?}"),
    }
}

/// The rig that the demo retargets to.
fn demo_rig() -> Sample {
    let mut rigs = samples::rigs();
    let index = rigs.iter().position(|rig| rig.name == "twist-zup-cm").unwrap_or(0);
    rigs.swap_remove(index)
}

/// Writes a sample as BVH.
fn write_sample(sample: &Sample, file: &mut (dyn Write + Send)) -> anyhow::Result<()> {
    let hierarchy = Hierarchy::from_skeleton(&sample.motion.skeleton);
    Ok(write_clip(file, &hierarchy, &sample.motion.clip, WriteOptions::default()).map(drop)?)
}

/// The command line of the main job.
fn line([source, target]: [PathBuf; 2], [clip, picture, report]: [PathBuf; 3]) -> Vec<PathBuf> {
    let words = ["rebone", "retarget", "-o", "--preview", "--report"].map(PathBuf::from);
    let [rebone, retarget, o, preview_option, report_option] = words;
    let options = [o, clip, preview_option, picture, report_option, report];
    [rebone, retarget, source, target].into_iter().chain(options).collect()
}
