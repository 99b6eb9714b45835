//! `rebone batch`: libraries of clips.

use crate::args::{BatchArgs, Which};
use crate::batch_report;
use crate::exit_code::{ExitCode, Failure};
use crate::interrupt;
use crate::job_sheet;
use crate::progress::ProgressBar;
use crate::terminal::Terminal;
use rebone::{CharacterError, read_text_up_to, text_from};
use rebone_batch::{BatchRequest, Input, Pictures, Progress, make_cards, plan, run as run_batch};
use std::ffi::OsStr;
use std::num::NonZeroUsize;
use std::path::Path;

/// Largest list of clips.
const MAX_LIST_BYTES: usize = 64 << 20;

/// Number of files that are surveyed for cards.
const DEFAULT_SAMPLE: NonZeroUsize = NonZeroUsize::new(10_000).expect("10,000 is not 0");

/// Runs the batch, or prints what it would do.
pub(crate) fn run(args: &BatchArgs, terminal: &Terminal) -> Result<(), Failure> {
    let request = request(args)?;
    if args.cards_only {
        let sample = args.sample.unwrap_or(DEFAULT_SAMPLE);
        let outcome = make_cards(&request, sample, interrupt::flag())?;
        batch_report::cards(&outcome, terminal)?;
        return end(batch_report::cards_exit_code(&outcome));
    }
    let mut progress = None;
    let mut broken = None;
    let mut watch = |event: Progress| {
        let shown = match event {
            Progress::Note(text) | Progress::UnusedRule(text) => {
                terminal.warn(text);
                Ok(())
            }
            Progress::Begin { results, bytes, faults } => {
                faults.iter().for_each(|fault| terminal.warn(fault));
                progress = Some(ProgressBar::new(results, bytes, *terminal));
                Ok(())
            }
            Progress::Result { line, bytes } => {
                progress.as_mut().map_or(Ok(()), |progress| progress.add(line, bytes))
            }
        };
        if let Err(error) = shown {
            interrupt::stop();
            broken = Some(error);
        }
    };
    if args.dry_run {
        let plan = plan(&request, interrupt::flag(), &mut watch)?;
        batch_report::plan(&plan, args.targets.len(), terminal)?;
        return end(batch_report::planned_exit_code(&plan));
    }
    let outcome = run_batch(&request, interrupt::flag(), &mut watch);
    progress.iter().for_each(ProgressBar::finish);
    let outcome = outcome?;
    if let Some(error) = broken {
        return Err(error.into());
    }
    batch_report::outcome(&outcome, args.preview.as_deref(), terminal)?;
    end(batch_report::exit_code(&outcome))
}

/// Ends with a code; everything was printed.
fn end(code: ExitCode) -> Result<(), Failure> {
    match code {
        ExitCode::Success => Ok(()),
        code => Err(Failure::silent(code)),
    }
}

/// Reads lists, and takes all arguments.
fn request(args: &BatchArgs) -> Result<BatchRequest, Failure> {
    args.character.check()?;
    let inputs = args.inputs.iter().map(|path| input(path)).collect::<Result<_, _>>()?;
    Ok(BatchRequest {
        name: args.name.clone(),
        format: args.format,
        rules: args.rules.clone(),
        options: args.options.clone(),
        source_character: args.character.of(Which::Source),
        target_character: args.character.of(Which::Target),
        one_file: args.one_file,
        pictures: args.preview.clone().map(|folder| Pictures { folder, draw: job_sheet::draw }),
        threads: args.jobs.map(Into::into),
        prune: args.prune,
        overwrite: args.overwrite,
        force: args.force,
        relearn: args.relearn,
        shard: args.shard,
        ..BatchRequest::new(inputs, args.targets.clone(), &args.output)
    })
}

fn input(path: &OsStr) -> Result<Input, Failure> {
    if path.to_str().is_none() && path.as_encoded_bytes().starts_with(b"@") {
        let message = format!("{}: the name of a list must be UTF-8", path.display());
        return Err(
            Failure::usage(message).with_help("rename it, or give it on standard input with -")
        );
    }
    let (name, text) = match path.to_str().map(|text| (text, text.strip_prefix('@'))) {
        Some((_, Some(list))) if Path::new(list).exists() && !Path::new(list).is_file() => {
            let text = "it is no regular file: give a file, or - for a list on standard input";
            return Err(anyhow::anyhow!("{list}: {text}").into());
        }
        Some((_, Some(list))) => {
            let text = read_text_up_to(Path::new(list), "list", MAX_LIST_BYTES);
            (list, text.map_err(list_failure)?)
        }
        Some(("-", None)) => {
            let name = "standard input";
            let text = text_from(std::io::stdin().lock(), name, "list", MAX_LIST_BYTES);
            (name, text.map_err(list_failure)?)
        }
        _ => return Ok(Input::Files(path.into())),
    };
    Ok(Input::List { name: name.to_owned(), text })
}

/// A list that cannot be read, with what takes names that no list can hold.
fn list_failure(error: CharacterError) -> Failure {
    let is_encoding = matches!(error, CharacterError::Encoding { .. });
    let failure = Failure::from(error);
    match is_encoding {
        true => failure.with_help(
            "give files whose names are not UTF-8 themselves, or by their folder or a pattern",
        ),
        false => failure,
    }
}
